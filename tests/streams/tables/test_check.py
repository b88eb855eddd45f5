"""JSON that says it is an encoder, and is none."""

import json

import polars as pl
import pytest

from novikoff.streams.tables.encoder import TableEncoder

FRAME = pl.DataFrame({"x": [1.0, None, 4.0], "c": ["a", "b", "a"], "f": ["yes", "no", "no"]})
GOOD = json.loads(TableEncoder().fit(FRAME).to_json())


def spoiled(*path, to):
    document = json.loads(json.dumps(GOOD))
    place = document
    for key in path[:-1]:
        place = place[key]
    if to is KeyError:
        del place[path[-1]]
    else:
        place[path[-1]] = to
    return json.dumps(document)


def test_the_good_one_is_accepted():
    assert json.loads(TableEncoder.from_json(json.dumps(GOOD)).to_json()) == GOOD


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        "[" * 100_000,
        spoiled("columns", to=None),
        spoiled("columns", to={}),
        spoiled("columns", 0, to=7),
        spoiled("columns", 0, "name", to=7),
        spoiled("columns", 0, "kind", to="code"),
        spoiled("columns", 0, "parts", to=["days"]),
        spoiled("columns", 0, "fills", to=[]),
        spoiled("columns", 0, "shifts", to=[float("nan")]),
        spoiled("columns", 0, "scales", to=[0.0]),
        spoiled("columns", 0, "scales", to=["1"]),
        spoiled("columns", 0, "missing", to=1),
        spoiled("columns", 1, "name", to="x"),
        spoiled("columns", 1, "categories", to="{"),
        spoiled("columns", 1, "categories", to='["a", "a"]'),
        spoiled("columns", 1, "categories", to="[1]"),
        spoiled("columns", 1, "rare", to=KeyError),
        spoiled("columns", 1, "hashed", to=True),
        spoiled("columns", 2, "spelling", to="on/off"),
        spoiled("parameters", "missing", to="hide"),
        spoiled("parameters", "more", to=1),
        spoiled("parameters", "hash_bits", to=60),
        spoiled("parameters", "drop", to="x"),
        spoiled("sparse", to="no"),
        spoiled("target", to=3),
    ],
)
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError, match="this is no encoder of a table"):
        TableEncoder.from_json(text)
