"""A linear program in floats: the guess that exact arithmetic confirms, mends or refutes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff._arrays import Floats

NEGLIGIBLE = 1e-9


@dataclass(frozen=True)
class Guess:
    """What a float linear program makes of a cone and a target.

    Attributes
    ----------
    functional : (m,)
        f, maximal in f . b with f . a_i <= 0 and |f_j| <= 1, up to rounding.
    reached : bool
        Whether f . b is zero but for rounding: the target seems to be in the cone.
    columns : indices of columns
        Those with a positive weight, the largest first; then, unless the target is reached, those
        with f . a_i = 0.
    coordinates : all m of them, those with |f_j| < 1 first
    """

    functional: Floats
    reached: bool
    columns: list[int]
    coordinates: list[int]


def guess(columns: Any, target: Floats) -> Guess:
    """Solve max f . b, f . a_i <= 0, -1 <= f <= 1 with HiGHS.

    columns : (n, m), one a_i per row, dense or sparse; target : (m,)
    """
    from scipy.optimize import linprog

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a bad guess costs time, not correctness
        solution = linprog(
            -target, A_ub=columns, b_ub=np.zeros(columns.shape[0]), bounds=(-1.0, 1.0),
            method="highs-ds",
        )  # fmt: skip
    if solution.x is None:  # so that everything is to be decided exactly
        return Guess(np.zeros(len(target)), True, [], list(range(len(target))))
    weights = np.abs(solution.ineqlin.marginals)
    by_weight = np.argsort(-weights, kind="stable")
    reached = bool(-solution.fun <= NEGLIGIBLE)
    tight = weights > NEGLIGIBLE
    if not reached:
        tight |= np.abs(solution.slack) <= NEGLIGIBLE
    free = np.abs(solution.x) < 1.0 - NEGLIGIBLE
    return Guess(
        solution.x,
        reached,
        by_weight[tight[by_weight]].tolist(),
        np.argsort(~free, kind="stable").tolist(),
    )
