"""Hyperplanes, margins and losses, with exact signs.

A leaf: imports NumPy, SciPy's sparse matrices and the standard library only, so that every other
part of the library may use it.
"""

from novikoff.geometry import losses
from novikoff.geometry.hyperplane import Hyperplane

__all__ = ["Hyperplane", "losses"]
