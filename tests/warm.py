"""``python -m tests.warm``: compile what tests of compiled code need most, once.

Two processes that run tests at the same time would compile the same kernels at the same time. This
is done while the linters leave a core idle.
"""

from __future__ import annotations

import warnings
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import scipy.sparse as sp

from novikoff import AveragedPerceptron, Perceptron, PocketPerceptron, VotedPerceptron, _jit

RANDOM = np.random.RandomState(0)
X = RANDOM.standard_normal((40, 6))
Y = np.arange(40) % 3


FORMS = [X, sp.csr_array(X), X.astype(np.float32)]  # what tests have most often


def compile_for(number: int) -> None:
    form = FORMS[number]
    warnings.simplefilter("ignore")
    _jit.patience = 0.0
    for y in (Y % 2, Y):
        for scheme in ("ovr", "joint") if y is Y else ("ovr",):
            for kind in (Perceptron, AveragedPerceptron, VotedPerceptron, PocketPerceptron):
                clf = kind(max_iter=2, multi_class=scheme).fit(form, y)
                clf.predict(form)
                clf.decision_function(form)
    traced = Perceptron(max_iter=50, record_trace=True).fit(form, X[:, 0] > 0).trace_
    traced.hypotheses()
    traced.audit()


if __name__ == "__main__":
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(compile_for, range(len(FORMS))))
