"""A table of steps made by hand, compared with the run.

A cell with arithmetic may give its result only, and a table may count rows from 0 or from 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from novikoff.analysis.step_tables import (
    Table,
    cells,
    column_of,
    numbers,
    read_table,
    same,
    with_heads,
)
from novikoff.analysis.wording import number, plain

if TYPE_CHECKING:
    from novikoff.trace import Trace


ARITHMETIC = ("mistake", "tau", "update")  # columns whose cells show how a number comes about


class Steps:
    """The first `n` steps of a run, ready to be compared with those of a table."""

    def __init__(self, trace: Trace, n: int) -> None:
        self.trace, self.n = trace, min(n, len(trace))
        _, self.theta, self.offset = next(trace.blocks(self.n + 1))
        self.before, self.after = trace.first_scores(self.n)
        lines = [line for line in trace.markdown(self.n).split("\n") if line.startswith("|")]
        self.ours = [cells(line) for line in lines[2:]]  # heads and rule come first
        heads = cells(lines[0]) if lines else []
        self.places = {column_of(head, trace.start_theta.size): k for k, head in enumerate(heads)}

    def shown(self, column: str, e: int, row_shift: int = 0) -> str:
        """What our table has in this column at update `e`."""
        if column in ARITHMETIC and column in self.places:
            return self.ours[e][self.places[column]]
        if column == "theta":
            return f"({', '.join(number(float(x)) for x in self.theta[e + 1])})"
        value = self.value(column, e) + (row_shift if column == "row" else 0)
        return f"{value:+d}" if column == "y" else number(float(value))

    def value(self, column: str, e: int) -> Any:
        """The number in a column of single numbers."""
        trace = self.trace
        if column in ("k", "epoch", "t", "row", "y"):
            return int(getattr(trace, column)[e])
        if column == "example":
            return int(trace.row[e]) + 1
        if column == "tau":
            return abs(float(trace.step[e]))
        if column == "offset":
            return float(self.offset[e + 1])
        if column.startswith("theta_"):
            return float(self.theta[e + 1, int(column[6:]) - 1])
        score = self.before if column.endswith("before") else self.after
        return float(score[e]) * (int(trace.y[e]) if column.startswith("product") else 1)

    def right(self, column: str, e: int, cell: str, row_shift: int) -> bool:
        """Whether a cell says what happened at update `e`; an empty cell says nothing."""
        if not cell.strip():
            return True
        written = numbers(cell)
        if column == "y" and cell in self.trace.classes:
            return cell == self.trace.classes[int(self.trace.y[e] > 0)]
        if column == "y" and cell.strip() in ("+", "-", "−"):
            return (cell.strip() == "+") == bool(self.trace.y[e] > 0)
        return any(
            len(written) == len(accepted) and all(map(same, written, map(Fraction, accepted)))
            for accepted in self._accepted(column, e, row_shift)
        )

    def _accepted(self, column: str, e: int, row_shift: int) -> list[list[Any]]:
        """The lists of numbers that a cell may hold."""
        theta, offset = [*map(float, self.theta[e + 1])], float(self.offset[e + 1])
        if column == "theta":
            return [theta, [*theta, offset]]
        if column not in ARITHMETIC or (column == "tau" and column not in self.places):
            return [[self.value(column, e) + (row_shift if column == "row" else 0)]]
        whole = [value for value, _ in numbers(self.shown(column, e))]
        if column == "update":
            return [whole, [*theta, offset] if self.trace.fit_intercept else theta]
        if column == "tau":
            return [whole, [self.value(column, e)]]
        score, y = float(self.before[e]), int(self.trace.y[e])
        if self.trace.ties == "sign":
            return [whole, [score], [score, 1 if score >= 0 else -1]]
        return [whole, [y * score], [y * score, float(self.trace.margin)]]


@dataclass(frozen=True)
class Comparison:
    """A student's table beside the run.

    wrong : the first row that is not as it should be: `step`, `line` (None at the end), `what`
        ("wrong", "missing" or "surplus") and `cells`, each with `column`, `yours` and `expected`
    unknown : heads that were not understood, and not compared
    from_one : whether the table counts rows from 1, which is accepted
    """

    updates: int
    right_rows: int
    wrong: dict[str, Any] | None
    unknown: list[str]
    from_one: bool


def compare_table(trace: Trace, text: str, name: str = "the table") -> Comparison:
    """Compare a student's table with the run."""
    table = with_heads(read_table(text, name), trace)
    columns = [column_of(head, trace.start_theta.size) for head in table.heads]
    if not any(columns):
        raise ValueError(
            f"{name}: none of its columns ({', '.join(map(plain, table.heads[:10]))}) is known. "
            "Use some of k, epoch, t, row (or i, from 1), y, mistake, tau, update, y·s after, "
            "theta_1 …, offset."
        )
    if table.rows and _is_start(table.rows[0][1], columns, trace):
        table = replace(table, rows=table.rows[1:])
    steps = Steps(trace, len(table.rows) + 1)
    shift = _row_shift(table, columns, steps)
    wrong = _first_wrong(table, columns, steps, shift)
    return Comparison(
        updates=len(trace),
        right_rows=len(table.rows) if wrong is None else wrong["step"] - 1,
        wrong=wrong,
        unknown=[h for h, column in zip(table.heads, columns, strict=True) if column is None],
        from_one=bool(shift),
    )


def _is_start(row: list[str], columns: list[str | None], trace: Trace) -> bool:
    """Whether a row says, for k = 0, where the run starts."""
    there = dict(zip(columns, row, strict=False))
    start = [*map(float, trace.start_theta), float(trace.start_offset)]
    names = [*(f"theta_{j + 1}" for j in range(len(start) - 1)), "offset"]
    said = [(there[name], value) for name, value in zip(names, start, strict=True) if name in there]
    if "theta" in there:
        said += zip(there["theta"].strip("()[] ").split(","), start, strict=False)
    return (
        there.get("k", "").strip() == "0"
        and bool(said)
        and all([same(n, Fraction(v)) for n in numbers(cell)] == [True] for cell, v in said)
    )


def _row_shift(table: Table, columns: list[str | None], steps: Steps) -> int:
    """1 if the table counts rows from 1, which makes more of them right, else 0."""
    if "row" not in columns or not steps.n:
        return 0
    at = columns.index("row")
    column = [row[at] if at < len(row) else "" for _, row in table.rows[: steps.n]]
    from_zero, from_one = (
        sum(steps.right("row", e, cell, shift) for e, cell in enumerate(column)) for shift in (0, 1)
    )
    return int(from_one > from_zero)


def _first_wrong(
    table: Table, columns: list[str | None], steps: Steps, shift: int
) -> dict[str, Any] | None:
    """The first row of the table that is wrong, missing, or one too many."""
    rows: list[tuple[int | None, list[str]]] = [*table.rows]
    if len(rows) < len(steps.trace):  # the one that is missing says nothing
        rows.append((None, []))
    for e, (line, row) in enumerate(rows):
        if e >= len(steps.trace):
            return {"step": e + 1, "line": line, "what": "surplus", "cells": []}
        cells = [*row, *[""] * (len(columns) - len(row))]
        # A row that says nothing but its number is no answer, unless numbers are all there is.
        telling = {c for c in columns if c is not None} - {"k"} or {"k"}
        said = any(c in telling and cell.strip() for c, cell in zip(columns, cells, strict=False))
        marks = [
            {"column": head, "yours": cell, "expected": steps.shown(column, e, shift)}
            for head, column, cell in zip(table.heads, columns, cells, strict=False)
            if column is not None and not (said and steps.right(column, e, cell, shift))
        ]
        if marks:
            what = "missing" if line is None else "wrong"
            return {"step": e + 1, "line": line, "what": what, "cells": marks}
    return None


def right_before(step: int) -> str:
    """A sentence, after a blank, about the updates before the one numbered `step`, from 1."""
    return {1: "", 2: " Update 1 is right."}.get(step, f" Updates 1 to {step - 1} are right.")
