"""Columns as users name them."""

import pytest

from novikoff.streams.tables.options import listed, resolve, resolve_all

NAMES = ["age", "sex", "2", "Fare"]


@pytest.mark.parametrize(
    ("wanted", "column"),
    [("age", "age"), (1, "age"), (-1, "Fare"), ("1", "age"), ("-2", "2"), ("2", "2"), (2, "sex")],
)
def test_a_name_or_a_position(wanted, column):
    assert resolve(NAMES, wanted, "target") == column


@pytest.mark.parametrize("wanted", [0, 5, "-5"])
def test_positions_that_do_not_exist(wanted):
    with pytest.raises(ValueError, match=r"target=.*the 4 columns count from 1"):
        resolve(NAMES, wanted, "target")


def test_near_matches_are_suggested():
    with pytest.raises(ValueError, match=r'drop="fair": .* did you mean Fare\?'):
        resolve_all(NAMES, ["age", "fair"], "drop")
    with pytest.raises(ValueError, match="there are age, sex, 2 and Fare"):
        resolve(NAMES, "zzzzzz", "drop")


def test_lists_as_a_person_writes_them():
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"], "or") == "a, b or c"
    assert listed([f"c{k}" for k in range(60)]) == "c0, c1, c2, …, c59 (60 in all)"
