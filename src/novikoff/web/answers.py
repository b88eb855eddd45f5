"""The answer to `run`: everything about a run in one document."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.trace import Trace
from novikoff.web import counting, verdicts
from novikoff.web.dual import follow
from novikoff.web.questions import RunQuestion, Settings
from novikoff.web.replies import Averaged, Bound, Model, RunAnswer, Verdict
from novikoff.web.runs import Run, learn

Array = NDArray[np.float64]


def run_answer(question: RunQuestion) -> RunAnswer:
    """Learn, and say everything about it."""
    run = learn(question.points, question.settings)
    found = None
    if run.estimator is not None:
        found = verdicts.known(run.X, run.y, question.settings.offset)
    verdict = verdicts.verdict(run, found)
    bound, proof = verdicts.bound(run, found)
    status = "idle" if run.estimator is None else run.estimator.status_
    common: dict[str, Any] = {
        "algorithm": question.settings.algorithm, "status": status,
        "n_updates": bound.used, "verdict": verdict, "bound": bound, "proof": proof,
        "truncated": run.why is not None, "why": run.why, "notes": _notes(question.settings),
    }  # fmt: skip
    if run.trace is None:
        return _of_dual(run, common)
    return _of_trace(run, run.trace, question.axes, common)


def _of_dual(run: Run, common: dict[str, Any]) -> RunAnswer:
    dual, errors = follow(run)
    sentence = common["verdict"].sentence
    if run.estimator is not None:
        sentence = _sentence(run, common["verdict"], common["bound"], int(errors[-1]), None)
    return RunAnswer(
        **common, sentence=sentence, n_epochs=dual.n_epochs, trace=None, dual=dual,
        errors=errors.tolist(), alpha=dual.alpha,
    )  # fmt: skip


def _of_trace(
    run: Run, trace: Trace, axes: tuple[str, str] | None, common: dict[str, Any]
) -> RunAnswer:
    theta, offset = trace.hypotheses()
    errors = counting.errors(theta, offset, run.X, run.y)
    answer = RunAnswer(
        **common, sentence=common["verdict"].sentence, n_epochs=trace.n_epochs,
        trace=document(trace, axes, common["bound"]), errors=errors.tolist(),
        alpha=np.bincount(trace.row, minlength=len(run.X)).tolist(),
    )  # fmt: skip
    if run.estimator is None:
        return answer
    wrong = None  # what a model has wrong that is not the last hypothesis
    if run.settings.algorithm in ("averaged", "voted"):
        answer.survival = _survival(run, trace)
    if run.settings.algorithm == "averaged":
        answer.averaged, mean = means(trace, theta, offset)
        answer.model_errors = counting.errors(*mean, run.X, run.y).tolist()
    elif run.settings.algorithm == "voted":
        total = run.epochs * len(run.X)
        each, wrong = counting.vote_errors(theta, offset, trace.t, total, run.X, run.y)
        answer.model_errors = each.tolist()
    elif trace.replacements is not None:
        k, error = trace.replacements
        last = np.searchsorted(k, np.arange(len(theta)), side="right") - 1
        answer.model_errors = error[last].astype(int).tolist()
    answer.model = _model(run, trace)
    if answer.model is not None and answer.model.k != len(trace):
        wrong = answer.model.errors
    answer.sentence = _sentence(run, answer.verdict, answer.bound, int(errors[-1]), wrong)
    return answer


def document(trace: Trace, axes: tuple[str, str] | None, bound: Bound) -> dict[str, Any]:
    """The trace format, with the extras that the replay understands."""
    document: dict[str, Any] = json.loads(trace.to_json())
    if axes is not None:
        document["feature_names"] = list(axes)
    if bound.value is not None:
        document["bound"] = bound.value
    return document


def _survival(run: Run, trace: Trace) -> list[int]:
    """How many examples of all epochs each hypothesis was the current one for."""
    total = run.epochs * len(run.X)
    lived: list[int] = np.diff(np.concatenate([[1], trace.t, [total + 1]])).tolist()
    return lived


def means(trace: Trace, theta: Array, offset: Array) -> tuple[Averaged, tuple[Array, Array]]:
    """The mean right after the example of every update, as `AveragedPerceptron` computes it."""
    both = np.column_stack([theta, offset])
    seen = np.concatenate([[0], trace.t])[:, None]
    sums = np.cumsum(seen * np.diff(both, axis=0, prepend=both[:1]), axis=0)
    mean = both - sums / (1.0 + seen)
    answer = Averaged(
        theta=mean[:, :2].tolist(), offset=mean[:, 2].tolist(), sums=sums[:, :2].tolist(),
        offset_sums=sums[:, 2].tolist(),
    )  # fmt: skip
    return answer, (mean[:, :2], mean[:, 2])


def _model(run: Run, trace: Trace) -> Model | None:
    if run.settings.algorithm == "voted":
        return None
    estimator = run.estimator
    k: int | None = len(trace)
    if run.settings.algorithm == "averaged":
        k = None
    elif trace.replacements is not None:
        k = int(trace.replacements.k[-1])
    theta, offset = estimator.coef_.astype(np.float64), estimator.intercept_.astype(np.float64)
    wrong = int(counting.errors(theta, offset, run.X, run.y)[0])
    first, second = theta[0].tolist()
    return Model(theta=(first, second), offset=float(offset[0]), k=k, errors=wrong)


# ------------------------------------------------------------------------------- words


def counted(n: int, noun: str) -> str:
    """`1 mistake`, `2 mistakes`."""
    return f"{n} {noun}" + "s" * (n != 1)


def _sentence(run: Run, verdict: Verdict, bound: Bound, last: int, model: int | None) -> str:
    """How the run ended; `last`, `model`: errors of the last hypothesis, and of the model."""
    noun = "update" if run.settings.algorithm == "margin" else "mistake"
    did, epochs = counted(bound.used, noun), counted(run.estimator.n_iter_, "epoch")
    if run.estimator.status_ == "separated":
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
