"""The last hypothesis, the mean of all, and their vote, on points with one outlier."""

import warnings

import matplotlib.pyplot as plt

from novikoff import AveragedPerceptron, Perceptron, VotedPerceptron
from novikoff.displays import BoundaryDisplay

X = [[2, 1], [3, 2.5], [1.5, 3], [4, 1], [3.5, 4], [-2, -1], [-3, -2], [-1.5, -3], [-4, -0.5],
     [-3, -4], [-3, -3]]  # fmt: skip
y = [1, 1, 1, 1, 1, -1, -1, -1, -1, -1, 1]

warnings.simplefilter("ignore")  # the first says that it never comes to rest: that is the point
plt.rc("font", size=8)
figure, axes = plt.subplots(1, 3, figsize=(8.4, 4.0), layout="constrained")
for ax, kind in zip(axes, (Perceptron, AveragedPerceptron, VotedPerceptron), strict=True):
    clf = kind(order="cyclic", max_iter=10).fit(X, y)
    BoundaryDisplay.from_estimator(clf, X, y).plot(ax=ax)
    ax.set_title(f"{kind.__name__}\n{ax.get_title(loc='left')}", loc="left")
