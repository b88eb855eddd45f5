"""One-vs-one prediction: the class that wins most of its pairs, all comparisons exact.

Hyperplane k tells class negative[k] from class positive[k]; its vote goes to the positive one where
its score is >= 0. Of the classes with the most votes, the one with the largest sum of scores wins
(those of its hyperplanes, signed so that positive is in its favour), of equal ones the first.
"""

from __future__ import annotations

import math

import numpy as np

from novikoff._jit import kernel, row_kernel
from novikoff.kernels.at_once import scores_at_once, scores_in_order_at_once
from novikoff.kernels.blocks import BLOCK, EXACT, score_block
from novikoff.kernels.columns import turn
from novikoff.kernels.exact import add_score, dot_sign, settle
from novikoff.kernels.joint import bounded_scores
from novikoff.kernels.predict import widen
from novikoff.kernels.rows import row_norm, span


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


IN_DOUBT, TIED = 1, 2  # bits: of a sign, and between classes with as many votes
MOST = 1e300  # what a score counts for in a sum


@row_kernel
def _count(scores, offset, errors, negative, positive, votes, closest, unclear):
    """votes[c, r] <- the pairs that class c wins at row r; unclear[r] says if one is in doubt."""
    votes[:] = 0
    closest[:] = np.inf
    for k in range(offset.shape[0]):
        n, p, threshold = np.uint64(negative[k]), np.uint64(positive[k]), offset[k]
        for r in range(np.uint64(BLOCK)):
            score = scores[k, r] + threshold
            won = np.int32(score >= 0.0)
            size = abs(score)
            closest[r] = size if size < closest[r] else closest[r]
            votes[p, r] += won
            votes[n, r] += np.int32(1) - won
    for r in range(np.uint64(BLOCK)):  # where a score is not a number the error is not finite
        unclear[r] = np.int32(not closest[r] > errors[r]) * np.int32(IN_DOUBT)


@row_kernel
def _find_winners(votes, best, most, unclear):
    """best[r] <- the class with `most` votes at row r; unclear[r] says if others have as many."""
    best[:] = 0
    for r in range(np.uint64(BLOCK)):
        most[r] = votes[0, r]
    for c in range(1, votes.shape[0]):
        for r in range(np.uint64(BLOCK)):
            more, before = votes[c, r], most[r]
            best[r] = np.int32(c) if more > before else best[r]
            most[r] = max(more, before)
    for c in range(votes.shape[0]):
        for r in range(np.uint64(BLOCK)):
            unclear[r] |= np.int32((votes[c, r] == most[r]) & (best[r] != c)) * np.int32(TIED)


@row_kernel
def tie_error(error, n_classes, size):
    """What the difference of two classes' sums, taken in doubles, may be wrong by.

    error : that of a score, or `EXACT`; then the sums are exact, too, while they are small
    size : the sum of the sizes of their scores, or more
    """
    rounded = (error != EXACT) | (size > 2.0**52)
    return 2.0 * n_classes * error + 1e-15 * n_classes * size * rounded


@row_kernel
def _break_tie(scores, offset, r, error, planes, positive, votes, most):
    """Of the classes with `most` votes at row r the one with the largest sum; -1 if in doubt.

    planes : (C, C) the hyperplane of two classes; of a class and itself -1
    """
    n_classes = votes.shape[0]
    best, top, second, size = -1, -np.inf, -np.inf, 0.0
    for c in range(n_classes):
        if votes[c, r] != most:
            continue
        total = 0.0
        for k in planes[c]:
            if k >= 0:
                score = np.float64(scores[k, r]) + np.float64(offset[k])
                total += score if positive[k] == c else -score
                size += abs(score)
        if total > top:
            best, second, top = c, top, total
        else:
            second = max(second, total)
    return best if top - second > tie_error(np.float64(error), n_classes, size) else -1


@kernel
def pair_winners(rows, block, negative, positive, n_classes, result, clear):
    """result[i] <- the class that row i is given; clear[i] <- whether that is certain.

    negative, positive : (K,) int64
    """
    n_rows = clear.shape[0]
    votes, best = np.empty((n_classes, BLOCK), np.int32), np.empty(BLOCK, np.int32)
    most, unclear = np.empty(BLOCK, np.int32), np.empty(BLOCK, np.int32)
    closest = np.empty(BLOCK, block.scores.dtype)
    planes = np.full((n_classes, n_classes), -1)
    for k in range(negative.shape[0]):
        planes[negative[k], positive[k]] = planes[positive[k], negative[k]] = k
    for first in range(0, n_rows, BLOCK):
        size = min(BLOCK, n_rows - first)
        score_block(rows, first, size, block)
        _count(
            block.scores, block.offset, block.errors, negative, positive, votes, closest, unclear
        )
        _find_winners(votes, best, most, unclear)
        for r in range(size):
            winner = np.int64(best[r])
            if unclear[r] == TIED:
                winner = _break_tie(
                    block.scores, block.offset, r, block.errors[r], planes, positive, votes, most[r]
                )
            result[first + r] = winner
            clear[first + r] = winner >= 0 and unclear[r] & IN_DOUBT == 0


@pair_winners.by_numpy
def _(rows, block, negative, positive, n_classes, result, clear):
    scores, errors = scores_at_once(rows, len(clear), block)
    sizes = np.abs(scores)
    votes, sums = np.empty((2, n_classes, len(clear)))
    tally_pairs(scores.T, negative, positive, votes, sums)
    leads = votes == votes.max(axis=0)
    sums[~leads] = -np.inf
    result[:] = sums.argmax(axis=0)
    second, top = np.sort(sums, axis=0)[-2:]
    doubt = tie_error(errors[:, 0], n_classes, sizes.sum(axis=1))
    clear[:] = (sizes > errors).all(axis=1) & (top - second > doubt)
    clear[sizes.max(axis=1) > MOST] = False  # what was cut off does not break a tie


@kernel
def settle_winners(rows, theta, offset, norms, arithmetic, negative, positive, n_classes, result):
    """result[i] <- the class that row i is given; see the module's text."""
    values, indices, indptr, width = rows
    scores, errors, limbs = arithmetic.wide, arithmetic.errors, arithmetic.limbs
    everyone, votes = np.arange(theta.shape[0]), np.empty(n_classes, np.int64)
    for i in range(result.shape[0]):
        low, high = span(indptr, width, i)
        bound = row_norm(values, low, high, 1.0)
        if math.isnan(bound):
            return i
        bounded_scores(
            theta, offset, values, indices, low, high, norms, bound, everyone, arithmetic
        )
        votes[:] = 0
        for k in range(theta.shape[0]):
            won = scores[k] > 0.0
            if not abs(scores[k]) > errors[k]:
                sign = dot_sign(theta, offset, k, -1, values, indices, low, high, 1, 0.0, limbs)
                won = sign >= 0
            votes[positive[k] if won else negative[k]] += 1
        best = 0
        for c in range(1, n_classes):
            if votes[c] > votes[best] or (
                votes[c] == votes[best]
                and _stronger(theta, offset, values, indices, low, high, scores, errors,
                              negative, positive, c, best, limbs)
            ):  # fmt: skip
                best = c
        result[i] = best
    return -1


@kernel
def tally_pairs(scores, negative, positive, votes, confidence):
    """votes[c, i] <- the pairs that class c wins at row i; confidence[c, i] <- their summed scores.

    scores : (K, n) float64; cut off at `MOST`, so that no sum of them is infinite
    """
    votes[:] = 0.0
    confidence[:] = 0.0
    for k in range(scores.shape[0]):
        n, p = np.uint64(negative[k]), np.uint64(positive[k])
        for i in range(np.uint64(scores.shape[1])):
            score = min(max(scores[k, i], -MOST), MOST)
            won = np.float64(score >= 0.0)
            votes[p, i] += won
            votes[n, i] += 1.0 - won
            confidence[p, i] += score
            confidence[n, i] -= score


@tally_pairs.wholly_by_numpy
def _(scores, negative, positive, votes, confidence):
    votes[:] = 0.0
    confidence[:] = 0.0
    scores = np.clip(scores, -MOST, MOST)
    for n, p, score in zip(negative, positive, scores, strict=True):
        votes[p] += score >= 0.0
        votes[n] += score < 0.0
        confidence[p] += score
        confidence[n] -= score


@row_kernel
def squeezed(votes, confidence):
    """The votes, and in (-1/3, 1/3) beside them what tells classes with equally many apart."""
    return votes + confidence / (3.0 * (abs(confidence) + 1.0))


@kernel
def pair_decisions(rows, block, negative, positive, result, clear):
    """result[i, c] <- the `squeezed` tally of class c; clear[i] <- are the votes of row i right?"""
    n_rows, n_classes, errors = clear.shape[0], result.shape[1], block.errors
    wide, doubts = np.empty(block.scores.shape), np.empty(BLOCK, np.int64)
    votes, confidence = np.empty((n_classes, BLOCK)), np.empty((n_classes, BLOCK))
    flat = votes.ravel()
    for first in range(0, n_rows, BLOCK):
        size = min(BLOCK, n_rows - first)
        score_block(rows, first, size, block)
        widen(block.scores, block.offset, errors, wide, doubts)
        tally_pairs(wide, negative, positive, votes, confidence)
        for c in range(n_classes):
            for r in range(np.uint64(BLOCK)):
                votes[c, r] = squeezed(votes[c, r], confidence[c, r])
        turn(flat, 0, BLOCK, result, first, 0, size, n_classes)
        for r in range(size):
            clear[first + r] = doubts[r] == 0


@pair_decisions.by_numpy
def _(rows, block, negative, positive, result, clear):
    scores, errors = scores_in_order_at_once(rows, len(clear), block)
    votes, confidence = np.empty((2, result.shape[1], len(clear)))
    tally_pairs(scores.T, negative, positive, votes, confidence)
    result[:] = squeezed(votes, confidence).T
    clear[:] = (np.abs(scores) > errors).all(axis=1)
