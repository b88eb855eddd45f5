"""Logistic regression by Newton's method, in floats: a guess that exact arithmetic confirms or not.

With rows z_i, the loss sum_i log(1 + exp(-w . z_i)) has the gradient -sum_i p_i z_i, where
p_i = 1 / (1 + exp(w . z_i)) is the residual |y - p| of row i. At the minimum, if there is one, the
residuals are positive weights with which the rows cancel: that proves overlap. Where some rows can
be separated from the rest the loss has no minimum; their residuals vanish, the others' do not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from novikoff._arrays import Floats

STEPS = 100
HALVINGS = 30
SAFE = 1e-6  # of loss left to be gained: from there on, steps need no watching
CONVERGED = 1e-9  # what the gradient leaves of each column, relative to its terms
VANISHED = 1e-25  # of loss left to be gained: what still falls is a residual on its way to zero
RIDGE = 1e-13  # for columns that depend on others, relative to their curvature


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
    """Minimise sum_i log(1 + exp(-w . z_i)) over the rows z_i of Z, (m, D), by Newton's method.

    Residuals may differ by many orders of magnitude, and so the columns in which only rows with
    small ones have values. Each column is therefore measured by its own curvature.
    """
    from scipy.special import expit

    used = np.flatnonzero(Z.any(axis=0))
    A = Z[:, used]
    sizes = np.abs(A)
    v, margins = np.zeros(len(used)), np.zeros(len(A))
    for _ in range(STEPS):
        p = expit(-margins)
        gradient = p @ A
        if (np.abs(gradient) <= CONVERGED * (p @ sizes)).all():
            break
        step = _newton_step(A, p * expit(margins), gradient)
        gain, image = float(gradient @ step), A @ step
        length = 1.0 if gain <= SAFE else _length(margins, image)
        v += length * step
        margins = margins + length * image
        if (margins > 0.0).all() or not gain > VANISHED:
            break
    w = np.zeros(Z.shape[1])
    w[used] = v
    return Fit(w, expit(-margins), bool(len(used) and (margins > 0.0).all()))


def _length(margins: Floats, image: Floats) -> float:
    """The longest of 1, 1/2, 1/4, ... by which the loss falls."""
    before = np.logaddexp(0.0, -margins).sum()
    for length in 0.5 ** np.arange(HALVINGS):
        if np.logaddexp(0.0, -margins - length * image).sum() < before:
            return float(length)
    return 0.0


def _newton_step(A: Floats, curvatures: Floats, gradient: Floats) -> Floats:
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    hessian = (A * curvatures[:, None]).T @ A
    sizes = np.sqrt(np.diagonal(hessian))
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    hessian /= sizes[:, None] * sizes
    hessian[np.diag_indices(len(sizes))] += RIDGE
    right = gradient / sizes
    try:
        step = cho_solve(cho_factor(hessian, check_finite=False), right)
    except LinAlgError:
        step = np.linalg.lstsq(hessian, right)[0]
    return np.asarray(step / sizes, np.float64)
