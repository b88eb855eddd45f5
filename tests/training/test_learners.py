"""What an epoch counts and weighs, against a loop over the rows with exact fractions."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff.kernels.exact import value
from novikoff.kernels.rules.perceptron import ERROR
from novikoff.kernels.walk import tally
from novikoff.training.learners import StepError, ThetaOverflow, Updates, weigh
from novikoff.training.matrix import as_rows
from novikoff.training.schemes import closed_scheme
from novikoff.training.spec import RunSpec
from tests.reference import exact_score, is_mistake

RANDOM = np.random.RandomState(2)
X = RANDOM.randint(-3, 4, (40, 3)).astype(float)
LABELS = RANDOM.randint(0, 4, 40)
WEIGHTS = RANDOM.uniform(0.1, 3.0, 40)
SCHEMES = ["ovr", "ovo", "joint"]


def learner(name, rows=X):
    spec = RunSpec(ERROR, "last", name)
    scheme, used = closed_scheme(name, 4), np.arange(0, 40, 2)
    problem = spec.problem(
        as_rows(rows),
        LABELS,
        np.ones(4),
        WEIGHTS,
        used,
        np.dtype(float),
        n_planes=len(scheme.roles),
    )
    sparse = sp.issparse(rows)
    state = spec.start(len(scheme.roles), 3, np.dtype(float), sparse=sparse)
    return spec.learner(problem, scheme, state)


@pytest.mark.parametrize("name", SCHEMES)
@pytest.mark.parametrize("rows", [X, sp.csr_array(X)], ids=["dense", "sparse"])
def test_what_is_wrong_is_weighed_exactly(name, rows):
    """The total weight of the rows that err, of each hyperplane or of joint ones, as fractions."""
    one = learner(name, rows)
    one.epoch(one.problem.visited)
    sides = one.scheme.sides()
    for k in range(one.scheme.n_parts):
        scheme, state = one.part(k)
        total = Fraction(0)
        for row in one.problem.visited:
            scores = [
                exact_score(theta, offset, X[row])
                for theta, offset in zip(state.theta, state.offset, strict=True)
            ]
            if name == "joint":
                own = scores.pop(LABELS[row])
                wrong = own - max(scores) <= 0
            else:
                y = sides[k, LABELS[row]]
                wrong = y != 0 and is_mistake(y, scores[0], 0.0, "mistake")
            total += Fraction(WEIGHTS[row]) * bool(wrong)
        found = weigh(one.problem, scheme, state, ERROR, one.problem.weights, np.inf)
        assert value(found) == float(total)
        assert one.asks_for_more(k) == (total > 0)


@pytest.mark.parametrize("name", SCHEMES)
def test_counters_count_the_rows_that_concern_a_hyperplane(name):
    one = learner(name)
    visit = RANDOM.choice(one.problem.visited, 30)  # some of them twice
    updates = one.epoch(visit).kept()
    concerned = np.abs(one.scheme.sides())[:, LABELS[visit]].sum(axis=1)
    np.testing.assert_array_equal(one.state.counts, concerned)
    made = np.zeros(len(one.scheme.roles), int)
    for plane, row in zip(updates.plane, updates.row, strict=True):
        made[plane] += 1
        if name == "joint":
            made[LABELS[row]] += 1
    np.testing.assert_array_equal(one.updates_per_plane(updates), made)
    counted = np.zeros((one.scheme.n_parts, 40), np.int64)
    tally(updates.plane, updates.row, counted)
    np.testing.assert_array_equal(counted.sum(axis=0), np.bincount(updates.row, minlength=40))
    np.testing.assert_array_equal(
        updates.moved(len(made)), np.bincount(updates.plane, minlength=len(made)) > 0
    )


def test_updates_are_joined_in_order_and_kept_apart():
    pieces = [Updates.room_for(n, np.float32, 2) for n in (2, 0, 3)]
    for number, piece in enumerate(pieces):
        for part in piece:
            part[...] = number
    joined, kept = Updates.joined(pieces), pieces[0].kept()
    assert joined.row.tolist() == [0, 0, 2, 2, 2]
    assert joined.numbers.shape == (5, 2)
    assert joined.numbers.dtype == np.float32
    pieces[0].row[...] = 9
    assert kept.row.tolist() == [0, 0]


@pytest.mark.parametrize("kind", [ThetaOverflow, StepError])
def test_a_row_that_cannot_be_learned_from_keeps_its_number_in_a_stream(kind):
    error = kind(3, np.dtype(np.float32))
    assert "row 3" in str(error)
    assert str(error).endswith("or pass X as float64.")
    assert str(error.shifted(1000)) == str(error).replace("row 3", "row 1003")
    assert str(kind(3, np.dtype(np.float64))).endswith(("weights.", "MaxAbsScaler)."))
