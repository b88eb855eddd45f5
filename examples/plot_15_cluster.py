"""
A cluster
=========

Rows that lie on many machines are learned from where they are: every shard runs one epoch from the
common θ, the results are mixed, and it begins again (McDonald, Hall and Mann 2010). The cluster
below is one of threads in this process; on a real one only the first line differs.
"""

# %%
# A Dask client, and rows in eight shards. They are sorted by one feature first, so that no shard
# looks like the whole.

import dask.array as da
import matplotlib.pyplot as plt
import numpy as np
from dask.distributed import Client

from novikoff import Perceptron, mistake_bound
from novikoff.distributed import ParameterMixing

client = Client(processes=False, dashboard_address=None)

random = np.random.RandomState(0)
X = random.standard_normal((4000, 10))
score = X @ random.standard_normal(10)
X, y = X[np.abs(score) > 0.15], (score[np.abs(score) > 0.15] > 0).astype(int)
order = np.argsort(X[:, 0])
X, y = X[order], y[order]
shards = (da.from_array(X, chunks=(len(X) // 8 + 1, 10)), da.from_array(y, chunks=len(X) // 8 + 1))

model = ParameterMixing(Perceptron(), rounds=200, client=client).fit(*shards)
print(model.status_, "after", model.n_rounds_, "rounds; accuracy", model.score(X, y))

# %%
# Mistakes of each shard in each round, until a whole round makes none.

figure, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
image = ax.imshow(model.mistakes_.T, aspect="auto", cmap="Blues", interpolation="nearest")
ax.set(xlabel="round", ylabel="shard")
ax.set_title("Mistakes of each shard in each round", fontsize=9)
figure.colorbar(image, ax=ax, label="mistakes")

# %%
# On separable data that ends: mistakes, weighed by each shard's share, number at most (R/γ)².

print(model.audit(bound=mistake_bound(X, y)))

# %%
# Training every shard to the end and averaging once would not do.

alone = [
    Perceptron(max_iter=1000).fit(X[rows], y[rows]) for rows in np.array_split(np.arange(len(y)), 8)
]
theta = np.mean([clf.coef_[0] for clf in alone], axis=0)
offset = np.mean([clf.intercept_[0] for clf in alone])
print("averaged once:", int(((X @ theta + offset >= 0) != y).sum()), "of", len(y), "rows wrong")
client.close()
