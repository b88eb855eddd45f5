"""``python -m reproductions.does_it_help [DATA or RULE ...]``: held-out error of the family.

Every rule with its default parameters, the last hypothesis and the mean of all, after one epoch
and after ten, beside scikit-learn's logistic regression and linear support vector machine with
theirs. Second-order rules keep a diagonal. Seconds are those of training, on one thread. Of MNIST
every third row is learned from, and all pairs of digits are told apart.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.datasets import load_svmlight_files
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from benchmarks import data
from novikoff import OnlineClassifier, rules
from reproductions.multiclass import Split, mnist, standardised
from reproductions.tables import needed, table

RULES: dict[str, rules.Rule] = {
    "perceptron": rules.Perceptron(),
    "PA-I": rules.PassiveAggressive(),
    "PA-II": rules.PassiveAggressive(loss="squared_hinge"),
    "ALMA": rules.ALMA(),
    "ROMMA": rules.ROMMA(),
    "aggressive ROMMA": rules.ROMMA(aggressive=True),
    "second order": rules.SecondOrder(),
    "CW": rules.ConfidenceWeighted(),
    "AROW": rules.AROW(),
    "SCW-I": rules.SoftConfidenceWeighted(),
    "SCW-II": rules.SoftConfidenceWeighted(variant="II"),
    "NHERD": rules.NHERD(),
}
PEERS: dict[str, Callable[[], Any]] = {
    "LogisticRegression": lambda: LogisticRegression(max_iter=1000),
    "LinearSVC": lambda: LinearSVC(),
}


def libsvm(learn: str, check: str) -> Split:
    X, y, more, labels = load_svmlight_files(needed(f"libsvm/{learn}", f"libsvm/{check}"))
    for part in (X, more):  # scikit-learn's solvers take no other indices
        part.indices, part.indptr = part.indices.astype(np.int32), part.indptr.astype(np.int32)
    return X, y, more, labels


def imdb() -> Split:
    """Words weighted by tf-idf, every review of length 1."""
    X, y, _ = data.imdb_part("train")
    more, labels, _ = data.imdb_part("test")
    weigh = TfidfTransformer(sublinear_tf=True).fit(X)
    X, more = (weigh.transform(part).astype(np.float64) for part in (X, more))
    return X, y, more, labels


def third_of_mnist() -> Split:
    X, y, more, labels = next(mnist())
    return X[::3], y[::3], more, labels


def covtype() -> Split:
    """Class 2 against the rest, standardised, a fifth held out."""
    from sklearn.model_selection import StratifiedShuffleSplit

    X, y, _ = data.covtype()
    split = StratifiedShuffleSplit(1, test_size=0.2, random_state=0)
    return next(standardised(np.ascontiguousarray(X, np.float64), y, split))


SETS: dict[str, Callable[[], Split]] = {
    "a9a": lambda: libsvm("a9a.gz", "a9a.t.gz"),
    "rcv1_small": lambda: libsvm("rcv1_small.libsvm.gz", "rcv1_small_test.libsvm.gz"),
    "imdb": imdb,
    "covtype": covtype,
    "mnist": third_of_mnist,
}


def fitted(model: Any, X: Any, y: Any) -> float:
    """Train; the seconds it took."""
    begin = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y)
    return time.perf_counter() - begin


def error(model: Any, X: Any, y: Any) -> str:
    return f"{100 * float(np.mean(model.predict(X) != y)):.1f}"


def lines(name: str, only: list[str]) -> Iterator[list[str]]:
    """One line per rule: errors in per cent of last and mean, after one epoch and ten; seconds."""
    X, y, more, labels = SETS[name]()
    few = np.sort(np.random.RandomState(0).permutation(len(y))[: 200 + 10 * len(np.unique(y))])
    for rule in filter(only.__contains__, RULES):
        cells, seconds = [rule], 0.0
        for epochs in (1, 10):
            for keep in ("last", "mean"):
                clf = OnlineClassifier(RULES[rule], keep=keep, max_iter=epochs)
                fitted(clf, X[few], y[few])  # compiled
                seconds = fitted(clf, X, y)
                cells.append(error(clf, more, labels))
        yield [*cells, f"{seconds:.2f}"]
    for peer in filter(only.__contains__, PEERS):
        model = PEERS[peer]()
        seconds = fitted(model, X, y)
        yield [peer, "", "", "", error(model, more, labels), f"{seconds:.2f}"]


HEAD = ["error in %", "last, 1", "mean, 1", "last, 10", "mean, 10", "seconds, 10"]


def main() -> None:
    everyone = [*RULES, *PEERS]
    only = [name for name in sys.argv[1:] if name in everyone] or everyone
    for name in [name for name in sys.argv[1:] if name in SETS] or SETS:
        print(f"\n{name}\n\n{table(HEAD, [])}")
        for line in lines(name, only):
            print(f"| {' | '.join(line)} |", flush=True)


if __name__ == "__main__":
    main()
