"""A surveyed table: labels, features and every decision taken on the way."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from novikoff._arrays import Array, Ints
from novikoff.streams.blocks import stacked
from novikoff.streams.tables.encoder import PARAMETERS, TableEncoder
from novikoff.streams.tables.learn import LearnedTable, learn
from novikoff.streams.tables.options import Decision, TableOptions
from novikoff.streams.tables.reader import Reader, open_reader
from novikoff.streams.tables.target import Target, choose_target


class Block(NamedTuple):
    """Some rows of a table, encoded."""

    X: Any  # (n, d) float64: an ndarray, or a csr_array where most entries are zero
    y: Array  # (n,) labels, as in Table.classes
    rows: Ints  # (n,) data row numbers, from 0


class Table:
    """A surveyed table: its columns are understood and its statistics taken.

    Made by :func:`open_table`.

    Attributes
    ----------
    name, kind : str
        The file, and "csv", "parquet", "arrow", "jsonl", "arff" or "frame".
    n_rows : int
        Rows in use: those that have a target (and, with missing="drop", no missing cell).
    target, target_guessed : str, bool
        The column of labels, and whether nothing but its place speaks for it.
    classes : ndarray
        The sorted labels: int64 if all are whole numbers, else str.
    class_counts : dict
        For "train", "test" and "all" the rows of each class, aligned with `classes`.
    encoder : TableEncoder
        Fitted on the training rows.
    feature_names : list of str
    decisions : list of Decision
        All that was decided without a question, in the order to print it.
    leaks : list of str
        Columns that determine the target alone.
    left_out : list of str
        Columns that are not learned from though nobody dropped them.
    """

    def __init__(
        self,
        reader: Reader,
        learned: LearnedTable,
        encoder: TableEncoder,
        target: Target,
        split: tuple[float, int],
    ) -> None:
        self._reader = reader
        self._selection = learned.selection
        self._keys = learned.fitted.keys
        self._split = split
        self.name = reader.name
        self.kind = reader.kind
        self.target = target.name
        self.target_guessed = target.guessed
        self.classes = learned.classes
        self.class_counts = learned.class_counts
        self.n_rows = int(learned.class_counts["all"].sum())
        self.encoder = encoder
        self.feature_names: list[str] = encoder.get_feature_names_out().tolist()
        self.decisions: list[Decision] = [*reader.decisions, *learned.decisions]
        self.leaks = list(learned.fitted.leaks)
        self.left_out = list(learned.fitted.left_out)

    def blocks(self, part: str = "train") -> Iterator[Block]:
        """The rows of a part ("train", "test" or "all") in file order; the same each time."""
        for piece in self._selection.pieces(part):
            stored = piece.frame.select(self._keys)
            stored.columns = [str(k) for k in range(len(self._keys))]
            yield Block(self.encoder._encode(stored), self.classes[piece.classes], piece.rows)

    def matrix(self, part: str = "train") -> Block:
        """All rows of a part, in memory."""
        return joined(self.blocks(part), len(self.feature_names), self.encoder.sparse_)

    def line_of(self, row: int) -> int:
        """The line of the file, from 1, where data row `row`, from 0, starts."""
        return self._reader.lines_of([row]).get(row, row + 1)

    def fingerprint(self) -> str:
        """A digest of the file's content and of how it is encoded and split."""
        digest = hashlib.sha256(self._reader.fingerprint().encode())
        digest.update(self.encoder.to_json().encode())
        digest.update(repr((self.target, self._split, self.classes.tolist())).encode())
        return digest.hexdigest()

    def pipeline(self, estimator: Any) -> Any:
        """A scikit-learn pipeline of the fitted encoder and `estimator`."""
        from sklearn.pipeline import Pipeline

        return Pipeline([("table", self.encoder), ("classifier", estimator)])


def joined(blocks: Iterator[Block], n_features: int, sparse: bool) -> Block:
    """Blocks on top of each other, as one."""
    parts = list(blocks)
    if len(parts) == 1:
        return parts[0]
    if not parts:
        shape = (0, n_features)
        nothing = sp.csr_array(shape) if sparse else np.zeros(shape)
        return Block(nothing, np.zeros(0, np.int64), np.zeros(0, np.int64))
    return Block(
        stacked([part.X for part in parts]),
        np.concatenate([part.y for part in parts]),
        np.concatenate([part.rows for part in parts]),
    )


def open_table(
    source: Any,
    options: TableOptions | None = None,
    *,
    holdout: float = 0.0,
    seed: int = 0,
    progress: Callable[[int, int | None], None] | None = None,
) -> Table:
    """Survey a table: find its target, understand its columns, take its statistics.

    Parameters
    ----------
    source : path, "-", binary file, Bytes, or a frame: of pandas, of polars (lazy, too), or Arrow's
    options : TableOptions, optional
    holdout, seed : float, int
        The share of rows to hold out, and which: a hash of the row number and the seed decides.
    progress : callable, optional
        Called with (rows so far, rows in all or None).

    Returns
    -------
    Table
    """
    options = options or TableOptions()
    reader = open_reader(source, options)
    target = choose_target(reader.names, options.target)
    encoder = TableEncoder(**{name: getattr(options, name) for name in PARAMETERS})
    learned = learn(reader, encoder, target, holdout, seed, progress=progress)
    encoder._set(learned.fitted, target.name, None if reader.named else len(reader.names))
    return Table(reader, learned, encoder, target, (holdout, seed))
