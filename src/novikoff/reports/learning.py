"""Learning curves. In a worker."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from novikoff.analysis.wording import percent
from novikoff.reports.pictures import picture

MODULE = "novikoff.reports.learning"
EPOCHS = 20
MOST_ROWS = 20_000


def answer(X: Any, codes: Any, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The curves of last, averaged and pocket, as a picture and as numbers.

    question : n_train, how many of the rows, the first, are to learn from; seed
    """
    from novikoff import AveragedPerceptron, Perceptron, PocketPerceptron
    from novikoff.displays import LearningDisplay

    n, seed = question["n_train"], question["seed"]
    settings = {"max_iter": EPOCHS, "random_state": seed}
    held = X.shape[0] > n
    display = LearningDisplay.from_estimators(
        {
            "last": Perceptron(**settings),
            "averaged": AveragedPerceptron(**settings),
            "pocket": PocketPerceptron(**settings),
        },
        X[:n], codes[:n], X_val=X[n:] if held else None, y_val=codes[n:] if held else None,
        validation_fraction=None,
    )  # fmt: skip
    rows = [
        {
            "name": display.names[i],
            "epochs": int(display.epochs[i][-1]),
            "training": float(display.training[i][-1]),
            "validation": float(display.validation[i][-1]) if held else None,
            "first_pass": _finite(display.first_pass[i]),
        }
        for i in range(len(display.names))
    ]
    yield {"picture": picture(display, _about(rows)), "rows": rows}


def _about(rows: list[dict[str, Any]]) -> str:
    ends = []
    for row in rows:
        end = f"{row['name']} ends after {row['epochs']} epochs"
        end += f" at {percent(row['training'])} training"
        if row["validation"] is not None:
            end += f" and {percent(row['validation'])} held-out"
        ends.append(f"{end} error")
    return f"Curves of the error over the epochs: {'; '.join(ends)}."


def _finite(x: float) -> float | None:
    return float(x) if np.isfinite(x) else None
