"""What tests of several rooms share: one browser for all of them, one process for each file."""

import signal
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import settings

from novikoff import _jit
from tests.browser import browser
from tests.examples import examples

__all__ = ["browser"]

# How long an example takes says more about the machine than about the example.
settings.register_profile("untimed", parent=examples(settings().max_examples), deadline=None)
settings.load_profile("untimed")

# A shell lets what it starts in the background ignore interrupts, and so would all we start.
signal.signal(signal.SIGINT, signal.default_int_handler)


FEW = 5  # cases that a test is tried on in the ordinary run, spread over all it has
# What states that compiled code is right. However small its data is, the thorough run has it
# compiled; the ordinary one has it as plain Python, see the Makefile, and what is golden compiled.
THOROUGH = (
    "tests/kernels/", "tests/test_properties.py", "tests/test_reference.py", "tests/test_rules.py",
    "tests/test_toy_rule.py", "tests/training/test_prediction.py",
)  # fmt: skip
COMPILED = ("tests/test_golden.py", *THOROUGH)
# Elsewhere small work stays plain, see `patience`, but for what is about the choice itself.
CHOOSING = ("tests/test_jit.py", "tests/test_small_work.py")


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items):
    """What needs a browser takes long, and so do compilers and many cases.

    The tests of a file stay together: what they share is made once, not once in every process.
    """
    cases = defaultdict(list)
    for item in items:
        compiled = _jit._numba() is not None and _place(item).startswith(THOROUGH)
        if compiled or "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.thorough)
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
        if not any(map(item.get_closest_marker, ("thorough", "every_case"))):
            cases[item.nodeid.partition("[")[0]].append(item)
    for family in cases.values():
        step = max(1.0, (len(family) - 1) / (FEW - 1))
        chosen = {round(step * k) for k in range(FEW)}
        for k, item in enumerate(family):
            if k not in chosen:
                item.add_marker(pytest.mark.thorough)


def _place(node):
    return Path(node.path).relative_to(Path(__file__).parent.parent).as_posix()


@pytest.fixture(scope="module", autouse=True)
def patience(request):
    """Compile at once where compiled code is what a file is about.

    Elsewhere wait for as much work as on a machine where nothing has been compiled yet: what other
    tests have left on disk is for other types, and would have these compiled as well.
    """
    here = _place(request.node)
    before = _jit.patience
    if here not in CHOOSING and before is None and _jit._numba() is not None:
        compiled = here.startswith(COMPILED)
        _jit.patience = 0.0 if compiled else _jit._WORTH_COMPILING
    yield
    _jit.patience = before
