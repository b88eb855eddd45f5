"""Errors, precision and recall are scikit-learn's."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    confusion_matrix,
    precision_recall_fscore_support,
)

from novikoff import Perceptron
from novikoff.analysis.confusion import Confusion, confusion
from tests.examples import examples

PAIRS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=60)


@examples(30)
@given(PAIRS)
def test_every_figure_is_scikit_learns(pairs):
    """Also where a label is never true, or never predicted."""
    truth, said = np.array(pairs).T
    found = Confusion()
    found.add(truth, said)
    labels = sorted({*truth, *said})
    assert found.labels == [str(label) for label in labels]
    table = [[found.counts[str(a), str(b)] for b in range(5)] for a in range(5)]
    np.testing.assert_array_equal(table, confusion_matrix(truth, said, labels=range(5)))
    assert found.n == len(pairs)
    assert found.error == pytest.approx(1 - accuracy_score(truth, said), abs=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of labels that are never true
        balanced = balanced_accuracy_score(truth, said)
    assert found.balanced_error == pytest.approx(1 - balanced, abs=1e-12)
    figures = precision_recall_fscore_support(truth, said, labels=labels, zero_division=np.nan)
    for label, precision, recall, support in zip(labels, *figures[:2], figures[3], strict=True):
        name = str(label)
        assert found.precision(name) == pytest.approx(precision, nan_ok=True)
        assert found.recall(name) == pytest.approx(recall, nan_ok=True)
        assert found.support(name) == support
        assert found.error_of_always(name) == pytest.approx(np.mean(truth != label))


def test_nothing_counted_is_no_error_of_zero():
    none = Confusion()
    assert none.labels == []
    assert all(map(math.isnan, [none.error, none.balanced_error, none.error_of_always("1")]))


def test_numbers_come_before_words_and_by_their_size():
    found = Confusion()
    found.add(np.array(["10", "b", "9", "-1"]), np.array(["a", "10", "1e1", "9"]))
    assert found.labels == ["-1", "9", "10", "1e1", "a", "b"]


def test_labels_that_no_class_has_are_told():
    found = Confusion()
    found.add(np.array([0.0, 1.0, 2.0, 2.0]), np.array([0.0, 1.0, 1.0, 0.0]))
    assert found.unknown(np.array([0, 1])) == {"2": 2}
    assert found.unknown(np.array([0.0, 1.0, 2.0])) == {}


def test_blocks_are_predicted_one_after_the_other():
    X = np.array([[2.0, 1.0], [1.0, 3.0], [-1.0, -1.0], [-2.0, 1.0]])
    y = np.array(["yes", "yes", "no", "no"])
    seen = []
    blocks = [(X[:3], y[:3]), (X[:0], y[:0]), (X[3:], ["yes"])]
    found = confusion(Perceptron().fit(X, y), blocks, lambda *done: seen.append(done))
    assert found.counts == {("yes", "yes"): 2, ("no", "no"): 1, ("yes", "no"): 1}
    assert seen == [(3, None), (3, None), (4, None)]
