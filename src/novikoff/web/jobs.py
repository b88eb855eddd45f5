"""Everything that is computed, by name; and how to get ready for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from pydantic import BaseModel

from novikoff.web import questions
from novikoff.web.answers import known_answer, run_answer
from novikoff.web.fields import field_answer
from novikoff.web.homework import challenge_answer, check_answer, export_answer
from novikoff.web.presets import preset
from novikoff.web.tables import table_answer

JOBS: dict[str, tuple[type[BaseModel], Callable[[Any], BaseModel]]] = {
    "run": (questions.RunQuestion, run_answer),
    "known": (questions.KnownQuestion, known_answer),
    "field": (questions.FieldQuestion, field_answer),
    "table": (questions.TableQuestion, table_answer),
    "check": (questions.CheckQuestion, check_answer),
    "export": (questions.ExportQuestion, export_answer),
    "challenge": (questions.ChallengeQuestion, challenge_answer),
}


def perform(job: str, question: bytes) -> bytes:
    """The answer to a question, both as JSON."""
    kind, function = JOBS[job]
    return function(kind.model_validate_json(question)).model_dump_json().encode("utf-8")


def get_ready() -> None:
    """Load or compile what the page asks for first."""
    run_answer(questions.RunQuestion(points=preset("default").points))


def warm_up() -> None:
    """Load or compile everything else."""
    algorithms: tuple[questions.Algorithm, ...] = get_args(questions.Algorithm)
    for name in ("default", "xor"):
        points = preset(name).points
        for algorithm in algorithms:
            for offset in (True, False):
                settings = questions.Settings(algorithm=algorithm, offset=offset, order="shuffled")
                run_answer(questions.RunQuestion(points=points, settings=settings))
    run_answer(questions.RunQuestion(points=preset("touching").points))
