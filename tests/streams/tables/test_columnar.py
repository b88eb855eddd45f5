"""Parquet and Arrow: files, streams and folders; types pass through."""

import datetime
import gzip
import io
from decimal import Decimal

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from polars.testing import assert_frame_equal

from novikoff.streams.bytes import StreamError
from novikoff.streams.tables import columnar
from novikoff.streams.tables.options import TableOptions
from novikoff.streams.tables.reader import open_reader
from tests.streams.tables.helpers import frame_of

FRAME = pl.DataFrame(
    {
        "whole": [1, None, 3],
        "small": pl.Series([1, 2, 3], dtype=pl.Int8),
        "real": [0.5, float("nan"), None],
        "flag": [True, False, None],
        "text": [" n ", "x", None],  # as stored: not a CSV cell
        "kind": pl.Series(["a", "b", "a"], dtype=pl.Categorical),
        "day": [datetime.date(2024, 2, 29), None, datetime.date(2024, 3, 1)],
        "time": [datetime.datetime(2024, 2, 29, 12), None, datetime.datetime(2024, 3, 1)],
        "price": pl.Series([Decimal("1.50"), None, Decimal("2.25")], dtype=pl.Decimal(10, 2)),
        "none": pl.Series([None, None, None], dtype=pl.Null),
    }
)
WRITERS = {
    "parquet": pl.DataFrame.write_parquet,
    "arrow": pl.DataFrame.write_ipc,
    "arrow stream": pl.DataFrame.write_ipc_stream,
}


def stored(frame, format):
    buffer = io.BytesIO()
    WRITERS[format](frame, buffer)
    return buffer.getvalue()


@pytest.mark.parametrize("format", WRITERS)
@pytest.mark.parametrize("way", ["file", "stream", "gzip"])
def test_types_pass_through(tmp_path, format, way):
    content = stored(FRAME, format)
    path = tmp_path / "data"
    path.write_bytes(gzip.compress(content) if way == "gzip" else content)
    reader = open_reader(io.BytesIO(content) if way == "stream" else path, TableOptions())
    assert reader.kind == format.split()[0]
    assert reader.names == FRAME.columns
    assert reader.decimal == "."
    for _ in range(2):
        assert_frame_equal(frame_of(reader), FRAME, categorical_as_str=True)
    assert reader.lines_of([1, 5, 41]) == {1: 2, 5: 6, 41: 42}
    assert len(reader.fingerprint()) == 64


def test_what_stands_for_missing_does_so_in_text_of_any_format(tmp_path):
    frame = pl.DataFrame({"text": ["NA", " ? ", "x", "none"], "number": [1, -999, 3, 4]})
    path = tmp_path / "data"
    path.write_bytes(stored(frame, "parquet"))
    read = frame_of(open_reader(path, TableOptions(na=("none", "-999"))))
    assert read.to_dict(as_series=False) == {
        "text": [None, None, "x", None],
        "number": [1, None, 3, 4],
    }


@pytest.mark.parametrize("format", WRITERS)
def test_batches_are_bounded_and_in_order(tmp_path, monkeypatch, format):
    monkeypatch.setattr(columnar, "BATCH_ROWS", 1000)
    frame = pl.DataFrame({"a": np.arange(12_345), "b": np.arange(12_345) % 7})
    path = tmp_path / "data"
    path.write_bytes(stored(frame, format))
    frames = list(open_reader(path, TableOptions()).frames())
    assert len(frames) >= 12
    assert max(part.height for part in frames) <= 2000
    assert_frame_equal(pl.concat(frames), frame)


def test_a_stream_of_many_batches_with_dictionaries(tmp_path):
    table = pa.table(
        {
            "n": list(range(1000)),
            "k": pa.array(["x", "y", None, "z"] * 250).dictionary_encode(),
        }
    )
    path = tmp_path / "stream"
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=64)
    frame = frame_of(open_reader(path, TableOptions()))
    assert frame["n"].to_list() == table["n"].to_pylist()
    assert frame["k"].cast(pl.String).to_list() == table["k"].to_pylist()


@pytest.mark.parametrize("format", WRITERS)
@pytest.mark.parametrize("keep", [0.3, 0.6, 0.95])
def test_files_cut_short(tmp_path, format, keep):
    content = stored(pl.DataFrame({"a": np.random.RandomState(0).rand(5000)}), format)
    path = tmp_path / "data"
    path.write_bytes(content[: int(len(content) * keep)])
    with pytest.raises(StreamError, match="cannot be read as") as caught:
        frame_of(open_reader(path, TableOptions()))
    assert caught.value.file == str(path)


@pytest.mark.parametrize("format", WRITERS)
def test_no_rows(tmp_path, format):
    path = tmp_path / "data"
    path.write_bytes(stored(FRAME.clear(), format))
    reader = open_reader(path, TableOptions())
    assert reader.names == FRAME.columns
    assert list(reader.frames()) == []


@pytest.mark.parametrize("format", WRITERS)
@pytest.mark.parametrize(
    ("values", "what"),
    [([[1, 2], [3]], "list"), ([{"x": 1}, {"x": 2}], "struct"), ([b"a"] * 2, "binary")],
)
def test_nested_columns_are_refused(tmp_path, format, values, what):
    path = tmp_path / "data"
    path.write_bytes(stored(pl.DataFrame({"a": [1, 2], "odd": values}), format))
    with pytest.raises(StreamError, match=rf"'odd' holds {what}.*drop=\[.odd.\]"):
        open_reader(path, TableOptions())
    assert frame_of(open_reader(path, TableOptions(drop=("odd",))))["a"].to_list() == [1, 2]


def partitioned(folder, parts, format="parquet"):
    for name, frame in parts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        WRITERS[format](frame, path)
    return folder


@pytest.mark.parametrize("format", ["parquet", "arrow"])
def test_folders_in_the_order_of_their_paths(tmp_path, format):
    parts = {f"part-{k}": pl.DataFrame({"a": [10 * k, 10 * k + 1]}) for k in (2, 0, 1)}
    (tmp_path / "x=9").mkdir()  # above the data: says nothing about them
    folder = partitioned(tmp_path / "x=9" / "data", parts, format)
    (folder / "_SUCCESS").touch()
    reader = open_reader(folder, TableOptions())
    assert reader.kind == format
    assert reader.names == ["a"]
    assert frame_of(reader)["a"].to_list() == [0, 1, 10, 11, 20, 21]
    assert any("3 files" in decision.text for decision in reader.decisions)


def test_hive_partitions(tmp_path):
    parts = {
        f"year={year}/city={city}/p.parquet": pl.DataFrame({"a": [len(city)]})
        for year in ("2023", "2024")
        for city in ("New%20York", "__HIVE_DEFAULT_PARTITION__")
    }
    reader = open_reader(partitioned(tmp_path, parts), TableOptions())
    assert reader.names == ["a", "year", "city"]
    frame = frame_of(reader)
    assert frame.schema == {"a": pl.Int64, "year": pl.Int64, "city": pl.String}
    assert frame["year"].to_list() == [2023, 2023, 2024, 2024]
    assert frame["city"].to_list() == ["New York", None] * 2
    assert any("year, city" in decision.text for decision in reader.decisions)


def test_what_polars_partitions_is_read_back(tmp_path):
    frame = pl.DataFrame({"k": [1, 2, 1, 2, 3], "v": [0.5, 1.5, 2.5, 3.5, 4.5]})
    frame.write_parquet(pl.PartitionBy(tmp_path, key="k", include_key=False))
    found = frame_of(open_reader(tmp_path, TableOptions()))
    assert_frame_equal(found, frame.sort("k", maintain_order=True), check_column_order=False)


def test_small_files_make_no_small_batches(tmp_path):
    parts = {f"{k:03}": pl.DataFrame({"a": [k]}) for k in range(50)}
    frames = list(open_reader(partitioned(tmp_path, parts), TableOptions()).frames())
    assert [frame["a"].to_list() for frame in frames] == [list(range(50))]


def test_number_types_that_differ_between_files(tmp_path):
    a = pl.DataFrame({"x": [1], "y": pl.Series([1], dtype=pl.Int32)})
    b = pl.DataFrame({"y": pl.Series([2], dtype=pl.Int64), "x": [0.5]})
    frame = frame_of(open_reader(partitioned(tmp_path, {"a": a, "b": b}), TableOptions()))
    assert_frame_equal(frame, pl.DataFrame({"x": [1.0, 0.5], "y": [1, 2]}))


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"x": ["one"]}, "column 'x' is String in b, but Int64 in a"),
        ({"x": [1], "z": [1]}, "b has a column 'z', a has not"),
        ({"z": [1]}, "has a column '[xz]'"),
    ],
)
def test_files_that_do_not_fit_together(tmp_path, other, message):
    parts = {"a": pl.DataFrame({"x": [1]}), "b": pl.DataFrame(other)}
    with pytest.raises(StreamError, match=message):
        open_reader(partitioned(tmp_path, parts), TableOptions())


def test_folders_that_do_not_fit_together(tmp_path):
    frame = pl.DataFrame({"x": [1]})
    with pytest.raises(StreamError, match="name different columns"):
        open_reader(partitioned(tmp_path, {"k=1/a": frame, "b": frame}), TableOptions())


def test_a_bad_file_in_a_folder_is_named(tmp_path):
    frame = pl.DataFrame({"x": [1]})
    folder = partitioned(tmp_path, {"k=1/a": frame, "k=2/b": frame})
    (folder / "k=2" / "b").write_bytes(stored(frame, "parquet")[:-20])
    with pytest.raises(StreamError, match="k=2/b cannot be read as Parquet"):
        open_reader(folder, TableOptions())
