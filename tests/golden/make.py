"""Write the golden trajectories: ``python -m tests.golden.make``.

They come from the oracle in `tests.reference`, never from the library.
"""

import json
from pathlib import Path

import numpy as np

from tests.reference import Run

TWELVE = [
    (1, -2, 1), (3, 0, 1), (-4, 0, -1), (2, -3, 1), (-2, 0, -1), (1, -3, 1),
    (1, 2, -1), (4, 4, -1), (1, 3, -1), (2, -2, 1), (-5, -3, -1), (5, 1, 1),
]  # fmt: skip
CASES = {
    "twelve_points": {
        "dtype": "float64", "data": TWELVE,
        "parameters": {"order": "cyclic", "max_iter": 100},
    },
    "twelve_points_margin_shuffled": {
        "dtype": "float64", "data": TWELVE,
        "parameters": {"order": "shuffled", "max_iter": 100, "margin": 5.0, "random_state": 3},
    },
    "thirds_in_single_precision": {
        "dtype": "float32",
        "data": [(1 / 3, 0.1, 1), (0.2, 0.3, -1), (0.7, 0.6, 1), (0.1, 0.4, -1), (0.9, 0.85, 1)],
        "parameters": {"order": "cyclic", "max_iter": 6, "eta0": 0.1},
    },
    "random_draws_through_the_origin": {
        "dtype": "float64", "data": TWELVE,
        "parameters": {
            "order": "random", "max_iter": 8, "ties": "correct", "margin": 1.0,
            "fit_intercept": False, "random_state": 11,
        },
    },
}  # fmt: skip


def trajectory(case):
    table = np.array(case["data"], float)
    options = case["parameters"]
    run = Run(
        table[:, :-1].astype(case["dtype"]), table[:, -1].astype(int),
        kind=options["order"], epochs=options["max_iter"], seed=options.get("random_state", 0),
        beta=options.get("margin", 0.0), ties=options.get("ties", "mistake"),
        eta=options.get("eta0", 1.0), fit_intercept=options.get("fit_intercept", True),
    )  # fmt: skip
    return {
        "rows": run.rows,
        "times": run.times,
        "theta": [[float(v) for v in theta] for theta, _ in run.hypotheses],
        "offset": [float(offset) for _, offset in run.hypotheses],
        "converged": run.converged,
        "epochs": run.epochs_run,
    }


if __name__ == "__main__":
    for name, case in CASES.items():
        path = Path(__file__).parent / f"{name}.json"
        path.write_text(json.dumps({**case, "trajectory": trajectory(case)}, indent=1) + "\n")
