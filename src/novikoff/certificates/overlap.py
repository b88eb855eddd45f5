"""Overlap, proved by the residuals of a logistic regression on a few rows.

At the estimate sum_i p_i z_i = 0 with every residual p_i positive (:mod:`novikoff.certificates.
newton`). Floats find rows among them, one more than the rank, that cancel as well (`vertex`); one
exact solve gives their weights. Where that fails, the residuals are rounded to 20 bits, and those
of independent rows with large ones, as many as the rank, are corrected by one exact solve: they
stay positive because the correction is small. Rows that cancel and span the others prove that no
weak separator is nonzero on any (Stiemke).

Where the regression has no estimate, its direction is a candidate for a separator, and the rows
whose residuals vanish are a guess at those a weak one can be strict on. A candidate is checked on
all rows exactly; those that refute it join the few.
"""

from __future__ import annotations

import numpy as np
from flint import fmpq, fmpz_mat

from novikoff._arrays import Floats, Ints
from novikoff.certificates.clock import Clock
from novikoff.certificates.cones import Halfspace, Weighted
from novikoff.certificates.linear import (
    Quotient,
    Span,
    independent,
    one_size,
    pivot_coordinates,
    rounded,
    weigh,
)
from novikoff.certificates.newton import Fit, logistic
from novikoff.certificates.scaled import Scaled
from novikoff.geometry.sparse import dense

SAMPLE = 6  # rows to begin with, times the rank
MOST = 8  # rows of a proof, times the dimension
ROUNDS = 30
NEWTON = 20  # passes over the products of all columns that a regression takes, about
BITS = 20  # of a residual
VANISHED = (2.0**-60, 2.0**-20)  # relative to the largest residual; the first if that leads on
COVER = 10  # rows in which each column has a value, if there are so many
LARGEST = 2**25  # floats that a regression is made of, at most
DEPENDENT = 1e-11  # of the largest: what a row adds to the span of others, if it is rounding errors
NEGLIGIBLE = 1e-9  # of the largest weight: too little to be told from rounding errors


def regress(scaled: Scaled, within: Ints, span: Span) -> Weighted | Halfspace | None:
    """Rows that cancel and span all of `within`, a weak separator of them, or None: no answer."""
    rank = len(span.rows)
    if SAMPLE * rank * rank > LARGEST:
        return None
    sample = _sample(scaled, within, span)
    for _ in range(ROUNDS):
        if len(sample) * rank > LARGEST:
            return None
        fit = _fit(scaled, sample)
        if fit.separated:
            w = scaled.integral(scaled.unscaled(fit.w).tolist())
        else:
            guesses = (_cancelling(scaled, sample, fit, rank, vanished) for vanished in VANISHED)
            found = next((guess for guess in guesses if guess is not None), None)
            if found is None or isinstance(found, Weighted):
                return found
            w = found.w
        refuting = scaled.refuting(w, within)
        if len(refuting) == 0:
            return Halfspace(w)
        new = refuting[~scaled.data.among(refuting, sample)]
        if len(new) == 0 or (scaled.data.sparse and not fit.separated):
            return None  # of sparse rows a linear program is sooner known
        sample = np.concatenate([sample, new[:rank]])
    return None


def _fit(scaled: Scaled, rows: Ints) -> Fit:
    clock = scaled.data.clock
    clock.say(f"logistic regression on {len(rows)} rows")
    Z = dense(scaled.floats(rows))
    return clock.apart(NEWTON * Z.size * Z.shape[1], logistic, Z)


def _sample(scaled: Scaled, within: Ints, span: Span) -> Ints:
    """The rows of the span, some in which each column has a value, and others from both sides."""
    if len(within) <= SAMPLE * len(span.rows):
        return within
    random = np.random.RandomState(0)
    sides = scaled.data.y[within]
    drawn = [span.rows]
    for side in (-1, 1):
        rows = within[sides == side]
        half = SAMPLE * len(span.rows) // 2
        drawn.append(random.choice(rows, half, replace=False) if len(rows) > half else rows)
        drawn.append(scaled.covering(rows, COVER, half))
    return np.unique(np.concatenate(drawn))


def _cancelling(
    scaled: Scaled, rows: Ints, fit: Fit, rank: int, vanished: float
) -> Weighted | Halfspace | None:
    """What the residuals prove: the rows with a weight cancel, or leave room for a separator."""
    rounded, kept = _rounded(fit.residuals, vanished)
    Z = dense(scaled.floats(rows[kept]))
    found = _as_few(scaled, rows[kept], vertex(Z, fit.residuals[kept]), rank)
    if found is not None:
        return found
    if len(kept) > MOST * scaled.dimension:
        strongest = kept[np.argsort(-fit.residuals[kept], kind="stable")[: SAMPLE * rank]]
        again = _fit(scaled, rows[strongest])
        if again.separated:
            return None
        return _cancelling(scaled, rows[strongest], again, rank, vanished)
    integers, exponents = scaled.integers(rows[kept])
    order = _by_size(Z * fit.residuals[kept, None])
    basis = _first_independent(integers, order, rank, scaled.data.clock)
    if len(basis) < rank:
        return _beside(scaled, rows, kept)
    weights = _corrected(integers, rounded, basis, scaled.data.clock)
    return None if weights is None else Weighted.of(rows[kept], weights, exponents)


def _as_few(scaled: Scaled, rows: Ints, chosen: Ints | None, rank: int) -> Weighted | None:
    """The rows at the places `chosen`, one more than the rank, if they cancel and span all."""
    if chosen is None or len(chosen) != rank + 1:
        return None
    integers, exponents = scaled.integers(rows[chosen])
    try:
        weights = _corrected(integers, [1] * len(chosen), list(range(rank)), scaled.data.clock)
    except ZeroDivisionError:  # they do not span
        return None
    return None if weights is None else Weighted.of(rows[chosen], weights, exponents)


def _rounded(residuals: Floats, vanished: float) -> tuple[list[int], Ints]:
    """The residuals that have not vanished, times a power of two, and their places."""
    relative = residuals / residuals.max()
    kept = np.flatnonzero(relative > vanished)
    fractions, exponents = np.frexp(relative[kept])
    whole = np.rint(np.ldexp(fractions, BITS)).astype(np.int64).tolist()
    lowest = int(exponents.min())
    return [x << (e - lowest) for x, e in zip(whole, exponents.tolist(), strict=True)], kept


def _by_size(Z: Floats) -> list[int]:
    """The rows of Z, each as far as can be from the span of those before it."""
    from scipy.linalg import qr

    order: list[int] = qr(Z.T, mode="r", pivoting=True, check_finite=False)[1].tolist()
    return order


def _first_independent(
    integers: list[list[int]], order: list[int], rank: int, clock: Clock
) -> list[int]:
    """Independent rows, as many as there are up to `rank`, those first in `order` preferred."""
    coordinates = range(len(integers[0]))
    chosen = order[:rank]
    kept = clock.apart(rank**3, independent, [integers[k] for k in chosen], coordinates)
    if len(kept) < rank:
        chosen, work = order, len(order) * len(coordinates) ** 2
        kept = clock.apart(work, independent, [integers[k] for k in chosen], coordinates)
    return [chosen[k] for k in kept]


def _corrected(
    integers: list[list[int]], rounded: list[int], basis: list[int], clock: Clock
) -> list[fmpq] | None:
    """Weights near `rounded`, those of the rows when brought to one size, that cancel exactly.

    Only those of the rows in `basis` change. None if one of them is not positive, or if the rows do
    not cancel after all.
    """
    weights = [fmpq(x * unit) for x, unit in zip(rounded, one_size(integers), strict=True)]
    for k in basis:
        weights[k] = fmpq(0)
    right = -(fmpz_mat(integers).transpose() * fmpz_mat(len(weights), 1, [w.p for w in weights]))
    chosen = [integers[k] for k in basis]
    coordinates = list(range(len(integers[0])))
    if len(basis) < len(coordinates):
        coordinates = pivot_coordinates(chosen, coordinates)
        if len(coordinates) < len(basis):
            return None
    solution = weigh(chosen, right.entries(), coordinates, clock)
    if len(coordinates) < len(integers[0]):
        total = fmpz_mat(chosen).transpose() * fmpz_mat(len(basis), 1, solution.numerators)
        if total != right * solution.denominator:
            return None
    for k, x in zip(basis, solution.fractions, strict=True):
        if x <= 0:
            return None
        weights[k] = x
    return weights


def _beside(scaled: Scaled, rows: Ints, core: Ints) -> Halfspace | None:
    """A hyperplane through the rows at the positions `core`, with the others strictly on its side.

    The hyperplanes through them are known exactly; a regression over those chooses one.
    """
    beside = Quotient(scaled, Span(scaled, rows[core], rows[core]))
    fit = logistic(beside.floats(np.delete(rows, core)))
    if not fit.separated:
        return None
    return Halfspace(beside.lifted(rounded(fit.w)))


# ------------------------------------------------- as few rows as can cancel, in floats


def vertex(Z: Floats, weights: Floats) -> Ints | None:
    """Of rows that cancel with positive weights, one more than the rank that do so with others.

    In floats (Caratheodory 1911). The weight of one row after the other is lowered to zero while
    those of a basis make up for it; if one of these comes to zero first, the row takes its place.
    The sum of the weights stays as it is, for (z, 1) are what is combined. Returns their numbers,
    the largest weight last; None if floats are too coarse for that.
    """
    from scipy.linalg import qr, solve_triangular

    A = np.column_stack([Z, np.ones(len(Z))]) * weights[:, None]
    R, order = qr(A.T, mode="r", pivoting=True, check_finite=False)
    sizes = np.abs(np.diagonal(R))
    rank = int((sizes > DEPENDENT * sizes[0]).sum())
    basis = order[:rank].copy()
    # T[:, j] is row order[rank + j] as a combination of the basis, all of them times their weights.
    T = np.asfortranarray(solve_triangular(R[:rank, :rank], R[:rank, rank:], check_finite=False))
    with np.errstate(all="ignore"):  # what is not finite ends as weights that are not positive
        shares = _lowered(T, basis, order[rank:])
    found = shares * weights[basis]
    if not found.min() > NEGLIGIBLE * found.max():
        return None
    chosen: Ints = basis[np.argsort(found, kind="stable")]
    return chosen


def _lowered(T: Floats, basis: Ints, others: Ints) -> Floats:
    """The shares of their first weights that the rows of the basis have when all others have none.

    T, basis : changed in place
    """
    from scipy.linalg.blas import dger

    shares = np.ones(len(basis))
    for j in range(len(others) - 1, -1, -1):
        move = T[:, j].copy()
        moved = shares + move
        if moved.min() >= 0.0:
            shares = moved
            continue
        lengths = np.where(move < 0.0, shares / -move, np.inf)
        leaving = int(lengths.argmin())
        shares = shares + lengths[leaving] * move
        shares[leaving] = 1.0 - lengths[leaving]
        basis[leaving] = others[j]
        if j:
            row = T[leaving, :j] / move[leaving]
            dger(-1.0, move, row, a=T[:, :j], overwrite_a=True)  # T - move row, in place
            T[leaving, :j] = row
    return shares
