"""Separable, but not by a line through the origin."""

from novikoff import Perceptron
from novikoff.displays import BoundaryDisplay

X = [[1, 1], [2, 1], [1, 2], [0.5, 0.5], [3, 3], [4, 3], [3, 4], [4.5, 4.5]]
y = [-1, -1, -1, -1, 1, 1, 1, 1]

clf = Perceptron(order="cyclic").fit(X, y)
BoundaryDisplay.from_estimator(clf, X, y, origin=True).plot()
