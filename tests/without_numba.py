"""``pytest -p tests.without_numba``: as where numba is not installed."""

import sys


def pytest_configure(config) -> None:  # type: ignore[no-untyped-def]  # of pytest
    """Not when it is imported: pytest imports every module, to look for doctests in it."""
    sys.modules["numba"] = None  # type: ignore[assignment]  # importing it is an ImportError now
    config.addinivalue_line("filterwarnings", "ignore:This takes long without a compiler")
