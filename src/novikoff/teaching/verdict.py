"""What is found out about a function, told as text, Markdown, JSON, and Gradescope's results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from novikoff.analysis.step_tables import escaped
from novikoff.teaching.comparing import Finding
from novikoff.teaching.diagnosis import Diagnosis
from novikoff.teaching.task import Task
from novikoff.teaching.texts import number, texts, vector


@dataclass(frozen=True)
class Verdict:
    """What :func:`novikoff.teaching.check` found; `str` tells it.

    Attributes
    ----------
    right : bool
        Whether the function is right on every point set, and left its arguments alone.
    mistakes : tuple of str
        The names, in the catalogue, of the mistakes that explain its answers: mostly one; several
        where nothing tells them apart; none where it is right, or wrong in another way.
    name : str
        Of the function, or of the submission.
    findings : tuple of Finding
        The answers to each point set.
    diagnosis : Diagnosis or None
    problem : str or None
        Why it cannot be checked at all.
    """

    name: str
    function: str
    task: Task
    findings: tuple[Finding, ...] = ()
    diagnosis: Diagnosis | None = None
    problem: str | None = None
    roles: dict[str, str] = field(default_factory=dict)
    language: str = "en"

    @property
    def right(self) -> bool:
        return self.problem is None and self.diagnosis is None

    @property
    def mistakes(self) -> tuple[str, ...]:
        return self.diagnosis.names if self.diagnosis else ()

    @property
    def error(self) -> str | None:
        """Why there is no answer, or none to some point set."""
        return self.problem or next((f.error for f in self.findings if f.error is not None), None)

    # forms

    def __str__(self) -> str:
        return self.text()

    def text(self, *, convention: bool = True) -> str:
        """For a terminal; `convention`: with what was asked for."""
        first = f"{self.name}: {self.summary}"
        return "\n".join([first, *self.explanation, *self._asked()[not convention :]])

    def markdown(self) -> str:
        """For a page, a forum or a learning platform: with a heading, and how each set went."""
        lines = [f"## {escaped(self.name)}", "", f"**{escaped(self.summary)}**", ""]
        for paragraph in self.explanation:
            lines += [escaped(paragraph), ""]
        if self.findings:
            lines += [f"| {self.say('points')} | {self.say('result')} |", "|---|---|"]
            table = self.results()
            lines += [f"| {escaped(name)} | {self.word(right)} |" for name, right in table] + [""]
        for paragraph in self._asked():
            lines += [escaped(paragraph), ""]
        return "\n".join(lines)

    def html(self) -> str:
        """One page, with the replay of the student's run beside the right one."""
        from novikoff.teaching.page import page

        return page(self)

    def document(self) -> dict[str, Any]:
        """For a program: what JSON can hold."""
        first = self.diagnosis.first if self.diagnosis else None
        words = texts(self.language)["mistakes"]
        return {
            "name": self.name,
            "right": self.right,
            "problem": self.problem,
            "mistakes": [{"name": name, "what": words[name]["what"]} for name in self.mistakes],
            "explanation": self.explanation,
            "first_wrong": first and {"points": first.points.name, "update": first.k or None},
            "points": [
                {"name": f.points.name, "right": f.right, "error": f.error} for f in self.findings
            ],
            "convention": self.convention,
            "understood": self.understood if self.roles else None,
        }

    def gradescope(self, points: float = 1.0) -> dict[str, Any]:
        """The content of Gradescope's results.json, for so many points in all.

        One test for each lettered point set and one for the random ones, of equal worth.
        """
        table = self.results() or [(self.function, False)]
        if not self.right and all(right for _, right in table):
            table.append((self.say("leaves_alone"), False))
        tests = [
            {
                "name": name,
                "score": points / len(table) * right,
                "max_score": points / len(table),
                "status": "passed" if right else "failed",
                "output": self.word(right),
            }
            for name, right in table
        ]
        return {"output": self.markdown(), "output_format": "md", "tests": tests}

    def results(self) -> list[tuple[str, bool]]:
        """Each point set and whether it went right; the random ones together."""
        table: dict[str, bool] = {}
        for finding in self.findings:
            table[finding.points.label] = table.get(finding.points.label, True) and finding.right
        return list(table.items())

    def word(self, right: bool) -> str:
        return self.say("is_right" if right else "is_wrong")

    def _asked(self) -> list[str]:
        return [self.convention, *([self.understood] if self.roles else [])]

    def require(self) -> None:
        """Raise an AssertionError that says what is wrong, if something is."""
        if not self.right:
            raise AssertionError(str(self))

    # sentences

    def say(self, sentence: str, **fields: Any) -> str:
        """A sentence in the verdict's language, with its fields filled in."""
        return str(texts(self.language)["verdict"][sentence].format(**fields))

    @property
    def summary(self) -> str:
        """One sentence: right, wrong on so many sets, or why it cannot be said."""
        if self.problem is not None:
            return self.say("cannot", why=self.problem)
        wrong = sum(not finding.right for finding in self.findings)
        return self.say("wrong" if wrong else "right", wrong=wrong, n=len(self.findings))

    @property
    def explanation(self) -> list[str]:
        """What went wrong, paragraph by paragraph."""
        from novikoff.teaching.explaining import explained

        return explained(self)

    @property
    def understood(self) -> str:
        """How the function was called, and what was taken for what."""
        task, words = self.task, texts(self.language)["verdict"]
        told = [name for name, role in self.roles.items() if role in ("T", "params")]
        parts = [
            f"{words[task.data]}, {words['lists' if task.lists else 'arrays']}",
            self.say("labels", low=number(task.labels[0]), high=f"+{task.labels[1]}"),
            self.say("told_T", name=told[0]) if told
            else words["until_clean"] if task.epochs is None
            else self.say("epochs_fixed", epochs=task.epochs),
        ]  # fmt: skip
        if task.start is not None and "start" not in self.roles.values():
            parts.append(words["not_passed"])
        if any("updates" in answer for f in self.findings for answer in f.answers):
            parts.append(words["gives_updates"])
        seen = [f"{name} ({role})" for name, role in self.roles.items() if name.startswith(".")]
        parts.append(self.say("gives", what=", ".join(seen) or words["returns"][task.returns]))
        taken = ", ".join(name for name in self.roles if not name.startswith("."))
        return self.say("understood", call=f"{self.function}({taken}): {'; '.join(parts)}")

    @property
    def convention(self) -> str:
        """What was asked for."""
        task, words = self.task, texts(self.language)["verdict"]
        fields = {"margin": number(task.margin), "C": number(task.C), "degree": task.degree}
        start = ""
        if task.start is not None:
            how = "from_start" if task.offset else "from_start_origin"
            start = self.say(how, theta=vector(task.start[0]), offset=number(task.start[1]))
        return self.say(
            "convention", kind=words["kinds"][task.kind].format(**fields),
            ties=words["ties"]["pa" if task.kind == "pa" else task.ties].format(**fields),
            order=words["orders"][task.order],
            offset=words["with_offset" if task.offset else "through_origin"], start=start,
        )  # fmt: skip
