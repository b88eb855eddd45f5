"""How a CSV file is written: its delimiter, its decimal sign, its header.

All of it is found out from the first rows, so that it takes no time on a large file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from novikoff._messages import Message, Setting
from novikoff.streams.bytes import StreamError
from novikoff.streams.tables.columns import MISSING, spellings
from novikoff.streams.tables.lines import delimiter_name
from novikoff.streams.tables.options import Decision, TableOptions, resolve_all
from novikoff.streams.tables.parse import Record, parse
from novikoff.streams.tables.target import USUAL_NAMES
from novikoff.streams.tables.text import Text

DELIMITERS = ",;\t|"
_SAMPLE = 1 << 20  # bytes
_LARGEST_SAMPLE = 1 << 26
_ROWS = 1000

_POINT = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?", re.ASCII)
_COMMA = re.compile(r"[-+]?(\d+(,\d*)?|,\d+)([eE][-+]?\d+)?", re.ASCII)
_PADDED = re.compile(r"0\d+", re.ASCII)
_INFINITE = re.compile(r"[-+]?inf(inity)?", re.IGNORECASE)


@dataclass(frozen=True)
class Dialect:
    """How a CSV file is written."""

    delimiter: str
    decimal: str  # "." or ","
    names: list[str]
    named: bool  # whether the file says them; otherwise they are positions
    skipped: int  # lines before the first data row
    bytes_per_row: float
    sample: list[list[str]]  # the first data rows, stripped
    decisions: list[Decision]


def detect(text: Text, options: TableOptions) -> Dialect:
    """Look at the first rows of a file."""
    given = None if options.delimiter is None else _given_delimiter(options.delimiter, text.name)
    delimiter, records = _first_rows(text, given)
    if not records:
        raise StreamError("no row was found: the lines are blank, or endless", file=text.name)
    rows = _without_comments(records)
    missing = frozenset(spellings(options.na))
    decimal = _decimal(rows, delimiter)
    is_number = number_test(decimal)
    first, below = rows[0], rows[1:]
    header = options.header
    if header is None:
        named = options.target in [cell.strip() for cell in first.cells]  # somebody knows it
        header = named or _has_header(first, below, is_number, missing)
    names = [f"c{k + 1}" for k in range(len(first.cells))]
    if header:
        names = _resolved([cell.strip() for cell in first.cells], text.name, first.began)
    # Blank lines before the first data row are skipped with the header: polars would take the
    # number of columns from them.
    skipped = first.began - 1
    if header:
        skipped = below[0].began - 1 if below else first.ended
    seen = sum(len(cell) + 1 for row in rows for cell in row.cells)
    decisions: list[str | Message] = []
    if text.encoding != "utf-8":
        told = "" if options.encoding else ", by its byte order mark"
        decisions.append(f"the text is {text.encoding.upper()}{told}")
    if n_comments := len(records) - len(rows):
        decisions.append(_comments_told(n_comments))
    if given is None and len(names) > 1:
        decisions.append(f"cells are separated by {delimiter_name(delimiter)}")
    if decimal == ",":
        decisions.append("numbers have decimal commas, as in 1,5")
    if options.header is None:
        numbers = any(is_number(cell.strip()) for cell in first.cells)
        decisions.append(_header_told(names, header, "" if numbers else _shown(first.cells)))
    sample = [[cell.strip() for cell in row.cells] for row in (below if header else rows)]
    chosen = resolve_all(names, options.categorical, "categorical")
    chosen |= resolve_all(names, options.drop, "drop")
    decisions += _zeros_told(names, sample, chosen, is_number, missing)
    return Dialect(
        delimiter,
        decimal,
        names,
        header,
        skipped,
        seen / len(rows),
        sample,
        [Decision("read", None, told) for told in decisions],
    )


def number_test(decimal: str) -> Callable[[str], bool]:
    """A test whether a stripped cell is a number, written with that decimal sign."""
    pattern = _COMMA if decimal == "," else _POINT

    def is_number(cell: str) -> bool:
        return bool(pattern.fullmatch(cell) or _INFINITE.fullmatch(cell))

    return is_number


def _given_delimiter(delimiter: str, name: str) -> str:
    delimiter = {"tab": "\t", "\\t": "\t"}.get(delimiter, delimiter)
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n':
        raise StreamError(
            f"{delimiter!r} cannot separate cells: a delimiter is one ASCII character, or tab",
            file=name,
        )
    return delimiter


def _first_rows(text: Text, given: str | None) -> tuple[str, list[Record]]:
    """The delimiter and the first rows; a row may be long, so the sample grows if it must."""
    size = _SAMPLE
    while True:
        sample, complete = text.sample(size)
        enlarge = not complete and size < _LARGEST_SAMPLE
        tries = {}
        failure: StreamError | None = None
        for delimiter in DELIMITERS if given is None else given:
            rows = []
            try:
                lines = sample.split("\n")
                ended = [line + "\n" for line in lines[:-1]] + lines[-1:] * bool(lines[-1])
                for row in islice(parse(ended, delimiter, text.name), _ROWS):
                    rows.append(row)  # noqa: PERF402 - what was read before an error is kept
            except StreamError as error:
                # In a sample, the last cell may be cut; the whole file tells.
                if not rows:
                    failure = error
            if len(rows) > 2 or not enlarge:
                tries[delimiter] = rows
        if tries:
            best = max(tries, key=lambda delimiter: _fitness(tries[delimiter], delimiter))
            if not tries[best] and failure is not None:
                raise failure
            return best, tries[best]
        size *= 4


def _without_comments(rows: list[Record]) -> list[Record]:
    """The rows after the comments at the top; ``#id,x,y`` above rows of three cells is none."""
    k = 0
    while k < len(rows) - 1 and rows[k].cells[0].startswith("#"):
        k += 1
    while k > 0 and len(rows[k - 1].cells) == len(rows[k].cells) > 1:
        k -= 1
    return rows[k:]


def _fitness(rows: list[Record], delimiter: str) -> tuple[bool, float, bool, float, int]:
    """How much speaks for a delimiter: even rows, explained commas, numbers, many columns.

    ``1,5;2,5`` splits evenly by commas and by semicolons; only the second gives numbers. And of
    ``1,5;a;b`` semicolons leave no comma but a decimal one, which commas could not explain.
    """
    rows = _without_comments(rows)
    if not rows:
        return (False, 0.0, False, 0.0, 0)
    width = len(rows[0].cells)
    if width == 1:
        return (False, 0.0, False, 0.0, 1)
    even = sum(len(row.cells) == width for row in rows) / len(rows)
    is_number = number_test(_decimal(rows, delimiter))
    cells = [cell.strip() for row in rows for cell in row.cells]
    numbers = sum(is_number(cell) or cell in MISSING for cell in cells) / len(cells)
    below = [cell.strip() for row in rows[1:] or rows for cell in row.cells if "," in cell]
    explained = delimiter == ";" and bool(below) and all(map(_COMMA.fullmatch, below))
    return (even > 0.5, round(even, 1), explained, numbers, width)


def _decimal(rows: list[Record], delimiter: str) -> str:
    """The decimal sign: a comma if cells are separated by semicolons and some number has one.

    Numbers with points are read as well then, for a file may have both; but not 1.500, which may be
    1500 (:data:`novikoff.streams.tables.columns.GROUPED`).
    """
    if delimiter != ";":
        return "."
    cells = (cell.strip() for row in rows for cell in row.cells)
    return "," if any("," in cell and _COMMA.fullmatch(cell) for cell in cells) else "."


def _has_header(
    first: Record, below: list[Record], is_number: Callable[[str], bool], missing: frozenset[str]
) -> bool:
    """Whether the first row names the columns: no numbers in it, but below one of its names.

    A cell that is missing is no name: ``?,NA,yes`` above numbers is a row of data. One cell may be
    empty all the same, as above the row numbers that pandas writes, if no name recurs below.
    Columns may be named by numbers that count, ``0,1,2,kind`` or ``2019,2020,y``, if a name beside
    them does not recur and they are three, from 0 on, or it stands above numbers or is usual.
    """
    cells = [cell.strip() for cell in first.cells]
    counting = [cell for cell in cells if is_number(cell)]
    if counting and not _ascend_by_one(counting):
        return False
    unnamed = recurs = False
    named = len(counting) > 2 and counting[0] == "0" and len(set(cells) - missing) > len(counting)
    for k, cell in enumerate(cells):
        column = [row.cells[k].strip() for row in below if k < len(row.cells)]
        values = [value for value in column if value not in missing]
        numeric = bool(values) and all(map(is_number, values))
        if cell in counting:
            continue
        name = numeric and cell not in missing
        if name and not counting:
            return True
        named |= name or (bool(values) and cell.lower() in USUAL_NAMES)
        unnamed |= numeric and not cell
        recurs |= cell in values
    if counting:
        return named and not recurs and sum(cell in missing for cell in cells) <= 1
    return unnamed and not recurs and sum(cell in missing for cell in cells) == 1


def _ascend_by_one(cells: list[str]) -> bool:
    """Whether these are whole numbers, each one more than the one before; alone it must be 0."""
    if not all(cell.isdecimal() and len(cell) < 10 for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    whole = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return whole and (len(numbers) > 1 or numbers[0] == 0)


def _resolved(cells: list[str], name: str, line: int) -> list[str]:
    """Names for all columns: an empty one is called by its position, a double one refused."""
    where: dict[str, int] = {}
    for k, cell in enumerate(cells):
        if cell and where.setdefault(cell, k) != k:
            both = f"columns {where[cell] + 1} and {k + 1} are both called {cell!r:.60}; "
            both += "rename one, or, "
            data = ("if this row is data, say ", Setting("header", False))
            raise StreamError(both, *data, file=name, line=line)
    names = []
    for k, cell in enumerate(cells):
        free = cell or f"c{k + 1}"
        while not cell and free in where:
            free += "_"
        names.append(free)
    return names


def _comments_told(n: int) -> str:
    lines = "a line that begins" if n == 1 else f"{n} lines that begin"
    return f"{lines} with # at the top {'is' if n == 1 else 'are'} skipped"


def _zeros_told(
    names: list[str], sample: list[list[str]], chosen: set[str],
    is_number: Callable[[str], bool], missing: frozenset[str],
) -> list[Message]:  # fmt: skip
    """Of columns of numbers that begin with zeros, which no number keeps; not of the `chosen`."""
    found = []
    for name, *cells in zip(names, *sample, strict=False):
        padded = next((cell for cell in cells if _PADDED.fullmatch(cell)), None)
        if name in chosen or padded is None:
            continue
        if all(is_number(cell) or cell in missing for cell in cells):
            read = padded.lstrip("0") or "0"
            told = f"{name}: {padded[:20]} is read as {read[:20]}; if that is a name, "
            found.append(Message(told, Setting("categorical", (name,)), " keeps it"))
    return found


def _header_told(names: list[str], header: bool, first: str) -> str | Message:
    """What to print; `first` shows the first row where it might be a header after all."""
    if header:
        return "the first row names the columns"
    called = "the column is c1" if len(names) == 1 else f"the columns are c1 to c{len(names)}"
    hint = Setting("header", True)
    if not first:
        none = f"there is no header: {called} (if the first row names them, say "
        return Message(none, hint, ")")
    return Message(
        f"there is no header, for below no name in the first row ({first}) is a column numeric: it "
        f"counts as data, and {called}; if it names them, say ", hint,
    )  # fmt: skip


def _shown(cells: list[str]) -> str:
    """The first few cells, each cut where it is long."""
    some = [f"{' '.join(cell.split()):.20}" for cell in cells[:4]]
    return ", ".join(some) + ", …" * (len(cells) > 4)
