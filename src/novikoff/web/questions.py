"""The questions that the page asks; `replies` has the answers.

They are checked strictly: numbers are numbers, finite and of moderate size; unknown fields are
refused.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool

from novikoff.replay.html import MAX_ROWS, MAX_UPDATES

MOST_POINTS, MOST_UPDATES = MAX_ROWS, MAX_UPDATES  # so that every run can be saved as a page
MOST_EXAMPLES = 500_000  # seen in one run: what the visiting orders of an answer may hold
MOST_BYTES = 1_000_000
MOST_SECONDS = 10.0
MOST_CHARACTERS = 800_000  # of a table: all of it is in one request

Algorithm = Literal["last", "averaged", "voted", "pocket", "margin", "kernel"]
Coordinate = Annotated[float, Field(ge=-1e9, le=1e9, allow_inf_nan=False, strict=True)]
# A window with points at the limit in it reaches beyond them.
Edge = Annotated[float, Field(ge=-1e10, le=1e10, allow_inf_nan=False, strict=True)]
Name = Annotated[str, Field(max_length=200)]
Axes = tuple[Name, Name]


class Question(BaseModel):
    """Anything that is asked."""

    model_config = ConfigDict(extra="forbid")


class Point(Question):
    """An example in the plane."""

    x: Coordinate
    y: Coordinate
    label: Literal[-1, 1]


class Kernel(Question):
    """The kernel, as scikit-learn's SVC spells it."""

    name: Literal["rbf", "poly", "linear"] = "rbf"
    degree: Annotated[int, Field(ge=1, le=10, strict=True)] = 3
    gamma: Annotated[float, Field(ge=1e-6, le=1e6, allow_inf_nan=False, strict=True)] = 1.0
    coef0: Annotated[float, Field(ge=0.0, le=1e6, allow_inf_nan=False, strict=True)] = 1.0


class Settings(Question):
    """How to learn."""

    algorithm: Algorithm = "last"
    offset: StrictBool = True
    ties: Literal["mistake", "sign", "correct"] = "mistake"
    order: Literal["cyclic", "shuffled", "random"] = "cyclic"
    eta: Annotated[float, Field(ge=1e-6, le=1e6, allow_inf_nan=False, strict=True)] = 1.0
    epochs: Annotated[int, Field(ge=1, le=10_000, strict=True)] = 100
    start: tuple[Coordinate, Coordinate, Coordinate] | None = None
    margin: Annotated[float, Field(ge=0.0, le=1e9, allow_inf_nan=False, strict=True)] = 1.0
    kernel: Kernel = Kernel()
    seed: Annotated[int, Field(ge=0, le=2**32 - 1, strict=True)] = 0


class Task(Question):
    """Points, and how to learn from them."""

    points: Annotated[list[Point], Field(max_length=MOST_POINTS)]
    settings: Settings = Settings()


class RunQuestion(Task):
    """Learn, and say everything about it, or with `known` false only what happened."""

    axes: Axes | None = None
    known: StrictBool = True


class KnownQuestion(Task):
    """What is known about points and a run on them: verdict, bound, proof, how it ended."""


class Window(Question):
    """A part of the plane."""

    left: Edge
    right: Edge
    bottom: Edge
    top: Edge


class FieldQuestion(Task):
    """What is predicted where: after update `step`, or by the finished model."""

    step: Annotated[int, Field(ge=0, le=MOST_UPDATES, strict=True)] | None = None
    window: Window
    size: Annotated[int, Field(ge=2, le=256, strict=True)] = 128
    what: Literal["votes", "score"] | None = None


class TableQuestion(Question):
    """CSV text; once columns are chosen, its points."""

    text: Annotated[str, Field(max_length=MOST_CHARACTERS)]
    features: Axes | None = None
    target: Name | None = None
    positive: Name | None = None


class CheckQuestion(Task):
    """A table of updates made by hand."""

    table: Annotated[str, Field(max_length=MOST_CHARACTERS)]


class ExportQuestion(Task):
    """A run as a file."""

    kind: Literal["html", "markdown", "trace", "python"]
    title: Name = "A perceptron run"
    axes: Axes | None = None


class ChallengeQuestion(Task):
    """Whether points and settings solve a challenge."""

    name: Literal["undershoot", "offset"]
