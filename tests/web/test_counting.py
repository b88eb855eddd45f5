"""Training errors of many hypotheses, against fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from novikoff.web import counting


@given(
    st.lists(st.tuples(*[st.sampled_from([0.1, -0.3, 0.2, 1e-9, 3.0, -7.0, 0.0])] * 3), max_size=6),
    st.lists(st.tuples(*[st.sampled_from([0.1, 0.2, -0.3, 1e9, -2.0, 0.0])] * 2), min_size=1,
             max_size=6),
)  # fmt: skip
@settings(max_examples=100)
def test_errors_are_exact(planes, rows):
    both = np.array(planes).reshape(-1, 3)
    X = np.array(rows)
    y = np.where(np.arange(len(X)) % 2, 1, -1)
    expected = [
        sum(
            int(side) * (Fraction(a) * Fraction(x[0]) + Fraction(b) * Fraction(x[1]) + Fraction(c))
            <= 0
            for x, side in zip(X.tolist(), y, strict=True)
        )
        for a, b, c in both.tolist()
    ]
    assert counting.errors(both[:, :2], both[:, 2], X, y).tolist() == expected
