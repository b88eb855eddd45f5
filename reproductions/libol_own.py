"""Algorithms as LIBOL 0.3 has them, where that is not what their papers say; and three more.

Each learns in one pass over the rows, through the origin, in plain doubles, and returns how many
rows were predicted wrongly (+1 on the boundary) and how many asked for an update. What is LIBOL's
own:

- ROMMA starts at y x, not at y x / ||x||^2, and the aggressive one has no case of its own for
  m >= ||x||^2 ||theta||^2;
- ALMA takes x as it is, not brought to length 1, with B = 1 / alpha, and p only in the factors
  sqrt(p - 1);
- the second-order perceptron takes every row into Sigma, not its mistakes only;
- SCW-II has 2 v where its paper has v^2, and 2 phi where it has phi^2.

Online gradient descent (Zinkevich 2003), IELLIP (Yang, Jin and Ye 2009) and NAROW (Orabona and
Crammer 2010) are not among the rules of the library.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numba
import numpy as np

Counts = tuple[int, int]
Learn = Callable[[np.ndarray, np.ndarray], Counts]


@numba.njit
def romma(X, y, aggressive):
    w, wrong, updates = np.zeros(X.shape[1]), 0, 0
    for t in range(len(y)):
        x, f = X[t], w @ X[t]
        mistake = (f >= 0) != (y[t] > 0)
        wrong += mistake
        if not (y[t] * f < 1 if aggressive else mistake):
            continue
        updates += 1
        norm = w @ w
        rest = (x @ x) * norm - f * f
        if norm == 0:
            w = y[t] * x
        elif rest != 0:
            w = ((x @ x) * norm - y[t] * f) / rest * w + norm * (y[t] - f) / rest * x
    return wrong, updates


@numba.njit
def alma(X, y, C, alpha, p):
    w, k, wrong = np.zeros(X.shape[1]), 1, 0
    for t in range(len(y)):
        f = w @ X[t]
        wrong += (f >= 0) != (y[t] > 0)
        if y[t] * f < (1 - alpha) / alpha * math.sqrt((p - 1) / k):
            w = w + C / math.sqrt((p - 1) * k) * y[t] * X[t]
            w = w / max(1.0, math.sqrt(w @ w))
            k += 1
    return wrong, k - 1


@numba.njit
def gradient_descent(X, y, C):
    w, wrong, updates = np.zeros(X.shape[1]), 0, 0
    for t in range(len(y)):
        f = w @ X[t]
        wrong += (f >= 0) != (y[t] > 0)
        if y[t] * f < 1:
            w = w + C / math.sqrt(t + 1) * y[t] * X[t]
            updates += 1
    return wrong, updates


@numba.njit
def second_order(X, y):
    w, sigma, wrong = np.zeros(X.shape[1]), np.eye(X.shape[1]), 0
    for t in range(len(y)):
        u = sigma @ X[t]
        sigma -= np.outer(u, u) / (1 + X[t] @ u)
        if (w @ (sigma @ X[t]) >= 0) != (y[t] > 0):
            w = w + y[t] * X[t]
            wrong += 1
    return wrong, wrong


@numba.njit
def ellipsoid(X, y, b):
    w, sigma, c, wrong = np.zeros(X.shape[1]), np.eye(X.shape[1]), 0.1, 0
    for t in range(len(y)):
        f = w @ X[t]
        if (f >= 0) != (y[t] > 0):
            wrong += 1
            u = sigma @ X[t]
            v = X[t] @ u
            if v != 0:
                w = w + (1 - y[t] * f) / v * y[t] * u
                sigma = (sigma - c / v * np.outer(u, u)) / (1 - c)
        c *= b
    return wrong, wrong


@numba.njit
def new_arow(X, y, b):
    w, sigma, wrong, updates = np.zeros(X.shape[1]), np.eye(X.shape[1]), 0, 0
    for t in range(len(y)):
        f = w @ X[t]
        wrong += (f >= 0) != (y[t] > 0)
        if y[t] * f < 1:
            updates += 1
            u = sigma @ X[t]
            v = X[t] @ u
            if v > 1 / b:
                beta = 1 / (v + v / (b * v - 1))
                w = w + (1 - y[t] * f) * beta * y[t] * u
                sigma -= beta * np.outer(u, u)
    return wrong, updates


@numba.njit
def scw2(X, y, C, phi):
    w, sigma, wrong, updates = np.zeros(X.shape[1]), np.eye(X.shape[1]), 0, 0
    for t in range(len(y)):
        f = w @ X[t]
        wrong += (f >= 0) != (y[t] > 0)
        u = sigma @ X[t]
        v, m = X[t] @ u, y[t] * f
        if m < phi * math.sqrt(max(v, 0.0)):
            updates += 1
            n = v + 1 / (2 * C)
            root = math.sqrt(phi**4 * m**2 * v * 2 + 4 * n * v * phi**2 * (n + v * phi * 2))
            alpha = (root - (2 * m * n + phi**2 * m * v)) / (2 * (n**2 + n * v * phi**2))
            alpha = max(0.0, alpha)
            reach = alpha * v * phi
            beta = alpha * phi / ((math.sqrt(reach**2 + 4 * v) - reach) / 2 + reach)
            w = w + alpha * y[t] * u
            sigma -= beta * np.outer(u, u)
    return wrong, updates


def scw2_by_probability(X: np.ndarray, y: np.ndarray, C: float, eta: float) -> Counts:
    """`scw2`, told the probability as the others are."""
    counts: Counts = scw2(X, y, C, NormalDist().inv_cdf(eta))
    return counts
