"""How many updates the same twelve points cost, in 500 visiting orders."""

import matplotlib.pyplot as plt
import numpy as np

from novikoff import Perceptron, mistake_bound

X = np.array([[1, -2], [3, 0], [-4, 0], [2, -3], [-2, 0], [1, -3],
              [1, 2], [4, 4], [1, 3], [2, -2], [-5, -3], [5, 1]])  # fmt: skip
y = np.array([1, 1, -1, 1, -1, 1, -1, -1, -1, 1, -1, 1])

updates = [Perceptron(random_state=seed).fit(X, y).n_updates_[0] for seed in range(500)]
bound = mistake_bound(X, y).value

figure, ax = plt.subplots(figsize=(4.8, 2.8), layout="constrained")
ax.hist(updates, bins=np.arange(min(updates) - 0.5, max(updates) + 1), color="#0072b2", rwidth=0.9)
ax.axvline(bound, color="#d55e00")
ax.annotate(f"(R/γ)² = {bound:.1f}", (bound, 1), xycoords=("data", "axes fraction"),
            xytext=(-6, -6), textcoords="offset points", ha="right", va="top")  # fmt: skip
ax.set(xlabel="updates until separated", ylabel="visiting orders", xlim=(0, bound + 1))
ax.spines[["top", "right"]].set_visible(False)
