"""A verdict as one HTML page: what went wrong, and the student's run beside the right one."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np

from novikoff.replay import Fragment, content_hash, fragment
from novikoff.teaching.points import Points
from novikoff.teaching.reference import Run, Update, outcomes
from novikoff.teaching.task import Task
from novikoff.teaching.verdict import Verdict
from novikoff.trace import Examples, Trace


def page(verdict: Verdict) -> str:
    """See :meth:`novikoff.teaching.Verdict.html`."""
    shown = _replays(verdict)
    own = (files("novikoff.teaching") / "page.css").read_text(encoding="utf-8")
    style = own + (shown[0][1].style if shown else "")
    script = shown[0][1].script if shown else ""
    policy = f"default-src 'none'; style-src '{content_hash(style)}'; base-uri 'none'"
    policy += f"; form-action 'none'; script-src '{content_hash(script)}'"
    name = escape(verdict.name)
    columns = "".join(
        f"<section><h2>{escape(head)}</h2>\n{part.markup}</section>\n" for head, part in shown
    )
    columns = f'<div class="runs">{columns}</div>\n' if shown else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n<h1>{name}</h1>\n"
        f"{_paragraphs([verdict.summary], 'summary')}{_paragraphs(verdict.explanation)}"
        f"{columns}{_table(verdict)}{_paragraphs(verdict._asked(), 'asked')}</main>\n"
        f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def _paragraphs(texts: Sequence[str], kind: str = "") -> str:
    return "".join(f'<p class="{kind}">{escape(text)}</p>\n' for text in texts)


def _table(verdict: Verdict) -> str:
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{verdict.word(right)}</td></tr>\n"
        for name, right in verdict.results()
    )
    heads = "".join(f"<th>{verdict.say(head)}</th>" for head in ("points", "result"))
    return f"<table>\n<tr>{heads}</tr>\n{rows}</table>\n" if rows else ""


# -------------------------------------------------------------------------------- the replays


def _replays(verdict: Verdict) -> list[tuple[str, Fragment]]:
    """(heading, replay): the student's run where it is known, and the right one, in the plane."""
    first = verdict.diagnosis.first if verdict.diagnosis else None
    in_the_plane = (f.points for f in verdict.findings if len(f.points.X[0]) == 2)
    points = (first.whole or first.points) if first else next(in_the_plane, None)
    task = verdict.task
    if points is None or len(points.X[0]) != 2 or task.kind == "kernel" or task.order != "cyclic":
        return []
    runs = outcomes(task, points.X, points.y, points.epochs)
    assert runs is not None
    right = runs[0]

    def replay(name: str, updates: Sequence[Update], start: int, given: Any = None) -> Fragment:
        trace, at = _trace(task, points, right, updates), min(start, len(updates))
        return fragment(trace, name, start=at, counting="examples", hypotheses=given)

    if first is None or first.walk is None:
        return [(verdict.say("right_run"), replay("right", right.updates, 0))]
    thetas = [right.start[0], *(u.theta for u in first.walk)]
    offsets = [right.start[1], *(u.offset for u in first.walk)]
    given = [[float(a) for a in theta] for theta in thetas], [float(b) for b in offsets]
    return [
        (verdict.say("your_run"), replay("yours", first.walk, first.k, given)),
        (verdict.say("right_run"), replay("right", right.updates, first.k)),
    ]


def _trace(task: Task, points: Points, run: Run, updates: Sequence[Update]) -> Trace:
    """A run as a trace; of a student's only the places are right, its hypotheses are given."""
    side = np.array(points.y, np.int8)
    row = np.array([u.row for u in updates], np.int64)
    steps = np.array([abs(float(u.step)) or 1.0 for u in updates])
    pa = task.kind == "pa"
    ended = updates[-1].epoch + 1 if updates else 1
    return Trace(
        start_theta=np.array([float(a) for a in run.start[0]]), start_offset=float(run.start[1]),
        fit_intercept=task.offset, margin=1.0 if pa else float(task.margin),
        ties="correct" if pa else task.ties, eta=1.0, order="cyclic", classes=("-1", "1"),
        status="separated" if run.converged else "epoch_limit",
        n_epochs=min(ended, points.epochs or ended) if run.converged else points.epochs or ended,
        epoch=np.array([u.epoch for u in updates], np.int64),
        t=np.array([u.t for u in updates], np.int64), row=row,
        y=side[row].astype(np.int64), step=steps * side[row],
        examples=Examples(np.array([[float(a) for a in x] for x in points.X]), side),
        rule="PA-I" if pa else "perceptron", parameters={"C": float(task.C)} if pa else {},
    )  # fmt: skip
