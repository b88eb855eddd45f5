"""Everything that can be shards, what is refused, and predictions for Dask collections."""

from __future__ import annotations

import os

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.datasets import dump_svmlight_file
from sklearn.linear_model import SGDClassifier

import novikoff
from novikoff import AveragedPerceptron, OnlineClassifier, Perceptron, rules
from novikoff.distributed import ParameterMixing, ShardError
from novikoff.streams import TableOptions, open_table
from tests.distributed.conftest import MEMORY
from tests.distributed.data import integer_shards, stacked
from tests.distributed.test_mixing import assert_same

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def shards():
    return integer_shards([20, 15, 25], 4, seed=31, n_classes=3)


@pytest.fixture(scope="module")
def expected(client, shards):
    return mixing(client).fit(shards)


def mixing(client, **settings):
    return ParameterMixing(AveragedPerceptron(), rounds=3, client=client, **settings)


def test_arrays(client, shards, expected):
    X, y = stacked(shards)
    rows = (20, 15, 25)
    columns = da.from_array(X, chunks=(rows, 3))
    assert_same(mixing(client).fit(columns, da.from_array(y, chunks=60)), expected)
    assert_same(mixing(client).fit(columns, y), expected)
    weighted = mixing(client).fit(columns, y, sample_weight=da.ones(60, chunks=60))
    assert_same(weighted, expected)
    # A selection: nobody knows how long the chunks are, and one has no rows.
    wide = da.from_array(np.vstack([X, X[:9]]), chunks=((*rows, 9), -1))
    kept = np.arange(69) < 60
    mask = da.from_array(kept, chunks=((*rows, 9),))
    labels = da.from_array(np.append(y, y[:9]), chunks=((*rows, 9),))
    found = mixing(client).fit(wide[mask], labels[mask])
    np.testing.assert_array_equal(found.coef_, expected.coef_)
    assert found.shard_rows_.tolist() == [20, 15, 25, 0]


def test_dataframes_and_delayed_pairs(client, shards, expected):
    parts = [dask.delayed(pd.DataFrame)(X, columns=list("abcd")) for X, _ in shards]
    X = dd.from_delayed(parts, meta=pd.DataFrame(np.zeros((0, 4)), columns=list("abcd")))
    series = [dask.delayed(pd.Series)(y) for _, y in shards]
    y = dd.from_delayed(series, meta=pd.Series(np.zeros(0, int)))
    found = mixing(client).fit(X, y)
    assert_same(found, expected)
    assert found.feature_names_in_.tolist() == list("abcd")
    assert_same(mixing(client).fit([dask.delayed(tuple)(pair) for pair in shards]), expected)
    assert_same(mixing(client).fit([tuple(map(dask.delayed, pair)) for pair in shards]), expected)

    rows, labels = stacked(shards)
    named = pd.DataFrame(rows, columns=list("abcd"))
    assert isinstance(found.predict(X), dd.Series)
    np.testing.assert_array_equal(found.predict(X).compute(), found.predict(named))
    np.testing.assert_array_equal(
        found.decision_function(X).compute(), found.decision_function(named)
    )
    assert found.score(X, y) == found.score(named, labels)
    chunks = da.from_array(rows, chunks=(17, 2))
    assert isinstance(expected.predict(chunks), da.Array)
    np.testing.assert_array_equal(expected.predict(chunks).compute(), expected.predict(rows))
    np.testing.assert_array_equal(
        expected.decision_function(chunks).compute(), expected.decision_function(rows)
    )
    assert expected.score(chunks, da.from_array(labels, chunks=17)) == expected.score(rows, labels)


def test_partitions_of_parquet_are_shards(client, shards, expected, tmp_path):
    """Dask would read X, of four columns, in other portions than y, of one."""
    for i, (X, y) in enumerate(shards):
        frame = pl.DataFrame(X, schema=list("abcd")).with_columns(label=pl.Series(y))
        frame.write_parquet(tmp_path / f"{i}.parquet")
    table = dd.read_parquet(str(tmp_path))
    X, y = table[list("abcd")], table["label"]
    found = mixing(client).fit(X, y)
    assert_same(found, expected)
    rows, labels = stacked(shards)
    assert found.score(X, y) == expected.score(rows, labels)
    weights = rows[:, 0] + 5
    weighted = expected.score(rows, labels, weights)
    assert found.score(X, y, sample_weight=table["a"] + 5) == pytest.approx(weighted, rel=1e-14)
    # Truth values come in a type of pandas here, and as numbers to scikit-learn.
    is_one = (y == 1).astype("bool[pyarrow]")
    two = mixing(client).fit(X, is_one)
    assert two.score(X, is_one) == two.estimator_.score(X.compute(), labels == 1) > 0.5


@pytest.fixture(scope="module")
def folders(tmp_path_factory, shards):
    """The shards as Parquet and as LIBSVM text."""
    base = tmp_path_factory.mktemp("shards")
    for kind in ("parquet", "text"):
        (base / kind).mkdir()
    for i, (X, y) in enumerate(shards):
        frame = pl.DataFrame(X, schema=list("abcd")).with_columns(label=pl.Series(y))
        frame.write_parquet(base / "parquet" / f"{i}.parquet")
        # Trailing zeros are not written: the files have different widths.
        X = X * (np.arange(4) < 2 + i)
        dump_svmlight_file(X, y, str(base / "text" / f"{i}.txt"), zero_based=False)
    (base / "text" / "3.txt").touch()
    return base


def test_files(client, shards, expected, folders):
    found = mixing(client).fit(folders / "parquet", target="label")
    assert_same(found, expected)
    assert found.feature_names_in_.tolist() == list("abcd")
    files = sorted((folders / "parquet").iterdir())
    assert_same(mixing(client).fit(files, target=-1), expected)
    narrow = [(X * (np.arange(4) < 2 + i), y.astype(float)) for i, (X, y) in enumerate(shards)]
    in_memory = mixing(client).fit(narrow)
    text = mixing(client).fit(str(folders / "text"))
    np.testing.assert_array_equal(text.coef_, in_memory.coef_)
    assert text.shard_rows_.tolist() == [20, 15, 25, 0]


def test_the_index_of_a_dataframe_is_no_feature(client, shards, expected, tmp_path):
    for i, (X, y) in enumerate(shards):
        frame = pd.DataFrame(X, columns=list("abcd")).assign(label=y)
        index = pd.Index(np.arange(len(y)) * 1000 % 7, name=("__null_dask_index__", "id", None)[i])
        frame.set_index(index).to_parquet(tmp_path / f"{i}.parquet")
    found = mixing(client).fit(tmp_path, target=-1)
    assert_same(found, expected)
    assert found.feature_names_in_.tolist() == list("abcd")


def test_shards_without_rows_need_no_shape(client, shards, expected):
    nothing = [([], []), (np.zeros((0, 0)), []), (pd.DataFrame(), []), (sp.csr_array((0, 4)), [])]
    found = mixing(client).fit([*nothing, *shards])
    assert found.shard_rows_.tolist() == [0, 0, 0, 0, 20, 15, 25]
    assert found.mistakes_[:, :4].max() == 0
    assert (found.n_features_in_, hasattr(found, "feature_names_in_")) == (4, False)
    # Nothing but their number, by which the orders are drawn, tells them from the others.
    found = mixing(client).fit([*shards, *nothing])
    np.testing.assert_array_equal(found.coef_, expected.coef_)


def test_labels_stay_what_they_are(client, shards):
    """As in one process: scikit-learn alone would make floats of pandas' nullable types."""
    for dtype, plain in (("Int64", np.int64), ("boolean", np.bool_), ("category", np.int64)):
        typed = [(X, pd.Series(y > 0 if dtype == "boolean" else y, dtype=dtype)) for X, y in shards]
        found = mixing(client).fit(typed)
        alone = AveragedPerceptron().fit(*typed[0])
        assert found.classes_.dtype == alone.classes_.dtype == plain
        y = dd.from_pandas(typed[0][1], npartitions=1)
        X = da.from_array(typed[0][0], chunks=(20, 4))
        assert found.score(X, y) == found.estimator_.score(typed[0][0], np.asarray(y.compute()))


def test_what_cannot_be_predicted_or_measured_is_said(client, shards, expected):
    X, y = (da.from_array(array, chunks=20) for array in stacked(shards))
    with pytest.raises(ValueError, match="X must have two dimensions; it has 1"):
        expected.predict(X[:, 0])
    with pytest.raises(ValueError, match="Labels must be of one type"):
        expected.score(X, y.astype(str))
    with pytest.raises(ValueError, match="there is no accuracy"):
        expected.score(X[:0], y[:0])


def test_tables_with_an_encoder(client, tmp_path, shards):
    """What the columns mean is settled once; the workers encode their own files."""
    frames = []
    for i, (X, y) in enumerate(shards):
        columns = {"n": X[:, 0], "colour": np.where(X[:, 1] > 0, "red", "blue")}
        frames.append(pl.DataFrame({**columns, "y": np.array(["lo", "mid", "hi"])[y]}))
        frames[-1].write_csv(tmp_path / f"{i}.csv")
    table = open_table(pl.concat(frames), TableOptions(target="y"))
    found = mixing(client).fit(tmp_path, encoder=table.encoder, classes=table.classes)
    encoded = [(table.encoder.transform(f.drop("y")), f["y"].to_numpy()) for f in frames]
    assert_same(found, mixing(client).fit(encoded))
    model = table.pipeline(found.estimator_)
    novikoff.save(model, tmp_path / "model")
    assert model.predict(frames[0]).tolist() == found.predict(encoded[0][0]).tolist()
    with pytest.raises(ValueError, match=r"0\.csv is a CSV file: what its cells mean"):
        mixing(client).fit(tmp_path / "0.csv", target="y")


def bad(shards, i, X=None, y=None):
    changed = list(shards)
    changed[i] = (shards[i][0] if X is None else X, shards[i][1] if y is None else y)
    return changed


def test_errors_name_the_shard(client, shards, tmp_path):
    X, y = shards[1]
    hole, infinite = X.copy(), sp.csr_array(X)
    hole[7, 2] = np.nan
    infinite.data[0] = np.inf
    text = pd.DataFrame(X, columns=list("abcd")).assign(b="x")
    cases = [
        (bad(shards, 1, hole), "Shard 1: Input X contains NaN at row 7, column 2."),
        (bad(shards, 1, infinite), "Shard 1: Input X contains infinity at row 0"),
        (bad(shards, 1, X[:, :3]), "Shard 1: it has 3 features, shard 0 has 4."),
        (bad(shards, 2, y=y), "Shard 2: X and y must have as many rows: X has 25, y has 15"),
        (bad(shards, 1, y=y + 0.5), "Shard 1: Unknown label type"),
        (bad(shards, 1, y=y.astype(str)), "Shard 1: Labels must be of one type"),
        ([*shards, X], "Shard 3: expected a pair"),
        (bad(shards, 1, text), "Shard 1: X must hold numbers; it holds 'x' at row 0, column 1"),
    ]
    for given, message in cases:
        with pytest.raises(ShardError) as error:
            mixing(client).fit(given)
        assert str(error.value).startswith(message)
    pl.DataFrame({"a": [1.0, None], "label": [0, 1]}).write_parquet(tmp_path / "0.parquet")
    pl.DataFrame({"a": ["x"], "label": [0]}).write_parquet(tmp_path / "1.parquet")
    for name, message in (("0", "contains NaN at row 1"), ("1", "column 'a' is String")):
        with pytest.raises(ShardError, match=message) as error:
            mixing(client).fit([tmp_path / f"{name}.parquet"], target="label")
        assert error.value.shard == 0
        assert error.value.source == str(tmp_path / f"{name}.parquet")
    with pytest.raises(ZeroDivisionError) as failed:
        mixing(client).fit([*shards, dask.delayed(divmod)(1, 0)])
    assert failed.value.__notes__ == ["Raised while shard 3 was read."]
    huge = [(X * 4e307, y) for X, y in shards]
    with pytest.raises(ShardError, match="theta overflowed float64 when it was updated with row"):
        mixing(client).fit(huge)


def test_sums_that_overflow_are_refused(client):
    """Every theta of a shard is a double here; what they sum up to, over shards or time, is not."""
    one = (np.array([[1e308], [-1e308]]), np.array([1, 0]))
    options = {"order": "cyclic", "fit_intercept": False}
    with pytest.raises(ValueError, match="The sum of theta over the shards overflowed float64"):
        ParameterMixing(Perceptron(**options), client=client).fit([one, one])
    with pytest.raises(ValueError, match="for their mean, overflowed float64"):
        ParameterMixing(AveragedPerceptron(**options), client=client).fit([one])


pa = rules.PassiveAggressive()
REFUSED = [
    (novikoff.VotedPerceptron(), ValueError, "on a cluster: a vote has no theta to mix"),
    (novikoff.PocketPerceptron(), ValueError, "on a cluster: the pocket .* on all rows"),
    (OnlineClassifier(pa, keep="vote"), ValueError, "on a cluster: a vote has no theta to mix"),
    (OnlineClassifier(pa, keep="pocket"), ValueError, "on a cluster: the pocket .* on all rows"),
    (novikoff.KernelPerceptron(), TypeError, r"not KernelPerceptron\. It needs all rows in memory"),
    (SGDClassifier(), TypeError, r"not SGDClassifier\.$"),
    (Perceptron(early_stopping=True), ValueError, "early_stopping=True is not possible on a clus"),
    (Perceptron(record_trace=True), ValueError, "no sequence of updates"),
    (Perceptron(warm_start=True), ValueError, "every run starts at zero"),
    (Perceptron(ties="correct"), ValueError, "never learns from theta = 0"),
    (Perceptron(order="random", multi_class="ovo"), ValueError, "how often each pair"),
    (Perceptron(ties="sign", margin=1.0), ValueError, "knows no margin"),
    (Perceptron(class_weight={"dog": 2.0}), ValueError, "are not in class_weight"),
]


@pytest.mark.parametrize(("estimator", "kind", "message"), REFUSED, ids=lambda x: str(x)[:40])
def test_what_cannot_be_mixed_is_refused(client, shards, estimator, kind, message):
    with pytest.raises(kind, match=message):
        ParameterMixing(estimator, client=client).fit(shards)


def test_other_misuse_is_refused(client, shards, folders):
    X, y = stacked(shards)
    columns = da.from_array(X, chunks=(20, 4))
    with pytest.raises(TypeError, match=r"X is ndarray\. Rows in memory make shards with"):
        mixing(client).fit(X, y)
    with pytest.raises(TypeError, match="X is Delayed"):
        mixing(client).fit(dask.delayed(shards[0]))
    with pytest.raises(ValueError, match="y is missing"):
        mixing(client).fit(columns)
    with pytest.raises(ValueError, match="as many rows: 60 and 59"):
        mixing(client).fit(columns, da.from_array(y[1:], chunks=20))
    with pytest.raises(ValueError, match="There are no shards"):
        mixing(client).fit([])
    with pytest.raises(ValueError, match="at least two classes; all shards together hold only 0"):
        mixing(client).fit([(X, np.zeros(60, int)), (X[:0], y[:0])])
    with pytest.raises(ValueError, match="No shard has a row"):
        mixing(client).fit([(X[:0], y[:0])])
    with pytest.raises(ValueError, match="Which column holds the labels"):
        mixing(client).fit(folders / "parquet")
    with pytest.raises(ValueError, match="target can only be said of a table"):
        mixing(client).fit(folders / "text", target="y")
    with pytest.raises(ValueError, match="classes goes with an encoder"):
        mixing(client).fit(folders / "parquet", target="label", classes=y)
    with pytest.raises(TypeError, match="clases"):
        mixing(client).fit(folders / "parquet", target="label", clases=y)
    with pytest.raises(ValueError, match="must be of one kind"):
        mixing(client).fit(
            [folders / "parquet" / "0.parquet", folders / "text" / "0.txt"], target=1
        )
    with pytest.raises(ValueError, match=r"0\.parquet is a table, .*3\.txt is empty\."):
        mixing(client).fit(
            [folders / "parquet" / "0.parquet", folders / "text" / "3.txt"], target="label"
        )
    with pytest.raises(ValueError, match="rounds"):
        mixing(client).set_params(rounds=0).fit(shards)
    with pytest.raises(ValueError, match="mixing"):
        mixing(client, mixing="median").fit(shards)
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*nowhere"):
        mixing(client, checkpoint=folders / "nowhere" / "run").fit(shards)
    with pytest.raises(TypeError, match=r"must be a dask\.distributed\.Client, not str"):
        mixing("tcp://somewhere").fit(shards)


@pytest.mark.thorough
def test_a_folder_larger_than_the_memory_of_a_worker(client, tmp_path):
    """Every worker reads its own files; together they hold what none of them could."""
    random = np.random.RandomState(0)
    rows, d, n_files = 113_000, 32, 33
    X = random.standard_normal((rows, d))
    frame = pl.DataFrame(X, schema=[f"x{j}" for j in range(d)])
    frame = frame.with_columns(y=pl.Series(X[:, 0] > X[:, 1]))
    frame.write_parquet(tmp_path / "0.parquet", compression="uncompressed", statistics=False)
    for i in range(1, n_files):
        (tmp_path / f"{i}.parquet").hardlink_to(tmp_path / "0.parquet")
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) > MEMORY
    processes = client.run(os.getpid)
    inner = Perceptron(order="cyclic")
    found = ParameterMixing(inner, rounds=2, client=client).fit(tmp_path, target="y")
    assert found.shard_rows_.tolist() == [rows] * n_files
    assert client.run(os.getpid) == processes  # nobody died of it
    # Every shard learns the same from the same file.
    assert (found.mistakes_ == found.mistakes_[:, :1]).all()
