"""Pictures stay small, however many points there are."""

import os
import subprocess
import sys

CODE = """
import numpy as np
from novikoff import AveragedPerceptron
from novikoff.displays import BoundaryDisplay
from novikoff.reports.pictures import MOST_POINTS, picture
r = np.random.RandomState(0)
X, y = r.normal(size=(MOST_POINTS, 2)), r.randint(0, 2, MOST_POINTS)
made = picture(BoundaryDisplay.from_estimator(AveragedPerceptron().fit(X, y), X, y), "noise")
print(len(made.light) + len(made.dark))
"""


def test_the_worst_cloud_leaves_room_for_three():
    # In a process of its own, as in a report: pictures are drawn with matplotlib's own settings.
    done = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, check=True,
        env={**os.environ, "MPLBACKEND": "Agg"},
    )  # fmt: skip
    assert int(done.stdout) < 750_000
