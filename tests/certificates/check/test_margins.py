"""Margins worked out on paper pass, and every tampering is named."""

from dataclasses import replace
from fractions import Fraction as F
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff.certificates.check import (
    CertificateError,
    check_max_margin,
    digest,
)
from novikoff.certificates.results import MaxMargin


def margin_case(X, y, theta, offset, margin, upper, support, weights, fit_intercept=True):
    X = np.array(X, float)
    rows = np.array(support, np.int64)
    numbers = np.array(weights, object)
    cert = MaxMargin(
        np.array(theta, object),
        offset,
        margin,
        upper,
        rows,
        numbers,
        fit_intercept,
        X.shape,
        digest(X, y),
    )
    return SimpleNamespace(X=X, y=np.array(y), cert=cert)


# The segment from (0, 0) to (4, 0), the middle of (4, 2) and (4, -2), is crossed half way.
MIDDLE = margin_case(
    [[0, 0], [4, 2], [4, -2], [-1, 7]],
    [-1, 1, 1, -1],
    *([1.0, 0.0], -2.0, 2.0, 2.0),
    *([0, 1, 2], [1.0, 0.5, F(1, 2)]),
)
ORIGIN = margin_case(
    [[3, 4], [-3, -4], [6, 9]],
    [1, -1, 1],
    *([3, 4], 0.0, 5.0, 5.0),
    *([0, 1], [F(1, 3), F(2, 3)]),
    fit_intercept=False,
)
ROUNDED = margin_case(  # 1 / sqrt 2 lies between the two doubles
    [[0, 0], [1, 1]],
    [-1, 1],
    [1.0, 1.0],
    -1.0,
    0.7071067811865475,
    0.7071067811865476,
    [0, 1],
    [1, 1],
)
MARGINS = pytest.mark.parametrize("case", [MIDDLE, ORIGIN, ROUNDED])


def refused_margin(case, match, **changes):
    with pytest.raises(CertificateError, match=match):
        check_max_margin(replace(case.cert, **changes), case.X, case.y)


@MARGINS
def test_honest_margins_pass_and_tampered_ones_fail(case):
    cert = case.cert
    check_max_margin(cert, case.X, case.y)
    check_max_margin(MaxMargin.from_json(cert.to_json()), sp.csr_matrix(case.X), case.y)
    above, below = np.nextafter(cert.margin, 9), np.nextafter(cert.upper_bound, 0)
    refused_margin(case, "margin is not reached: row", margin=above, upper_bound=9.0)
    refused_margin(case, "upper bound .* is not proved", margin=0.5, upper_bound=below)
    refused_margin(case, "above the upper bound", margin=9.0)
    refused_margin(case, "separable is undecided", margin=0.0)
    refused_margin(case, "margin is nan", margin=np.nan)
    refused_margin(case, "upper bound is inf", upper_bound=np.inf)
    refused_margin(case, "does not separate: row", theta=-cert.theta)
    refused_margin(case, "does not separate: row", theta=0 * cert.theta)
    refused_margin(case, "digest", digest="")
    refused_margin(case, "more than once", support=np.zeros_like(cert.support))
    for i, w in enumerate(cert.weights):
        for change, reason in ((F(1, 2**80), "sum to"), (-w, "must be positive")):
            weights = cert.weights.copy()
            weights[i] = F(w) + F(change)
            refused_margin(case, reason, weights=weights)


def test_margins_answer_the_question_asked():
    uneven = margin_case([[0], [5]], [-1, 1], [1.0], -2.0, 2.0, 2.5, [0, 1], [1, 1])
    check_max_margin(uneven.cert, uneven.X, uneven.y)
    refused_margin(uneven, "not reached: row 0", margin=2.5)
    refused_margin(uneven, "not reached: row 1", margin=2.5, offset=-3.0)
    refused_margin(ORIGIN, "class -1 sum to 2/3", fit_intercept=True)
    refused_margin(MIDDLE, "through the origin", fit_intercept=False)
    moved = np.array([3, 1, 2])
    refused_margin(MIDDLE, "only show that no margin is above about 4.3", support=moved)
