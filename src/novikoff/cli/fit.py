"""`novikoff fit`: from a file to a model."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from novikoff.analysis.parts import HOLDOUT, Parts, TableParts
from novikoff.analysis.settle import somebody
from novikoff.analysis.sources import DEFAULT
from novikoff.analysis.wording import option
from novikoff.cli.console import Output, note
from novikoff.cli.errors import UsageError, refuse_unwritable
from novikoff.cli.options import (
    Aggressiveness,
    AsJson,
    DataOrDefault,
    Epochs,
    Eta0,
    MarginRule,
    RuleParameters,
    Seed,
    TableArguments,
    ThroughOrigin,
    TieRule,
    UpdateRule,
    takes_table,
)
from novikoff.cli.progress import progress, waiting
from novikoff.cli.results import Results
from novikoff.cli.sources import find, is_text, survey
from novikoff.cli.training import ModelKind, choose, estimator, text_parts, train

if TYPE_CHECKING:
    from novikoff.streams.bytes import Bytes


@takes_table()
def fit(
    data: DataOrDefault = DEFAULT,
    model: Annotated[
        ModelKind,
        typer.Option(
            help="The last hypothesis, the mean of all, their vote, the best met; the last with "
            "the margin rule; the hyperplane with the largest margin; the dual form with an RBF "
            "kernel."
        ),
    ] = "averaged",
    rule: UpdateRule = "perceptron",
    C: Aggressiveness = None,
    parameters: RuleParameters = None,
    epochs: Epochs = 10,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the model there.")] = None,
    holdout: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=0.9,
            help="The share of rows held out to measure the error on; 0.2 if not said, none under "
            "20 rows.",
            show_default=False,
        ),
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Measure on the rows of this file instead."),
    ] = None,
    shuffle: Annotated[
        int,
        typer.Option(
            metavar="ROWS",
            min=0,
            help="How many rows are put into random order at a time; 0 for the order of the file.",
        ),
    ] = 100_000,
    seed: Seed = 0,
    ties: TieRule = "mistake",
    margin: MarginRule = None,
    through_origin: ThroughOrigin = False,
    eta0: Eta0 = 1.0,
    multi_class: Annotated[
        Literal["auto", "ovr", "ovo", "joint"],
        typer.Option(
            help="More than two classes: one against the rest, each pair, or jointly; auto: each "
            "pair of up to 30 classes, jointly beyond and where pairs have too many weights."
        ),
    ] = "auto",
    class_weight: Annotated[
        Literal["balanced"] | None, typer.Option(help="balanced: rare classes take larger steps.")
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Note the state there now and then; a killed run goes on from it."
        ),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Train on this Dask cluster, by parameter mixing; local: on this machine's cores.",
        ),
    ] = None,
    as_json: AsJson = False,
    *,
    table: TableArguments,
) -> None:
    """Train a model on DATA and say how good it is.

    last, averaged, voted and margin learn from files larger than memory; the others read all rows.
    last, averaged, voted and pocket take any --rule.
    """
    begin = time.perf_counter()
    output = Output(as_json)
    for where, path in (("--out", out), ("--checkpoint", checkpoint)):
        refuse_unwritable(where, path, data, test)
    source = find(data, table)
    _check_test_file(data, test, table)
    settings: dict[str, Any] = {
        "seed": seed, "order": "shuffled" if shuffle else "cyclic", "ties": ties,
        "margin": margin, "fit_intercept": not through_origin, "eta0": eta0,
        "multi_class": multi_class,
        "class_weight": class_weight,
    }  # fmt: skip
    if rule == "auto" and (C is not None or parameters):
        raise UsageError("--C and --set belong to one rule: name it instead of --rule auto.")
    asked = "perceptron" if rule == "auto" else rule
    chosen = estimator(model, asked, C, parameters, epochs=epochs, **settings)
    share = holdout if holdout is not None else 0.0 if test is not None else HOLDOUT
    parts = _parts(source, table, share, seed)
    most = int(parts.counts["train"].sum()) * parts.features
    with somebody(most, sparse=parts.sparse) as worker:
        surveyed = time.perf_counter()
        if rule == "auto":
            best = choose(parts, shuffle=shuffle, **settings)
            chosen = estimator(model, best, epochs=epochs, **settings)
        if dask is None:
            train(chosen, model, parts, epochs=epochs, shuffle=shuffle, checkpoint=checkpoint)
        else:
            from novikoff.cli.dask import train_on_dask

            train_on_dask(
                chosen, model, parts, source, table, address=dask, rounds=epochs,
                holdout=(share, seed), checkpoint=checkpoint,
            )  # fmt: skip
        parts.features = chosen.n_features_in_
        results = Results(data, parts, chosen, model, table)
        results.train_seconds = time.perf_counter() - surveyed
        with progress("measuring the error", expected=results.rows["train"]) as bar:
            results.measure(test, bar)
        if out is not None:
            from novikoff import save

            save(parts.savable(chosen), out)
        with waiting("looking for a separating hyperplane"):
            results.settle(worker)
    results.seconds = time.perf_counter() - begin
    results.show(output)
    output.document("fit", {**results.document(), "out": None if out is None else str(out)})
    if out is not None:
        same = _to_repeat(table)
        note(f"model: written to {out}; use it with novikoff predict {out} DATA{same}")


def _check_test_file(data: str, test: str | None, table: TableArguments) -> None:
    """Say that there is no such file before training, not after it."""
    if test == data == "-":
        raise UsageError("DATA and --test cannot both be standard input: name a file for one.")
    if test is not None and test != "-":
        find(test, table)


def _to_repeat(table: TableArguments) -> str:
    """How the file was read is not part of a model: what was said of it must be said again."""
    given = [name for name in table.given() if name in ("header", "encoding", "delimiter")]
    given += [name for name in ("zero_based", "format") if getattr(table, name)]
    return f" (with the same {', '.join(map(option, given))})" if given else ""


def _parts(source: Bytes, table: TableArguments, share: float, seed: int) -> Parts:
    if is_text(source, table):
        return text_parts(source, share, seed, zero_based=table.zero_based)
    return TableParts(survey(source, table, scale=True, holdout=share, seed=seed))
