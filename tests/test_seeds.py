"""Every algorithm box of the five lecture notes, worked through as printed, against the library.

Each test carries the number of the note. The box is transcribed on plain integers, and every theta
it goes through is compared with the trace of the estimator that offers it.
"""

from fractions import Fraction

import numpy as np
import pytest

from novikoff import AveragedPerceptron, Perceptron, VotedPerceptron

POINTS = [(2, 1), (1, -1), (-1, 2), (-2, -1), (0, 3), (3, -2)]
LABELS = [1, 1, -1, -1, -1, 1]
# Not separable through the origin, but with an offset: the second feature decides at 1.5.
SHIFTED = [(0, 1), (1, 2), (2, 1), (-1, 3), (1, 1), (0, 4)]
SHIFTED_LABELS = [1, -1, 1, -1, 1, -1]


def dot(a, b):
    return sum(p * q for p, q in zip(a, b, strict=True))


def plus(theta, y, x):
    return tuple(t + y * v for t, v in zip(theta, x, strict=True))


def assert_every_theta(estimator, points, hypotheses, offsets=None):
    theta, offset = estimator.trace_.hypotheses(np.array(points, float))
    np.testing.assert_array_equal(theta, np.array(hypotheses, float))
    if offsets is not None:
        np.testing.assert_array_equal(offset, np.array(offsets, float))


def test_000_perceptron_through_the_origin_eq_5_and_6():
    def h(theta, x):
        return 1 if dot(theta, x) >= 0 else -1

    thetas = [(0, 0)]
    while any(h(thetas[-1], x) != y for x, y in zip(POINTS, LABELS, strict=True)):
        for x, y in zip(POINTS, LABELS, strict=True):
            if y != h(thetas[-1], x):
                thetas.append(plus(thetas[-1], y, x))
    clf = Perceptron(fit_intercept=False, ties="sign", order="cyclic", record_trace=True)
    clf.fit(np.array(POINTS, float), LABELS)
    assert clf.status_ == "separated"
    assert len(thetas) > 2
    assert_every_theta(clf, POINTS, thetas)


def test_000_perceptron_with_offset_eq_13_to_15():
    def h(theta, offset, x):
        return 1 if dot(theta, x) + offset >= 0 else -1

    thetas, offsets = [(0, 0)], [0]
    wrong = True
    while wrong:
        wrong = False
        for x, y in zip(SHIFTED, SHIFTED_LABELS, strict=True):
            if y != h(thetas[-1], offsets[-1], x):
                wrong = True
                thetas.append(plus(thetas[-1], y, x))
                offsets.append(offsets[-1] + y)
    clf = Perceptron(ties="sign", order="cyclic", record_trace=True)
    clf.fit(np.array(SHIFTED, float), SHIFTED_LABELS)
    assert clf.status_ == "separated"
    assert_every_theta(clf, SHIFTED, thetas, offsets)


def test_001_while_there_exists_a_misclassified_point():
    thetas, k = [(0, 0)], 0
    while any(y * dot(thetas[k], x) <= 0 for x, y in zip(POINTS, LABELS, strict=True)):
        for x, y in zip(POINTS, LABELS, strict=True):
            if y * dot(thetas[k], x) <= 0:
                thetas.append(plus(thetas[k], y, x))
                k += 1
    clf = Perceptron(fit_intercept=False, order="cyclic", record_trace=True)
    clf.fit(np.array(POINTS, float), LABELS)
    assert clf.n_updates_.tolist() == [k]
    assert_every_theta(clf, POINTS, thetas)


def test_001_offset_is_an_extra_coordinate_of_one():
    with_one = [(1, *x) for x in SHIFTED]
    inside = Perceptron(fit_intercept=False, order="cyclic").fit(
        np.array(with_one, float), SHIFTED_LABELS
    )
    outside = Perceptron(order="cyclic").fit(np.array(SHIFTED, float), SHIFTED_LABELS)
    np.testing.assert_array_equal(inside.coef_[0, 1:], outside.coef_[0])
    assert inside.coef_[0, 0] == outside.intercept_[0]


@pytest.mark.parametrize(("margin", "start"), [(0.0, (-1, 2)), (2.0, (0, 0))])
def test_002_stochastic_subgradient_descent(margin, start):
    random = np.random.RandomState(7)
    w = [start]
    n = len(POINTS)
    converged = False
    while not converged:
        drawn = random.randint(n, size=n)
        clean = True
        for i in drawn:
            if LABELS[i] * dot(w[-1], POINTS[i]) < margin:
                w.append(plus(w[-1], LABELS[i], POINTS[i]))
                clean = False
        converged = clean and all(
            y * dot(w[-1], x) >= margin for x, y in zip(POINTS, LABELS, strict=True)
        )
    clf = Perceptron(
        fit_intercept=False, order="random", ties="correct", margin=margin, random_state=7,
        record_trace=True,
    ).fit(np.array(POINTS, float), LABELS, coef_init=start)  # fmt: skip
    assert clf.status_ == "separated"
    assert len(w) > 1
    assert_every_theta(clf, POINTS, w)


def test_002_theta_is_the_sum_of_alpha_y_x():
    clf = Perceptron(fit_intercept=False).fit(np.array(POINTS, float), LABELS)
    expansion = sum(
        alpha * y * np.array(x)
        for alpha, y, x in zip(clf.mistake_counts_, LABELS, POINTS, strict=True)
    )
    np.testing.assert_array_equal(clf.coef_[0], expansion)


@pytest.mark.parametrize("passes", [1, 2, 30])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_003_T_passes(passes):
    theta, theta_0 = (0, 0), 0
    thetas, offsets = [theta], [theta_0]
    for _ in range(passes):
        for x, y in zip(SHIFTED, SHIFTED_LABELS, strict=True):
            if y * (dot(theta, x) + theta_0) <= 0:
                theta, theta_0 = plus(theta, y, x), theta_0 + y
                thetas.append(theta)
                offsets.append(theta_0)
    clf = Perceptron(max_iter=passes, order="cyclic", record_trace=True)
    clf.fit(np.array(SHIFTED, float), SHIFTED_LABELS)
    assert_every_theta(clf, SHIFTED, thetas, offsets)


def algorithm_5(points, labels, max_iter):
    """PERCEPTRONTRAIN; yields (w, b) after every example."""
    w, b = (0, 0), 0
    for _ in range(max_iter):
        for x, y in zip(points, labels, strict=True):
            a = dot(w, x) + b
            if y * a <= 0:
                w, b = plus(w, y, x), b + y
            yield w, b


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_004_algorithm_5_standard():
    *_, (w, b) = algorithm_5(SHIFTED, SHIFTED_LABELS, 3)
    clf = Perceptron(max_iter=3, order="cyclic").fit(np.array(SHIFTED, float), SHIFTED_LABELS)
    assert clf.coef_.tolist() == [list(w)]
    assert clf.intercept_.tolist() == [b]


def test_004_voted():
    clf = VotedPerceptron(max_iter=4, order="cyclic").fit(np.array(SHIFTED, float), SHIFTED_LABELS)
    queries = [(0, 0), (1, 2), (5, 1), (-3, 2), (0, 1)]
    for query, got in zip(queries, clf.decision_function(np.array(queries, float)), strict=True):
        # Counting every hypothesis once per example it survived is summing over the examples.
        votes = sum(
            1 if dot(w, query) + b >= 0 else -1 for w, b in algorithm_5(SHIFTED, SHIFTED_LABELS, 4)
        )
        assert got == votes


def test_004_algorithm_7_averaged_corrected():
    w, b, u, beta, c = (0, 0), 0, (0, 0), 0, 1
    for _ in range(4):
        for x, y in zip(SHIFTED, SHIFTED_LABELS, strict=True):
            if y * (dot(w, x) + b) <= 0:
                w, b = plus(w, y, x), b + y
                u, beta = plus(u, y * c, x), beta + y * c  # the factor c is missing in print
            c += 1
    clf = AveragedPerceptron(max_iter=4, order="cyclic")
    clf.fit(np.array(SHIFTED, float), SHIFTED_LABELS)
    np.testing.assert_array_equal(clf.coef_[0], [t - v / c for t, v in zip(w, u, strict=True)])
    assert clf.intercept_[0] == b - beta / c

    visited = [((0, 0), 0), *algorithm_5(SHIFTED, SHIFTED_LABELS, 4)]
    for j in range(2):
        mean = Fraction(sum(theta[j] for theta, _ in visited), len(visited))
        assert clf.coef_[0, j] == pytest.approx(float(mean), rel=1e-15)


def test_004_algorithm_7_as_printed_is_no_average():
    """Without the factor c, u is w and the result is (1 - 1/c) w."""
    w, u, c = (0, 0), (0, 0), 1
    for _ in range(4):
        for x, y in zip(POINTS, LABELS, strict=True):
            if y * dot(w, x) <= 0:
                w, u = plus(w, y, x), plus(u, y, x)
            c += 1
    assert u == w
    clf = AveragedPerceptron(max_iter=4, order="cyclic", fit_intercept=False)
    clf.fit(np.array(POINTS, float), LABELS)
    assert clf.last_coef_.tolist() == [list(w)]
    printed = np.array(w) * (1 - 1 / c)
    # A mean points elsewhere than the last hypothesis, whatever it is scaled by.
    assert clf.coef_[0, 0] * printed[1] != clf.coef_[0, 1] * printed[0]


def test_novikoff_theorem_bounds_the_updates():
    """k <= (R / gamma)^2, with the margin of one known separator in place of the best."""
    theta_star = np.array([1.0, -1.0])
    X, y = np.array(POINTS, float), np.array(LABELS)
    X, y = X[X @ theta_star * y > 0], y[X @ theta_star * y > 0]
    gamma = (y * (X @ theta_star)).min() / np.linalg.norm(theta_star)
    bound = (np.linalg.norm(X, axis=1).max() / gamma) ** 2
    for seed in range(20):
        clf = Perceptron(fit_intercept=False, random_state=seed).fit(X, y)
        assert clf.n_updates_[0] <= bound
