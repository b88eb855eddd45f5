"""What the README shows is run, and so are the examples."""

import doctest
import runpy
import warnings
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_readme_is_true():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


def test_the_demo_runs_and_prints_a_table(capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        runpy.run_path(str(ROOT / "examples" / "demo.py"), run_name="__main__")
    printed = capsys.readouterr().out
    assert "separated" in printed
    assert "epoch_limit" in printed
    assert printed.count("novikoff PocketPerceptron") == 3
