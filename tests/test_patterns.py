"""Every regular expression of the package takes time in proportion to the text it is given.

The patterns are found in the sources, so that a new one is tested too, each with the methods it is
called by. The texts come from the pattern itself: something that it repeats is repeated until the
text is long, and then does not go on as the pattern wants, so that a matcher that can divide the
text between two repetitions tries all the ways there are.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import novikoff
from tests.within import within

LENGTH = 100_000
SECONDS = 2.0  # a linear matcher takes milliseconds
METHODS = ("match", "fullmatch", "search", "sub", "split", "findall", "finditer")
ENDS = ("", "\x00", "\n\x00")  # none that a repetition would take, all in turn

SOURCES = Path(novikoff.__file__).parent


class Use(NamedTuple):
    """A pattern, and the method that the package calls."""

    where: str
    pattern: re.Pattern[Any]
    method: str


def _text(node: ast.expr) -> str | bytes | None:
    """A pattern that is written where it is used; what is filled into one is taken for a word."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) else "name" for part in node.values
        )
    return None


def _uses(path: Path) -> Iterator[Use]:
    source = path.read_text(encoding="utf-8")
    if not re.search(r"^import re$", source, re.MULTILINE):
        return
    where = path.relative_to(SOURCES.parent).with_suffix("")
    methods: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re."):
            method = ast.unparse(node.func).removeprefix("re.")
            if method in METHODS:
                text = _text(node.args[0])
                assert text is not None, f"{where}, line {node.lineno}: give this pattern a name"
                yield Use(f"{where}:{node.lineno}", re.compile(text), method)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            methods.setdefault(node.value.id, set()).add(node.attr)
    for name, value in vars(importlib.import_module(".".join(where.parts))).items():
        for pattern in value.values() if isinstance(value, dict) else [value]:
            if isinstance(pattern, re.Pattern):
                # One that is used under another name only must stand the plainest use.
                for method in sorted(methods.get(name, set()) & {*METHODS}) or ["fullmatch"]:
                    yield Use(f"{where}:{name}", pattern, method)


USES = [use for path in sorted(SOURCES.rglob("*.py")) for use in _uses(path)]


def _character(members: list[Any]) -> str:
    """One that a set of characters takes."""
    negated = members[0][0] is re._constants.NEGATE
    inside = re.compile(
        "".join(
            {"category_digit": r"\d", "category_space": r"\s", "category_word": r"\w",
             "category_not_space": r"\S", "category_not_word": r"\W",
             }[str(arg).lower().removeprefix("uni_")]
            if str(op) == "CATEGORY"
            else re.escape(chr(arg)) if str(op) == "LITERAL"
            else f"{re.escape(chr(arg[0]))}-{re.escape(chr(arg[1]))}"
            for op, arg in members[negated:]
        ).join("[]")
    )  # fmt: skip
    tried = "1a (#.-+,:=\\|\x01" + "".join(map(chr, range(32, 256)))
    return next(c for c in tried if bool(inside.match(c)) != negated)


def _sample(tree: Any, often: int) -> str:
    """A text of the pattern, in which everything is repeated `often`, if that is allowed."""
    text = ""
    for op, arg in tree:
        match str(op):
            case "LITERAL":
                text += chr(arg)
            case "NOT_LITERAL":
                text += "a" if chr(arg) != "a" else "b"
            case "ANY":
                text += "a"
            case "IN":
                text += _character(arg)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                low, high, body = arg
                text += _sample(body, often) * max(low, min(often, int(high)))
            case "SUBPATTERN":
                text += _sample(arg[-1], often)
            case "ATOMIC_GROUP":
                text += _sample(arg, often)
            case "BRANCH":
                text += _sample(arg[1][0], often)
            case "AT" | "ASSERT" | "ASSERT_NOT":
                pass
            case _:
                raise NotImplementedError(op)
    return text


def _pumps(tree: Any, before: str) -> Iterator[tuple[str, str]]:
    """What comes first, and what may then come again and again."""
    for op, arg in tree:
        name = str(op)
        if name.endswith("REPEAT"):
            for often in (0, 1, 3):
                yield before, _sample(arg[2], often)
            yield from _pumps(arg[2], before)
        elif name == "BRANCH":
            for branch in arg[1]:
                yield from _pumps(branch, before)
        elif name == "SUBPATTERN":
            yield from _pumps(arg[-1], before)
        elif name == "ATOMIC_GROUP":
            yield from _pumps(arg, before)
        before += _sample([(op, arg)], 1)
        yield "", before  # a search begins anew at each of them


def _attacks(pattern: re.Pattern[Any]) -> set[str]:
    source = pattern.pattern
    tree = re._parser.parse(source if isinstance(source, str) else source.decode("latin-1"))
    return {
        before + pump * (LENGTH // len(pump)) + end
        for before, pump in _pumps(tree, "")
        if pump
        for end in ENDS
    }


@pytest.mark.parametrize("use", USES, ids=lambda use: f"{use.where}-{use.method}")
def test_the_time_is_linear(use: Use) -> None:
    for text in _attacks(use.pattern):
        given = text if isinstance(use.pattern.pattern, str) else text.encode("latin-1")
        with within(SECONDS):
            if use.method == "sub":
                use.pattern.sub(given[:0], given)
            elif use.method == "finditer":
                list(use.pattern.finditer(given))
            else:
                getattr(use.pattern, use.method)(given)


def test_the_patterns_are_found() -> None:
    found = {use.where for use in USES}
    assert {"novikoff/streams/formats:_LIBSVM_LINE", "novikoff/replay/bundle:_IMPORT"} <= found
