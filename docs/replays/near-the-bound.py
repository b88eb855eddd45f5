"""Three points that cost 55 updates."""

from novikoff import Perceptron

title = "Three points, 55 updates"
trace = (
    Perceptron(order="cyclic", record_trace=True).fit([[5, 0], [3, 4], [5, -1]], [-1, -1, 1]).trace_
)
