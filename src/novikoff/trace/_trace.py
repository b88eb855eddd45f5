"""The record of one run of one hyperplane."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff._arrays import Array, Floats, Ints
from novikoff.trace._audit import Audit, audit
from novikoff.trace._parts import Examples, Replacements, checked_rows, sides_of

if TYPE_CHECKING:
    from novikoff.certificates.results import MaxMargin
    from novikoff.kernels.rows import Rows


@dataclass(frozen=True, eq=False)
class Trace:
    """Every update of one hyperplane in one run, in order.

    Hypotheses are not stored: the trace keeps the examples, and whatever is asked of it is computed
    by running the updates again, with training's rounding. So a trace of two million updates
    is a few numbers per update, and what it says of theta is theta to the bit.

    Attributes
    ----------
    start_theta : (d,), start_offset : float
        The hypothesis before the first update.
    fit_intercept : bool
    margin, ties, eta, order
        beta, the tie convention, `eta0`, and the kind of visiting order. An update of another rule
        than the perceptron's is asked for as by that with this margin and convention.
    classes : (str, str)
        The labels on the negative and the positive side, as text; "rest" stands for all others.
    status : {"separated", "epoch_limit", "early_stopped"}
        How the run ended for this hyperplane.
    n_epochs : int
        Epochs it took part in; a hyperplane that has converged rests.
    epoch, t, row, y, step : (k,)
        Per update: the epoch, from 1; how many examples had been seen, this one included; the row;
        its side, -1 or +1; the signed step c * y, in theta's type.
    orders : list of ndarray, or None
        The rows visited, epoch by epoch; None when the order was cyclic. Rows whose side is 0 are
        passed over and not counted in t.
    replacements : Replacements or None
        For the pocket perceptron: the hypotheses that went into the pocket.
    examples : Examples or None
        What the run learned from; None if read from a file that was written without.
    rule : str
        "perceptron"; "PA-I", "PA-II" or "PA"; or the name of another rule: then the steps are its
        own.
    parameters : dict
        Numbers that such a rule was told, by name: C of PA-I and PA-II.
    other : (k,) labels, or None
        Of joint classes: per update, the class that moved the other way. x was added to the weights
        of its own class, where y is +1 here, and subtracted from those of the strongest rival, and
        the rule's test was about the difference of their scores.

    Examples
    --------
    >>> from novikoff import Perceptron
    >>> X, y = [[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]], [1, 0, 0]
    >>> trace = Perceptron(fit_intercept=False, order="cyclic", record_trace=True).fit(X, y).trace_
    >>> trace
    <Trace of 1 against 0: 2 updates in 2 epochs, separated>
    >>> trace.row, trace.y, trace.score_before, trace.score_after
    (array([0, 1]), array([ 1, -1]), array([0., 0.]), array([ 4., -9.]))
    >>> theta, offset = trace.hypotheses()
    >>> theta
    array([[ 0.,  0.],
           [ 2.,  0.],
           [ 2., -3.]])
    """

    start_theta: Array
    start_offset: float
    fit_intercept: bool
    margin: float
    ties: str
    eta: float
    order: str
    classes: tuple[str, str]
    status: str
    n_epochs: int
    epoch: Ints
    t: Ints
    row: Ints
    y: Ints
    step: Array
    orders: list[Array] | None = None
    replacements: Replacements | None = None
    examples: Examples | None = None
    rule: str = "perceptron"
    parameters: dict[str, float] = field(default_factory=dict)
    other: tuple[str, ...] | None = None
    _read_scores: Floats | None = field(default=None, repr=False)  # (2, k), of a file

    def __len__(self) -> int:
        return len(self.row)

    def __repr__(self) -> str:
        negative, positive = self.classes
        return (
            f"<Trace of {positive} against {negative}: {len(self)} updates in {self.n_epochs} "
            f"epochs, {self.status}>"
        )

    @property
    def k(self) -> Ints:
        """The number of each update, from 1."""
        return np.arange(1, len(self) + 1)

    # ---------------------------------------------------------------- replay

    def with_examples(self, X: Any, y: Any) -> Trace:
        """The same trace with the examples it was made from, for one that was stored without them.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n, d)
        y : array-like of shape (n,)
            The labels that were fitted, or the side of every row at this hyperplane: -1 or +1; 0 if
            it took no part.
        """
        from novikoff.training.matrix import tidied

        self._rows(X)  # refuses what this run cannot have been on
        X = tidied(X if hasattr(X, "tocsr") else np.asarray(X))
        if self.start_theta.dtype == np.float32:  # only data in single precision is learned so
            X = X.astype(np.float32)
        side = sides_of(np.asarray(y), self.classes, self.row, self.y)
        if side.shape != (X.shape[0],):
            raise ValueError(f"y must hold one label per row: X has {X.shape[0]}, y {side.shape}.")
        wrong = np.flatnonzero(side[self.row] != self.y)
        if len(wrong):
            row = self.row[wrong[0]]
            raise ValueError(
                f"y is {side[row]} at row {row}, but the run had {self.y[wrong[0]]} there."
            )
        return replace(self, examples=Examples(X.copy(), side))

    def _rows(self, X: Any = None) -> Rows:
        if X is not None:
            highest = int(self.row.max(initial=-1))
            rows = checked_rows(X, len(self.start_theta), highest)
            if self.examples is not None:
                self.examples.refuse_others(X, np.unique(self.row))
            return rows
        return self.known_examples().rows

    def known_examples(self) -> Examples:
        """The examples; a ValueError if the trace was stored without them."""
        if self.examples is None:
            raise ValueError(
                "This trace was stored without its examples: attach them first, "
                "trace.with_examples(X, y)."
            )
        return self.examples

    def alone(self) -> Trace:
        """This trace; a ValueError if its hyperplane is one of joint classes."""
        if self.other is not None:
            raise ValueError(
                "This is the trace of one of several joint classes, whose updates compare two "
                "scores, and a picture shows one: fit with multi_class='ovr' or 'ovo'. frame() and "
                "markdown() write it down."
            )
        return self

    def _start(self) -> tuple[Any, ...]:
        """(1, d), (1,), (), constant, scratch: the start, copied, as the kernels replay it."""
        from novikoff.kernels.exact import N_LIMBS

        offset = np.array([self.start_offset], self.start_theta.dtype)
        limbs = np.empty(N_LIMBS, np.int64)
        return self.start_theta[None].copy(), offset, (), float(self.fit_intercept), limbs

    def hypotheses(self, X: Any = None) -> tuple[Array, Array]:
        """Every hypothesis: theta of shape (k + 1, d) and offset of shape (k + 1,).

        Bit for bit what training went through; the first is the start, the last the last
        hypothesis. For a long run use `blocks`.

        Parameters
        ----------
        X : {array-like, sparse matrix}, optional
            The rows that were fitted, where the trace does not carry them itself.
        """
        ((_, theta, offset),) = self.blocks(len(self) + 1, X)
        return theta, offset

    def blocks(self, size: int = 1024, X: Any = None) -> Iterator[tuple[int, Array, Array]]:
        """The hypotheses 0, 1, ..., k in blocks of `size`: (number of the first, thetas, offsets).

        Only one block is in memory at a time.
        """
        from novikoff.kernels.rules.perceptron import ERROR
        from novikoff.kernels.votes import unfold

        rows, start, dtype = self._rows(X), self._start(), self.start_theta.dtype
        for first in range(0, len(self) + 1, size):
            n = min(size, len(self) + 1 - first)
            thetas, offsets = np.empty((n, len(self.start_theta)), dtype), np.empty(n, dtype)
            unfold(
                ERROR, rows, start, self.row, self.step[:, None], max(first - 1, 0),
                np.arange(first, first + n), thetas, offsets,
            )  # fmt: skip
            yield first, thetas, offsets

    def hypothesis(self, k: int, X: Any = None) -> tuple[Array, float]:
        """theta (d,) and offset after `k` updates; 0 is the start."""
        from novikoff.kernels.rules.perceptron import ERROR
        from novikoff.kernels.votes import replay

        if not 0 <= k <= len(self):
            raise ValueError(f"There are hypotheses 0 ... {len(self)}; {k} is not one of them.")
        rows, start = self._rows(X), self._start()
        replay(
            ERROR, rows, start, self.row, np.zeros(k, np.int64), np.ones(k), np.arange(k),
            self.step[:, None], 0, k,
        )  # fmt: skip
        return start[0][0], float(start[1][0])

    @cached_property
    def final(self) -> tuple[Array, float]:
        """The last hypothesis, replayed: theta (d,) and offset."""
        return self.hypothesis(len(self))

    # ---------------------------------------------------------------- scores

    @property
    def score_before(self) -> Floats:
        """(k,): theta . x + offset at the row of each update before it, rounded once."""
        scores: Floats = self._scores[0]
        return scores

    @property
    def score_after(self) -> Floats:
        """(k,): the same after the update; where y * score is still <= margin it undershot."""
        scores: Floats = self._scores[1]
        return scores

    @cached_property
    def _scores(self) -> Floats:
        if self.examples is None and self._read_scores is not None:
            return self._read_scores
        return self.first_scores(len(self))

    def first_scores(self, n: int) -> Floats:
        """(2, n): the scores before and after the first `n` updates."""
        from novikoff.kernels.audit import retrace_scores
        from novikoff.kernels.rules.perceptron import ERROR

        scores = np.empty((2, n))
        retrace_scores(ERROR, self._rows(), self._start(), self.row, self.step[:, None], *scores)
        return scores

    # --------------------------------------------------------------- formats

    def frame(self, *, theta: bool = True) -> Any:
        """The updates as a pandas DataFrame, one row each.

        Columns k, epoch, t, row, y, score_before, score_after; then, unless `theta` is False, the
        hypothesis that the update led to: theta_1 ... theta_d and offset.
        """
        from novikoff.trace._frame import frame

        return frame(self, theta)

    def markdown(self, limit: int | None = 50) -> str:
        """The run as a Markdown table with the arithmetic of every step.

        Numbers are shown in the shortest form that reads back as the same number; `=` is right to
        the last digit as printed, `≈` marks a result that was rounded, or terms left out. Vectors
        of more than six numbers are abridged.

        Parameters
        ----------
        limit : int or None
            The most updates shown; None for all.
        """
        from novikoff.trace._markdown import markdown

        return markdown(self, limit)

    def to_json(self, *, examples: bool = True) -> str:
        """The trace as JSON text, exact; see docs/trace-format.md.

        Parameters
        ----------
        examples : bool
            Whether to include the rows. Without them the trace must be given them again
            (`with_examples`) before it can be replayed.
        """
        return json.dumps(self.document(examples=examples), allow_nan=False, separators=(",", ":"))

    def document(self, *, examples: bool = True) -> dict[str, Any]:
        """What `to_json` writes, made of lists, dicts and numbers."""
        from novikoff.trace._json import document_of

        return document_of(self, examples)

    @classmethod
    def from_json(cls, text: str) -> Trace:
        """Read what `to_json` wrote; a malformed document raises a ValueError that says where."""
        from novikoff.trace._json import read

        return read(text)

    # ----------------------------------------------------------------- audit

    def audit(self, X: Any = None, y: Any = None, *, max_margin: MaxMargin | None = None) -> Audit:
        """Check every update against the proof of Block and Novikoff (1962), or of PA's loss bound.

        Parameters
        ----------
        X, y : optional
            The examples, where the trace does not carry them; see `with_examples`.
        max_margin : MaxMargin, optional
            The largest margin of the examples in the space the run took place in, if it is known
            already: ``max_margin(X, y, fit_intercept=False)``, for a run with an offset on X with
            a column of ones appended. By default it is computed.

        Returns
        -------
        Audit
            Data to plot, and the verdict. Runs that the theorem does not cover say why.
        """
        if (X is None) != (y is None):
            raise ValueError("Pass both X and y, or neither.")
        return audit(self if X is None else self.with_examples(X, y), max_margin)
