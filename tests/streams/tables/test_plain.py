"""Files of plain numbers: every cell is what `float` makes of it, whoever reads it."""

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff.streams.tables import plain
from novikoff.streams.tables.csv import CsvReader
from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.plain import PlainReader
from novikoff.streams.tables.reader import NotNumbersError, ReadAgainError, open_reader
from novikoff.streams.tables.table import open_table
from tests.streams.tables.helpers import written

NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**25), 10**25).map(str),
    st.from_regex(r"[-+]?[0-9]{1,30}\.?[0-9]{0,30}([eE][-+]?[0-9]{1,2})?", fullmatch=True),
    st.sampled_from(["", "NA", "?", "9007199254740993", "2.2250738585072011e-308"]),
)
LABELS = st.one_of(
    st.sampled_from(["", "a", "b", "null"]),
    st.text(
        st.characters(min_codepoint=33, max_codepoint=126, exclude_characters='",'), max_size=70
    ),
)


def read_plainly(path, numbers):
    reader = open_reader(path, TableOptions(header=False))
    frames = list(reader.frames(numbers))
    return reader, pl.concat(frames) if frames else None


@given(
    st.lists(st.tuples(NUMBERS, LABELS, NUMBERS), min_size=1, max_size=30),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_every_cell_is_what_float_makes_of_it(tmp_path_factory, rows, newline, ended):
    lines = [",".join(row) for row in rows]
    path = written(
        tmp_path_factory.mktemp("plain"), newline.join([*lines, ""] if ended else lines) or "\n"
    )
    reader, found = read_plainly(path, ["c1", "c3"])
    missing = {"", "NA", "?", "null"} | set(reader._missing)
    for k in (0, 2):
        expected = [None if row[k] in missing else float(row[k]) for row in rows]
        assert found[f"c{k + 1}"].to_list() == expected
    assert found["c2"].to_list() == [None if row[1] in missing else row[1] for row in rows]


def test_it_is_this_parser_that_reads_them(tmp_path, monkeypatch):
    monkeypatch.setattr(CsvReader, "_general_frames", None)
    path = written(tmp_path, "1,a,2\n\n3,b,\r\n,,-1e3")
    _, found = read_plainly(path, ["c1", "c3"])
    assert found.rows() == [(1.0, "a", 2.0), (3.0, "b", None), (None, None, -1000.0)]


@pytest.mark.parametrize(
    "odd",
    ['"x"', "x y", "é", "x\x0b", "x" * 65, "x,1", "x\ry"],
    ids=["quotes", "blank", "beyond ASCII", "control", "long", "wrong count", "return"],
)
def test_what_is_not_plain_is_left_to_the_general_reader(tmp_path, monkeypatch, odd):
    monkeypatch.setattr(plain, "_CHUNK", 64)
    head = "".join(f"{i},x,{i * i}\n" for i in range(40))
    path = written(tmp_path, f"{head}1,{odd},2\n")
    reader = open_reader(path, TableOptions(header=False))
    with pytest.raises(ReadAgainError):
        list(reader.frames(["c1", "c3"]))  # after some frames: they must be read again
    general = open_reader(path, TableOptions(header=False))
    if odd.count(","):
        return
    rows = pl.concat(reader.frames(["c1", "c3"])).cast(pl.String).rows()
    assert [row[1] for row in rows] == [row[1] for row in pl.concat(general.frames()).rows()]


def test_a_column_that_is_not_numeric_after_all(tmp_path):
    path = written(tmp_path, "1,x,2\n3,y,three\n")
    with pytest.raises(NotNumbersError):
        list(open_reader(path, TableOptions(header=False)).frames(["c1", "c3"]))


def test_a_table_is_the_same_by_either_reader(tmp_path, monkeypatch):
    third = ["NA" if i % 11 == 0 else repr(i / 3) for i in range(300)]
    lines = [f"{math.sin(i)!r},{i % 7},{third[i]},{i % 2}" for i in range(300)]
    path = written(tmp_path, "a,b,c,y\n" + "\n".join(lines))
    monkeypatch.setattr(plain, "_CHUNK", 1000)
    fast = open_table(path, TableOptions()).matrix()
    monkeypatch.setattr(PlainReader, "suits", staticmethod(lambda *_: False))
    slow = open_table(path, TableOptions()).matrix()
    assert fast.X.tobytes() == slow.X.tobytes()
    assert fast.y.tolist() == slow.y.tolist()
