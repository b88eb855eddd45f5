"""Points of a plane from tables of any kind."""

import io

import pytest

from novikoff.analysis.plane import MOST_POINTS, read_points
from novikoff.streams.bytes import open_bytes


def read(text, *choice):
    data = open_bytes(io.BytesIO(text.encode()))
    data.name = "plants.csv"
    return read_points(data, *choice)


def test_two_columns_and_a_target_are_chosen_and_named():
    found = read(
        "name;height;weight;kind\nann;1,5;2;a\nbob;2;;b\ncyd;-3;4;a\ndon;1;1;\neva;0;0;b\n"
    )
    assert found.points == [(1.5, 2.0, -1), (-3.0, 4.0, -1), (0.0, 0.0, 1)]
    assert found.axes == ("height", "weight")
    assert found.classes == ("a", "b")
    assert found.note == (
        "plants.csv: height and weight; kind is the target, b against a. 2 rows without two "
        "numbers (up to 10⁹) and a label left out."
    )


def test_y_may_be_an_axis():
    """It is a usual name of a target, but not where only one column of numbers would be left."""
    found = read("x,y,kind\n1,2,a\n2,3,b\n3,1,a\n")
    assert found.axes == ("x", "y")
    assert [side for _, _, side in found.points] == [-1, 1, -1]
    assert read("x,y,z\n1,2,5\n2,3,4\n3,1,5\n").axes == ("x", "z")


def test_columns_and_the_positive_class_can_be_said():
    text = "a,b,c,kind\n1,2,3,p\n2,3,4,q\n3,1,5,r\n"
    found = read(text, ("c", "1"), None, "q")
    assert found.axes == ("c", "a")
    assert found.points == [(3.0, 1.0, -1), (4.0, 2.0, 1), (5.0, 3.0, -1)]
    assert found.classes == ("the rest", "q")
    assert read(text, (), "b").axes == ("a", "c")
    for choice, said in [
        ((("d", "a"),), "no such column"),
        ((("kind", "a"),), "kind has cells that are no numbers"),
        (((), "d"), "no such column"),
        (((), None, "s"), "there are p, q and r"),
    ]:
        with pytest.raises(ValueError, match=said):
            read(text, *choice)


def test_a_long_table_is_sampled_from_everywhere():
    n = 3 * MOST_POINTS
    found = read("x,y,k\n" + "".join(f"{i},0{i % 2},{int(i > n / 2)}\n" for i in range(n)))
    assert len(found.points) == MOST_POINTS
    assert abs(sum(side for _, _, side in found.points)) < MOST_POINTS / 5
    assert [x for x, _, _ in found.points] == sorted(x for x, _, _ in found.points)
    assert found.note.endswith(f"{MOST_POINTS} of {n} rows, drawn at random.")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\nx,y\nz,w\n", "two columns of numbers"),
        ("a,b,target\n1,2,p\n3,4,p\n", "a third with few values"),
        ("a,b,c\n", "two columns of numbers"),
    ],
)
def test_what_cannot_be_shown_is_said(text, said):
    with pytest.raises(ValueError, match=said):
        read(text)
