"""The questions that labels ask, and the verdicts in words."""

import numpy as np
import pytest

from novikoff.analysis.verdicts import sentence, sides, why

VERDICTS = ["separable", "quasi-separable", "overlapping", "undecided"]


def test_two_classes_ask_one_question_and_more_ask_one_each():
    (only,) = sides(np.array(["no", "yes", "no"]), None)
    assert (only.positive, only.negative, only.y.tolist()) == ("yes", "no", [-1, 1, -1])
    three = sides(np.array([2, 0, 1, 1]), None)
    assert [(one.positive, one.negative) for one in three] == [
        ("0", "the rest"), ("1", "the rest"), ("2", "the rest"),
    ]  # fmt: skip
    np.testing.assert_array_equal(sum(one.y for one in three), [-1] * 4)  # each row is + once


def test_the_positive_class_can_be_chosen():
    (one,) = sides(np.array([1.0, 2.0, 2.0]), "1")  # as LIBSVM's labels are written
    assert (one.positive, one.negative, one.y.tolist()) == ("1", "2", [1, -1, -1])
    (one,) = sides(np.array(["a", "b", "c"]), "b")
    assert (one.negative, one.y.tolist()) == ("the rest", [-1, 1, -1])


@pytest.mark.parametrize(
    ("y", "positive", "said"),
    [
        (["a", "a"], None, "only one class, a; two sides need two"),
        ([], None, "only one class, and no rows"),
        (["setosa", "virginica"], "setos", "no such class. Did you mean setosa"),
        (["a\x1b", "b"], "zzz", r"Did you mean a\\x1b or b"),
    ],
)
def test_what_cannot_be_asked_is_said(y, positive, said):
    with pytest.raises(ValueError, match=said):
        sides(np.array(y, "U9"), positive)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_verdict_speaks_of_both_classes_and_of_the_origin(verdict):
    said, through = (sentence("7", "rock\n", verdict, origin) for origin in (False, True))
    assert "class 7" in said
    assert r"rock\n" in said
    assert through == said.replace("hyperplane", "hyperplane through the origin")


def test_why_rows_forbid_it():
    assert why(["a"], ["line 3"], False) == "Line 3 alone forbids it: it lies at the origin."
    two = why(["a", "b"], ["line 3", "line 7"], True)
    assert two.startswith("Line 3 (a) and line 7 (b) alone forbid it: their features are the same")
    more = why(["a", "b", "a"], ["row 0", "row 1", "row 2"], True)
    assert "These 3 rows" in more
    assert "the very same mean" in more
    assert "the very same sum" in why(["a", "b", "a"], ["row 0", "row 1", "row 2"], False)
