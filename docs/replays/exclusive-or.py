"""The corners of a square, crosswise: it never ends."""

import warnings

from novikoff import Perceptron

warnings.simplefilter("ignore")  # the perceptron says that it does not come to rest

title = "Exclusive or"
X, y = [[2, 2], [-2, -2], [2, -2], [-2, 2]], [-1, -1, 1, 1]
trace = Perceptron(order="cyclic", max_iter=6, record_trace=True).fit(X, y).trace_
