"""
A file larger than memory
=========================

A file is read in blocks, learned from while it is parsed, and kept in a binary cache on disk for
later epochs. What memory holds does not grow with the file. Here four files of growing size stand
in for one that would not fit.
"""

# %%
# LIBSVM text: sixty features out of 5 000 on every line, and a label that depends on them. The
# longer files repeat the lines of the shortest.

import tempfile
import tracemalloc
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import scipy.sparse as sp

from novikoff import AveragedPerceptron
from novikoff.streams import batches, fit_stream

folder = tempfile.TemporaryDirectory()
random = np.random.RandomState(0)
truth = random.standard_normal(5000)


def line():
    row = np.unique(random.randint(0, 5000, 60))
    label = 1 if truth[row].sum() > 0 else -1
    return f"{label} " + " ".join(f"{j}:1" for j in (row + 1).tolist()) + "\n"


text = "".join(line() for _ in range(10_000))
paths = [Path(folder.name) / f"{times}.txt" for times in (1, 2, 4, 8, 16)]
for path in paths:
    path.write_text(text * int(path.stem))
megabytes = [path.stat().st_size / 1e6 for path in paths]

# %%
# The most memory that was allocated at any moment, over three epochs: as a stream, and with all
# rows in one matrix. The stream holds some blocks of the file and what they parse to.


def stream(path):
    return fit_stream(AveragedPerceptron(), path, epochs=3)


def whole(path):
    parts = list(batches(path))
    X, y = sp.vstack([X for X, _ in parts]), np.concatenate([y for _, y in parts])
    return AveragedPerceptron(max_iter=3, order="cyclic").fit(X, y)


def peak(learn, path):
    tracemalloc.start()
    learn(path)
    result = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return result / 1e6


stream(paths[0])  # compiles
figure, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
for learn, label in ((whole, "loaded as a whole"), (stream, "as a stream")):
    ax.plot(megabytes, [peak(learn, path) for path in paths], "o-", label=label)
ax.set(
    xlabel="size of the file, MB", ylabel="memory at the peak, MB", ylim=(0, None), xlim=(0, None)
)
ax.set_title("What memory holds of a stream does not grow with the file", fontsize=9)
ax.legend(frameon=False)

# %%
# The model is the one that ``fit`` would have given, to the bit.

print("same to the bit:", np.array_equal(stream(paths[0]).coef_, whole(paths[0]).coef_))
folder.cleanup()
