"""Do logistic estimates exist? Exact answers against the float linear program of firthmodels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

import novikoff
from benchmarks import data, questions
from benchmarks.lines import Line, at_most, versus
from benchmarks.timing import in_turns

Rows = tuple[np.ndarray, np.ndarray]


def tasks(repeat: int) -> dict[str, Callable[[], Line]]:
    """What is measured, in `repeat` turns each."""
    lines: dict[str, Callable[[], Line]] = {
        f"estimates exist? {name}": partial(against_firthmodels, *how, repeat)
        for name, how in AGAINST.items()
    }
    lines["separability, 1 000 000 x 30, one label flipped"] = flipped
    lines["separability with core, 11 055 x 68 binary columns"] = phishing
    lines["separability with core, panel of 1 000 000 rows"] = fixed_effects
    if (data.FOLDER / "mnist").exists():
        lines["separability with core, MNIST 8 against the rest"] = eight
    return lines


def overlapping(n: int, d: int) -> Rows:
    """Gaussian features, labels drawn from a logistic model."""
    random = np.random.RandomState(0)
    X = random.standard_normal((n, d))
    scores = X @ (2.0 * random.standard_normal(d) / np.sqrt(d))
    return X, (random.random_sample(n) < 1.0 / (1.0 + np.exp(-scores))).astype(int)


def quasi_separated(n: int, d: int) -> Rows:
    """The same, with two dummies that each occur in 15 rows of one class only."""
    X, y = overlapping(n, d - 2)
    dummies = np.zeros((n, 2))
    for side in (0, 1):
        dummies[np.flatnonzero(y == side)[:15], side] = 1.0
    return np.hstack([X, dummies]), y


def separable(n: int, d: int) -> Rows:
    """Gaussian features, labels the sides of a hyperplane that comes close to many rows."""
    random = np.random.RandomState(0)
    X = random.standard_normal((n, d))
    return X, (X @ random.standard_normal(d) > 0.0).astype(int)


def binary_columns(n: int, d: int) -> Rows:
    """Dummies of two or three levels each, correlated as those of the phishing data are."""
    random = np.random.RandomState(0)
    common, columns = random.standard_normal(n), []
    while sum(block.shape[1] for block in columns) < d:
        levels = random.randint(2, 4)
        share = 1.0 / (1.0 + np.exp(-random.uniform(0.2, 1.0) * common - random.standard_normal()))
        drawn = levels * (0.6 * random.random_sample(n) + 0.4 * share)
        columns.append(np.eye(levels)[drawn.astype(int)])
    X = np.hstack(columns)[:, :d]
    scores = X @ (0.5 * random.standard_normal(d))
    chance = 1.0 / (1.0 + np.exp(scores.mean() - scores - 2.0 * common))
    return X, (random.random_sample(n) < chance).astype(int)


def panel(n: int, levels: tuple[int, ...], zeros: int) -> tuple[sp.csr_array, np.ndarray]:
    """Counts with dummies of several factors and five regressors, as Poisson regression has it.

    The first `zeros` firms never count anything; rows with a count are entered on both sides.
    """
    random = np.random.RandomState(0)
    codes = [random.randint(0, count, n) for count in levels]
    dummies = [
        sp.csr_array((np.ones(n), code, np.arange(n + 1)), shape=(n, count))
        for code, count in zip(codes, levels, strict=True)
    ]
    regressors = random.standard_normal((n, 5))
    counts = random.poisson(np.exp(0.3 * regressors[:, 0])) * (codes[0] >= zeros)
    X = sp.hstack([*dummies, sp.csr_array(regressors)], format="csr")
    both = np.flatnonzero(counts)
    y = np.concatenate([counts > 0, np.zeros(len(both), bool)])
    return sp.vstack([X, X[both]], format="csr"), y


# The data, whether coefficients are judged too, the verdict, and how many times as fast.
AGAINST: dict[str, tuple[Callable[[], Rows], bool, str, float]] = {
    "overlapping 20 000 x 30": (partial(overlapping, 20_000, 30), True, "overlapping", 10.0),
    "overlapping 20 000 x 100": (partial(overlapping, 20_000, 100), True, "overlapping", 10.0),
    "quasi-separated 20 000 x 100": (
        partial(quasi_separated, 20_000, 100), True, "quasi-separable", 2.0,
    ),
    "separable 20 000 x 100": (partial(separable, 20_000, 100), False, "separable", 5.0),
    "endometrial, 79 x 3": (questions.endometrial, True, "quasi-separable", 1.0),
}  # fmt: skip


def against_firthmodels(
    load: Callable[[], Rows], core: bool, verdict: str, required: float, repeat: int
) -> Line:
    """Times as fast as firthmodels; a verdict that is wrong or not proved counts as not met."""
    from firthmodels import detect_separation

    X, y = load()
    ask = partial(novikoff.separability, X, y, core=core)
    found = ask()  # compiles
    line = versus(
        "firthmodels", required, in_turns(ask, partial(detect_separation, X, y), repeat=repeat)
    )
    line["met"] = line["met"] and found.verdict == verdict and found.verify(X, y)
    return line


def _within(X: Any, y: np.ndarray, core: bool, verdict: str, limit: float) -> Line:
    """Seconds of one answer, which at the limit is "undecided"."""
    novikoff.separability(X[:200], y[:200])  # compiles
    answers = []
    ask = partial(novikoff.separability, X, y, core=core, time_limit=limit)
    (seconds,) = in_turns(lambda: answers.append(ask()), repeat=1)[0]
    line = at_most(answers[0].verdict, limit, float(seconds), "s")
    line["met"] = line["met"] and answers[0].verdict == verdict and answers[0].verify(X, y)
    return line


def flipped() -> Line:
    """Separable but for the label of one row, far from the boundary."""
    X, y = separable(1_000_000, 30)
    y[np.argmax(X @ np.linalg.lstsq(X[:10_000], y[:10_000] - 0.5)[0])] = 0
    return _within(X, y, False, "overlapping", 5.0)


def phishing() -> Line:
    return _within(*binary_columns(11_055, 68), True, "overlapping", 1.0)


def fixed_effects() -> Line:
    X, y = panel(1_000_000, (10_000, 100, 20), 30)
    return _within(X, y, True, "quasi-separable", 60.0)


def eight() -> Line:
    X, y, _ = data.mnist()
    return _within(X, (y == 8).astype(int), True, "quasi-separable", 300.0)
