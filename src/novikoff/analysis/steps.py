"""A table of steps made by hand: reading it, and comparing it with the run.

It may be CSV or Markdown and have any of the columns of our own table, or of `Trace.frame()`; a
column i counts examples from 1, as lectures do. Bare numbers are k, i, theta and the offset. What
is compared are numbers, not their spelling: 1 is 1.0, a value may be rounded to two decimals or
more, a fraction may stand as 1/3, and a cell with arithmetic may give its result only.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from novikoff.analysis.wording import number, plain

if TYPE_CHECKING:
    from novikoff.trace import Trace

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?:/\d+)?")
RULE = re.compile(r"[\s|:-]+")  # the line below the heads of a Markdown table
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
CLOSE = Fraction(1, 10**9)  # a decimal and the double nearest to it are closer than that
NAMES = {
    "k": "k", "epoch": "epoch", "t": "t", "row": "row", "i": "example", "y": "y",
    "update": "update",
    "ysafter": "product_after", "safter": "score_after", "scoreafter": "score_after",
    "ysbefore": "product_before", "sbefore": "score_before", "scorebefore": "score_before",
    "theta": "theta", "offset": "offset", "theta0": "offset", "b": "offset", "bias": "offset",
    "intercept": "offset",
}  # fmt: skip


# ---------------------------------------------------------------------------- reading


@dataclass(frozen=True)
class Table:
    """A student's table."""

    heads: list[str]
    rows: list[tuple[int, list[str]]]  # line in the file, cells
    line: int  # of the heads


def cells(line: str) -> list[str]:
    """The cells of a line of a Markdown table."""
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [unescaped(cell.strip()) for cell in re.split(r"(?<!\\)\|", inner)]


def escaped(text: str) -> str:
    """Text as Markdown that shows it; :func:`unescaped` gives it back."""
    return re.sub(r"([\\`*_\[\]<>#|$&])", r"\\\1", text)


def unescaped(text: str) -> str:
    """Markdown text without its markup."""
    return re.sub(r"\\(.)", r"\1", text.replace("**", ""))


def read_table(text: str, name: str) -> Table:
    """A table in CSV or Markdown; `name` is what it is called in errors."""
    lines = text.removeprefix("\ufeff").splitlines()
    for at in range(len(lines) - 1):
        if lines[at].count("|") and "-" in lines[at + 1] and RULE.fullmatch(lines[at + 1]):
            return _markdown(lines, at)
    return _csv(lines, name)


def _markdown(lines: list[str], at: int) -> Table:
    rows = []
    for number_, line in enumerate(lines[at + 2 :], start=at + 3):
        if "|" not in line:
            break
        rows.append((number_, cells(line)))
    return Table(cells(lines[at]), rows, at + 1)


def _csv(lines: list[str], name: str) -> Table:
    if not any(line.strip() for line in lines):
        raise ValueError(f"{name} is empty.")
    first = next(line for line in lines if line.strip())
    best = max(",;\t", key=first.count)
    if best in first:
        reader = csv.reader(lines, delimiter=best, skipinitialspace=True)
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    else:
        rows = [(at, line.split()) for at, line in enumerate(lines, start=1) if line.strip()]
        if len({len(row) for _, row in rows}) > 1:  # blanks within cells, not between them
            rows = [(at, [" ".join(row)]) for at, row in rows]
    line, heads = rows[0]
    return Table([head.strip() for head in heads], rows[1:], line)


def _with_heads(table: Table, trace: Trace) -> Table:
    """A table of bare numbers, k, i, theta and the offset, with these heads above it."""
    heads = ["k", "i", *(f"theta_{j}" for j in range(1, trace.start_theta.size + 1))]
    if trace.fit_intercept:
        heads.append("theta_0")
    bare = all(NUMBER.fullmatch(cell.replace("−", "-")) for cell in table.heads)
    if not bare or len(table.heads) != len(heads):
        return table
    return Table(heads, [(table.line, table.heads), *table.rows], table.line)


def column_of(head: str, width: int) -> str | None:
    """Which of our columns a head names; None if none."""
    text = re.sub(r"[\s·*_]", "", head.lower())
    text = text.translate(SUBSCRIPTS)
    for symbol, name in (("θ", "theta"), ("ϑ", "theta"), ("w", "theta")):
        text = text.replace(symbol, name) if text != "row" else text
    if text.startswith("mistake"):
        return "mistake"
    if text in NAMES:
        return NAMES[text]
    numbered = re.fullmatch(r"theta(\d+)", text)
    if numbered and 1 <= int(numbered[1]) <= width:
        return f"theta_{int(numbered[1])}"
    return None


def numbers(text: str) -> list[tuple[Fraction, int | None]]:
    """The numbers in a cell, each with its count of decimals (None: not a plain decimal)."""
    text = text.replace("−", "-").replace("θ₀", "").replace("theta_0", "")
    text = re.sub(r"([-+])\s+(?=[\d.])", r"\1", text)
    found = []
    for match in NUMBER.findall(text):
        try:
            value = Fraction(match)
        except (ValueError, ZeroDivisionError):
            continue
        plain_decimal = "/" not in match and "e" not in match.lower()
        found.append((value, len(match.partition(".")[2]) if plain_decimal else None))
    return found


def same(written: tuple[Fraction, int | None], expected: Fraction) -> bool:
    """Whether a number is the expected one, written exactly or rounded."""
    value, decimals = written
    off = abs(value - expected)
    if off <= CLOSE * max(Fraction(1), abs(expected)):
        return True
    return decimals is not None and decimals >= 2 and off <= Fraction(51, 100) / 10**decimals


# -------------------------------------------------------------------------- comparing


class Steps:
    """The steps of a run as far as a table goes, ready to be compared with."""

    def __init__(self, trace: Trace, n: int) -> None:
        self.trace, self.n = trace, min(n, len(trace))
        _, self.theta, self.offset = next(trace.blocks(self.n + 1))
        self.before, self.after = trace._first_scores(self.n)
        lines = [line for line in trace.markdown(self.n).split("\n") if line.startswith("|")]
        self.ours = [cells(line) for line in lines[2:]]  # heads and rule come first

    def shown(self, column: str, e: int, row_shift: int = 0) -> str:
        """What our table has in this column at update `e`."""
        places = {"mistake": 5, "update": 6}
        if column in places:
            return self.ours[e][places[column]]
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
        return any(
            len(written) == len(accepted) and all(map(same, written, map(Fraction, accepted)))
            for accepted in self._accepted(column, e, row_shift)
        )

    def _accepted(self, column: str, e: int, row_shift: int) -> list[list[Any]]:
        """The lists of numbers that a cell may hold."""
        theta, offset = [*map(float, self.theta[e + 1])], float(self.offset[e + 1])
        if column == "theta":
            return [theta, [*theta, offset]]
        if column == "update":
            whole = [value for value, _ in numbers(self.shown(column, e))]
            return [whole, [*theta, offset] if self.trace.fit_intercept else theta]
        if column == "mistake":
            score, y = float(self.before[e]), int(self.trace.y[e])
            whole = [value for value, _ in numbers(self.shown(column, e))]
            if self.trace.ties == "sign":
                return [whole, [score], [score, 1 if score >= 0 else -1]]
            return [whole, [y * score], [y * score, float(self.trace.margin)]]
        return [[self.value(column, e) + (row_shift if column == "row" else 0)]]


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
    table = _with_heads(read_table(text, name), trace)
    columns = [column_of(head, trace.start_theta.size) for head in table.heads]
    if not any(columns):
        raise ValueError(
            f"{name}: none of its columns ({', '.join(map(plain, table.heads[:10]))}) is known. "
            "Use some of k, epoch, t, row (or i, from 1), y, mistake, update, y·s after, "
            "theta_1 …, offset."
        )
    steps = Steps(trace, len(table.rows))
    shift = _row_shift(table, columns, steps)
    wrong = _first_wrong(table, columns, steps, shift)
    return Comparison(
        updates=len(trace),
        right_rows=len(table.rows) if wrong is None else wrong["step"] - 1,
        wrong=wrong,
        unknown=[h for h, column in zip(table.heads, columns, strict=True) if column is None],
        from_one=bool(shift),
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
    for e, (line, row) in enumerate(table.rows):
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
            return {"step": e + 1, "line": line, "what": "wrong", "cells": marks}
    if len(table.rows) < len(steps.trace):
        e = len(table.rows)
        longer = Steps(steps.trace, e + 1)
        marks = [
            {"column": head, "yours": "", "expected": longer.shown(column, e, shift)}
            for head, column in zip(table.heads, columns, strict=True)
            if column is not None
        ]
        return {"step": e + 1, "line": None, "what": "missing", "cells": marks}
    return None
