"""The plane of two weights: every example allows one half-plane of it."""

import numpy as np

from novikoff import Perceptron
from novikoff.displays import ThetaSpaceDisplay

random = np.random.RandomState(4)
y = np.arange(12) % 2
angle = random.uniform(0.25, np.pi - 0.25, 12) + np.pi * (1 - y)
X = np.column_stack([np.cos(angle), np.sin(angle)]) * random.uniform(0.6, 3.0, 12)[:, None]

clf = Perceptron(order="cyclic", fit_intercept=False, record_trace=True).fit(X, y)
ThetaSpaceDisplay.from_trace(clf.trace_).plot()
