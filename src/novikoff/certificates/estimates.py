"""Whether maximum-likelihood estimates exist, as a value that can be published and checked."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from novikoff._arrays import Bools, Ints
from novikoff.certificates.check import CertificateError, check_separation
from novikoff.certificates.clock import Clock
from novikoff.certificates.design import Design
from novikoff.certificates.parts import FLAG, ROWS, Document, or_none, read_rows, stored
from novikoff.certificates.results import QUASI_SEPARABLE, SEPARABLE, UNDECIDED, Separability
from novikoff.certificates.sources import as_design, brings_all

if TYPE_CHECKING:
    from novikoff.certificates.outcomes import Question

EXIST = "estimates exist"
COMPLETE = "complete separation"
QUASI_COMPLETE = "quasi-complete separation"

MODELS = {
    "binomial": "binomial regression (logit, probit or complementary log-log)",
    "poisson": "Poisson regression (log link)",
    "multinomial": "multinomial logit regression",
    "ordinal": "cumulative-link regression (ordered logit or probit)",
    "conditional": "conditional logit regression",
    "cox": "Cox regression (Breslow or Efron)",
}
MOST = 20  # rows or coefficients that are listed


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r:.60} is no text")
    return value


TEXT = stored(_text)
TEXTS = stored(lambda written: tuple(map(_text, written)))
COUNT = stored(lambda written: int(read_rows([written])[0]))
PROOF = stored(
    lambda written: Separability.from_json(json.dumps(written)),
    lambda proof: json.loads(proof.to_json()),
)


@dataclass(frozen=True, eq=False)
class Separation(Document):
    """Whether the maximum-likelihood estimates of a regression exist, with the proof.

    Attributes
    ----------
    family : str
    verdict : "estimates exist", "complete separation" or "quasi-complete separation"
        "undecided" if the search had to end; `notes` then say what is known.
    coefficients : tuple of str
        For each coefficient "finite", "-inf", "+inf" (where its estimate goes), "undetermined"
        (some paths to the supremum of the likelihood take it to either infinity, others leave it
        finite) or "not identified" (it can be changed, with others, without changing the
        likelihood). In the order of `names`; with several `outcomes`, those of the first outcome
        come first.
    names : tuple of str
    outcomes : tuple of str
        Multinomial: the classes that have coefficients, the reference being the one that has
        none. Otherwise empty.
    separated_rows : (k,) int64
        The rows whose fitted probability goes to 1 (Poisson: whose mean goes to 0). Of a binomial,
        Poisson or conditional model, the likelihood of the others, without them, has the finite
        estimates as its maximum. In the other families a row may be separated from some of its
        alternatives only; it is none of these, and without these rows there may still be
        separation.
    n_rows : int
        The number of rows of the data.
    rows : (n,) int64 or None
        The rows of the data that were looked at, where the source left some out; None for all.
    notes : tuple of str
        What was done to the data, and what does not matter.
    proof : Separability
        A certificate about the rows of the family's cone: a maximal direction of recession, the
        rows it is zero on, why all are, and the evidence for every coefficient.
    fit_intercept, digest
        The question, and the data it was asked of.
    """

    family: str = field(metadata=TEXT)
    verdict: str = field(metadata=TEXT)
    coefficients: tuple[str, ...] = field(metadata=TEXTS)
    names: tuple[str, ...] = field(metadata=TEXTS)
    outcomes: tuple[str, ...] = field(metadata=TEXTS)
    separated_rows: Ints = field(metadata=ROWS)
    n_rows: int = field(metadata=COUNT)
    rows: Ints | None = field(metadata=or_none(ROWS))
    notes: tuple[str, ...] = field(metadata=TEXTS)
    proof: Separability = field(metadata=PROOF)
    fit_intercept: bool = field(metadata=FLAG)
    digest: str = field(metadata=TEXT)

    kind = "novikoff.separation"
    version = 1

    @property
    def keep(self) -> Bools:
        """Per row of the data, whether it is kept: looked at, and not separated."""
        mask = np.ones(self.n_rows, bool)
        if self.rows is not None:
            mask[:] = False
            mask[self.rows] = True
        mask[self.separated_rows] = False
        return mask

    def frame(self) -> Any:
        """The coefficients as a pandas DataFrame: (outcome,) name, estimate."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError(
                "frame() needs pandas: pip install pandas. (The same are `names` and "
                "`coefficients`.)"
            ) from error
        table = pd.DataFrame(self.table(), columns=["outcome", "name", "estimate"])
        return table if self.outcomes else table.drop(columns="outcome")

    def table(self) -> list[tuple[str, str, str]]:
        """The coefficients: outcome (empty where there is but one), name and estimate of each."""
        named = [(outcome, name) for outcome in self.outcomes or ("",) for name in self.names]
        return [(*pair, state) for pair, state in zip(named, self.coefficients, strict=True)]

    def __repr__(self) -> str:
        about = f"{len(self.separated_rows)} of {self.n_rows} rows separated"
        return f"<Separation: {self.family}, {self.verdict}; {about}>"

    def __str__(self) -> str:
        """The answer in sentences, for the appendix of a paper."""
        prose = " ".join([self.sentence, *self._separated()])
        notes = [fill(note, 88) for note in self.notes]
        if self.verdict == UNDECIDED:
            return "\n".join([fill(prose, 88), *notes])
        closing = f"Decided in exact arithmetic, with a certificate (data {self.digest[:16]})."
        return "\n".join([fill(prose, 88), *self._listed(), *notes, closing])

    @property
    def sentence(self) -> str:
        """The verdict in a sentence."""
        estimates = f"the maximum-likelihood estimates of this {MODELS[self.family]}"
        if self.verdict == UNDECIDED:
            if self.proof.verdict in (SEPARABLE, QUASI_SEPARABLE):
                return f"Undecided: {estimates} do not exist; which are infinite is not known."
            return f"Undecided: whether {estimates} exist is not known."
        if self.verdict != EXIST:
            return f"{self.verdict.capitalize()}: {estimates} do not exist."
        if "not identified" in self.coefficients:
            return f"No separation: {estimates} exist, but not all coefficients are identified."
        return f"No separation: {estimates} exist."

    def _separated(self) -> list[str]:
        k = len(self.separated_rows)
        if self.verdict in (EXIST, UNDECIDED):
            return []
        if k == 0:
            return ["No observation is separated from all its alternatives, so none drops out."]
        some = ", ".join(map(str, self.separated_rows[:MOST].tolist())) + ", ..." * (k > MOST)
        are = "observation is" if k == 1 else "observations are"
        return [f"{k} of {self.n_rows} {are} separated (rows, counted from 0: {some})."]

    def _listed(self) -> list[str]:
        told = [(_on_a_line(f"{outcome} {name}".strip()), s) for outcome, name, s in self.table()]
        finite = [name for name, state in told if state == "finite"]
        told = [(name, state) for name, state in told if state != "finite"]
        if not told:
            every = "Every coefficient" + " that was not absorbed" * (self.verdict != EXIST)
            return [f"{every} has a finite estimate."] if finite else []
        width = max(len(name) for name, _ in told[:MOST])
        lines = [f"  {name:<{width}}  {state}" for name, state in told[:MOST]]
        if len(told) > MOST:
            lines.append(f"  ... and {len(told) - MOST} more")
        if finite:
            some = ", ".join(finite[:MOST]) + ", ..." * (len(finite) > MOST)
            lines.append(fill(f"Finite: {some}.", 88))
        return ["Coefficients without a finite estimate of their own:", *lines]

    def verify(self, X: Any, y: Any = None, **details: Any) -> bool:
        """Check every claim against the data, exactly, with code that the search does not share.

        Takes what :func:`novikoff.separation` took: X, y, and `groups`, `entry`, `strata`,
        `absorb` if there were any. Returns True; raises :class:`CertificateError`, which says what
        is wrong, otherwise. What cannot be looked up in the data is not checked: the names of the
        columns of an array, and `notes`.
        """
        from novikoff.certificates.outcomes import question

        design = self._design(X, y, **details)
        claimed = replace(self, separated_rows=self._numbered(design))
        check_separation(
            claimed, design.X, design.y, groups=design.groups, entry=design.entry,
            strata=design.strata, absorb=design.absorb,
        )  # fmt: skip
        self._require_same(design, question(design))
        return True

    def _design(self, X: Any, y: Any, **details: Any) -> Design:
        """What the data is, as a question about this family."""
        if not brings_all(X):
            details = {"family": self.family, "fit_intercept": self.fit_intercept, **details}
        design = as_design(X, y, **details)
        if design.family != self.family:
            raise CertificateError(
                f"The certificate is about the family {self.family}, the question about "
                f"{design.family}."
            )
        return design

    def _require_same(self, design: Design, asked: Question) -> None:
        """Raise CertificateError unless certificate and question call everything alike."""
        first = 0 if design.names is not None else len(asked.names)  # an array's have no names
        n = asked.X.shape[0]
        for what, mine, theirs in (
            ("fit_intercept", self.fit_intercept, asked.fit_intercept),
            ("number of coefficients", len(self.names), len(asked.coefficients)),
            ("names", self.names[first:], asked.coefficients[first:]),
            ("outcomes", self.outcomes, asked.outcomes),
            ("number of rows", self.n_rows, n if design.n_rows is None else design.n_rows),
            ("rows that were looked at", _listed(self.rows), _listed(design.rows)),
        ):
            if mine != theirs:
                raise CertificateError(
                    f"The certificate has another {what} than the question: {mine!r:.80} instead "
                    f"of {theirs!r:.80}."
                )

    def _numbered(self, design: Design) -> Ints:
        """The separated rows by the numbers that they have in the design."""
        if design.rows is None:
            return self.separated_rows
        found = np.searchsorted(design.rows, self.separated_rows)
        left_out = np.flatnonzero(~np.isin(self.separated_rows, design.rows))
        if len(left_out):
            row = self.separated_rows[left_out[0]]
            raise CertificateError(f"Row {row} was left out, so that it cannot be separated.")
        return found

    def to_vipr(
        self, path: str | PathLike[str], X: Any, y: Any = None, **details: Any
    ) -> tuple[Path, Path]:
        """Write the proof as VIPR 1.1, for the checkers of exact integer programming.

        Two files: whether the likelihood can rise for every inequality, at `path`, and whether it
        can for any, beside it: the second is the one that says whether estimates exist. (Both are
        about the rows that no level of an absorbed factor separates alone.) Takes the data as
        `verify` does. Returns both paths.
        """
        from novikoff.certificates.outcomes import question
        from novikoff.certificates.separation import inequalities
        from novikoff.certificates.vipr import write

        if self.verdict == UNDECIDED:
            raise ValueError("What is undecided has no proof to be written.")
        _, data = inequalities(question(self._design(X, y, **details)), Clock())
        return write(self.proof, Path(path), data)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote."""
        found = super().from_json(text)
        n = len(found.coefficients)
        if n != len(found.names) * max(1, len(found.outcomes)):
            raise ValueError(
                f"The {cls.kind} document is malformed: {len(found.names)} names for {n} "
                "coefficients."
            )
        return found


def _on_a_line(name: str) -> str:
    """A name without what breaks a line."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)


def _listed(rows: Ints | None) -> list[int] | None:
    return None if rows is None else rows.tolist()
