"""
Voted against kernel
====================

Both draw boundaries that are no lines. A vote of many lines is cheap, and its boundary is made of
their pieces. A kernel looks for a hyperplane in a larger space, and can bend as it needs.
"""

# %%
# One class around the other, and two halves that interlock: the same three classifiers on both.

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.exceptions import ConvergenceWarning

from novikoff import KernelPerceptron, Perceptron, VotedPerceptron
from novikoff.displays import BoundaryDisplay

warnings.simplefilter("ignore", ConvergenceWarning)
random = np.random.RandomState(2)


def ring(n):
    X = 1.2 * random.randn(n, 2)
    return X, np.where(np.hypot(*X.T) > 1.4, "outer", "inner")


def moons(n):
    t = random.uniform(0, np.pi, n)
    upper = np.arange(n) % 2 == 1
    X = np.column_stack([np.cos(t), np.sin(t)])
    X[~upper] = [1.0, 0.4] - X[~upper]
    return 2 * (X + 0.15 * random.randn(n, 2)), np.where(upper, "upper", "lower")


models = {
    "last": Perceptron(max_iter=10),
    "voted": VotedPerceptron(max_iter=10),
    "kernel": KernelPerceptron(kernel="rbf", gamma=1.0, max_iter=20, vote="voted"),
}
data = {"ring": (ring(120), ring(1000)), "moons": (moons(120), moons(1000))}

figure, axes = plt.subplots(2, 3, figsize=(9.6, 7.6), layout="constrained")
for line, (name, (train, test)) in zip(axes, data.items(), strict=True):
    for ax, (kind, model) in zip(line, models.items(), strict=True):
        model.fit(*train)
        BoundaryDisplay.from_estimator(model, *train).plot(ax=ax)
        ax.set_title(
            f"{name}, {kind}: test error {1 - model.score(*test):.1%}", loc="left", fontsize=9
        )

# %%
# What it costs: a vote keeps every hypothesis of the run, a kernel every row that was ever a
# mistake.

voted, kernel = models["voted"], models["kernel"]
print("moons:", len(voted.survival_times_[0]), "hypotheses;", len(kernel.support_), "support rows")
