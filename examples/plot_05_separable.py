"""
Is my data separable, and which rows stop it?
=============================================

A solver that says "infeasible" leaves one alone with the answer. Here a verdict comes with its
proof: a hyperplane, or a handful of rows whose hulls meet, so that no hyperplane can pass between
them.
"""

# %%
# Iris flowers by two measurements of their petals, one species against another. *Setosa* is apart
# from *versicolor*: the widest street between them, and the rows that hold it.

from importlib.resources import files

import numpy as np
import pandas as pd

from novikoff import separability
from novikoff.displays import ObstructionDisplay

names = ["sepal length", "sepal width", "petal length", "petal width", "species"]
flowers = pd.read_csv(files("novikoff") / "data" / "iris.csv", names=names)
flowers["species"] = flowers["species"].str.removeprefix("Iris-")


def pair(*species):
    chosen = flowers[flowers["species"].isin(species)]
    return chosen[["petal length", "petal width"]], chosen["species"].to_numpy()


display = ObstructionDisplay.from_data(*pair("setosa", "versicolor")).plot()

# %%
# *Versicolor* and *virginica* overlap. The proof names few rows, with weights: the mean of one
# class with these weights is the mean of the other.

X2, y2 = pair("versicolor", "virginica")
result = separability(X2, y2)
display = ObstructionDisplay.from_data(X2, y2).plot()
print(result.verdict, "- rows", result.obstruction.rows, "weights", result.obstruction.weights)

# %%
# Anyone can check that by hand, in fractions; ``verify`` does so with code that shares nothing
# with the search.

for row, weight in zip(result.obstruction.rows, result.obstruction.weights, strict=True):
    print(f"{weight} x {X2.iloc[row].tolist()}  {y2[row]}")
print("verified:", result.verify(X2, y2))

# %%
# Would it be separable without the offending rows? Leave out the rows of the proof and ask again,
# until it is: an upper bound on how many labels are out of place, though not the smallest number.

kept = np.arange(len(y2))
left_out = []
while (verdict := separability(X2.iloc[kept], y2[kept])).verdict != "separable":
    rows = verdict.obstruction.rows
    left_out += kept[rows].tolist()
    kept = np.delete(kept, rows)
print(f"{len(left_out)} rows left out, {len(kept)} kept: {verdict.verdict}")
display = ObstructionDisplay.from_data(X2.iloc[kept], y2[kept]).plot()
