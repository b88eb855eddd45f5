"""MaxMarginClassifier: the certificate as a scikit-learn estimator."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.multiclass import OneVsOneClassifier
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from novikoff import Hyperplane, MaxMarginClassifier, NotSeparableError, max_margin

# These train on data that no hyperplane separates, which `fit` refuses.
NOT_SEPARABLE = [
    "check_classifier_data_not_an_array",
    "check_classifiers_train",
    "check_dtype_object",
    "check_estimator_sparse_array",
    "check_estimator_sparse_matrix",
    "check_estimator_sparse_tag",
    "check_estimators_dtypes",
    "check_estimators_nan_inf",
    "check_fit_check_is_fitted",
    "check_fit_idempotent",
    "check_fit_score_takes_y",
    "check_n_features_in",
    "check_n_features_in_after_fitting",
    "check_supervised_y_2d",
]


def expected_failures(estimator):
    return dict.fromkeys(NOT_SEPARABLE, "trains on data that is not linearly separable")


@parametrize_with_checks([MaxMarginClassifier()], expected_failed_checks=expected_failures)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def iris_setosa():
    X, y = load_iris(return_X_y=True)
    return X, np.where(y == 0, "setosa", "other")


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_it_is_the_certificate(fit_intercept):
    X, y = iris_setosa()
    clf = MaxMarginClassifier(fit_intercept=fit_intercept).fit(X, y)
    found = max_margin(X, y, fit_intercept=fit_intercept)
    assert clf.certificate_.verify(X, y)
    assert (clf.margin_, clf.upper_bound_) == (found.margin, found.upper_bound)
    assert clf.score(X, y) == 1.0
    plane = Hyperplane.from_estimator(clf)
    sides = np.where(y == clf.classes_[1], 1, -1)
    assert plane.margin(X, sides) == pytest.approx(clf.margin_, rel=1e-12)
    # The hyperplane is orthogonal to what joins the nearest points of the two hulls.
    v = (clf.weights_ * sides[clf.support_]) @ X[clf.support_]
    cosine = v @ clf.coef_[0] / np.linalg.norm(v) / np.linalg.norm(clf.coef_)
    assert cosine == pytest.approx(1.0, abs=1e-9)


def test_a_support_vector_machine_finds_the_same():
    X, y = iris_setosa()
    svc = SVC(kernel="linear", C=1e10, tol=1e-8).fit(X, y)
    clf = MaxMarginClassifier().fit(X, y)
    sides = np.where(y == clf.classes_[1], 1, -1)
    assert Hyperplane.from_estimator(svc).margin(X, sides) <= clf.upper_bound_
    assert np.sort(svc.support_).tolist() == clf.support_.tolist()


def test_sparse_is_dense():
    X, y = iris_setosa()
    dense, sparse = MaxMarginClassifier().fit(X, y), MaxMarginClassifier().fit(sp.csr_array(X), y)
    assert sparse.margin_ <= dense.upper_bound_
    assert dense.margin_ <= sparse.upper_bound_
    assert sparse.predict(sp.csr_array(X)).tolist() == dense.predict(X).tolist()


def test_what_cannot_be_separated_is_refused_and_nothing_is_lost():
    X, y = iris_setosa()
    clf = MaxMarginClassifier().fit(X, y)
    before = clf.coef_.copy()
    with pytest.raises(NotSeparableError) as caught:
        clf.fit([[0.0], [1.0], [2.0]], [0, 1, 0])
    assert caught.value.obstruction.rows.tolist() == [0, 1, 2]
    assert np.array_equal(clf.coef_, before)
    assert clf.n_features_in_ == X.shape[1]
    assert clf.score(X, y) == 1.0


def test_a_margin_too_small_for_doubles_is_announced():
    """The certificate is exact; what predict uses is rounded and no longer separates."""
    random = np.random.RandomState(0)
    X = random.randint(-(2**10), 2**10, (60, 8)).astype(float)
    y = np.arange(60) % 2
    X[:, 0] = (2 * y - 1) * 2.0**-40
    X = X @ (np.eye(8) + np.tril(random.randint(-2, 3, (8, 8)), -1))
    with pytest.warns(ConvergenceWarning, match="in fractions"):
        clf = MaxMarginClassifier().fit(X, y)
    assert clf.certificate_.verify(X, y)
    assert clf.score(X, y) < 1.0


def test_one_class_is_refused_without_advice_that_does_not_apply():
    # there is no partial_fit
    with pytest.raises(ValueError, match=r"y holds only one class, 1\.$"):
        MaxMarginClassifier().fit([[0.0], [1.0]], [1, 1])


def test_more_than_two_classes():
    X, y = np.array([[0.0, 0.0], [1.0, 5.0], [5.0, 1.0], [0.1, 0.2]]), [0, 1, 2, 0]
    with pytest.raises(ValueError, match="OneVsRestClassifier"):
        MaxMarginClassifier().fit(X, y)
    assert OneVsOneClassifier(MaxMarginClassifier()).fit(X, y).score(X, y) == 1.0
