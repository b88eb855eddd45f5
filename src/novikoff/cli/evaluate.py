"""`novikoff evaluate`: how often a model is wrong on a file with labels."""

from __future__ import annotations

from typing import Any

from novikoff.analysis.confusion import Confusion, confusion
from novikoff.analysis.wording import grouped, percent, plain
from novikoff.cli.console import Output
from novikoff.cli.errors import UsageError
from novikoff.cli.models import open_model
from novikoff.cli.options import AsJson, Data, TableArguments, takes_table
from novikoff.cli.predict import ModelFile
from novikoff.cli.progress import progress
from novikoff.cli.sources import about_rows, find


@takes_table("no_scale", "missing", "hash_bits")
def evaluate(
    model: ModelFile, data: Data, as_json: AsJson = False, *, table: TableArguments
) -> None:
    """Compare a model's predictions with the labels of DATA.

    Error, balanced error (every class counts the same), confusion matrix, and for each class its
    precision (how often right when predicted) and recall (how often found).
    """
    output = Output(as_json)
    classifier = open_model(model)
    source = find(data, table)
    with progress(f"evaluating {data}", expected=about_rows(source)) as bar:
        blocks = classifier.blocks(source, table, labelled=True)
        found = confusion(classifier.classifier, blocks, bar)
    classifier.say_unseen()
    if not found.n:
        raise UsageError(f"{data} has no rows with a label.")
    unknown = classifier.say_unknown(found)
    measured = _measured(found)
    _show(output, measured)
    output.document(
        "evaluate",
        {
            "model": str(model),
            "data": data,
            **measured,
            "unknown_classes": unknown,
            "unseen": classifier.unseen,
            "missing": classifier.missing,
        },
    )


def _measured(found: Confusion) -> dict[str, Any]:
    """What is found out, as something JSON can hold."""
    names = found.labels
    return {
        "rows": found.n,
        "error": found.error,
        "balanced_error": found.balanced_error,
        # that of always saying what is commonest here
        "majority_error": min(map(found.error_of_always, names)),
        "classes": [
            {
                "label": name,
                "precision": found.precision(name),
                "recall": found.recall(name),
                "rows": found.support(name),
            }
            for name in names
        ],
        "confusion": [[found.counts[t, p] for p in names] for t in names],
    }


def _show(output: Output, measured: dict[str, Any]) -> None:
    classes = measured["classes"]
    names = [plain(each["label"]) for each in classes]
    always = f"(always the commonest class: {percent(measured['majority_error'])})"
    output.pairs(
        [
            ("rows", grouped(measured["rows"])),
            ("error", f"{percent(measured['error'])}   {always}"),
            ("balanced error", percent(measured["balanced_error"])),
        ]
    )
    output.line()
    output.table(
        ["true \\ predicted", *names],
        [[name, *map(str, row)] for name, row in zip(names, measured["confusion"], strict=True)],
        numeric=range(1, len(names) + 1),
    )
    output.line()
    output.table(
        ["class", "precision", "recall", "rows"],
        [
            [name, percent(each["precision"]), percent(each["recall"]), str(each["rows"])]
            for name, each in zip(names, classes, strict=True)
        ],
        numeric=(1, 2, 3),
    )
