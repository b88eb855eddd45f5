"""Messy CSV, through the command line: without questions, and every decision printed."""

import sys

import pytest

from tests.cli.helpers import document, inside
from tests.real_data import shared

NUMBERS = "".join(f"{k % 7},{k * k % 11},{'yes' if k % 7 > 3 else 'no'}\n" for k in range(30))


@pytest.mark.parametrize(
    ("content", "decisions"),
    [
        (
            b'\xef\xbb\xbf"a, ""quoted""",b,y\r\n1,2,p\r\n9,9,q\r\n3,0,p\r\n',
            ['column: numeric: a, "quoted" and b', "y is the target, by its name"],
        ),
        ("a;b;y\n1,5;2;p\n-9,25;9;q\n3;0;p\n".encode("utf-16"), ["semicolon", "UTF-16"]),
        (NUMBERS.encode(), ["there is no header", "c3 is guessed to be the target"]),
        (f"a,b,y\n{NUMBERS}5,5,\n".encode(), ["1 row", "target"]),
    ],
    ids=["quotes, BOM, CRLF", "UTF-16 and decimal commas", "no header", "missing target"],
)
def test_what_is_read_is_said(content, decisions, tmp_path):
    path = tmp_path / "messy.txt"
    path.write_bytes(content)
    done = inside("separable", path)
    for decision in decisions:
        assert decision in done.stderr
    assert done.stdout.startswith(("Yes", "No"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"a,b,y\n1,2,p\n3,4\n5,6,q\n", "line 3"),
        (b"a,b,y\n" + NUMBERS.encode() * 10 + b"oops,1,no\n", "'oops' on line 302"),
        (b"a,b\n1,2.5\n3,4.5\n5,1.25\n", "--target"),
        (b"a,y\n1,p\n4,p\n", "one value only"),
        ("a,y\n1,käse\n2,wurst\n".encode("latin-1"), "--encoding"),
        (b'a,y\n"1,p\n2,q\n', "line 2"),
        (b"\x00\x01\x02\xff\xfe\xfd" * 40, "messy.txt"),
    ],
    ids=["empty", "columns", "cell", "no target", "one class", "latin-1", "quote", "binary"],
)
def test_what_cannot_be_read_is_told_where(content, said, tmp_path):
    path = tmp_path / "messy.txt"
    path.write_bytes(content)
    done = inside("separable", path, code=2)
    assert said in done.stderr
    assert "bug" not in done.stderr
    assert done.stdout == ""


def test_options_say_what_cannot_be_guessed(tmp_path):
    path = tmp_path / "codes.csv"
    rows = "".join(f"{k % 3},{k % 5 if k % 4 else 'none'},{k % 2}\n" for k in range(40))
    path.write_text(f"code,level,odd\n{rows}")
    done = inside("separable", path, "--target", "-1", "--categorical", "code", "--na", "none")
    assert "code (3)" in done.stderr
    assert "level is missing in 10 of 40" in done.stderr
    dropped = inside("separable", path, "--target", "odd", "--drop", "code,level", code=2)
    assert "no column is left" in dropped.stderr


@pytest.mark.parametrize("name", ["iris", "sonar", "banknote_authentication"])
def test_files_without_a_header(name):
    done = inside("separable", shared(f"small/{name}.csv"))
    assert "there is no header" in done.stderr
    assert "guessed to be the target" in done.stderr


def test_names_with_commas_can_be_said(tmp_path):
    path = tmp_path / "commas.csv"
    rows = "".join(f"{k * k % 7},{k % 5},{k * 3 % 8},{k % 2}\n" for k in range(30))
    path.write_text(f'"a,b",c d,e,y\n{rows}')
    kept = inside("separable", path, "--drop", '"a,b",e')
    assert "column: numeric: c d\n" in kept.stderr
    assert "column: numeric: c d\n" in inside(
        "separable", path, "--drop", '"a,b"', "--drop", "e"
    ).stderr  # fmt: skip


def test_what_is_left_out_can_be_brought_back_by_the_option_that_is_printed(tmp_path):
    path = tmp_path / "counted.csv"
    path.write_text(
        "one,id,x,y\n" + "".join(f"1,{k},{k * 5 % 7},{k * 5 % 7 > 3}\n" for k in range(30))
    )
    left = inside("separable", path)
    assert "--keep one,id keeps all that are left out" in left.stderr
    assert document("separable", path)["features"] == 1
    assert document("separable", path, "--keep", "one,id")["features"] == 3


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow no such names")
def test_a_file_name_need_not_be_utf_8(flowers, model, tmp_path):
    import polars as pl

    expected = inside("predict", model, flowers).stdout
    frame = pl.read_csv(flowers)
    for suffix in ("csv", "parquet", "arrow"):
        plain, odd = (tmp_path / f"{name}.{suffix}" for name in ("flowers", "\udcff"))
        {"csv": frame.write_csv, "parquet": frame.write_parquet, "arrow": frame.write_ipc}[suffix](
            plain
        )
        plain.rename(odd)
        assert inside("predict", model, odd).stdout == expected


def test_a_cell_of_thousands_of_digits_is_read_as_one_of_hundreds(tmp_path):
    for digits in (400, 5000):  # beyond the doubles, and beyond Python's own integers
        path = tmp_path / "long.csv"
        path.write_text(f"a,b,y\n2,1,p\n-1,2,q\n-1,-1,q\n{'9' * digits},1,q\n3,-4,p\n")
        said = inside("separable", path).stderr
        assert "a is taken for categories: 1 of its 5 cells is no number, such as '999" in said


def test_parquet_and_arrow_are_tables_too(flowers, model, tmp_path):
    """Whatever they are called: the same predictions, the same verdict."""
    import polars as pl

    frame = pl.read_csv(flowers)
    parquet, arrow = tmp_path / "flowers.dat", tmp_path / "flowers"
    frame.write_parquet(parquet)
    frame.write_ipc(arrow)
    assert inside("predict", model, parquet).stdout == inside("predict", model, flowers).stdout
    (of_arrow,), (of_csv,) = (document("separable", p)["questions"] for p in (arrow, flowers))
    assert of_arrow["verdict"] == of_csv["verdict"] == "separable"
    assert of_arrow["margin"]["lower"] == of_csv["margin"]["lower"]
    assert of_arrow["margin"]["support_lines"] == [None] * len(of_csv["margin"]["support_lines"])
