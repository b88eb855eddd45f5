"""What went wrong, in sentences: which mistake, where it shows first, and the arithmetic of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from novikoff.teaching.catalogue import CHANGES_DATA
from novikoff.teaching.comparing import close
from novikoff.teaching.diagnosis import FirstWrong
from novikoff.teaching.points import Points
from novikoff.teaching.reference import Run, dot
from novikoff.teaching.task import Task
from novikoff.teaching.texts import bracketed, number, texts, vector
from novikoff.teaching.verdict import Verdict


def explained(verdict: Verdict) -> list[str]:
    """One paragraph after the other."""
    found, say = verdict.diagnosis, verdict.say
    if found is None:
        return []
    paragraphs = []
    if not found.names:
        failed = [f for f in verdict.findings if f.error is not None]
        if failed:
            return [say("failed", points=failed[0].points.name, why=failed[0].error)]
        return _on_paper(verdict, found.first) if found.first else []
    if CHANGES_DATA in found.names:
        changed = [f for f in verdict.findings if any(a.get("changed") for a in f.answers)]
        paragraphs.append(say("changes", points=changed[0].points.name if changed else ""))
        if all(f.right for f in verdict.findings):
            paragraphs[0] += " " + say("also_right")
    catalogue = texts(verdict.language)["mistakes"]
    what = [catalogue[name]["what"] for name in found.names if name != CHANGES_DATA]
    if what:
        said = [say("named" if len(what) == 1 else "either", what=what[0])]
        said += [say("alternative", what=other) for other in what[1:]]
        first = f": {first_seen(verdict, found.first)}" if found.first else "."
        paragraphs.append(", ".join(said) + first + (" " + say("not_apart")) * (len(what) > 1))
        paragraphs += [say("apart", rows=rows(p), points=p.name) for p in found.apart]
    if found.first:
        paragraphs.append(points_are(verdict, found.first.points))
    hints = dict.fromkeys(catalogue[name]["hint"] for name in found.names)
    return [*paragraphs, *(say("hint", hint=hint) for hint in hints)]


def rows(points: Points) -> str:
    """The examples as a list: (3, −1) −, (2, 0) +."""
    pairs = zip(points.X, points.y, strict=True)
    return ", ".join(f"{vector(x)} {'+' if y > 0 else '−'}" for x, y in pairs)


def points_are(verdict: Verdict, points: Points) -> str:
    """A sentence with all examples of a set."""
    about = f" ({points.about})" if points.about else ""
    epochs = _epochs(verdict, points)
    return verdict.say("points_are", points=points.name + about, rows=rows(points), epochs=epochs)


def _epochs(verdict: Verdict, points: Points) -> str:
    return "" if points.epochs is None else verdict.say("with_T", epochs=points.epochs)


# ----------------------------------------------------------------------- where it shows first


def first_seen(verdict: Verdict, first: FirstWrong) -> str:
    """The end of a sentence: at which update the two runs part, and in what."""
    points, yours, expected, say = first.points, first.yours, first.expected, verdict.say
    at = yours or expected
    if at is None:
        difference = _difference(verdict, first.answer, first.run, points)
        epochs = _epochs(verdict, points)
        return say("first_model", points=points.name, epochs=epochs, difference=difference)
    where = {"k": first.k, "points": points.name, "row": at.row + 1, "x": vector(points.X[at.row])}
    if expected is None:
        return say("surplus_update", **where, right=len(first.run.updates))
    if yours is None:
        return say("missing_update", **where)
    if yours.t != expected.t:
        there = {"expected": expected.row + 1, "expected_x": vector(points.X[expected.row])}
        return say("other_update", **where, **there)
    models = (yours.theta, yours.offset), (expected.theta, expected.offset)
    return say("first_seen", **where, difference=_of_models(verdict, *models))


def _difference(verdict: Verdict, answer: dict[str, Any], run: Run, points: Points) -> str:
    """The first thing in which an answer is not what the run gives."""
    say = verdict.say
    if "theta" in answer:
        yours = answer["theta"], answer["offset"]
        text = _of_models(verdict, yours, (run.theta, run.offset))
        if text:
            return text
    if "votes" in answer:
        return _of_votes(verdict, answer["votes"], run)
    if "alpha" in answer:
        return _one(verdict, "α", vector(answer["alpha"]), vector(run.alpha))
    pairs = zip(points.test, answer.get("predictions", ()), run.predictions, strict=False)
    for x, yours, expected in pairs:
        if not close(yours, expected):
            return _one(verdict, say("prediction", x=vector(x)), number(yours), number(expected))
    return _one(verdict, "k", number(len(answer.get("updates", ()))), number(len(run.updates)))


def _of_models(verdict: Verdict, yours: tuple[Any, Any], expected: tuple[Any, Any]) -> str:
    """In what two hypotheses differ: theta, the offset, or both."""
    found = []
    if not all(map(close, yours[0], expected[0])):
        found.append(_one(verdict, "θ", vector(yours[0]), vector(expected[0])))
    if yours[1] is not None and not close(yours[1], expected[1]):
        found.append(_one(verdict, "θ₀", number(yours[1]), number(expected[1])))
    return "; ".join(found)


def _of_votes(verdict: Verdict, votes: Sequence[Any], run: Run) -> str:
    for k, (yours, expected) in enumerate(zip(votes, run.votes, strict=False)):
        text = _of_models(verdict, yours[:2], expected[:2])
        if text:
            return text
        if not close(yours[2], expected[2]):
            name = verdict.say("survival", k=k)
            return _one(verdict, name, number(yours[2]), number(expected[2]))
    return _one(verdict, verdict.say("number_of"), number(len(votes)), number(len(run.votes)))


def _one(verdict: Verdict, name: str, yours: str, expected: str) -> str:
    return verdict.say("difference", name=name, yours=yours, expected=expected)


# ----------------------------------------------------------------------------------- on paper


def _on_paper(verdict: Verdict, first: FirstWrong) -> list[str]:
    """The first wrong place of a run that no mistake of the catalogue explains."""
    points, say = first.points, verdict.say
    if first.yours is not None:
        return [say("unknown"), first_seen(verdict, first), points_are(verdict, points)]
    difference = _difference(verdict, first.answer, first.run, points)
    if points.epochs == 1 and verdict.task.kind != "kernel" and first.k:
        return [say("unknown"), *_last_example(verdict, first), difference]
    lines = [say("unknown"), points_are(verdict, points), difference]
    return lines if points.epochs is None or points.epochs == 1 else [*lines, say("between")]


def _last_example(verdict: Verdict, first: FirstWrong) -> list[str]:
    """What happens at the last example of the points, in full."""
    points, run, task, say = first.points, first.run, verdict.task, verdict.say
    x, y = points.X[-1], points.y[-1]
    before = [u for u in run.updates if u.t < len(points.y)]
    theta, offset = (before[-1].theta, before[-1].offset) if before else run.start
    factors = zip(map(bracketed, theta), map(bracketed, x), strict=True)
    terms = [f"{a}·{b}" for a, b in factors] + [bracketed(offset)] * task.offset
    score = dot(theta, x) + offset
    sign = task.ties == "sign" and task.kind != "pa"
    test = f"h = {'+1' if score >= 0 else '−1'}" if sign else f"y·s = {number(y * score)}"
    made = first.expected
    name, n = points.name.partition("[")[0], len(points.y)
    lines = [
        say("paper_before", points=name, n=n, theta=_written(theta, offset, task)),
        say("paper_example", n=n, x=vector(x), y=number(y)),
        say("paper_score", terms=" + ".join(terms), score=number(score), test=test,
            verdict=say("is_mistake" if made else "is_none")),
    ]  # fmt: skip
    if made is not None:
        step = f"{number(made.step)}·{bracketed(y)}"
        moved = f"; θ₀ = {number(offset)} + {step} = {number(made.offset)}" * task.offset
        lines.append(f"θ = {vector(theta)} + {step}·{vector(x)} = {vector(made.theta)}{moved}")
    if task.kind in ("averaged", "pocket"):
        lines.append(say("paper_model", theta=_written(run.theta, run.offset, task)))
    return lines


def _written(theta: Any, offset: Any, task: Task) -> str:
    return vector(theta) + f", θ₀ = {number(offset)}" * task.offset
