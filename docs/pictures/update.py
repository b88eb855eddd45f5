"""One update: the boundary before and after it, and the example that caused it."""

from novikoff import Perceptron
from novikoff.displays import TraceDisplay

X = [[2.0, 1.0], [1.0, 3.0], [-1.0, -1.0], [2.0, -2.5], [0.5, -2.0], [3.0, 0.5]]
y = [1, 1, -1, -1, -1, 1]

clf = Perceptron(order="cyclic", fit_intercept=False, record_trace=True).fit(X, y)
TraceDisplay.from_trace(clf.trace_).plot(k=2)
