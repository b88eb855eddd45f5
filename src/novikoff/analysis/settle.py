"""Whether rows are separable, how widely, or which rows forbid it, asked with a deadline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from novikoff.analysis.sources import narrowed
from novikoff.analysis.worker import FEW_NUMBERS, Here, Worker

MODULE = "novikoff.analysis.settle"
SECONDS = 5.0  # that `novikoff fit` waits for the answer
LARGE = 1_000_000  # numbers; what is asked of more is compiled before the time is taken


@dataclass
class Settled:
    """What was found out in time; None where it was not."""

    separable: bool | None = None
    obstructed: str | None = None  # the class that cannot be separated
    margin: float | None = None
    radius: float | None = None
    gamma: float | None = None  # in the space of the run, where the offset is a coordinate
    bound: float | None = None


def somebody(n_numbers: int, *, sparse: bool) -> Worker | Here:
    """Who will be asked about so many numbers. Another process gets ready meanwhile."""
    if n_numbers <= FEW_NUMBERS:
        return Here()
    worker = Worker()
    worker.prepare(MODULE, sparse=sparse, large=n_numbers > LARGE)
    return worker


def settle(
    worker: Worker | Here,
    X: Any,
    y: Any,
    *,
    fit_intercept: bool,
    separable: bool,
    seconds: float = SECONDS,
) -> Settled:
    """Wait for answers that long; `separable` says that a run has found a separator itself."""
    found = Settled(separable=True if separable else None)
    if not worker.ready():
        return found
    if hasattr(X, "indptr"):
        X, _ = narrowed(X)
    worker.ask(
        MODULE, X, y, seconds=seconds, fit_intercept=fit_intercept, known=separable, every=False,
        bound=True,
    )  # fmt: skip
    for answer in worker.answers(seconds):
        if answer.get("verdict", "separable") != "separable":
            found.separable, found.obstructed = False, answer["class"]
        for name in ("separable", "margin", "radius", "gamma", "bound"):
            if name in answer:
                setattr(found, name, answer[name])
    return found


# ------------------------------------------------------------------- the other process


def get_ready(sparse: bool, large: bool = False) -> None:
    """Load everything; compile it, on four points that can be separated and four that cannot."""
    import numpy as np
    import scipy.sparse as sp

    from novikoff import max_margin, mistake_bound, separability
    from novikoff._jit import compiling_at_once

    X: Any = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    if sparse:
        X = sp.csr_array(X)
    with compiling_at_once(large):
        separability(X, [0, 0, 1, 1])
        max_margin(X, [0, 1, 1, 1])
        mistake_bound(X, [0, 1, 1, 1])


def answer(X: Any, codes: Any, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """First the verdicts (one for two classes, else one per class against the rest), then margins.

    question : fit_intercept; known, whether separability is known already; every, whether to go on
        after a class that cannot be separated; bound, whether to end with the theorem's bound
    """
    from novikoff import max_margin, mistake_bound, separability

    names, intercept = question["classes"], question["fit_intercept"]
    asked = range(len(names)) if len(names) > 2 else (1,)
    apart = list(asked) if question["known"] else []
    for code in () if question["known"] else asked:
        found = separability(X, codes == code, fit_intercept=intercept)
        told: dict[str, Any] = {"class": names[code], "verdict": found.verdict}
        if found.obstruction is not None:
            told["rows"] = found.obstruction.rows.tolist()
            told["weights"] = [str(weight) for weight in found.obstruction.weights]
        else:
            apart.append(code)
        yield told
        if found.obstruction is not None and not question["every"]:
            return
    if len(apart) == len(asked):
        yield {"separable": True}
    for code in apart if question["every"] or len(names) == 2 else ():
        widest = max_margin(X, codes == code, fit_intercept=intercept)
        yield {
            "class": names[code],
            "margin": widest.margin,
            "upper_bound": widest.upper_bound,
            "support": widest.support.tolist(),
        }
    if question["bound"] and len(names) == 2 and apart:
        most = mistake_bound(X, codes, fit_intercept=intercept)
        yield {"radius": most.radius, "gamma": most.margin, "bound": most.value}
