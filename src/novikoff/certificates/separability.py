"""Whether two classes can be separated by a hyperplane, with the proof."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.certificates.data import read
from novikoff.certificates.parts import Separator
from novikoff.certificates.results import OVERLAPPING, QUASI_SEPARABLE, SEPARABLE, Separability

if TYPE_CHECKING:
    from flint import fmpz


def separability(X: Any, y: Any, *, fit_intercept: bool = True, core: bool = False) -> Separability:
    """Decide whether the two classes are linearly separable; the verdict comes with its proof.

    The perceptron tries first. If it does not settle the matter, linear programs over the rows it
    stumbled on make guesses, and rational arithmetic confirms or corrects them: the verdict is
    never a guess, whatever the gap.

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

    Returns
    -------
    Separability
        `verdict`: "separable" (some hyperplane has y s > 0 on every row), "quasi-separable" (none,
        but some has y s >= 0 on every row and > 0 somewhere) or "overlapping". `verify(X, y)`
        checks the proof, `to_json()` publishes it.

    Examples
    --------
    >>> from novikoff import separability
    >>> result = separability([[0.0], [1.0], [1.0], [2.0]], [0, 0, 1, 1])
    >>> result.verdict, result.obstruction.rows, result.obstruction.weights
    ('quasi-separable', array([1, 2]), (1, 1))
    """
    data = read(X, y, fit_intercept)
    from novikoff.certificates.attempt import contradiction, perceptron

    attempt = perceptron(data)
    if attempt.separated and not core:
        return Separability(
            SEPARABLE, Separator(attempt.theta, attempt.offset), None, None, None, None, None,
            fit_intercept, data.shape, data.digest,
        )  # fmt: skip
    from flint import fmpq

    from novikoff.certificates.coefficients import judge
    from novikoff.certificates.cones import Cone, Weighted
    from novikoff.certificates.faces import Face, weak_separator
    from novikoff.certificates.scaled import Scaled, combination

    scaled = Scaled(data)
    everything = np.arange(len(data.y))
    important = np.argsort(-attempt.mistakes, kind="stable")
    w: list[fmpz] | None
    if attempt.separated:
        theta = [*attempt.theta.tolist(), attempt.offset]
        w = scaled.integral(theta if fit_intercept else theta[:-1])
        obstruction = None
    else:
        pair = contradiction(data)
        answer = (
            Cone(scaled, everything, important).strict()
            if pair is None
            else Weighted(list(pair), [fmpq(1), fmpq(1)])
        )
        obstruction = answer if isinstance(answer, Weighted) else None
        w = None if isinstance(answer, Weighted) else answer.w
    if w is not None:
        verdict, face = SEPARABLE, Face(w, everything[:0], None, None)
    else:
        face = weak_separator(scaled, important, maximal=core)
        verdict = OVERLAPPING if face.w is None else QUASI_SEPARABLE
    coefficients = judge(scaled, important, face) if core else None
    return Separability(
        verdict,
        None if face.w is None else scaled.separator(face.w),
        None if obstruction is None else combination(obstruction.rows, obstruction.weights),
        None if face.spanning is None else combination(face.spanning.rows, face.spanning.weights),
        face.rows if core else None,
        None if coefficients is None else tuple(coefficients.verdicts),
        None if coefficients is None else tuple(coefficients.evidence),
        fit_intercept,
        data.shape,
        data.digest,
    )
