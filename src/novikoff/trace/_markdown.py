"""A trace as a Markdown table: the run as a student would write it down, arithmetic included."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff._arrays import Array
from novikoff.rules import FORMULAS
from novikoff.trace._parts import RULES

if TYPE_CHECKING:
    from novikoff.trace._trace import Trace

_WIDEST = 6  # vectors with more numbers are abridged
_JOINT_RULES = {
    "mistake": "s of the row's class - s of the other class with the highest ≤ β",
    "sign": "another class has the highest s, of equal ones the first",
    "correct": "s of the row's class - s of the other class with the highest < β",
}
_ENDINGS = {
    "epoch_limit": "At its limit of epochs, without one that made no {}.",
    "early_stopped": "Stopped early, before it had converged.",
}


def markdown(trace: Trace, limit: int | None) -> str:
    """See :meth:`novikoff.trace.Trace.markdown`."""
    shown = len(trace) if limit is None else min(max(limit, 0), len(trace))
    table, weighted = _table(trace, shown)
    lines = [*_introduction(trace, weighted), ""]
    if shown:
        lines += [*table, ""]
    if shown < len(trace):
        lines += [f"… {_count(len(trace) - shown, 'more update')}.", ""]
    return "\n".join([*lines, *_ending(trace), ""])


# ------------------------------------------------------------------------ parts


def _introduction(trace: Trace, weighted: bool) -> list[str]:
    examples = trace.known_examples()
    negative, positive = map(_escaped, trace.classes)
    perceptron, joint = trace.rule == "perceptron", trace.other is not None
    beta, size = number(trace.margin), number(trace.eta) if perceptron else "τ"
    step = f"θ ← θ + {size}·y·x" + f", θ₀ ← θ₀ + {size}·y" * trace.fit_intercept
    if trace.rule in FORMULAS and not joint:
        step += f", with {_definition(trace, weighted=weighted)}"
    elif not perceptron:
        step += ", with the rule's own τ"
    elif weighted:
        step += ", times the example's weight"
    theta = _hypothesis(trace, *trace.hypothesis(0))
    if trace.replacements is not None:
        theta += f" (in the pocket: error {number(trace.replacements.error[0])})"
    return [
        f"**{positive}** (y = +1) against **{negative}** (y = -1): "
        f"{_count(len(examples.used), 'example')}, {_count(len(trace.start_theta), 'feature')}, "
        f"order {trace.order}, rows numbered from 0.",
        "",
        f"{_test(trace).capitalize()}: {_rule(trace)}, with {_score(trace)}"
        + (f" and β = {beta}" if trace.margin and perceptron else "")
        + (" and h = +1 if s ≥ 0, else -1" if trace.ties == "sign" and not joint else "")
        + (f" of each class; y = -1 if {positive} is that other class" if joint else "")
        + f". Update{'' if perceptron else f' ({_escaped(trace.rule)})'}: {step}.",
        "",
        f"Start: {theta}.",
    ]


def _table(trace: Trace, shown: int) -> tuple[list[str], bool]:
    """(the lines, whether the steps of some of them take the weight of an example)."""
    joint, pocketed = trace.other is not None, trace.replacements is not None
    plain = trace.ties == "sign" or joint
    after = "s after" if plain else "y·s after"
    test = _score(trace) if joint else f"{_test(trace)}: {_rule(trace)}"
    aggressive = trace.rule in FORMULAS and not joint
    heads = [
        "k", "epoch", "t", "row", "y", test, *["τ"] * aggressive, "update", after,
        *["other class"] * joint, *["pocket"] * pocketed,
    ]  # fmt: skip
    texts = ("τ", "update", test, "other class", "pocket")
    weighted = trace.rule == "perceptron" and _weighted(trace)
    pocket = {}
    if trace.replacements is not None:
        pocket = dict(zip(*map(np.ndarray.tolist, trace.replacements), strict=True))
    _, thetas, offsets = next(trace.blocks(shown + 1))
    scores = trace.first_scores(shown)
    X = trace.known_examples().X[trace.row[:shown]]
    X = X if isinstance(X, np.ndarray) else X.tocsr()
    lines = [_line(heads), _line([":--" if head in texts else "--:" for head in heads])]
    for e in range(shown):
        x = X[e] if isinstance(X, np.ndarray) else X[[e]].toarray()[0]
        arithmetic, own = _tau(trace, e, x, scores[0, e]) if aggressive else ("", False)
        weighted = weighted or own
        cells = [
            *(str(column[e]) for column in (trace.k, trace.epoch, trace.t, trace.row)),
            f"{trace.y[e]:+d}",
            _mistake(trace, e, thetas[e], offsets[e], x, scores[0, e]),
            *[arithmetic] * aggressive,
            _update(trace, e, thetas[e : e + 2], offsets[e : e + 2], x),
            number(scores[1, e] * (1 if plain else trace.y[e])),
        ]
        if trace.other is not None:
            cells.append(_escaped(trace.other[e]))
        if pocketed:
            cells.append(f"in: error {number(pocket[e + 1])}" if e + 1 in pocket else "")
        lines.append(_line(cells))
    return lines, weighted


def _mistake(trace: Trace, e: int, theta: Array, offset: Any, x: Array, score: float) -> str:
    """Why update e happened: the score, and how it compares."""
    y = int(trace.y[e])
    places = _places(len(theta))
    terms = [(number(theta[j]), number(x[j])) for j in places]
    total = sum(Fraction(a) * Fraction(b) for a, b in terms)
    texts = [f"{bracketed(a)}·{bracketed(b)}" for a, b in terms]
    if len(places) < len(theta):
        texts.insert(-1, "…")
    if trace.fit_intercept:
        texts.append(bracketed(number(offset)))
        total += Fraction(number(offset))
    if len(places) < len(theta):  # a whole score is not rounded
        exact = _whole(theta) and _whole(x) and _whole(offset) and abs(score) <= 2.0**53
    else:
        exact = total == Fraction(number(score))
    sign = "=" if exact else "≈"
    if trace.other is not None:  # why is a question about two classes
        return f"{' + '.join(texts)} {sign} {number(score)}"
    if trace.ties == "sign":
        h = 1 if score >= 0 else -1
        compared = "≠" if h != y else "="
        return f"s = {' + '.join(texts)} {sign} {number(score)}, h = {h:+d} {compared} y"
    product, beta = y * score, trace.margin
    if trace.ties == "mistake":
        compared = "≤" if product <= beta else ">"
    else:
        # A score just below the threshold may be printed as the threshold.
        compared = "<" if product < beta or (not exact and product == beta) else "≥"
    result = f"{number(product)} {compared} {number(beta)}"
    return f"{y:+d}·({' + '.join(texts)}) {sign} {result}"


def _update(trace: Trace, e: int, thetas: Array, offsets: Array, x: Array) -> str:
    step = f"{number(abs(trace.step[e]))}·({trace.y[e]:+d})"
    before, after = thetas
    places = _places(len(x))
    exact = all(_adds_up(trace.step[e], before[j], x[j], after[j]) for j in places)
    text = f"θ = {_vector(before)} + {step}·{_vector(x)} {'=' if exact else '≈'} {_vector(after)}"
    if trace.fit_intercept:
        exact = _adds_up(trace.step[e], offsets[0], 1, offsets[1])
        text += f"; θ₀ = {number(offsets[0])} + {step} {'=' if exact else '≈'} {number(offsets[1])}"
    return text


def _definition(trace: Trace, *, weighted: bool) -> str:
    """What tau is; with weights, every example has a C of its own."""
    C = trace.parameters.get("C")
    text = f"τ = {FORMULAS[trace.rule].text('1 - y·s', '‖x̃‖²', 'C')}"
    if C is not None:
        text += f", C = {number(C)}" + " times the example's weight" * weighted
    return text + (", x̃ = (x, 1)" if trace.fit_intercept else ", x̃ = x")


def _tau(trace: Trace, e: int, x: Array, score: float) -> tuple[str, bool]:
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


def _ending(trace: Trace) -> list[str]:
    did = f"{_count(len(trace), 'update')} in {_count(trace.n_epochs, 'epoch')}"
    if trace.status == "separated":
        how = f"Separated: epoch {trace.n_epochs} made no {_what(trace)}"
        how += ", and neither did a pass over all rows." if trace.order == "random" else "."
    else:
        how = _ENDINGS[trace.status].format(_what(trace))
    lines = [f"{how} {did}; {_hypothesis(trace, *trace.final)}."]
    if trace.replacements is not None:
        k, error = int(trace.replacements.k[-1]), number(trace.replacements.error[-1])
        best = _hypothesis(trace, *trace.hypothesis(k))
        lines += ["", f"In the pocket: hypothesis {k}, with error {error}; {best}."]
    return lines


# ---------------------------------------------------------------------- numbers


def number(x: Any) -> str:
    """The shortest text that reads back as the same number in its own type."""
    whole = float(x)
    if whole.is_integer() and abs(whole) < 1e16:
        return str(int(whole))
    return str(x) if isinstance(x, np.floating) else repr(whole)


def bracketed(text: str) -> str:
    return f"({text})" if text.startswith("-") else text


def _places(width: int) -> list[int]:
    return list(range(width)) if width <= _WIDEST else [0, 1, 2, width - 1]


def _vector(v: Iterable[Any]) -> str:
    v = np.asarray(v)
    texts = [number(v[j]) for j in _places(len(v))]
    if len(texts) < len(v):
        texts.insert(-1, "…")
    return f"({', '.join(texts)})"


def _whole(v: Any) -> bool:
    return bool((v == np.floor(v)).all())


def _adds_up(step: Any, old: Any, x: Any, new: Any) -> bool:
    """Whether old + step * x = new, as printed."""
    step, old, x, new = (Fraction(number(v)) for v in (step, old, x, new))
    return bool(old + step * x == new)


# ------------------------------------------------------------------------- text


def _test(trace: Trace) -> str:
    """What the test of a rule is called; only of the perceptron's it is a mistake."""
    return "mistake" if trace.rule == "perceptron" else "test"


def _what(trace: Trace) -> str:
    """What an epoch must not make, for a run to have converged."""
    return "mistake" if trace.rule == "perceptron" else "update"


def _rule(trace: Trace) -> str:
    text = (RULES if trace.other is None else _JOINT_RULES)[trace.ties]
    return text.replace("β", number(trace.margin)).replace("(x)", "")


def _score(trace: Trace) -> str:
    return f"s = θ·x{' + θ₀' * trace.fit_intercept}"


def _weighted(trace: Trace) -> bool:
    return bool((np.abs(trace.step) != trace.step.dtype.type(trace.eta)).any())


def _hypothesis(trace: Trace, theta: Array, offset: Any) -> str:
    return f"θ = {_vector(theta)}" + f", θ₀ = {number(offset)}" * trace.fit_intercept


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" + "s" * (n != 1)


def _escaped(label: str) -> str:
    """A label as Markdown text: nothing in it is markup, and it stays on its line."""
    text = " ".join(label.split()) or "(empty)"
    return re.sub(r"([\\`*_{}\[\]<>()#+\-.!|~&])", r"\\\1", text)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
