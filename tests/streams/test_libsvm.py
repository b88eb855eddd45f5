"""LIBSVM text in blocks: the rows that scikit-learn reads, or the place of what is wrong."""

import bz2
import gzip
import io
import lzma
import threading

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.datasets import load_svmlight_file

from novikoff.streams.bytes import StreamError, open_bytes
from novikoff.streams.libsvm import LibsvmError, LibsvmText
from tests.examples import examples
from tests.real_data import shared

FILES = [
    "a9a.gz", "a9a.t.gz", "heart_scale.gz", "ijcnn1.trn.bz2", "ionosphere_scale.gz", "mushrooms.gz",
    "rcv1_small.libsvm.gz", "sonar_scale.gz", "svmguide3.gz",
]  # fmt: skip
SMALL = (
    b"\xef\xbb\xbf# weights\n+1 1:0.5 3:-2e1 # first\r\n\n-1 qid:3 2:0.1\t4:7\n"
    b"2 4:123456789.123456789012345\n# nothing\n \n-0.5\n1 1:0 2:3"
)


def read(text, *, chunk=2**22, **options):
    """All blocks of `text` (or of a file) as one matrix, and the labels."""
    data = open_bytes(io.BytesIO(text) if isinstance(text, bytes) else text)
    source = LibsvmText(data, **options)
    blocks = list(source.blocks(_chunk=chunk))
    width = 0
    for X, y in blocks:
        assert X.shape[0] == y.shape[0] > 0
        assert X.shape[1] >= width
        width = X.shape[1]
        assert X.indices.dtype == X.indptr.dtype == np.int32
        assert X.data.dtype == source.dtype
        X.check_format(full_check=True)
        assert sp.csr_array((X.data, X.indices, X.indptr), shape=X.shape).has_canonical_format
        assert np.all(X.data != 0)
    parts = [sp.csr_array((X.data, X.indices, X.indptr), shape=(X.shape[0], width))
             for X, _ in blocks]  # fmt: skip
    return sp.vstack(parts, format="csr"), np.concatenate([y for _, y in blocks])


def assert_same(mine, theirs):
    X, y = mine
    expected_X, expected_y = theirs
    expected_X = sp.csr_array(expected_X)
    expected_X.eliminate_zeros()
    assert X.shape == expected_X.shape
    np.testing.assert_array_equal(X.indptr, expected_X.indptr)
    np.testing.assert_array_equal(X.indices, expected_X.indices)
    np.testing.assert_array_equal(X.data.view(np.uint8), expected_X.data.view(np.uint8))
    np.testing.assert_array_equal(y, expected_y)


def failure(text, **options):
    with pytest.raises(LibsvmError) as caught:
        read(text, **options)
    assert caught.value.file == "<stream>"
    where = f"<stream>, line {caught.value.line}, column {caught.value.column}: "
    assert str(caught.value).startswith(where)
    return caught.value.line, caught.value.column, str(caught.value).removeprefix(where)


blank = st.sampled_from([" ", "  ", "\t", " \t"])
number = (
    st.floats(allow_nan=False, allow_infinity=False).map(repr)
    | st.floats(-1e6, 1e6).map("{:.6f}".format)
    | st.integers(-1000, 1000).map(str)
    | st.text("0123456789", min_size=1, max_size=30).map(lambda digits: f"-{digits[:3]}.{digits}")
)


@st.composite
def a_line(draw):
    if draw(st.integers(0, 9)) == 0:
        return draw(st.sampled_from(["", "   ", "# 1:2", "\t# note"]))
    line = draw(st.sampled_from(["", " "])) + draw(number)
    if draw(st.integers(0, 9)) == 0:
        line += f"{draw(blank)}qid:{draw(st.integers(0, 99))}"
    for index in sorted(draw(st.sets(st.integers(1, 300) | st.integers(1, 10**6), max_size=8))):
        line += f"{draw(blank)}{index}:{draw(number)}"
    return line + draw(st.sampled_from(["", "", " ", "\t", " # note", "#"]))


@examples(150)
@given(
    lines=st.lists(a_line(), max_size=12),
    newline=st.sampled_from(["\n", "\r\n"]),
    ending=st.booleans(),
    zero_based=st.booleans(),
    chunk=st.integers(1, 300),
    n_threads=st.integers(1, 3),
)
@example(["1"], "\n", True, False, 1, 2)
def test_scikit_learn_reads_the_same(lines, newline, ending, zero_based, chunk, n_threads):
    lines = ["1 5:1", *lines]  # scikit-learn refuses a file without rows
    text = (newline.join(lines) + newline * ending).encode()
    assert_same(
        read(text, zero_based=zero_based, chunk=chunk, n_threads=n_threads),
        load_svmlight_file(io.BytesIO(text), zero_based=zero_based),
    )


@pytest.mark.parametrize("file", FILES)
def test_files_in_the_wild(file):
    path = shared(f"libsvm/{file}")
    assert_same(read(path, chunk=2**18), load_svmlight_file(str(path)))


@pytest.mark.parametrize("n_threads", [1, 2])
def test_chunks_may_end_at_any_byte(n_threads):
    whole = read(SMALL)
    np.testing.assert_array_equal(whole[1], [1, -1, 2, -0.5, 1])
    np.testing.assert_array_equal(
        whole[0].toarray(),
        [[0.5, 0, -20, 0], [0, 0.1, 0, 7], [0, 0, 0, 123456789.12345679], [0] * 4, [0, 3, 0, 0]],
    )
    for chunk in range(1, len(SMALL) + 2):
        assert_same(read(SMALL, chunk=chunk, n_threads=n_threads), whole)


class Dribble(io.RawIOBase):
    """A pipe that hands over a few bytes at a time."""

    def __init__(self, content, step):
        self._content, self._step = io.BytesIO(content), step

    def readable(self):
        return True

    def readinto(self, buffer):
        piece = self._content.read(min(self._step, len(buffer)))
        buffer[: len(piece)] = piece
        return len(piece)


@pytest.mark.parametrize("step", [1, 7])
def test_pipes_that_deliver_in_pieces(step):
    assert_same(read(Dribble(SMALL, step)), read(SMALL))


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_text(compress, tmp_path):
    path = tmp_path / "data.txt"
    path.write_bytes(compress(SMALL))
    assert_same(read(path, chunk=50), read(SMALL))


def test_blocks_are_as_wide_as_the_file_so_far():
    text = b"1 2:1\n1 9:0\n1 1:1\n"
    source = LibsvmText(open_bytes(io.BytesIO(text)))
    assert [X.shape for X, _ in source.blocks(_chunk=6)] == [(1, 2), (1, 9), (1, 9)]


@pytest.mark.parametrize("text", [b"", b"\n\n", b"# only a comment"])
def test_a_file_without_rows_has_no_blocks(text):
    assert list(LibsvmText(open_bytes(io.BytesIO(text))).blocks()) == []


def test_single_precision_is_the_double_rounded():
    text = b"1 1:0.1 2:1e-60 3:3.4028235677973362e38 4:16777217.0000000001"
    X, _ = read(text, dtype=np.float32)
    assert X.data.dtype == np.float32
    expected = np.array([0.1, 3.4028235677973362e38, 16777217.0], np.float32)
    np.testing.assert_array_equal(X.data, expected)
    np.testing.assert_array_equal(X.indices, [0, 2, 3])
    line, column, message = failure(b"1 1:3.4028235677973366e38", dtype=np.float32)
    assert (line, column) == (1, 3)
    assert "float64" in message


@pytest.mark.parametrize("chunk", [1, 20, 2**22])
@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize(
    ("line", "column", "words"),
    [
        ("1 2:3 abc", 7, "expected index:value, found 'abc'"),
        ("1 2:3 4:x5", 7, "expected index:value, found '4:x5'"),
        ("1 2:3 4:nan", 7, "found '4:nan'; only finite numbers"),
        ("abc 2:3", 1, "expected a number as the label, found 'abc'"),
        (" inf 2:3", 2, "found 'inf'; only finite numbers"),
        ("1,3 2:3", 1, "several labels, '1,3'"),
        ("2:3 4:5", 1, "expected a label, found '2:3'"),
        ("1 2:3 qid:1", 7, "directly behind the label"),
        ("1 qid:1.5", 3, "whole number n, found 'qid:1.5'"),
        ("1 2:1 -3:1", 7, "the index -3"),
        ("1 2:3 0:1", 7, "index 0 follows index 2"),
        ("1 0:1", 3, "the first is 1; if it is 0, set zero_based=True"),
        ("1 7:3 12:1 \t 3:1", 14, "index 3 follows index 12"),
        ("1 qid:3 7:3 7:1", 13, "index 7 follows index 7"),
        ("1 3000000000:1", 3, "the index 3000000000; there may be 2147483647 columns"),
        ("1 1:1e400", 3, "too large a number for float64"),
        ("1 1:17976931348623158" + "0" * 291 + "00.1", 3, "too large a number"),
        ("1 2:\N{GREEK SMALL LETTER ALPHA}", 3, "found '2:α'"),
    ],
)
def test_a_malformed_line_says_file_line_and_column(line, column, words, chunk, n_threads):
    text = f"1 1:1\n# comment\r\n\n-1 3:1\n{line}\n1 1:1\nworse\n".encode()
    at_line, at_column, message = failure(text, chunk=chunk, n_threads=n_threads)
    assert (at_line, at_column) == (5, column)
    assert words in message


def test_rows_before_the_malformed_line_arrive():
    source = LibsvmText(open_bytes(io.BytesIO(b"1 1:1\n2 1:1\nx\n")))
    seen = []
    with pytest.raises(LibsvmError, match="line 3, column 1"):
        seen.extend(float(y[0]) for _, y in source.blocks(_chunk=6))
    assert seen == [1.0, 2.0]


def test_long_text_is_shortened_in_messages():
    _, _, message = failure(b"1 " + b"x" * 10**6)
    assert len(message) < 200


def test_a_line_longer_than_a_chunk():
    columns = np.arange(1, 5001)
    text = "1 " + " ".join(f"{k}:{k}" for k in columns) + "\n-1 1:1\n"
    X, y = read(text.encode(), chunk=100)
    np.testing.assert_array_equal(X[[0]].toarray()[0], columns)
    np.testing.assert_array_equal(y, [1, -1])


def test_truncated_compression_is_reported(tmp_path):
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(b"1 1:1\n" * 100_000)[:-40])
    with pytest.raises(StreamError, match=r"cut\.gz"):
        list(LibsvmText(open_bytes(path)).blocks(_chunk=1000))


def test_a_reader_that_stops_early_leaves_no_threads():
    before = threading.active_count()
    blocks = LibsvmText(open_bytes(io.BytesIO(b"1 1:1\n" * 10_000))).blocks(_chunk=600)
    next(blocks)
    assert threading.active_count() > before
    blocks.close()
    assert threading.active_count() == before


@pytest.mark.parametrize(("option", "value"), [("dtype", np.int32), ("n_threads", 0)])
def test_options_are_checked(option, value):
    with pytest.raises(ValueError, match=option):
        LibsvmText(open_bytes(io.BytesIO(b"1")), **{option: value})
