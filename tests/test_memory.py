"""What a file may ask for is known before it is allocated, and refused beyond a limit."""

from __future__ import annotations

import gzip
import io
import lzma

import numpy as np
import pytest

from novikoff import Perceptron, _memory
from novikoff.streams import StreamError, batches, chunks, fit_stream, open_source
from novikoff.streams.bytes import open_bytes


@pytest.fixture(autouse=True)
def usual_limit():
    yield
    _memory.allow(None)


@pytest.mark.parametrize(
    ("text", "n_bytes"),
    [("4GB", 4 * 10**9), ("4 gb", 4 * 10**9), ("4g", 4 * 10**9), ("512MiB", 2**29), ("0.5k", 500),
     ("100", 100), ("7b", 7), (12, 12), (None, None)],
)  # fmt: skip
def test_sizes(text, n_bytes):
    assert _memory.as_bytes(text) == n_bytes


@pytest.mark.parametrize("text", ["", "GB", "-1GB", "0", "4XB", "nan", "infGB", "1e400", "four"])
def test_no_sizes(text):
    with pytest.raises(ValueError, match="such as 4GB"):
        _memory.as_bytes(text)


def test_the_limit_of_the_call_then_of_the_process_then_of_the_machine():
    assert 0 < _memory.limit() <= _memory.machine() // 2
    _memory.allow(5000)
    assert _memory.limit() == 5000
    assert _memory.limit(70) == 70
    assert _memory.refusal(70, "it", given=70) is None
    assert "it would take 71 bytes" in str(_memory.refusal(71, "it", given=70))


def text_with_index(index):
    return io.BytesIO(b"1 1:1\n-1 2:1\n1 1:1 %d:1\n" % index)


def test_one_large_index():
    """Weights that the largest index asks for; rows alone, which take nothing, are read."""
    with pytest.raises(ValueError, match=r"200000000 features would take \d+ GB.*max_memory"):
        fit_stream(Perceptron(), text_with_index(200_000_000), max_memory="1GB")
    (X, _), *_ = batches(text_with_index(200_000_000), max_memory="1GB")
    assert X.shape == (3, 200_000_000)
    allowed = fit_stream(Perceptron(), text_with_index(2000), max_memory="1MB")
    assert allowed.coef_.shape == (1, 2000)


def test_a_limit_for_all_that_a_process_reads():
    _memory.allow(10**6)
    with pytest.raises(ValueError, match="max_memory"):
        fit_stream(Perceptron(), text_with_index(10**6))


@pytest.mark.parametrize(
    "beginning", [b"", b"1 1:", b"a,b,y\n1,2,no\n3,4,yes\n", "x,".encode("utf-16")]
)
def test_a_small_file_of_one_huge_line(beginning):
    stored = gzip.compress(beginning + b"11111111" * 9_000_000, 1)
    with pytest.raises(StreamError, match="longer than 64 MiB"):
        fit_stream(Perceptron(), io.BytesIO(stored))


def test_very_many_columns():
    text = ",".join(map(str, range(3000))).encode() + b",1\n" + b"1," * 3000 + b"0\n"
    with pytest.raises(StreamError, match="3001 columns would take 60 MB"):
        open_source(io.BytesIO(text), max_memory="10MB")


@pytest.mark.parametrize("kind", ["xz", "zstd"])
def test_the_window_of_a_compressor(kind):
    """The stream says how much its decompressor must keep, however short it is."""
    text = b"a,b,y\n1,2,no\n3,5,yes\n4,4,no\n"
    if kind == "xz":
        filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 28}]
        stored = lzma.compress(text, filters=filters)
    else:
        zstandard = pytest.importorskip("zstandard")
        settings = zstandard.ZstdCompressionParameters.from_level(3, window_log=28)
        writer = zstandard.ZstdCompressor(compression_params=settings).compressobj()
        stored = writer.compress(text) + writer.flush()
    with pytest.raises(StreamError, match=r"more than the 100 MB.*max_memory"):
        open_source(io.BytesIO(stored), max_memory="100MB")
    table = open_source(io.BytesIO(stored), max_memory="1GB")
    assert np.array_equal(table.matrix().y, ["no", "yes", "no"])


@pytest.mark.parametrize("ends", [True, False])
def test_a_line_of_a_table_is_as_long_as_it_may_be_and_no_longer(monkeypatch, ends):
    monkeypatch.setattr(chunks, "LONGEST_LINE", 100)
    table = b"x,label\n1,a\n2,b\n3,a\n"
    data = open_bytes(io.BytesIO(table))
    last = b"\n" if ends else b""
    for n, fine in ((100, True), (101, False)):
        pieces = [b"1,a\n" + b"2" * 50, b"2" * (n - 50) + last + b"1,a\n" * ends]
        if fine:
            assert list(chunks.with_lines(pieces, data)) == pieces
        else:
            with pytest.raises(StreamError, match="longer than 64 MiB"):
                list(chunks.with_lines(pieces, data))
