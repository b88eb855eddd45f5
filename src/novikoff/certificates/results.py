"""What the certificates say, as values that can be published and checked by somebody else."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from novikoff._arrays import Array, Ints
from novikoff.certificates.check import check_max_margin, check_separability
from novikoff.certificates.parts import (
    DOUBLE,
    EVIDENCE,
    FLAG,
    NUMBER,
    NUMBERS,
    PART,
    ROWS,
    SHAPE,
    Combination,
    Document,
    Separator,
    or_none,
    stored,
)

SEPARABLE = "separable"
QUASI_SEPARABLE = "quasi-separable"
OVERLAPPING = "overlapping"
UNDECIDED = "undecided"


def in_words(verdict: str) -> str:
    """A verdict as it is said to people: with the term under which statistics knows it."""
    return f"{verdict} (quasi-complete separation)" if verdict == QUASI_SEPARABLE else verdict


class NotSeparableError(ValueError):
    """The classes are not linearly separable; `obstruction` proves it.

    Attributes
    ----------
    separability : Separability
        The verdict with its proof.
    obstruction : Combination
        Rows of which no hyperplane has all strictly on their side.
    """

    def __init__(self, separability: Separability) -> None:
        obstruction = separability.obstruction
        assert obstruction is not None
        some = ", ".join(map(str, obstruction.rows[:8].tolist()))
        more = ", ..." * (len(obstruction) > 8)
        rows = f"rows {some}{more} all strictly on their side"
        if len(obstruction) == 1:
            rows = f"row {some} strictly on its side"
        hyperplane = "hyperplane" + " through the origin" * (not separability.fit_intercept)
        but = f" but {in_words(separability.verdict)}" * (separability.verdict != UNDECIDED)
        super().__init__(
            f"The classes are not linearly separable{but}: no "
            f"{hyperplane} has {rows} (see .obstruction for the proof)."
        )
        self.separability = separability
        self.obstruction = obstruction

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.separability,)


@dataclass(frozen=True, eq=False)
class Separability(Document):
    """Whether two classes are linearly separable, with the proof.

    Attributes
    ----------
    verdict : "separable", "quasi-separable" or "overlapping"; "undecided" if the search had to end
    separator : Separator or None
        Strict (y s > 0 on every row) if separable; weak (y s >= 0, and > 0 somewhere) if
        quasi-separable, with `core=True` a maximal one: strict wherever any weak one is.
    obstruction : Combination or None
        If not separable: at most D + 1 rows whose positive combination is zero, D being the number
        of features, plus one for the offset. Any theta that is strict on them all would make zero
        positive (Gordan 1873).
    spanning : Combination or None
        At most 8 D rows whose positive combination is zero and whose (x, 1) span those of every row
        (overlapping) or of every row of `overlap_rows` (quasi-separable, with `core=True`): no weak
        separator is nonzero on any of them (Stiemke 1915, Steinitz 1913).
    overlap_rows : (m,) int64, or None without `core=True`
        The rows on which every weak separator is zero.
    infinite : tuple of str, or None without `core=True`
        Per feature, and last for the offset if there is one, its maximum-likelihood logistic
        coefficient: "finite", "+inf", "-inf", "undetermined" or "not identified".
    evidence : tuple of Combination or Separator, or None without `core=True`
        What each entry of `infinite` rests on, e being its unit vector: "finite", None, for e is
        in the span of the spanning rows; "+inf" or "-inf", rows of which a positive combination is
        that multiple of e, up to something in that span; "undetermined", a weak separator whose
        coefficient has the opposite sign of the maximal one's, or is not zero where that is; "not
        identified", a hyperplane with this coefficient and a score of zero on every row.
    fit_intercept, shape, digest
        The question, and the data it was asked of.
    so_far : str or None
        If the search had to end before all was known: why, and what is known, in words.
    """

    verdict: str
    separator: Separator | None = field(metadata=PART)
    obstruction: Combination | None = field(metadata=PART)
    spanning: Combination | None = field(metadata=PART)
    overlap_rows: Ints | None = field(metadata=or_none(ROWS))
    infinite: tuple[str, ...] | None = field(metadata=or_none(stored(tuple)))
    evidence: tuple[Combination | Separator | None, ...] | None = field(metadata=EVIDENCE)
    fit_intercept: bool = field(metadata=FLAG)
    shape: tuple[int, int] = field(metadata=SHAPE)
    digest: str
    so_far: str | None = None

    kind = "novikoff.separability"
    # In version 2 a number in the evidence stands for an entry before it, and what is finite has
    # none.
    version = 2

    def __repr__(self) -> str:
        parts = [
            f"{name} of {len(part)} row{'s' * (len(part) != 1)}"
            for name in ("obstruction", "spanning")
            if (part := getattr(self, name)) is not None
        ]
        if self.overlap_rows is not None:
            parts.append(f"{len(self.overlap_rows)} of {self.shape[0]} rows overlap")
        origin = "" if self.fit_intercept else " through the origin"
        about = f"{self.shape[0]} rows, {self.shape[1]} features"
        parts = [in_words(self.verdict) + origin, about, *parts, *filter(None, [self.so_far])]
        return f"<Separability: {'; '.join(parts)}>"

    def verify(self, X: Any, y: Any) -> bool:
        """Check every claim against the data, exactly, with code that the search does not share.

        Returns True; raises :class:`CertificateError`, which says what is wrong, otherwise.
        """
        check_separability(self, X, y)
        return True

    def to_vipr(self, path: str | PathLike[str], X: Any, y: Any) -> tuple[Path, Path]:
        """Write the proof as VIPR 1.1, for the checkers of exact integer programming.

        Whether a strict separator exists is answered at `path`; whether a weak one does, in a
        second file beside it, whose name ends in "-weak". Returns both paths. The files hold the
        rows they speak of, as exact fractions, so X and y must be the data of this result.
        """
        from novikoff.certificates.data import read
        from novikoff.certificates.vipr import write

        if self.verdict == UNDECIDED:
            raise ValueError("What is undecided has no proof to be written.")
        return write(self, Path(path), read(X, y, self.fit_intercept))


@dataclass(frozen=True, eq=False)
class MaxMargin(Document):
    """The hyperplane with the largest margin, and an interval that holds it.

    Attributes
    ----------
    theta, offset : exact numbers (float64, or Fractions where doubles are too coarse)
        A separating hyperplane; scaled so that the largest ``|theta_j|`` is of the order of 1.
    margin : float
        At most the margin of (theta, offset), so at most the true margin. 0.0 if the time was not
        enough to find a separating hyperplane; whether there is one is not known then.
    upper_bound : float
        At least the true margin; `weights` prove it.
    support : (k,) int64
        The rows that hold the hyperplane in place.
    weights : (k,), positive exact numbers (float64 or Fractions)
        Sum to 1 within each class (through the origin: over all rows). The point
        v = sum_i weights_i y_i x_i is then the difference of two points in the hulls of the
        classes, and no margin is larger than ||v|| / 2 (through the origin: ||v||).
    fit_intercept, shape, digest
        The question, and the data it was asked of.
    """

    theta: Array = field(metadata=NUMBERS)
    offset: Any = field(metadata=NUMBER)
    margin: float = field(metadata=DOUBLE)
    upper_bound: float = field(metadata=DOUBLE)
    support: Ints = field(metadata=ROWS)
    weights: Array = field(metadata=NUMBERS)
    fit_intercept: bool = field(metadata=FLAG)
    shape: tuple[int, int] = field(metadata=SHAPE)
    digest: str

    kind = "novikoff.max_margin"
    version = 1

    def __repr__(self) -> str:
        ends = f"margin={self.margin!r}, upper_bound={self.upper_bound!r}"
        return f"<MaxMargin: {ends}; support of {len(self.support)} rows>"

    def verify(self, X: Any, y: Any) -> bool:
        """Check both ends of the interval against the data, in exact arithmetic.

        Returns True; raises :class:`CertificateError`, which says what is wrong, otherwise.
        """
        check_max_margin(self, X, y)
        return True


@dataclass(frozen=True)
class MistakeBound:
    """The bound of Block and Novikoff (1962) on the perceptron's updates: k <= (radius / margin)^2.

    With an offset all three are taken in R^{d+1}, on the rows (x, 1).

    Attributes
    ----------
    radius : float
        At least max ||x||, by a rounding error at most.
    margin : float
        At most the largest margin through the origin, by a relative 1e-6 at most unless the time
        was not enough; 0.0 where the data is not separable, or not known to be.
    value : float
        (radius / margin)^2, rounded up; infinite where the data is not separable, or where that
        exceeds the largest double, or where the time was not enough to know.
    at_least : float
        (radius / upper_bound)^2, rounded down: the bound would be no smaller with the true margin.
    """

    radius: float
    margin: float
    value: float
    at_least: float = field(default=0.0, repr=False, compare=False)
