"""A table of steps made by hand: reading it, and the numbers in its cells.

It may be CSV or Markdown and have any of the columns of our own table, or of `Trace.frame()`; a
column i counts examples from 1, as lectures do. Bare numbers are k, i, theta and the offset. What
is compared are numbers, not their spelling: 1 is 1.0, a value may be rounded to two decimals or
more, and a fraction may stand as 1/3.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from novikoff.trace import Trace

NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?:/\d+)?")
DECIMAL_COMMA = re.compile(r"^(\s*[-+−]?\d+),(\d+\s*)$")  # as many countries write numbers
RULE = re.compile(r"[\s|:-]+")  # the line below the heads of a Markdown table
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
HUGE = re.compile(r"[eE][-+]?0*[1-9]\d{3}")  # exponents that no double has, and that take for ever
LONGEST = 100_000  # characters of a line
CLOSE = Fraction(1, 10**9)  # a decimal and the double nearest to it are closer than that
NAMES = {
    "k": "k", "epoch": "epoch", "t": "t", "row": "row", "i": "example", "y": "y",
    "update": "update", "tau": "tau", "τ": "tau",
    "ysafter": "product_after", "safter": "score_after", "scoreafter": "score_after",
    "ysbefore": "product_before", "sbefore": "score_before", "scorebefore": "score_before",
    "theta": "theta", "offset": "offset", "theta0": "offset", "b": "offset", "bias": "offset",
    "intercept": "offset",
}  # fmt: skip


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
    for at, line in enumerate(lines, start=1):
        if len(line) > LONGEST:
            raise ValueError(f"{name}, line {at}: {len(line)} characters are too many.")
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
        try:
            rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
            if best != ",":
                rows = [
                    (at, [DECIMAL_COMMA.sub(r"\1.\2", cell) for cell in row]) for at, row in rows
                ]
        except csv.Error as error:
            raise ValueError(f"{name}, line {reader.line_num}: {error}.") from None
    else:
        rows = [(at, line.split()) for at, line in enumerate(lines, start=1) if line.strip()]
        if len({len(row) for _, row in rows}) > 1:  # blanks within cells, not between them
            rows = [(at, [" ".join(row)]) for at, row in rows]
    line, heads = rows[0]
    return Table([head.strip() for head in heads], rows[1:], line)


def with_heads(table: Table, trace: Trace) -> Table:
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
    if text.startswith(("mistake", "test")):
        return "mistake"
    if text in NAMES:
        return NAMES[text]
    numbered = re.fullmatch(r"theta0*(\d{1,9})", text)
    if numbered and 1 <= int(numbered[1]) <= width:
        return f"theta_{int(numbered[1])}"
    return None


def numbers(text: str) -> list[tuple[Fraction, int | None]]:
    """The numbers in a cell, each with its count of decimals (None: not a plain decimal)."""
    text = text.replace("−", "-").replace("θ₀", "").replace("theta_0", "")
    text = re.sub(r"([-+])\s+(?=[\d.])", r"\1", text)
    found = []
    for match in NUMBER.findall(text):
        if HUGE.search(match):
            continue
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
