"""Whole tables: real files against pandas and scikit-learn, chunks, hold-out, blocks."""

from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.compose import make_column_transformer
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from novikoff import AveragedPerceptron
from novikoff.streams.bytes import StreamError
from novikoff.streams.tables.frames import held_out
from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.table import open_table
from tests.examples import examples
from tests.real_data import shared
from tests.streams.tables.helpers import written
from tests.streams.tables.tables import csv_of, dense, said, table_of


@pytest.mark.parametrize("name", ["iris", "sonar", "banknote_authentication"])
def test_numeric_tables_against_scikit_learn(name):
    path = shared(f"small/{name}.csv")
    table = open_table(path, holdout=0.2, seed=1)
    data = pd.read_csv(path, header=None)
    X, y = data.iloc[:, :-1].to_numpy(np.float64), data.iloc[:, -1].to_numpy()
    test = held_out(np.arange(len(X)), 0.2, 1)
    scaler = StandardScaler().fit(X[~test])
    for part, chosen in (("train", ~test), ("test", test), ("all", test | ~test)):
        block = table.matrix(part)
        assert block.rows.tolist() == np.flatnonzero(chosen).tolist()
        assert block.y.tolist() == y[chosen].tolist()
        np.testing.assert_allclose(block.X, scaler.transform(X[chosen]), rtol=1e-9, atol=1e-12)
        counts = [int((y[chosen] == label).sum()) for label in table.classes]
        assert table.class_counts[part].tolist() == counts
    for k, column in enumerate(table.encoder.columns_):
        exact = [Fraction(x) for x in X[~test, k]]
        mean = sum(exact) / len(exact)
        assert column["fills"] == [float(mean)]
        variance = sum((x - mean) ** 2 for x in exact) / len(exact)
        scale = Fraction(column["scales"][0])
        ulp = Fraction(float(np.spacing(column["scales"][0])))
        assert (scale - ulp / 2) ** 2 <= variance <= (scale + ulp / 2) ** 2


def test_titanic_against_scikit_learn():
    path = shared("small/titanic.csv")
    table = open_table(path, TableOptions(target="survived"))
    data = pd.read_csv(path, keep_default_na=True)
    numbers = ["pclass", "age", "sibsp", "parch", "fare"]
    words = ["sex", "embarked", "class", "who", "deck", "embark_town"]
    oracle = make_column_transformer(
        (StandardScaler(), numbers),
        (OneHotEncoder(sparse_output=False), words),
        verbose_feature_names_out=False,
    )
    expected = oracle.fit_transform(
        data.assign(
            age=data["age"].fillna(data["age"].mean()),
            **{name: data[name].astype(object).fillna("(missing)") for name in words},
        )
    )
    X = dense(table.matrix().X)
    found = dict(zip(table.feature_names, X.T, strict=True))
    for k, name in enumerate(oracle.get_feature_names_out()):
        column, _, category = name.partition("_")
        if name.startswith("embark_town_"):
            column, category = "embark_town", name.removeprefix("embark_town_")
        if name == "age":  # the oracle's deviation counts the filled-in cells
            age = data["age"].to_numpy()
            oracle_age = (age - np.nanmean(age)) / np.nanstd(age)
            np.testing.assert_allclose(found["age"], np.nan_to_num(oracle_age), atol=1e-12)
        else:
            ours = found[f"{column}={category}" if category else name]
            np.testing.assert_allclose(ours, expected[:, k], rtol=1e-9, atol=1e-12)
    assert found["age is missing"].tolist() == data["age"].isna().astype(float).tolist()
    for name in ("adult_male", "alone"):
        assert found[name].tolist() == data[name].astype(float).tolist()
    assert found["alive"].tolist() == (data["alive"] == "yes").astype(float).tolist()
    assert len(found) == expected.shape[1] + 1 + 3


def test_titanic_s_decisions_are_all_said():
    table = open_table(shared("small/titanic.csv"), TableOptions(target="survived"), holdout=0.2)
    lines = said(table).splitlines()
    for line in (
        "survived is the target",
        "numeric: pclass, age, sibsp, parch and fare",
        "true/false as 1/0: adult_male and alone",
        "yes/no as 1/0: alive",
        "categories: sex (2), embarked (3), class (3), who (3), deck (7) and embark_town (3)",
        'alive determines survived: a copy? drop=["alive"]',
    ):
        assert line in lines
    assert [d.topic for d in table.decisions if d.column == "age"] == ["missing"]


MESSY = csv_of(
    id=range(1, 61),
    x=[None if k % 7 == 0 else k * k % 11 / 3 for k in range(60)],
    c=[None if k % 13 == 0 else "abc"[k * k % 3] for k in range(60)],
    d=[f"2024-{k % 12 + 1:02}-{k % 28 + 1:02}" for k in range(60)],
    t=[" ".join("uvwxyz"[(k * j) % 6] for j in range(1, 6)) for k in range(60)],
    f=["yes" if k % 5 else "no" for k in range(60)],
    y=[None if k % 17 == 3 else k % 3 for k in range(60)],
)


@pytest.mark.parametrize("options", [{}, {"hash_bits": 4}, {"missing": "drop"}, {"scale": False}])
def test_chunks_do_not_matter_to_the_last_bit(tmp_path, options):
    whole = table_of(tmp_path, MESSY, holdout=0.2, **options)
    for n_rows in (1, 7, 59):
        table = table_of(tmp_path, MESSY, holdout=0.2, n_rows=n_rows, **options)
        assert table.encoder.to_json() == whole.encoder.to_json()
        assert table.decisions == whole.decisions
        assert table.fingerprint() == whole.fingerprint()
        for part in ("train", "test", "all"):
            a, b = table.matrix(part), whole.matrix(part)
            assert dense(a.X).tobytes() == dense(b.X).tobytes()
            assert a.y.tolist() == b.y.tolist()
            assert a.rows.tolist() == b.rows.tolist()


def test_blocks_are_the_same_each_time_and_make_up_the_matrix(tmp_path):
    table = table_of(tmp_path, MESSY, n_rows=16)
    blocks = list(table.blocks("all"))
    assert len(blocks) == 4
    for first, second in zip(blocks, table.blocks("all"), strict=True):
        assert dense(first.X).tobytes() == dense(second.X).tobytes()
        assert first.rows.tolist() == second.rows.tolist()
    assert dense(table.matrix("all").X).tolist() == np.vstack([dense(b.X) for b in blocks]).tolist()
    with pytest.raises(ValueError, match='part must be "train", "test" or "all"'):
        list(table.blocks("validation"))


@examples(25)
@given(st.data())
def test_dense_and_sparse_are_the_same_matrix(data):
    n = data.draw(st.integers(4, 12))
    cells = st.sampled_from(["a", "b", "a b c d", "c d e f", None])
    frame = pl.DataFrame(
        {
            "s": pl.Series(data.draw(st.lists(cells, min_size=n, max_size=n)), dtype=pl.String),
            "x": data.draw(
                st.lists(st.sampled_from([0.0, 1.5, -2.0, None]), min_size=n, max_size=n)
            ),
            "z": [float(k % 3) for k in range(n)],
            "y": [k % 2 for k in range(n)],
        },
        schema_overrides={"x": pl.Float64},
    )
    table = open_table(frame, TableOptions(scale=data.draw(st.booleans()), target="y"))
    encoder = table.encoder
    encoder.sparse_ = False
    expected = encoder.transform(frame)
    encoder.sparse_ = True
    found = encoder.transform(frame)
    assert isinstance(found, sp.csr_array)
    assert found.has_canonical_format
    assert found.indices.dtype == np.int32
    assert found.data.all()
    assert found.toarray().tolist() == expected.tolist()


def test_statistics_come_from_training_rows_only(tmp_path):
    test = held_out(np.arange(50), 0.2, 0)
    x = np.where(test, 1000.0, np.arange(50) % 7)
    text = csv_of(
        x=x.tolist(),
        c=["only in test" if t else "ab"[k % 2] for k, t in enumerate(test)],
        y=[0, 1] * 25,
    )
    table = table_of(tmp_path, text, holdout=0.2)
    assert table.encoder.columns_[0]["fills"] == [float(np.mean(x[~test]))]
    assert table.feature_names == ["x", "c=a", "c=b"]
    assert not dense(table.matrix("test").X)[:, 1:].any()
    assert table.class_counts["test"].sum() == test.sum()
    assert f"{test.sum()} of 50 rows are held out" in said(table, "holdout")


def test_few_rows_are_all_needed(tmp_path):
    for n, held in ((19, False), (20, True)):
        table = table_of(
            tmp_path, csv_of(x=[k % 5 for k in range(n)], y=[k % 2 for k in range(n)]), holdout=0.2
        )
        assert (table.class_counts["test"].sum() > 0) == held
        assert ("no rows are held out: there are only 19" in said(table, "holdout")) != held
    assert table_of(tmp_path, MESSY).matrix("test").X.shape[0] == 0
    assert not said(table_of(tmp_path, MESSY), "holdout")


def test_a_dataframe_a_parquet_file_and_csv_are_one_table(tmp_path):
    csv = written(tmp_path, MESSY)
    frame = pl.read_csv(csv, try_parse_dates=True)
    frame.write_parquet(tmp_path / "data.parquet")
    expected = dense(open_table(csv).matrix().X)
    pandas = pd.read_csv(csv)
    for source in (frame, tmp_path / "data.parquet", pandas):
        table = open_table(source)
        assert dense(table.matrix().X).tobytes() == expected.tobytes()
    assert open_table(frame).kind == "frame"


def test_tables_larger_than_memory_are_stored_on_disk(tmp_path, monkeypatch):
    from novikoff.streams.tables import frames

    whole = table_of(tmp_path, MESSY, n_rows=8)
    monkeypatch.setattr(frames, "IN_MEMORY", 0)
    stored = table_of(tmp_path, MESSY, n_rows=8)
    assert stored._selection._frames._folder is not None
    assert dense(stored.matrix().X).tobytes() == dense(whole.matrix().X).tobytes()


def test_fingerprints_tell_content_encoding_and_split_apart(tmp_path):
    same = {table_of(tmp_path, MESSY).fingerprint() for _ in range(2)}
    assert len(same) == 1
    others = [
        table_of(tmp_path, MESSY, scale=False),
        table_of(tmp_path, MESSY, holdout=0.2),
        table_of(tmp_path, MESSY, holdout=0.2, seed=1),
        table_of(tmp_path, MESSY.replace("yes", "no", 1)),
    ]
    assert len({t.fingerprint() for t in others} | same) == 5


def test_a_pipeline_predicts_from_a_frame_with_the_columns_in_any_order(tmp_path):
    table = table_of(tmp_path, MESSY, holdout=0.2)
    block = table.matrix("all")
    train = table.matrix("train")
    model = table.pipeline(AveragedPerceptron(order="cyclic").fit(train.X, train.y))
    frame = pd.read_csv(tmp_path / "data.csv").iloc[block.rows][["y", "t", "f", "d", "c", "x"]]
    assert model.predict(frame).tolist() == model[-1].predict(block.X).tolist()


def test_progress_is_reported(tmp_path):
    seen = []
    open_table(written(tmp_path, MESSY), progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (60, None)


@pytest.mark.parametrize(
    ("options", "holdout", "message"),
    [
        ({"missing": "ignore"}, 0.0, "missing must be"),
        ({"hash_bits": 0}, 0.0, "hash_bits must be between 1 and 30"),
        ({}, 1.0, "holdout must be"),
        ({"drop": ("x",), "keep": ("x",)}, 0.0, "which"),
        ({"drop": ("id", "x", "c", "d", "t", "f")}, 0.0, "no column is left"),
    ],
)
def test_wishes_that_make_no_sense(tmp_path, options, holdout, message):
    with pytest.raises(ValueError, match=message):
        table_of(tmp_path, MESSY, holdout=holdout, **options)


def test_a_table_without_rows():
    with pytest.raises(StreamError, match="no rows"):
        open_table(pl.DataFrame({"x": [], "y": []}))


def test_features_never_share_a_name(tmp_path):
    path = tmp_path / "t.csv"
    rows = "".join(
        f"{'rs'[i % 2]},{i % 5},{'' if i % 4 else i},{i % 3},{i % 2}\n" for i in range(40)
    )
    path.write_text(f"k,k=r,m,m is missing,y\n{rows}")
    names = open_table(path, TableOptions(target="y")).feature_names
    assert len(set(names)) == len(names)
    assert {"k=r", "k=r (2)", "m is missing", "m is missing (2)"} <= set(names)


def test_a_column_that_only_counts_the_rows_may_begin_anywhere(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,x,y\n" + "".join(f"{501 + i},{i % 7},{i % 2}\n" for i in range(30)))
    assert open_table(path).left_out == ["id"]
    path.write_text("id,x,y\n" + "".join(f"{501 + i},{i % 3},{i % 2}\n" for i in range(5)))
    assert open_table(path).left_out == []  # five rows are too few to tell


def test_flags_may_be_spelled_otherwise_when_predicting(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(
        "f,x,y\n" + "".join(f"{['yes', 'no'][i % 2]},{i % 7},{i % 3}\n" for i in range(30))
    )
    encoder = open_table(path, TableOptions(scale=False)).encoder
    frame = pl.DataFrame({"f": ["True", "no", "1", "0"], "x": [1, 2, 3, 4]})
    assert encoder.transform(frame)[:, 0].tolist() == [1.0, 0.0, 1.0, 0.0]


def test_a_cell_that_is_no_date_is_named(tmp_path):
    path = tmp_path / "t.csv"
    days = [f"2024-01-{1 + i % 28:02}" for i in range(2000)]
    days[1500] = "soon"
    path.write_text("d,x,y\n" + "".join(f"{day},{i % 7},{i % 2}\n" for i, day in enumerate(days)))
    told = [d.text for d in open_table(path).decisions if d.column == "d"]
    assert any("'soon' (row 1501)" in text for text in told)


def test_a_file_of_one_column_asks_for_the_delimiter(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("".join(f"{i}:{i * i}:{i % 2}\n" for i in range(9)))
    with pytest.raises(StreamError, match="delimiter=…"):
        open_table(path, TableOptions(target=1))
