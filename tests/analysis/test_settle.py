"""What is asked with a deadline is what the library itself says."""

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff import max_margin, mistake_bound, separability
from novikoff.analysis import settle
from novikoff.analysis.settle import answer, somebody
from novikoff.analysis.worker import FEW_NUMBERS, Here

RANDOM = np.random.RandomState(4)
CENTRES = np.array([[0, 0], [30, 0], [0, 30]])
CODES = np.repeat([0, 1, 2], 8)
APART = CENTRES[CODES] + RANDOM.randint(-3, 4, (24, 2)).astype(float)
MIXED = APART + 15.0 * (CODES == 0)[:, None]  # the first class between the others


def asked(X, codes, **question):
    names = [f"class {code}" for code in np.unique(codes)]
    usual = {"classes": names, "fit_intercept": True, "known": False, "every": True, "bound": True}
    return list(answer(X, codes, {**usual, **question}))


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_two_classes_get_verdict_margin_and_bound(form):
    two = CODES < 2
    X, codes = form(APART[two]), CODES[two]
    verdict, all_apart, margin, bound = asked(X, codes)
    assert verdict == {"class": "class 1", "verdict": separability(X, codes).verdict}
    assert all_apart == {"separable": True}
    widest = max_margin(X, codes)
    assert (margin["margin"], margin["upper_bound"]) == (widest.margin, widest.upper_bound)
    assert margin["support"] == widest.support.tolist()
    most = mistake_bound(X, codes)
    assert bound == {"radius": most.radius, "gamma": most.margin, "bound": most.value}
    assert asked(X, codes, known=True) == [all_apart, margin, bound]


def test_each_of_several_classes_is_asked_about():
    """The first lies between the others: it has an obstruction, and they have margins."""
    said = asked(MIXED, CODES)
    verdicts = {told["class"]: told for told in said if "verdict" in told}
    for code in range(3):
        expected = separability(MIXED, code == CODES)
        told = verdicts[f"class {code}"]
        assert told["verdict"] == expected.verdict
        if expected.obstruction is not None:
            assert told["rows"] == expected.obstruction.rows.tolist()
    apart = [name for name, told in verdicts.items() if told["verdict"] == "separable"]
    assert 0 < len(apart) < 3
    assert [told["class"] for told in said if "margin" in told] == apart
    assert {"separable": True} not in said
    quick = asked(MIXED, CODES, every=False)
    assert quick[-1]["verdict"] != "separable"  # it ends with the first that says no
    assert quick == said[: len(quick)]


def test_few_rows_are_asked_about_here_and_the_answer_is_put_together():
    who = somebody(FEW_NUMBERS, sparse=False)
    assert isinstance(who, Here)
    two = CODES < 2
    X, y = APART[two], np.array(["a", "b"])[CODES[two]]
    found = settle.settle(who, X, y, fit_intercept=True, separable=False)
    most = mistake_bound(X, y)
    assert found.separable
    assert found.obstructed is None
    assert (found.margin, found.bound) == (max_margin(X, y).margin, most.value)
    no = settle.settle(who, MIXED, CODES.astype(str), fit_intercept=True, separable=False)
    assert no.separable is False
    assert separability(MIXED, CODES.astype(str) == no.obstructed).verdict != "separable"
    assert no.margin is None


def test_time_that_is_up_leaves_what_a_run_has_found():
    found = settle.settle(Here(), APART, CODES, fit_intercept=True, separable=True, seconds=0.0)
    assert found == settle.Settled(separable=True)
