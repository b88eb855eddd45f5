"""One door to all formats."""

import io
import subprocess
import sys

import polars as pl
import pytest

from novikoff.streams.bytes import StreamError, open_bytes
from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.reader import open_reader
from tests.streams.tables.helpers import rows_of, written

TABLE = pl.DataFrame({"a": [1, 2], "b": ["x", "y"]})


@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow"])
def test_the_format_is_found_whatever_the_name(tmp_path, kind):
    path = tmp_path / "data.txt"
    {"csv": TABLE.write_csv, "parquet": TABLE.write_parquet, "arrow": TABLE.write_ipc}[kind](path)
    for source in (path, str(path), open_bytes(path), io.BytesIO(path.read_bytes())):
        reader = open_reader(source, TableOptions())
        assert (reader.kind, reader.names, reader.decimal) == (kind, ["a", "b"], ".")
        assert [(int(a), b) for a, b in rows_of(reader)] == TABLE.rows()
        assert all(decision.topic == "read" for decision in reader.decisions)
    assert reader.name == "<stream>"
    assert open_reader(path, TableOptions()).name == str(path)


def test_fingerprints(tmp_path):
    prints = {
        open_reader(source, TableOptions()).fingerprint()
        for text in (b"a,b\n1,2\n", b"a,b\n1,3\n")
        for source in (written(tmp_path, text), io.BytesIO(text))
    }
    assert len(prints) == 2  # by content: the same from a file and from a pipe


def test_libsvm_text_is_no_table(tmp_path):
    with pytest.raises(StreamError, match="LIBSVM"):
        open_reader(written(tmp_path, "1 1:2\n"), TableOptions())


def test_an_empty_file(tmp_path):
    with pytest.raises(StreamError, match="is empty"):
        open_reader(written(tmp_path, ""), TableOptions())


def test_standard_input():
    code = (
        "from novikoff.streams.tables.reader import open_reader, TableOptions\n"
        "reader = open_reader('-', TableOptions())\n"
        "print(reader.name, [frame.rows() for frame in reader.frames()])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], input=b"a,b\n1,2\n", capture_output=True, check=True
    )
    assert run.stdout.decode().strip() == "<stdin> [[('1', '2')]]"


def test_polars_is_imported_only_to_read():
    code = (
        "import sys, novikoff.streams.tables.reader, novikoff.streams.tables.csv\n"
        "import novikoff.streams.tables.columnar\n"
        "assert not {'polars', 'zstandard', 'pyarrow'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_polars_the_error_says_what_to_install(tmp_path):
    code = (
        "import sys; sys.modules['polars'] = None\n"
        "from novikoff.streams.tables.reader import open_reader, TableOptions\n"
        "try: open_reader(sys.argv[1], TableOptions())\n"
        "except ImportError as error: print(error)"
    )
    path = written(tmp_path, "a,b\n1,2\n")
    run = subprocess.run([sys.executable, "-c", code, path], capture_output=True, check=True)
    assert 'pip install "novikoff[tables]"' in run.stdout.decode()
