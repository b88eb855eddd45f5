"""``python -m tests.every_form``: a little of everything, and a hash of each result, bit for bit.

Run as ordinary Python and compiled, see `test_small_work.py`.
"""

from __future__ import annotations

import hashlib
import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp

import novikoff
from novikoff import rules

RANDOM = np.random.RandomState(0)
X = RANDOM.standard_normal((60, 5)) * (RANDOM.uniform(size=(60, 5)) < 0.7)
THREE = np.argmax(X[:, :3] + 0.5 * RANDOM.standard_normal((60, 3)), axis=1)
TWO = np.where(X[:, 0] > X[:, 1], 1, -1)  # separable
NOISY = np.where(RANDOM.uniform(size=60) < 0.2, -TWO, TWO)
FORMS = {"float64": X, "float32 csr": sp.csr_array(X.astype(np.float32))}


def told(name: str, *results: Any) -> None:
    digest = hashlib.sha256()
    for result in results:
        array = np.ascontiguousarray(result)
        exact = array.tobytes() if array.dtype != object else repr(array.tolist()).encode()
        digest.update(str(array.dtype).encode() + exact)
    print(name, digest.hexdigest()[:16])


def fitted(name: str, clf: Any, form: Any, y: Any) -> None:
    clf.fit(form, y)
    known = [getattr(clf, each, 0) for each in ("coef_", "intercept_", "n_updates_", "n_iter_")]
    told(name, *known, clf.predict(form), clf.decision_function(form))


def linear() -> None:
    for form, rows in FORMS.items():
        for scheme, y in (("ovr", NOISY), ("ovr", THREE), ("joint", THREE)):
            for kind in ("Perceptron", "AveragedPerceptron", "VotedPerceptron", "PocketPerceptron"):
                clf = getattr(novikoff, kind)(max_iter=4, multi_class=scheme)
                fitted(f"{kind} {scheme} {len(set(y))} {form}", clf, rows, y)
    fitted("ovo", novikoff.Perceptron(max_iter=4, multi_class="ovo"), X, THREE)
    for keep in ("last", "mean"):
        clf = novikoff.OnlineClassifier(rules.PassiveAggressive(C=0.5), keep=keep, max_iter=4)
        fitted(f"passive-aggressive {keep}", clf, X, NOISY)
    for name in ("ALMA", "AROW", "NHERD", "ROMMA", "SecondOrder", "SoftConfidenceWeighted"):
        clf = novikoff.OnlineClassifier(getattr(rules, name)(), max_iter=2)
        fitted(name, clf, X, NOISY)
    columns = np.asfortranarray(X)
    fitted("by columns", novikoff.Perceptron(max_iter=4), columns, NOISY)


def dual() -> None:
    for kernel in ("poly", "rbf"):
        for vote in ("last", "averaged", "voted"):
            clf = novikoff.KernelPerceptron(kernel=kernel, vote=vote, max_iter=3)
            clf.fit(X, THREE)
            told(
                f"kernel {kernel} {vote}", clf.dual_coef_, clf.predict(X), clf.decision_function(X)
            )
    clf = novikoff.KernelPerceptron(kernel="rbf", budget=12, max_iter=3).fit(X, NOISY)
    told("kernel budget", clf.dual_coef_, clf.decision_function(X))


def certificates() -> None:
    weak = np.r_[X, [[1.0, 1.0, 0, 0, 0]]], np.r_[TWO, 1]
    for name, (rows, y) in {"separable": (X, TWO), "weak": weak, "noisy": (X, NOISY)}.items():
        found = novikoff.separability(rows, y, core=True)
        told(f"separability {name}", repr(found.to_dict() if hasattr(found, "to_dict") else found))
    best = novikoff.max_margin(X, TWO)
    told("max_margin", best.theta, best.offset, best.margin, best.upper_bound, best.support)
    told("mistake_bound", repr(novikoff.mistake_bound(X, TWO)))


def traces() -> None:
    trace = novikoff.Perceptron(max_iter=500, record_trace=True).fit(X, TWO).trace_
    told("trace", repr(trace.audit()), *trace.hypotheses())


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for part in (linear, dual, certificates, traces):
        part()
