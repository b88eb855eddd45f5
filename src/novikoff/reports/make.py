"""Making a report: what is computed, by whom, and when it is too late for it.

Reading the rows and training one model is always done. For everything else there are other
processes, which are killed when the time is up: one that draws, and, unless the rows are so few
that this one does it in no time, one that proves.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from novikoff.analysis.parts import HOLDOUT
from novikoff.analysis.regression import OF_CLASSES, Wanted
from novikoff.analysis.wording import label, plain
from novikoff.persistence.disk import Temporary, replace_text
from novikoff.reports.data import Data, Source
from novikoff.reports.subject import Clock
from novikoff.streams.tables.options import TableOptions

if TYPE_CHECKING:
    from novikoff.reports.estimates import Estimates

BUDGET = 60.0
STAGES = 7

Progress = Callable[[str, int, int], None]  # what is done, steps done, steps in all


def report(
    data: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    features: Sequence[str] | None = None,
    budget: float = BUDGET,
    holdout: float = HOLDOUT,
    seed: int = 0,
    zero_based: bool = False,
    **options: Any,
) -> str:
    """An HTML report on a data set: one self-contained page.

    Parameters
    ----------
    data : path, "-", open binary file, polars or pandas DataFrame, or the name of a data set
        CSV, Parquet, Arrow or LIBSVM text, plain or compressed; a DataFrame has the target among
        its columns. ``novikoff datasets`` lists the data sets that ship.
    path : path, optional
        Where to write the page, too.
    features : two names, optional
        The features that the replay learns from. By default the two numeric ones with the largest
        standardised weights.
    budget : float, default=60
        Seconds. Rows are read and one model is trained however long it takes; of the rest, a part
        that is not ready in time is left out, and the page names the command that makes it.
    holdout : float, default=0.2
        The share of rows that the error is measured on; none under 20 rows.
    seed : int, default=0
        Of everything that is drawn at random.
    zero_based : bool, default=False
        Whether the first feature of LIBSVM text is 0; otherwise it is 1.
    **options
        How a table is read, as in :class:`novikoff.streams.TableOptions`: ``target="survived"``,
        ``drop=("name",)``, and so on. With `family`, `formula`, `absorb`, `groups`, `event`,
        `entry` or `strata` there is a section on whether the estimates of that regression exist
        (see :func:`novikoff.separation`); columns are named. If its outcomes are no classes, or a
        formula is given, that section is the page.

    Returns
    -------
    str
        The page.

    Examples
    --------
    >>> import novikoff
    >>> page = novikoff.report("iris", "report.html")  # doctest: +SKIP
    """
    regression = {field.name: options.pop(field.name, field.default) for field in fields(Wanted)}
    regression["absorb"] = _several(regression["absorb"])
    wanted = Wanted(**regression)
    made = make(
        data, options=_options(options), features=features, budget=budget, holdout=holdout,
        seed=seed, zero_based=zero_based, wanted=wanted if wanted.settings else None,
    )  # fmt: skip
    if path is not None:
        replace_text(path, made.html)
    return made.html


@dataclass(frozen=True, kw_only=True)
class Made:
    """A page, and in short what is on it."""

    html: str
    verdict: str
    separable: str | None = None
    estimates: str | None = None
    error: float | None = None
    majority: float | None = None
    held_out: bool = False
    warnings: Sequence[str] = ()
    left_out: Sequence[str] = ()
    seconds: float


def make(
    data: Any,
    *,
    options: TableOptions,
    features: Sequence[str] | None = None,
    budget: float = BUDGET,
    holdout: float = HOLDOUT,
    seed: int = 0,
    zero_based: bool = False,
    wanted: Wanted | None = None,
    progress: Progress | None = None,
) -> Made:
    """Compute everything that there is time for, and put it on a page.

    wanted : a regression to be asked about, if there is one
    """
    from novikoff.analysis.settle import somebody
    from novikoff.analysis.worker import Worker
    from novikoff.reports import boundary, certificate, estimates, page, subject, summary
    from novikoff.reports.collecting import Collector
    from novikoff.reports.views import views

    page.check_extras()
    clock = Clock(budget)
    stage = itertools.count()

    def begin(what: str) -> None:
        if progress is not None:
            progress(what, next(stage), STAGES)

    source = Source(data, zero_based=zero_based)
    asked_about = None
    if wanted is not None:
        begin("deciding about the estimates")
        asked_about = estimates.estimates(source, options, wanted, clock)
        if wanted.formula is not None or asked_about.regression.family not in OF_CLASSES:
            return _of_regression(source, asked_about, clock)
    with ExitStack() as stack:
        drawer, folder = stack.enter_context(Worker()), stack.enter_context(Temporary(folder=True))
        drawer.prepare(boundary.MODULE)  # while the rows are read
        begin("reading")
        opened = Data(
            source.content, options, holdout, seed, lambda *_: None, zero_based=zero_based
        )
        if len(opened.parts.classes) < 2:
            only = plain(label(opened.parts.classes[0].item()))
            raise ValueError(
                f"{opened.name}: there is only one class, {only}; a report compares two or more. "
                "Is the target right?"
            )
        prover = somebody(opened.size, sparse=opened.parts.sparse)
        stack.enter_context(prover)
        begin("training")
        fitted = summary.fit(opened.parts, seed)
        begin("choosing what to look at")
        chosen = subject.choose(opened, fitted, clock, seed, features, wanted)
        collector = Collector(chosen, prover, drawer)
        collector.ask(folder.path)
        begin("replaying")
        context = views(chosen)
        begin("proving and comparing")
        context.update(collector.collect())
    context["separable"] = certificate.in_short(context["certificate"]["verdicts"])
    context["seconds"] = f"{clock.spent:.1f}"
    context["estimates"] = asked_about
    begin("writing")
    return Made(
        html=page.page("report.html", context),
        verdict=context["verdict"],
        separable=context["separable"] or None,
        estimates=None if asked_about is None else asked_about.result.sentence,
        error=fitted.judged.error,
        majority=fitted.baseline,
        held_out=fitted.test is not None,
        warnings=context["warnings"],
        left_out=context["left_out"],
        seconds=clock.spent,
    )


def _of_regression(source: Source, found: Estimates, clock: Clock) -> Made:
    """A page about nothing but a regression."""
    from novikoff import __version__
    from novikoff.reports import page

    context = {
        "version": __version__, "name": source.short_name, "estimates": found,
        "seconds": f"{clock.spent:.1f}", "budget": f"{clock.budget:g}",
        "commands": {"report": found.report},
    }  # fmt: skip
    html, sentence = page.page("regression.html", context), found.result.sentence
    return Made(html=html, verdict=sentence, estimates=sentence, seconds=clock.spent)


def _options(given: dict[str, Any]) -> TableOptions:
    """Table options as keywords; a single name may stand for a list of one."""
    for name in ("drop", "keep", "categorical", "na"):
        if name in given:
            given[name] = _several(given[name])
    try:
        return TableOptions(**given)
    except TypeError as error:
        known = ", ".join(TableOptions.__dataclass_fields__)
        wrong = ", ".join(name for name in given if name not in TableOptions.__dataclass_fields__)
        raise TypeError(f"report() does not take {wrong}; of a table it takes {known}.") from error


def _several(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)
