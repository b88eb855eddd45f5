"""Logistic regression by Newton's method, in floats: a guess that exact arithmetic confirms or not.

With rows z_i, the loss sum_i log(1 + exp(-w . z_i)) has the gradient -sum_i p_i z_i, where
p_i = 1 / (1 + exp(w . z_i)) is the residual |y - p| of row i. At the minimum, if there is one, the
residuals are positive weights with which the rows cancel: that proves overlap. Where some rows can
be separated from the rest the loss has no minimum; their residuals vanish, the others' do not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STEPS = 60
HALVINGS = 30
CONVERGED = 1e-10  # of the loss of a row, left to be gained: residuals that vanish are below 2**-20
DEPENDENT = 1e-12  # a column this near to the span of others, relatively, is taken to be in it


@dataclass(frozen=True)
class Fit:
    """Where Newton's method ended.

    Attributes
    ----------
    w : (D,)
    residuals : (m,), each between 0 and 1
    separated : bool
        Whether w . z_i > 0 for every row, up to rounding; that ends the search.
    """

    w: Floats
    residuals: Floats
    separated: bool


def logistic(Z: Floats) -> Fit:
    """Minimise sum_i log(1 + exp(-w . z_i)) over the rows z_i of Z, (m, D).

    The columns are made orthogonal first, so that their scales and correlations do not matter.
    """
    from scipy.linalg import qr, solve_triangular

    Q, R, order = qr(Z, mode="economic", pivoting=True, check_finite=False)
    sizes = np.abs(np.diagonal(R))
    rank = int((sizes > DEPENDENT * sizes[0]).sum()) if sizes.size else 0
    Q = Q[:, :rank] * np.sqrt(len(Z))
    v = _descend(Q)
    margins = Q @ v
    w = np.zeros(Z.shape[1])
    v *= np.sqrt(len(Z))
    w[order[:rank]] = solve_triangular(R[:rank, :rank], v, check_finite=False)
    return Fit(w, _residuals(margins), bool(rank and (margins > 0.0).all()))


def _residuals(margins: Floats) -> Floats:
    from scipy.special import expit

    residuals: Floats = expit(-margins)
    return residuals


def _descend(Q: Floats) -> Floats:
    """Newton's method with halved steps where the loss would not fall."""
    v = np.zeros(Q.shape[1])
    margins, loss = np.zeros(len(Q)), len(Q) * np.log(2.0)
    for _ in range(STEPS):
        p = _residuals(margins)
        gradient = p @ Q
        step = _newton_step(Q, p * (1.0 - p), gradient)
        gain = float(gradient @ step)
        image = Q @ step
        for length in 0.5 ** np.arange(HALVINGS):
            moved = margins + length * image
            reached = float(np.logaddexp(0.0, -moved).sum())
            if reached < loss:
                break
        else:
            break  # rounding errors are all that is left
        v += length * step
        margins, loss = moved, reached
        if (margins > 0.0).all() or gain <= CONVERGED:
            break
    return v


def _newton_step(Q: Floats, curvatures: Floats, gradient: Floats) -> Floats:
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    hessian = (Q * curvatures[:, None]).T @ Q
    diagonal = np.einsum("ii->i", hessian)
    diagonal += 1e-15 * diagonal.max(initial=0.0)
    try:
        step: Floats = cho_solve(cho_factor(hessian, check_finite=False), gradient)
    except LinAlgError:
        step = np.asarray(np.linalg.lstsq(hessian, gradient)[0], np.float64)
    return step
