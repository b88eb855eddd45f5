"""`novikoff separable`: whether a hyperplane separates the classes, and the proof."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from novikoff.analysis.verdicts import Sides, says_it_all, sentence, shares, sides, why
from novikoff.analysis.wording import between, count, label, plain
from novikoff.cli.certificate import say_vipr, write
from novikoff.cli.console import Output, warn
from novikoff.cli.errors import UsageError, refuse_unwritable
from novikoff.cli.options import (
    AsJson,
    Data,
    Positive,
    RegressionArguments,
    TableArguments,
    ThroughOrigin,
    takes_regression,
    takes_table,
)
from novikoff.cli.progress import waiting
from novikoff.cli.regression import answer
from novikoff.cli.sources import Loaded, find, load

if TYPE_CHECKING:
    from novikoff.certificates.results import MaxMargin, Separability

MOST_ROWS = 20  # of an obstruction that are shown
MOST_FEATURES = 20

Answer = tuple[Sides, "Separability", "MaxMargin | None"]


@takes_table("no_scale")
@takes_regression
def separable(
    data: Data,
    core: Annotated[
        bool,
        typer.Option(
            "--core", help="Also the rows that truly overlap, and infinite logistic coefficients."
        ),
    ] = False,
    certificate: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the proof, for novikoff verify; as FILE.vipr for VIPR's checkers.",
        ),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="How long an answer may take; then what is known."),
    ] = None,
    positive: Positive = None,
    through_origin: ThroughOrigin = False,
    as_json: AsJson = False,
    *,
    regression: RegressionArguments,
    table: TableArguments,
) -> None:
    """Say whether a hyperplane separates the classes, how widely, or which rows forbid it.

    Nothing is scaled, and the answer is exact. More than two classes: each against the rest. With
    --family or --formula: whether the maximum-likelihood estimates of that regression exist.
    """
    begin = time.perf_counter()
    output = Output(as_json)
    refuse_unwritable("--certificate", certificate, data, channels=True)
    wanted = regression.wanted()
    if wanted is not None:
        if core or positive is not None or through_origin:
            raise UsageError(
                "--core, --positive and --through-origin ask about hyperplanes; --family, "
                "--formula and their like about a regression (there '- 1' means no intercept)."
            )
        options = table.options(scale=False)
        told = answer(output, find(data, table), options, certificate, time_limit, wanted)
        output.document("separable", {**told, "seconds": time.perf_counter() - begin})
        return
    loaded = load(find(data, table), table)
    found: Iterable[Answer] = (
        (question, *_decide(loaded, question, core, not through_origin, time_limit))
        for question in sides(loaded.y, positive)
    )
    if certificate is not None:  # first of all: who reads what is printed may stop reading
        found = list(found)
        _write(certificate, loaded, [(question, result) for question, result, _ in found])
    documents = [_show(output, loaded, *answer) for answer in found]
    output.document(
        "separable",
        {
            "data": data,
            "target": None if loaded.table is None else loaded.table.target,
            "rows": loaded.X.shape[0],
            "features": loaded.X.shape[1],
            "through_origin": through_origin,
            "questions": documents,
            "certificate": None if certificate is None else str(certificate),
            "seconds": time.perf_counter() - begin,
        },
    )


def _write(path: Path, loaded: Loaded, found: list[tuple[Sides, Separability]]) -> None:
    """Write the proofs: as JSON, or one of them as VIPR."""
    if path.suffix == ".vipr":
        if len(found) > 1:
            raise UsageError("A VIPR file answers one question; choose one class with --positive.")
        ((question, result),) = found
        say_vipr(result.to_vipr(path, loaded.X, question.y))
    else:
        write(path, loaded, found)


def _decide(
    loaded: Loaded, question: Sides, core: bool, fit_intercept: bool, time_limit: float | None
) -> tuple[Separability, MaxMargin | None]:
    from novikoff import max_margin, separability

    against = f"{plain(question.positive)} against {plain(question.negative)}"
    with waiting(f"deciding {against}"):
        result = separability(
            loaded.X, question.y, fit_intercept=fit_intercept, core=core, time_limit=time_limit
        )
    if result.verdict != "separable":
        return result, None
    recorded = warnings.catch_warnings(record=True, action="always")
    with waiting(f"measuring the gap of {against}"), recorded as caught:
        margin = max_margin(
            loaded.X, question.y, fit_intercept=fit_intercept, time_limit=time_limit
        )
    for warning in caught:
        warn(str(warning.message))
    return result, margin


# ----------------------------------------------------------------------- for people


def _show(
    output: Output, loaded: Loaded, question: Sides, result: Separability, margin: MaxMargin | None
) -> dict[str, Any]:
    """Print one answer; the same as something JSON can hold."""
    origin = not result.fit_intercept
    text = sentence(question.positive, question.negative, result.verdict, origin)
    output.line(text, "bold")
    if result.so_far is not None:
        output.line(result.so_far)
    document: dict[str, Any] = {
        "positive": question.positive,
        "negative": question.negative,
        "verdict": result.verdict,
        "sentence": text,
        "so_far": result.so_far,
        "margin": None,
        "obstruction": None,
        "core": None,
    }
    if margin is not None:
        document["margin"] = _show_margin(output, loaded, margin)
    if result.obstruction is not None:
        document["obstruction"] = _show_obstruction(output, loaded, result)
    if result.infinite is not None:
        document["core"] = _show_core(output, loaded, result)
    output.line()
    return document


def _show_margin(output: Output, loaded: Loaded, margin: MaxMargin) -> dict[str, Any]:
    value = between(margin.margin, margin.upper_bound)
    output.line(
        f"Margin: {value}, the distance from the best hyperplane to the nearest rows "
        f"({count(len(margin.support), 'row')} hold it in place)."
    )
    return {
        "lower": margin.margin,
        "upper": margin.upper_bound,
        "support_rows": loaded.rows[margin.support],
        "support_lines": loaded.lines(margin.support),
    }


def _show_obstruction(output: Output, loaded: Loaded, result: Separability) -> list[dict[str, Any]]:
    assert result.obstruction is not None
    rows, weights = result.obstruction.rows, result.obstruction.weights
    labels = [label(loaded.y[row].item()) for row in rows]
    places = loaded.places(rows)
    output.line(why(labels, places, result.fit_intercept))
    if not says_it_all(len(rows), result.fit_intercept):
        output.table(
            ["where", "label", "weight"],
            list(zip(places, map(plain, labels), shares(weights), strict=True))[:MOST_ROWS],
            numeric=(2,),
        )
        if len(rows) > MOST_ROWS:
            output.line(f"… and {len(rows) - MOST_ROWS} more (--json and --certificate list all).")
    return [
        {"row": loaded.rows[row], "line": line, "label": name, "weight": str(weight)}
        for row, line, name, weight in zip(rows, loaded.lines(rows), labels, weights, strict=True)
    ]


def _show_core(output: Output, loaded: Loaded, result: Separability) -> dict[str, Any]:
    assert result.overlap_rows is not None
    assert result.infinite is not None
    n, overlap = loaded.X.shape[0], result.overlap_rows
    if result.verdict == "quasi-separable":
        where = ", ".join(loaded.places(overlap[:MOST_ROWS]))
        more = f", … ({len(overlap) - MOST_ROWS} more)" if len(overlap) > MOST_ROWS else ""
        output.line(
            f"{len(overlap)} of {count(n, 'row')} truly overlap, the others can be separated: "
            f"{where}{more}."
        )
    names = [*loaded.features, "(offset)"][: len(result.infinite)]
    judged = dict(zip(names, result.infinite, strict=True))
    told = {name: what for name, what in judged.items() if what != "finite"}
    if told:
        output.line(
            "These coefficients of a logistic regression have no finite value of their own:"
        )
        shown = list(told.items())[:MOST_FEATURES]
        output.table(["feature", "coefficient"], [[plain(name), what] for name, what in shown])
        if len(told) > MOST_FEATURES:
            output.line(f"… and {len(told) - MOST_FEATURES} more (--json lists all).")
        levels = any("=" in name for name, what in told.items() if what == "not identified")
        if levels and loaded.table is not None:
            output.line(
                "Every level of a category is a feature here, so that their coefficients are "
                "determined only together: --family binomial leaves one out of each."
            )
    else:
        output.line("Logistic regression would give every coefficient a finite value.")
    return {
        "overlap_rows": loaded.rows[overlap],
        "coefficients": judged,
    }
