"""What tests of several rooms share: one browser for all of them, one process for each file."""

import pytest

from tests.browser import browser

__all__ = ["browser"]


def pytest_collection_modifyitems(items):
    """Keep the tests of a file together: what they share is then made once, not per process."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
