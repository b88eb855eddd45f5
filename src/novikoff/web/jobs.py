"""Everything that is computed, by name; and how to get ready for it."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

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


def answer(question: dict[str, str]) -> Iterator[str]:
    """The answer to a question, both as JSON. ValueError says what the library cannot do."""
    kind, function = JOBS[question["job"]]
    try:
        yield function(kind.model_validate_json(question["text"])).model_dump_json()
    except ValidationError as error:  # a bug: it was checked before
        raise RuntimeError(str(error)) from error


def get_ready(everything: bool) -> None:
    """Load or compile what the page asks for first, and all that it may ask for later."""
    run_answer(questions.RunQuestion(points=preset("default").points))
    if everything:
        _warm_up()
    gc.collect()
    gc.freeze()  # what is loaded by now stays: nobody need look through it at every answer


def _warm_up() -> None:
    algorithms: tuple[questions.Algorithm, ...] = get_args(questions.Algorithm)
    for name in ("default", "xor"):
        points = preset(name).points
        for algorithm in algorithms:
            for offset in (True, False):
                settings = questions.Settings(algorithm=algorithm, offset=offset, order="shuffled")
                run_answer(questions.RunQuestion(points=points, settings=settings))
    run_answer(questions.RunQuestion(points=preset("touching").points))
