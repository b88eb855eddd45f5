"""Certificates as VIPR 1.1, the format of exact integer programming: for checkers not our own.

`viprchk` reads it, and `cake_vipr`, which is verified down to machine code. There are two
questions, hence two files, about linear constraints on w, one for each row z_i:

- strict: z_i . w >= 1 for every row. A separator is a solution; an obstruction derives the
  absurdity 0 >= sum_i lambda_i by one linear combination.
- weak: z_i . w >= 0 for every row and sum_i z_i . w >= 1. A weak separator is a solution. Rows that
  cancel and span all derive the absurdity 0 >= 1: sum_i z_i is a combination of them, and adding
  what cancels to its negative often enough makes all weights positive.

A proof that there is no solution leaves out the constraints that it does not use.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from flint import fmpq, fmpz

from novikoff.certificates.data import Labelled
from novikoff.certificates.linear import independent, pivot_coordinates, weigh
from novikoff.certificates.parts import Separator
from novikoff.certificates.whole import common_denominator, row

if TYPE_CHECKING:
    from novikoff.certificates.results import Separability

Sparse = dict[int, Fraction]  # the non-zeros of a vector


def write(result: Separability, path: Path, data: Labelled) -> tuple[Path, Path]:
    """Write the strict question to `path` and the weak one beside it; returns both paths."""
    if data.digest != result.digest:
        raise ValueError("This is not the data that the result speaks of: its digest differs.")
    weak_path = path.with_name(f"{path.stem}-weak{path.suffix}")
    for where, strict in ((path, True), (weak_path, False)):
        with where.open("w", encoding="ascii", newline="\n") as file:
            file.writelines(f"{line}\n" for line in _lines(result, data, strict=strict))
    return path, weak_path


def _lines(result: Separability, data: Labelled, *, strict: bool) -> Iterator[str]:
    every = range(data.shape[0])
    solution = result.separator
    if strict and result.obstruction is not None:
        solution = None
    if solution is not None:
        yield from _problem(result, data, every, strict)
        yield "RTP range -inf 0"
        yield "SOL 1"
        yield f"separator {_vector(_scaled(data, solution, strict))}"
        yield "DER 0"
        return
    part = result.obstruction if strict else result.spanning
    assert part is not None
    rows, weights = part.rows.tolist(), [Fraction(weight) for weight in part.weights]
    if not strict:
        weights = _cancelling_the_sum(data, rows, weights)
    yield from _problem(result, data, rows, strict)
    yield "RTP infeas"
    yield "SOL 0"
    yield "DER 1"
    multipliers = dict(enumerate(weights if strict else [*weights, Fraction(1)]))
    reached = sum(weights, Fraction(0)) if strict else Fraction(1)
    yield f"absurd G {_text(reached)} 0 {{ lin {_vector(multipliers)} }} -1"


def _problem(
    result: Separability, data: Labelled, rows: Sequence[int], strict: bool
) -> Iterator[str]:
    """The question, and the constraints of the rows that the answer speaks of."""
    n, d = result.shape
    question = "z . w >= 1 for every row" if strict else "z . w >= 0 for every row, sum z . w >= 1"
    yield f"% novikoff: {result.verdict}; {n} rows, {d} features; is there a w with {question}?"
    yield f"% z is y (x, 1){'' if result.fit_intercept else ' without the 1'}, y being -1 or +1"
    yield f"% digest of the data: {result.digest}"
    yield f"% rows: {'all' if isinstance(rows, range) else ' '.join(map(str, rows))}, from 0"
    yield "VER 1.1"
    names = [f"w{j}" for j in range(d)] + ["offset"] * result.fit_intercept
    yield f"VAR {len(names)}"
    yield " ".join(names)
    yield "INT 0"
    yield "OBJ min"
    yield "0"
    yield f"CON {len(rows) + (not strict)} 0"
    for i in rows:
        yield f"row{i} G {int(strict)} {_vector(_row(data, i))}"
    if not strict:
        yield f"sum G 1 {_vector(_sum(data))}"


def _row(data: Labelled, i: int) -> Sparse:
    """z_i."""
    columns, values = row(data, i)
    y = int(data.y[i])
    found = {
        j: y * Fraction(float(x)) for j, x in zip(columns.tolist(), values.tolist(), strict=True)
    }
    return {**found, data.shape[1]: Fraction(y)} if data.fit_intercept else found


def _sum(data: Labelled) -> Sparse:
    """The sum of all z_i."""
    total: Sparse = {}
    for i in range(data.shape[0]):
        for j, x in _row(data, i).items():
            total[j] = total.get(j, Fraction(0)) + x
    return {j: x for j, x in sorted(total.items()) if x}


def _scaled(data: Labelled, separator: Separator, strict: bool) -> Sparse:
    """The separator, times what makes its least score 1, or the sum of its scores."""
    numbers = [*separator.theta.tolist(), *([separator.offset] * data.fit_intercept)]
    w = {j: Fraction(x) for j, x in enumerate(numbers) if x}
    if strict:
        least = min(_dot(w, _row(data, i)) for i in range(data.shape[0]))
    else:
        least = _dot(w, _sum(data))
    return {j: x / least for j, x in w.items()}


def _dot(w: Sparse, z: Sparse) -> Fraction:
    return sum((w[j] * x for j, x in z.items() if j in w), Fraction(0))


def _cancelling_the_sum(data: Labelled, rows: list[int], weights: list[Fraction]) -> list[Fraction]:
    """Weights >= 0 with which the rows, which cancel with `weights`, add up to minus all rows."""
    D = data.dimension
    exact = [[z.get(j, Fraction(0)) for j in range(D)] for z in (_row(data, i) for i in rows)]
    whole = [common_denominator(vector) for vector in exact]
    integers = [numbers.tolist() for numbers, _ in whole]
    total = _sum(data)
    right, scale = common_denominator([-total.get(j, Fraction(0)) for j in range(D)])
    basis = independent(integers, range(D))
    vectors = [integers[k] for k in basis]
    solution = weigh(vectors, right.tolist(), pivot_coordinates(vectors, range(D)), data.clock)
    missing = [Fraction(0)] * len(rows)
    for k, x in zip(basis, solution.fractions, strict=True):
        missing[k] = Fraction(int(x.p), int(x.q)) * whole[k][1] / scale
    times = max((-m / w for m, w in zip(missing, weights, strict=True)), default=Fraction(0))
    times = max(times, Fraction(0))
    return [m + times * w for m, w in zip(missing, weights, strict=True)]


def _vector(entries: Sparse) -> str:
    """How many entries there are, then index and value of each."""
    return " ".join([str(len(entries)), *(f"{j} {_text(x)}" for j, x in entries.items())])


def _text(x: Fraction) -> str:
    """A number of any length: Python's own texts of integers end at 4300 digits."""
    return str(fmpq(fmpz(x.numerator), fmpz(x.denominator)))
