"""One server for all tests of the playground."""

import pytest

pytest.importorskip("fastapi")

import httpx

from tests.web.serving import serving


@pytest.fixture(scope="session")
def playground():
    """The address of a playground that has answered its first question.

    Until then it loads, and on a busy machine compiles, for longer than a page would be waited for.
    """
    question = {"points": [{"x": 1, "y": 0, "label": 1}, {"x": -1, "y": 0, "label": -1}]}
    with serving() as url:
        httpx.post(f"{url}/api/run", json=question, timeout=300).raise_for_status()
        yield url
