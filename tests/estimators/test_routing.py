"""scikit-learn's newer conventions: routed weights, tags, named outputs, other array libraries."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

from novikoff import AveragedPerceptron, Perceptron
from novikoff.streams import TableEncoder

RANDOM = np.random.RandomState(0)
X = RANDOM.standard_normal((60, 3))
Y = (X @ [1.0, -2.0, 0.5] + 0.3 * RANDOM.standard_normal(60) > 0).astype(int)
WEIGHTS = RANDOM.randint(0, 3, 60).astype(float)


def test_weights_are_routed_through_pipelines_and_searches():
    with sklearn.config_context(enable_metadata_routing=True):
        clf = AveragedPerceptron(max_iter=3)
        clf = clf.set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        pipe = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), clf)
        routed = pipe.fit(X, Y, sample_weight=WEIGHTS)
        search = GridSearchCV(pipe, {"averagedperceptron__eta0": [1.0]}, cv=3)
        search.fit(X, Y, sample_weight=WEIGHTS)
        cross_validate(pipe, X, Y, params={"sample_weight": WEIGHTS}, cv=3, error_score="raise")
    scaled = StandardScaler().fit_transform(X)
    direct = AveragedPerceptron(max_iter=3).fit(scaled, Y, sample_weight=WEIGHTS)
    assert np.array_equal(routed[-1].coef_, direct.coef_)
    assert np.array_equal(search.best_estimator_[-1].coef_, direct.coef_)


def test_tags_say_what_is_taken():
    tags = get_tags(Perceptron())
    assert tags.estimator_type == "classifier"
    assert tags.input_tags.sparse
    assert tags.classifier_tags.multi_class
    assert not tags.input_tags.allow_nan
    assert tags.target_tags.required
    assert get_tags(TableEncoder()).input_tags.allow_nan


def test_the_encoder_names_its_output():
    frame = pd.DataFrame({"size": [1.0, 2.0, 4.0], "colour": ["red", "green", "red"]})
    encoder = TableEncoder().set_output(transform="pandas").fit(frame)
    named = encoder.transform(frame)
    assert named.columns.tolist() == encoder.get_feature_names_out().tolist()
    assert np.array_equal(named.to_numpy(), TableEncoder().fit(frame).transform(frame))


class Foreign:
    """An array of another library, on this machine: numpy can read it."""

    def __init__(self, values):
        self.values = values
        self.shape = values.shape

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=dtype)

    def __len__(self):
        return len(self.values)


class OnAnotherDevice(Foreign):
    def __array__(self, dtype=None, copy=None):
        raise TypeError("copy it to the host first")


def test_arrays_of_other_libraries_are_taken_where_numpy_can_read_them():
    clf = AveragedPerceptron(max_iter=5, order="cyclic")
    taken = clf.fit(Foreign(X), Foreign(Y)).coef_
    assert np.array_equal(taken, clf.fit(X, Y).coef_)
    with pytest.raises(TypeError, match="copy it to the host"):
        clf.fit(OnAnotherDevice(X), Y)
