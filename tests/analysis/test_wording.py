"""Numbers and verdicts in words."""

from fractions import Fraction

import pytest

from novikoff.analysis.verdicts import shares, why
from novikoff.analysis.wording import count, label, percent, plain, spoken


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0.00 %"),
        (0.0345, "3.45 %"),
        (0.69, "69.0 %"),
        (0.00005, "0.005 %"),
        (1.0, "100.0 %"),
        (26 / 88, "29.5 %"),
        (0.09999, "10.0 %"),
    ],
)
def test_percentages(share, text):
    assert percent(share) == text


def test_counts_labels_and_control_characters():
    assert (count(1, "row"), count(10_000, "row")) == ("1 row", "10 000 rows")
    assert (label(1.0), label("a"), spoken("1"), spoken("M")) == ("1", "a", "class 1", "M")
    assert plain("a\x1b[31m") == "a\\x1b[31m"


def test_long_weights_become_shares_that_sum_to_a_hundred():
    found = shares([Fraction(1, 10**13), Fraction(3, 10**13)])
    assert found == ["25 %", "75 %"]


def test_two_equal_rows_say_it_all():
    assert "their features are the same" in why(["a", "b"], ["line 2", "line 3"], True)
