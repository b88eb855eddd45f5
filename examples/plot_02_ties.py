"""
Three tie rules on the same points
==================================

What is a point that lies exactly on the boundary? Textbooks disagree, and at θ = 0 every point
does. The three conventions are the values of ``ties``; on the same points, in the same order, they
make other updates and end with other hyperplanes.
"""

# %%
# Through the origin, in the order given. ``"correct"`` would never begin at θ = 0, where no point
# is wrong, and so needs another start; all three get the same one, on whose boundary one of the
# points lies.

import matplotlib.pyplot as plt
import numpy as np

from novikoff import Hyperplane, Perceptron
from novikoff.displays import BoundaryDisplay

X = np.array([[2, 0], [1, 2], [-1, 2], [0, -2], [-2, 1]])
y = np.array([1, 1, 1, -1, -1])
start = [[0.0, 1.0]]

RULES = {
    "mistake": "y·s ≤ 0 is a mistake",
    "sign": "h(x) ≠ y is a mistake, with h = +1 at s = 0",
    "correct": "y·s < 0 is a mistake",
}

figure, axes = plt.subplots(1, 3, figsize=(9.6, 4.2), layout="constrained")
for ax, (ties, meaning) in zip(axes, RULES.items(), strict=True):
    clf = Perceptron(ties=ties, order="cyclic", fit_intercept=False)
    clf.fit(X, y, coef_init=start)
    BoundaryDisplay.from_estimator(clf, X, y).plot(ax=ax)
    ax.set_title(f"ties = {ties}: {clf.n_updates_[0]} updates", loc="left", fontsize=9)
    print(f"{ties:8} {meaning:45} {clf.n_updates_[0]} updates, θ = {clf.coef_[0]}")

# %%
# Each is right by its own rule, and each says ``"separated"``. After ``"mistake"`` all points are
# strictly on their side; after the others a point may lie on the boundary, which the training
# error counts as wrong.

for ties in RULES:
    clf = Perceptron(ties=ties, order="cyclic", fit_intercept=False).fit(X, y, coef_init=start)
    error = Hyperplane.from_estimator(clf).training_error(X, y)
    print(f"{ties:8} {clf.status_}, training error {error:.0%}")
