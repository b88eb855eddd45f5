"""A ring around a disc: no line separates them, a kernel does."""

import numpy as np

from novikoff import KernelPerceptron
from novikoff.displays import BoundaryDisplay

X = np.random.RandomState(2).randn(150, 2)
y = np.where(np.hypot(*X.T) > 1.2, "outer", "inner")

clf = KernelPerceptron(kernel="rbf", gamma=1.0, max_iter=50).fit(X, y)
BoundaryDisplay.from_estimator(clf, X, y).plot()
