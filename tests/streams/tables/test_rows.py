"""Another file's rows, encoded by what was learned from the first."""

import io

import numpy as np
import polars as pl
import pytest

from novikoff.streams.bytes import StreamError
from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.rows import open_rows
from novikoff.streams.tables.table import open_table
from tests.streams.tables.helpers import written
from tests.streams.tables.tables import csv_of, table_of

TEXT = csv_of(
    x=[1, 2, None, 4, 7, 7],
    c=["a", "b", "a", None, "b", "a"],
    y=["no", "yes", "no", "no", "yes", "yes"],
)


def test_the_same_file_gives_the_same_matrix(tmp_path):
    table = table_of(tmp_path, TEXT)
    rows = open_rows(tmp_path / "data.csv", table.encoder, target="y", classes=table.classes)
    block, expected = rows.matrix(), table.matrix()
    assert block.X.tobytes() == expected.X.tobytes()
    assert block.y.tolist() == expected.y.tolist()
    assert block.rows.tolist() == expected.rows.tolist()
    assert (rows.n_rows, rows.n_dropped, rows.unseen) == (6, 0, {})


def test_without_a_target_the_columns_in_any_order(tmp_path):
    table = table_of(tmp_path, TEXT)
    path = written(tmp_path, "more,c,x\n1,q,2\n2,b,\n", "new.csv")
    rows = open_rows(path, table.encoder)
    assert rows.target is None
    for _ in range(2):  # counted afresh
        (block,) = rows.blocks()
        assert block.y.shape == (0,)
        assert block.X.shape == (2, len(table.feature_names))
        assert rows.unseen == {"c": 1}
        assert rows.n_rows == 2


def test_rows_without_a_label_are_dropped_and_counted(tmp_path):
    table = table_of(tmp_path, TEXT)
    path = written(tmp_path, "x,c,y\n1,a,yes\n2,b,\n3,a,no\n", "new.csv")
    rows = open_rows(path, table.encoder, target="y", classes=table.classes)
    block = rows.matrix()
    assert block.rows.tolist() == [0, 2]
    assert [rows.line_of(row) for row in block.rows] == [2, 4]
    assert (rows.n_rows, rows.n_dropped) == (2, 1)


def test_another_dialect(tmp_path):
    table = table_of(tmp_path, TEXT)
    path = written(tmp_path, "x;c\n1,5;a\n2,25;b\n", "new.csv")
    block = open_rows(path, table.encoder).matrix()
    column = table.encoder.columns_[0]
    expected = (np.array([1.5, 2.25]) - column["shifts"][0]) / column["scales"][0]
    assert block.X[:, 0].tolist() == expected.tolist()


def test_names_that_the_model_knows_are_a_header(tmp_path):
    """Though no column is numeric: of a file, of a pipe, and where some of them are absent."""
    text = "c,d,y\na,u,yes\nb,v,no\na,v,yes\n"
    table = open_table(written(tmp_path, text), TableOptions(header=True))
    new = "d,c\nu,b\nv,a\n"
    expected = open_rows(pl.DataFrame({"c": ["b", "a"], "d": ["u", "v"]}), table.encoder).matrix()
    for source in (written(tmp_path, new, "new.csv"), io.BytesIO(new.encode())):
        rows = open_rows(source, table.encoder)
        assert rows.matrix().X.tolist() == expected.X.tolist()
        assert "names that the model knows" in rows.decisions[-1].text
    with pytest.raises(StreamError, match=r"the table lacks d, .* It has c and e"):
        open_rows(written(tmp_path, "c,e\na,b\n", "new.csv"), table.encoder).matrix()


def test_errors_name_file_and_line(tmp_path):
    table = table_of(tmp_path, TEXT)
    path = written(tmp_path, "x,c\n1,a\n\nfour,b\n", "new.csv")
    with pytest.raises(StreamError, match=r"new.csv: the column x held numbers.*'four'.*line 4"):
        open_rows(path, table.encoder, TableOptions(header=True)).matrix()
    path = written(tmp_path, "x,d\n1,a\n4,b\n", "new.csv")
    with pytest.raises(StreamError, match=r"new.csv: the table lacks c"):
        open_rows(path, table.encoder).matrix()
    with pytest.raises(ValueError, match='target="z": there is no such column'):
        open_rows(path, table.encoder, target="z")


def test_labels_come_as_the_classes_do(tmp_path):
    table = table_of(tmp_path, TEXT)
    path = written(tmp_path, "x,c,y\n1,a,1\n2,b,0\n", "new.csv")
    options = TableOptions(header=True)

    def labels(classes):
        return open_rows(path, table.encoder, options, target="y", classes=classes).matrix().y

    assert labels(np.array([0, 1])).tolist() == [1, 0]
    assert labels(np.array(["0", "1", "x"])).tolist() == ["1", "0"]
    assert labels(None).tolist() == [1, 0]
    path.write_text("x,c,y\n1,a,1\n2,b,z\n")
    with pytest.raises(StreamError, match=r"the classes are whole numbers, but .* holds 'z'"):
        labels(np.array([0, 1]))


def test_the_first_row_is_a_header_if_the_encoder_knows_its_names(tmp_path):
    """Categories alone, so nothing numeric below says that the first row names them."""
    path = tmp_path / "t.csv"
    path.write_text("colour,size,label\nred,big,a\nblue,small,b\nred,small,a\nblue,big,b\n")
    table = open_table(path, TableOptions(header=True, target="label"))
    rows = open_rows(path, table.encoder).matrix()
    np.testing.assert_array_equal(rows.X, table.matrix("all").X)


def test_infinity_in_a_typed_column_is_named(tmp_path):
    path = tmp_path / "t.parquet"
    x = [1.5, 2.0, float("inf"), 4.0]
    pl.DataFrame({"x": x, "y": ["a", "b", "a", "b"]}).write_parquet(path)
    with pytest.raises(StreamError, match="column x holds an infinite number in row 2"):
        open_table(path)


def test_cells_that_are_missing_for_the_first_time_are_counted(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(
        "a,b,k,y\n" + "".join(f"{i % 5},{i % 3 or ''},k{i % 2},{i % 2}\n" for i in range(30))
    )
    encoder = open_table(path).encoder
    path.write_text("a,b,k\n,,k0\n1,,\n,2,k1\n")
    rows = open_rows(path, encoder)
    rows.matrix()
    assert rows.missing == {"a": 2, "k": 1}  # b had missing cells in training
    assert rows.unseen == {}


def doubts(tmp_path, learned, given, target=-1, **options):
    """What is doubted of the rows `given`, matched with those of the table `learned`."""
    encoder = table_of(tmp_path, learned, target=target, **options).encoder
    path = written(tmp_path, given, "new.csv")
    return [d.text for d in open_rows(path, encoder).decisions if d.topic == "doubt"]


def test_columns_without_names_are_matched_by_position_and_counted(tmp_path):
    learned = "1,5,no\n2,3,yes\n4,4,no\n"
    assert not doubts(tmp_path, learned, "7,8,no\n9,7,no\n")
    assert not doubts(tmp_path, learned, "7,8\n9,7\n")  # the target was the last
    (text,) = doubts(tmp_path, learned, "7,8,9,3\n9,7,6,2\n")
    assert "has 4 where that had 3" in text
    (text,) = doubts(tmp_path, "no,1,5,3\nyes,2,3,9\n", "1,5,3\n2,2,5\n", target=1, drop=("4",))
    assert "has 3 where that had 4" in text  # without its target all columns have moved


def test_columns_with_names_may_be_any_number(tmp_path):
    assert not doubts(tmp_path, TEXT, "more,c,x,z\n1,q,2,5\n2,b,,6\n")
