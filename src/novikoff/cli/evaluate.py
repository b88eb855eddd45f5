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
    _show(output, found)
    output.document(
        "evaluate",
        {
            "model": str(model),
            "data": data,
            **_measured(found),
            "unknown_classes": unknown,
            "unseen": classifier.unseen,
            "missing": classifier.missing,
        },
    )


def _majority_error(found: Confusion) -> float:
    """The error of always saying what is commonest here."""
    return min(found.error_of_always(name) for name in found.labels)


def _show(output: Output, found: Confusion) -> None:
    names = found.labels
    always = f"(always the commonest class: {percent(_majority_error(found))})"
    output.pairs(
        [
            ("rows", grouped(found.n)),
            ("error", f"{percent(found.error)}   {always}"),
            ("balanced error", percent(found.balanced_error)),
        ]
    )
    output.line()
    output.table(
        ["true \\ predicted", *map(plain, names)],
        [[plain(t), *(str(found.counts[t, p]) for p in names)] for t in names],
        numeric=range(1, len(names) + 1),
    )
    output.line()
    output.table(
        ["class", "precision", "recall", "rows"],
        [
            [plain(n), percent(found.precision(n)), percent(found.recall(n)), str(found.support(n))]
            for n in names
        ],
        numeric=(1, 2, 3),
    )


def _measured(found: Confusion) -> dict[str, Any]:
    """The same, as something JSON can hold."""
    names = found.labels
    return {
        "rows": found.n,
        "error": found.error,
        "balanced_error": found.balanced_error,
        "majority_error": _majority_error(found),
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
