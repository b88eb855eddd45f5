"""
Three classes, three ways
=========================

A hyperplane has two sides. For more classes there is one hyperplane for each against the rest
(``"ovr"``), one for each pair (``"ovo"``), or one weight vector for each class, learned together
(``"joint"``).
"""

# %%
# The three species of iris by their petals.

from importlib.resources import files

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.model_selection import cross_val_score

from novikoff import AveragedPerceptron
from novikoff.displays import BoundaryDisplay

names = ["sepal length", "sepal width", "petal length", "petal width", "species"]
flowers = pd.read_csv(files("novikoff") / "data" / "iris.csv", names=names)
flowers["species"] = flowers["species"].str.removeprefix("Iris-")
X, y = flowers[["petal length", "petal width"]], flowers["species"]

figure, axes = plt.subplots(1, 3, figsize=(9.6, 4.6), layout="constrained")
for ax, scheme in zip(axes, ("ovr", "ovo", "joint"), strict=True):
    clf = AveragedPerceptron(multi_class=scheme, max_iter=50)
    score = cross_val_score(clf, X, y, cv=5).mean()
    clf.fit(X, y)
    BoundaryDisplay.from_estimator(clf, X, y, standardize=False).plot(ax=ax)
    ax.set_title(f"{scheme}: {1 - score:.1%} error in cross-validation", loc="left", fontsize=9)
    print(f"{scheme:6} weights {clf.coef_.shape}, updates {clf.n_updates_}")

# %%
# *Versicolor* lies between the other two, so no line has it alone on one side: one-vs-rest has a
# hyperplane to learn that does not exist, and its updates show it. Of the pairs only *versicolor*
# and *virginica* overlap, and that a little.
