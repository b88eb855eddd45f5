"""What keeps one example of the gallery from changing the next one, and the build."""

from __future__ import annotations

import warnings
from typing import Any

_FILTERS = list(warnings.filters)


def reset_warnings(_conf: dict[str, Any], _example: str | None) -> None:
    """Put back the filters of before: an example may turn warnings off, or into errors."""
    warnings.resetwarnings()  # also tells the warnings module that its filters have changed
    warnings.filters[:] = _FILTERS
