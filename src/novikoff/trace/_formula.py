"""The numbers of an update and its step, as a student would write them down."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff._arrays import Array
from novikoff.rules import FORMULAS

if TYPE_CHECKING:
    from novikoff.trace._trace import Trace


def number(x: Any) -> str:
    """The shortest text that reads back as the same number in its own type."""
    whole = float(x)
    if whole.is_integer() and abs(whole) < 1e16:
        return str(int(whole))
    return str(x) if isinstance(x, np.floating) else repr(whole)


def bracketed(text: str) -> str:
    return f"({text})" if text.startswith("-") else text


def definition(trace: Trace, *, weighted: bool) -> str:
    """What tau is; with weights, every example has a C of its own."""
    C = trace.parameters.get("C")
    text = f"τ = {FORMULAS[trace.rule].text('1 - y·s', '‖x̃‖²', 'C')}"
    if C is not None:
        text += f", C = {number(C)}" + " times the example's weight" * weighted
    return text + (", x̃ = (x, 1)" if trace.fit_intercept else ", x̃ = x")


def tau(trace: Trace, e: int, x: Array, score: float) -> tuple[str, bool]:
    """(the arithmetic of the step of update e, whether it takes the example's weight)."""
    formula, C, step = FORMULAS[trace.rule], trace.parameters.get("C"), abs(trace.step[e])
    m = int(trace.y[e]) * float(score)
    squares = [Fraction(float(v)) ** 2 for v in x if v]
    length = float(sum(squares, Fraction(int(trace.fit_intercept))))
    weighted = bool(step.dtype.type(formula.value(1 - m, length, C)) != step)
    # From here on with the numbers as they are printed.
    cap = "C" if weighted else "" if C is None else number(C)
    square, missing = number(length), f"1 - {bracketed(number(m))}"
    printed = None if C is None else Fraction(number(C))
    value = formula.value(1 - Fraction(number(m)), Fraction(square), printed)
    sign = "=" if not weighted and Fraction(number(step)) == value else "≈"
    return f"{formula.text(missing, square, cap)} {sign} {number(step)}", weighted
