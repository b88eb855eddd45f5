"""
Why did my logistic regression diverge?
=======================================

A coefficient that grows with every tolerance one tries, and no warning: maximum likelihood has no
finite solution where the classes are separable, or nearly so. ``separability(core=True)`` says
whether that is so, which coefficients are infinite, and proves it.
"""

# %%
# Two species of iris, two lengths in centimetres, and a yes/no variable: *the petal is longer than
# 5.1 cm*. How the coefficients depend on when the optimiser is told to stop:

from importlib.resources import files

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

from novikoff import separability

names = ["sepal length", "sepal width", "petal length", "petal width", "species"]
flowers = pd.read_csv(files("novikoff") / "data" / "iris.csv", names=names)
flowers["species"] = flowers["species"].str.removeprefix("Iris-")
flowers = flowers[flowers["species"] != "setosa"].copy()
flowers["long petal"] = (flowers["petal length"] > 5.1).astype(int)

used = ["sepal length", "sepal width", "long petal"]
X, y = flowers[used].to_numpy(), flowers["species"].to_numpy()

tolerances = 10.0 ** -np.arange(1, 11)
paths = [
    LogisticRegression(C=np.inf, tol=tol, max_iter=100_000).fit(X, y).coef_[0] for tol in tolerances
]
result = separability(X, y, core=True)

figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
for name, path, verdict in zip(used, np.transpose(paths), result.infinite, strict=False):
    ax.plot(tolerances, path, ".-", label=f"{name}: {verdict}")
ax.set_xscale("log")
ax.invert_xaxis()
ax.set(xlabel="tolerance of the optimiser", ylabel="coefficient")
ax.set_title(f"{result.verdict}: one coefficient has no finite value", fontsize=9)
ax.legend(frameon=False)

# %%
# The legend's second half is not read off the curves but proved: among all hyperplanes without a
# row strictly on the wrong side, the third weight is positive and the others are zero. Every row
# with a long petal is a *virginica*.

print(result.verdict, result.infinite, "verified:", result.verify(X, y))
print("direction:", result.separator.theta, result.separator.offset)

# %%
# The rows that truly overlap are the core. What maximum likelihood gives there is the limit of the
# finite coefficients.

core = result.overlap_rows
limit = LogisticRegression(C=np.inf, tol=1e-10, max_iter=100_000).fit(X[core, :2], y[core])
print(f"{len(core)} of {len(y)} rows;", limit.coef_[0].round(3), "against", paths[-1][:2].round(3))
