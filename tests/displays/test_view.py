"""The plane that is looked at."""

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff.displays import _view

random = np.random.RandomState(3)
X = random.randn(80, 6) @ random.randn(6, 6) + random.randn(6)
NAMES = list("abcdef")
THETA = random.randn(6)


def test_the_plane_of_theta_keeps_every_score():
    view = _view.theta_view(X, THETA)
    theta, offset = view.line(THETA, 0.7)
    np.testing.assert_allclose(view.points(X) @ theta + offset, X @ THETA + 0.7, rtol=1e-9)
    assert np.linalg.norm(theta) == pytest.approx(np.linalg.norm(THETA))


def test_its_second_axis_is_the_leading_direction_orthogonal_to_theta():
    view = _view.theta_view(X, THETA)
    unit = THETA / np.linalg.norm(THETA)
    rest = (X - X.mean(axis=0)) @ (np.eye(6) - np.outer(unit, unit))
    leading = np.linalg.svd(rest)[2][0]
    assert abs(leading @ view.basis[:, 1]) == pytest.approx(1.0, abs=1e-6)
    np.testing.assert_allclose(view.basis.T @ view.basis, np.eye(2), atol=1e-12)


def test_principal_directions_are_those_of_the_singular_value_decomposition():
    view = _view.principal_view(X)
    leading = np.linalg.svd(X - X.mean(axis=0))[2][:2]
    np.testing.assert_allclose(np.abs(np.sum(leading * view.basis.T, axis=1)), 1.0, atol=1e-6)


@pytest.mark.parametrize("make", ["pair", "theta", "principal"])
@pytest.mark.parametrize("standardize", [False, True])
def test_lifting_goes_back_to_the_same_place(make, standardize):
    view = {
        "pair": lambda: _view.pair_view(X, NAMES, ("e", "b"), standardize),
        "theta": lambda: _view.theta_view(X, THETA, standardize),
        "principal": lambda: _view.principal_view(X, standardize),
    }[make]()
    points = random.randn(10, 2)
    lifted = view.lift(points)
    np.testing.assert_allclose(view.points(lifted), points, atol=1e-9)
    theta, offset = view.line(THETA, -0.4)
    np.testing.assert_allclose(points @ theta + offset, lifted @ THETA - 0.4, atol=1e-9)


def test_sparse_rows_are_seen_as_dense_ones():
    rows = X * (random.rand(*X.shape) > 0.5)
    dense, sparse = _view.theta_view(rows, THETA), _view.theta_view(sp.csr_array(rows), THETA)
    np.testing.assert_allclose(dense.points(rows), sparse.points(sp.csr_array(rows)), atol=1e-6)


def test_a_pair_rests_at_the_means_of_the_others():
    view = _view.pair_view(X, NAMES, (1, 3), False)
    np.testing.assert_allclose(
        view.lift(np.zeros((1, 2)))[0, [0, 2, 4, 5]], X.mean(axis=0)[[0, 2, 4, 5]]
    )
    assert view.names == ("b", "d")
    assert not view.whole


def test_unlike_units_are_scaled_and_like_ones_are_not():
    like = random.randn(50, 2) * [1.0, 3.0]
    unlike = random.randn(50, 2) * [1.0, 3000.0]
    assert _view.scales(like, "auto").tolist() == [1.0, 1.0]
    np.testing.assert_allclose(_view.scales(unlike, "auto"), unlike.std(axis=0))
    assert _view.scales(unlike, False).tolist() == [1.0, 1.0]
    few = np.array([[10.0, 0.0], [1.0, 1.0]])  # too few to tell
    assert _view.scales(few, "auto").tolist() == [1.0, 1.0]
    np.testing.assert_allclose(_view.scales(unlike[:3], "auto"), unlike[:3].std(axis=0))


def test_a_constant_feature_has_no_unit():
    rows = np.column_stack([np.full(5, 7.0), np.arange(5.0)])
    assert _view.scales(rows, True).tolist() == [1.0, np.arange(5.0).std()]


@pytest.mark.parametrize(
    ("features", "message"),
    [("ab", "two names or numbers"), ((0,), "two names"), ((0, 9), "0 to 5"), (("a", "z"), "'z'")],
)
def test_a_pair_that_is_none_is_refused(features, message):
    with pytest.raises(ValueError, match=message):
        _view.pair_view(X, NAMES, features)
