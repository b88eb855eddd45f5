"""A rule of one's own, as CONTRIBUTING.md says to add one: the engine knows nothing of it.

Two toys, written here: one adds a multiple of the row, the other keeps numbers of its own beside
theta. Each is held against a plain loop with every keeper, scheme and source of rows.
"""

import math
import re
from fractions import Fraction
from itertools import pairwise
from numbers import Real
from pathlib import Path
from textwrap import dedent
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.utils._param_validation import Interval

from novikoff import OnlineClassifier
from novikoff.kernels.exact import dot_sign
from novikoff.kernels.rounded import rounded_score
from novikoff.kernels.rules import (
    Extra,
    additive,
    asks,
    declared,
    square_gained,
    update,
)
from novikoff.rules import Rule
from novikoff.streams import fit_stream
from tests.reference import Run, added
from tests.test_reference import same

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

# For a rule of one's own every kernel is compiled again. Plain Python takes a moment, and the
# Makefile runs all of this file so.
compiling = pytest.mark.thorough


# ------------------------------------------- a step that shrinks with the margin


@additive("eta0")  # the update adds a multiple of the row; eta0 is what users call `size`
class GentleRule(NamedTuple):
    """If m = y s < threshold: theta <- theta + size (threshold - m) y x."""

    size: float
    threshold: float


@asks.of(GentleRule)
def _(rule, y, side, size, score, error, norm, row_norm, theta, offset, extra, k, rival, values,
      indices, low, high, constant, limbs, numbers, e):  # fmt: skip
    m = y * rounded_score(
        norm * row_norm, theta, offset, k, rival, values, indices, low, high, limbs
    )
    if not m < rule.threshold:
        return False
    step = theta.dtype.type(size * (rule.threshold - m))
    numbers[e, 0] = step if y > 0 else -step
    return step != 0.0


class Gentle(Rule):
    """A step that shrinks with the margin."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "eta": [Interval(Real, 0, None, closed="neither")],
        "margin": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(self, eta: float = 0.25, margin: float = 0.5) -> None:
        self.eta = eta
        self.margin = margin

    def told(self) -> Any:
        return GentleRule(float(self.eta), float(self.margin))

    def noted(self) -> dict[str, Any]:
        eta, margin = float(self.eta), float(self.margin)
        return {"rule": "gentle", "margin": margin, "ties": "correct", "eta": eta}


def gentle_step(y, side, score, x, weight, fit_intercept):
    missing = 0.5 - y * float(score)
    return 0.25 * weight * missing if missing > 0 else None


# ---------------------------------------------- a step of its own for each feature


@declared("eta0", extra=(Extra("squares", 1.0, "mean"),))
class AdaptiveRule(NamedTuple):
    """The perceptron with the steps of AdaGrad (Duchi, Hazan and Singer 2011).

    If y s <= threshold: q_j <- q_j + x_j^2, then theta_j <- theta_j + size y x_j / sqrt(q_j), in
    float64, rounded to theta's type at last; q starts at 1.
    """

    size: float
    threshold: float


@asks.of(AdaptiveRule)
def _(rule, y, side, size, score, error, norm, row_norm, theta, offset, extra, k, rival, values,
      indices, low, high, constant, limbs, numbers, e):  # fmt: skip
    sign = dot_sign(theta, offset, k, rival, values, indices, low, high, y, rule.threshold, limbs)
    if sign > 0:
        return False
    numbers[e, 0] = size if y > 0 else -size
    return True


@update.of(AdaptiveRule)
def _(rule, theta, offset, extra, sums, offset_sums, k, sign, values, indices, low, high, constant,
      limbs, numbers, e, count):  # fmt: skip
    squares, offset_squares = extra
    step = sign * np.float64(numbers[e, 0])
    grown = 0.0
    for p in range(low, high):
        j = p - low if indices is None else indices[p]
        x = np.float64(values[p])
        squares[k, j] += x * x
        old = theta[k, j]
        theta[k, j] = np.float64(old) + step * x / math.sqrt(squares[k, j])
        grown += square_gained(old, theta[k, j])
        if sums is not None:
            sums[k, j] += count * (np.float64(theta[k, j]) - np.float64(old))
    if constant > 0.0:
        offset_squares[k] += 1.0
        old = offset[k]
        offset[k] = np.float64(old) + step / math.sqrt(offset_squares[k])
        grown += square_gained(old, offset[k])
        if offset_sums is not None:
            offset_sums[k] += count * (np.float64(offset[k]) - np.float64(old))
    return grown


class Adaptive(Rule):
    """Its face."""

    _parameter_constraints: ClassVar = {}

    def told(self):
        return AdaptiveRule(0.5, 0.0)

    def noted(self):
        return {"rule": "adaptive", "margin": 0.0, "ties": "mistake", "eta": 0.5}


def adaptive_step(y, side, score, x, weight, fit_intercept):
    return 0.5 * weight if y * score <= 0 else None


def adaptive_move():
    """An update as a paper writes it; q is remembered from one to the next."""
    q = {}

    def move(theta, offset, x, step, fit_intercept):
        dtype, new = theta.dtype.type, []
        for j, v in enumerate([*x, float(fit_intercept)]):
            q[j] = q.get(j, 1.0) + float(v) * float(v)
            old = float(theta[j]) if j < len(x) else float(offset)
            new.append(dtype(old + float(step) * float(v) / math.sqrt(q[j])))
        return np.array(new[:-1], theta.dtype), new[-1]

    return move


# --------------------------------------------------------------------------- checks

TOYS = {
    "gentle": (Gentle(), gentle_step, lambda: added),
    "adaptive": (Adaptive(), adaptive_step, adaptive_move),
}


def rows(dtype, n_classes=2, seed=3):
    """Small numbers, many zeros, some rows that contradict each other."""
    random = np.random.RandomState(seed)
    X = (random.randint(-4, 5, (40, 3)) * (random.rand(40, 3) < 0.7) / 2).astype(dtype)
    y = random.randint(n_classes, size=40)
    easy = random.rand(40) < 0.7
    y[easy] = np.clip(np.rint(X[easy, 0]) + 1, 0, n_classes - 1)
    return X, y


@pytest.mark.parametrize("dtype", [np.float64, pytest.param(np.float32, marks=compiling)])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("toy", [pytest.param("gentle", marks=compiling), "adaptive"])
@pytest.mark.parametrize("form", [pytest.param(np.asarray, marks=compiling), sp.csr_array])
@pytest.mark.parametrize(
    "keep", ["mean", *(pytest.param(each, marks=compiling) for each in ("last", "vote", "pocket"))]
)
def test_every_keeper_equals_a_plain_loop(keep, form, toy, fit_intercept, dtype):
    rule, step, move = TOYS[toy]
    X, y = rows(dtype)
    weights = np.resize([1.0, 0.5, 2.0], len(y))
    oracle = Run(
        X, 2 * y - 1, kind="shuffled", epochs=3, seed=0, fit_intercept=fit_intercept,
        weights=weights, rule=step, move=move(),
    )  # fmt: skip

    clf = OnlineClassifier(rule, keep=keep, max_iter=3, fit_intercept=fit_intercept)
    clf.fit(form(X), y, sample_weight=weights)
    assert clf.n_mistakes_ == oracle.n_wrong
    match keep:
        case "last":
            same(clf.coef_[0], oracle.last[0])
            same(clf.intercept_[0], oracle.last[1])
        case "mean":
            same(clf.coef_[0], oracle.mean[0])
            same(clf.last_coef_[0], oracle.last[0])
        case "vote":
            same(clf.survival_times_[0], oracle.survival())
            same(clf.decision_function(X), np.array([oracle.vote(x) for x in X], float))
        case "pocket":
            same(clf.coef_[0], oracle.pocket(weights)[0])


@compiling
@pytest.mark.parametrize("keep", ["last", "mean", "vote"])
@pytest.mark.parametrize("scheme", ["ovr", "ovo"])
@pytest.mark.parametrize("toy", TOYS)
def test_batches_late_classes_and_streams_are_one_epoch(toy, scheme, keep):
    X, y = rows(np.float64, n_classes=3)
    y = np.sort(y)  # a class shows up when the ones before it are done with
    clf = OnlineClassifier(TOYS[toy][0], keep=keep, multi_class=scheme, order="cyclic", max_iter=1)
    whole = clone(clf).fit(X, y)
    batches = [(X[i:j], y[i:j]) for i, j in pairwise([0, 3, 17, 18, 40])]
    pieces = clone(clf)
    for number, (X_part, y_part) in enumerate(batches):
        pieces.partial_fit(sp.csr_array(X_part) if number % 2 else X_part, y_part)
    for other in (pieces, fit_stream(clone(clf), batches), clone(clf).fit(sp.csr_array(X), y)):
        same(other.decision_function(X), whole.decision_function(X))
        same(other.n_updates_, whole.n_updates_)


@compiling
@pytest.mark.parametrize("toy", TOYS)
def test_joint_classes_move_two_weight_vectors(toy):
    """Of the class y towards the row, of the strongest other away from it."""
    X, y = rows(np.float64, n_classes=3)
    rule, step, move = TOYS[toy]
    moves = [move() for _ in range(3)]
    theta, offset = np.zeros((3, 3)), np.zeros(3)
    for x, label in zip(X, y, strict=True):
        scores = [
            Fraction(float(b)) + sum(Fraction(float(t)) * Fraction(float(v)) for t, v in
            zip(w, x, strict=True)) for w, b in zip(theta, offset, strict=True)
        ]  # fmt: skip
        rival = max((r for r in range(3) if r != label), key=lambda r: (scores[r], -r))
        size = step(1, 1, scores[label] - scores[rival], x, 1.0, True)
        if size is not None:
            for k, sign in ((label, 1.0), (rival, -1.0)):
                theta[k], offset[k] = moves[k](theta[k], offset[k], x, sign * size, True)
    for data in (X, sp.csr_array(X)):
        clf = OnlineClassifier(rule, multi_class="joint", order="cyclic", max_iter=1)
        same(clf.fit(data, y).coef_, theta)
        same(clf.intercept_, offset)


@compiling
def test_a_warm_start_takes_what_the_rule_keeps_along():
    X, y = rows(np.float64)
    told = {"order": "cyclic", "warm_start": True, "fit_intercept": False}
    warm = OnlineClassifier(Adaptive(), max_iter=1, **told).fit(X, y)
    first = warm.coef_.copy()
    whole = OnlineClassifier(Adaptive(), max_iter=2, **told).fit(X, y)
    np.testing.assert_array_equal(warm.fit(X, y).coef_, whole.coef_)
    assert (first != whole.coef_).any()


@compiling
def test_a_trace_ends_where_the_run_does_and_knows_no_formula():
    X, y = rows(np.float64)
    trace = OnlineClassifier(Gentle(), record_trace=True).fit(X, y).trace_
    same(trace.final[0], OnlineClassifier(Gentle()).fit(X, y).coef_[0])
    assert (
        "Update (gentle): θ ← θ + τ·y·x, θ₀ ← θ₀ + τ·y, with the rule's own τ." in trace.markdown()
    )


def test_a_trace_of_an_update_that_it_could_not_replay_is_refused():
    X, y = rows(np.float64)
    with pytest.raises(ValueError, match=r"record_trace=True with rule=… is not possible"):
        OnlineClassifier(Adaptive(), record_trace=True).fit(X, y)


def test_the_page_for_contributors_shows_the_rule_of_this_file():
    page = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text()
    section = page.partition("## Add a rule")[2].partition("\n## ")[0]
    own = Path(__file__).read_text()
    shown = [dedent(block) for block in re.findall(r" *```python\n(.*?) *```", section, re.DOTALL)]
    parts = [part for block in shown for part in re.split(r"\n{3}(?=@|class|def)", block.strip())]
    assert len(parts) == 4
    imports, *rest = parts
    assert all(line in own for line in rest)
    assert all(re.search(rf"\b{name}\b", own) for name in re.findall(r"\w+", imports))
