"""Mistakes and errors, epoch by epoch, on two clouds that overlap."""

import numpy as np

from novikoff import AveragedPerceptron, Perceptron, PocketPerceptron
from novikoff.displays import LearningDisplay

random = np.random.RandomState(0)
y = np.arange(400) % 2
X = random.randn(400, 10) + np.where(y[:, None] == 1, 0.3, -0.3)

family = [kind(max_iter=15) for kind in (Perceptron, AveragedPerceptron, PocketPerceptron)]
LearningDisplay.from_estimators(family, X, y).plot()
