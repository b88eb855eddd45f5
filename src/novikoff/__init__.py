"""The perceptron family of linear classifiers, with exact decisions and certificates.

Names are imported when they are first used, so that a program that needs few of them (the command
line's ``--help``) does not wait for scikit-learn.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from novikoff import displays, distributed, rules, streams, teaching
    from novikoff.certificates import (
        CertificateError,
        NotSeparableError,
        max_margin,
        mistake_bound,
        separability,
        separation,
    )
    from novikoff.estimators.averaged import AveragedPerceptron
    from novikoff.estimators.kernel import KernelPerceptron
    from novikoff.estimators.max_margin import MaxMarginClassifier
    from novikoff.estimators.online import OnlineClassifier
    from novikoff.estimators.passive_aggressive import PassiveAggressiveClassifier
    from novikoff.estimators.perceptron import Perceptron
    from novikoff.estimators.pocket import PocketPerceptron
    from novikoff.estimators.voted import VotedPerceptron
    from novikoff.geometry import Hyperplane, losses
    from novikoff.interchange import to_onnx, to_sklearn
    from novikoff.persistence import ModelFileError, load, save
    from novikoff.reports.make import report
    from novikoff.trace import Trace
    from novikoff.web.notebook import play

__version__ = "0.1.0"

__all__ = [
    "AveragedPerceptron",
    "CertificateError",
    "Hyperplane",
    "KernelPerceptron",
    "MaxMarginClassifier",
    "ModelFileError",
    "NotSeparableError",
    "OnlineClassifier",
    "PassiveAggressiveClassifier",
    "Perceptron",
    "PocketPerceptron",
    "Trace",
    "VotedPerceptron",
    "displays",
    "distributed",
    "load",
    "losses",
    "max_margin",
    "mistake_bound",
    "play",
    "report",
    "rules",
    "save",
    "separability",
    "separation",
    "streams",
    "teaching",
    "to_onnx",
    "to_sklearn",
]

_HOMES = {
    "AveragedPerceptron": "estimators.averaged",
    "CertificateError": "certificates",
    "Hyperplane": "geometry",
    "KernelPerceptron": "estimators.kernel",
    "MaxMarginClassifier": "estimators.max_margin",
    "ModelFileError": "persistence",
    "NotSeparableError": "certificates",
    "OnlineClassifier": "estimators.online",
    "PassiveAggressiveClassifier": "estimators.passive_aggressive",
    "Perceptron": "estimators.perceptron",
    "PocketPerceptron": "estimators.pocket",
    "Trace": "trace",
    "VotedPerceptron": "estimators.voted",
    "load": "persistence",
    "losses": "geometry",
    "max_margin": "certificates",
    "mistake_bound": "certificates",
    "play": "web.notebook",
    "report": "reports.make",
    "save": "persistence",
    "separability": "certificates",
    "separation": "certificates",
    "to_onnx": "interchange.onnx",
    "to_sklearn": "interchange.scikit_learn",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(f"novikoff.{_HOMES[name]}"), name)
    elif name in __all__:  # a public module
        value = import_module(f"novikoff.{name}")
    else:
        raise AttributeError(f"module 'novikoff' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
