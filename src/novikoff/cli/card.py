"""`novikoff card`: what somebody should know before they use a model, as Markdown."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

import typer

from novikoff.analysis.confusion import Confusion, confusion
from novikoff.analysis.sources import MOST_COLUMNS
from novikoff.analysis.verdicts import REST
from novikoff.analysis.wording import count, grouped, label, number, percent, plain
from novikoff.cli import regression
from novikoff.cli.certificate import Certificate, read
from novikoff.cli.console import note
from novikoff.cli.errors import Refused, UsageError, refuse_unwritable
from novikoff.cli.models import OpenedModel, open_model
from novikoff.cli.options import TableArguments, takes_table
from novikoff.cli.predict import ModelFile, OutFile
from novikoff.cli.sources import find
from novikoff.persistence.disk import replace_text
from novikoff.streams.formats import TEXTS

_HEAVIEST = 10  # weights that are shown of each hyperplane
_HYPERPLANES = 45  # that are shown


@takes_table("no_scale", "missing", "hash_bits")
def card(
    model: ModelFile,
    data: Annotated[
        str | None,
        typer.Argument(metavar="[DATA]", help="Rows with labels to measure the errors on."),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A file by novikoff separable --certificate."),
    ] = None,
    out: OutFile = None,
    *,
    table: TableArguments,
) -> None:
    """Describe a model as Markdown: data, decisions, parameters, weights, errors, certificate."""
    refuse_unwritable("--out", out, model, data, certificate, channels=True)
    opened = open_model(model)
    found = None
    if data is not None:
        found = confusion(opened.classifier, opened.blocks(find(data, table), table, labelled=True))
        opened.say_unseen()
    lines = [f"# {plain(model.name)}", ""]
    lines += _described(opened)
    lines += _columns(opened)
    lines += _weights(opened)
    if found is not None:
        lines += _errors(found, str(data))
    if certificate is not None:
        lines += _verdicts(certificate, opened)
    text = "\n".join(lines).rstrip() + "\n"
    if out is None:
        sys.stdout.write(text)
        return
    replace_text(out, text)
    note(f"card: written to {out}")


def _cell(text: str) -> str:
    """Text of a file as text of a Markdown table, whatever it holds."""
    text = plain(text).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{c}" if c in r"\|`*_[]" else c for c in text)


def _rows(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> list[str]:
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    return [*lines, *(f"| {' | '.join(map(_cell, row))} |" for row in rows), ""]


def _described(opened: OpenedModel) -> list[str]:
    import numpy as np

    from novikoff import __version__

    model = opened.classifier
    said = [
        ("classifier", type(model).__name__),
        ("predicts", _target(opened)),
        ("classes", ", ".join(label(value) for value in opened.classes.tolist())),
        ("features", grouped(model.n_features_in_)),
        ("epochs", str(getattr(model, "n_iter_", ""))),
        ("updates", grouped(int(np.sum(model.n_updates_))) if hasattr(model, "n_updates_") else ""),
        ("ended", str(getattr(model, "status_", "")).replace("_", " ")),
        ("written by", f"novikoff {__version__} (this card)"),
    ]
    parameters = ((name, repr(value)) for name, value in model.get_params().items())
    return [
        *_rows(("", ""), ((name, value) for name, value in said if value)),
        "## Parameters", "", *_rows(("parameter", "value"), parameters),
    ]  # fmt: skip


def _target(opened: OpenedModel) -> str:
    return str(getattr(opened.encoder, "target_", None) or "")


def _columns(opened: OpenedModel) -> list[str]:
    if opened.encoder is None:
        return []
    told = ((column["name"], _encoded(column)) for column in opened.encoder.columns_)
    return ["## Data it takes", "", "Columns are matched by name, in any order.", "",
            *_rows(("column", "taken as"), told)]  # fmt: skip


def _encoded(column: Any) -> str:
    from novikoff.streams.tables.state import unpacked

    kind = column["kind"]
    missing = "; cells were missing" if column["missing"] else ""
    if kind == "category" and not column["hashed"]:
        values = len(unpacked(column["categories"])) + len(unpacked(column["rare"]))
        return f"category, {count(values, 'value')}{missing}"
    if kind == "number" and column["scales"]:
        shift, scale = number(column["shifts"][0]), number(column["scales"][0])
        return f"number, less {shift}, divided by {scale}{missing}"
    return f"{kind}{missing}"


def _weights(opened: OpenedModel) -> list[str]:
    import numpy as np

    coef = getattr(opened.classifier, "coef_", None)
    if coef is None:
        return []
    names = opened.names or [f"feature {j + 1}" for j in range(coef.shape[1])]
    if opened.encoder is not None:
        names = opened.encoder.get_feature_names_out().tolist()
    lines = ["## Weights", ""]
    classes = [_cell(label(value)) for value in opened.classes.tolist()]
    if len(coef) == 1:
        classes = classes[1:]
    elif getattr(opened.classifier, "multi_class_", "ovr") == "ovo":
        classes = [f"{b} against {a}" for a, b in combinations(classes, 2)]
    for towards, k in zip(classes[:_HYPERPLANES], range(len(coef)), strict=False):
        theta = coef[k]
        heaviest = np.argsort(-abs(theta), kind="stable")[:_HEAVIEST]
        offset = number(float(np.ravel(opened.classifier.intercept_)[k]))
        lines += [f"Towards {towards}, the heaviest first; offset {offset}.", ""]
        told = ((names[j], number(float(theta[j]))) for j in heaviest)
        lines += _rows(("feature", "weight"), told)
    if len(coef) > _HYPERPLANES:
        lines += [f"And {grouped(len(coef) - _HYPERPLANES)} more hyperplanes.", ""]
    return lines


def _errors(found: Confusion, data: str) -> list[str]:
    each = (
        (
            name, percent(found.precision(name)), percent(found.recall(name)),
            grouped(found.support(name)),
        )
        for name in found.labels
    )  # fmt: skip
    return [
        "## Errors", "",
        f"On {count(found.n, 'row')} of {_cell(data)}: error {percent(found.error)}, every class "
        f"counting the same {percent(found.balanced_error)}.", "",
        *_rows(("class", "precision", "recall", "rows"), each),
    ]  # fmt: skip


def _verdicts(path: Path, opened: OpenedModel) -> list[str]:
    found = read(path)
    if isinstance(found, regression.Certificate):
        raise UsageError(f"{path} speaks of a regression, not of what separates these classes.")
    if difference := _difference(found, opened):
        raise Refused(plain(f"{path} speaks of other data than {opened.name}: {difference}."))
    lines = ["## Certificate", "", f"`{_cell(path.name)}`; `novikoff verify` checks it.", ""]
    return [*lines, *(f"- {_cell(claim.sentence)}" for claim in found.claims), ""]


def _difference(found: Certificate, opened: OpenedModel) -> str:
    """What shows that the model was trained on other data; empty if nothing does."""
    target = _target(opened)
    if target and target != found.target:
        return f"its target is {found.target or 'no column'}, and the model predicts {target}"
    known = {REST, *(label(value) for value in opened.classes.tolist())}
    for claim in found.claims:
        for name in (claim.positive, claim.negative):
            if name not in known:
                return f"the model knows no class {name}"
    if opened.encoder is not None:
        odd = {column["name"] for column in opened.encoder.columns_} ^ _columns_of(found)
        return f"only one of them has the column {min(odd)}" if odd else ""
    if opened.names is not None:
        odd = set(opened.names).difference(found.features)
        return f"it has no feature {min(odd)}, which the model has" if odd else ""
    ours, theirs = opened.classifier.n_features_in_, len(found.features)
    # Of text, only those that occur: in the training rows, and, beyond very many, in all rows.
    differ = theirs < ours <= MOST_COLUMNS if found.kind in TEXTS else ours != theirs
    return f"it has {count(theirs, 'feature')}, and the model {grouped(ours)}" if differ else ""


def _columns_of(found: Certificate) -> set[str]:
    """The columns of the table that a certificate speaks of; none of text."""
    from novikoff.streams.tables.state import check_document

    if found.columns is None:
        return set()
    return {column["name"] for column in check_document(json.dumps(found.columns))["columns"]}
