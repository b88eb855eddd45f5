"""What kind of file some first bytes belong to; names and extensions are never asked."""

from __future__ import annotations

import codecs
import re
from typing import Literal, TypeAlias, get_args

from novikoff._messages import Message, Setting

Format: TypeAlias = Literal["csv", "jsonl", "arff", "libsvm", "vw"]  # what a text may be said to be
FORMATS = get_args(Format)
# Text whose lines are labelled rows already; `bytes.recognise` calls it by the first name.
TEXTS = {"libsvm": "LIBSVM text", "vw": "Vowpal Wabbit's text"}

# The longest first: UTF-32's little-endian mark starts with UTF-16's.
_BYTE_ORDER_MARKS = [
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]

# Files that people pass by mistake, and what to do then.
_STRANGERS = [
    (b"PK\x03\x04", "a zip archive or an Excel workbook: unpack it, or save the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook: save the sheet as CSV"),
    (b"\x89HDF", "an HDF5 file: export the table as Parquet or CSV"),
    (b"\x93NUMPY", "a NumPy array: pass the array itself to fit"),
    (b"SQLite format 3", "an SQLite database: export the table as CSV"),
    (b"%PDF", "a PDF document"),
    (b"\x80\x04\x95", "a pickle, which novikoff never loads: export the table as Parquet or CSV"),
    (b"7z\xbc\xaf", "a 7-Zip archive: unpack it first"),
]

_ARRAY = re.compile(rb"\s*\[\s*(?:\{|\[)")
_CONTROLS = re.compile(rb"[\x01-\x08\x0e-\x19\x1b-\x1f\x7f]")
_LINES_LOOKED_AT = 100

_NUMBER = rb"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
_LABELS = rb"\s*" + _NUMBER + rb"(?:," + _NUMBER + rb")*"
# Deliberately loose about what follows the colon: a malformed value is still LIBSVM text, and its
# reader says where it is.
_LIBSVM_LINE = re.compile(_LABELS + rb"\s+(?:qid:\d+\s+)?[-+]?\d+:[^\s,;|\"]*(?:\s|$)", re.ASCII)
# A label, perhaps a weight, a start and a tag (or classes with their costs), a bar, and somewhere
# behind a bar a feature that is not the name of a namespace. A table whose cells are separated by
# bars has none of that, or a bar with blanks on both sides more than once in a line.
_VOWPAL_LABEL = (
    rb"[ \t]*(?:" + _NUMBER + rb"(?:[ \t]+" + _NUMBER + rb"){0,2}|\d+:" + _NUMBER
    + rb"(?:[ \t]+\d+:" + _NUMBER + rb")*)[ \t]+(?:'?[^\s|'\",;]*)?"
)  # fmt: skip
_VOWPAL_LINE = re.compile(_VOWPAL_LABEL + rb"\|[^|]*[ \t][^\s|]", re.ASCII)
# One bar without a label or without features; it may also be a table's.
_VOWPAL_PART = re.compile(rb"(?:" + _VOWPAL_LABEL + rb"|[ \t]*)\|[^|]*$", re.ASCII)
_LABEL_ONLY = re.compile(_LABELS + rb"\s*(?:#.*)?$", re.ASCII)


def byte_order_mark(head: bytes) -> tuple[bytes, str] | None:
    """The byte order mark at the beginning and the encoding it stands for."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return mark, encoding
    return None


def _without_mark(head: bytes) -> bytes:
    mark = byte_order_mark(head)
    return head if mark is None else head[len(mark[0]) :]


# Tables that are text, by what they begin with. A row of JSON is an object; a Python set is no row.
_TABLES = {
    "arff": re.compile(rb"(?:\s|%[^\n]*\n)*@(?:relation|attribute)\b", re.IGNORECASE),
    "jsonl": re.compile(rb'\s*\{\s*(?:"|\})'),
}


def table_text(head: bytes) -> str | None:
    """ "arff", "jsonl", or None for what may be anything else."""
    head = _without_mark(head)
    return next((kind for kind, begins in _TABLES.items() if begins.match(head)), None)


def columnar(head: bytes) -> str | None:
    """ "parquet", "arrow" (an IPC file), "arrow stream", or None for anything else."""
    if head.startswith((b"PAR1", b"PARE")):
        return "parquet"
    if head.startswith(b"ARROW1"):
        return "arrow"
    # A stream begins with a continuation mark and the length of its schema, which is not empty
    # and a multiple of eight.
    if head.startswith(b"\xff\xff\xff\xff") and len(head) > 8:
        length = int.from_bytes(head[4:8], "little")
        if 0 < length < 1 << 28 and length % 8 == 0:
            return "arrow stream"
    return None


def stranger(head: bytes) -> str | Message | None:
    """What a file is that is no table at all, or None if it may be text."""
    for magic, what in _STRANGERS:
        if head.startswith(magic):
            return what
    if _ARRAY.match(head):
        return "a JSON array: write one object a line, without brackets and commas around them"
    if b"\x00" in head:
        hint = Setting("encoding", "utf-16-le")
        return Message("binary data (if it is UTF-16 text without a byte order mark: ", hint, ")")
    if len(_CONTROLS.findall(head)) * 50 > len(head):
        return "binary data"
    return None


def looks_like_libsvm(head: bytes) -> bool:
    """Whether text is lines of ``label index:value ...`` rather than a table.

    A label alone is a line with no features, but also a cell: it speaks for neither.
    """
    for_it = against = 0
    for line in _lines(head):
        if _LIBSVM_LINE.match(line):
            for_it += 1
        elif not _LABEL_ONLY.match(line):
            against += 1
    return for_it > against


def looks_like_vowpal(head: bytes) -> bool:
    """Whether most lines of a text are Vowpal Wabbit's, with a label, and the first may be.

    Most, so that the reader of that format says what is wrong with the others; a table has names.
    """
    for_it = against = 0
    for line in _lines(head):
        if _VOWPAL_LINE.match(line) and line.count(b" | ") <= 1:
            for_it += 1
        elif not (_VOWPAL_PART.match(line) or _LABEL_ONLY.match(line)):
            if for_it == 0:
                return False
            against += 1
    return for_it > against


def _lines(head: bytes) -> list[bytes]:
    """The first lines of a text, without blank ones, comments, and one that is cut."""
    head = _without_mark(head)
    lines = head.splitlines()
    if len(lines) > 1 and not head.endswith((b"\n", b"\r")):
        lines.pop()  # cut anywhere
    return [line for line in lines[:_LINES_LOOKED_AT] if line.strip() and line.lstrip()[:1] != b"#"]
