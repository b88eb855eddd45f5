"""The parts of a page that need no worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff import __version__
from novikoff.analysis.wording import grouped
from novikoff.geometry.sparse import dense
from novikoff.reports import columns, summary, weights
from novikoff.reports.pair import Replayed, replay

if TYPE_CHECKING:
    from novikoff.reports.subject import Subject

MOST_LISTED = 50  # classes, where there are too many for a column each


def views(subject: Subject) -> dict[str, Any]:
    """All of them, by the name under which the page knows them."""
    data, fitted = subject.data, subject.fitted
    return {
        "version": __version__,
        "name": data.short_name,
        "about": summary.about_rows(data),
        "verdict": summary.verdict(fitted),
        "numbers": summary.numbers(fitted),
        "warnings": summary.warnings_of(data, fitted),
        "weights": _weights(subject),
        "replay": _replay(subject),
        "columns": _columns(subject),
        "commands": _commands(subject),
        "budget": f"{subject.clock.budget:g}",
        "drawn": grouped(subject.X.shape[0]) if fitted.train.n > subject.X.shape[0] else None,
        "positive": subject.positive,
        "negative": subject.negative,
        "binary": subject.binary,
        "asked": subject.asked,
        "pair": None if subject.pair is None else [subject.names[j] for j in subject.pair],
    }


def _commands(subject: Subject) -> dict[str, str]:
    return {
        "certify": subject.command("separable", "--certificate", "proof.json"),
        "verify": f"novikoff verify proof.json {subject.data.quoted}",
        "core": subject.command("separable", "--core"),
        "report": subject.report_command,
    }


def _weights(subject: Subject) -> dict[str, Any]:
    scaled, classes = subject.scaled, subject.classes
    found = weights.largest(scaled, subject.names)
    longest = max((abs(w) for one in found for w in one.standardised), default=1.0)
    few = len(classes) <= weights.MOST_CLASSES
    lines = [
        {
            "feature": one.feature,
            "cells": [_cell(w, longest) for w in one.standardised],
            "towards": classes[one.standardised[0] > 0] if subject.binary else None,
        }
        for one in found
    ]
    used = int((np.abs(scaled).max(axis=0) > 0).sum())
    return {
        "lines": lines if few else [],
        "heads": classes[1:] if subject.binary else classes,
        "n_more": used - len(found),
        "n_unused": scaled.shape[1] - used,
        "per_class": [] if few else _per_class(subject),
        "scaled": subject.data.is_scaled,
    }


def _cell(weight: float, longest: float) -> dict[str, Any]:
    """A weight, and a bar of at most half the width to one side of the middle."""
    text = f"{weight:.3g}".replace("-", "−")
    return {"text": text, "bar": 50 * abs(weight) / longest, "left": weight < 0}


def _per_class(subject: Subject) -> list[tuple[str, list[str]]]:
    """Of many classes, the three features that speak most for each."""
    found = []
    for name, row in list(zip(subject.classes, subject.scaled, strict=True))[:MOST_LISTED]:
        best = [j for j in np.argsort(-row, kind="stable")[:3] if row[j] > 0]
        found.append((name, [subject.names[j] for j in best]))
    return found


def _replay(subject: Subject) -> Replayed | None:
    if subject.pair is None:
        return None
    rows = np.ascontiguousarray(dense(subject.X[:, list(subject.pair)]))
    side = np.where(subject.y == subject.data.parts.classes[subject.side], 1, -1)
    first, second = (subject.names[j] for j in subject.pair)
    return replay(
        rows, side, (first, second), (subject.negative, subject.positive), seed=subject.seed,
        of_rows=subject.fitted.train.n, scaled=subject.data.is_scaled,
    )  # fmt: skip


def _columns(subject: Subject) -> dict[str, Any] | None:
    table = subject.data.table
    if table is None:
        return None
    return {
        "in_use": columns.columns_in_use(table),
        "n_more": max(0, len(table.encoder.columns_) - columns.MOST_COLUMNS),
        "decisions": columns.by_topic(table.decisions),
    }
