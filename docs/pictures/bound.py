"""A run against the theorem of Block and Novikoff."""

from novikoff import Perceptron
from novikoff.displays import BoundDisplay

X, y = [[5, 0], [3, 4], [5, -1]], [-1, -1, 1]
clf = Perceptron(order="cyclic", record_trace=True).fit(X, y)
BoundDisplay.from_trace(clf.trace_).plot()
