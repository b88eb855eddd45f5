"""
Why averaging helps
===================

On data that no hyperplane separates the perceptron never comes to rest. Its last hypothesis is
whatever the last mistakes made of it. The mean of all hypotheses is one hyperplane too, costs
hardly more, and stays put.
"""

# %%
# Two clouds of ten features that overlap, one third of the rows held out. The error of the last
# hypothesis jumps from epoch to epoch; those of the mean and of the vote hardly move. No
# classifier can be below 17.1 % here.

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.exceptions import ConvergenceWarning

from novikoff import AveragedPerceptron, Perceptron, VotedPerceptron
from novikoff.displays import LearningDisplay

warnings.simplefilter("ignore", ConvergenceWarning)  # that it does not come to rest is the point

random = np.random.RandomState(0)
y = np.arange(600) % 2
X = random.randn(600, 10) + np.where(y[:, None] == 1, 0.3, -0.3)

family = [kind(max_iter=20) for kind in (Perceptron, AveragedPerceptron, VotedPerceptron)]
display = LearningDisplay.from_estimators(family, X, y, validation_fraction=1 / 3).plot()

# %%
# What is being averaged: every hypothesis of one run as a line, on two features, and their mean.
# The hypotheses scatter around a direction; the mean has found it.

y2 = np.arange(120) % 2
X2 = random.randn(120, 2) + np.where(y2[:, None] == 1, 0.9, -0.9) * [1.0, 0.5]
averaged = AveragedPerceptron(max_iter=10, record_trace=True).fit(X2, y2)
thetas, offsets = averaged.trace_.hypotheses(X2)

figure, ax = plt.subplots(figsize=(5.2, 4.6), layout="constrained")
across = np.array([-4.0, 4.0])
with np.errstate(divide="ignore", invalid="ignore"):
    for theta, offset in zip(thetas[1:], offsets[1:], strict=True):
        ax.plot(across, -(theta[0] * across + offset) / theta[1], color="0.6", lw=0.5, alpha=0.4)
theta, offset = averaged.coef_[0], averaged.intercept_[0]
ax.plot(across, -(theta[0] * across + offset) / theta[1], color="black", label="their mean")
ax.plot(*X2[y2 == 1].T, "o", color="#0072b2", markersize=4)
ax.plot(*X2[y2 == 0].T, "s", color="#d55e00", markersize=4)
ax.set(xlim=(-4, 4), ylim=(-4, 4), aspect="equal")
ax.set_title(f"{len(thetas) - 1} hypotheses of one run, and their mean", fontsize=9)
ax.legend(frameon=False, loc="upper right")
