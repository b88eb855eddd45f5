"""`novikoff predict`: a prediction for every row of a file."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from novikoff.analysis.wording import count, label, plain
from novikoff.cli.console import Output, note
from novikoff.cli.errors import refuse_unwritable
from novikoff.cli.models import OpenedModel, open_model
from novikoff.cli.options import AsJson, Data, TableArguments, takes_table
from novikoff.cli.progress import progress
from novikoff.cli.sources import about_rows, find
from novikoff.persistence.disk import replacing

if TYPE_CHECKING:
    from novikoff.streams.bytes import Bytes

ModelFile = Annotated[
    Path, typer.Argument(metavar="MODEL", help="A model file by novikoff fit --out.")
]
OutFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write there instead of standard output.",
        callback=lambda path: None if path == Path("-") else path,
    ),
]


@takes_table("no_scale", "missing", "hash_bits")
def predict(
    model: ModelFile,
    data: Data,
    out: OutFile = None,
    as_json: AsJson = False,
    *,
    table: TableArguments,
) -> None:
    """Predict every row of DATA: CSV with the columns row, prediction, score.

    Rows are numbered from 0. The score is the decision value: of the second of two classes, of the
    predicted one of more. Columns are matched by name, and the target need not be there.
    """
    output = Output(as_json)
    refuse_unwritable("--out", out, model, data, channels=True)
    classifier = open_model(model)
    source = find(data, table)
    wanted = out is not None or not sys.stdout.isatty()
    with progress(f"predicting {data}", expected=about_rows(source), wanted=wanted) as bar:
        lines = _predictions(classifier, source, table, bar)
        if as_json:
            output.document(
                "predict",
                {
                    "model": str(model),
                    "data": data,
                    "predictions": [
                        {"row": row, "prediction": prediction, "score": score}
                        for row, prediction, score in lines
                    ],
                    "unseen": classifier.unseen,
                    "missing": classifier.missing,
                },
            )
        else:
            n = _write(lines, out)
    classifier.say_unseen()
    if out is not None and not as_json:
        note(f"{count(n, 'prediction')} written to {out}")


def _predictions(
    model: OpenedModel, data: Bytes, table: TableArguments, bar: Any
) -> Iterator[tuple[int, Any, float]]:
    """(row, prediction, score), in the order of the file."""
    done = 0
    for block in model.blocks(data, table, labelled=False):
        if not len(block.rows):
            continue
        predicted, scores = predictions(model.classifier, block.X)
        labels = [label(value) for value in predicted.tolist()]
        yield from zip(block.rows.tolist(), labels, scores.tolist(), strict=True)
        done += len(block.rows)
        bar(done, None)


def predictions(classifier: Any, X: Any) -> tuple[Any, Any]:
    """What a classifier says of some rows: labels, and the scores that speak for them."""
    import numpy as np

    predicted = classifier.predict(X)
    scores = classifier.decision_function(X)
    if scores.ndim == 2:
        scores = scores[np.arange(len(scores)), np.searchsorted(classifier.classes_, predicted)]
    return predicted, scores


def _write(lines: Iterator[tuple[int, Any, float]], out: Path | None) -> int:
    # The first row is made before the file is opened: an error in DATA must not empty it.
    first = next(lines, None)
    n = 0
    with _opened(out) as stream:
        # Labels are data, and go into a file as they are; a terminal would obey what is in them.
        shown = plain if stream.isatty() else str
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["row", "prediction", "score"])
        for row, prediction, score in chain([] if first is None else [first], lines):
            writer.writerow((row, shown(prediction), score))
            n += 1
    return n


@contextmanager
def _opened(out: Path | None) -> Iterator[TextIO]:
    if out is None:
        reconfigure = getattr(sys.stdout, "reconfigure", None)
        if reconfigure is not None:  # labels are data: they go out as UTF-8 on any terminal
            reconfigure(encoding="utf-8")
        yield sys.stdout
    else:
        with replacing(out) as file:
            stream = io.TextIOWrapper(file, encoding="utf-8", newline="")
            yield stream
            stream.detach()  # flushed, and not closed: that comes when the file is in its place
