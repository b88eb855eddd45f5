"""What tests of several rooms share: one browser for all of them, one process for each file."""

import pytest
from hypothesis import settings

from tests.browser import browser

__all__ = ["browser"]

# How long an example takes says more about the machine than about the example.
settings.register_profile("untimed", parent=settings(), deadline=None)
settings.load_profile("untimed")


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items):
    """What needs a browser takes long; and the tests of a file stay together.

    What the tests of a file share is then made once, not once in every process.
    """
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.thorough)
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
