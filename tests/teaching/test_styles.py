"""Right functions in the shapes that courses ask for, under every convention of the lectures."""

import itertools

import numpy as np
import pytest

from novikoff.teaching import check


def is_mistake(y, s, ties):
    if ties == "sign":
        return (1 if s >= 0 else -1) != y
    return y * s <= 0 if ties == "mistake" else y * s < 0


def visits(order, n):
    if order == "cyclic":
        return range(n)
    return np.random.permutation(n) if order == "shuffled" else np.random.randint(n, size=n)


def loops(ties, order, offset, start):
    def perceptron(X, y, T):
        theta, theta_0 = list(start[0] if start else [0] * len(X[0])), start[1] if start else 0
        for _ in range(T):
            for i in visits(order, len(X)):
                s = theta_0
                for j in range(len(theta)):
                    s += theta[j] * X[i][j]
                if is_mistake(y[i], s, ties):
                    for j in range(len(theta)):
                        theta[j] += y[i] * X[i][j]
                    if offset:
                        theta_0 += y[i]
        return (theta, theta_0) if offset else theta

    return perceptron


def arrays(ties, order, offset, start):
    def train(X, y, max_iter=10):
        ones = np.ones((len(X), 1)) if offset else np.zeros((len(X), 0))
        Z = np.hstack([X, ones])
        w = np.zeros(Z.shape[1])
        if start:
            w[:] = [*start[0], start[1]] if offset else start[0]
        for _ in range(max_iter):
            for i in visits(order, len(X)):
                if is_mistake(y[i], Z[i] @ w, ties):
                    w += y[i] * Z[i]
        return (w[:-1], w[-1]) if offset else w

    return train


def class_(ties, order, offset, start):
    class Model:
        def __init__(self, n_epochs=5):
            self.n_epochs = n_epochs

        def fit(self, X, y):
            self.w = np.array(start[0], float) if start else np.zeros(X.shape[1])
            self.b = float(start[1]) if start else 0.0
            for _ in range(self.n_epochs):
                for i in visits(order, len(X)):
                    if is_mistake(y[i], self.w @ X[i] + self.b, ties):
                        self.w, self.b = self.w + y[i] * X[i], self.b + offset * y[i]
            return self

        def predict(self, X):
            return np.where(X @ self.w + self.b >= 0, 1, -1)

    return Model


STARTS = [None, ((1, -2), 1)]
GRID = [
    (ties, order, offset, start)
    for ties, order, offset, start in itertools.product(
        ("mistake", "sign", "correct"), ("cyclic", "shuffled", "random"), (True, False), STARTS
    )
    if not (ties == "correct" and start is None)
]


@pytest.mark.parametrize("style", [loops, arrays, class_])
@pytest.mark.parametrize(("ties", "order", "offset", "start"), GRID)
def test_right_functions_pass(style, ties, order, offset, start):
    if start and not offset:
        start = (start[0], 0)
    verdict = check(
        style(ties, order, offset, start), ties=ties, order=order, fit_intercept=offset,
        start=start, lists=style is loops,
    )  # fmt: skip
    assert verdict.right, verdict.text()


def right(X, y, T):
    theta, theta_0 = np.zeros(X.shape[1]), 0
    for _ in range(T):
        for x, label in zip(X, y, strict=True):
            if label * (theta @ x + theta_0) <= 0:
                theta, theta_0 = theta + label * x, theta_0 + label
                yield theta, theta_0


def last(X, y, T):
    theta, theta_0 = np.zeros(X.shape[1]), 0
    for theta, theta_0 in right(X, y, T):  # noqa: B007
        pass
    return theta, theta_0


def in_place(X, y, T):
    """One array, changed at every update: what was yielded before changes with it."""
    theta = np.zeros(X.shape[1] + 1)
    for new, offset in right(X, y, T):
        theta[:-1], theta[-1] = new, offset
        yield theta[:-1], theta[-1]


def with_callback(X, y, T, on_update):
    theta, theta_0 = np.zeros(X.shape[1]), 0
    for theta, theta_0 in right(X, y, T):
        on_update(theta, theta_0)
    return theta, theta_0


def with_hook(data, labels, params={}, hook=None):  # noqa: B006
    """As in MIT's 6.036: columns, and theta as one."""
    d = data.shape[0]
    theta, theta_0 = np.zeros((d, 1)), np.zeros((1, 1))
    for theta, theta_0 in right(data.T, labels[0], params.get("T", 100)):
        hook((theta.reshape(d, 1), np.array([[theta_0]])))
    return np.reshape(theta, (d, 1)), np.reshape(theta_0, (1, 1))


def until_clean(X, y):
    theta, theta_0 = np.zeros(X.shape[1]), 0
    while True:
        clean = True
        for x, label in zip(X, y, strict=True):
            if label * (theta @ x + theta_0) <= 0:
                theta, theta_0, clean = theta + label * x, theta_0 + label, False
        if clean:
            return theta, theta_0


@pytest.mark.parametrize(
    ("function", "how"),
    [
        (last, {}),
        (right, {}),
        (in_place, {}),
        (with_callback, {}),
        (with_hook, {"data": "columns"}),
        (until_clean, {}),
        (lambda X, y: last(X, y, 2), {"epochs": 2}),
        (lambda X, y, T: last(X, 2 * y - 1, T), {"labels": (0, 1)}),
        (lambda X, y, T: last(np.array(X), np.array(y), T), {"lists": True}),
        (lambda X, y, T: [*last(X, y, T)[0], last(X, y, T)[1]], {"returns": "theta_0 last"}),
        (lambda X, y, T: [last(X, y, T)[1], *last(X, y, T)[0]], {"returns": "theta_0 first"}),
        (lambda X, y, T: last(X, y, T)[::-1], {"returns": "theta_0, theta"}),
        (lambda X, y, T: dict(zip("wb", last(X, y, T), strict=True)), {}),
        (lambda X, y, T: last(X, y, T)[0], {"returns": "theta"}),
        (lambda X, y, T: list(right(X, y, T)), {"returns": "updates"}),
        (lambda X, y, T, X_test: np.where(X_test @ last(X, y, T)[0] + last(X, y, T)[1] >= 0, 1, -1),
         {"returns": "predictions"}),
    ],
)  # fmt: skip
def test_the_shapes_that_courses_ask_for(function, how):
    verdict = check(function, **how)
    assert verdict.right, verdict.text()


def test_orders_may_be_given():
    def perceptron(X, y, T, orders):
        theta, theta_0 = np.zeros(X.shape[1]), 0
        for order in orders:
            theta, theta_0 = [*right_from(X[order], y[order], theta, theta_0)][-1]
        return theta, theta_0

    def right_from(X, y, theta, theta_0):
        yield theta, theta_0
        for x, label in zip(X, y, strict=True):
            if label * (theta @ x + theta_0) <= 0:
                theta, theta_0 = theta + label * x, theta_0 + label
                yield theta, theta_0

    for order in ("shuffled", "random"):
        verdict = check(perceptron, order=order)
        assert verdict.right, verdict.text()


def test_what_is_understood_is_said():
    assert "max_iter is T" in check(arrays("mistake", "cyclic", True, None)).understood
    assert ".w (theta), .b (theta_0)" in check(class_("mistake", "cyclic", True, None)).understood
    assert "one example per column" in check(with_hook, data="columns").understood


def test_an_order_that_is_not_random_is_noticed():
    verdict = check(loops("mistake", "cyclic", True, None), order="shuffled", lists=True)
    assert verdict.mistakes == ("not-shuffled",)


def test_what_cannot_be_asked_is_said():
    with pytest.raises(ValueError, match="epochs="):
        check(lambda X, y: last(X, y, 2), kind="averaged")
    with pytest.raises(ValueError, match="never learns"):
        check(last, ties="correct")
    with pytest.raises(ValueError, match="kind must be one of"):
        check(last, kind="svm")
    assert "'depth'" in check(lambda X, y, T, depth: None).problem
    assert "returned None" in check(lambda X, y, T: None).text()
    assert "returned 3 numbers as theta" in check(lambda X, y, T: ([1, 2, 3], 0)).text()


@pytest.mark.parametrize("rounding", [np.trunc, np.round, np.int64])
def test_numbers_that_are_no_integers_must_not_be_lost(rounding):
    right = loops("mistake", "cyclic", True, None)

    def rounded(X, y, T):
        theta, theta_0 = right(X.tolist(), y.tolist(), T)
        return rounding(theta), theta_0

    assert not check(rounded).right
