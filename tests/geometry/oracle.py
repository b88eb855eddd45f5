"""Geometry in rational numbers, and the doubles that are hard for it."""

from __future__ import annotations

import sys
from fractions import Fraction

from hypothesis import strategies as st

SMALLEST = 5e-324
LARGEST = sys.float_info.max

# Every scale at once: subnormals, products that overflow or underflow, and plain numbers.
doubles = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(
        [0.0, -0.0, 1.0, -1.0, 0.1, 1e16, -1e16, SMALLEST, -SMALLEST, LARGEST, -LARGEST]
    ),
    st.integers(-3, 3).map(float),
)


@st.composite
def planes_and_points(draw, elements=doubles, max_width=5, max_rows=6):
    """theta, offset and rows; in half of them the score cancels but for its last bits."""
    d = draw(st.integers(1, max_width))
    vectors = st.lists(elements, min_size=d, max_size=d)
    theta, X = draw(vectors), draw(st.lists(vectors, min_size=1, max_size=max_rows))
    offset = draw(elements)
    if draw(st.booleans()):
        theta, X = theta + [-t for t in theta], [row + row for row in X]
        offset = draw(st.just(0.0) | elements)
    return theta, offset, X


def score(theta, offset, x):
    """theta . x + offset, exactly."""
    return sum((Fraction(t) * Fraction(v) for t, v in zip(theta, x, strict=True)), Fraction(offset))


def sign(number):
    return (number > 0) - (number < 0)
