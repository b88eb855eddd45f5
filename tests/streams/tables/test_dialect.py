"""Delimiter, decimal sign and header of a CSV file."""

import pytest

from novikoff.streams.bytes import StreamError
from tests.real_data import shared
from tests.streams.tables.helpers import read, written


@pytest.mark.parametrize(
    ("text", "delimiter", "width"),
    [
        ("a,b,c\n1,2,3\n", ",", 3),
        ("a;b;c\n1;2;3\n", ";", 3),
        ("a\tb\tc\n1\t2\t3\n", "\t", 3),
        ("a|b|c\n1|2|3\n", "|", 3),
        ("1,5;2,5;x\n2,5;3,5;y\n", ";", 3),  # evenly split by commas too
        ("1,5;2;x\n2;3;y\n", ";", 3),
        ("1,5;x;u;v\n2,5;y;u;w\n", ";", 4),  # by commas half of the cells would be numbers
        ("name;v\nSmith, John;1\nMiller, Ann;2\n", ";", 2),
        ('a,b\n"1;2;3",4\n"5;6;7",8\n', ",", 2),  # semicolons in quotes
        ('"x|y",b\n"1|2",4\n', ",", 2),
        ("a,b\nx;y;z,1\nu;v;w,2\n", ",", 2),
        ("x\n1\n2\n", ",", 1),
        ("1\n", ",", 1),
        ("a,b,c\n1,2\n3,4,5\n6,7,8\n", ",", 3),  # one row is short: an error, but by commas
        ("date\tvalue\n1,000\t2\n1,500\t3\n", "\t", 2),
    ],
)
def test_delimiters(tmp_path, text, delimiter, width):
    from novikoff.streams.bytes import open_bytes
    from novikoff.streams.tables.dialect import detect
    from novikoff.streams.tables.options import TableOptions
    from novikoff.streams.tables.text import Text

    found = detect(Text(open_bytes(written(tmp_path, text)), None), TableOptions())
    assert (found.delimiter, len(found.names)) == (delimiter, width)


@pytest.mark.parametrize("delimiter", [" ", ":", "tab", "\\t", "\t"])
def test_a_given_delimiter(tmp_path, delimiter):
    mark = "\t" if "t" in delimiter else delimiter
    reader, rows = read(written(tmp_path, f"a{mark}b\n1{mark}2,5\n"), delimiter=delimiter)
    assert (reader.names, rows) == (["a", "b"], [("1", "2,5")])
    assert not [d for d in reader.decisions if "separated" in d.text]


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n", "§"])
def test_impossible_delimiters(tmp_path, delimiter):
    with pytest.raises(StreamError, match="cannot separate"):
        read(written(tmp_path, "a,b\n1,2\n"), delimiter=delimiter)


@pytest.mark.parametrize(
    ("text", "decimal"),
    [
        ("x;y\n1,5;a\n2;b\n", ","),
        ("x;y\n1.5;a\n2;b\n", "."),
        ("x;y\n1;a\n2;b\n", "."),
        ("x;y\n1.5;2,5\n2.5;a\n", ","),  # points are read as well
        ("x,y\n1,5\n", "."),
        ('x,y\n"1,5",2\n', "."),  # only semicolons allow it
    ],
)
def test_decimal_signs(tmp_path, text, decimal):
    reader, _ = read(written(tmp_path, text))
    assert reader.decimal == decimal
    assert any("decimal comma" in d.text for d in reader.decisions) == (decimal == ",")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a,b\n1,x\n", ["a", "b"]),
        (" a , b \n1,x\n", ["a", "b"]),
        ('"a, b","c\nd"\n1,x\n', ["a, b", "c\nd"]),
        ("a,b\nNA,x\n?,y\n3,z\n", ["a", "b"]),  # missing cells do not count
        ("a,b\nNA,x\n,y\n", ["c1", "c2"]),  # but there must be a number
        ("a,b\nx,y\n", ["c1", "c2"]),  # nothing is numeric below
        ("1,b\n2,x\n", ["c1", "c2"]),
        ("5.1,setosa\n4.9,setosa\n", ["c1", "c2"]),
        ("?,NA,yes\n1,2,no\n", ["c1", "c2", "c3"]),  # a row of data with missing cells
        ("id,NA,name\n1,2,bob\n", ["id", "NA", "name"]),
        (",size,kind\n0,S,a\n1,M,b\n", ["c1", "size", "kind"]),  # as pandas writes its index
        (",S,a\n0,S,b\n1,M,b\n", ["c1", "c2", "c3"]),  # but S recurs: data, and one cell missing
        ("a,,b,\n1,2,3,4\n", ["a", "c2", "b", "c4"]),
        ("c2,,\n1,2,3\n", ["c2", "c2_", "c3"]),
        ("x\n1\n2\n", ["x"]),
        ("a;b\n1,5;2,5\n", ["a", "b"]),
        ("a,b\n1e-3,-inf\n", ["a", "b"]),
        ("\n\n  \na,b\n\n1,2\n", ["a", "b"]),
        ("a,b\n", ["c1", "c2"]),
        # As pandas names columns, with and without its index; and years.
        ("0,1,label\n1.5,2,u\n1,3,v\n", ["0", "1", "label"]),
        (",0,1,label\n0,1.5,2,u\n1,1,3,v\n", ["c1", "0", "1", "label"]),
        ("0,1,2,kind\n1.5,2,7,u\n1,3,7,v\n", ["0", "1", "2", "kind"]),
        ("votes,2019,2020\n1,5,3\n2,3,1\n", ["votes", "2019", "2020"]),
        ("0,1,label\n1.5,2,label\n1,3,v\n", ["c1", "c2", "c3"]),  # it recurs: a class
        ("0,1,2,kind\n1.5,2,7,kind\n1,3,7,v\n", ["c1", "c2", "c3", "c4"]),
        ("5,6,7,apple\n1,2,3,pear\n4,4,4,fig\n", ["c1", "c2", "c3", "c4"]),
        ("0,2,label\n1.5,2,u\n1,3,v\n", ["c1", "c2", "c3"]),  # they do not count
        ("2,y\n3,n\n5,n\n", ["c1", "c2"]),  # y, not n: a class that is rare
        ("0,y\n3,u\n5,v\n", ["0", "y"]),
        (",0,1,2\n1,2,3,4\n2,3,4,5\n", ["c1", "c2", "c3", "c4"]),  # no name at all
    ],
)
def test_headers(tmp_path, text, names):
    reader, _ = read(written(tmp_path, text))
    assert reader.names == names
    told = [d.text for d in reader.decisions if d.topic == "read"]
    assert any("names the columns" in t or "no header" in t for t in told)


def test_header_as_told(tmp_path):
    path = written(tmp_path, "a,b\nx,y\n")
    reader, rows = read(path, header=True)
    assert (reader.names, rows) == (["a", "b"], [("x", "y")])
    path = written(tmp_path, "a,b\n1,2\n")
    reader, rows = read(path, header=False)
    assert (reader.names, rows) == (["c1", "c2"], [("a", "b"), ("1", "2")])
    assert not [d for d in reader.decisions if "header" in d.text]
    reader, rows = read(written(tmp_path, "1,2\n"), header=True)
    assert (reader.names, rows) == (["1", "2"], [])


@pytest.mark.parametrize("options", [{}, {"header": True}])
def test_double_names_are_refused(tmp_path, options):
    path = written(tmp_path, "\na,b, a\n1,2,3\n")
    with pytest.raises(StreamError, match="columns 1 and 3 are both called 'a'") as caught:
        read(path, **options)
    assert caught.value.line == 2
    assert "header=False" in str(caught.value)


def test_decisions(tmp_path):
    reader, _ = read(written(tmp_path, "a;b\n1,5;x\n"))
    assert [d.text for d in reader.decisions] == [
        "cells are separated by semicolons",
        "numbers have decimal commas, as in 1,5",
        "the first row names the columns",
    ]
    reader, _ = read(written(tmp_path, "1,2\n"))
    assert reader.decisions[-1].text == (
        "there is no header: the columns are c1 to c2 (if the first row names them, say "
        "header=True)"
    )
    reader, _ = read(written(tmp_path, "size,kind\nS,a\nM,b\n"))
    assert reader.decisions[-1].text == (
        "there is no header, for below no name in the first row (size, kind) is a column numeric: "
        "it counts as data, and the columns are c1 to c2; if it names them, say header=True"
    )


def test_rows_longer_than_the_sample(tmp_path):
    names = [f"column_{k}" for k in range(90_000)]
    text = ",".join(names) + "\n" + ",".join("1" for _ in names) + "\n"
    reader, _ = read(written(tmp_path, text))
    assert reader.names == names


@pytest.mark.parametrize(
    ("file", "n_rows", "names"),
    [
        ("small/iris.csv", 150, [f"c{k}" for k in range(1, 6)]),
        ("small/sonar.csv", 208, [f"c{k}" for k in range(1, 62)]),
        ("small/banknote_authentication.csv", 1372, [f"c{k}" for k in range(1, 6)]),
        ("separation/endometrial.csv", 79, ["NV", "PI", "EH", "HG"]),
    ],
)
def test_real_files(file, n_rows, names):
    reader, rows = read(shared(file))
    assert (len(rows), reader.names) == (n_rows, names)
    assert all(cell for row in rows for cell in row)


def test_titanic():
    reader, rows = read(shared("small/titanic.csv"))
    assert reader.names[:4] == ["survived", "pclass", "sex", "age"]
    assert (len(rows), sum(row[3] is None for row in rows)) == (891, 177)


def test_comments_at_the_top_are_skipped_and_a_header_that_looks_like_one_is_not(tmp_path):
    commented = "# taken on Monday, by hand\n# in cm\na,b,y\n1,2,p\n3,5,q\n"
    reader, rows = read(written(tmp_path, commented))
    assert reader.names == ["a", "b", "y"]
    assert rows == [("1", "2", "p"), ("3", "5", "q")]
    assert reader.lines_of([1]) == {1: 5}
    assert "2 lines that begin with # at the top are skipped" in [d.text for d in reader.decisions]
    reader, _ = read(written(tmp_path, commented.partition("\n")[2]))
    assert "a line that begins with # at the top is skipped" in [d.text for d in reader.decisions]
    reader, rows = read(written(tmp_path, "#id,b,y\n1,2,p\n3,5,q\n"))
    assert reader.names == ["#id", "b", "y"]
    assert len(rows) == 2


def test_zeros_that_a_number_loses_are_told(tmp_path):
    path = written(tmp_path, "zip,x,code,y\n01234,0,007,a\n1234,0.5,A1,b\n98765,1,B2,a\n")

    def told(**options):
        decisions = read(path, **options)[0].decisions
        return [d.text for d in decisions if "is read as" in d.text]

    assert [text.partition(";")[0] for text in told()] == ["zip: 01234 is read as 1234"]
    assert told(categorical=("zip",)) == told(drop=("zip",)) == []


def test_a_first_row_that_has_the_target_is_a_header(tmp_path):
    path = written(tmp_path, "a,b,label\nc,d,e\nf,g,e\n")
    reader, rows = read(path, target="label")
    assert (reader.names, len(rows)) == (["a", "b", "label"], 2)
    reader, _ = read(path, target="c3")
    assert reader.names == ["c1", "c2", "c3"]
