"""Records found by parity of quotes, against the parser and plain counting."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff.streams.bytes import StreamError, open_bytes
from novikoff.streams.tables import lines
from novikoff.streams.tables.columns import MISSING
from novikoff.streams.tables.lines import Irregular, Layout
from novikoff.streams.tables.parse import parse
from novikoff.streams.tables.text import Text
from tests.streams.tables.helpers import read, written


def layout_of(path, expected, skipped=0, delimiter=","):
    text = Text(open_bytes(path), None)
    return Layout(text, delimiter, quotes=True, skipped=skipped, expected=expected)


@pytest.mark.parametrize("chunk", [1, 5, 1 << 22])
def test_lines_and_blanks_whatever_the_chunk(tmp_path, monkeypatch, chunk):
    monkeypatch.setattr(lines, "CHUNK", chunk)
    text = 'h,h\n1,2\n\n"a\n""\n,b",3\n  \n\n"",""\n4,"\n\n\n"\n'
    layout = layout_of(written(tmp_path, text), 2, skipped=1)
    assert layout.blank.tolist() == [1, 3, 4]
    assert layout.lines_of(range(9)) == {0: 2, 1: 4, 2: 9, 3: 10}
    assert layout.lines_of([3, 0]) == {3: 10, 0: 2}
    assert layout.lines_of([-1]) == {}


@pytest.mark.parametrize(
    "text", ['a"b,c\n', '"a"b,c\n', '"a" ,c\n', ' "a",c\n', 'a""b,c\n', 'x,y\n1,""a""\n']
)
def test_irregular_quotes(tmp_path, text):
    with pytest.raises(Irregular):
        layout_of(written(tmp_path, text), 2)


@pytest.mark.parametrize("text", ['"a""b",c\n', '"""",c\n', '"","c"', '"a","c"\r\n'])
def test_regular_quotes(tmp_path, text):
    assert layout_of(written(tmp_path, text), 2).lines_of([0]) == {0: 1}


@pytest.mark.parametrize("chunk", [1, 1 << 22])
def test_a_quote_that_is_never_closed(tmp_path, monkeypatch, chunk):
    monkeypatch.setattr(lines, "CHUNK", chunk)
    path = written(tmp_path, 'a,b\n"x",y\n1,"z\n""w""\n2,3\n')
    with pytest.raises(StreamError, match="never closed") as caught:
        layout_of(path, 2)
    assert caught.value.line == 3


RAW = st.text(st.sampled_from('ab1,"" \n'), min_size=1, max_size=40)


@pytest.mark.parametrize("chunk", [3, 1 << 22])
@given(RAW, st.sampled_from(["\n", "\r\n"]))
def test_any_text_is_read_as_the_parser_reads_it(chunk, text, end):
    """Whatever the path (polars alone, with a layout, or rewritten), the rows are the parser's."""
    content = text.replace("\n", end)
    physical = io.StringIO(content, newline="\n")
    expected: list[tuple[str | None, ...]] = []
    starts: list[int] = []
    error = None
    try:
        for record in parse(physical, ",", "data"):
            if expected and len(record.cells) != len(expected[0]):
                error = record.began
                break
            cells = [cell.strip() for cell in record.cells]
            expected.append(tuple(None if cell in MISSING else cell for cell in cells))
            starts.append(record.began)
    except StreamError as caught:
        error = caught.line
    before, lines.CHUNK = lines.CHUNK, chunk
    source = io.BytesIO(content.encode())
    try:
        if error is not None or not expected:
            with pytest.raises(StreamError) as caught:
                read(source, header=False, delimiter=",")
            assert caught.value.line == error
        else:
            reader, rows = read(source, header=False, delimiter=",")
            assert rows == expected
            assert reader.lines_of(range(len(rows))) == dict(enumerate(starts))
    finally:
        lines.CHUNK = before


def test_a_large_file_is_counted_exactly(tmp_path):
    rng = np.random.RandomState(0)
    kinds = rng.randint(4, size=20_000)
    pieces = np.array(['1,"a\n\n"\n', "2,b\n", "\n", '3,"x,""y"""\n'])[kinds]
    path = written(tmp_path, "".join(pieces))
    heights = np.array([p.count("\n") for p in pieces])
    starts = np.concatenate(([1], 1 + np.cumsum(heights)))[:-1][kinds != 2]
    layout = layout_of(path, 2)
    assert layout.blank.tolist() == np.flatnonzero(kinds == 2).tolist()
    assert layout.lines_of(range(len(starts))) == dict(enumerate(starts.tolist()))
