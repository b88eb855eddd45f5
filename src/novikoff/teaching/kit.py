"""A starter kit: an assignment under the chosen conventions, with tests and a solution.

All texts stand in `texts/`, the section `kit`.
"""

from __future__ import annotations

import json
from pathlib import Path
from string import Template
from typing import Any

from novikoff._messages import Message, Setting
from novikoff.teaching.task import Task
from novikoff.teaching.texts import number, texts, vector

_TESTS = {
    "mistake": "y[i] * score <= {}", "sign": "y[i] != (1 if score >= 0 else -1)",
    "correct": "y[i] * score < {}",
}  # fmt: skip
_VISITS = {
    "cyclic": "range(len(X))", "shuffled": "np.random.permutation(len(X))",
    "random": "np.random.randint(len(X), size=len(X))",
}  # fmt: skip


def write_kit(folder: Path, task: Task, function: str, language: str = "en") -> list[Path]:
    """Write a kit into a folder that is new or empty; the files it has."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{folder} is there already, and not an empty folder: name another.")
    if task.start is not None and len(task.start[0]) != 2:
        what = ": the points of a kit have two features, so that a start is two numbers"
        then = ", and the offset." if task.offset else "."
        given = (*task.start[0], task.start[1]) if task.offset else task.start[0]
        raise ValueError(Message(Setting("start", ",".join(map(str, given))), what, then))
    words, fields = texts(language)["kit"], fields_of(task, function, language)
    contents = {_filled(path, fields): text for path, text in words["files"].items()}
    made = {path: _filled(text, fields).lstrip("\n") for path, text in contents.items()}
    made[f"teacher/nbgrader/{function}.ipynb"] = json.dumps(_notebook(words, fields), indent=1)
    for name, text in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755 if text.startswith("#!") else 0o644)
    return [folder / name for name in made]


def solution(task: Task, function: str, language: str = "en") -> str:
    """A right function."""
    source = texts(language)["kit"]["solutions"][
        "perceptron" if task.kind == "margin" else task.kind
    ]
    lines = _filled(source.lstrip("\n"), _code(task, function)).splitlines()
    # Where there is no offset a line may hold nothing but its indentation.
    return "\n".join(line for line in lines if line.strip() or not line)


def _filled(text: str, fields: dict[str, str]) -> str:
    return Template(text).substitute(fields)


def _code(task: Task, function: str) -> dict[str, str]:
    """What the solutions have in the place of names."""
    offset = task.offset
    zeros = "np.zeros(X.shape[1])" + ", 0.0" * offset
    if task.start is not None:
        theta = ", ".join(repr(float(a)) for a in task.start[0])
        zeros = f"np.array([{theta}])" + f", {float(task.start[1])}" * offset
    return {
        "function": function, "zeros": zeros, "visits": _VISITS[task.order],
        "test": _TESTS[task.ties].format(number(task.margin)),
        "score": "theta @ X[i]" + " + theta_0" * offset,
        "and_0": ", theta_0" * offset, "and_b": ", beta" * offset, "zero_0": ", 0.0" * offset,
        "plus_0": " + theta_0" * offset, "plus_1": " + 1" * offset,
        "move_0": "theta_0 = theta_0 + y[i]" * offset,
        "cached_0": "beta = beta + c * y[i]" * offset,
        "move_tau_0": "theta_0 = theta_0 + tau * y[i]" * offset,
        "mean": "theta - u / c" + ", theta_0 - beta / c" * offset,
        "pair": "(theta, theta_0)" if offset else "theta",
        "best_theta": "best[0]" if offset else "best",
    }  # fmt: skip


def fields_of(task: Task, function: str, language: str) -> dict[str, str]:
    """What the texts of a kit have in the place of names."""
    words, kinds = texts(language)["kit"], texts(language)["verdict"]["kinds"]
    right = solution(task, function, language)
    head, body = right.split("\n", 1)
    kind = kinds[task.kind].format(margin=number(task.margin), C=number(task.C), degree=task.degree)
    start = words["zero"]
    if task.start is not None:
        start = f"θ = {vector(task.start[0])}" + f", θ₀ = {number(task.start[1])}" * task.offset
    ties = words["ties"]["pa" if task.kind == "pa" else task.ties]
    offset = "of_kernel" if task.kind == "kernel" else (
        "with_offset" if task.offset else "through_origin")  # fmt: skip
    asked, options = asked_for(task)
    return {
        "function": function, "module": function, "file": f"{function}.py",
        "test_file": f"test_{function}.py", "solution": right, "template": head + _to_fill_in(body),
        "signature": head.removeprefix("def ").removeprefix("class ").rstrip(":"),
        "asked": asked, "quoted": asked.replace('"', "'"), "options": options,
        "title": _filled(words["title"], {"kind": kind[0].upper() + kind[1:]}),
        "visited": words["orders"][task.order], "start": start, "offset": words[offset],
        "ties": _filled(ties, {"margin": number(task.margin)}), "does": words["kinds"][task.kind],
    }  # fmt: skip


def _to_fill_in(body: str) -> str:
    """The methods of a class, or the body of a function, without what they do."""
    heads = [line for line in body.splitlines() if line.startswith("    def ") and "self" in line]
    return "\n" + ("\n\n".join(f"{head}\n        ..." for head in heads) or "    ...")


def asked_for(task: Task) -> tuple[str, str]:
    """What differs from the defaults: as arguments of `check`, and as options of `grade`."""
    arguments: dict[str, Any] = {"kind": task.kind} if task.kind != "perceptron" else {}
    arguments |= {"ties": task.ties, "order": task.order}
    options = "".join(f" --{name} {value}" for name, value in arguments.items())
    if not task.fit_intercept:
        arguments["fit_intercept"] = False
        options += " --through-origin"
    if task.start is not None:
        arguments["start"] = ([*map(float, task.start[0])], float(task.start[1]))
        numbers = [*task.start[0], *([task.start[1]] if task.offset else [])]
        options += f" --start {','.join(str(float(a)) for a in numbers)}"
    if task.kind == "margin":
        arguments["margin"] = float(task.margin)
        options += f" --margin {float(task.margin)}"
    written = "".join(f", {name}={value!r}" for name, value in arguments.items())
    return written.replace("'", '"'), options


def _notebook(words: dict[str, Any], fields: dict[str, str]) -> dict[str, Any]:
    """A source notebook of nbgrader: the task, the solution, one autograded cell."""
    head, body = fields["solution"].split("\n", 1)
    marked = f"{head}\n    ### BEGIN SOLUTION\n{body}\n    ### END SOLUTION"
    cells = [
        _cell("markdown", "task", _filled(words["cells"]["task"], fields), locked=True),
        _cell("code", "solution", f"import numpy as np\n\n\n{marked}", solution=True),
        _cell("code", "test", _filled(words["cells"]["test"], fields).strip(), grade=True,
              locked=True, points=10),
    ]  # fmt: skip
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _cell(kind: str, name: str, source: str, **marks: Any) -> dict[str, Any]:
    grading = {"grade": False, "locked": False, "solution": False, "task": False, "grade_id": name,
               "schema_version": 3, **marks}  # fmt: skip
    cell: dict[str, Any] = {"cell_type": kind, "id": name, "metadata": {"nbgrader": grading}}
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell | {"source": source.splitlines(keepends=True)}
