"""How much of the time for a report is left."""

from __future__ import annotations

import time

WRITING = 1.0  # seconds that are kept back to put the page together


class Clock:
    """Runs from the moment it is made."""

    def __init__(self, budget: float) -> None:
        self.budget = budget
        self._begin = time.monotonic()

    @property
    def spent(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self._begin

    @property
    def left(self) -> float:
        """Seconds for what is still to be computed; never negative."""
        return max(0.0, self.budget - WRITING - self.spent)
