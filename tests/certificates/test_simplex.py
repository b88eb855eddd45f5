"""Farkas' lemma: exactly one of a combination and a functional, whatever the guess."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from novikoff.certificates.simplex import Member, Simplex
from tests.examples import examples


@st.composite
def cones(draw):
    m, n = draw(st.integers(1, 4)), draw(st.integers(0, 8))
    number = st.integers(-3, 3) | st.integers(-(2**80), 2**80)
    vector = st.lists(number, min_size=m, max_size=m)
    columns = draw(st.lists(vector, min_size=n, max_size=n))
    target = draw(vector.filter(any))
    if n and draw(st.booleans()):  # a target that is in the cone, often on its boundary
        weights = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
        inside = [sum(w * c[j] for w, c in zip(weights, columns, strict=True)) for j in range(m)]
        target = inside if any(inside) else target
    guess = draw(st.permutations(range(n)))[: draw(st.integers(0, n))]
    order = draw(st.permutations(range(m)))
    signs = draw(st.lists(st.sampled_from([-1, 1]), min_size=m, max_size=m))
    return columns, target, (guess, order, signs)


@examples(150)
@given(cones())
def test_one_of_the_two_and_it_is_right(problem):
    columns, target, start = problem
    simplex = Simplex(target, columns)
    simplex.start_from(*start)
    found = simplex.run()
    if isinstance(found, Member):
        weights = [Fraction(int(w.p), int(w.q)) for w in found.weights]
        assert all(w > 0 for w in weights)
        assert len(found.columns) <= len(target)
        total = [
            sum(w * columns[i][j] for i, w in zip(found.columns, weights, strict=True))
            for j in range(len(target))
        ]
        assert total == target
    else:
        f = [int(x) for x in found.vector]
        assert all(sum(a * b for a, b in zip(f, c, strict=True)) <= 0 for c in columns)
        assert sum(a * b for a, b in zip(f, target, strict=True)) > 0
