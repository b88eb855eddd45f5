"""
Losses, and what the perceptron descends on
===========================================

Counting mistakes is what one means; it has no useful gradient. The perceptron loss max(0, −y·s)
has one, and the update of the perceptron is a step against it. Hinge asks for y·s ≥ 1 on top.
"""

# %%
# The three losses as functions of y·s, and their subgradients at the kink.

import matplotlib.pyplot as plt
import numpy as np

from novikoff import Perceptron, losses
from novikoff.displays import LossDisplay

display = LossDisplay.from_range().plot()

# %%
# A visit with replacement (``order="random"``) is a step of stochastic subgradient descent on the
# mean perceptron loss. On separable data that loss ends at zero, and so do the mistakes; on the
# way it need not fall at every step.

random = np.random.RandomState(1)
X = random.uniform(-1, 1, (200, 2))
X = X[np.abs(X @ [2, 1] - 0.4) > 0.1]
y = (X @ [2, 1] > 0.4).astype(int)
clf = Perceptron(order="random", record_trace=True, max_iter=1000).fit(X, y)
thetas, offsets = clf.trace_.hypotheses(X)
side = np.where(y == clf.classes_[1], 1, -1)
scores = X @ thetas.T + offsets

figure, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
steps = np.arange(len(thetas))
for loss, colour in ((losses.zero_one, "0.4"), (losses.perceptron, "#0072b2")):
    path = [loss(side, score).mean() for score in scores.T]
    ax.plot(steps, path, ".-", color=colour, label=loss.__name__.replace("_", "-"))
ax.set(xlabel="updates", ylabel="mean over all rows")
ax.set_title("The losses of every hypothesis of a run", fontsize=9)
ax.legend(frameon=False)
