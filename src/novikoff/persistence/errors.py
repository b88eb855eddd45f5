"""The one error of model files."""

from __future__ import annotations

from typing import Any


class ModelFileError(ValueError):
    """A model that cannot be stored, or a file that is no sound model file."""


def require(condition: Any, message: str) -> None:
    """Raise a `ModelFileError` unless `condition` holds."""
    if not condition:
        raise ModelFileError(message)
