"""Whatever JSON comes from outside, an error about it is a ValueError in words."""

import io
import json

import numpy as np
import pytest

import novikoff
from novikoff import MaxMarginClassifier, Perceptron, Trace, separability
from novikoff._json import DEEPEST, read_json
from novikoff.certificates import MaxMargin, Separability
from novikoff.persistence.container import MODEL
from novikoff.streams.tables.encoder import TableEncoder

X, Y = np.array([[0.0, 1.0], [2.0, 0.0], [3.0, 1.0]]), np.array([0, 1, 1])

READERS = {
    "separability": (Separability.from_json, separability(X, Y).to_json(), "digest"),
    "max margin": (
        MaxMargin.from_json,
        MaxMarginClassifier().fit(X, Y).certificate_.to_json(),
        "digest",
    ),
    "trace": (
        Trace.from_json,
        Perceptron(record_trace=True).fit(X, Y).trace_.to_json(),
        "status",
    ),
    "encoder": (TableEncoder.from_json, json.dumps({"parameters": {}, "columns": []}), "columns"),
}


def nested(depth, brackets="[]"):
    return brackets[0] * depth + brackets[1] * depth


@pytest.mark.parametrize("depth", [DEEPEST + 1, 900, 100_000])
@pytest.mark.parametrize("name", READERS)
def test_a_document_nested_deeply_is_refused_in_words(name, depth):
    read, good, field = READERS[name]
    for text in (nested(depth), '{"a":' * depth + "1" + "}" * depth):
        with pytest.raises(ValueError, match="nested more than"):
            read(text)
    document = json.loads(good)
    document[field] = "HERE"
    with pytest.raises(ValueError, match="nested more than"):
        read(json.dumps(document).replace('"HERE"', nested(depth)))


@pytest.mark.parametrize("depth", [900, 4000])
def test_a_model_file_with_a_deep_header_is_refused_in_words(tmp_path, depth):
    path = tmp_path / "model"
    path.write_bytes(MODEL.mark + nested(depth).encode() + b"\n")
    with pytest.raises(ValueError, match=r"header is no JSON .*nested more than"):
        novikoff.load(path)


def test_levels_are_counted():
    assert read_json(nested(DEEPEST)) == json.loads(nested(DEEPEST))
    for value in (3, None, "text", [], {}, [[1], {"a": [2]}]):
        assert read_json(json.dumps(value)) == value
        assert read_json(io.BytesIO(json.dumps(value).encode()).read()) == value
    with pytest.raises(ValueError, match="nested"):
        read_json(nested(DEEPEST + 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [("[NaN]", "NaN is not"), ("[-Infinity]", "not a JSON number"), ("1" * 500, "too many digits")],
)
def test_what_is_no_number_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        read_json(text)
