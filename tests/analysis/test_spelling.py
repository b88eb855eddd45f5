"""The command line's spelling of what the library calls by the name of a parameter."""

import ast
import csv
import re
import shlex
from pathlib import Path

import pytest

import novikoff
from novikoff._messages import Message, Setting
from novikoff.analysis.wording import as_option, for_shell, option

SOURCES = Path(novikoff.__file__).parent
# Rooms that know nothing of a command line. (Reports, analysis and teaching say commands to copy.)
LIBRARY = (
    "certificates", "displays", "distributed", "estimators", "geometry", "kernels", "persistence",
    "replay", "streams", "trace", "training", "web",
)  # fmt: skip


@pytest.mark.parametrize(
    ("setting", "spelled"),
    [
        (Setting("ties", "mistake"), "--ties mistake"),
        (Setting("max_iter", 10), "--epochs 10"),
        (Setting("fit_intercept", False), "--through-origin"),
        (Setting("fit_intercept"), "--through-origin"),
        (Setting("header", False), "--no-header"),
        (Setting("header", True), "--header"),
        (Setting("scale", False), "--no-scale"),
        (Setting("zero_based", True), "--zero-based"),
        (Setting("hash_bits", 20), "--hash-bits 20"),
        (Setting("na", ("1,2", "no value")), "--na 1,2 --na 'no value'"),
        (Setting("target"), "--target"),
    ],
)
def test_a_setting_as_an_option(setting, spelled):
    assert as_option(setting) == spelled


def test_an_option_that_is_printed_can_be_typed():
    """A shell and the command line make of it the names that it stands for."""
    names = ("plain", "two words", "a,b", 'say "so"', "it's $HOME")
    spelled, value = shlex.split(as_option(Setting("drop", names)))
    assert spelled == "--drop"
    assert next(csv.reader([value])) == list(names)


def test_only_settings_are_spelled_anew():
    told = Message("margin=1 is a column; ", Setting("margin", 0.0), " is none")
    assert for_shell(ValueError(told)) == "margin=1 is a column; --margin 0.0 is none"
    assert for_shell("use margin=0.0") == "use margin=0.0"


def test_every_setting_that_is_said_has_an_option():
    """The table of spellings and the options that there are cannot drift apart."""
    typer = pytest.importorskip("typer")
    from novikoff.cli.app import app

    commands = typer.main.get_command(app).commands.values()
    there = {name for c in commands for p in c.params for name in (*p.opts, *p.secondary_opts)}
    said = {
        name
        for file in SOURCES.rglob("*.py")
        for name in re.findall(r'Setting\(["\'](\w+)["\']', file.read_text(encoding="utf-8"))
    }
    assert {"drop", "target", "coef_init", "scale"} <= said
    assert {option(name) for name in said} <= there


def test_the_library_speaks_of_no_options():
    found = [
        f"{file.relative_to(SOURCES)}: {node.value}"
        for room in LIBRARY
        for file in (SOURCES / room).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.search(r"(?<![\w-])--[a-z]", node.value)
    ]
    assert found == []
