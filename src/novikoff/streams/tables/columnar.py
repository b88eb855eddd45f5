"""Parquet, Arrow and JSON lines, one file or a folder of them, as batches of typed columns.

The files of a folder are read one after the other in the order of their paths, so the order of the
rows is known; folders called ``key=value`` add a column (Hive partitions).

polars reads Arrow's stream format only as a whole. So each record batch is handed to it as a short
stream of its own, behind the schema and the dictionaries, and memory stays bounded. Format:
https://arrow.apache.org/docs/format/Columnar.html (encapsulated messages).
"""

from __future__ import annotations

import io
import struct
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote

from novikoff._json import read_json
from novikoff._messages import Setting
from novikoff.streams.bytes import Bytes, StreamError, recognise, scannable
from novikoff.streams.chunks import spool
from novikoff.streams.formats import columnar
from novikoff.streams.tables.columns import unstorable, without_missing
from novikoff.streams.tables.lazy import pl
from novikoff.streams.tables.options import Decision, TableOptions
from novikoff.streams.tables.reader import Reader

BATCH_ROWS = 50_000
BATCH_CELLS = 1 << 20
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"


class ColumnarReader(Reader):
    """Such data as a `Reader`: columns are typed as they are stored."""

    def __init__(self, data: Bytes, options: TableOptions) -> None:
        self.name = data.name
        self.kind = recognise(data, encoding=options.encoding)
        self.decisions = []
        self._data = data
        self._na = options.na
        self._temporary = None
        if data.folder is not None:
            self._files = data.files()
        elif data.path is not None:
            self._files = [data.path]
        else:
            self._temporary = spool(data)
            self._files = [self._temporary.path]
        with self._files[0].open("rb") as file:
            self._stream = columnar(file.read(16)) == "arrow stream"
        schemas = [self._schema_of(path) for path in self._files]
        self._schema = self._common_schema(schemas)
        self._partitions = self._find_partitions(set(self._schema))
        if self._partitions:
            keys = ", ".join(self._partitions[0])
            self.decisions.append(Decision("read", None, f"folder names give the columns {keys}"))
        if len(self._files) > 1:
            told = f"the folder holds {len(self._files)} files, read in the order of their names"
            self.decisions.append(Decision("read", None, told))
        self.names = [*self._schema, *(self._partitions[0] if self._partitions else ())]
        self._refuse_nested(options)

    def head(self) -> pl.DataFrame:
        """The first batch."""
        return next(self.frames(), pl.DataFrame(schema=dict.fromkeys(self.names, pl.Null)))

    def frames(self, numbers: Collection[str] = ()) -> Iterator[pl.DataFrame]:
        """The rows, in the order of the files, in batches of typed columns."""
        rows = max(1, min(BATCH_ROWS, BATCH_CELLS // max(1, len(self.names))))
        waiting: list[pl.DataFrame] = []  # small files make small frames, which are put together
        n_waiting = 0
        for k, path in enumerate(self._files):
            for frame in self._frames_of(path, rows):
                waiting.append(self._completed(frame, k))
                n_waiting += frame.height
                if n_waiting >= rows:
                    yield pl.concat(waiting)
                    waiting, n_waiting = [], 0
        if n_waiting:
            yield pl.concat(waiting)

    def fingerprint(self) -> str:
        return self._data.fingerprint(self._files[0])

    def _scan(self, path: Path) -> pl.LazyFrame:
        if self.kind == "jsonl":  # a column may show its type late
            return pl.scan_ndjson(scannable(path), infer_schema_length=None)
        if self.kind == "parquet":
            return pl.scan_parquet(scannable(path), glob=False, hive_partitioning=False)
        return pl.scan_ipc(scannable(path), glob=False, hive_partitioning=False)

    def _schema_of(self, path: Path) -> dict[str, pl.DataType]:
        try:
            if self._stream:
                return ipc_stream_schema(path)
            return dict(self._scan(path).collect_schema())
        except _failures() as error:
            raise self._unreadable(path, error) from error

    def _frames_of(self, path: Path, rows: int) -> Iterator[pl.DataFrame]:
        try:
            if self._stream:
                yield from ipc_stream_frames(path, rows)
            else:
                yield from self._scan(path).collect_batches(
                    chunk_size=rows, maintain_order=True, lazy=True
                )
        except _failures() as error:
            raise self._unreadable(path, error) from error

    def _completed(self, frame: pl.DataFrame, k: int) -> pl.DataFrame:
        """A frame of file `k` with the types and columns that all files share."""
        stored = frame.schema  # made anew each time it is asked for
        casts = {name: dtype for name, dtype in self._schema.items() if stored[name] != dtype}
        frame = frame.select(list(self._schema)).cast(casts)  # type: ignore[arg-type]  # its keys are any names
        frame = without_missing(frame, self._na)
        if not self._partitions:
            return frame
        values = self._partitions[k].items()
        dtype = {name: pl.Int64 if self._whole(name) else pl.String for name, _ in values}
        return frame.with_columns(
            pl.lit(value, pl.String).cast(dtype[name]).alias(name) for name, value in values
        )

    def _whole(self, key: str) -> bool:
        """Whether all values of a partition key are whole numbers."""
        values = [partition[key] for partition in self._partitions]
        return all(value is None or value.lstrip("-").isdecimal() for value in values)

    def _common_schema(self, schemas: list[dict[str, pl.DataType]]) -> dict[str, pl.DataType]:
        """The columns of the first file, with types that hold those of all files."""
        common = dict(schemas[0])
        for path, schema in zip(self._files, schemas, strict=True):
            for name in common.keys() ^ schema.keys():
                pair = (self._called(path), self._called(self._files[0]))
                having, lacking = pair if name in schema else pair[::-1]
                raise self._data.error(f"{having} has a column {name!r}, {lacking} has not")
            for name, dtype in schema.items():
                if dtype == common[name]:
                    continue
                if not (dtype.is_numeric() and common[name].is_numeric()):
                    raise self._data.error(
                        f"column {name!r} is {dtype} in {self._called(path)}, but {common[name]} "
                        f"in {self._called(self._files[0])}"
                    )
                integers = dtype.is_integer() and common[name].is_integer()
                common[name] = pl.Int64() if integers else pl.Float64()
        return common

    def _find_partitions(self, stored: set[str]) -> list[dict[str, str | None]]:
        """What the names of the folders say about each file."""
        if self._data.folder is None:
            return []
        found: list[dict[str, str | None]] = []
        for path in self._files:
            pairs = (
                part.split("=", 1)
                for part in path.relative_to(self._data.folder).parts[:-1]
                if "=" in part
            )
            values = {unquote(key): unquote(value) for key, value in pairs}
            found.append(
                {k: None if v == _NO_VALUE else v for k, v in values.items() if k not in stored}
            )
            if found[-1].keys() != found[0].keys():
                raise self._data.error(
                    f"the folders of {self._called(path)} and {self._called(self._files[0])} name "
                    "different columns"
                )
        return found if found[0] else []

    def _refuse_nested(self, options: TableOptions) -> None:
        for name, dtype in self._schema.items():
            if unstorable(dtype) and name not in options.drop:
                what = (
                    f"column {name!r} holds {str(dtype).split('(')[0].lower()} values, which are "
                )
                hint = "neither numbers nor categories; leave it out with "
                raise self._data.error(what, hint, Setting("drop", (name,)))

    def _called(self, path: Path) -> str:
        return path.name if self._data.folder is None else str(path.relative_to(self._data.folder))

    def _unreadable(self, path: Path, error: BaseException) -> StreamError:
        reason = (str(error) or "it ends too early").splitlines()[0]
        where = "" if self._data.folder is None else f"{self._called(path)} "
        if self.kind == "jsonl":
            line, why = _bad_line(path)
            return self._data.error(f"{where}this is no JSON object: {why or reason}", line=line)
        return self._data.error(f"{where}cannot be read as {self.kind.capitalize()} ({reason})")


def _bad_line(path: Path) -> tuple[int | None, str]:
    """The first line that is no JSON object, and why."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                if line.strip() and not isinstance(read_json(line), dict):
                    return number, "it is something else"
            except ValueError as error:
                return number, str(error).replace("line 1 ", "")  # it has seen but this one
    return None, ""


def _failures() -> tuple[type[BaseException], ...]:
    """What polars raises for damaged files; its parsers may also panic, which is no Exception."""
    return (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, EOFError)


_CONTINUATION = b"\xff\xff\xff\xff"
_END = _CONTINUATION + bytes(4)
_SCHEMA, _BATCH = 1, 3  # 2 is a dictionary


def ipc_stream_schema(path: Path) -> dict[str, pl.DataType]:
    """The columns of a stream and their types."""
    with path.open("rb") as file:
        for kind, message in _messages(file):
            if kind == _SCHEMA:
                return dict(pl.read_ipc_stream(io.BytesIO(message + _END)).schema)
    raise EOFError


def ipc_stream_frames(path: Path, rows: int) -> Iterator[pl.DataFrame]:
    """The rows of a stream, at most `rows` at a time."""
    before = b""
    with path.open("rb") as file:
        for kind, message in _messages(file):
            if kind == _BATCH:
                frame = pl.read_ipc_stream(io.BytesIO(before + message + _END))
                yield from frame.iter_slices(rows)
            else:
                before += message


def _messages(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Kind and bytes of each message; EOFError if the stream was cut short."""
    while prefix := file.read(8):
        if prefix == _END:
            return
        if len(prefix) < 8 or prefix[:4] != _CONTINUATION:
            raise EOFError
        metadata = _exactly(file, struct.unpack("<i", prefix[4:])[0])
        try:
            kind, length = _kind_and_body(metadata)
        except (struct.error, IndexError):
            raise OSError("a message is damaged") from None
        yield kind, prefix + metadata + _exactly(file, length)


def _exactly(file: BinaryIO, n: int) -> bytes:
    found = file.read(max(0, n))
    if len(found) != n:
        raise EOFError
    return found


def _kind_and_body(metadata: bytes) -> tuple[int, int]:
    """The kind of a message and the length of its body, from its flatbuffer.

    A flatbuffer starts with the position of its table, a table with the distance back to its
    vtable, and the vtable holds, after two sizes, where each field lies (0: it is absent). Of the
    table Message, field 1 is the kind and field 3 the length.
    """
    table = struct.unpack_from("<I", metadata, 0)[0]
    vtable = table - struct.unpack_from("<i", metadata, table)[0]
    size = struct.unpack_from("<H", metadata, vtable)[0]

    def field(k: int, form: str) -> int:
        if 4 + 2 * k >= size:
            return 0
        at = struct.unpack_from("<H", metadata, vtable + 4 + 2 * k)[0]
        return int(struct.unpack_from(form, metadata, table + at)[0]) if at else 0

    return field(1, "<B"), field(3, "<q")
