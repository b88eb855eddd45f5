"""Hyperplanes, margins and losses, with exact signs.

A leaf: imports NumPy, SciPy's sparse matrices and the standard library only, so that every other
part of the library may use it. Training does without hyperplanes: what is here is imported when it
is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from novikoff.geometry import losses
    from novikoff.geometry.hyperplane import Hyperplane

__all__ = ["Hyperplane", "losses"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f"novikoff.geometry.{name.lower()}")
    return home if name == "losses" else home.Hyperplane
