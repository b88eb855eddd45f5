"""One-vs-one prediction: the class that wins most of its pairs, all comparisons exact.

Hyperplane k tells class negative[k] from class positive[k]; its vote goes to the positive one where
its score is >= 0. Of the classes with the most votes, the one with the largest sum of scores wins
(those of its hyperplanes, signed so that positive is in its favour), of equal ones the first.
"""

from __future__ import annotations

import math

import numpy as np

from novikoff._jit import kernel
from novikoff.kernels.at_once import loop_where, scores_at_once
from novikoff.kernels.exact import add_score, dot_sign, settle
from novikoff.kernels.predict import look_at


@kernel
def _favour(negative, positive, k, c):
    """+1, -1 or 0: how the score of hyperplane k counts for class c."""
    return int(positive[k] == c) - int(negative[k] == c)


@kernel
def _stronger(theta, offset, values, indices, low, high, scores, errors, negative, positive, c,
              rival, limbs):  # fmt: skip
    """Whether the scores of class c sum to more than those of its rival, exactly."""
    n_planes = theta.shape[0]
    total = error = size = 0.0
    for k in range(n_planes):
        times = _favour(negative, positive, k, c) - _favour(negative, positive, k, rival)
        if times != 0:
            total += times * scores[k]
            error += abs(times) * errors[k]
            size += abs(times) * abs(scores[k])
    error = 1.0001 * error + 2.0**-52 * n_planes * size
    if abs(total) > error:
        return total > 0.0
    limbs[:] = 0
    for k in range(n_planes):
        times = _favour(negative, positive, k, c) - _favour(negative, positive, k, rival)
        for _ in range(abs(times)):
            y = 1 if times > 0 else -1
            add_score(theta, offset, k, values, indices, low, high, y, limbs)
            settle(limbs)  # so that any number of hyperplanes fits
    return settle(limbs) > 0


@kernel
def pair_winners(rows, theta, offset, norms, everyone, block, negative, positive, votes, result):
    """result[i] <- the class that row i is given; see the module's text.

    negative, positive : (K,) int64; votes : (C,) int64, scratch
    Returns the first row with a NaN or an infinity, or -1.
    """
    values, indices = rows.values, rows.indices
    scores, errors, limbs = block.arithmetic.wide, block.arithmetic.errors, block.arithmetic.limbs
    n_rows = result.shape[0]
    for i in range(n_rows):
        low, high, row_norm = look_at(i, n_rows, rows, offset, norms, everyone, block)
        if math.isnan(row_norm):
            return i
        votes[:] = 0
        for k in range(theta.shape[0]):
            won = scores[k] > 0.0
            if not abs(scores[k]) > errors[k]:
                sign = dot_sign(theta, offset, k, -1, values, indices, low, high, 1, 0.0, limbs)
                won = sign >= 0
            votes[positive[k] if won else negative[k]] += 1
        best = 0
        for c in range(1, votes.shape[0]):
            if votes[c] > votes[best] or (
                votes[c] == votes[best]
                and _stronger(theta, offset, values, indices, low, high, scores, errors,
                              negative, positive, c, best, limbs)
            ):  # fmt: skip
                best = c
        result[i] = best
    return -1


@pair_winners.at_once
def _(loop, rows, theta, offset, norms, everyone, block, negative, positive, votes, result):
    rest = (theta, offset, norms, everyone, block, negative, positive, votes)
    scores, errors = scores_at_once(rows, len(result), offset, norms, block)
    tally = np.zeros((len(result), len(votes)), np.int64)
    for k in range(len(negative)):
        tally[:, positive[k]] += scores[:, k] > 0.0
        tally[:, negative[k]] += scores[:, k] < 0.0
    result[:] = tally.argmax(axis=1)
    leaders = (tally == tally.max(axis=1, keepdims=True)).sum(axis=1)
    unclear = ~(np.abs(scores) > errors).all(axis=1) | (leaders > 1)
    return loop_where(unclear, loop, rows, rest, result)
