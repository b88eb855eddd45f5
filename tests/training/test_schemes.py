"""Which hyperplane looks at which class, and from which one a class that comes late descends."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff.training.schemes import ancestors, closed_scheme, open_scheme

NAMES = ("ovr", "ovo")


@pytest.mark.parametrize("n", [3, 4, 7])
def test_one_vs_rest_and_joint_have_a_hyperplane_for_each_class(n):
    for name in ("ovr", "joint"):
        np.testing.assert_array_equal(closed_scheme(name, n).sides(), 2 * np.eye(n) - 1)
    assert closed_scheme("joint", n).n_parts == 1


@pytest.mark.parametrize("n", [3, 4, 7])
def test_one_vs_one_tells_every_pair_apart_once(n):
    sides = closed_scheme("ovo", n).sides()
    pairs = [(*np.flatnonzero(row < 0), *np.flatnonzero(row > 0)) for row in sides]
    assert pairs == list(combinations(range(n), 2))
    assert (np.abs(sides).sum(axis=1) == 2).all()


@pytest.mark.parametrize("name", ["ovr", "ovo", "joint"])
def test_two_classes_are_one_hyperplane_whatever_the_scheme(name):
    assert closed_scheme(name, 2).sides().tolist() == [[-1, 1]]


@given(st.sampled_from(NAMES), st.integers(1, 5), st.booleans(), st.randoms())
def test_a_plan_lists_the_sides_of_the_active_hyperplanes(name, n, late, random):
    scheme = open_scheme(name, n) if late or n == 1 else closed_scheme(name, n)
    active = np.array([random.random() < 0.7 for _ in scheme.roles])
    plan = scheme.plan(active)
    listed = np.zeros((len(scheme.roles), n))
    for c in range(n):
        entries = slice(plan.start[c], plan.start[c + 1])
        listed[plan.plane[entries], c] = plan.side[entries]
        if plan.run[c] >= 0:
            run = range(plan.run[c], plan.run[c] + len(plan.plane[entries]))
            assert plan.plane[entries].tolist() == list(run)
    np.testing.assert_array_equal(listed, scheme.sides() * active[:, None])
    np.testing.assert_array_equal(listed, plan.sides)


@pytest.mark.parametrize(("name", "n", "more"), list(product(NAMES, range(1, 5), range(1, 4))))
def test_a_late_class_descends_from_what_saw_the_same(name, n, more):
    """Wherever the new classes come in the order.

    Each hyperplane continues one that had every class seen so far on the very side on which the
    new one has it; so all that both would have learned is the same.
    """
    old, new = open_scheme(name, n), open_scheme(name, n + more)
    for places in combinations(range(n + more), n):
        renumbered = np.array(places)
        for k, ancestor in enumerate(ancestors(old, new, renumbered)):
            seen = new.sides()[k, renumbered]
            if ancestor is None:  # both of its classes are new: it has seen nothing
                assert not seen.any()
            else:
                np.testing.assert_array_equal(seen, old.sides()[ancestor])


@pytest.mark.parametrize("scheme", [closed_scheme, open_scheme])
def test_pairs_that_would_fill_the_memory_are_refused_before_there_are_any(scheme):
    with pytest.raises(ValueError, match=r"20000 classes are 199990000 .*multi_class=\"joint\""):
        scheme("ovo", 20_000)


def test_hyperplanes_that_are_shown_come_first():
    for name, n in product(NAMES, range(3, 6)):
        shown, all_of_them = closed_scheme(name, n), open_scheme(name, n)
        assert all_of_them.roles[: all_of_them.n_shown] == shown.roles
