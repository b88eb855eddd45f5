"""The answers to `run` and `known`: a run, and what is known about it.

They are two because the second takes as long again: a page that is asked to follow a moving point
draws the run at once, and the rest when it comes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.trace import Trace
from novikoff.web import counting, verdicts
from novikoff.web.dual import follow
from novikoff.web.questions import KnownQuestion, RunQuestion, Settings
from novikoff.web.replies import Averaged, Bound, KnownAnswer, Predicts, RunAnswer, Verdict
from novikoff.web.runs import Run, learn

Array = NDArray[np.float64]
_REMEMBERED = 4


def run_answer(question: RunQuestion) -> RunAnswer:
    """Learn, and say what happened; with `known` everything else about it, too."""
    run = learn(question.points, question.settings)
    wrong = mistakes(run)
    common: dict[str, Any] = {
        "algorithm": run.settings.algorithm, "status": run.status, "n_updates": run.n_updates,
        "n_epochs": run.n_epochs, "truncated": run.why is not None, "why": run.why,
        "notes": _notes(run.settings), "errors": wrong.each.tolist(),
        "model_errors": None if wrong.model is None else wrong.model.tolist(),
    }  # fmt: skip
    found = _known(run) if question.known else None
    if found is not None:
        common |= {name: getattr(found, name) for name in KnownAnswer.model_fields}
    if run.trace is None:
        dual, _ = follow(run)
        return RunAnswer(**common, trace=None, dual=dual, alpha=dual.alpha)
    return RunAnswer(
        **common, **_of_trace(run, run.trace),
        trace=document(run.trace, question.axes, None if found is None else found.bound),
    )  # fmt: skip


def known_answer(question: KnownQuestion) -> KnownAnswer:
    """The verdict on the points, the bound, and how the run ended."""
    return _known(learn(question.points, question.settings))


def _known(run: Run) -> KnownAnswer:
    found = None
    if run.estimator is not None:
        found = verdicts.known(run.X, run.y, run.settings.offset)
    verdict = verdicts.verdict(run, found)
    bound, proof = verdicts.bound(run, found)
    sentence = verdict.sentence if found is None else _sentence(run, verdict, bound)
    return KnownAnswer(sentence=sentence, verdict=verdict, bound=bound, proof=proof)


def _of_trace(run: Run, trace: Trace) -> dict[str, Any]:
    parts: dict[str, Any] = {"alpha": np.bincount(trace.row, minlength=len(run.X)).tolist()}
    if run.estimator is None:
        return parts
    if run.settings.algorithm in ("averaged", "voted"):
        total = run.epochs * len(run.X)
        parts["survival"] = counting.survival_times(trace.t, total).tolist()
    if run.settings.algorithm == "averaged":
        parts["averaged"] = Averaged(
            sums=run.sums[:, :2].tolist(), offset_sums=run.sums[:, 2].tolist()
        )
    return parts | {"model": _model(run, trace)}


# ---------------------------------------------------------------------------- mistakes


class Mistakes(NamedTuple):
    """Training errors: of every hypothesis, of the model after every update, and at the end.

    The latter two are None where the model is the last hypothesis.
    """

    each: NDArray[np.int64]
    model: NDArray[np.int64] | None = None
    end: int | None = None


@lru_cache(_REMEMBERED)
def mistakes(run: Run) -> Mistakes:
    """How many points are wrong, a point on the boundary included."""
    if run.trace is None:
        return Mistakes(follow(run)[1])
    trace, algorithm = run.trace, run.settings.algorithm
    if algorithm == "voted" and run.estimator is not None:
        lived = counting.survival_times(trace.t, run.epochs * len(run.X))
        return Mistakes(*counting.vote_errors(*run.hypotheses, lived, run.X, run.y))
    each = counting.errors(*run.hypotheses, run.X, run.y)
    if run.estimator is None:
        return Mistakes(each)
    if algorithm == "averaged":
        k = np.arange(len(trace) + 1)
        means = run.mean_after(k, np.concatenate([[0], trace.t]))
        model = _model(run, trace)
        assert model is not None
        return Mistakes(each, counting.errors(*means, run.X, run.y), model.errors)
    if trace.replacements is not None:
        k, error = trace.replacements
        last = np.searchsorted(k, np.arange(len(each)), side="right") - 1
        end = None if k[-1] == len(trace) else int(each[k[-1]])
        return Mistakes(each, error[last].astype(np.int64), end)
    return Mistakes(each)


# ------------------------------------------------------------------------------- parts


def document(trace: Trace, axes: tuple[str, str] | None, bound: Bound | None) -> dict[str, Any]:
    """The trace format, with the extras that the replay understands."""
    document = trace.document()
    if axes is not None:
        document["feature_names"] = list(axes)
    if bound is not None and bound.value is not None:
        document["bound"] = bound.value
    return document


def _model(run: Run, trace: Trace) -> Predicts | None:
    if run.settings.algorithm == "voted":
        return None
    k: int | None = len(trace)
    if run.settings.algorithm == "averaged":
        k = None
    elif trace.replacements is not None:
        k = int(trace.replacements.k[-1])
    theta, offset = run.weights
    wrong = int(counting.errors(theta[None], np.array([offset]), run.X, run.y)[0])
    first, second = theta.tolist()
    return Predicts(theta=(first, second), offset=offset, k=k, errors=wrong)


# ------------------------------------------------------------------------------- words


def counted(n: int, noun: str) -> str:
    """`1 mistake`, `2 mistakes`."""
    return f"{n} {noun}" + "s" * (n != 1)


def _sentence(run: Run, verdict: Verdict, bound: Bound) -> str:
    """How the run ended."""
    errors, _, model = mistakes(run)
    last = int(errors[-1])
    noun = "update" if run.settings.algorithm == "margin" else "mistake"
    did, epochs = counted(run.n_updates, noun), counted(run.n_epochs, "epoch")
    if run.status == "separated":
        end = f"Separated after {did}." if last == 0 else f"It rests after {did}."
        if bound.most is not None:
            end += f" The theorem allows {bound.most}."
    elif verdict.kind == "separable" and run.settings.algorithm != "kernel":
        end = f"Not separated yet: {did} in {epochs}."
        if bound.most is not None:
            end += f" The theorem allows {bound.most}."
    elif run.settings.algorithm == "kernel":
        end = f"Not separated: {did} in {epochs}."
    else:
        line = "line" if run.settings.offset else "line through the origin"
        end = f"No {line} separates these points: {did} in {epochs}, and there is no end."
    if model is not None and (model or last):
        name = {"averaged": "mean", "voted": "vote", "pocket": "one in the pocket"}
        end += f" The {name[run.settings.algorithm]} has {model} of {len(run.y)} wrong"
        end += f", the last hypothesis {last}."
    return end


def _notes(settings: Settings) -> list[str]:
    """What of the settings has no effect here."""
    if settings.algorithm != "kernel":
        return []
    ignored = [
        name
        for name, given in (("η", settings.eta != 1.0), ("the start", settings.start is not None))
        if given
    ]
    notes = ["The kernel perceptron has no offset; the kernel's constant does its work."]
    if ignored:
        verb = "have" if len(ignored) > 1 else "has"
        notes.append(f"{' and '.join(ignored).capitalize()} {verb} no effect on it.")
    return notes
