"""The page's own folder, served for all tests of the playground."""

import pytest

from tests.web.serving import serving


@pytest.fixture(scope="session")
def playground():
    """The address of the playground."""
    with serving() as url:
        yield url
