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
KINDS = (Perceptron, AveragedPerceptron, VotedPerceptron, PocketPerceptron)
FORMS = [  # with the estimators that tests of several files fit to two classes, and to three
    (X, KINDS, KINDS[:2]),
    (sp.csr_array(X), KINDS[:1], KINDS[:1]),
]


def compile_for(number: int) -> None:
    form, with_two, with_three = FORMS[number]
    warnings.simplefilter("ignore")
    _jit.patience = 0.0
    for kinds, y in ((with_two, Y % 2), (with_three, Y)):
        for kind in kinds:
            clf = kind(max_iter=2).fit(form, y)
            clf.predict(form)
            clf.decision_function(form)


if __name__ == "__main__":
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(compile_for, range(len(FORMS))))
