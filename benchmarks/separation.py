"""Separability and margins: their time, and what floating point alone would have said."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import linprog
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import novikoff
from benchmarks import data, questions
from benchmarks.lines import Line


def tasks() -> dict[str, Callable[[], Line]]:
    """What is measured; questions whose data is not there are left out."""
    lines: dict[str, Callable[[], Line]] = {
        f"separability, {question.name}": partial(answer, question)
        for question in questions.questions()
        if question.available
    }
    for name, (path, load) in MARGINS.items():
        if (data.FOLDER / path).exists():
            lines[f"max margin, {name}"] = partial(margin, load)
    lines["separability, MNIST 0 against 1, HiGHS alone"] = against_highs
    lines["separability, 60 sets of known truth, slowest"] = known_truth
    return lines


def cancer() -> tuple[np.ndarray, np.ndarray]:
    """Breast cancer Wisconsin (wdbc), standardised; it ships with scikit-learn."""
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X), y


MARGINS: dict[str, tuple[str, Callable[[], tuple[Any, np.ndarray]]]] = {
    "iris, setosa": ("small/iris.csv", lambda: questions.iris("setosa")),
    "sonar": ("small/sonar.csv", questions.sonar),
    "wdbc, standardised": ("", cancer),
    "MNIST, 0 against 1": ("mnist", questions.zero_one),
}


def margin(load: Callable[[], tuple[Any, np.ndarray]]) -> Line:
    """Times as fast as a support vector machine; its margin must not exceed the upper bound."""
    X, y = load()
    X = np.asarray(X, float)
    novikoff.max_margin(X, y)  # compiles
    began = time.perf_counter()
    result = novikoff.max_margin(X, y)
    mine = time.perf_counter() - began
    began = time.perf_counter()
    svc = SVC(kernel="linear", C=1e10).fit(X, y)
    peer = time.perf_counter() - began
    sides = np.where(y == svc.classes_[1], 1, -1)
    reached = novikoff.Hyperplane.from_estimator(svc).margin(X, sides)
    share = reached / result.upper_bound
    return {
        "against": f"SVC, reaching {share:.7f}", "required": None, "value": peer / mine,
        "unit": "x", "seconds": mine, "peer_seconds": peer,
        "met": bool(result.verify(X, y) and reached <= result.upper_bound),
    }  # fmt: skip


def answer(question: questions.Question) -> Line:
    """The time of one answer; a wrong one counts as not met."""
    X, y = question.load()
    core = question.strict_rows is not None
    novikoff.separability(X[:100], y[:100]) if len(set(y[:100].tolist())) == 2 else None  # compiles
    began = time.perf_counter()
    result = novikoff.separability(X, y, core=core)
    seconds = time.perf_counter() - began
    right = result.verdict == question.verdict and result.verify(X, y)
    if core:
        right &= X.shape[0] - len(result.overlap_rows) == question.strict_rows
    return {
        "against": result.verdict, "required": question.seconds, "value": seconds, "unit": "s",
        "at_most": True, "met": right and seconds <= question.seconds,
    }  # fmt: skip


def highs(X: Any, y: np.ndarray) -> bool:
    """Whether HiGHS alone finds a hyperplane with y s >= 1 on every row."""
    signs = np.where(y == np.unique(y)[1], -1.0, 1.0)
    rows = np.column_stack([np.asarray(X, float), np.ones(len(y))]) * signs[:, None]
    solution = linprog(
        np.zeros(rows.shape[1]), A_ub=rows, b_ub=-np.ones(len(y)), bounds=(None, None),
        method="highs",
    )  # fmt: skip
    return bool(solution.status == 0)


def against_highs() -> Line:
    X, y = questions.zero_one()
    novikoff.separability(X, y)  # compiles
    began = time.perf_counter()
    novikoff.separability(X, y)
    mine = time.perf_counter() - began
    began = time.perf_counter()
    highs(X, y)
    peer = time.perf_counter() - began
    return {
        "against": "HiGHS", "required": 4.5, "value": peer / mine, "unit": "x", "seconds": mine,
        "peer_seconds": peer, "met": peer / mine >= 4.5,
    }  # fmt: skip


def known_truth() -> Line:
    """Seconds of the slowest of 60 sets; the float program's wrong answers are told beside it."""
    slowest, right, fooled = 0.0, True, 0
    for seed in range(20):
        d, n, k = (2, 5, 10, 20)[seed % 4], (100, 500, 2000)[seed % 3], 2 + 2 * seed
        for where, verdict in questions.VERDICT_OF.items():
            X, y = questions.known_truth(d, n, k, where, seed)
            began = time.perf_counter()
            result = novikoff.separability(X, y)
            slowest = max(slowest, time.perf_counter() - began)
            right &= result.verdict == verdict and result.verify(X, y)
            fooled += highs(X, y) != (verdict == "separable")
    return {
        "against": f"HiGHS wrong on {fooled}", "required": 10.0, "value": slowest, "unit": "s",
        "at_most": True, "met": right and slowest <= 10.0,
    }  # fmt: skip
