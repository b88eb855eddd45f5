"""Do the maximum-likelihood estimates of a regression exist?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, cast

import numpy as np

from novikoff.certificates.check import digest_of_model
from novikoff.certificates.clock import Clock
from novikoff.certificates.data import Labelled, labelled
from novikoff.certificates.design import Design
from novikoff.certificates.estimates import COMPLETE, EXIST, QUASI_COMPLETE, Separation
from novikoff.certificates.formulas import formula_design
from novikoff.certificates.results import OVERLAPPING, UNDECIDED
from novikoff.certificates.sources import as_design

if TYPE_CHECKING:
    from novikoff.certificates.families import Cone
    from novikoff.certificates.outcomes import Question

P = ParamSpec("P")
OPPOSITE = {"+inf": "-inf", "-inf": "+inf"}


def from_formula(
    formula: str, data: Any, *, time_limit: float | None = None, verbose: int = 0, **details: Any
) -> Separation:
    """The same for a formula and a data frame; needs formulaic.

    Parameters
    ----------
    formula : str
        Such as "y ~ x1 + C(firm)". On the left stand columns of the data: one, or two joined by +,
        successes and failures, or time and event. Categories become sparse columns.
    data : data frame
        Of pandas or polars. Rows with missing values are left out, and counted in `notes`.
    time_limit, verbose
        As for :func:`novikoff.separation`.
    **details
        `family`, `groups`, `entry`, `strata` and `absorb`, as for :func:`novikoff.separation`;
        names of columns will do.

    Returns
    -------
    Separation
        Its rows are those of `data`. To `verify` it, pass `separation.design(...)` with the same
        arguments.
    """
    return _decided(formula_design(formula, data, **details), Clock(time_limit, verbose))


class _Asking(Protocol[P]):
    """A function that can also be asked with a formula."""

    from_formula: Callable[..., Separation]
    design: Callable[..., Design]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Separation: ...


def _with_formulas(function: Callable[P, Separation]) -> _Asking[P]:
    vars(function).update(from_formula=from_formula, design=formula_design)
    return cast(_Asking[P], function)


@_with_formulas
def separation(
    X: Any,
    y: Any = None,
    *,
    family: str = "binomial",
    fit_intercept: bool = True,
    groups: Any = None,
    entry: Any = None,
    strata: Any = None,
    absorb: Any = None,
    names: Sequence[str] | None = None,
    time_limit: float | None = None,
    verbose: int = 0,
) -> Separation:
    """Decide whether the maximum-likelihood estimates of a regression exist, with the proof.

    They do not if there is a direction along which the likelihood never falls and somewhere
    rises: *separation*. Then a coefficient that a program reports is as large as its stopping rule
    let it become. The answer is exact, never a matter of tolerances.

    Parameters
    ----------
    X : {array-like, data frame, sparse matrix} of shape (n_samples, n_features)
        The regressors. Or a model or a result of statsmodels (Logit, Probit, Poisson, MNLogit, GLM
        with a binomial, Poisson or negative binomial family, OrderedModel, PHReg,
        ConditionalLogit), which brings all the rest with it.
    y : array-like
        The outcomes, as the family has them.
    family : str, default="binomial"
        - "binomial" (logit, probit, complementary log-log): labels of two classes, or successes
          and failures in two columns.
        - "poisson" (any model of counts with a logarithmic link; PPML): numbers y >= 0.
        - "multinomial": labels of several classes; the first is the reference.
        - "ordinal" (cumulative links, P(y <= k) = F(alpha_k - x . beta)): ordered classes, as
          numbers or as a data frame's column that has an order.
        - "conditional" (conditional logit): labels of two classes, the second being the rows that
          are chosen, and `groups`. Any number may be chosen in each group.
        - "cox" (proportional hazards, Breslow's or Efron's ties): times and events, as two columns
          or as a tuple (time, event); `entry` and `strata` if there are any. Of two kinds of event
          that are not 0 and 1 the second, in their order, is the one that counts.
    fit_intercept : bool, default=True
        Whether the model has an intercept that is no column of X. The last three families have
        none.
    groups : array-like of shape (n_samples,)
        The group of each row of a conditional model.
    entry, strata : array-like of shape (n_samples,)
        When a row comes under observation (it is at risk at t if entry < t <= time), and which
        stratum of a Cox model it belongs to.
    absorb : list of array-like of shape (n_samples,)
        Fixed effects: a coefficient for each level of each of them, which are not listed in the
        answer. They never become a dense matrix. The intercept is absorbed as well. In binomial
        and Poisson models, rows that a level separates alone (all its outcomes are the same, or
        zero) are separated, and the other coefficients are judged without them, unless that
        would leave no row.
    names : sequence of str
        Of the columns of X, if it is no data frame.
    time_limit : float or None, default=None
        Seconds after which the verdict may be "undecided".
    verbose : int, default=0
        If not 0, every step is announced.

    Where X is a data frame, y, `groups`, `entry`, `strata` and the entries of `absorb` may be names
    of its columns; these are then no regressors.

    Returns
    -------
    Separation
        `verdict`: "estimates exist", "complete separation" or "quasi-complete separation", or
        "undecided" if the time was not enough; `separated_rows`, and `keep` as a mask; `frame()`
        says for each coefficient whether its estimate is finite. Printed, it is a paragraph for an
        appendix. `verify` checks it.

    See Also
    --------
    separability : the same for two classes, in the language of hyperplanes.

    Examples
    --------
    >>> from novikoff import separation
    >>> result = separation([[0, 3], [0, 5], [1, 4], [1, 2]], [2, 1, 0, 0], family="poisson")
    >>> result.verdict, result.coefficients
    ('quasi-complete separation', ('-inf', 'finite', 'finite'))
    >>> result.separated_rows
    array([2, 3])
    """
    return _decided(
        as_design(
            X, y, family=family, fit_intercept=fit_intercept, groups=groups, entry=entry,
            strata=strata, absorb=absorb, names=names,
        ),
        Clock(time_limit, verbose),
    )  # fmt: skip


def inequalities(asked: Question, clock: Clock) -> tuple[Cone, Labelled]:
    """The rows of the cone of a question, and the same as the search takes them."""
    from novikoff.certificates.families import cone

    rows = cone(asked)
    return rows, labelled(rows.X, rows.sides, rows.fit_intercept, clock, rows.asked)


def _decided(design: Design, clock: Clock) -> Separation:
    from novikoff.certificates.coefficients import NOT_IDENTIFIED
    from novikoff.certificates.decide import decide  # loads the compiler
    from novikoff.certificates.outcomes import ROUNDED, dependent_but_for_rounding, question

    asked = question(design)
    rows, data = inequalities(asked, clock)
    proof = decide(data, core=True)
    n, notes, d = asked.X.shape[0], asked.notes, len(asked.names)
    names, outcomes = asked.coefficients, asked.outcomes
    states = [UNDECIDED] * (len(names) * max(1, len(outcomes)))
    verdict, separated = UNDECIDED, np.zeros(0, np.int64)
    if proof.infinite is None or proof.overlap_rows is None:
        notes = (*notes, str(proof.so_far))
        if len(data.y) != n:
            notes = (*notes, f"There, rows are the {len(data.y)} inequalities of the likelihood.")
    else:
        states = list(proof.infinite)
        complete, separated = rows.separated(proof.overlap_rows, n)
        verdict = COMPLETE if complete else QUASI_COMPLETE
        if proof.verdict == OVERLAPPING and len(rows.given) == 0:
            verdict = EXIST
        if NOT_IDENTIFIED not in states and dependent_but_for_rounding(asked):
            notes = (*notes, ROUNDED)
    if asked.family == "ordinal":  # thresholds stand in the cone with the other sign
        states[d:] = [OPPOSITE.get(state, state) for state in states[d:]]
    factors = {f"absorb {k:03}": codes.astype(float) for k, codes in enumerate(asked.factors)}
    return Separation(
        family=asked.family,
        verdict=verdict,
        coefficients=tuple(states),
        names=names,
        outcomes=outcomes,
        separated_rows=separated if design.rows is None else design.rows[separated],
        n_rows=n if design.n_rows is None else design.n_rows,
        rows=design.rows,
        notes=notes,
        proof=proof,
        fit_intercept=asked.fit_intercept,
        digest=digest_of_model(asked.family, asked.X, {**asked.columns, **factors}),
    )
