"""A room's private names stay in it.

import-linter keeps the order of the rooms; that nobody reaches past a room's public names is read
off the source here.
"""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "novikoff"
# Named tuples and numba have public methods that begin with an underscore, and scikit-learn has no
# other way to check parameters, or to call back.
FOREIGN = {
    "_asdict", "_replace", "_fields", "_field_defaults", "_cache", "_validate_params",
    "_parameter_constraints", "_num_combinations", "_exit", "_init_callback_context",
    "_cache_file", "_load_index",  # numba: which types lie compiled on disk
    "_ynames_map",  # statsmodels: the classes of a multinomial model
}  # fmt: skip


def room_of(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


ROOMS = sorted({room_of(path) for path in SOURCE.rglob("*.py")})


def trees(room):
    for path in SOURCE.rglob("*.py"):
        if room_of(path) == room:
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def private(name):
    return name.startswith("_") and not name.startswith("__")


def imported_modules(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_imports_a_private_name_of_another(room):
    for path, tree in trees(room):
        for line, name in imported_modules(tree):
            first, *parts = name.split(".")
            if first == "novikoff" and parts and parts[0] != room:
                # What lies beside the rooms (_jit, _messages) is for all of them.
                assert not any(map(private, parts[1:])), f"{path}:{line} imports {name}"


def names_of(room):
    """The private names that a room defines: functions, classes, variables, attributes, fields."""
    for _, tree in trees(room):
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield node.name
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                yield node.attr


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_reaches_into_the_objects_of_another(room):
    own = set(names_of(room)) | FOREIGN
    for path, tree in trees(room):
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and private(node.attr):
                assert node.attr in own, f"{path}:{node.lineno} uses .{node.attr}"
