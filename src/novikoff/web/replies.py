"""The answers to `questions`, as they go over the wire."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel

from novikoff.web import questions
from novikoff.web.questions import Algorithm, Kernel, Point, Settings, Window


class Failure(BaseModel):
    """What was wrong, to be shown as text."""

    kind: Literal["invalid", "too_large", "too_slow", "refused", "not_found", "busy", "bug"]
    message: str
    field: str | None = None


class Trouble(BaseModel):
    """The body of every answer that is not 200."""

    error: Failure


class Preset(BaseModel):
    """Points to begin with."""

    name: str
    title: str
    about: str
    points: list[Point]
    settings: Settings


class Challenge(BaseModel):
    """Something to construct."""

    name: str
    title: str
    task: str


class Limits(BaseModel):
    """What one answer holds at most."""

    points: int = questions.MOST_POINTS
    updates: int = questions.MOST_UPDATES
    examples: int = questions.MOST_EXAMPLES
    bytes: int = questions.MOST_BYTES
    seconds: float = questions.MOST_SECONDS


class Presets(BaseModel):
    """What the page offers."""

    presets: list[Preset]
    challenges: list[Challenge]
    limits: Limits = Limits()


class Classes(BaseModel):
    """What the two labels are called."""

    negative: str
    positive: str


class Start(BaseModel):
    """What the server was started with."""

    points: list[Point] | None = None
    title: str | None = None
    axes: tuple[str, str] | None = None
    classes: Classes | None = None
    state: dict[str, Any] | None = None
    note: str | None = None


class Line(BaseModel):
    """A hyperplane in the plane."""

    theta: tuple[float, float]
    offset: float


class Street(Line):
    """The hyperplane with the largest margin; its edges are s = ± margin · ‖theta‖."""

    margin: float
    support: list[int]


class Obstruction(BaseModel):
    """Rows that no hyperplane has strictly on their sides; `point` lies in both of their hulls."""

    rows: list[int]
    weights: list[str]
    positive: list[int]
    negative: list[int]
    point: tuple[float, float] | None


class Verdict(BaseModel):
    """Whether a line separates the points, and what that rests on."""

    kind: Literal["separable", "quasi-separable", "overlapping", "one class", "empty"]
    sentence: str
    offset: bool
    margin: float | None = None
    street: Street | None = None
    obstruction: Obstruction | None = None
    weak: Line | None = None


class Bound(BaseModel):
    """The theorem's bound on updates beside those that happened."""

    radius: float | None = None
    margin: float | None = None
    value: float | None = None
    most: int | None = None
    used: int = 0
    covered: bool = False
    reason: str | None = None


class Proof(BaseModel):
    """The chain of inequalities at every update, theta in units of the step."""

    k: list[int]
    least: list[float]  # k² γ²
    progress: list[float]  # (θ·θ*)²
    norm: list[float]  # ‖θ‖²
    most: list[float]  # k (R² + 2β/η)
    cosine: list[float]
    floor: list[float]  # what the cosine is at least


class Predicts(Line):
    """What a finished run predicts with; k is the number of its updates, if it is a hypothesis."""

    k: int | None
    errors: int


class Averaged(BaseModel):
    """What the mean lacks: after t examples and k updates it is theta_k - sums_k / (1 + t)."""

    sums: list[list[float]]
    offset_sums: list[float]


class DualUpdates(BaseModel):
    """Columns as in the trace format."""

    epoch: list[int]
    t: list[int]
    row: list[int]
    y: list[int]
    step: list[float]
    score_before: list[float]
    score_after: list[float]


class Dual(BaseModel):
    """A run of the kernel perceptron; there is no theta to trace."""

    updates: DualUpdates
    orders: list[list[int]] | None
    n_epochs: int
    status: str
    ties: str
    margin: float
    order: str
    alpha: list[int]
    kernel: Kernel


class KnownAnswer(BaseModel):
    """What is known about points and a run on them."""

    sentence: str
    verdict: Verdict
    bound: Bound
    proof: Proof | None = None


class RunAnswer(BaseModel):
    """Everything about a run; the fields of `KnownAnswer` unless they were not asked for."""

    algorithm: Algorithm
    status: Literal["separated", "epoch_limit", "idle"]
    sentence: str | None = None
    n_updates: int
    n_epochs: int
    trace: dict[str, Any] | None
    dual: Dual | None = None
    model: Predicts | None = None
    errors: list[int]
    model_errors: list[int] | None = None
    survival: list[int] | None = None
    averaged: Averaged | None = None
    alpha: list[int]
    verdict: Verdict | None = None
    bound: Bound | None = None
    proof: Proof | None = None
    truncated: bool = False
    why: str | None = None
    notes: list[str] = []


class FieldAnswer(BaseModel):
    """A grid of the plane from its bottom left: below 0 where the prediction is -1."""

    size: int
    window: Window
    step: int | None
    kind: Literal["votes", "score"]
    values: list[int]


class Column(BaseModel):
    """A column of a table."""

    name: str
    kind: Literal["number", "text"]
    distinct: int
    missing: int


class Suggested(BaseModel):
    """What to choose, unless the user knows better."""

    features: tuple[str, str] | None
    target: str | None


class TableAnswer(BaseModel):
    """A table, and its points once columns are chosen."""

    columns: list[Column]
    rows: list[list[str]]
    n_rows: int
    suggested: Suggested
    labels: list[str] | None = None
    points: list[Point] | None = None
    classes: Classes | None = None
    axes: tuple[str, str] | None = None
    notes: list[str] = []


class WrongCell(BaseModel):
    """A cell that does not say what happened."""

    column: str
    yours: str
    expected: str


class WrongRow(BaseModel):
    """The first row that is wrong, missing at the end, or one too many."""

    step: int
    line: int | None
    what: Literal["wrong", "missing", "surplus"]
    cells: list[WrongCell]


class CheckAnswer(BaseModel):
    """A table made by hand, compared with the run."""

    right: bool
    updates: int
    right_rows: int
    sentence: str
    wrong: WrongRow | None = None
    notes: list[str] = []


class ExportAnswer(BaseModel):
    """A file to be saved."""

    kind: str
    name: str
    type: str
    text: str


class ChallengeAnswer(BaseModel):
    """Whether it is solved, and why."""

    name: str
    solved: bool
    sentence: str
