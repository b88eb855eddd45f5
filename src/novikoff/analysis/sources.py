"""From the name of some data to rows: a path, standard input, or a data set that ships."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from novikoff._messages import Message, Setting

if TYPE_CHECKING:
    from novikoff.streams.blocks import RowBlock
    from novikoff.streams.bytes import Bytes
    from novikoff.streams.source import Progress
    from novikoff.streams.tables.options import TableOptions
    from novikoff.streams.tables.table import Table
    from novikoff.streams.texts import RowText


MOST_COLUMNS = 100_000  # of LIBSVM text that are kept whether or not they occur


def find(data: str, format: str | None = None) -> Bytes:
    """The bytes that DATA stands for; `format` is what a text is said to be."""
    from novikoff.streams.bytes import open_bytes

    if data == "-" or Path(data).exists():
        found = open_bytes(data)
    else:
        sets = shipped()
        if data not in sets:
            raise ValueError(_not_found(data, list(sets)))
        found = open_bytes(sets[data].path)
        found.name = data
    found.format = format
    return found


def _not_found(data: str, names: list[str]) -> str:
    folder = Path(data).parent
    beside = [str(path) for path in folder.iterdir()] if folder.is_dir() else []
    beside = [path.removeprefix("./") for path in beside]
    near = get_close_matches(data, [*names, *beside], n=3, cutoff=0.7)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    ships = ", ".join(names)
    return f"{data}: no such file.{hint} (Names of data sets that ship work too: {ships}.)"


def about_rows(data: Bytes) -> int | None:
    """About how many rows there are, by the length of the first lines; None if unknown."""
    if data.path is None or not data.size:
        return None
    beginning = data.peek()
    if len(beginning) >= data.size:
        return beginning.count(b"\n")
    return int(data.size * beginning.count(b"\n") / len(beginning)) or None


def is_text(
    data: Bytes,
    given: Sequence[str] = (),
    encoding: str | None = None,
    *,
    zero_based: bool = False,
) -> bool:
    """Whether this is text of rows, see `TEXTS`; options of the other kind are refused.

    given : parameters of a table that were used; zero_based : that of LIBSVM text
    """
    from novikoff.streams.bytes import recognise
    from novikoff.streams.formats import TEXTS

    kind = recognise(data, encoding=encoding)
    if kind not in TEXTS:
        if zero_based:
            raise ValueError(
                Message(
                    f"{data.name} is a table, whose columns have names: ",
                    Setting("zero_based", True), " can only be said of LIBSVM text. Leave it out.",
                )
            )  # fmt: skip
        return False
    if given:
        first, *others = map(Setting, given)
        raise ValueError(
            Message(
                f"{data.name} is {TEXTS[kind]}, whose rows are a label and numbers already: ",
                first, *(part for other in others for part in (", ", other)),
                " can only be said of a table. Leave it out.",
            )
        )  # fmt: skip
    return True


@dataclass(frozen=True)
class Loaded:
    """All rows of DATA in memory, encoded and not scaled."""

    name: str
    X: Any
    y: Any
    rows: Any  # data row numbers, from 0
    features: list[str]
    table: Table | None  # None: text of rows
    options: TableOptions | None
    data: Bytes | None  # None: a DataFrame
    zero_based: bool = False  # whether the first feature of LIBSVM text is 0
    kind: str = "table"  # or of which kind the text is, see `TEXTS`
    weights: Any = None  # None: all are 1; rows of weight 0 are not among the rows

    def lines(self, rows: Iterable[int]) -> list[int | None]:
        """The lines of the file where these rows of X begin; None where a file has no lines."""
        numbers = [int(self.rows[row]) for row in rows]
        if self.table is None:
            assert self.data is not None
            known = _lines_of_text(self.data, set(numbers)) if self.data.reopenable else {}
            return [known.get(number) for number in numbers]
        if self.table.kind != "csv":
            return [None for _ in numbers]
        return [self.table.line_of(number) for number in numbers]

    def places(self, rows: Iterable[int]) -> list[str]:
        """The same for a person: `line 17`, or `row 16` where there are no lines."""
        rows = list(rows)
        return [
            f"row {self.rows[row]}" if line is None else f"line {line}"
            for row, line in zip(rows, self.lines(rows), strict=True)
        ]


def load_table(table: Table, options: TableOptions, data: Bytes | None) -> Loaded:
    """A surveyed table in memory."""
    X, y, rows = table.matrix("all")
    return Loaded(table.name, X, y, rows, table.feature_names, table, options, data)


def load_text(data: Bytes, progress: Progress | None = None, *, zero_based: bool = False) -> Loaded:
    """Text of rows in memory; features without names are called by their numbers.

    Of more than `MOST_COLUMNS` only those that occur are kept, so that one mistyped index does not
    fill the memory.
    """
    import numpy as np

    from novikoff.streams.bytes import recognise
    from novikoff.streams.texts import open_text

    kind, text = recognise(data), open_text(data, zero_based=zero_based)
    all_rows = _all_rows(text, progress)
    rows = (
        np.arange(len(all_rows)) if (known := all_rows.weights) is None else np.flatnonzero(known)
    )
    used = all_rows.part(rows)
    X, columns = narrowed(used.X)
    features = [str(column) for column in (columns + (not zero_based)).tolist()]
    if text.names is not None:
        features = [text.names[column] for column in columns.tolist()]
    return Loaded(
        data.name, X, labels(used.y), rows, features, None, None, data, zero_based, kind,
        used.weights,
    )  # fmt: skip


def narrowed(X: Any) -> tuple[Any, Any]:
    """A sparse matrix without the columns in which nothing is stored, if it has very many columns.

    They are zero in every row and change no verdict. Returns the matrix and which columns it has.
    """
    import numpy as np
    import scipy.sparse as sp

    n, d = X.shape
    if d <= MOST_COLUMNS:
        return X, np.arange(d)
    columns, places = np.unique(X.indices, return_inverse=True)
    indices = places.astype(X.indices.dtype)
    return sp.csr_array((X.data, indices, X.indptr), (n, len(columns))), columns


def _all_rows(text: RowText, progress: Progress | None) -> RowBlock:
    """All of a text; without weights where all are 1."""
    from novikoff.streams.blocks import joined

    blocks, done = [], 0
    for block in text.weighted():
        blocks.append(block)
        done += len(block)
        if progress is not None:
            progress(done, None)
    if not blocks:
        raise ValueError(f"{text.data.name}: there are no rows in this file.")
    rows = joined(blocks)
    ones = rows.weights is None or (rows.weights == 1.0).all()
    return replace(rows, weights=None) if ones else rows


def labels(y: Any) -> Any:
    """Labels of text, which are numbers: integers where all of them are whole."""
    import numpy as np

    whole = np.isfinite(y).all() and (y == np.rint(y)).all() and (np.abs(y) < 2.0**53).all()
    return y.astype(np.int64) if whole else y


def _lines_of_text(data: Bytes, wanted: set[int]) -> dict[int, int]:
    """The lines on which these rows of a text stand: blank lines and comments count."""
    found: dict[int, int] = {}
    row = -1
    with data.open() as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip() or line.lstrip().startswith(b"#"):
                continue
            row += 1
            if row in wanted:
                found[row] = number
                if len(found) == len(wanted):
                    break
    return found


FOLDER = Path(__file__).parents[1] / "data"
DEFAULT = "sonar"  # what `novikoff fit` trains on if it is not told


@dataclass(frozen=True)
class Dataset:
    """A data set that ships, as data/datasets.json describes it."""

    name: str
    file: str
    about: str
    rows: int
    features: int
    classes: list[str]
    columns: str
    source: str
    licence: str

    @property
    def path(self) -> Path:
        return FOLDER / self.file


def shipped() -> dict[str, Dataset]:
    """The data sets by name."""
    entries = json.loads((FOLDER / "datasets.json").read_text(encoding="utf-8"))
    return {entry["name"]: Dataset(**entry) for entry in entries}
