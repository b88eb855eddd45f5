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
    "certificates": "CertificateError NotSeparableError max_margin mistake_bound separability "
    "separation",
    "estimators.averaged": "AveragedPerceptron",
    "estimators.kernel": "KernelPerceptron",
    "estimators.max_margin": "MaxMarginClassifier",
    "estimators.online": "OnlineClassifier",
    "estimators.passive_aggressive": "PassiveAggressiveClassifier",
    "estimators.perceptron": "Perceptron",
    "estimators.pocket": "PocketPerceptron",
    "estimators.voted": "VotedPerceptron",
    "geometry": "Hyperplane losses",
    "interchange.onnx": "to_onnx",
    "interchange.scikit_learn": "to_sklearn",
    "persistence": "ModelFileError load save",
    "reports.make": "report",
    "trace": "Trace",
    "web.notebook": "play",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'novikoff' has no attribute {name!r}")
    homes = [home for home, names in _HOMES.items() if name in names.split()]
    if homes:
        value = getattr(import_module(f"novikoff.{homes[0]}"), name)
    else:  # a public module
        value = import_module(f"novikoff.{name}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
