"""One server for all tests of the playground."""

import pytest

pytest.importorskip("fastapi")

from tests.web.serving import serving


@pytest.fixture(scope="session")
def playground():
    """The address of a playground."""
    with serving() as url:
        yield url
