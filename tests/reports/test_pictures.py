"""Pictures stay small, however many points there are."""

import matplotlib as mpl
import numpy as np

from novikoff import AveragedPerceptron
from novikoff.displays import BoundaryDisplay
from novikoff.reports.pictures import MOST_POINTS, picture


def test_the_worst_cloud_leaves_room_for_three():
    random = np.random.RandomState(0)
    X, y = random.normal(size=(MOST_POINTS, 2)), random.randint(0, 2, MOST_POINTS)
    display = BoundaryDisplay.from_estimator(AveragedPerceptron().fit(X, y), X, y)
    with mpl.rc_context():
        mpl.rcdefaults()  # as in the process that draws for a report
        mpl.use("Agg")
        made = picture(display, "noise")
    assert len(made["light"]) + len(made["dark"]) < 750_000
