"""Whether two classes can be separated by a hyperplane, with the proof."""

from __future__ import annotations

from typing import Any

from novikoff.certificates.clock import Clock
from novikoff.certificates.data import read
from novikoff.certificates.results import Separability


def separability(
    X: Any,
    y: Any,
    *,
    fit_intercept: bool = True,
    core: bool = False,
    time_limit: float | None = None,
    verbose: int = 0,
) -> Separability:
    """Decide whether the two classes are linearly separable; the verdict comes with its proof.

    The perceptron tries first. If it does not settle the matter, a logistic regression on some of
    the rows and linear programs over those that matter make guesses, and rational arithmetic
    confirms or corrects them: the verdict is never a guess, whatever the gap.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        Taken as the doubles they are.
    y : array-like of shape (n_samples,)
        Two classes.
    fit_intercept : bool, default=True
        Whether the hyperplane may have an offset; without it, it goes through the origin.
    core : bool, default=False
        Also find a maximal weak separator, the rows that truly overlap, and which coefficients of a
        logistic regression are infinite. May take much longer.
    time_limit : float or None, default=None
        Seconds after which the verdict may be "undecided"; `so_far` then says what is known.
    verbose : int, default=0
        If not 0, every step is announced.

    Returns
    -------
    Separability
        `verdict`: "separable" (some hyperplane has y s > 0 on every row), "quasi-separable" (none,
        but some has y s >= 0 on every row and > 0 somewhere) or "overlapping"; "undecided" if the
        time was not enough, or the data is too large for exact arithmetic. `verify(X, y)` checks
        the proof, `to_json()` publishes it.

    Examples
    --------
    >>> from novikoff import separability
    >>> result = separability([[0.0], [1.0], [1.0], [2.0]], [0, 0, 1, 1])
    >>> result.verdict, result.obstruction.rows, result.obstruction.weights
    ('quasi-separable', array([1, 2]), (1, 1))
    """
    clock = Clock(time_limit, verbose)
    from novikoff.certificates.decide import decide  # loads the compiler

    return decide(read(X, y, fit_intercept, clock), core)
