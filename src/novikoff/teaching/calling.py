"""Calling a student's function, and saying what it gave as plain data.

The process that `novikoff grade` starts for each submission imports this file, and nothing else of
the library: what knows the right answers is not in that process. So it needs the standard library
only, and numpy where the function wants arrays. Questions and answers are dictionaries that JSON
can hold.

A question has X (rows), y (-1 and +1), T, test (rows to be predicted), seed, orders (the rows to
visit in each epoch), start (theta and offset), margin, C and degree; a manner is
:attr:`novikoff.teaching.task.Task.manner`. An answer has what the function gave: theta and offset,
updates, votes, alpha, predictions; the roles of its parameters; whether it changed X or y; or an
error, the end of a sentence that begins with the function.
"""

from __future__ import annotations

import functools
import inspect
import json
import math
import os
import random
import re
import reprlib
import sys
import sysconfig
import tokenize
import traceback
import types
from collections.abc import Callable, Iterator
from typing import Any

MOST_NUMBERS = 20_000  # in one result
MOST_UPDATES = 2_000  # that a function may tell of

# What a parameter means, by its name in lower case without underscores. A parameter that is none of
# these must have a default.
ROLES = {
    "X": "x data features points inputs xtrain",
    "y": "y labels targets ytrain",
    "T": "t epochs nepochs numepochs maxepochs maxiter maxiterations niter numiter iterations "
    "iters passes",
    "params": "params",  # a dict with T
    "callback": "callback onupdate hook record",
    "start": "start init initial thetainit winit",
    "margin": "margin beta gamma threshold",
    "C": "c aggressiveness",
    "kernel": "kernel k",
    "seed": "seed randomstate",
    "orders": "orders order permutations",
    "test": "xtest test testpoints xnew queries",
}  # fmt: skip
_ROLE_OF = {name: role for role, names in ROLES.items() for name in names.split()}
# Where theta and the offset are, in a dict or on an object.
_THETA = ("theta", "theta_", "coef_", "coef", "w", "w_", "weights", "weights_", "th")
_OFFSET = ("theta_0", "theta0", "intercept_", "intercept", "b", "b_", "bias", "bias_", "offset",
           "offset_", "th0")  # fmt: skip
_HYPOTHESIS = {True: "theta, theta_0", False: "theta"}


class NotAsAsked(Exception):
    """What the function takes or gives is not what was asked for."""


# --------------------------------------------------------------------------- what it takes


def roles_of(function: Callable[..., Any], place: int = 0) -> dict[str, str]:
    """Which parameter has which role; the first of them is at `place`.

    The first two are X and y and, if it has no default, the third is T, whatever they are called.
    """
    found: dict[str, str] = {}
    for at, parameter in enumerate(inspect.signature(function).parameters.values(), start=place):
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        role = _ROLE_OF.get(parameter.name.lower().replace("_", ""))
        if parameter.default is parameter.empty:
            role = ("X", "y", role or "T")[at] if at < 3 else role
            if role is None:
                raise NotAsAsked(
                    f"has a parameter {parameter.name!r} that is not known and has no default; "
                    f"known are names such as {', '.join(ROLES)}"
                )
        if role is not None and role not in found.values():
            found[parameter.name] = role
    return found


def described(function: Any, manner: dict[str, Any]) -> dict[str, Any]:
    """Which parameters have which role, and whether it predicts."""
    if not inspect.isclass(function):
        return {"roles": roles_of(function), "predicts": manner["returns"] == "predictions"}
    fit: Any = getattr(function, "fit", None)
    if not callable(fit):
        raise NotAsAsked("is a class without a method fit")
    roles = {**roles_of(function, 3), **roles_of(functools.partial(fit, None))}  # without self
    return {"roles": roles, "predicts": callable(getattr(function, "predict", None))}


# --------------------------------------------------------------------------- what it gives


def numbers(value: Any) -> list[float]:
    """The numbers in a number, a vector, or a matrix, one after the other."""
    if hasattr(value, "tolist"):
        if getattr(value, "size", 0) > MOST_NUMBERS:
            raise NotAsAsked(f"returned {value.size} numbers")
        value = value.tolist()
    if isinstance(value, list | tuple):
        if len(value) > MOST_NUMBERS:
            raise NotAsAsked(f"returned {len(value)} numbers")
        return [number for item in value for number in numbers(item)]
    try:
        if isinstance(value, str):
            raise TypeError
        result = value if type(value) is int and abs(value) < 2**53 else float(value)
    except (TypeError, ValueError, OverflowError):
        raise NotAsAsked(f"returned {_shown(value)} where a number belongs") from None
    if not math.isfinite(result):
        raise NotAsAsked(f"returned {result}")
    return [result]


def _shown(value: Any) -> str:
    text = "None" if value is None else f"{type(value).__name__} {reprlib.repr(value)}"
    return text if len(text) <= 80 else text[:77] + "..."


def _vector(value: Any, size: int, what: str) -> list[float]:
    found = numbers(value)
    if len(found) != size:
        plural = "s" * (len(found) != 1)
        raise NotAsAsked(f"returned {len(found)} number{plural} as {what}, not {size}")
    return found


def _listed(value: Any, what: str, size: int | None = None) -> Any:
    """A list or tuple, of `size` items if said; no longer than there may be updates."""
    if not isinstance(value, list | tuple) or (size is not None and len(value) != size):
        raise NotAsAsked(f"returned {_shown(value)}, not {what}")
    return value[: MOST_UPDATES + 1]


class _Call:
    """One question to one function."""

    def __init__(self, question: dict[str, Any], manner: dict[str, Any]) -> None:
        self.question, self.manner = question, manner
        self.n, self.d = len(question["X"]), len(question["X"][0])
        self.told: list[list[Any]] = []
        self.X, self.y = self.rows(question["X"]), self.labels()

    # arguments

    def rows(self, X: list[list[float]]) -> Any:
        if self.manner["data"] == "columns":
            X = [list(column) for column in zip(*X, strict=True)]
        return [list(row) for row in X] if self.manner["lists"] else _array(X, float)

    def labels(self) -> Any:
        low, high = self.manner["labels"]
        y = [high if label > 0 else low for label in self.question["y"]]
        if self.manner["lists"]:
            return y
        return _array([y] if self.manner["data"] == "columns" else y, int)

    def kernel(self, a: Any, b: Any) -> Any:
        """(1 + a·b)^degree."""
        return (1 + sum(u * v for u, v in zip(a, b, strict=True))) ** self.question["degree"]

    def argument(self, role: str) -> Any:
        if role == "test":
            return self.rows(self.question["test"])
        if role == "start" and self.question["start"] is not None:
            theta, offset = self.question["start"]
            theta = theta if self.manner["lists"] else _array(theta, float)
            return (theta, offset) if self.manner["offset"] else theta
        own = {"X": self.X, "y": self.y, "params": {"T": self.question["T"]},
               "callback": self.tell, "kernel": self.kernel}  # fmt: skip
        return own[role] if role in own else self.question[role]

    def __call__(self, function: Any, roles: dict[str, str]) -> Any:
        """Call it; what there is no value for is left to the function's own default."""
        arguments = {name: self.argument(role) for name, role in roles.items()}
        first = [name for name, role in roles.items() if role in ("X", "y")]
        named = {k: v for k, v in arguments.items() if k not in first and v is not None}
        return function(*(arguments[name] for name in first), **named)

    # results

    def hypothesis(self, value: Any, returns: str) -> dict[str, Any]:
        """theta and offset (None where it is not returned)."""
        if isinstance(value, dict):
            value, _ = _looked_up({str(key).lower(): item for key, item in value.items()}, True)
            returns = _HYPOTHESIS[isinstance(value, tuple)]
        if returns == "theta":
            return {"theta": _vector(value, self.d, "theta"), "offset": None}
        if returns in ("theta_0 first", "theta_0 last"):
            found = _vector(value, self.d + 1, "theta and theta_0")
            offset = found.pop(0 if returns == "theta_0 first" else -1)
            return {"theta": found, "offset": offset}
        theta, offset = _listed(value, f"the two values {returns}", 2)
        if returns == "theta_0, theta":
            theta, offset = offset, theta
        return {"theta": _vector(theta, self.d, "theta"),
                "offset": _vector(offset, 1, "theta_0")[0]}  # fmt: skip

    def tell(self, *values: Any) -> None:
        """Note an update that a generator or a callback tells of, before it is overwritten."""
        if len(self.told) > MOST_UPDATES:
            raise NotAsAsked(f"told of more than {MOST_UPDATES} updates")
        returns = self.manner["returns"]
        if not returns.startswith("theta"):
            returns = _HYPOTHESIS[self.manner["offset"]]
        one = self.hypothesis(values[0] if len(values) == 1 else values, returns)
        self.told.append([one["theta"], one["offset"]])

    def told_of(self) -> dict[str, Any]:
        start = self.question["start"] or [[0] * self.d, 0]
        theta, offset = self.told[-1] if self.told else start
        return {"theta": theta, "offset": offset, "updates": self.told}

    def result(self, value: Any) -> dict[str, Any]:
        """A returned value, read as the manner says."""
        returns = self.manner["returns"]
        if returns == "votes":
            return {"votes": [self.vote(v) for v in _listed(value, "a list of hypotheses")]}
        if returns == "alpha":
            return {"alpha": _vector(value, self.n, "alpha")}
        if returns == "signed alpha":
            return {"alpha": [abs(a) for a in _vector(value, self.n, "alpha")]}
        if returns == "predictions":
            return {"predictions": self.predictions(value)}
        if returns == "updates":
            for item in _listed(value, "a list of hypotheses"):
                self.tell(item)
            return self.told_of()
        return self.hypothesis(value, returns)

    def vote(self, value: Any) -> list[Any]:
        """[theta, offset, c]."""
        offset = self.manner["offset"]
        item = _listed(value, f"({_HYPOTHESIS[offset]}, c)", 2 + offset)
        one = self.hypothesis(item[:-1] if offset else item[0], _HYPOTHESIS[offset])
        return [one["theta"], one["offset"] or 0, *_vector(item[-1], 1, "c")]

    def predictions(self, value: Any) -> list[float]:
        """As -1 and +1; what is neither label stays as it is."""
        low, high = self.manner["labels"]
        found = _vector(value, len(self.question["test"]), "predictions")
        return [{low: -1, high: 1}.get(label, label) for label in found]

    def predicted(self, predict: Any) -> list[float]:
        """Of all rows at once or, where that is not what it takes, of one after the other."""
        rows = self.rows(self.question["test"])
        try:
            return self.predictions(predict(rows))
        except Exception:
            if self.manner["data"] == "columns":
                raise
            return self.predictions([predict(row) for row in rows])

    def fitted(self, kind: Any) -> tuple[dict[str, Any], dict[str, str]]:
        """A class with fit: what it predicts, and theta and offset where attributes have them."""
        roles = roles_of(kind, 3)
        model = self(kind, roles)
        of_fit = roles_of(model.fit)
        self(model.fit, of_fit)
        answer: dict[str, Any] = {}
        seen: dict[str, str] = {}
        if self.manner["kind"] not in ("voted", "kernel"):
            value, seen = _looked_up(vars(model), self.manner["offset"])
            if value is not None:
                answer = self.hypothesis(value, _HYPOTHESIS[self.manner["offset"]])
        if callable(getattr(model, "predict", None)):
            answer["predictions"] = self.predicted(model.predict)
            seen[".predict"] = "predictions"
        if not answer:
            raise NotAsAsked("has neither a method predict nor attributes theta and theta_0")
        return answer, {**roles, **of_fit, **seen}

    def answer(self, function: Any) -> dict[str, Any]:
        kept = numbers(self.X), numbers(self.y)
        if inspect.isclass(function):
            answer, roles = self.fitted(function)
        else:
            roles = roles_of(function)
            value = self(function, roles)
            tells = isinstance(value, Iterator) or "callback" in roles.values()
            if isinstance(value, Iterator):
                value = self.drained(value)
            answer = self.told_of() if tells else {}
            if value is not None or not tells:
                answer |= self.result(value)
        changed = (numbers(self.X), numbers(self.y)) != kept
        return {**answer, "changed": changed, "roles": roles}

    def drained(self, generator: Iterator[Any]) -> Any:
        """Run a generator to its end; what it returned."""
        while True:
            try:
                item = next(generator)
            except StopIteration as end:
                return end.value
            self.tell(item)


def _array(values: Any, dtype: Any) -> Any:
    import numpy as np

    return np.array(values, dtype)


def _looked_up(names: dict[str, Any], offset: bool) -> tuple[Any, dict[str, str]]:
    """theta, with the offset if there is one, by the usual names; None if they are not there."""
    theta = [name for name in _THETA if name in names]
    more = [name for name in _OFFSET if name in names] if offset else []
    if not theta or (offset and not more):
        return (names[theta[0]] if theta else None), {}
    seen = {f".{theta[0]}": "theta"}
    if not more:
        return names[theta[0]], seen
    return (names[theta[0]], names[more[0]]), {**seen, f".{more[0]}": "theta_0"}


# ---------------------------------------------------------------------------------- calls


def ask(function: Any, question: dict[str, Any], manner: dict[str, Any]) -> dict[str, Any]:
    """The answer of a function or class to one question; whatever it raises is an answer too."""
    random.seed(question["seed"])
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(question["seed"])
    return caught(lambda: _Call(question, manner).answer(function))


def caught(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What `work` gives, or why it gives nothing."""
    try:
        return work()
    except NotAsAsked as error:
        return {"error": str(error)}
    except RecursionError:
        return {"error": "calls itself without end"}
    except MemoryError:
        return {"error": "ran out of memory"}
    except SystemExit:
        return {"error": "called sys.exit"}
    except KeyboardInterrupt:  # whoever waits for a function in this process means it
        raise
    except BaseException as error:
        what = str(error)[:300].rstrip(".")
        return {"error": f"raised {type(error).__name__}{_line(error)}: {what}"}


def _line(error: BaseException) -> str:
    """The line of the submission that raised it: of files that are neither ours nor installed."""
    paths = sysconfig.get_paths()
    installed = tuple(paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    others = (os.path.dirname(__file__), *installed, "<")
    own = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(others)
    ]  # fmt: skip
    return f" in line {own[-1]}" if own else ""


def load(path: str, name: str) -> Any:
    """The function or class `name` of a file; see `_run_cells` for notebooks."""
    module = sys.modules["submission"] = types.ModuleType("submission")  # a dataclass looks there
    names = module.__dict__
    names["__file__"] = path
    failed = None
    if path.endswith(".ipynb"):
        with open(path, encoding="utf-8-sig") as file:
            failed = _run_cells(json.load(file)["cells"], path, names)
    else:
        with tokenize.open(path) as file:  # in the encoding that Python would read it in
            exec(compile(file.read(), path, "exec"), names)
    if not callable(names.get(name)):
        if failed is not None:
            raise failed
        own = ", ".join(key for key, value in names.items() if inspect.isfunction(value))
        raise NotAsAsked(f"has no function or class {name}" + f" (it has {own[:100]})" * bool(own))
    return names[name]


# Lines for IPython alone.
_NO_PYTHON = re.compile(r"^([ \t]*+)(?=[%!?]|[\w, ]+=[ \t]*[%!]|[^#'\"\n]*\?[ \t]*$)", re.MULTILINE)
_KEPT = ("%%time", "%%timeit", "%%capture")  # above a cell of Python


def _run_cells(cells: list[Any], path: str, names: dict[str, Any]) -> BaseException | None:
    """Run a notebook's cells of Python one after the other, as a student does; the first error.

    What is for IPython alone is passed over, and a cell that fails does not end the others.
    """
    names["display"] = lambda *shown, **more: None
    first, above = None, 0
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        lines = "".join(cell["source"]).split("\n")
        if not lines[0].startswith("%%") or lines[0].startswith(_KEPT):
            source = "\n" * above + "\n".join(lines)
            try:
                try:
                    code = compile(source, path, "exec")
                except SyntaxError:
                    code = compile(_NO_PYTHON.sub(r"\1pass #", source), path, "exec")
                exec(code, names)
            except Exception as error:
                first = first or error
        above += len(lines)
    return first
