"""Iterative parameter mixing as its paper defines it: a loop over rounds and shards, no cluster.

Decisions and sums of hypotheses are exact fractions. What the library promises to round is rounded
here where it says so: each w theta_i, their sums along the tree, the quotient, theta's type.
"""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction

import numpy as np

from tests.reference import Run


def tree_sum(values):
    """Neighbours first: the left part is the largest power of two below the number of values."""
    if len(values) == 1:
        return values[0]
    middle = 1 << ((len(values) - 1).bit_length() - 1)
    return tree_sum(values[:middle]) + tree_sum(values[middle:])


def visits(kind, n, seed, number, shard):
    if kind == "cyclic":
        return np.arange(n)
    sequence = np.random.SeedSequence([seed, number, shard])
    return np.random.RandomState(np.random.MT19937(sequence)).permutation(n)


def mixed_sigma(sigmas, weights):
    """What shards make of their Sigmas, each (d,) or (d, d).

    The smallest variances: precisions would add up, so even the surest shard is too modest. Of
    matrices the mean, which is a covariance as they are.
    """
    if np.ndim(sigmas[0]) == 1:
        return np.min(sigmas, axis=0).tolist()
    weighed = [np.float64(w) * np.array(sigma) for w, sigma in zip(weights, sigmas, strict=True)]
    return (tree_sum(weighed) / np.float64(sum(weights))).tolist()


class Mixing:
    """One hyperplane. shards: pairs (X, sides), sides in -1, +1; rule: as `Run` takes it.

    second : a `SecondOrderRun` that the rule is; every shard begins a round with the mixed Sigma
    """

    def __init__(
        self, shards, *, rounds, mixing="uniform", kind="cyclic", seed=0, second=None, **rule
    ):
        d = shards[0][0].shape[1]
        dtype = np.result_type(*(X.dtype for X, _ in shards))
        theta, offset = np.zeros(d, dtype), dtype.type(0)
        self.mistakes, self.n_wrong, self.wrong_at_first = [], 0, None
        total, count = [Fraction(0)] * (d + 1), Fraction(0)
        self.converged = False
        for number in range(1, rounds + 1):
            runs, learned = [], [deepcopy(second) for _ in shards]
            for i, (X, sides) in enumerate(shards):
                if second is not None:
                    rule = {"rule": learned[i].step, "move": learned[i].move}
                order = visits(kind, len(sides), seed, number, i)
                runs.append(
                    Run(X[order], sides[order], epochs=1, theta=theta, offset=offset, **rule)
                )
            wrong = [len(run.rows) for run in runs]
            if not self.converged:
                self.mistakes.append(wrong)
                self.n_wrong += sum(run.n_wrong for run in runs)
                if number == 1:
                    n_rows = sum(len(sides) for _, sides in shards)
                    self.wrong_at_first = self.n_wrong / n_rows
                self.converged = not any(wrong)
            by_mistakes = mixing == "mistakes" and any(wrong)
            weights = wrong if by_mistakes else [int(len(sides) > 0) for _, sides in shards]
            for run, w in zip(runs, weights, strict=True):
                mu = Fraction(w, sum(weights))
                count += mu * run.n_examples
                for c, hypothesis in zip(run.survival(), run.hypotheses, strict=True):
                    for j, value in enumerate([*hypothesis[0], hypothesis[1]]):
                        total[j] += mu * int(c) * Fraction(float(value))
            if any(wrong):
                thetas = [
                    np.float64(w) * run.last[0].astype(float)
                    for w, run in zip(weights, runs, strict=True)
                ]
                offsets = [
                    np.float64(w) * np.float64(run.last[1])
                    for w, run in zip(weights, runs, strict=True)
                ]
                theta = (tree_sum(thetas) / np.float64(sum(weights))).astype(dtype)
                offset = dtype.type(tree_sum(offsets) / np.float64(sum(weights)))
            if any(wrong) and second is not None:
                for each in learned:
                    each.u(0, [0.0] * (d + 1))  # where there were no rows, Sigma begins here
                second.sigma[0] = mixed_sigma([each.sigma[0] for each in learned], weights)
        self.theta, self.offset = theta, offset
        # The start, which is zero, is the one more.
        self.mean = [float(value / (1 + count)) for value in total]
