"""
A homework, done by hand and by machine
=======================================

*Run the perceptron with offset on these six points, in the order given, starting from θ = 0 and θ₀
= 0. Give every update. Draw the result.* Here is all of it: the table as one writes it on paper,
the picture of each update, and the check that the run kept within the theorem's bound.
"""

# %%
# The points, and what the homework fixes: the order of visits. Everything else is the default: a
# score of exactly zero is a mistake, the step is η = 1.

import numpy as np

from novikoff import Perceptron
from novikoff.displays import BoundaryDisplay, TraceDisplay

X = np.array([[2, -1], [-3, 1], [3, -1], [-1, 4], [3, 1], [3, -2]])
y = np.array([-1, -1, 1, 1, 1, -1])

clf = Perceptron(order="cyclic", record_trace=True).fit(X, y)
clf.status_, clf.coef_[0], clf.intercept_[0]

# %%
# Every update in a row: which point, its score before and after, and θ and θ₀ from then on.

clf.trace_.frame()

# %%
# The same with all the arithmetic, as one writes it on paper and hands it in: a table in Markdown.

print(clf.trace_.markdown())

# %%
# Every update in a panel of its own: the boundary before (dashed) and after it, and the point that
# caused it.

display = TraceDisplay.from_trace(clf.trace_).plot_run(panels=6)

# %%
# The result: two half-spaces, θ perpendicular to the line between them, and the nearest points
# ringed.

display = BoundaryDisplay.from_estimator(clf, X, y).plot()

# %%
# Was it done right? The audit checks every step against the proof of Block and Novikoff.

print(clf.trace_.audit())
