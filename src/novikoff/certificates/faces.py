"""Weak separators: how far they reach, and the rows on which all of them vanish.

Let B be rows that span all others. Either -sum_B z is in the cone of the rows; then the rows of B
and those of that combination cancel with positive weights and span everything, so every weak
separator vanishes (Stiemke). Or Farkas' lemma gives a w with w . z >= 0 on every row and > 0 on
some row of B: a weak separator. The rows it is strict on are done with; the question is asked again
of the rows where it is zero, until the first answer comes. A basis has at most D rows and a
combination needs at most D more, which is Steinitz's 2 D.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from flint import fmpq, fmpz

from novikoff._arrays import Floats, Ints
from novikoff.certificates.cones import Cone, Halfspace, Weighted
from novikoff.certificates.data import Labelled, ranges
from novikoff.certificates.linear import Span, Spanned, TooLarge, one_size
from novikoff.certificates.opposites import Opposites
from novikoff.certificates.overlap import regress
from novikoff.certificates.scaled import Scaled, primitive
from novikoff.certificates.sparse import span_of

Range = tuple[Floats, Floats]

SOME = 1000  # rows that are looked at before all are


@dataclass(frozen=True)
class Face:
    """What weak separators can do.

    Attributes
    ----------
    w : a weak separator, strict on every row that is not in `rows`; None if there is none
    rows : the rows on which w is zero
    spanning, span : proof that every weak separator is zero on `rows`; None if they were not asked
        for or there are no such rows
    """

    w: list[fmpz] | None
    rows: Ints
    spanning: Weighted | None
    span: Spanned | None


def weak_separators(scaled: Scaled, important: Ints, opposites: Opposites) -> Iterator[Face]:
    """Weak separators, each reaching further than the one before; the last one is maximal."""
    face = Face(None, np.arange(len(important)), None, None)
    while len(face.rows):
        rows = face.rows
        scaled.data.clock.say(f"features that separate some of {len(rows)} rows by themselves")
        step = one_sided_features(scaled, rows)
        if step is None:
            span = span_of(scaled, rows, important)
            answer = _answer(scaled, rows, important, span, opposites)
            if isinstance(answer, Weighted):
                yield replace(face, spanning=answer, span=span)
                return
            step = answer.w
        face = beyond(scaled, face, step)
        yield face


def _answer(
    scaled: Scaled, rows: Ints, important: Ints, span: Spanned, opposites: Opposites
) -> Weighted | Halfspace:
    """Rows that cancel and span all of `rows`, or a weak separator of them."""
    if len(span.rows) == 0:  # through the origin, rows of zeros: any one spans them
        return Weighted([int(rows[0])], [fmpq(1)])
    pairs = opposites.beside(span.rows) or _opposed(scaled, rows, span, opposites)
    if pairs is not None:
        return Weighted(pairs, [fmpq(1)] * len(pairs))
    if not isinstance(span, Span):
        raise TooLarge(
            f"How {len(rows)} rows overlap in {scaled.dimension} columns is a question for dense "
            "exact arithmetic, and that is too many."
        )
    answer = None if scaled.data.few else regress(scaled, rows, span)
    if answer is None:
        answer = Cone(scaled, rows, important).holds(minus_sum(span))
        if isinstance(answer, Weighted):
            answer = _together(span, answer)
    return answer


def _opposed(scaled: Scaled, rows: Ints, span: Spanned, opposites: Opposites) -> list[int] | None:
    """Rows that span as much as all do, and their opposites; None if not all are known."""
    both = np.intersect1d(rows, opposites.rows, assume_unique=True)
    if len(both) < len(span.rows):
        return None
    own = span_of(scaled, both, both)
    return opposites.beside(own.rows) if len(own.rows) == len(span.rows) else None


def beyond(scaled: Scaled, face: Face, step: list[fmpz]) -> Face:
    """The face left open when w is joined by a weak separator of the rows on which it is zero."""
    done = scaled.data.others(face.rows)
    w = step if face.w is None else _combined(scaled, face.w, step, done)
    return Face(w, face.rows[scaled.signs(step, face.rows) == 0], None, None)


def minus_sum(span: Span) -> list[int]:
    """-sum c_i z_i over the rows of the span in integers; c_i > 0 brings z_i to one size."""
    units = one_size(span.integers)
    return [
        -sum(row[j] * unit for row, unit in zip(span.integers, units, strict=True))
        for j in range(span.dimension)
    ]


def _together(span: Span, answer: Weighted) -> Weighted:
    """The rows of the span with the weights of `minus_sum`, and those that cancel them."""
    own = Weighted.of(span.rows, one_size(span.integers), span.exponents)
    weights = dict(zip(own.rows, own.weights, strict=True))
    for row, weight in zip(answer.rows, answer.weights, strict=True):
        weights[row] = weights.get(row, fmpq(0)) + weight
    return Weighted(list(weights), list(weights.values()))


def _combined(scaled: Scaled, w: list[fmpz], step: list[fmpz], done: Ints) -> list[fmpz]:
    """M w + step with M large enough to be strict on the rows `done`, on which w is."""
    before, after = scaled.scores(scaled.doubles(w)), scaled.scores(scaled.doubles(step))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = float(np.nanmax(-after[done] / before[done], initial=1.0))
    largest = max(abs(x) for x in step) // max(abs(x) for x in w) + 1
    factor = largest * fmpz(int(min(2 * ratio + 2, 1e300)))
    while True:
        both = [factor * x + s for x, s in zip(w, step, strict=True)]
        if (scaled.signs(both, done) > 0).all():
            return primitive(both)
        factor *= 2


def one_sided_features(scaled: Scaled, rows: Ints) -> list[fmpz] | None:
    """The sum of all weak separators of `rows` that look at one feature only, if there are any.

    A word that occurs, or a pixel that is lit, in one class only is enough.
    """
    data = scaled.data
    y = data.y[rows]
    if (y > 0).all() or (y < 0).all() or _some_refute(data, rows, y):
        return None
    (low, top), (bottom, high) = _ranges(data, rows, y)
    vary = np.minimum(low, bottom) < np.maximum(top, high)
    theta: list[Fraction] = [Fraction(0)] * data.shape[1]
    offset = Fraction(0)
    for sign, below, above in ((1, top, bottom), (-1, -low, -high)):
        # sign * x_j is at most `below` in class -1 and at least `above` in class +1.
        fits = (below <= above) & vary
        if not data.fit_intercept:
            fits &= (below <= 0) & (above >= 0)
        for j in np.flatnonzero(fits).tolist():
            threshold = Fraction(0)
            if data.fit_intercept:
                threshold = (Fraction(float(below[j])) + Fraction(float(above[j]))) / 2
            unit = sign * Fraction(2) ** -int(scaled.column_exponents[j])
            theta[j] += unit
            offset -= sign * unit * threshold
    if not any(theta):
        return None
    return scaled.integral([*theta, offset] if data.fit_intercept else theta)


def _some_refute(data: Labelled, rows: Ints, y: Ints) -> bool:
    """Whether a few of the rows are enough to know that no feature separates any by itself."""
    step = len(rows) // SOME + 1
    rows, y = rows[::step], y[::step]
    if step == 1 or (y > 0).all() or (y < 0).all():
        return False
    (low, top), (bottom, high) = _ranges(data, rows, y)
    return bool(((top > bottom) & (high > low)).all())


def _ranges(data: Labelled, rows: Ints, y: Ints) -> tuple[Range, Range]:
    """The smallest and the largest value of every column, on either side."""
    return ranges(data.X[rows[y < 0]]), ranges(data.X[rows[y > 0]])
