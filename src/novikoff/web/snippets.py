"""A run as a Python program that reproduces it."""

from __future__ import annotations

from typing import Any

from novikoff.web.runs import Run, beginning, parameters

_WIDTH = 88


def snippet(run: Run) -> str:
    """A program that ends with the fitted `clf`, its theta the same to the bit."""
    name, chosen = parameters(run.settings)
    chosen["max_iter"] = run.epochs
    traced = run.settings.algorithm != "kernel"
    if traced:
        chosen["record_trace"] = True
    lines = [
        f'"""The run of the playground, on {len(run.X)} points."""',
        "",
        "import numpy as np",
        "",
        f"from novikoff import {name}",
        "",
        *_array("X", [_pair(row) for row in run.X.tolist()]),
        *_array("y", [str(label) for label in run.y.tolist()]),
        "",
        *_call(f"clf = {name}", chosen),
        *_call("clf.fit", {"X": None, "y": None, **beginning(run.settings)}),
        "",
        "print(clf.status_, clf.n_updates_)",
    ]
    if traced:
        lines += ["print(clf.coef_, clf.intercept_)", "print(clf.trace_.markdown())"]
    else:
        lines += ["print(clf.support_, clf.dual_coef_)"]
    return "\n".join(lines) + "\n"


def _number(x: float) -> str:
    return str(int(x)) if x.is_integer() and abs(x) < 1e15 else repr(x)


def _pair(row: list[float]) -> str:
    return f"[{', '.join(_number(x) for x in row)}]"


def _array(name: str, items: list[str]) -> list[str]:
    """An array literal, several items a line."""
    # Whole numbers would make X an array of integers, which learns the same but prints otherwise.
    kind = ", float" if name == "X" else ""
    lines, line = [f"{name} = np.array("], "    ["
    for item in items:
        if len(line) + len(item) + 2 > _WIDTH:
            lines.append(line.rstrip())
            line = "     "
        line += f"{item}, "
    lines.append(f"{line.rstrip().rstrip(',')}]{kind}")
    return [*lines, ")"]


def _call(function: str, arguments: dict[str, Any]) -> list[str]:
    parts = [name if value is None else f"{name}={value!r}" for name, value in arguments.items()]
    line = f"{function}({', '.join(parts)})"
    if len(line) <= _WIDTH:
        return [line]
    return [f"{function}(", *(f"    {part}," for part in parts), ")"]
