"""Models to store, files to damage, and files that no honest writer writes."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_iris

from novikoff import (
    AveragedPerceptron,
    KernelPerceptron,
    OnlineClassifier,
    PassiveAggressiveClassifier,
    Perceptron,
    PocketPerceptron,
    VotedPerceptron,
    rules,
)
from novikoff.persistence.container import MODEL, write_file
from novikoff.persistence.writing import Writer

IRIS, KINDS = (each[::3].copy() for each in load_iris(return_X_y=True))
NAMES = np.array(["setosa", "versicolor", "virginica"])[KINDS]
TWO = KINDS < 2


def quietly(function: Any, *arguments: Any, **named: Any) -> Any:
    """Call without scikit-learn's warning that the perceptron did not converge."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*arguments, **named)


def linear_estimators() -> dict[str, Any]:
    schemes = ("ovr", "ovo", "joint")
    named = {
        f"{cls.__name__}-{scheme}": cls(multi_class=scheme, max_iter=3)
        for cls in (Perceptron, AveragedPerceptron, VotedPerceptron, PocketPerceptron)
        for scheme in schemes
    }
    any_rule = {
        f"PA-{keep}-{scheme}": OnlineClassifier(
            rules.PassiveAggressive(C=0.3, loss="squared_hinge"), keep=keep, multi_class=scheme,
            max_iter=3,
        )
        for keep in ("last", "mean", "vote", "pocket")
        for scheme in schemes
    }  # fmt: skip
    ours = {
        "PassiveAggressive": PassiveAggressiveClassifier(C=float("inf"), max_iter=3),
        "PassiveAggressive-average": PassiveAggressiveClassifier(average=True, max_iter=3),
        "Online": OnlineClassifier(keep="mean", max_iter=3),
    }
    return {**named, **any_rule, **ours}


def kernel_estimators() -> dict[str, Any]:
    votes = {
        f"Kernel-{kernel}-{vote}-{scheme}": KernelPerceptron(
            kernel=kernel, vote=vote, multi_class=scheme, max_iter=2
        )
        for kernel in ("rbf", "poly", "linear", "sigmoid")
        for vote in ("last", "averaged", "voted")
        for scheme in ("ovr", "joint")
    }
    budgets = {
        f"Kernel-{policy}-{scheme}": KernelPerceptron(
            budget=9, budget_policy=policy, multi_class=scheme, max_iter=2
        )
        for policy in ("random", "oldest", "project")
        for scheme in ("ovr", "joint")
    }
    return {**votes, **budgets}


def forms(X: Any) -> dict[str, Any]:
    """X dense and sparse, in double and in single precision."""
    return {
        "dense": X,
        "float32": X.astype(np.float32),
        "sparse": sp.csr_array(X),
        "sparse32": sp.csr_matrix(X.astype(np.float32)),
    }


class Careless(Writer):
    """Writes what it is given, sound or not, as an attacker would."""

    def _check(self, value: Any) -> None:
        pass


def save_unchecked(model: Any, path: Path) -> Path:
    """Store a model without the checks that `save` makes."""
    writer = Careless()
    tree = writer.tree(model)
    write_file(path, "novikoff.Perceptron", tree, writer.arrays)
    return path


def forge(path: Path, nodes: Any, *arrays: Any) -> Path:
    """Write a file with this structure and these arrays, its lengths and digest right."""
    tree = nodes if isinstance(nodes, bytes) else json.dumps(nodes).encode()
    write_file(path, "novikoff.Perceptron", tree, [np.asarray(array) for array in arrays])
    return path


def taken_apart(path: Path) -> tuple[list[Any], bytes]:
    """The nodes of a file and the bytes of its arrays."""
    data = path.read_bytes()
    header, _, rest = data.removeprefix(MODEL.mark).partition(b"\n")
    lengths = json.loads(header)
    tree, arrays = lengths["tree"], lengths["arrays"]
    return json.loads(rest[:tree]), rest[tree : tree + arrays]


def outputs(model: Any, X: Any) -> list[Any]:
    """What a model says of X, to the bit."""
    return [model.decision_function(X).tobytes(), np.asarray(model.predict(X)).tolist()]
