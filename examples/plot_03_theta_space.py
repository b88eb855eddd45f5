"""
The same run, seen from θ
=========================

A classifier is a point too: the plane below is not that of the examples but that of θ. Every
example allows half of it, and what all of them allow is a cone. The perceptron hops towards it,
one example at a time.
"""

# %%
# Twelve points that a line through the origin separates, none close to it.

import matplotlib.pyplot as plt
import numpy as np

from novikoff import Perceptron
from novikoff.displays import BoundaryDisplay, ErrorDisplay, ThetaSpaceDisplay

random = np.random.RandomState(4)
y = np.arange(12) % 2
angle = random.uniform(0.12, np.pi - 0.12, 12) + np.pi * (1 - y)
X = np.column_stack([np.cos(angle), np.sin(angle)]) * random.uniform(0.6, 3.0, 12)[:, None]

clf = Perceptron(fit_intercept=False, order="cyclic", record_trace=True).fit(X, y)

figure, axes = plt.subplots(1, 2, figsize=(9.6, 5.4), layout="constrained")
BoundaryDisplay.from_estimator(clf, X, y).plot(ax=axes[0])
axes[0].set_title("The plane of the examples", loc="left", fontsize=9)
display = ThetaSpaceDisplay.from_trace(clf.trace_).plot(ax=axes[1])

# %%
# An update adds y·x to θ, that is, it moves θ at right angles to the edge of the half-plane that
# it is not in. The angle to the middle of the cone, θ*, need not shrink at every step; its cosine
# has a floor that rises.

display.frame().round(2)

# %%
# How wrong is each direction of θ? The training error is a staircase: flat almost everywhere, so
# that no gradient leads down it. That is why the perceptron follows examples and not the error.

display = ErrorDisplay.from_estimator(clf, X, y).plot()
