"""From many rows that cancel to as few as can, in floats (Caratheodory 1911)."""

from __future__ import annotations

import numpy as np

from novikoff._arrays import Floats, Ints

DEPENDENT = 1e-11  # of the largest: what a row adds to the span of others, if it is rounding errors
NEGLIGIBLE = 1e-9  # of the largest weight: too little to be told from rounding errors


def vertex(Z: Floats, weights: Floats) -> Ints | None:
    """Of rows that cancel with positive weights, one more than the rank that do so with others.

    The weight of one row after the other is lowered to zero while those of a basis make up for it;
    if one of these comes to zero first, the row takes its place. The sum of the weights stays as it
    is, for (z, 1) are what is combined. Returns their numbers, the largest weight last; None if
    floats are too coarse for that.
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
