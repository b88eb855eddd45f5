"""The sentence on the first screen of a report."""

from collections import Counter

import pytest

from novikoff.analysis.confusion import Confusion
from novikoff.reports.summary import Fitted, verdict


@pytest.mark.parametrize(
    ("n", "told"),
    [
        (16, "18.8 % of the held-out rows; always saying class 0 would be wrong on 31.2 %. On 16 "),
        (1600, "18.8 % of the held-out rows; always saying class 0 would be wrong on 31.2 %."),
    ],
)
def test_a_difference_on_few_rows_may_be_chance(n, told):
    """3 of 16 rows have a standard error of 10 %, 300 of 1600 one of 1 %; 12 % lie between."""
    k = n // 16
    held = Confusion(
        Counter({("0", "0"): 10 * k, ("0", "1"): k, ("1", "0"): 2 * k, ("1", "1"): 3 * k})
    )
    sentence = verdict(Fitted(None, held, held, "0"))
    assert told in sentence
    assert ("chance" in sentence) == (n == 16)
