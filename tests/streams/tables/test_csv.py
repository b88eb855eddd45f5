"""CSV files: cells, encodings, errors with lines; against Python's csv module."""

import bz2
import csv
import gc
import gzip
import io
import lzma
import tempfile

import pytest
import zstandard
from hypothesis import example, given
from hypothesis import strategies as st

from novikoff.streams.bytes import StreamError
from novikoff.streams.tables import csv as csv_module
from novikoff.streams.tables.columns import MISSING
from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.reader import open_reader
from tests.real_data import shared
from tests.streams.tables.helpers import frame_of, read, rows_of, written


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("1,x\n2,y\n", [("1", "x"), ("2", "y")]),
        ("1,x\n2,y", [("1", "x"), ("2", "y")]),
        ("1,x\r\n2,y\r\n", [("1", "x"), ("2", "y")]),
        ("1,x\r2,y\r", [("1", "x"), ("2", "y")]),
        ("\n\n1,x\n\n   \n\t\n2,y\n\n", [("1", "x"), ("2", "y")]),
        ("1,x\r\n\r\n2,y\r\n\r\n", [("1", "x"), ("2", "y")]),
        ("\ufeff1,x\n2,y\n", [("1", "x"), ("2", "y")]),
        ('\ufeff"1",x\n2,y\n', [("1", "x"), ("2", "y")]),
        ('1,"x"\n"2","y"\n', [("1", "x"), ("2", "y")]),
        ('1,"x, y"\n2,"say ""hi"""\n', [("1", "x, y"), ("2", 'say "hi"')]),
        ('1,"x\ny"\n2,"\r\n z"\n', [("1", "x\ny"), ("2", "z")]),
        ("1 , x y \n\t2,y\u00a0\n", [("1", "x y"), ("2", "y")]),
        ("1,\n,2\n,\n", [("1", None), (None, "2"), (None, None)]),
        ('1,""\n"",2\n', [("1", None), (None, "2")]),
        ("1,x\n\n,\n2,y\n", [("1", "x"), (None, None), ("2", "y")]),  # blank, and missing
        ("1\n\n2\nNA\n", [("1",), ("2",), (None,)]),
        ('1\n""\n2\n', [("1",), (None,), ("2",)]),
        ("1\tx\n\t\n2\ty\n", [("1", "x"), (None, None), ("2", "y")]),
        # stray quotes: as in the csv module, they belong to the text
        ('1,5" disk\n2,3" disk\n', [("1", '5" disk'), ("2", '3" disk')]),
        ('1,5" disk\n\n2,"y\nz"\n', [("1", '5" disk'), ("2", "y\nz")]),
        ('1, "x, y"\n2, "z" \n', [("1", "x, y"), ("2", "z")]),
    ],
)
def test_cells(tmp_path, text, rows):
    _, found = read(written(tmp_path, text), header=False)
    assert found == rows


def test_missing_spellings(tmp_path):
    text = "x,y\n" + "".join(f"{cell},1\n {cell} ,2\n" for cell in MISSING)
    _, rows = read(written(tmp_path, text), header=True)
    assert [row[0] for row in rows] == [None] * (2 * len(MISSING))
    path = written(tmp_path, "x,y\n-999,1\nnone,2\n none ,3\nNone,4\n-9990,5\n")
    _, rows = read(path, header=True, na=("-999", "none "))
    assert [row[0] for row in rows] == [None, None, None, "None", "-9990"]


def test_no_blanks_no_quotes_still_finds_what_is_missing(tmp_path):
    text = "x,y\n" + "".join(f"{cell},1\n" for cell in MISSING if cell)
    reader, rows = read(written(tmp_path, text), header=True)
    assert not reader._strip
    assert {row[0] for row in rows} == {None}


STORED = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstandard.compress,
}


@pytest.mark.parametrize("kind", STORED)
@pytest.mark.parametrize("as_stream", [False, True])
def test_compressed_and_piped(tmp_path, kind, as_stream):
    text = "größe,y\n" + "".join(f"{k},{k % 7}\n" for k in range(1000))
    stored = STORED[kind](text.encode())
    reader, rows = read(io.BytesIO(stored) if as_stream else written(tmp_path, stored))
    assert reader.names == ["größe", "y"]
    assert rows == [(str(k), str(k % 7)) for k in range(1000)]
    assert rows_of(reader) == rows  # a pipe too can be read again
    assert reader.lines_of([10]) == {10: 12}
    assert len(reader.fingerprint()) == 64


def test_a_damaged_file_is_named(tmp_path):
    path = written(tmp_path, gzip.compress(b"a,b\n1,2\n" * 99)[:-10])
    with pytest.raises(StreamError, match=str(path)):
        read(path)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_byte_order_marks(tmp_path, encoding):
    text = 'größe,y\r\n1,"x\r\n€"\r\n\r\n2,z\r\n'
    if encoding[-2:] in ("le", "be"):
        text = "\ufeff" + text
    reader, rows = read(written(tmp_path, text.encode(encoding)))
    assert reader.names == ["größe", "y"]
    assert rows == [("1", "x\r\n€"), ("2", "z")]
    assert reader.lines_of([0, 1]) == {0: 2, 1: 5}
    told = [d.text for d in reader.decisions if "byte order mark" in d.text]
    assert len(told) == (encoding != "utf-8-sig")


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16-le", "shift_jis", "UTF-8"])
def test_a_given_encoding(tmp_path, encoding):
    name = "größe" if encoding != "shift_jis" else "大きさ"
    path = written(tmp_path, f"{name},y\n1,2\n".encode(encoding))
    reader, rows = read(path, encoding=encoding)
    assert (reader.names, rows) == ([name, "y"], [("1", "2")])


def test_an_unknown_encoding(tmp_path):
    for encoding in ("utf-9", "rot13"):
        with pytest.raises(StreamError, match=f"no encoding '{encoding}'"):
            read(written(tmp_path, "a,b\n1,2\n"), encoding=encoding)


@pytest.mark.parametrize("n_before", [0, 3, 300_000])
@pytest.mark.parametrize("quoted", [False, True])
def test_text_that_is_not_utf8(tmp_path, n_before, quoted):
    before = b"x,y\n" + b"1,2\n" * n_before
    cell = b'"caf\xe9"' if quoted else b"caf\xe9"
    path = written(tmp_path, before + b"1," + cell + b"\n3,4\n")
    with pytest.raises(StreamError, match="not UTF-8") as caught:
        read(path)
    assert caught.value.line == n_before + 2
    assert f"offset {len(before) + 2 + 3 + quoted}" in str(caught.value)
    assert "0xe9" in str(caught.value)
    assert 'encoding="latin-1"' in str(caught.value)


def test_text_that_is_not_what_it_was_said_to_be(tmp_path):
    path = written(tmp_path, b"a,b\n1,\xe9\n")
    with pytest.raises(StreamError, match="0xe9 at offset 6 is not ASCII") as caught:
        read(path, encoding="ascii")
    assert caught.value.line == 2


BAD_ROWS = [
    ("a,b,c\n1,2,3\n4,5\n", 3, "found 2 columns, expected 3"),
    ("a,b,c\n1,2,3\n4\n7,8,9\n", 3, "found 1 column, expected 3"),
    ("a,b,c\n1,2,3\n4,5,6,7\n", 3, "found 4 columns, expected 3"),
    ("a,b,c\n\n1,2,3\n\n4,5,6,\n", 5, "found 4 columns, expected 3"),
    ('a,b,c\n"1\n1",2,3\n4,5\n', 4, "found 2 columns, expected 3"),
    ('a,b,c\n"1\n1",2,"3"\n"4\n",5\n1,2,3\n', 4, "found 2 columns, expected 3"),
    ("a,b,c\n1,2,\n1,,\n4,5\n", 4, "found 2 columns, expected 3"),  # empty is not absent
    ("a,b,c\n1,2,NA\n4,5\n", 3, "found 2 columns, expected 3"),
    ("a,b,c\r\n1,2,3\r\n4,5\r\n", 3, "found 2 columns, expected 3"),
    ("a,b,c\n1,2,3\n4,5,6,", 3, "found 4 columns, expected 3"),
    ("x\n1\n2,", 3, "found 2 columns, expected 1"),
    ("x\n1\n2,3\n", 3, "found 2 columns, expected 1"),
    ('a,b,c\n1,5",3\n4,5\n', 3, "found 2 columns, expected 3"),  # stray quotes
    ("a,b,c\n" + "1,2,3\n" * 100_000 + "4,5\n" + "1,2,3\n" * 100_000, 100_002, "found 2"),
]


@pytest.mark.parametrize(("text", "line", "message"), BAD_ROWS)
def test_wrong_number_of_columns(tmp_path, text, line, message):
    path = written(tmp_path, text)
    with pytest.raises(StreamError, match=message) as caught:
        read(path, header=True)
    assert (caught.value.file, caught.value.line) == (str(path), line)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('a,b\n1,"x\n2,y\n3,z\n', 2),
        ('a,b\n1,x\n2,y\n3,"z', 4),
        ('a,b\n"1\n1","x\n2,y\n', 3),
        ('a,b\n1,"x\n""y""\n2\n', 2),
        ('a,b\n1,"x"y\n2,z\n', 2),
        ('a,b\n1,x\n2,"y\n3,z\n4,"w"\n', 3),  # closed by the next one's opening
        ('a,b\n1,5" disk\n2,"y\n', 3),
        ('a,b\n"1,x\n', 2),
        ('"a,b\n1,x\n', 1),
    ],
)
def test_unclosed_quotes(tmp_path, text, line):
    with pytest.raises(StreamError, match="quote") as caught:
        read(written(tmp_path, text), header=True)
    assert caught.value.line == line


@pytest.mark.parametrize("text", ["\n\n", "  \n", "\ufeff", "\ufeff\n"])
def test_nothing_but_blank_lines(tmp_path, text):
    with pytest.raises(StreamError, match="no row"):
        read(written(tmp_path, text))


def test_a_header_alone_has_no_rows(tmp_path):
    for text in ("a,b\n", "a,b", '"a\n",b\n\n'):
        reader, rows = read(written(tmp_path, text), header=True)
        assert (reader.names, rows) == (["a", "b"], [])
        assert reader.lines_of([0]) == {}


# Letters, what CSV treats specially, and some blanks; a lone \r would end a line for csv.reader.
CELLS = st.lists(st.sampled_from([*'ab1,;|\t" \né€', "\r\n"]), max_size=6).map("".join)


@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(
            st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=8
        )
    ),
    st.sampled_from(",;|\t"),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.booleans(),
)
@example([["a", "1"]], ",", "\n", csv.QUOTE_MINIMAL, True)
def test_whatever_csv_writes_is_read_back(table, delimiter, end, quoting, final_newline):
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(table)
    content = text.getvalue() if final_newline else text.getvalue().removesuffix(end)
    if not content.strip(" \t\r\n"):
        return
    reference = csv.reader(io.StringIO(content, newline=""), delimiter=delimiter)
    # A line of blanks is a row of one blank cell for the csv module, and no row for us.
    lines = content.split("\n")
    expected, starts, start = [], [], 1
    for row in reference:
        blank = reference.line_num == start and not lines[start - 1].strip(" \t\r\n")
        if row and not (blank and len(row) == 1):
            cells = [cell.strip(" \t\r\n") for cell in row]
            expected.append(tuple(None if cell in MISSING else cell for cell in cells))
            starts.append(start)
        start = reference.line_num + 1
    reader, rows = read(io.BytesIO(content.encode()), header=False, delimiter=delimiter)
    assert rows == expected
    assert reader.lines_of(range(len(rows))) == dict(enumerate(starts))


def test_batches_do_not_matter(tmp_path, monkeypatch):
    text = "a,b\n" + "".join(f'{k},"{k}\n"\n' if k % 3 else f"{k},\n\n" for k in range(5000))
    path = written(tmp_path, text)
    _, whole = read(path)
    assert len(whole) == 5000
    monkeypatch.setattr(csv_module, "BATCH_ROWS", 7)
    reader = open_reader(path, TableOptions())
    frames = list(reader.frames())
    assert len(frames) > 500
    assert [row for frame in frames for row in frame.rows()] == whole


def test_lines_are_right_everywhere(tmp_path):
    rows = [("1", "x\ny"), ("2", "z"), ("3", 'a "b"'), ("4", "")] * 2000
    text, starts, line = "n,t\n\n", [], 3
    for k, (number, cell) in enumerate(rows):
        if k % 5 == 0:
            text, line = text + "\n", line + 1
        starts.append(line)
        quoted = cell.replace('"', '""')
        text, line = text + f'{number},"{quoted}"\n', line + 1 + cell.count("\n")
    reader, found = read(written(tmp_path, text))
    assert len(found) == len(rows)
    assert reader.lines_of(range(len(rows))) == dict(enumerate(starts))
    assert reader.lines_of([4321]) == {4321: starts[4321]}
    assert reader.lines_of([len(rows)]) == {}


def test_lines_without_reading_first():
    reader = open_reader(shared("small/titanic.csv"), TableOptions())
    assert reader.lines_of([0, 890, 891]) == {0: 2, 890: 892}


def test_an_abandoned_reading_and_a_second_one(tmp_path):
    path = written(tmp_path, "a,b\n" + "1,x\n" * 300_000)
    reader = open_reader(path, TableOptions())
    next(reader.frames())
    assert frame_of(reader).height == 300_000


def test_temporary_files_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    path = written(tmp_path, gzip.compress(b'a,b\n1,5" disk\n'))
    reader, rows = read(path)
    assert rows == [("1", '5" disk')]
    assert len(list((tmp_path / "temporary").iterdir())) == 3
    del reader
    gc.collect()
    assert not list((tmp_path / "temporary").iterdir())


def test_names_that_look_like_patterns(tmp_path):
    _, rows = read(written(tmp_path, "a,b\n1,2\n", name="da[ta]*.csv"))
    assert rows == [("1", "2")]


def test_large_cells(tmp_path):
    long = "word " * 100_000
    _, rows = read(written(tmp_path, f'a,b\n1,"{long}"\n2,5" {long}\n'))
    assert rows == [("1", long.strip()), ("2", f'5" {long}'.strip())]
