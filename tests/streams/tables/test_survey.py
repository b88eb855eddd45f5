"""What each column is taken for, and what is said when it is none of these."""

from unittest.mock import patch

import polars as pl
import pytest

from novikoff.streams.bytes import StreamError
from novikoff.streams.tables import frames
from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.reader import FrameReader
from novikoff.streams.tables.rows import open_rows
from novikoff.streams.tables.survey import survey
from tests.streams.tables.tables import csv_of, said, table_of


def kind_of(cells, n_rows=4, dtype=pl.String, forced=False):
    """The kind of one column read a few rows at a time, and its stored cells."""
    frame = pl.DataFrame({"c": pl.Series(cells, dtype=dtype)})
    with patch.object(frames, "MOST_ROWS", 3):
        found = survey(FrameReader(frame, n_rows=n_rows), ["c"], None, {"c"} if forced else set())
    return found.columns[0].kind, pl.concat(found.frames)["0"].to_list()


@pytest.mark.parametrize("n_rows", [1, 4, 1000])
@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "-2.5", "1e3", None, "+.5"], "number"),
        (["true", "FALSE", None, "True", "false"], "flag"),
        (["yes", "No", "no", "YES", "yes"], "flag"),
        (["2024-01-01", "2023-12-31T10:00:00Z", None, "1969-07-20", "2000-02-29"], "date"),
        (["a", "b", "1", "2", "c"], "string"),
        (["yes", "no", "true", "false", "no"], "string"),
        (["yes", "no", "no", "yes", "perhaps"], "string"),
        (["2024-01-01"] * 5 + ["soon"], "string"),
        (["x"] * 3 + ["1"] * 7, "string"),
        (["1"] * 7 + ["x"] * 3, "string"),
        ([None] * 6 + ["2024-01-01"], "date"),
        ([None] * 6 + ["yes", "no"], "flag"),
        ([None] * 6 + ["a", "b"], "string"),
        ([None] * 6, "number"),
    ],
)
def test_every_row_has_a_say_whatever_the_first_ones_suggest(cells, kind, n_rows):
    found, stored = kind_of(cells, n_rows)
    assert found == kind
    if kind == "string":
        assert stored == cells


@pytest.mark.parametrize(
    ("cells", "dtype", "kind"),
    [
        ([1, 2], pl.Int16, "number"),
        ([1.5, float("nan")], pl.Float32, "number"),
        ([True, None], pl.Boolean, "flag"),
        (["a", "b"], pl.Categorical, "category"),
        (["1", "2"], pl.String, "number"),
        ([0, 86_400_000], pl.Datetime("ms"), "date"),
        ([1, 2], pl.Duration("ms"), "number"),
    ],
)
def test_types_that_are_stored_in_the_file(cells, dtype, kind):
    assert kind_of(cells, dtype=dtype)[0] == kind


def test_numbers_are_parsed_to_the_nearest_double():
    cells = ["0.1", "1.7976931348623157e308", "5e-324", "9007199254740993", "-0.30000000000000004"]
    assert kind_of(cells)[1] == [float(cell) for cell in cells]


def test_forced_categories_are_spelled_alike_whatever_their_type():
    assert kind_of(["1", "2"], forced=True) == ("category", ["1", "2"])
    assert kind_of([1, None], dtype=pl.Int64, forced=True) == ("category", ["1", None])
    assert kind_of([1.0, None, 0.5], dtype=pl.Float64, forced=True)[1] == ["1", None, "0.5"]


def numbers_with(*bad, n=200):
    return [*map(str, range(5, n + 5 - len(bad))), *bad]


@pytest.mark.parametrize("n_rows", [7, 65536])
def test_one_cell_in_a_hundred_is_an_error_that_is_named(tmp_path, n_rows):
    text = csv_of(x=numbers_with("12o", "13"), y=[0, 1] * 100)
    with pytest.raises(StreamError, match=r"x is numeric, except for 1 of its 200 cells") as caught:
        table_of(tmp_path, text, n_rows=n_rows)
    assert "'12o' on line 200" in str(caught.value)
    assert 'na=["12o"]' in str(caught.value)
    assert 'categorical=["x"]' in str(caught.value)
    assert (caught.value.line, caught.value.file) == (200, str(tmp_path / "data.csv"))


def test_exactly_99_in_100_are_errors_and_fewer_are_categories(tmp_path):
    with pytest.raises(StreamError, match="2 of its 200 cells"):
        table_of(tmp_path, csv_of(x=numbers_with("a", "b"), y=[0, 1] * 100))
    table = table_of(
        tmp_path, csv_of(x=numbers_with("a", "b", "c", "3"), y=[0, 1] * 100), keep=("x",)
    )
    assert table.encoder.columns_[0]["kind"] == "category"
    assert "x is taken for categories: 3 of its 200 cells are no numbers, such as 'a'" in said(
        table
    )


def test_many_errors_are_counted_and_the_first_named(tmp_path):
    text = csv_of(x=numbers_with(*"abcdefgh", n=1000), y=[0, 1] * 500)
    with pytest.raises(StreamError, match=r"'a' on line 994, .* and 3 more"):
        table_of(tmp_path, text)


def test_a_spelling_is_suggested_as_the_command_line_takes_it(tmp_path):
    """Whole, commas and all: na is no list of names."""
    text = csv_of(x=numbers_with("1,234"), y=[0, 1] * 100)
    with pytest.raises(StreamError, match="'1,234' on line") as caught:
        table_of(tmp_path, text)
    assert 'na=["1,234"] if that' in str(caught.value)
    table_of(tmp_path, text, na=("1,234",))


@pytest.mark.parametrize("cell", ["inf", "-Infinity", "1e999"])
def test_an_infinite_number_is_an_error_too(tmp_path, cell):
    with pytest.raises(StreamError, match="1 of its 200 cells"):
        table_of(tmp_path, csv_of(x=numbers_with(cell), y=[0, 1] * 100))


@pytest.mark.parametrize("option", [{"na": ("12o",)}, {"categorical": ("x",)}, {"drop": ("x",)}])
def test_what_the_error_suggests_works(tmp_path, option):
    text = csv_of(x=numbers_with("12o"), z=[1, 2, 3, 4] * 50, y=[0, 1] * 100)
    table_of(tmp_path, text, **option)


def test_decimal_commas(tmp_path):
    table = table_of(tmp_path, "x;y\n1,5;a\n-2,25;b\n0,5;a\n", scale=False)
    assert table.matrix().X.tolist() == [[1.5], [-2.25], [0.5]]


@pytest.mark.parametrize("cell", ["1.500", "-12.000", "+999.999"])
def test_a_point_beside_decimal_commas_that_may_group_digits(tmp_path, cell):
    """1.500 is 1500 in German and 1.5 in English: nobody guesses."""
    text = f"a;b;y\n1,5;2,5;no\n2,5;3;yes\n{cell};4,5;no\n"
    with pytest.raises(StreamError, match=cell.replace(".", "").replace("+", r"\+")) as caught:
        table_of(tmp_path, text)
    assert caught.value.line == 4
    assert table_of(tmp_path, text, categorical=("a",)).n_rows == 3
    table = table_of(tmp_path, "x;y\n1,5;no\n2,5;yes\n")
    path = tmp_path / "more.csv"
    path.write_text(f"x\n1,5\n{cell};\n".replace(";", ""))
    rows = open_rows(path, table.encoder, TableOptions(delimiter=";"))
    with pytest.raises(StreamError, match="held numbers in training"):
        rows.matrix()


def test_points_beside_decimal_commas_that_can_only_be_decimal(tmp_path):
    text = "a;b;y\n1,5;0.250;no\n2.5;1.25;yes\n0.125;1234.5;no\n,5;2,500;yes\n"
    X = table_of(tmp_path, text, scale=False, header=True).matrix().X
    assert X.tolist() == [[1.5, 0.25], [2.5, 1.25], [0.125, 1234.5], [0.5, 2.5]]
