"""Pasted tables."""

import pytest

from novikoff.web.questions import MOST_POINTS, TableQuestion
from novikoff.web.tables import table_answer

PLANTS = "name;height;weight;kind\nann;1,5;2;a\nbob;2;;b\ncyd;-3;4;a\ndon;1;1;\n"


def ask(text, **chosen):
    return table_answer(TableQuestion(text=text, **chosen))


def test_columns_are_told_apart_and_suggested():
    answer = ask(PLANTS)
    assert [(c.name, c.kind, c.missing) for c in answer.columns] == [
        ("name", "text", 0), ("height", "number", 0), ("weight", "number", 1), ("kind", "text", 1)
    ]  # fmt: skip
    assert answer.suggested.features == ("height", "weight")
    assert answer.suggested.target == "kind"
    assert answer.n_rows == 4
    assert answer.rows[1] == ["bob", "2", "", "b"]
    assert answer.points is None


def test_chosen_columns_become_points():
    answer = ask(PLANTS, features=("height", "weight"), target="kind", positive="a")
    assert [(p.x, p.y, p.label) for p in answer.points] == [(1.5, 2.0, 1), (-3.0, 4.0, 1)]
    assert (answer.classes.negative, answer.classes.positive) == ("b", "a")
    assert "2 rows" in answer.notes[-1]
    assert all(note == note[0].upper() + note[1:] and note[-1] == "." for note in answer.notes)


def test_more_than_two_classes_are_one_against_the_rest():
    text = "x,y,k\n" + "".join(f"{i},{-i},{'uvw'[i % 3]}\n" for i in range(9))
    answer = ask(text, features=("x", "y"), target="k")
    assert answer.labels == ["u", "v", "w"]
    assert (answer.classes.positive, answer.classes.negative) == ("u", "the rest")
    assert sum(p.label == 1 for p in answer.points) == 3
    assert ask(text, features=("x", "y"), target="k", positive="w").classes.positive == "w"


def test_labels_that_are_numbers_are_in_their_order():
    text = "x,y,k\n" + "".join(f"{i},{-i},{i % 12}\n" for i in range(24))
    assert ask(text, target="k").labels[:3] == ["0", "1", "2"]
    assert ask(text, target="k").labels[-1] == "11"


def test_a_long_table_is_sampled_from_everywhere():
    n = 3 * MOST_POINTS
    text = "x,y,k\n" + "".join(f"{i},0,{int(i > n / 2)}\n" for i in range(n))
    answer = ask(text, features=("x", "y"), target="k")
    assert len(answer.points) == MOST_POINTS
    assert abs(sum(p.label for p in answer.points)) < MOST_POINTS / 5
    assert [p.x for p in answer.points] == sorted(p.x for p in answer.points)
    assert str(MOST_POINTS) in answer.notes[-1]


@pytest.mark.parametrize(
    ("text", "chosen", "said"),
    [
        ("", {}, "empty"),
        ("  \n ", {}, "empty"),
        (PLANTS, {"features": ("height", "size"), "target": "kind"}, "no column size"),
        (PLANTS, {"features": ("height", "name"), "target": "kind"}, "numbers only"),
        (PLANTS, {"features": ("height", "height"), "target": "kind"}, "two different"),
        (PLANTS, {"features": ("height", "weight"), "target": "weight"}, "third"),
        (PLANTS, {"features": ("height", "weight"), "target": "kind", "positive": "z"}, "holds z"),
        ("x,y,k\n1,2,a\n3,4,a\n", {"features": ("x", "y"), "target": "k"}, "only one value"),
        ("a,b\n1,2,3\n", {}, "line 2"),
        ("\x00\x01\x02", {}, "table"),
        ("1 1:2 2:3\n-1 1:1 2:2\n", {}, "LIBSVM"),
    ],
)
def test_what_is_wrong_is_said(text, chosen, said):
    with pytest.raises(ValueError, match=said):
        ask(text, **chosen)


def test_markup_stays_text():
    text = 'x,y,<img src=x onerror=alert(1)>\n1,2,"<script>alert(1)</script>"\n3,4,b\n'
    target = "<img src=x onerror=alert(1)>"
    answer = ask(text, features=("x", "y"), target=target)
    assert answer.columns[2].name == target
    assert "<script>alert(1)</script>" in answer.labels
