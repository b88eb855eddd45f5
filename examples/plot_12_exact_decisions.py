"""
Exact decisions against floats
==============================

Is a point on the boundary? In floating-point arithmetic a score of zero may come out as 10⁻¹⁷, and
its sign then depends on the order of the sum. Here every decision is the exact sign of y·s, so
that ``status_ == "separated"`` is a fact; a stopping rule that watches the loss is not.
"""

# %%
# Two hundred separable sets: normal rows on both sides of a random hyperplane, none within 0.01 of
# it. scikit-learn's ``Perceptron`` stops when the loss has not improved by ``tol`` for five
# epochs. How many rows are wrong then?

import warnings
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import Perceptron as TheirPerceptron

from novikoff import Hyperplane, Perceptron


def separable(seed, n=200, d=10, gap=0.01):
    random = np.random.RandomState(seed)
    normal = random.standard_normal(d)
    X = random.standard_normal((n, d))
    distance = X @ normal / np.linalg.norm(normal)
    distance -= np.median(distance)
    kept = np.abs(distance) > gap
    return X[kept], (distance[kept] > 0).astype(int)


left = {"scikit-learn, its defaults": [], "novikoff": []}
for seed in range(200):
    X, y = separable(seed)
    models = (TheirPerceptron(), Perceptron(max_iter=1000))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # neither library has anything to say
        for mistakes, model in zip(left.values(), models, strict=True):
            mistakes.append(int((model.fit(X, y).predict(X) != y).sum()))

figure, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
ax.hist(
    list(left.values()), bins=np.arange(-0.5, 16), label=list(left), color=["#d55e00", "#0072b2"]
)
ax.set(xlabel="training rows wrong at the end", ylabel="sets")
failed = np.count_nonzero(left["scikit-learn, its defaults"])
ax.set_title(f"scikit-learn left mistakes on {failed} of 200 separable sets", fontsize=9)
ax.legend(frameon=False)

# %%
# And a single decision. The stored numbers 0.1, 0.3 and −0.4 do not add up to zero: their sum is
# −2⁻⁵⁵. Summed in one order, floating-point arithmetic says that the point is on the boundary, and
# so positive; in another that it is negative. Fractions know, and so does the library.

theta = [0.1, 0.3, -0.4]
print("one order:    ", theta[0] + theta[1] + theta[2])
print("another order:", theta[0] + theta[2] + theta[1])
print("exactly:      ", sum(map(Fraction, theta)))
print("predicted:    ", Hyperplane(theta, 0.0).predict([[1, 1, 1]])[0])
