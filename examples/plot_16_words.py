"""
Text: the words that matter
===========================

Counts of words are thousands of features, mostly zero, and an averaged perceptron is a fast and
good linear classifier for them. Its weights can be read: each belongs to a word.
"""

# %%
# Text that is at hand wherever this runs: the documentation inside NumPy and scikit-learn,
# paragraph by paragraph. Which library is a paragraph from? A third of the modules' objects is
# held out. (Both names are taken out of the text.)

import inspect
import re
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import sklearn.cluster
import sklearn.ensemble
import sklearn.linear_model
import sklearn.metrics
import sklearn.svm
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GroupShuffleSplit

from novikoff import AveragedPerceptron

NAMES = re.compile(r"numpy|\bnp\b|sklearn|scikit-learn", re.IGNORECASE)


def paragraphs(modules):
    for module in modules:
        for name in sorted(getattr(module, "__all__", dir(module))):
            text = inspect.getdoc(getattr(module, name)) or ""
            for part in re.split(r"\n\s*\n", text):
                if len(part) > 80:
                    yield name, NAMES.sub(" ", part)


numpy_modules = (np, np.linalg, np.random, np.fft)
sklearn_modules = (
    sklearn.linear_model,
    sklearn.metrics,
    sklearn.ensemble,
    sklearn.cluster,
    sklearn.svm,
)
sources = {
    "NumPy": list(paragraphs(numpy_modules)),
    "scikit-learn": list(paragraphs(sklearn_modules)),
}
texts = [text for parts in sources.values() for _, text in parts]
groups = [name for parts in sources.values() for name, _ in parts]
y = np.repeat(list(sources), [len(parts) for parts in sources.values()])

counter = CountVectorizer(token_pattern=r"(?u)\b[a-z][a-z]+\b", min_df=3)
X = counter.fit_transform(texts)
train, test = next(GroupShuffleSplit(1, test_size=1 / 3, random_state=0).split(X, y, groups))
clf = AveragedPerceptron(max_iter=20).fit(X[train], y[train])
print(
    f"{X.shape[0]} paragraphs, {X.shape[1]} words; test error {1 - clf.score(X[test], y[test]):.1%}"
)

# %%
# The words with the largest weights on either side. A weight counts once for every time the word
# occurs.

words = counter.get_feature_names_out()
order = np.argsort(clf.coef_[0])
shown = np.concatenate([order[:15], order[-15:]])

figure, ax = plt.subplots(figsize=(6.4, 6.4), layout="constrained")
weights = clf.coef_[0][shown]
ax.barh(np.arange(30), weights, color=np.where(weights > 0, "#0072b2", "#d55e00"))
ax.set_yticks(np.arange(30), words[shown], fontsize=8)
ax.axvline(0, color="0.3", linewidth=0.8)
ax.set(
    xlabel=f"weight: {clf.classes_[0]} to the left, {clf.classes_[1]} to the right",
    ylim=(-0.7, 29.7),
)
ax.set_title("The words that matter", fontsize=9)

# %%
# Movie reviews
# -------------
#
# The same on 25 000 movie reviews (IMDB), where their counts lie beside the repository; they come
# without the list of words, so that columns have numbers only. Elsewhere sparse counts are
# generated, and the line below says so.

for folder in (Path.cwd(), *Path.cwd().parents):  # the repository's root, from wherever this is run
    if (folder / "benchmarks" / "data.py").exists():
        sys.path.insert(0, str(folder))
        break
try:
    from benchmarks import data
except ImportError:
    print("Run this inside a clone to have the second half.")
else:
    counts, label, name = data.imdb_part("train")
    held_out, truth, _ = data.imdb_part("test")
    reviews = AveragedPerceptron(max_iter=10).fit(counts, label)
    print(f"{name}: {counts.shape}, test error {1 - reviews.score(held_out, truth):.1%}")
    weight = reviews.coef_[0]
    occurs = np.asarray((counts > 0).sum(axis=0)).ravel()

    figure, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    ax.plot(occurs[occurs > 0], weight[occurs > 0], ".", markersize=2, color="#0072b2")
    ax.set_xscale("log")
    ax.set(xlabel="reviews that the word occurs in", ylabel="weight")
    ax.set_title(f"{name}: the weight of every word, by how common it is", fontsize=9)
