"""The parts of a page that need no worker."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff import __version__
from novikoff.analysis.compare import drawn
from novikoff.analysis.wording import grouped
from novikoff.geometry.sparse import dense
from novikoff.replay import fragment
from novikoff.replay.html import MAX_ROWS, MAX_UPDATES
from novikoff.reports import columns, summary
from novikoff.reports.bound import traced

if TYPE_CHECKING:
    from novikoff.reports.subject import Subject

EPOCHS = 100  # of the run that is replayed
MOST_FEATURES = 15  # whose weights are listed
MOST_CLASSES = 6  # that get a column each
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
        "commands": {
            "certify": subject.command("separable", "--certificate", "proof.json"),
            "verify": f"novikoff verify proof.json {data.quoted}",
            "core": subject.command("separable", "--core"),
            "report": subject.report_command,
        },
        "budget": f"{subject.clock.budget:g}",
        "drawn": grouped(subject.X.shape[0]) if fitted.train.n > subject.X.shape[0] else None,
        "positive": subject.positive,
        "negative": subject.negative,
        "binary": subject.binary,
        "asked": subject.asked,
        "pair": None if subject.pair is None else [subject.names[j] for j in subject.pair],
    }


def _weights(subject: Subject) -> dict[str, Any]:
    """The features with the largest standardised weights, largest first; none that are zero."""
    scaled, classes, names = subject.scaled, subject.classes, subject.names
    size = np.abs(scaled).max(axis=0)
    largest = [j for j in np.argsort(-size, kind="stable")[:MOST_FEATURES] if size[j] > 0]
    longest = max(size[largest], default=1.0)  # of those that are a number
    few = len(classes) <= MOST_CLASSES
    lines = [
        {
            "feature": names[j],
            "cells": [_cell(w, longest) for w in scaled[:, j].tolist()],
            "towards": classes[int(scaled[0, j] > 0)] if subject.binary else None,
        }
        for j in largest
    ]
    used = int((size > 0).sum())
    return {
        "lines": lines if few else [],
        "heads": classes[1:] if subject.binary else classes,
        "n_more": used - len(largest),
        "n_unused": len(size) - used,
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


def _replay(subject: Subject) -> dict[str, Any] | None:
    """A run of the plain perceptron on two features, and what is to be said of it."""
    if subject.pair is None:
        return None
    X = np.ascontiguousarray(dense(subject.X[:, list(subject.pair)]))
    side = np.where(subject.y == subject.data.parts.classes[subject.side], 1, -1)
    if len(side) > MAX_ROWS:
        kept = drawn(len(side), subject.seed, MAX_ROWS)
        X, side = X[kept], side[kept]
    trace = traced(X, side, EPOCHS)
    cut = len(trace) > MAX_UPDATES
    if cut:  # the run is the same up to the epoch that goes too far
        trace = traced(X, side, int(trace.epoch[MAX_UPDATES]) - 1)
    separated = trace.status == "separated"
    bound = trace.audit().bound if separated and len(trace) else None
    trace = replace(trace, classes=(subject.negative, subject.positive))
    standardised = " (standardised)" if subject.data.is_scaled else ""
    axes = [f"{subject.names[j]}{standardised}" for j in subject.pair]
    return {
        "fragment": fragment(trace, "replay-view", feature_names=axes, bound=bound),
        "rows": len(side),
        "of_rows": subject.fitted.train.n,
        "updates": len(trace),
        "epochs": trace.n_epochs,
        "cut": cut,  # whether epochs were left off so that the updates stay few
        "separated": separated,
    }


def _columns(subject: Subject) -> dict[str, Any] | None:
    table = subject.data.table
    if table is None:
        return None
    return {
        "in_use": columns.columns_in_use(table),
        "n_more": max(0, len(table.encoder.columns_) - columns.MOST_COLUMNS),
        "decisions": columns.by_topic(table.decisions),
    }
