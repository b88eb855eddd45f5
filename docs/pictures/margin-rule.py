"""The margin that the margin rule reaches, as a share of the largest there is."""

import matplotlib.pyplot as plt
import numpy as np

from novikoff import Hyperplane, Perceptron, max_margin

X = np.array([[1, -2], [3, 0], [-4, 0], [2, -3], [-2, 0], [1, -3],
              [1, 2], [4, 4], [1, 3], [2, -2], [-5, -3], [5, 1]])  # fmt: skip
y = np.array([1, 1, -1, 1, -1, 1, -1, -1, -1, 1, -1, 1])
ones = np.column_stack(
    [X, np.ones(12)]
)  # the offset as a feature, so that the theorem speaks of it

best = max_margin(ones, y, fit_intercept=False).margin
R = np.linalg.norm(ones, axis=1).max()
betas = np.concatenate([[0], np.logspace(0, 4, 40)])
reached = []
for beta in betas:
    clf = Perceptron(margin=beta, fit_intercept=False, order="cyclic", max_iter=10**5).fit(ones, y)
    reached.append(Hyperplane(clf.coef_[0], 0.0).margin(ones, y) / best)

figure, ax = plt.subplots(figsize=(4.8, 3.0), layout="constrained")
ax.plot(betas, reached, ".-", color="#0072b2", label="reached")
ax.plot(betas, betas / (2 * betas + R**2), color="#d55e00", label="promised: β/(2β + R²)")
ax.set_xscale("symlog", linthresh=1)
ax.set(xlabel="β", ylabel="share of the largest margin", ylim=(0, 1.05), xlim=(0, None))
ax.legend(frameon=False, loc="lower right")
ax.spines[["top", "right"]].set_visible(False)
