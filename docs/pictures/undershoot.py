"""A run in which five of seven updates undershoot."""

from novikoff import Perceptron
from novikoff.displays import TraceDisplay

X, y = [[10.0, 0.0], [1.0, 1.0]], [1, -1]
clf = Perceptron(order="cyclic", fit_intercept=False, record_trace=True).fit(X, y)
TraceDisplay.from_trace(clf.trace_).plot(k=2)
