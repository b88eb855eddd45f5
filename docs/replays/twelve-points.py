"""Twelve points, ten updates: the first run of the playground."""

import numpy as np

from novikoff import Perceptron

X = np.array([[1, -2], [3, 0], [-4, 0], [2, -3], [-2, 0], [1, -3],
              [1, 2], [4, 4], [1, 3], [2, -2], [-5, -3], [5, 1]])  # fmt: skip
y = np.array([1, 1, -1, 1, -1, 1, -1, -1, -1, 1, -1, 1])

title = "Twelve points"
trace = Perceptron(order="cyclic", record_trace=True).fit(X, y).trace_
