"""Everything between a reader and a fitted encoder, for a table with a target or without one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from novikoff._arrays import Array, Ints
from novikoff._messages import Message, Setting
from novikoff.streams.bytes import StreamError
from novikoff.streams.tables import report
from novikoff.streams.tables import target as targets
from novikoff.streams.tables.fitting import Fitted, Wishes, fit
from novikoff.streams.tables.frames import FEWEST_ROWS, Selection, missing_cells
from novikoff.streams.tables.options import Decision, listed, resolve_all
from novikoff.streams.tables.survey import N_NAMED, Survey, survey

if TYPE_CHECKING:
    from novikoff.streams.tables.encoder import TableEncoder
    from novikoff.streams.tables.reader import Reader


_LIBSVM_LIKE = re.compile(r"(\S+)(?:\s+(?:qid|\d+):[^\s#]+)+\s*(?:#.*)?", re.ASCII)


@dataclass
class LearnedTable:
    """What was learned from a table, and on which rows."""

    fitted: Fitted
    selection: Selection
    classes: Array
    class_counts: dict[str, Ints]
    decisions: list[Decision]


def learn(
    reader: Reader,
    wanted: TableEncoder,
    target: targets.Target | None,
    holdout: float,
    seed: int,
    *,
    progress: Callable[[int, int | None], None] | None = None,
) -> LearnedTable:
    """Survey a table and learn its encoding; `wanted` is an encoder for its parameters only."""
    wishes, names, forced = _check(reader, wanted, target)
    name = None if target is None else target.name
    surveyed = survey(reader, names, name, forced, progress=progress)
    if not surveyed.frames.height:
        raise StreamError("the table has no rows.", file=reader.name)
    decisions: list[Decision] = []
    if target is None:
        classes, places = np.zeros(1, np.int64), np.zeros(1, np.int64)
    else:
        classes, places = _labels(reader, surveyed, target, decisions)
    selection = _hold_out(surveyed, places, holdout, seed, len(classes), decisions)
    counts = selection.class_counts(len(classes))
    fitted = fit(surveyed.columns, selection.pieces, wishes, counts["train"])
    if wanted.missing == "error":
        _refuse_missing(reader, selection, fitted)
    elif wanted.missing == "drop":
        selection.complete = list(fitted.keys)
        before, counts = counts, selection.class_counts(len(classes))
        n_dropped = int(before["all"].sum() - counts["all"].sum())
        if not counts["train"].sum():
            none = "every row lacks some cell, so none is left; "
            impute = Setting("missing", "impute")
            raise StreamError(none, impute, " keeps them.", file=reader.name)
        if n_dropped:
            rows = "row with a missing cell is" if n_dropped == 1 else "rows with missing cells are"
            decisions.append(Decision("missing", None, f"{n_dropped} {rows} dropped"))
            fitted = fit(surveyed.columns, selection.pieces, wishes, counts["train"])
    if not fitted.columns:
        raise StreamError(_nothing_left(fitted), file=reader.name)
    split = bool(counts["test"].any())
    decisions += report.decisions(
        fitted, surveyed.columns, wishes, wanted.missing, name, split=split
    )
    return LearnedTable(fitted, selection, classes, counts, decisions)


def _check(
    reader: Reader, wanted: TableEncoder, target: targets.Target | None
) -> tuple[Wishes, list[str], set[str]]:
    if wanted.missing not in ("impute", "error", "drop"):
        raise ValueError(f'missing must be "impute", "error" or "drop", not {wanted.missing!r}.')
    bits = wanted.hash_bits
    if bits is not None and not 1 <= bits <= 30:
        raise ValueError(f"hash_bits must be between 1 and 30, not {bits}.")
    drop = resolve_all(reader.names, wanted.drop, "drop")
    keep = resolve_all(reader.names, wanted.keep, "keep")
    forced = resolve_all(reader.names, wanted.categorical, "categorical")
    if target is not None and target.name in drop:
        told = f"{target.name} is the target and cannot be dropped; "
        raise StreamError(told, Setting("target"), " names another.", file=reader.name)
    both = sorted(drop & (keep | forced))
    if both:
        raise StreamError(
            f"{both[0]} is to be dropped, and kept or categorical: which?", file=reader.name
        )
    out = drop | ({target.name} if target is not None else set())
    names = [name for name in reader.names if name not in out]
    if not names:
        raise StreamError(_only_column(reader), file=reader.name)
    return Wishes(frozenset(keep), bool(wanted.scale), bits), names, forced


def _labels(
    reader: Reader, surveyed: Survey, target: targets.Target, decisions: list[Decision]
) -> tuple[Array, Ints]:
    """The classes, and the class of each number that the survey gave; the target is judged."""
    height = surveyed.frames.height
    n_with = sum(int((frame["y"] >= 0).sum()) for frame in surveyed.frames)
    reason = surveyed.labels.refuse(target, n_with)
    if reason is not None and target.guessed:
        first = next(iter(reader.frames()))
        if height == 1:
            cells = listed([str(cell) for cell in first.row(0)])
            reason = f"there is one row only: {cells}. If it names the columns, no rows follow it."
        else:
            reason = Message(reason, f" {targets.candidates(first)}")
    if reason is not None:
        raise StreamError(reason, file=reader.name)
    classes, places = surveyed.labels.classes()
    decisions.append(target.decision(classes))
    if n_with < height:
        n = height - n_with
        have, are = ("has", "is") if n == 1 else ("have", "are")
        text = f"{n} of {height} rows {have} no {target.name} and {are} dropped"
        decisions.append(Decision("rows", None, text))
    return classes, places


def _hold_out(
    surveyed: Survey,
    places: Ints,
    share: float,
    seed: int,
    n_classes: int,
    decisions: list[Decision],
) -> Selection:
    if not 0.0 <= share < 1.0:
        raise ValueError(f"holdout must be at least 0 and less than 1, not {share}.")
    selection = Selection(surveyed.frames, places, share, seed)
    if share == 0.0:
        return selection
    counts = selection.class_counts(n_classes)
    n_rows, n_test = int(counts["all"].sum()), int(counts["test"].sum())
    if n_rows < FEWEST_ROWS or n_test in (0, n_rows):
        text = f"no rows are held out: there are only {n_rows}"
        decisions.append(Decision("holdout", None, text))
        return Selection(surveyed.frames, places, 0.0, seed)
    text = (
        f"{n_test} of {n_rows} rows are held out for testing, by a hash of the row number (seed "
        f"{seed}); all that is learned comes from the others"
    )
    decisions.append(Decision("holdout", None, text))
    return selection


def _refuse_missing(reader: Reader, selection: Selection, fitted: Fitted) -> None:
    names = dict(zip(fitted.keys, (c["name"] for c in fitted.columns), strict=True))
    first, total = missing_cells(selection, names, N_NAMED)
    if not total:
        return
    lines = reader.lines_of(row for row, _ in first)
    cells = [f"{name} on line {lines.get(row, row + 1)}" for row, name in first]
    if total > len(first):
        cells.append(f"{total - len(first)} more")
    impute, drop = (Setting("missing", how) for how in ("impute", "drop"))
    told = f"{total} cells are missing: {listed(cells)}. Fill them in, or use "
    where = lines.get(first[0][0])
    raise StreamError(told, impute, " or ", drop, ".", file=reader.name, line=where)


def _only_column(reader: Reader) -> str | Message:
    if reader.kind != "csv" or len(reader.names) > 1:
        return "no column is left to learn from."
    first = next((cell for cell in reader.head().to_series().to_list() if cell), "")
    libsvm = _LIBSVM_LIKE.fullmatch(first)
    if libsvm is not None:
        return (
            f"this looks like LIBSVM text, but its first label, {libsvm[1]!r:.40}, is no number. "
            "Write labels as numbers, such as 0, 1, 2 or -1, +1."
        )
    return Message(
        f"there is only one column, {reader.names[0]!r}. If its cells are separated by something "
        "other than a comma, a semicolon, a tab or |, say so with ", Setting("delimiter"), ".",
    )  # fmt: skip


def _nothing_left(fitted: Fitted) -> Message:
    reasons = [f"{name} ({why})" for name, why in fitted.left_out.items()]
    return Message(
        f"no column is left to learn from: {listed(reasons)}. Use ", Setting("keep"), " for one "
        "that should be used all the same.",
    )  # fmt: skip
