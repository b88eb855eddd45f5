"""Twelve points, a hyperplane, and the two half-spaces."""

import numpy as np

from novikoff import Perceptron
from novikoff.displays import BoundaryDisplay

X = np.array([[1, -2], [3, 0], [-4, 0], [2, -3], [-2, 0], [1, -3],
              [1, 2], [4, 4], [1, 3], [2, -2], [-5, -3], [5, 1]])  # fmt: skip
y = np.array([1, 1, -1, 1, -1, 1, -1, -1, -1, 1, -1, 1])

clf = Perceptron(order="cyclic").fit(X, y)
BoundaryDisplay.from_estimator(clf, X, y).plot()
