"""The perceptron family of linear classifiers, with exact decisions."""

from novikoff.estimators.averaged import AveragedPerceptron
from novikoff.estimators.perceptron import Perceptron
from novikoff.estimators.pocket import PocketPerceptron
from novikoff.estimators.voted import VotedPerceptron
from novikoff.trace import Trace

__version__ = "0.1.0"

__all__ = [
    "AveragedPerceptron",
    "Perceptron",
    "PocketPerceptron",
    "Trace",
    "VotedPerceptron",
]
