"""ARFF as Weka writes it, held against scipy's reader; JSON lines; frames that are not ours."""

import io
import json

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from scipy.io import arff

import novikoff
from novikoff.streams import StreamError, fit_stream, open_source
from novikoff.streams.bytes import open_bytes
from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.reader import open_reader
from tests.streams.tables.helpers import frame_of

WEATHER = """% a comment
@RELATION weather

@attribute outlook {sunny, overcast, rainy}
@attribute temperature REAL
@attribute humidity numeric
@attribute play {yes, no}
@DATA
sunny,85,85.5,no
% another
overcast, 83 ,86,yes
rainy,70,96,yes
sunny,72,95,no
"""


def read(text):
    return open_reader(io.BytesIO(text.encode()), TableOptions())


def test_what_scipy_reads_is_read_alike():
    theirs, meta = arff.loadarff(io.StringIO(WEATHER))
    reader = read(WEATHER)
    ours = frame_of(reader)
    assert reader.kind == "arff"
    assert reader.names == meta.names()
    for name in ours.columns:
        cells = theirs[name]
        if cells.dtype.kind == "S":
            assert ours[name].to_list() == [cell.decode() for cell in cells]
        else:
            assert np.array_equal(ours[name].to_numpy(), cells)
    assert reader.lines_of(range(4)) == {0: 9, 1: 11, 2: 12, 3: 13}


def test_quotes_missing_cells_and_sparse_rows():
    reader = read(
        "@relation r\n@attribute 'a b' numeric\n@attribute \"it's\" {x, 'y, \\'z\\'', w}\n"
        "@attribute t string\n@data\n?, 'y, \\'z\\'', \"a b\"\n"
        "{0 1.5}\n{1 w, 2 'u v'}\n{}\n 2,x,?\n"
    )
    assert reader.names == ["a b", "it's", "t"]
    assert frame_of(reader).rows() == [
        (None, "y, 'z'", "a b"), (1.5, "x", None), (0.0, "w", "u v"), (0.0, "x", None),
        (2.0, "x", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("@relation r\n@attribute a numeric\n@data\n1\nx\n", 5, "a is x, no number"),
        ("@relation r\n@attribute a numeric\n@data\n1,2\n", 4, "2 cells, where there are 1"),
        ("@relation r\n@attribute a numeric\n@data\n{3 1}\n", 4, "sparse row"),
        ("@relation r\n@attribute a numeric\n@data\n'a\n", 4, "cannot be told apart"),
        ("@relation r\n@attribute a relational\n@data\n1\n", 2, "of the type relational"),
        ("@relation r\n@attribute a real\n@attribute a real\n@data\n1,2\n", 3, "two attributes"),
        ("@relation r\n@attribute a {u,v}\n@data\nu\nw\n", 5, "a is w, which its header"),
        ("@relation r\n@data\n1\n", 2, "no @attribute"),
        ("@relation r\n@attribute a real\n1\n", 3, "stands where"),
        ("@relation r\n@attribute a real\n", None, "no @data"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, line, said):
    with pytest.raises(StreamError, match=said) as caught:
        read(text)
    assert caught.value.line == line


def test_lines_are_whole_however_long_the_file():
    """Some megabytes: more than is read at a time."""
    head = "@relation r\n@attribute a real\n@attribute 'the kind of it' {some, others}\n@data\n"
    cells = np.random.RandomState(0).randn(100_000)
    body = "".join(f"{x!r},{'some' if x > 0 else 'others'}\n" for x in cells.tolist())
    found = frame_of(read(head + body))
    assert len(body) > 2_000_000
    assert np.array_equal(found["a"].to_numpy(), cells)
    assert found["the kind of it"].to_list() == np.where(cells > 0, "some", "others").tolist()


def test_a_small_file_does_not_fill_the_memory():
    """Two bytes stand for a row of ten thousand cells."""
    head = "@relation r\n" + "".join(f"@attribute a{j} real\n" for j in range(10_000))
    data = open_bytes(io.BytesIO(f"{head}@data\n".encode() + b"{}\n" * 5_000))
    data.max_memory = 1 << 26
    with pytest.raises(StreamError, match="LIBSVM text"):
        open_reader(data, TableOptions())


def rows(n=200):
    draw = np.random.RandomState(3)
    return {
        "height": draw.randn(n).tolist(),
        "colour": draw.choice(["red", "green", None], n).tolist(),
        "kind": draw.choice(["a", "b"], n).tolist(),
    }


def test_every_form_of_a_table_gives_the_same_model(tmp_path):
    columns = rows()
    frame = pl.DataFrame(columns)
    lines = tmp_path / "t.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in frame.to_dicts()))
    frame.write_csv(tmp_path / "t.csv")
    weka = "@relation t\n@attribute height real\n@attribute colour {red,green}\n"
    weka += "@attribute kind {a,b}\n@data\n"
    weka += "".join(f"{h!r},{c or '?'},{k}\n" for h, c, k in zip(*columns.values(), strict=True))
    (tmp_path / "t.arff").write_text(weka)
    sources = [
        tmp_path / "t.csv", lines, tmp_path / "t.arff", frame, frame.lazy(), pa.table(columns)
    ]  # fmt: skip
    models = [
        fit_stream(novikoff.AveragedPerceptron(max_iter=3), open_source(each)) for each in sources
    ]
    for model in models[1:]:
        assert np.array_equal(model.coef_, models[0].coef_)
    assert [open_source(each).kind for each in sources] == [
        "csv", "jsonl", "arff", "frame", "frame", "frame"
    ]  # fmt: skip


def test_a_lazy_frame_can_be_gone_on_with(tmp_path):
    """A checkpoint knows what it was made of."""
    frame = pl.DataFrame(rows())
    told = {"epochs": 2, "checkpoint": tmp_path / "c"}
    model = fit_stream(novikoff.AveragedPerceptron(), open_source(frame.lazy()), **told)
    again = fit_stream(novikoff.AveragedPerceptron(), open_source(frame.lazy()), **told)
    assert np.array_equal(model.coef_, again.coef_)
    with pytest.raises(ValueError, match="it learned from other data"):
        fit_stream(novikoff.AveragedPerceptron(), open_source(frame[:100].lazy()), **told)


def test_a_classifier_of_a_table_that_nobody_holds_says_that_it_needs_the_table(tmp_path):
    frame = pl.DataFrame(rows())
    frame.write_csv(tmp_path / "t.csv")
    for source in (frame, tmp_path / "t.csv"):
        with pytest.warns(UserWarning, match=r"is a table: .*table\.pipeline"):
            fit_stream(novikoff.AveragedPerceptron(max_iter=3), source)
    numbers = pl.DataFrame({"a": [1.0, 2.5, 3.0, 4.0], "y": ["u", "v", "u", "v"]})
    plain = fit_stream(novikoff.AveragedPerceptron(), numbers, target="y", scale=False)
    same = novikoff.AveragedPerceptron(order="cyclic").fit(numbers[["a"]].to_numpy(), numbers["y"])
    assert np.array_equal(plain.coef_, same.coef_)


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ('{"a": ', "Expecting value"),
        ('{"a": NaN, "y": 1}', "NaN is not"),
        ("[1]", "something else"),
    ],
)
def test_damaged_json_lines_are_named(last, said):
    with pytest.raises(StreamError, match=said) as caught:
        open_source(io.BytesIO(b'{"a": 1, "y": "u"}\n' * 3 + f"{last}\n".encode()))
    assert caught.value.line == 4


def test_an_array_of_objects_is_no_table():
    with pytest.raises(StreamError, match="one object a line"):
        open_source(io.BytesIO(b'[{"a": 1, "y": 0}, {"a": 2, "y": 1}]'))
