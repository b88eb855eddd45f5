"""How many examples a property is tried on: a few where time is short, all in the thorough run."""

import os

from hypothesis import settings

ALL = "NOVIKOFF_ALL_EXAMPLES" in os.environ


def examples(n):
    """Of `n` in the thorough run, a quarter of them in the ordinary one."""
    return settings(max_examples=n if ALL else max(6, n // 4))
