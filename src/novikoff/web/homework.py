"""Tables made by hand, challenges, and runs as files: what students hand in and take away."""

from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray

from novikoff.analysis.steps import compare_table, right_before
from novikoff.web import verdicts
from novikoff.web.answers import counted, document
from novikoff.web.questions import ChallengeQuestion, CheckQuestion, ExportQuestion
from novikoff.web.replies import ChallengeAnswer, CheckAnswer, ExportAnswer, WrongRow
from novikoff.web.runs import Run, arrays, learn
from novikoff.web.snippets import snippet

_TWO = "It takes points of both classes."

# ------------------------------------------------------------------------------- check


def check_answer(question: CheckQuestion) -> CheckAnswer:
    """Compare a table made by hand with the run."""
    run = learn(question.points, question.settings)
    if run.trace is None:
        raise ValueError("The kernel perceptron has no theta to compare a table with.")
    if run.estimator is None:
        raise ValueError(f"There is no run to compare with yet. {_TWO}")
    found = compare_table(run.trace, question.table, "The table")
    notes = [f"The column {head!r} is not known; it was not compared." for head in found.unknown]
    wrong = None if found.wrong is None else WrongRow(**found.wrong)
    return CheckAnswer(
        right=wrong is None, updates=found.updates, right_rows=found.right_rows, wrong=wrong,
        notes=notes, sentence=_sentence(found.updates, wrong),
    )  # fmt: skip


def _sentence(n: int, wrong: WrongRow | None) -> str:
    if wrong is None:
        return f"All right: {counted(n, 'update')}, each as it should be."
    before = right_before(wrong.step)
    if wrong.what == "surplus":
        return f"Update {wrong.step} is one too many; the run makes {counted(n, 'update')}.{before}"
    if wrong.what == "missing":
        return f"Update {wrong.step} is missing at the end of your table.{before}"
    return f"Line {wrong.line}: update {wrong.step} is wrong.{before}"


# --------------------------------------------------------------------------- challenges


def challenge_answer(question: ChallengeQuestion) -> ChallengeAnswer:
    """Whether points and settings solve a challenge."""
    X, y = arrays(question.points)
    if len(np.unique(y)) < 2:
        return ChallengeAnswer(name=question.name, solved=False, sentence=_TWO)
    if question.name == "undershoot":
        solved, sentence = _undershoot(learn(question.points, question.settings))
    else:
        solved, sentence = _offset(X, y)
    return ChallengeAnswer(name=question.name, solved=solved, sentence=sentence)


def _undershoot(run: Run) -> tuple[bool, str]:
    trace = run.trace
    if trace is None:
        return False, "The kernel perceptron does not count here; choose another algorithm."
    after = trace.y * trace.score_after + 0.0  # no negative zeros
    # The tie rule decides what is still a mistake; at its own threshold only "correct" is content.
    short = after < trace.margin if trace.ties == "correct" else after <= trace.margin
    if trace.ties == "sign":
        short = np.where(trace.score_after >= 0, 1, -1) != trace.y
    if not short.any():
        n = counted(len(trace), "update")
        return False, f"Not yet: of {n}, each put its own example right."
    k = int(np.argmax(short))
    product, before = float(after[k]), float(trace.y[k] * trace.score_before[k])
    return True, (
        f"Solved: update {k + 1} takes y·s of example {trace.row[k] + 1} from {before:g} to "
        f"{product:g}, which is still a mistake."
    )


def _offset(X: NDArray[np.float64], y: NDArray[np.int64]) -> tuple[bool, str]:
    with_offset = verdicts.known(X, y, True).separability is None
    through_origin = verdicts.known(X, y, False).separability is None
    if not with_offset:
        return False, "Not yet: no line separates these points, wherever it lies."
    if through_origin:
        return False, "Not yet: a line through the origin separates them too."
    return True, "Solved: a line separates the points, but none through the origin does."


# ------------------------------------------------------------------------------ exports

_FILES = {
    "html": ("novikoff-run.html", "text/html"),
    "markdown": ("novikoff-run.md", "text/markdown"),
    "trace": ("novikoff-trace.json", "application/json"),
    "python": ("novikoff_run.py", "text/x-python"),
}


def export_answer(question: ExportQuestion) -> ExportAnswer:
    """A run as a file."""
    run = learn(question.points, question.settings)
    if run.estimator is None:
        raise ValueError(f"There is no run to save yet. {_TWO}")
    name, kind = _FILES[question.kind]
    return ExportAnswer(kind=question.kind, name=name, type=kind, text=_text(run, question))


def _text(run: Run, question: ExportQuestion) -> str:
    if question.kind == "python":
        return snippet(run)
    trace = run.trace
    if trace is None:
        raise ValueError("A run of the kernel perceptron can be saved as Python only.")
    if question.kind == "markdown":
        return trace.markdown(None)
    bound, _ = verdicts.bound(run, verdicts.known(run.X, run.y, run.settings.offset))
    if question.kind == "trace":
        return json.dumps(document(trace, question.axes, bound), allow_nan=False) + "\n"
    from novikoff.replay import page

    return page(
        trace, question.title, feature_names=question.axes, bound=bound.value, counting="examples"
    )
