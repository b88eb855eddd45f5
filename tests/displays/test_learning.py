"""Errors epoch by epoch."""

import numpy as np
import pytest
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

from novikoff import AveragedPerceptron, KernelPerceptron, Perceptron, PocketPerceptron
from novikoff.displays import LearningDisplay
from tests.displays.data import clouds


def errors_by_replay(trace, X, y):
    """Training error after each epoch, and mistakes in it, from the trace of one run."""
    theta, offset = trace.hypotheses()
    errors, mistakes = [], []
    for epoch in range(1, trace.n_epochs + 1):
        k = int(np.count_nonzero(trace.epoch <= epoch))
        errors.append(np.mean((X @ theta[k] + offset[k] >= 0) != (y == 1)))
        mistakes.append(int(np.count_nonzero(trace.epoch == epoch)))
    return errors, mistakes


def test_curves_are_those_of_one_run():
    X, y = clouds(120, 0.9)
    clf = AveragedPerceptron(max_iter=8, record_trace=True).fit(X, y)
    last = Perceptron(max_iter=8)
    display = LearningDisplay.from_estimators(last, X, y, validation_fraction=None)
    errors, mistakes = errors_by_replay(clf.trace_, X, y)  # the same run, whatever is kept of it
    np.testing.assert_allclose(display.training[0], errors)
    np.testing.assert_array_equal(display.mistakes[0], mistakes)
    assert display.first_pass[0] == mistakes[0] / len(X)
    assert np.isnan(display.validation[0]).all()
    assert not hasattr(last, "coef_")


def test_every_point_is_the_model_of_so_many_epochs():
    X, y = clouds(120, 0.7)
    family = [AveragedPerceptron(max_iter=4), PocketPerceptron(max_iter=4)]
    display = LearningDisplay.from_estimators(family, X, y, random_state=7).plot()
    A, B, a, b = train_test_split(X, y, test_size=0.25, stratify=y, random_state=7)
    for i, kind in enumerate((AveragedPerceptron, PocketPerceptron)):
        for epoch in range(1, 5):
            clf = kind(max_iter=epoch).fit(A, a)
            assert display.training[i][epoch - 1] == 1 - clf.score(A, a)
            assert display.validation[i][epoch - 1] == 1 - clf.score(B, b)
    np.testing.assert_array_equal(display.training_[1].get_ydata(), display.training[1])
    assert len(display.validation_) == 2


def test_a_curve_ends_where_the_run_converged():
    X, y = clouds(60)
    display = LearningDisplay.from_estimators(Perceptron(), X, y, validation_fraction=None)
    clf = Perceptron().fit(X, y)
    assert display.epochs[0][-1] == clf.n_iter_
    assert display.mistakes[0][-1] == 0
    assert display.training[0][-1] == 0.0
    assert display.mistakes[0].sum() == clf.n_updates_.sum()


def test_long_runs_are_measured_at_some_epochs_only():
    X, y = clouds(60, 0.5)
    display = LearningDisplay.from_estimators(
        AveragedPerceptron(max_iter=300), X, y, max_points=12
    ).plot()
    assert len(display.epochs[0]) <= 12
    assert (display.epochs[0][0], display.epochs[0][-1]) == (1, 300)
    assert display.ax_.get_xscale() == "log"


def test_a_run_without_a_seed_is_one_run():
    X, y = clouds(60, 0.5)
    free = AveragedPerceptron(max_iter=5, random_state=None)
    fixed = AveragedPerceptron(max_iter=5, random_state=4)
    display = LearningDisplay.from_estimators([free, fixed], X, y, random_state=4)
    np.testing.assert_array_equal(display.training[0], display.training[1])
    assert display.names == ["AveragedPerceptron 1", "AveragedPerceptron 2"]


@pytest.mark.parametrize("multi_class", ["ovr", "ovo", "joint"])
def test_several_classes_and_kernels(multi_class):
    random = np.random.RandomState(0)
    y = np.arange(90) % 3
    X = random.randn(90, 2) + 2.0 * np.array([[0, 1], [1, 0], [-1, -1]])[y]
    family = {"linear": AveragedPerceptron(max_iter=3, multi_class=multi_class)}
    if multi_class != "ovo":
        family["kernel"] = KernelPerceptron(kernel="rbf", max_iter=3, multi_class=multi_class)
    table = LearningDisplay.from_estimators(family, X, y).plot().frame()
    assert set(table["estimator"]) == set(family)
    assert table["training"].between(0, 1).all()
    assert (table["mistakes"] >= 0).all()


def test_what_has_no_epochs_is_refused():
    X, y = clouds(20)
    with pytest.raises(ValueError, match="no max_iter"):
        LearningDisplay.from_estimators(KNeighborsClassifier(), X, y)
    with pytest.raises(ValueError, match="at least one"):
        LearningDisplay.from_estimators([], X, y)
    with pytest.raises(ValueError, match="both X_val and y_val"):
        LearningDisplay.from_estimators(Perceptron(), X, y, X_val=X)


def test_a_run_that_ends_between_two_points_ends_the_curve_with_its_last_model():
    X, y = clouds(60, 1.4, seed=3)
    clf = AveragedPerceptron(max_iter=500).fit(X, y)
    assert clf.status_ == "separated"
    display = LearningDisplay.from_estimators(
        AveragedPerceptron(max_iter=500), X, y, validation_fraction=None, max_points=3
    )
    first, second, last = display.epochs[0]
    assert first == 1 < second < last == clf.n_iter_  # the next would have been 500
    assert display.mistakes[0] @ np.diff(display.epochs[0], prepend=0) == clf.n_updates_.sum()
