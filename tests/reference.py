"""The oracle: the perceptron as a lecture would write it, deciding with exact fractions.

Nothing here is imported from the library. Updates are rounded as the contract says: the step to
theta's type, then every product and every sum.
"""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import NormalDist

import numpy as np


def exact_score(theta, offset, x):
    total = Fraction(float(offset))
    for t, v in zip(theta, x, strict=True):
        total += Fraction(float(t)) * Fraction(float(v))
    return total


def is_mistake(y, score, beta, ties):
    if ties == "sign":
        return (1 if score >= 0 else -1) != y
    excess = y * score - Fraction(beta)
    return excess < 0 or (excess == 0 and ties == "mistake")


def perceptron_step(beta, ties, eta):
    """The step, in float64, that an example asks for, or None: eta times its weight."""

    def step(y, side, score, x, weight, fit_intercept):
        if ties == "sign":  # h(x) != y, where h = +1 on the boundary
            mistake = y * score < 0 or (score == 0 and side < 0)
        else:
            mistake = is_mistake(y, score, beta, ties)
        return (eta * 1.0) * weight if mistake else None

    return step


def passive_aggressive_step(C, loss, copies=1):
    """The same for PA-I and PA-II (Crammer et al. 2006); copies is 2 for joint classes.

    The score and the squared length are rounded once, float(Fraction) does that; all else is
    ordinary arithmetic in doubles.
    """

    def step(y, side, score, x, weight, fit_intercept):
        missing = 1.0 - y * float(score)
        exact = Fraction(int(fit_intercept)) + sum(Fraction(float(v)) ** 2 for v in x)
        length = copies * float(exact)
        if missing <= 0.0 or length == 0.0:
            return None
        cap = (C * 1.0) * weight
        if loss == "hinge":
            return min(cap, missing / length)
        return missing / (length + 1.0 / (2.0 * cap))

    return step


def added(theta, offset, x, step, fit_intercept, plane=0):
    """theta + step * x, offset + step, in theta's type: no fused operation anywhere."""
    dtype = theta.dtype.type
    theta = np.array(
        [t + dtype(step) * dtype(v) for t, v in zip(theta, x, strict=True)], theta.dtype
    )
    return theta, dtype(offset) + dtype(step) * dtype(fit_intercept)


def augmented(x, fit_intercept):
    return [float(v) for v in x] + [float(fit_intercept)]


def rounded_dot(a, b):
    """The double nearest to a . b."""
    return float(sum(Fraction(float(s)) * Fraction(float(t)) for s, t in zip(a, b, strict=True)))


class Scaled:
    """theta <- a theta + b y x, of ALMA and ROMMA; `step` is what `Run` calls a rule."""

    def __init__(self):
        self.theta, self.k = None, 1

    def squares(self, x, fit_intercept):
        """||x||^2 and ||theta||^2, each rounded once."""
        row = augmented(x, fit_intercept)
        theta = [0.0] * len(row) if self.theta is None else self.theta
        return rounded_dot(row, row), rounded_dot(theta, theta)

    def move(self, theta, offset, x, step, fit_intercept, plane=0):
        dtype = theta.dtype.type
        a = dtype(self.scale)
        new = [a * t + step * dtype(v) for t, v in zip(theta, x, strict=True)]
        last = a * offset + step * dtype(fit_intercept)
        self.theta, self.k = [*new, last], self.k + 1
        return np.array(new, theta.dtype) + dtype(0), last + dtype(0)


class Alma(Scaled):
    """Gentile (2001), the algorithm ALMA_p with p = 2."""

    def __init__(self, alpha=0.9, B=None, C=2.0**0.5):
        super().__init__()
        self.margin = (1.0 - alpha) * (math.sqrt(8) / alpha if B is None else B)
        self.C = C

    def step(self, y, side, score, x, weight, fit_intercept):
        square, norm = self.squares(x, fit_intercept)
        m = y * float(score)
        if square == 0.0 or not m / math.sqrt(square) <= self.margin / math.sqrt(self.k):
            return None
        c = self.C * 1.0 * weight / math.sqrt(self.k) / math.sqrt(square)
        after = (norm + (2.0 * c) * m) + (c * c) * square
        self.scale = 1.0 / math.sqrt(after) if after > 1.0 else 1.0
        return self.scale * c


class Romma(Scaled):
    """Li and Long (2002), Figures 1 and 2."""

    def __init__(self, aggressive=False, ties="mistake"):
        super().__init__()
        self.aggressive, self.ties = aggressive, ties

    def step(self, y, side, score, x, weight, fit_intercept):
        m = y * float(score)
        wrong = m < 0 or (m == 0 and (self.ties == "mistake" or side < 0))
        square, norm = self.squares(x, fit_intercept)
        if not (m < 1 if self.aggressive else wrong) or square == 0.0:
            return None
        product = square * norm
        if norm == 0.0 or m >= product:
            self.scale = 0.0
            return 1.0 / square
        rest = product - m * m
        if rest <= 0.0:
            return None
        self.scale = (product - m) / rest
        return norm * (1.0 - m) / rest


class SecondOrderRun:
    """theta <- theta + alpha y Sigma x, Sigma <- Sigma - beta Sigma x x^T Sigma.

    formula : (m, v, weight, side) -> alpha and beta, or None for no update
    planes : whose Sigma counts in v: 0, or joint a class and its rival
    """

    def __init__(self, formula, full=False):
        self.formula, self.full, self.sigma, self.planes = formula, full, {}, (0,)

    def u(self, plane, row):
        d = len(row)
        if plane not in self.sigma:
            one = [[float(i == j) for j in range(d)] for i in range(d)]
            self.sigma[plane] = one if self.full else [1.0] * d
        sigma = self.sigma[plane]
        if self.full:
            return [rounded_dot(line, row) for line in sigma]
        return [s * v for s, v in zip(sigma, row, strict=True)]

    def step(self, y, side, score, x, weight, fit_intercept):
        row = augmented(x, fit_intercept)
        v = rounded_dot(
            row * len(self.planes), [u for plane in self.planes for u in self.u(plane, row)]
        )
        found = self.formula(y * float(score), v, weight, side) if v > 0.0 else None
        if found is None:
            return None
        alpha, self.beta = found
        return alpha

    def move(self, theta, offset, x, step, fit_intercept, plane=0):
        dtype = theta.dtype.type
        beta, u = float(dtype(self.beta)), self.u(plane, augmented(x, fit_intercept))
        new = [t + step * dtype(v) for t, v in zip([*theta, offset], u, strict=True)]
        sigma = self.sigma[plane]
        if self.full:
            pairs = [[s - beta * (a * b) for s, b in zip(line, u, strict=True)]
                     for line, a in zip(sigma, u, strict=True)]  # fmt: skip
            self.sigma[plane] = pairs
        else:
            self.sigma[plane] = [
                max(s - beta * (v * v), 0.0) for s, v in zip(sigma, u, strict=True)
            ]
        return np.array(new[:-1], theta.dtype), new[-1]


def arow(r=1.0):
    """Crammer, Kulesza and Dredze (2009), Figure 1; r over the weight of the example."""

    def formula(m, v, weight, side):
        beta = 1.0 / (v + r / (1.0 * weight))
        return ((1.0 - m) * beta, beta) if m < 1.0 else None

    return formula


def second_order(a=1.0, ties="mistake"):
    """Cesa-Bianchi, Conconi and Gentile (2005), as the header of `kernels/rules/arow.py` has it."""

    def formula(m, v, weight, side):
        mistake = m < 0.0 or (m == 0.0 and (ties == "mistake" or side < 0))
        beta = 1.0 / (v + a / (1.0 * weight))
        return ((1.0 - m) * beta, beta) if mistake else None

    return formula


def nherd(C=1.0):
    """Crammer and Lee (2010), Figure 1."""

    def formula(m, v, weight, side):
        price = (C * 1.0) * weight
        beta = price * (price * v + 2.0) / ((1.0 + price * v) * (1.0 + price * v))
        return ((1.0 - m) / (v + 1.0 / price), beta) if m < 1.0 else None

    return formula


def confidence_weighted(eta=0.7, C=math.inf, squared=False):
    """Wang, Zhao and Hoi (2012), propositions 1 and 2; CW is that of C = inf."""
    phi = NormalDist().inv_cdf(eta)
    phi2 = phi * phi

    def formula(m, v, weight, side):
        price = (C * 1.0) * weight
        if not m < phi * math.sqrt(v):
            return None
        if squared:
            n = v + 1.0 / (2.0 * price)
            gamma = phi * math.sqrt((m * m) * (phi2 * (v * v)) + ((4.0 * n) * v) * (n + v * phi2))
            alpha = (gamma - m * (2.0 * n + phi2 * v)) / (2.0 * (n * n + (n * v) * phi2))
        else:
            psi, xi = 1.0 + phi2 / 2.0, 1.0 + phi2
            root = math.sqrt((m * m) * (phi2 * phi2) / 4.0 + (v * phi2) * xi)
            alpha = min(price, (root - m * psi) / (v * xi))
        if alpha <= 0.0:
            return None
        reach = (alpha * v) * phi
        deviation = (math.sqrt(reach * reach + 4.0 * v) - reach) / 2.0
        return alpha, (alpha * phi) / (deviation + reach)

    return formula


def orders(kind, n, epochs, seed):
    random = np.random.RandomState(seed)
    for _ in range(epochs):
        if kind == "cyclic":
            yield np.arange(n)
        elif kind == "shuffled":
            yield random.permutation(n)
        else:
            yield random.randint(n, size=n)


class Run:
    """One hyperplane. sides[i] is -1, +1, or 0 for a row that does not concern it."""

    def __init__(
        self, X, sides, *, kind="cyclic", epochs=10, seed=0, beta=0.0, ties="mistake", eta=1.0,
        weights=None, fit_intercept=True, theta=None, offset=0.0, rule=None, move=added,
    ):  # fmt: skip
        rule = perceptron_step(beta, ties, eta) if rule is None else rule
        X = np.asarray(X)
        n, d = X.shape
        dtype = np.float32 if X.dtype == np.float32 else np.float64
        weights = np.ones(n) if weights is None else np.asarray(weights, float)
        theta = np.zeros(d, dtype) if theta is None else np.asarray(theta, dtype)
        offset = dtype(offset)
        self.X, self.sides, self.fit_intercept = X, sides, fit_intercept
        self.hypotheses = [(theta, offset)]
        self.times, self.rows, self.epochs_run, self.converged = [], [], 0, False
        self.steps, self.n_wrong, self.wrong_at_first = [], 0, None

        def asked(i):
            """The step in theta's type, or None; a step of zero is none."""
            y = int(sides[i])
            score = exact_score(theta, offset, X[i])
            step = rule(y, y, score, X[i], weights[i], fit_intercept)
            return None if step is None or dtype(step) == 0 else y * dtype(step)

        u, u0 = np.zeros(d), 0.0
        t = 0
        for order in orders(kind, n, epochs, seed):
            if self.converged:
                t += sum(sides[i] != 0 for i in order)
                continue
            self.epochs_run += 1
            clean = True
            for i in order:
                y = int(sides[i])
                if y == 0:
                    continue
                t += 1
                self.n_wrong += (1 if exact_score(theta, offset, X[i]) >= 0 else -1) != y
                step = asked(i)
                if step is not None:
                    clean = False
                    self.steps.append(step)
                    new, new_offset = move(theta, offset, X[i], step, fit_intercept)
                    u = u + t * (new.astype(float) - theta.astype(float))
                    u0 = u0 + t * (float(new_offset) - float(offset))
                    theta, offset = new, new_offset
                    self.hypotheses.append((theta, offset))
                    self.times.append(t)
                    self.rows.append(int(i))
            if self.wrong_at_first is None:
                self.wrong_at_first = self.n_wrong / t if t else 0.0
            if clean and kind == "random":
                clean = all(asked(i) is None for i in range(n) if sides[i] != 0)
            self.converged = clean
        self.n_examples = t
        c = 1.0 + t
        self.mean = theta.astype(float) - u / c, float(offset) - u0 / c

    @property
    def last(self):
        return self.hypotheses[-1]

    def survival(self):
        return np.diff([1, *self.times, self.n_examples + 1])

    def vote(self, x):
        return sum(
            int(c) * (1 if exact_score(theta, offset, x) >= 0 else -1)
            for c, (theta, offset) in zip(self.survival(), self.hypotheses, strict=True)
        )

    def true_mean(self):
        """The mean of the start and of the hypotheses after each example, in exact fractions."""
        counts = self.survival().copy()
        counts[0] += 1
        total = [Fraction(0)] * (self.X.shape[1] + 1)
        for c, (theta, offset) in zip(counts, self.hypotheses, strict=True):
            for j, value in enumerate([*theta, offset]):
                total[j] += int(c) * Fraction(float(value))
        return [value / (1 + self.n_examples) for value in total]

    def pocket(self, weights=None):
        """The best hypothesis by the ratchet, from its definition; (theta, offset)."""
        n = len(self.X)
        weights = [Fraction(1)] * n if weights is None else [Fraction(float(w)) for w in weights]

        def error(hypothesis):
            return sum(
                w
                for w, x, y in zip(weights, self.X, self.sides, strict=True)
                if y != 0 and int(y) * exact_score(*hypothesis, x) <= 0
            )

        return ratchet(self.hypotheses, self.survival(), error)


def ratchet(hypotheses, survival, error):
    """Gallant's pocket: the hypothesis it would keep."""
    # How many examples each hypothesis was right on; the start was created by none.
    streaks = survival - np.array([0] + [1] * (len(hypotheses) - 1))
    best, best_error, best_streak = hypotheses[0], error(hypotheses[0]), int(streaks[0])
    for k in range(1, len(hypotheses)):
        if streaks[k] > best_streak or k == len(hypotheses) - 1:
            candidate = error(hypotheses[k])
            if candidate < best_error:
                best, best_error, best_streak = hypotheses[k], candidate, int(streaks[k])
    return best


class JointRun:
    """One weight vector per class, updated together."""

    def __init__(self, X, labels, n_classes, *, epochs=10, beta=0.0, ties="mistake", seed=0,
                 kind="cyclic", fit_intercept=True, weights=None, rule=None,
                 move=added):  # fmt: skip
        rule = perceptron_step(beta, ties, 1.0) if rule is None else rule
        X = np.asarray(X)
        n, d = X.shape
        dtype = np.float32 if X.dtype == np.float32 else np.float64
        theta, offset = np.zeros((n_classes, d), dtype), np.zeros(n_classes, dtype)
        self.hypotheses, self.times, self.rows = [(theta.copy(), offset.copy())], [], []
        self.converged, t, self.n_wrong = False, 0, 0
        u, u0 = np.zeros((n_classes, d)), np.zeros(n_classes)
        self.X, self.labels = X, labels
        for order in orders(kind, n, epochs, seed):
            if self.converged:
                t += n
                continue
            clean = True
            for i in order:
                t += 1
                scores = [exact_score(theta[c], offset[c], X[i]) for c in range(n_classes)]
                y = int(labels[i])
                rival = max((c for c in range(n_classes) if c != y), key=lambda c: (scores[c], -c))
                gap, side = scores[y] - scores[rival], 1 if y < rival else -1
                self.n_wrong += gap < 0 or (gap == 0 and side < 0)
                weight = 1.0 if weights is None else float(weights[i])
                if hasattr(rule, "__self__"):  # the method of a rule that keeps a Sigma per class
                    rule.__self__.planes = (y, rival)
                size = rule(1, side, gap, X[i], weight, fit_intercept)
                if size is not None and dtype(size) != 0:
                    clean = False
                    for c, step in ((y, dtype(size)), (rival, -dtype(size))):
                        new, new_offset = move(
                            theta[c], offset[c], X[i], step, fit_intercept, plane=c
                        )
                        u[c] += t * (new.astype(float) - theta[c].astype(float))
                        u0[c] += t * (float(new_offset) - float(offset[c]))
                        theta[c], offset[c] = new, new_offset
                    self.hypotheses.append((theta.copy(), offset.copy()))
                    self.times.append(t)
                    self.rows.append(int(i))
            self.converged = clean
        self.n_examples = t
        self.mean = theta.astype(float) - u / (1.0 + t), offset.astype(float) - u0 / (1.0 + t)

    def survival(self):
        return np.diff([1, *self.times, self.n_examples + 1])

    def error(self, hypothesis):
        """How many rows do not have their own class strictly on top."""
        theta, offset = hypothesis
        total = 0
        for x, y in zip(self.X, self.labels, strict=True):
            scores = [exact_score(t, o, x) for t, o in zip(theta, offset, strict=True)]
            total += scores[y] <= max(s for c, s in enumerate(scores) if c != y)
        return total

    def pocket(self):
        return ratchet(self.hypotheses, self.survival(), self.error)

    @staticmethod
    def argmax(hypothesis, x):
        theta, offset = hypothesis
        scores = [exact_score(t, o, x) for t, o in zip(theta, offset, strict=True)]
        return scores.index(max(scores))

    def votes(self, x):
        result = np.zeros(len(self.hypotheses[0][1]), int)
        for c, hypothesis in zip(self.survival(), self.hypotheses, strict=True):
            result[self.argmax(hypothesis, x)] += c
        return result
