"""
Orders, and the bound that none of them breaks
==============================================

The order in which the examples are visited decides which mistakes are made, and how many. That
there are never more than (R/γ)² is the theorem of Block and Novikoff (1962). Here are 500 orders
of the same rows, and the proof at work in one run.
"""

# %%
# Iris flowers, *setosa* against the others, by the length and width of their petals.

from importlib.resources import files

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from novikoff import Perceptron, mistake_bound
from novikoff.displays import BoundDisplay

names = ["sepal length", "sepal width", "petal length", "petal width", "species"]
flowers = pd.read_csv(files("novikoff") / "data" / "iris.csv", names=names)
flowers["species"] = flowers["species"].str.removeprefix("Iris-")
X = flowers[["petal length", "petal width"]]
y = np.where(flowers["species"] == "setosa", "setosa", "others")

bound = mistake_bound(X, y).value
shuffled = [Perceptron(random_state=seed).fit(X, y).n_updates_[0] for seed in range(500)]
drawn = [Perceptron(order="random", random_state=s).fit(X, y).n_updates_[0] for s in range(500)]
cyclic = Perceptron(order="cyclic").fit(X, y).n_updates_[0]

figure, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
bins = np.arange(0.5, max(shuffled + drawn) + 1)
ax.hist([shuffled, drawn], bins=bins, label=["shuffled", "random"], color=["#0072b2", "#d55e00"])
ax.axvline(cyclic, color="0.3", linestyle="--", label=f"cyclic: {cyclic}")
ax.set_title(f"No order needs more than (R/γ)² = {bound:.0f} updates", fontsize=9)
ax.set(xlabel="updates until separated", ylabel="runs")
ax.legend(frameon=False)

# %%
# Why so? With every update θ·θ* grows by at least γ, and ‖θ‖² by at most R²; but θ·θ* cannot
# exceed ‖θ‖. On logarithmic axes the two limits are straight lines of different slope. They meet
# at (R/γ)², and there the run must have ended.

worst = int(np.argmax(shuffled))
clf = Perceptron(random_state=worst, record_trace=True).fit(X, y)
display = BoundDisplay.from_trace(clf.trace_).plot()

# %%
# The audit of that run: every update was held against the proof.

print(clf.trace_.audit())
