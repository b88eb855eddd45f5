"""``pytest -p tests.without_numba``: as where numba is not installed."""

import sys

sys.modules["numba"] = None  # type: ignore[assignment]  # importing it is an ImportError now
