"""The perceptron family of linear classifiers, with exact decisions and certificates."""

from novikoff.certificates import (
    CertificateError,
    NotSeparableError,
    max_margin,
    mistake_bound,
    separability,
)
from novikoff.estimators.averaged import AveragedPerceptron
from novikoff.estimators.kernel import KernelPerceptron
from novikoff.estimators.max_margin import MaxMarginClassifier
from novikoff.estimators.perceptron import Perceptron
from novikoff.estimators.pocket import PocketPerceptron
from novikoff.estimators.voted import VotedPerceptron
from novikoff.geometry import Hyperplane, losses
from novikoff.trace import Trace

__version__ = "0.1.0"

__all__ = [
    "AveragedPerceptron",
    "CertificateError",
    "Hyperplane",
    "KernelPerceptron",
    "MaxMarginClassifier",
    "NotSeparableError",
    "Perceptron",
    "PocketPerceptron",
    "Trace",
    "VotedPerceptron",
    "losses",
    "max_margin",
    "mistake_bound",
    "separability",
]
