"""Bytes from anywhere: opened, decompressed, recognised."""

import bz2
import gzip
import io
import lzma
import os
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
import zstandard

from novikoff.streams.bytes import StreamError, open_bytes, recognise
from tests.real_data import shared
from tests.systems import posix

TEXT = "".join(f"{k},{k * k},{'ab'[k % 2]}\n" for k in range(50_000)).encode()

COMPRESSORS = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": lambda content: zstandard.ZstdCompressor(write_checksum=True).compress(content),
}


@pytest.fixture
def write(tmp_path):
    def write(content, name="data"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


def test_a_plain_file_is_read_in_place(write):
    path = write(TEXT)
    data = open_bytes(path)
    assert (data.name, data.path, data.folder) == (str(path), path, None)
    assert data.reopenable
    assert data.size == len(TEXT)
    assert data.peek(10) == TEXT[:10]
    for _ in range(2):
        with data.open() as file:
            assert file.read() == TEXT


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_compression_is_found_by_content(write, kind):
    stored = COMPRESSORS[kind](TEXT)
    data = open_bytes(write(stored, "looks_plain.csv"))
    assert data.path is None
    assert data.size == len(stored)
    assert data.peek(10) == TEXT[:10]
    for _ in range(2):
        with data.open() as file:
            assert b"".join(iter(lambda: file.read(1000), b"")) == TEXT
    assert recognise(data) == "csv"


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_compressed_files_one_after_the_other(write, kind):
    half = len(TEXT) // 2
    stored = COMPRESSORS[kind](TEXT[:half]) + COMPRESSORS[kind](TEXT[half:])
    with open_bytes(write(stored)).open() as file:
        assert file.read() == TEXT


def test_zstandard_frames_to_be_skipped(write):
    skipped = b"\x50\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"note"
    stored = skipped + COMPRESSORS["zstd"](TEXT) + skipped
    with open_bytes(write(stored)).open() as file:
        assert file.read() == TEXT


@pytest.mark.parametrize("kind", COMPRESSORS)
@pytest.mark.parametrize("keep", [0.1, 0.5, 0.99])
def test_compressed_data_cut_short_name_the_file(write, kind, keep):
    stored = COMPRESSORS[kind](TEXT)
    path = write(stored[: int(len(stored) * keep)])
    with pytest.raises(StreamError, match="cut short") as caught, open_bytes(path).open() as file:
        file.read()
    assert caught.value.file == str(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_damaged_compressed_data_name_the_file(write, kind):
    stored = bytearray(COMPRESSORS[kind](TEXT))
    for k in range(len(stored) // 2, len(stored) // 2 + 50):
        stored[k] ^= 0xFF
    path = write(bytes(stored))
    with pytest.raises(StreamError, match=str(path)), open_bytes(path).open() as file:
        file.read()


@pytest.mark.parametrize("kind", COMPRESSORS)
@pytest.mark.parametrize("behind", [b"something", b"XX", "damaged", "zeros and damaged"])
def test_something_after_compressed_data(write, kind, behind):
    """A second stream that cannot be recognised is not taken for the end of the file."""
    stored = COMPRESSORS[kind](TEXT)
    if isinstance(behind, str):
        behind = bytes(4) * behind.startswith("zeros") + b"X" + stored[1:]
    path = write(stored + behind)
    with pytest.raises(StreamError, match="damaged"), open_bytes(path).open() as file:
        file.read()


def test_padding_of_xz(write):
    """Zeros, a multiple of four, may stand behind every stream."""
    stored = COMPRESSORS["xz"](TEXT)
    with open_bytes(write(stored + bytes(8) + stored + bytes(10_000))).open() as file:
        assert file.read() == TEXT * 2
    with pytest.raises(StreamError, match="four"), open_bytes(write(stored + b"\0")).open() as file:
        file.read()


@pytest.mark.parametrize("kind", [None, *COMPRESSORS])
def test_a_stream_is_read_once_and_peeking_consumes_nothing(kind):
    stored = TEXT if kind is None else COMPRESSORS[kind](TEXT)
    data = open_bytes(io.BytesIO(stored))
    assert not data.reopenable
    assert data.size is None
    assert data.peek(5) == TEXT[:5]
    assert data.peek(100_000) == TEXT[:100_000]
    assert data.peek(5) == TEXT[:5]
    with data.open() as file:
        assert file.read() == TEXT
    assert data.peek(5) == TEXT[:5]
    with pytest.raises(StreamError, match="second time"):
        data.open()
    with pytest.raises(ValueError, match="read once"):
        data.fingerprint()


@pytest.mark.parametrize("given", ["", None])
def test_a_stream_that_gives_no_bytes_is_refused_and_not_asked_for_ever(given):
    answers = iter([given] * 5)  # of text at its end, and of a pipe that would not wait
    stream = io.BytesIO()
    stream.read = lambda n=-1: next(answers)
    with pytest.raises(TypeError, match="bytes"):
        open_bytes(stream).peek()
    assert len([*answers]) > 1


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_a_stream_that_was_interrupted_does_not_seem_to_have_ended(kind):
    class Interrupted(io.BytesIO):
        def read(self, n=-1):
            if self.tell():
                raise KeyboardInterrupt
            return super().read(n)

    data = open_bytes(Interrupted(COMPRESSORS[kind](TEXT)))
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            data.peek()


@pytest.mark.parametrize("kind", [None, "zstd"])
def test_standard_input(kind):
    code = (
        "import sys; from novikoff.streams.bytes import open_bytes, recognise\n"
        "data = open_bytes('-'); print(data.name, recognise(data), len(data.open().read()))"
    )
    stored = TEXT if kind is None else COMPRESSORS[kind](TEXT)
    run = subprocess.run(
        [sys.executable, "-c", code], input=stored, capture_output=True, check=True
    )
    assert run.stdout.decode().split() == ["<stdin>", "csv", str(len(TEXT))]


@posix
def test_a_named_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = subprocess.Popen(
        [sys.executable, "-c", f"open({str(pipe)!r}, 'wb').write(b'1,2\\n' * 9)"]
    )
    data = open_bytes(pipe)
    assert not data.reopenable
    with data.open() as file:
        assert file.read() == b"1,2\n" * 9
    assert writer.wait() == 0


def test_missing_files(tmp_path, write):
    with pytest.raises(StreamError, match="no such file") as caught:
        open_bytes(tmp_path / "nothing")
    assert caught.value.file == str(tmp_path / "nothing")
    write(b"1\n", "titanic.csv")
    with pytest.raises(StreamError, match=r"did you mean .*titanic\.csv"):
        open_bytes(tmp_path / "titanik.csv")
    with pytest.raises(StreamError, match="no such file"):
        open_bytes(tmp_path / "titanic.csv" / "inside")
    with pytest.raises(StreamError, match="no file name"):
        open_bytes("a\0b")
    with pytest.raises(StreamError, match="no file name"):
        open_bytes("")  # not the current folder


@pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="root may read everything")
def test_no_permission(write):
    path = write(TEXT)
    path.chmod(0)
    with pytest.raises(StreamError, match="permission"):
        open_bytes(path)


@pytest.mark.parametrize("kind", [None, *COMPRESSORS])
def test_empty_files(write, kind):
    path = write(b"" if kind is None else COMPRESSORS[kind](b""))
    with pytest.raises(StreamError, match="is empty"):
        recognise(open_bytes(path))


def test_fingerprints_tell_contents_apart_not_names(write):
    content = bytearray(np.random.RandomState(0).bytes(1_000_000))
    prints = {open_bytes(write(bytes(content), name)).fingerprint() for name in ("a", "b")}
    assert len(prints) == 1
    for changed in (0, 65_535, len(content) - 1):
        content[changed] ^= 1
        prints.add(open_bytes(write(bytes(content))).fingerprint())
    prints.add(open_bytes(write(bytes(content) + b"\0")).fingerprint())
    assert len(prints) == 5


@pytest.mark.parametrize(
    ("text", "format"),
    [
        (b"1 1:0.5 3:2\n-1 2:1\n", "libsvm"),
        (b"+1 1:0.5\n-1\n1\n", "libsvm"),  # no features at all
        (b"# comment\n\n1 1:1e-3 # note\n", "libsvm"),
        (b"1,3 1:0.5\n", "libsvm"),  # several labels
        (b"2 qid:7 1:0.5\n", "libsvm"),
        (b"1 1:0.5", "libsvm"),
        (b"1 1:abc\n", "libsvm"),  # malformed, which its reader says
        (b"1 " + b" ".join(b"%d:1" % k for k in range(1, 30_000)), "libsvm"),
        (b"\xef\xbb\xbf1 1:0.5\n", "libsvm"),
        (b"1\n-1\n1\n", "csv"),
        (b"a,b\n1,2\n", "csv"),
        (b"a b\n1 2\n", "csv"),
        (b"time,x\n12:30,1\n", "csv"),
        (b"5 12:30,1\n6 12:40,2\n", "csv"),
        (b"text\n1 2:3 is a verse\nof no poem\n", "csv"),
        ("größe;x\n1;2\n".encode("utf-16"), "csv"),
        ("größe;x\n1;2\n".encode("latin-1"), "csv"),
    ],
)
def test_text_is_recognised_by_its_lines(write, text, format):
    assert recognise(open_bytes(write(text))) == format


def test_columnar_files_are_recognised(tmp_path):
    frame = pl.DataFrame({"a": [1, 2]})
    for format, writer in [
        ("parquet", frame.write_parquet),
        ("arrow", frame.write_ipc),
        ("arrow", frame.write_ipc_stream),
    ]:
        writer(tmp_path / "data.csv")
        assert recognise(open_bytes(tmp_path / "data.csv")) == format


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (np.random.RandomState(0).bytes(5000), "binary"),
        (bytes(range(1, 32)) * 9, "binary"),
        (b"PK\x03\x04rest", "Excel"),
        ("a,b\n1,2\n".encode("utf-16-le"), 'encoding="utf-16-le"'),
    ],
)
def test_binary_data_are_refused(write, content, what):
    with pytest.raises(StreamError, match=what):
        recognise(open_bytes(write(content)))


def test_an_encoding_makes_it_text(write):
    data = open_bytes(write("a,b\n1,2\n".encode("utf-16-le")))
    assert recognise(data, encoding="utf-16-le") == "csv"


def test_folders(tmp_path):
    with pytest.raises(StreamError, match="no data files"):
        recognise(open_bytes(tmp_path))
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / ".part.crc").write_bytes(b"crc")
    with pytest.raises(StreamError, match="no data files"):
        recognise(open_bytes(tmp_path))
    (tmp_path / "year=1").mkdir()
    part = tmp_path / "year=1" / "part"
    pl.DataFrame({"a": [1]}).write_parquet(part)
    data = open_bytes(tmp_path)
    assert recognise(data) == "parquet"
    assert data.files() == [part]
    assert data.size == part.stat().st_size
    with pytest.raises(StreamError, match="folder"):
        data.open()
    before = data.fingerprint()
    pl.DataFrame({"a": [2]}).write_ipc(tmp_path / "other")
    assert open_bytes(tmp_path).fingerprint() != before
    with pytest.raises(StreamError, match="part is Parquet, but other is Arrow"):
        recognise(open_bytes(tmp_path))
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(StreamError, match=r"notes\.txt is neither"):
        recognise(open_bytes(tmp_path))


@pytest.mark.parametrize(("folder", "format"), [("libsvm", "libsvm"), ("small", "csv")])
def test_real_files(folder, format):
    files = sorted(shared(folder).glob("*"))
    assert {recognise(open_bytes(file)) for file in files} == {format}


def test_errors_say_where():
    error = StreamError("no number", file="a.txt", line=3, column=7)
    assert str(error) == "a.txt, line 3, column 7: no number"
    assert (error.file, error.line, error.column) == ("a.txt", 3, 7)
    assert isinstance(error, ValueError)
