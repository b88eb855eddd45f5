"""The encoder as a scikit-learn transformer."""

import copy
import datetime as dt
import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils._testing import assert_allclose, assert_array_equal

from novikoff import Perceptron
from novikoff.streams.tables.encoder import TableEncoder
from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.rows import open_rows
from novikoff.streams.tables.table import open_table

TRAIN = pl.DataFrame(
    {
        "age": [20.0, None, 40.0, 60.0, 40.0, 20.0],
        "sex": ["m", "f", "f", "m", "f", "f"],
        "port": ["S", "C", None, "S", "C", "S"],
        "alone": [True, False, True, True, False, False],
        "when": [dt.date(2024, 1, k) for k in (1, 2, 3, 1, 2, 9)],
    }
)


def encoder(**options):
    return TableEncoder(**options).fit(TRAIN)


def test_features_and_their_names():
    fitted = encoder()
    assert fitted.get_feature_names_out().tolist() == [
        *("age", "age is missing", "sex=f", "sex=m", "port=C", "port=S", "port=(missing)"),
        *("alone", "when (days)", "when (weekday)"),
    ]
    assert fitted.transform(TRAIN).shape == (6, 10)
    assert fitted.n_features_in_ == 5
    assert fitted.feature_names_in_.tolist() == TRAIN.columns
    assert fitted.target_ is None


def test_strings_and_typed_cells_pandas_and_polars_are_the_same():
    fitted = encoder()
    expected = fitted.transform(TRAIN).tobytes()
    text = TRAIN.select(pl.all().cast(pl.String))
    pandas = pd.DataFrame({name: TRAIN[name].to_list() for name in TRAIN.columns})
    typed = pandas.assign(sex=pandas["sex"].astype("category"), when=pd.to_datetime(pandas["when"]))
    zoned = typed.assign(
        when=typed["when"].dt.tz_localize("UTC"), alone=typed["alone"].astype("boolean")
    )
    empty = text.with_columns(pl.col("age", "port").fill_null(""))
    for frame in (text, pandas, typed, zoned, empty, pandas.astype(object)):
        assert fitted.transform(frame).tobytes() == expected


def test_columns_are_matched_by_name():
    fitted = encoder()
    expected = fitted.transform(TRAIN)
    shuffled = TRAIN.select(["when", "sex", "alone", "age", "port"]).with_columns(more=pl.lit([1]))
    assert_array_equal(fitted.transform(shuffled), expected)
    with pytest.raises(ValueError, match="lacks sex and when, which the model was trained with"):
        fitted.transform(TRAIN.drop("sex", "when"))
    with pytest.raises(TypeError, match="matched by name"):
        fitted.transform(expected)
    with pytest.raises(ValueError, match="two columns are named age"):
        fitted.transform(pd.DataFrame([[1, 2]], columns=["age", "age"]))


def test_unseen_categories_count_as_none_and_are_reported():
    fitted = encoder()
    new = TRAIN.head(3).with_columns(
        sex=pl.Series(["x", None, "f"]), port=pl.Series(["S", "Q", None])
    )
    names = fitted.get_feature_names_out().tolist()
    X = fitted.transform(new)
    assert X[:, names.index("sex=f")].tolist() == [0, 0, 1]
    assert X[:, names.index("sex=m")].tolist() == [0, 0, 0]
    assert X[:, names.index("port=S")].tolist() == [1, 0, 0]
    assert X[:, names.index("port=(missing)")].tolist() == [0, 0, 1]
    assert fitted.unseen(new) == {"sex": 2, "port": 1}
    assert fitted.unseen(TRAIN) == {}


def test_rare_categories_are_other_and_unseen_ones_are_not():
    cells = [f"k{k}" for k in range(1005)] + [f"k{k}" for k in range(1000)]
    frame = pl.DataFrame({"c": cells})
    fitted = TableEncoder().fit(frame)
    X = fitted.transform(pl.DataFrame({"c": ["k1004", "k2000", "k0", None]}))
    assert X.toarray()[:, -1].tolist() == [1, 0, 0, 0]
    assert X.sum() == 2
    assert fitted.unseen(pl.DataFrame({"c": ["k1004", "k2000", "k0", None]})) == {"c": 2}


def test_a_cell_that_is_no_number_is_named():
    text = TRAIN.select(pl.all().cast(pl.String)).with_columns(age=pl.lit("x"))
    with pytest.raises(ValueError, match="age held numbers in training, but 'x' stands in row 0"):
        encoder().transform(text)
    for name, cell in {"alone": "perhaps", "when": "yesterday"}.items():
        with pytest.raises(ValueError, match=rf"{name} held .* but '{cell}' stands in row 0"):
            encoder().transform(TRAIN.with_columns(pl.lit(cell).alias(name)))
    with pytest.raises(ValueError, match="'inf' stands in row 0"):
        encoder().transform(TRAIN.with_columns(age=pl.lit(float("inf"))))


def test_missing_cells_later():
    complete = TableEncoder(missing="error").fit(TRAIN.drop("age", "port"))
    with pytest.raises(ValueError, match="the cell of sex in row 1 is missing"):
        complete.transform(TRAIN.with_columns(sex=pl.Series(["m", None, "f", "f", "f", "f"])))
    # A number that was never missing in training is its mean: a standardised 0.
    fitted = TableEncoder().fit(pl.DataFrame({"x": [1.0, 2.0, 6.0]}))
    assert fitted.transform(
        pl.DataFrame({"x": [None, 3.0]}, schema={"x": pl.Float64})
    ).tolist() == [[0], [0]]


def test_it_is_a_scikit_learn_estimator():
    model = make_pipeline(TableEncoder(drop=("when",)), Perceptron())
    y = [0, 1, 1, 0, 1, 1]
    assert clone(model).fit(TRAIN, y).score(TRAIN, y) == 1.0
    assert clone(TableEncoder(scale=False)).get_params()["scale"] is False
    with pytest.raises(NotFittedError):
        TableEncoder().transform(TRAIN)


def test_state_is_plain_data_and_survives_every_copy():
    fitted = encoder()
    expected = fitted.transform(TRAIN).tobytes()
    for other in (
        copy.deepcopy(fitted),
        pickle.loads(pickle.dumps(fitted)),
        TableEncoder.from_json(fitted.to_json()),
    ):
        assert other.transform(TRAIN).tobytes() == expected
        assert other.to_json() == fitted.to_json()
    plain = {"columns_", "n_columns_", "sparse_", "target_", *fitted.get_params()}
    assert set(vars(fitted)) == plain
    assert json.loads(json.dumps(fitted.columns_)) == fitted.columns_


def test_transform_changes_nothing():
    fitted = encoder()
    before, frame = fitted.to_json(), TRAIN.clone()
    fitted.transform(frame)
    assert fitted.to_json() == before
    assert frame.equals(TRAIN)
    numbers = pd.DataFrame({"x": [1.0, 2.0, 4.0], "z": [1.0, 0.0, 0.0]})
    kept = numbers.copy()
    TableEncoder().fit(numbers).transform(numbers)
    pd.testing.assert_frame_equal(numbers, kept)
    own = pl.DataFrame({"x": [1.0, 2.0, 4.0]})
    TableEncoder().fit(own).transform(own)
    assert own["x"].to_list() == [1.0, 2.0, 4.0]


def test_no_rows():
    X = encoder().transform(TRAIN.head(0))
    assert X.shape == (0, 10)
    assert X.dtype == np.float64


def test_what_means_missing_is_part_of_the_encoder(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,y\n1,2,p\n-999,3,q\n3,1,p\n4,-999,q\n")
    table = open_table(path, TableOptions(na=("-999",)))
    assert table.feature_names == ["a", "a is missing", "b", "b is missing"]
    again = TableEncoder.from_json(table.encoder.to_json())
    rows = open_rows(path, again).matrix()  # nobody says -999 again
    np.testing.assert_array_equal(rows.X, table.matrix("all").X)


@pytest.mark.parametrize("missing", [False, True])
def test_the_largest_doubles_are_standardised_without_overflow(missing):
    huge = [1.7e308, 1.7e308, 1.7e308, -1.7e308] + [None] * missing
    frame = pl.DataFrame({"x": huge})
    found = TableEncoder(keep=("x",)).fit(frame).transform(frame)[:4, 0]
    modest = np.array([1.0, 1.0, 1.0, -1.0])
    assert_allclose(found, (modest - modest.mean()) / modest.std(), rtol=1e-15)
