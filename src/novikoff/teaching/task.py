"""What was asked of the students: the conventions, and how their function is called."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from novikoff._messages import Message, Setting

KINDS = ("perceptron", "averaged", "voted", "pocket", "margin", "kernel", "pa")
TIES = ("mistake", "sign", "correct")
ORDERS = ("cyclic", "shuffled", "random")
RETURNS = (
    "theta, theta_0", "theta", "theta_0, theta", "theta_0 first", "theta_0 last", "votes", "alpha",
    "signed alpha", "predictions", "updates",
)  # fmt: skip
_CHOICES = {
    "kind": KINDS, "ties": TIES, "order": ORDERS, "data": ("rows", "columns"), "returns": RETURNS
}  # fmt: skip

Number = int | Fraction
Vector = tuple[Number, ...]


@dataclass(frozen=True)
class Task:
    """A perceptron as a course asks for it. See :func:`novikoff.teaching.check`.

    `start` is (theta, offset), or None for zero; `epochs` is how many epochs a function without a
    parameter for it runs, None until an epoch makes no mistake.
    """

    kind: str = "perceptron"
    ties: str = "mistake"
    order: str = "cyclic"
    fit_intercept: bool = True
    start: tuple[Vector, Number] | None = None
    margin: Number = 0
    C: Number = 1
    degree: int = 2
    epochs: int | None = None
    returns: str = ""
    data: str = "rows"
    labels: tuple[int, int] = (-1, 1)
    lists: bool = False

    @property
    def offset(self) -> bool:
        """Whether there is an offset; a kernel's constant does its work."""
        return self.fit_intercept and self.kind != "kernel"

    @property
    def manner(self) -> dict[str, Any]:
        """What whoever calls the function must know."""
        return {
            "kind": self.kind, "offset": self.offset, "data": self.data,
            "labels": list(self.labels), "lists": self.lists, "returns": self.returns,
        }  # fmt: skip


def exact(x: Any) -> Number:
    """The number as it is, an int where it is whole: Python's ints and fractions never round."""
    value = Fraction(x) if isinstance(x, int | float | Fraction | str) else Fraction(float(x))
    return int(value) if value.denominator == 1 else value


def task_of(**asked: Any) -> Task:
    """A checked task; a ValueError says what does not go together."""
    for name, choices in _CHOICES.items():
        if asked.get(name) is not None and asked[name] not in choices:
            raise ValueError(f"{name} must be one of {', '.join(choices)}; it is {asked[name]!r}.")
    if asked.get("start") is not None:
        asked["start"] = _start(asked["start"])
    asked["margin"] = exact(asked.get("margin") or (1 if asked.get("kind") == "margin" else 0))
    asked["C"] = exact(asked.get("C", 1))
    asked["labels"] = tuple(asked.get("labels", (-1, 1)))
    task = Task(**{key: value for key, value in asked.items() if value is not None})
    if not task.returns:
        plain = "theta, theta_0" if task.offset else "theta"
        usual = {"voted": "votes", "kernel": "alpha"}.get(task.kind, plain)
        task = replace(task, returns=usual)
    _refuse(task)
    return task


def _start(start: Any) -> tuple[Vector, Number]:
    """(theta, offset) of a start that is one vector, or a vector and an offset."""
    values = list(start)
    pair = len(values) == 2 and hasattr(values[0], "__len__")
    theta, offset = values if pair else (values, 0)
    return tuple(exact(x) for x in theta), exact(offset)


def _refuse(task: Task) -> None:
    at_zero = task.start is None or not any((*task.start[0], task.start[1]))
    if task.kind != "pa" and task.ties == "correct" and task.margin == 0 and at_zero:
        raise ValueError(
            Message(
                Setting("ties", "correct"), " from zero never learns, since every score is 0: say ",
                Setting("start"), ".",
            )
        )  # fmt: skip
    if task.ties == "sign" and task.margin:
        raise ValueError(Message(Setting("ties", "sign"), " has no margin."))
    if task.kind == "kernel" and not at_zero:
        raise ValueError("A kernel perceptron starts at zero: it has no theta to start from.")
    for returns, kind in (("votes", "voted"), ("alpha", "kernel"), ("signed alpha", "kernel")):
        if task.returns == returns and task.kind != kind:
            raise ValueError(
                Message(Setting("returns", returns), " needs ", Setting("kind", kind), ".")
            )
    if task.labels not in ((-1, 1), (0, 1)):
        raise ValueError(f"labels must be (-1, 1) or (0, 1); they are {task.labels}.")
    if task.epochs is not None and task.epochs < 1:
        raise ValueError(f"epochs must be at least 1; it is {task.epochs}.")
