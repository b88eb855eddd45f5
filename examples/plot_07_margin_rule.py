"""
Asking for a margin
===================

A perceptron stops at the first separator it meets, however close that one passes to a point. The
margin rule goes on until every example has y·s > β. What does a larger β buy, and what does it
cost?
"""

# %%
# *Setosa* against *versicolor* by their petals: the line at which the perceptron stops, at which
# it stops with a margin rule, and the best there is.

from importlib.resources import files

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from novikoff import Hyperplane, MaxMarginClassifier, Perceptron, max_margin
from novikoff.displays import BoundaryDisplay

names = ["sepal length", "sepal width", "petal length", "petal width", "species"]
flowers = pd.read_csv(files("novikoff") / "data" / "iris.csv", names=names)
flowers["species"] = flowers["species"].str.removeprefix("Iris-")
flowers = flowers[flowers["species"] != "virginica"]
X = flowers[["petal length", "petal width"]]
y = np.where(flowers["species"] == "setosa", 1, -1)

models = {
    "β = 0": Perceptron(),
    "β = 30": Perceptron(margin=30.0, max_iter=10_000),
    "largest margin": MaxMarginClassifier(),
}
figure, axes = plt.subplots(1, 3, figsize=(9.6, 4.2), layout="constrained", sharey=True)
for ax, (name, model) in zip(axes, models.items(), strict=True):
    model.fit(X, y)
    BoundaryDisplay.from_estimator(model, X, y, standardize=False).plot(ax=ax)
    margin = Hyperplane.from_estimator(model).margin(X, y)
    ax.set_title(f"{name}: margin {margin:.3f}", loc="left", fontsize=9)

# %%
# Over many β: the share of the largest margin that is reached, and the updates it takes. (β counts
# in units of the score, so it means nothing without the length of the rows and η.)

best = max_margin(X, y).margin
betas = np.concatenate([[0.0], np.logspace(-1, 3, 25)])
shares, updates = [], []
for beta in betas:
    clf = Perceptron(margin=beta, max_iter=100_000).fit(X, y)
    shares.append(Hyperplane.from_estimator(clf).margin(X, y) / best)
    updates.append(clf.n_updates_[0])

figure, (above, below) = plt.subplots(2, figsize=(6.4, 4.6), layout="constrained", sharex=True)
above.plot(betas, shares, ".-", color="#0072b2")
above.set(ylabel="share of the largest margin", ylim=(0, 1.05))
above.set_title("A larger β buys margin with updates", fontsize=9)
below.plot(betas, updates, ".-", color="#d55e00")
below.set(xlabel="β", ylabel="updates", yscale="log", xlim=(0, betas[-1]))
below.set_xscale("symlog", linthresh=0.1)
