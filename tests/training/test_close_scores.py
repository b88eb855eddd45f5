"""Predictions where scores, or the sums of many, lie next to each other are exact, too."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff._jit import compiling_at_once
from novikoff.training.prediction import LinearModel, classes_of, decision_of
from novikoff.training.schemes import closed_scheme
from tests.training.test_prediction import exact_pair_winner

BINARY = closed_scheme("ovr", 2)


@pytest.fixture(scope="module", autouse=True)
def compiled(patience):
    with compiling_at_once(True):
        yield


def stored(X):
    """The same rows as they may lie in memory."""
    return X, np.asfortranarray(X), sp.csr_array(X)


def score(theta, offset, x):
    terms = (Fraction(float(t)) * Fraction(float(v)) for t, v in zip(theta, x, strict=True))
    return Fraction(float(offset)) + sum(terms)


def assert_winners(scheme, theta, X):
    offset = np.zeros(len(theta))
    expected = [exact_pair_winner(theta, offset, scheme, x) for x in X]
    for rows in stored(X):
        assert classes_of(LinearModel(scheme, theta, offset), rows).tolist() == expected


@pytest.mark.parametrize("n_classes", [3, 4, 5])
def test_a_pair_in_doubt_counts_wherever_it_stands(n_classes):
    """Each pair in turn has rows a digit off its boundary; the others are far from theirs."""
    random = np.random.default_rng(0)
    scheme = closed_scheme("ovo", n_classes)
    a = random.standard_normal(40)
    X = np.column_stack([a, np.nextafter(a, random.choice([-np.inf, np.inf], 40)), np.ones(40)])
    for k, both in enumerate(scheme.roles):  # these two win against all others
        theta = np.zeros((len(scheme.roles), 3))
        theta[:, 2] = [9.0 if role.positive in both else -9.0 for role in scheme.roles]
        theta[k] = 0.1, -0.1, 0.0
        assert_winners(scheme, theta, X)


@pytest.mark.parametrize("whole", [True, False])
def test_ties_of_votes_are_broken_exactly(whole):
    """A cycle: 0 beats 1, 1 beats 2, 2 beats 0, and their sums are equal or a digit apart."""
    random = np.random.default_rng(1)
    X = random.integers(1, 5, (200, 3)) if whole else random.uniform(0.5, 2.0, (200, 3))
    a, unit = random.uniform(1, 2, 3), np.array([1.0, 0.0, 0.0])
    for theta in (
        [-unit, unit, -unit],
        [-a, a, -a],
        [-a, np.nextafter(a, 9), -a],
        [-a, a * (1 + 2.0**-50), -np.nextafter(a, 0)],
        [-a[[1, 0, 2]], a, -a],
        [np.full(3, -(2.0**30)), np.full(3, 2.0**30), np.full(3, -(2.0**30))],
        *([-a, a, -a] * (1 + 3e-8 * random.standard_normal((3, 3))) for _ in range(5)),
    ):
        assert_winners(closed_scheme("ovo", 3), np.array(theta), X.astype(float))


def test_sums_of_many_exact_scores_may_be_rounded():
    """Of nine classes each wins four pairs; the sums of two of them differ by 1 beyond 2**53."""
    scheme = closed_scheme("ovo", 9)
    large = int(1.4 * 2**51) // 2 * 2
    sizes = dict.fromkeys([(0, 2), (0, 3), (0, 4), (1, 3), (1, 4), (1, 5)], large)
    for more in range(4):
        for raised in ((0, 2), (1, 5)):
            theta = np.zeros((36, 1))
            for k, (i, j) in enumerate(scheme.roles):
                size = sizes.get((i, j), 1) + (more if (i, j) == raised else 0)
                theta[k] = -size if (j - i) % 9 <= 4 else size
            assert_winners(scheme, theta, np.ones((70, 1)))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_bounds_know_of_the_offset(kind):
    """Short rows whose sums are the offset's size, and on the boundary but for a rounding."""
    random = np.random.default_rng(2)
    X = random.uniform(1, 2, (300, 2)).astype(kind)
    X[:, 1] = 3 - X[:, 0]
    X[::2, 0] += np.finfo(kind).eps * random.integers(-2, 3, 150).astype(kind)
    theta, offset = np.ones((1, 2), kind), np.array([-3], kind)
    model = LinearModel(BINARY, theta, offset)
    scores = [score(theta[0], offset[0], x) for x in X]
    for rows in stored(X):
        assert classes_of(model, rows).tolist() == [int(s >= 0) for s in scores]
        signs = [(s > 0) - (s < 0) for s in scores]
        np.testing.assert_array_equal(np.sign(decision_of(model, rows)), signs)


@pytest.mark.parametrize(("kind", "digits"), [(np.float32, 24), (np.float64, 53)])
def test_whole_rows_are_exact_only_while_small(kind, digits):
    """1 + 2**p - 2**p is lost where p is as large as the type has digits."""
    powers = range(digits - 4, digits + 3)
    X = np.array([[1, 2.0**p, -(2.0**p)] for p in powers] * 40, kind)
    model = LinearModel(BINARY, -np.ones((1, 3), kind), np.zeros(1, kind))
    for rows in stored(X):
        assert not classes_of(model, rows).any()
        assert (decision_of(model, rows) == -1).all()


def test_values_close_to_zero_do_not_depend_on_the_width():
    """Scores of some digits beside an offset as large as the terms, in short rows and wide."""
    random = np.random.default_rng(3)
    X = 1 / 0.7 * (1 + random.uniform(-30, 30, (2000, 1)) * 2.0**-53)
    found = []
    for width in (1, 7, 8, 30, 70):
        theta = np.pad([[0.7]], ((0, 0), (0, width - 1)))
        model = LinearModel(BINARY, theta, np.array([-1.0]))
        wide = np.pad(X, ((0, 0), (0, width - 1)))
        found += [decision_of(model, rows) for rows in stored(wide)]
    for each in found:
        np.testing.assert_array_equal(each, found[0])
