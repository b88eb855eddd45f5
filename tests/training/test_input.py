"""Labels as numbers, and weights: NumPy and scikit-learn say what is right."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils import compute_class_weight

from novikoff import Perceptron
from novikoff.training.input import (
    balanced_weights,
    check_labels,
    check_two_classes,
    check_weights,
    class_weights,
    merge_classes,
    number_classes,
)

LABELS = st.one_of(
    st.lists(st.integers(-5, 5), min_size=1).map(np.array),
    st.lists(st.integers(-(2**62), 2**62), min_size=1).map(np.array),
    st.lists(st.integers(250, 255), min_size=1).map(lambda y: np.array(y, np.uint8)),
    st.lists(st.integers(2**63, 2**64 - 1), min_size=1).map(lambda y: np.array(y, np.uint64)),
    st.lists(st.sampled_from(["b", "a", "", "ä"]), min_size=1).map(np.array),
    st.lists(st.sampled_from(["b", "a"]), min_size=1).map(lambda y: np.array(y, object)),
    st.lists(st.booleans(), min_size=1).map(np.array),
    st.lists(st.sampled_from([-1.0, 0.0, 3.0]), min_size=1).map(np.array),
)


@given(LABELS)
def test_classes_are_numbered_as_numpy_numbers_them(y):
    classes, numbers = number_classes(y)
    expected, places = np.unique(y, return_inverse=True)
    np.testing.assert_array_equal(classes, expected)
    np.testing.assert_array_equal(numbers, places)
    assert classes.dtype == y.dtype


@given(LABELS, st.integers(0, 50))
def test_classes_of_two_batches_are_those_of_both(y, cut):
    parts = [np.unique(part) for part in (y[:cut], y[cut:])]
    np.testing.assert_array_equal(merge_classes(*parts), np.unique(y))


def test_labels_of_two_kinds_have_no_order():
    with pytest.raises(ValueError, match="y mixes int, str"):
        number_classes(np.array([1, "a"], object))
    with pytest.raises(ValueError, match=r"earlier batches had \[0, 1\], this one has \['a'\]"):
        merge_classes(np.array([0, 1]), np.array(["a"]))


@pytest.mark.parametrize(
    ("y", "row"),
    [
        ([1.0, np.nan], 1), ([np.inf, 1.0], 0), (np.array(["a", None], object), 1),
        (np.array(["2026-01-01", "NaT"], "M8[D]"), 1), (np.array(["a", float("nan")], object), 1),
    ],
)  # fmt: skip
def test_a_label_that_is_missing_is_found(y, row):
    with pytest.raises(ValueError, match=f"missing value at row {row}: .* is no label"):
        check_labels(y, 2)


@given(st.lists(st.sampled_from("abc"), min_size=3, max_size=40).filter(lambda y: len({*y}) == 3))
def test_balanced_weights_are_scikit_learns(y):
    classes, numbers = np.unique(y, return_inverse=True)
    expected = compute_class_weight("balanced", classes=classes, y=np.array(y))
    np.testing.assert_allclose(balanced_weights(np.bincount(numbers)), expected, rtol=1e-15)
    np.testing.assert_array_equal(class_weights("balanced", classes, np.array(y)), expected)


def test_weights_of_classes_that_may_yet_come():
    classes = np.array(["a", "b"])
    assert class_weights({"b": 2, "c": 9}, classes, None).tolist() == [1.0, 2.0]
    assert class_weights(None, classes, None).tolist() == [1.0, 1.0]
    with pytest.raises(ValueError, match=r"class_weight of 'b' is 0\.0: it must be finite"):
        class_weights({"b": 0}, classes, None)


def test_weights_of_rows():
    assert check_weights(None, 3) is None
    assert check_weights(2, 3).tolist() == [2.0, 2.0, 2.0]
    assert check_weights([0, 1, 2], 3).dtype == np.float64
    for bad, said in (
        ([1, -1, 1], "is -1.0 at row 1"), ([1, 1, np.inf], "is inf at row 2"),
        ([1, 1], r"shape \(3,\), one weight"), ([1j, 1, 1], "complex"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=said):
            check_weights(bad, 3)


def test_separability_is_a_question_about_two_classes():
    X = [[1.0], [2.0], [3.0]]
    _, classes, sides = check_two_classes(X, ["no", "yes", "no"])
    assert (classes.tolist(), sides.tolist()) == (["no", "yes"], [-1, 1, -1])
    with pytest.raises(ValueError, match=r"y holds 3: 0, 1, 2\. Ask it of one class"):
        check_two_classes(X, [0, 1, 2])
    with pytest.raises(ValueError, match=r"y holds 1: 'a'\.$"):
        check_two_classes(X, ["a", "a", "a"])


@pytest.mark.parametrize("dtype", [int, float, object])
def test_a_masked_label_is_a_missing_one(dtype):
    y = np.ma.array([0, 1, 1, 0], dtype=dtype, mask=[0, 0, 1, 0])
    with pytest.raises(ValueError, match="missing value at row 2: it is masked"):
        Perceptron().fit([[1.0], [2.0], [3.0], [4.0]], y)
