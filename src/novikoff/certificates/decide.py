"""From data to a verdict with its proof: the perceptron first, then cones, faces, coefficients."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from flint import fmpq, fmpz
from numpy.typing import NDArray

from novikoff.certificates.attempt import Attempt, contradiction, perceptron
from novikoff.certificates.coefficients import judge
from novikoff.certificates.cones import Cone, Weighted
from novikoff.certificates.data import Labelled
from novikoff.certificates.faces import Face, weak_separator
from novikoff.certificates.parts import Combination, Separator
from novikoff.certificates.results import OVERLAPPING, QUASI_SEPARABLE, SEPARABLE, Separability
from novikoff.certificates.scaled import Scaled, combination


def decide(data: Labelled, core: bool) -> Separability:
    """Whether the classes are separable; see :func:`novikoff.separability`."""
    attempt = perceptron(data)
    if attempt.separated and not core:
        separator = Separator(attempt.theta, attempt.offset)
        return _certificate(data, SEPARABLE, separator=separator)
    scaled = Scaled(data)
    important = np.argsort(-attempt.mistakes, kind="stable")
    found = _strict(data, scaled, important, attempt)
    obstruction = None
    if isinstance(found, Weighted):
        obstruction = combination(found.rows, found.weights)
        face = weak_separator(scaled, important, maximal=core)
        verdict = OVERLAPPING if face.w is None else QUASI_SEPARABLE
    else:
        face = Face(found, important[:0], None, None)
        verdict = SEPARABLE
    spanning = face.spanning
    certificate = _certificate(
        data,
        verdict,
        separator=None if face.w is None else scaled.separator(face.w),
        obstruction=obstruction,
        spanning=None if spanning is None else combination(spanning.rows, spanning.weights),
    )
    if not core:
        return certificate
    infinite, evidence = judge(scaled, important, face)
    return replace(certificate, overlap_rows=face.rows, infinite=infinite, evidence=evidence)


def _strict(
    data: Labelled, scaled: Scaled, important: NDArray[np.int64], attempt: Attempt
) -> Weighted | list[fmpz]:
    """Rows that cancel, or a strict separator."""
    if attempt.separated:
        offset = [attempt.offset] if data.fit_intercept else []
        return scaled.integral([*attempt.theta.tolist(), *offset])
    pair = contradiction(data)
    if pair is not None:
        return Weighted(list(pair), [fmpq(1), fmpq(1)])
    answer = Cone(scaled, np.arange(len(data.y)), important).strict()
    return answer if isinstance(answer, Weighted) else answer.w


def _certificate(
    data: Labelled,
    verdict: str,
    separator: Separator | None = None,
    obstruction: Combination | None = None,
    spanning: Combination | None = None,
) -> Separability:
    return Separability(
        verdict, separator, obstruction, spanning, None, None, None, data.fit_intercept,
        data.shape, data.digest,
    )  # fmt: skip
