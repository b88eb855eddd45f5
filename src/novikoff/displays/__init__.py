"""Pictures of perceptrons: data first, drawing second.

Every display follows scikit-learn's protocol: ``from_...`` computes, ``__init__`` stores plain
arrays, ``plot(ax=...)`` draws and returns the display, ``frame()`` gives the numbers. matplotlib is
imported by the first `plot`: ``pip install "novikoff[plot]"``.
"""

from novikoff.displays.bound import BoundDisplay
from novikoff.displays.boundary import BoundaryDisplay
from novikoff.displays.error import ErrorDisplay
from novikoff.displays.learning import LearningDisplay
from novikoff.displays.loss import LossDisplay
from novikoff.displays.obstruction import ObstructionDisplay
from novikoff.displays.theta_space import ThetaSpaceDisplay
from novikoff.displays.trace import TraceDisplay

__all__ = [
    "BoundDisplay",
    "BoundaryDisplay",
    "ErrorDisplay",
    "LearningDisplay",
    "LossDisplay",
    "ObstructionDisplay",
    "ThetaSpaceDisplay",
    "TraceDisplay",
]
