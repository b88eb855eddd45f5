"""A verdict as text, Markdown, JSON, and Gradescope's results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from novikoff.teaching.texts import texts

if TYPE_CHECKING:
    from novikoff.teaching.verdict import Verdict


def text(verdict: Verdict, *, convention: bool = True) -> str:
    """One line after the other; `convention`: with what was asked for."""
    first = f"{verdict.name}: {verdict.summary}"
    return "\n".join([first, *verdict.explanation, *_asked(verdict)[not convention :]])


def _asked(verdict: Verdict) -> list[str]:
    return [verdict.convention, *([verdict.understood] if verdict.roles else [])]


def markdown(verdict: Verdict) -> str:
    """The same with a heading, and how each point set went."""
    lines = [f"## {escaped(verdict.name)}", "", f"**{escaped(verdict.summary)}**", ""]
    for paragraph in verdict.explanation:
        lines += [escaped(paragraph), ""]
    if verdict.findings:
        lines += [f"| {verdict.say('points')} | {verdict.say('result')} |", "|---|---|"]
        table = results(verdict)
        lines += [f"| {escaped(name)} | {word(verdict, right)} |" for name, right in table] + [""]
    for paragraph in _asked(verdict):
        lines += [escaped(paragraph), ""]
    return "\n".join(lines)


def escaped(line: str) -> str:
    """Text as Markdown that shows it."""
    return "".join(f"\\{c}" if c in "\\`*_[]<>#|$&" else c for c in line)


def word(verdict: Verdict, right: bool) -> str:
    return verdict.say("is_right" if right else "is_wrong")


def results(verdict: Verdict) -> list[tuple[str, bool]]:
    """Each point set and whether it went right; the random ones together."""
    table: dict[str, bool] = {}
    for finding in verdict.findings:
        table[finding.points.label] = table.get(finding.points.label, True) and finding.right
    return list(table.items())


def document(verdict: Verdict) -> dict[str, Any]:
    """For a program."""
    first = verdict.diagnosis.first if verdict.diagnosis else None
    words = texts(verdict.language)["mistakes"]
    return {
        "name": verdict.name,
        "right": verdict.right,
        "problem": verdict.problem,
        "mistakes": [{"name": name, "what": words[name]["what"]} for name in verdict.mistakes],
        "explanation": verdict.explanation,
        "first_wrong": first and {"points": first.points.name, "update": first.k or None},
        "points": [
            {"name": f.points.name, "right": f.right, "error": f.error} for f in verdict.findings
        ],
        "convention": verdict.convention,
        "understood": verdict.understood if verdict.roles else None,
    }


def gradescope(verdict: Verdict, points: float) -> dict[str, Any]:
    """One test for each lettered point set and one for the random ones, of equal worth."""
    table = results(verdict) or [(verdict.function, False)]
    if not verdict.right and all(right for _, right in table):
        table.append((verdict.say("leaves_alone"), False))
    tests = [
        {
            "name": name,
            "score": points / len(table) * right,
            "max_score": points / len(table),
            "status": "passed" if right else "failed",
            "output": word(verdict, right),
        }
        for name, right in table
    ]
    return {"output": markdown(verdict), "output_format": "md", "tests": tests}
