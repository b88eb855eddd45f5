"""The gallery: every example has a title and pictures; the fastest of them are run."""

import ast
import re
import runpy
import warnings
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("plot_*.py"))
FAST = ("plot_01_homework", "plot_02_ties", "plot_05_separable")


def test_every_example_has_a_title_an_introduction_and_a_picture():
    assert len(EXAMPLES) >= 12
    for path in EXAMPLES:
        source = path.read_text(encoding="utf-8")
        title, rule, _, introduction = ast.get_docstring(ast.parse(source)).split("\n", 3)
        assert rule == "=" * len(title), path.name
        assert introduction, path.name
        assert re.search(r"\.plot(_run)?\(|subplots\(", source), path.name


def test_titles_differ():
    titles = [
        ast.get_docstring(ast.parse(path.read_text("utf-8"))).split("\n")[0] for path in EXAMPLES
    ]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("name", FAST)
def test_an_example_runs_and_draws(name, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    import matplotlib.pyplot as plt

    path = next(path for path in EXAMPLES if path.stem == name)
    with plt.rc_context(), warnings.catch_warnings():
        runpy.run_path(str(path))
        drawn = [ax for number in plt.get_fignums() for ax in plt.figure(number).axes]
        plt.close("all")
    assert drawn
