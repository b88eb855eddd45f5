"""What is known of the points whatever the algorithm: the verdict, the street, the bound.

It depends on the points and on the offset only, so the last few are remembered: a slider that is
dragged through settings does not ask for them again.
"""

from __future__ import annotations

import math
import re
import warnings
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from novikoff.certificates import MaxMargin, NotSeparableError, Separability
from novikoff.trace import Trace
from novikoff.web.replies import Bound, Line, Obstruction, Proof, Street, Verdict
from novikoff.web.runs import Run

_REMEMBERED = 8
_LONGEST_WEIGHT = 24  # characters


@dataclass(frozen=True)
class Known:
    """What was found out about points of two classes.

    Attributes
    ----------
    separability : of points that no hyperplane separates
    street : the largest margin
    lifted : the largest margin in the space a run takes place in, on (x, 1) with an offset
    trouble : why there is no margin although the points are separable
    """

    separability: Separability | None = None
    street: MaxMargin | None = None
    lifted: MaxMargin | None = None
    trouble: str | None = None


def known(X: NDArray[np.float64], y: NDArray[np.int64], offset: bool) -> Known:
    """Decide, with proof."""
    return _known(X.tobytes(), y.astype(np.int8).tobytes(), offset)


@lru_cache(_REMEMBERED)
def _known(points: bytes, labels: bytes, offset: bool) -> Known:
    from novikoff import max_margin

    X = np.frombuffer(points).reshape(-1, 2)
    y = np.frombuffer(labels, np.int8).astype(np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # an interval a little too wide
        try:
            street = max_margin(X, y, fit_intercept=offset)
            if not offset:
                return Known(street=street, lifted=street)
            lifted = max_margin(np.hstack([X, np.ones((len(X), 1))]), y, fit_intercept=False)
            return Known(street=street, lifted=lifted)
        except NotSeparableError as error:
            return Known(separability=error.separability)
        except ValueError as error:  # a margin outside the range of doubles
            return Known(trouble=str(error))


# ----------------------------------------------------------------------------- verdict


def verdict(run: Run, found: Known | None) -> Verdict:
    """Whether a line separates the points, and what that rests on."""
    offset = run.settings.offset
    if found is None:
        missing = [sign for sign, label in (("+", 1), ("−", -1)) if label not in run.y]
        if len(missing) == 2:
            return Verdict(kind="empty", offset=offset, sentence="There are no points yet.")
        sentence = f"All points are of one class; add one of class {missing[0]}."
        return Verdict(kind="one class", offset=offset, sentence=sentence)
    if found.separability is not None:
        return _inseparable(run, found.separability)
    line = "A line" if offset else "A line through the origin"
    if found.street is None:
        sentence = f"{line} separates the points, by a margin too small or large for a double."
        return Verdict(kind="separable", offset=offset, sentence=sentence)
    margin = found.street.margin
    street = Street(
        theta=_pair(found.street.theta), offset=float(found.street.offset), margin=margin,
        support=found.street.support.tolist(),
    )  # fmt: skip
    return Verdict(
        kind="separable", offset=offset, margin=margin, street=street,
        sentence=f"{line} separates the points; the widest street has the margin {margin:.4g}.",
    )  # fmt: skip


def _inseparable(run: Run, found: Separability) -> Verdict:
    offset = run.settings.offset
    line = "line" if offset else "line through the origin"
    obstruction = _obstruction(run, found)
    if found.verdict == "overlapping":
        sentence = f"No {line} separates the points: {_reason(obstruction, offset)}"
        return Verdict(
            kind="overlapping", offset=offset, sentence=sentence, obstruction=obstruction
        )
    assert found.separator is not None
    weak = Line(theta=_pair(found.separator.theta), offset=float(found.separator.offset))
    return Verdict(
        kind="quasi-separable", offset=offset, obstruction=obstruction, weak=weak,
        sentence=f"No {line} separates the points strictly, though one has no point on its wrong "
        f"side (quasi-complete separation): {_reason(obstruction, offset)}",
    )  # fmt: skip


def _reason(obstruction: Obstruction, offset: bool) -> str:
    if obstruction.point is not None:
        x, y = obstruction.point
        return f"({x:.4g}, {y:.4g}) lies in the hulls of both classes."
    n = len(obstruction.rows)
    if offset:
        return f"{n} points prove it."
    if n == 1:
        return "one point is the origin itself."
    return f"weighted and signed by their classes, {n} points add up to zero."


def _obstruction(run: Run, found: Separability) -> Obstruction:
    assert found.obstruction is not None
    rows, weights = found.obstruction.rows, [Fraction(w) for w in found.obstruction.weights]
    sides = run.y[rows]
    point = None
    if run.settings.offset:
        plus = [(w, run.X[r]) for w, r, side in zip(weights, rows, sides, strict=True) if side > 0]
        total = sum((w for w, _ in plus), Fraction(0))
        x, y = (float(sum(w * Fraction(p[j]) for w, p in plus) / total) for j in (0, 1))
        point = (x, y)
    return Obstruction(
        rows=rows.tolist(), weights=_texts(weights),
        positive=rows[sides > 0].tolist(), negative=rows[sides < 0].tolist(), point=point,
    )  # fmt: skip


def _texts(weights: list[Fraction]) -> list[str]:
    """Weights as a person can read them; exact ones may have hundreds of digits."""
    exact = [str(weight) for weight in weights]
    if max(map(len, exact)) <= _LONGEST_WEIGHT:
        return exact
    total = sum(weights, Fraction(0))
    return [f"{float(weight / total):.6g}" for weight in weights]


def _pair(theta: NDArray[Any]) -> tuple[float, float]:
    return float(theta[0]), float(theta[1])


# ------------------------------------------------------------------------------- bound


def bound(run: Run, found: Known | None) -> tuple[Bound, Proof | None]:
    """The theorem's bound beside what happened, and its inequalities at every update."""
    used = run.n_updates
    if found is None:
        return Bound(used=used, reason="It takes points of both classes."), None
    if found.lifted is None:
        reason = found.trouble or "No line separates the points, so mistakes have no bound."
        return Bound(used=used, reason=reason), None
    if run.trace is None:
        reason = "The kernel perceptron runs in the space of its kernel, not in this plane."
        return Bound(used=used, reason=reason), None
    audit = run.trace.audit(max_margin=found.lifted)
    if not audit.covered:
        return Bound(radius=audit.radius, used=used, reason=_sentence(audit.reason)), None
    if audit.bound == math.inf:  # points some 1e-150 apart
        return Bound(used=used, reason="The bound (R/γ)² is too large for a double."), None
    answer = Bound(
        radius=audit.radius, margin=audit.gamma, value=audit.bound, most=math.floor(audit.bound),
        used=used, covered=True,
    )  # fmt: skip
    return answer, _proof(run.trace, audit)


def _proof(trace: Trace, audit: Any) -> Proof | None:
    if not len(trace):
        return None
    k, unit = audit.k, audit.eta**2
    return Proof(
        k=k.tolist(),
        least=(audit.progress_bound**2 / unit).tolist(),
        progress=(audit.progress**2 / unit).tolist(),
        norm=(audit.squared_norm / unit).tolist(),
        most=(audit.squared_norm_bound / unit).tolist(),
        cosine=audit.cosine.tolist(),
        floor=audit.cosine_bound.tolist(),
    )


def _sentence(reason: str | None) -> str:
    """Why there is no bound, without the parameters in brackets: the page has fields for them."""
    text = re.sub(r" \([^()]*\)", "", reason or "")
    return text[:1].upper() + text[1:]
