"""Tables pasted into the page: read by it as the library reads them."""

import io

import pytest

from novikoff.analysis.plane import MOST_POINTS, read_points
from novikoff.streams.bytes import open_bytes

PLANTS = "name;height;weight;kind\nann;1,5;2;a\nbob;2;;b\ncyd;-3;4;a\ndon;1;1;\n"
REFUSED = "(() => { try { return found.table(given); } catch (error) { return error.message; } })()"


@pytest.fixture
def ask(node):
    return lambda text, **chosen: node("engine/table.js", REFUSED, {"text": text, **chosen})


def test_columns_are_told_apart_and_suggested(ask):
    answer = ask(PLANTS)
    assert [(c["name"], c["kind"], c["missing"]) for c in answer["columns"]] == [
        ("name", "text", 0), ("height", "number", 0), ("weight", "number", 1), ("kind", "text", 1)
    ]  # fmt: skip
    assert answer["suggested"] == {"features": ["height", "weight"], "target": "kind"}
    assert answer["n_rows"] == 4
    assert answer["rows"][1] == ["bob", "2", "", "b"]
    assert answer["points"] is None


def test_chosen_columns_become_points(ask):
    answer = ask(PLANTS, features=["height", "weight"], target="kind", positive="a")
    assert answer["points"] == [
        {"x": 1.5, "y": 2, "label": 1}, {"x": -3, "y": 4, "label": 1}
    ]  # fmt: skip
    assert answer["classes"] == {"negative": "b", "positive": "a"}
    assert "2 rows" in answer["notes"][-1]


def test_more_than_two_classes_are_one_against_the_rest(ask):
    text = "x,y,k\n" + "".join(f"{i},{-i},{'uvw'[i % 3]}\n" for i in range(9))
    answer = ask(text, features=["x", "y"], target="k")
    assert answer["labels"] == ["u", "v", "w"]
    assert answer["classes"] == {"positive": "u", "negative": "the rest"}
    assert sum(p["label"] == 1 for p in answer["points"]) == 3
    other = ask(text, features=["x", "y"], target="k", positive="w")
    assert other["classes"]["positive"] == "w"


def test_labels_that_are_numbers_are_in_their_order(ask):
    text = "x,y,k\n" + "".join(f"{i},{-i},{i % 12}\n" for i in range(24))
    labels = ask(text, target="k")["labels"]
    assert (labels[:3], labels[-1]) == (["0", "1", "2"], "11")


TABLES = [
    PLANTS,
    "x,y,k\n" + "".join(f"{i},{(i * 7) % 11},{'uvw'[i % 3]}\n" for i in range(30)),
    "x,y,k\n" + "".join(f"{i},{i % 9},{int(i > 2000)}\n" for i in range(2 * MOST_POINTS)),
    "a\tb\tlabel\tc\n1.5\t-2e3\tyes\t1\n2\t7\tno\t2\n3\tNA\tno\t3\n4\t1\tyes\t4\n",
    'x;"the ""second""";kind\r\n1,25;2;"a;b"\r\n2,5;3;c\r\n\r\n3;4;c\r\n',
    "1,2,a\n3,4,b\n5,6,a\n",
    "\ufeffid|x|y|class\n1|0.1|0.2|0\n2|0.3|0.4|1\n3|0.5|?|1\n",
    "x,y,k\n1,2,<b>\n3,4,</script>\n",
]


@pytest.mark.parametrize("text", TABLES, ids=range(len(TABLES)))
def test_page_and_command_take_the_same_points(ask, text):
    suggested = ask(text)["suggested"]
    answer = ask(text, **suggested)
    data = open_bytes(io.BytesIO(text.encode()))
    data.name = "table.csv"
    found = read_points(data)
    assert tuple(answer["axes"]) == found.axes
    assert (answer["classes"]["negative"], answer["classes"]["positive"]) == found.classes
    assert [(p["x"], p["y"], p["label"]) for p in answer["points"]] == found.points


@pytest.mark.parametrize(
    ("text", "chosen", "said"),
    [
        ("", {}, "empty"),
        ("  \n ", {}, "empty"),
        ("x,y,k\n", {}, "no rows"),
        (PLANTS, {"features": ["height", "size"], "target": "kind"}, "no column size"),
        (PLANTS, {"features": ["height", "name"], "target": "kind"}, "numbers only"),
        (PLANTS, {"features": ["height", "height"], "target": "kind"}, "two different"),
        (PLANTS, {"features": ["height", "weight"], "target": "weight"}, "third"),
        (PLANTS, {"features": ["height", "weight"], "target": "kind", "positive": "z"}, "holds z"),
        ("x,y,k\n1,2,a\n3,4,a\n", {"features": ["x", "y"], "target": "k"}, "only one value"),
        ("a,b\n1,2,3\n", {}, "Line 2"),
        ("a,a\n1,2\n", {}, "called a"),
        ("\x00\x01\x02", {}, "no table"),
        ("1 1:2 2:3\n-1 1:1 2:2\n", {}, "LIBSVM"),
    ],
)
def test_what_is_wrong_is_said(ask, text, chosen, said):
    assert said in ask(text, **chosen)
