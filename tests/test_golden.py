"""Stored trajectories, so that a change of any single update is seen."""

import json
from pathlib import Path

import numpy as np
import pytest

from novikoff import Perceptron

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_golden_trajectory(path):
    case = json.loads(path.read_text())
    table = np.array(case["data"], float)
    X, y = table[:, :-1].astype(case["dtype"]), table[:, -1]
    clf = Perceptron(record_trace=True, **case["parameters"]).fit(X, y)
    want = case["trajectory"]
    assert clf.trace_.row.tolist() == want["rows"]
    assert clf.trace_.t.tolist() == want["times"]
    theta, offset = clf.trace_.hypotheses(X)
    assert theta.tolist() == want["theta"]
    assert offset.tolist() == want["offset"]
    assert clf.n_iter_ == want["epochs"]
    assert (clf.status_ == "separated") == want["converged"]


def test_the_twelve_points_every_lecture_starts_with():
    """Ten updates, a clean sixth epoch, theta = (4, -8), theta_0 = -8."""
    case = json.loads((Path(__file__).parent / "golden" / "twelve_points.json").read_text())
    table = np.array(case["data"], float)
    clf = Perceptron(order="cyclic").fit(table[:, :-1], table[:, -1])
    assert clf.n_updates_.tolist() == [10]
    assert clf.n_iter_ == 6
    assert clf.coef_.tolist() == [[4.0, -8.0]]
    assert clf.intercept_.tolist() == [-8.0]
