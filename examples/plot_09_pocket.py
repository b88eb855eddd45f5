"""
Noisy labels: the last, the mean, and the one in the pocket
===========================================================

A few wrong labels make separable data inseparable. The pocket perceptron keeps the best hypothesis
it has met, measured on all rows; the averaged one lets the wrong labels cancel.
"""

# %%
# Two clouds with room between them, and five labels that are wrong.

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.exceptions import ConvergenceWarning

from novikoff import AveragedPerceptron, Perceptron, PocketPerceptron
from novikoff.displays import BoundaryDisplay, LearningDisplay

warnings.simplefilter("ignore", ConvergenceWarning)

random = np.random.RandomState(3)
truth = np.arange(80) % 2
X = 0.8 * random.randn(80, 2) + np.where(truth[:, None] == 1, 1.0, -1.0) * [1.6, 1.0]
y = truth.copy()
y[[4, 17, 30, 51, 66]] ^= 1

family = {
    "last": Perceptron(max_iter=30),
    "averaged": AveragedPerceptron(max_iter=30),
    "pocket": PocketPerceptron(max_iter=30),
}
figure, axes = plt.subplots(1, 3, figsize=(9.6, 4.6), layout="constrained")
for ax, (name, clf) in zip(axes, family.items(), strict=True):
    clf.fit(X, y)
    BoundaryDisplay.from_estimator(clf, X, y).plot(ax=ax)
    wrong = int((clf.predict(X) != truth).sum())
    ax.set_title(f"{name}: {wrong} of 80 against the truth", loc="left", fontsize=9)

# %%
# Epoch by epoch. The training error of the pocket can only fall.

display = LearningDisplay.from_estimators(family, X, y, validation_fraction=None).plot()
