"""From the name of some data to rows in memory, and from a row back to its line."""

import io

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from novikoff import separability
from novikoff.analysis import sources
from novikoff.streams.bytes import open_bytes
from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.table import open_table

TEXT = b"# made by hand\n1 1:0.5 3:2\n\n-1 2:1e3  # a remark\n# another\n-1 3:-4\n"


def held(content):
    """Some bytes as data."""
    return open_bytes(io.BytesIO(content))


def test_libsvm_text_is_read_as_scikit_learn_reads_it():
    random = np.random.RandomState(0)
    X = sp.random_array((50, 8), density=0.4, format="csr", rng=0)
    out = io.BytesIO()
    dump_svmlight_file(X, random.randint(0, 2, 50), out, zero_based=False)
    found = sources.load_text(held(out.getvalue()))
    theirs, labels = load_svmlight_file(io.BytesIO(out.getvalue()), n_features=found.X.shape[1])
    np.testing.assert_array_equal(found.X.toarray(), theirs.toarray())
    np.testing.assert_array_equal(found.y, labels)
    assert found.y.dtype == np.int64
    assert found.features == [str(j) for j in range(1, 1 + X.shape[1])]


def test_a_row_of_text_is_found_on_its_line(tmp_path):
    """Blank lines and comments are lines, and no rows; what came through a pipe has none left."""
    (tmp_path / "rows.txt").write_bytes(TEXT)
    found = sources.load_text(open_bytes(tmp_path / "rows.txt"))
    assert found.lines([0, 1, 2]) == [2, 4, 6]
    assert found.places([2, 0]) == ["line 6", "line 2"]
    assert sources.load_text(held(TEXT)).places([2, 0]) == ["row 2", "row 0"]


def test_a_row_of_a_table_is_found_on_its_line():
    """A quoted cell may have lines of its own."""
    csv = 'a,b,y\n1,"two\nlines",p\n2,x,q\n3,x,p\n'
    options = TableOptions(target="y")
    table = open_table(held(csv.encode()), options)
    found = sources.load_table(table, options, None)
    assert found.lines([0, 1, 2]) == [2, 4, 5]
    assert found.places([1]) == ["line 4"]


def test_columns_in_which_nothing_is_stored_change_no_verdict(monkeypatch):
    monkeypatch.setattr(sources, "MOST_COLUMNS", 5)
    dense = np.zeros((6, 40))
    dense[:, [3, 17, 39]] = np.random.RandomState(1).randint(-3, 4, (6, 3))
    X, columns = sources.narrowed(sp.csr_array(dense))
    assert columns.tolist() == [3, 17, 39]
    np.testing.assert_array_equal(X.toarray(), dense[:, columns])
    for y in ([0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 0, 1], [0, 0, 0, 0, 0, 1]):
        assert separability(X, y).verdict == separability(dense, y).verdict
    few = sp.csr_array(dense[:, :5])
    assert sources.narrowed(few)[0] is few


@pytest.mark.parametrize(
    ("y", "kind"),
    [([1.0, -1.0], "i"), ([0.5, 1.0], "f"), ([1.0, 2.0**53], "f"), ([np.inf, 1.0], "f")],
)
def test_whole_labels_are_integers(y, kind):
    found = sources.labels(np.array(y))
    assert found.dtype.kind == kind
    assert found.tolist() == y


def test_how_many_rows_a_long_file_has_is_guessed_from_its_beginning(tmp_path):
    short, long = tmp_path / "short.csv", tmp_path / "long.csv"
    short.write_bytes(b"a,y\n1,p\n")
    assert sources.about_rows(open_bytes(short)) == 2  # with the line of names
    long.write_bytes(b"1.25,p\n" * 300_000)
    assert sources.about_rows(open_bytes(long)) == pytest.approx(300_000, rel=0.01)
    assert sources.about_rows(held(b"1,p\n")) is None


def test_options_of_the_other_kind_are_refused():
    table, text = (held(data) for data in (b"a,y\n1,p\n2,q\n", TEXT))
    assert sources.is_text(text, zero_based=True)
    assert not sources.is_text(table, ["target"])
    with pytest.raises(ValueError, match=r"LIBSVM text, whose rows .* can only be said of a table"):
        sources.is_text(text, ["target", "drop"])
    with pytest.raises(ValueError, match=r"is a table, .* can only be said of LIBSVM text"):
        sources.is_text(table, zero_based=True)


def test_a_name_that_is_nearly_one_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "points.csv").touch()
    assert sources.find("iris").name == "iris"
    with pytest.raises(ValueError, match=r"pointz.csv: no such file. Did you mean points.csv\?"):
        sources.find("pointz.csv")
    (tmp_path / "iris").write_text("a,y\n1,p\n")
    assert sources.find("iris").path.samefile(tmp_path / "iris")  # a file goes first
