"""The checker rests on numpy and the standard library alone."""

import ast
import sys
from pathlib import Path

import novikoff.certificates.check as check


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import could lead anywhere"
            names.add(node.module)
    return names


def test_what_the_checker_imports():
    files = list(Path(check.__file__).parent.glob("**/*.py"))
    assert len(files) > 1
    for path in files:
        for name in imported(path):
            inside = name.startswith("novikoff.certificates.check")
            top = name.split(".")[0]
            assert inside or top == "numpy" or top in sys.stdlib_module_names, (path.name, name)
