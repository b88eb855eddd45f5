"""The votes of many hypotheses, rebuilt from their updates in blocks.

Their scores come from a matrix product, in single precision: a bound on its error says which signs
and largest scores are certain, and exact sums decide the others.
"""

from __future__ import annotations

import numpy as np

from novikoff._jit import kernel, row_kernel
from novikoff.kernels.exact import dot_sign
from novikoff.kernels.filter import product_error
from novikoff.kernels.joint import strongest
from novikoff.kernels.rows import span
from novikoff.kernels.rules import update


@kernel
def replay(rule, rows, planes, chosen_rows, chosen_planes, signs, entries, numbers, start, stop):
    """Make moves start ... stop - 1 again: of hyperplane chosen_planes[m] by row chosen_rows[m].

    planes : theta, offset, extra and constant, as in `Planes`, and limbs; changed in place
    numbers : (., N) those of the rule, entries[m] the line of each; signs : -1 where a joint update
        moves away from the row
    With the rounding of training, so that a hypothesis comes back bit for bit.
    """
    theta, offset, extra, constant, limbs = planes
    values, indices, indptr, width = rows
    for m in range(start, stop):
        low, high = span(indptr, width, chosen_rows[m])
        update(
            rule, theta, offset, extra, None, None, chosen_planes[m], signs[m], values, indices,
            low, high, constant, limbs, numbers, entries[m], 0.0,
        )  # fmt: skip


@kernel
def unfold(rule, rows, planes, chosen_rows, numbers, done, wanted, thetas, offsets):
    """thetas[b], offsets[b] <- the hypothesis after wanted[b] updates of one hyperplane.

    planes : the one after `done` updates, theta of shape (1, d); left as the last one written
    wanted : (B,) ascending, none less than `done`
    """
    theta, offset, extra, constant, limbs = planes
    values, indices, indptr, width = rows
    e = done
    for b in range(wanted.shape[0]):
        while e < wanted[b]:
            low, high = span(indptr, width, chosen_rows[e])
            update(
                rule, theta, offset, extra, None, None, 0, 1.0, values, indices, low, high,
                constant, limbs, numbers, e, 0.0,
            )  # fmt: skip
            e += 1
        for j in range(width):
            thetas[b, j] = theta[0, j]
        offsets[b] = offset[0]


@kernel
def unfold_joint(rule, rows, planes, chosen_rows, own, rivals, numbers, start, thetas, offsets):
    """The same of a weight vector per class: what each update changes is written, and no more.

    thetas : (C + 2 B, d), offsets : (C + 2 B,), filled: the C vectors before update `start`, then
        for every update those of the row's own class and of its rival, after it
    """
    theta, offset, extra, constant, limbs = planes
    values, indices, indptr, width = rows
    n_classes = theta.shape[0]
    for k in range(n_classes):
        thetas[k] = theta[k]
        offsets[k] = offset[k]
    for m in range(thetas.shape[0] - n_classes):
        e = start + m // 2
        k, sign = (own[e], 1.0) if m % 2 == 0 else (rivals[e], -1.0)
        low, high = span(indptr, width, chosen_rows[e])
        update(
            rule, theta, offset, extra, None, None, k, sign, values, indices, low, high, constant,
            limbs, numbers, e, 0.0,
        )  # fmt: skip
        thetas[n_classes + m] = theta[k]
        offsets[n_classes + m] = offset[k]


@kernel
def count_signs(rows, first, row_norms, thetas, offsets, norms, products, single, weights, limbs,
                result):  # fmt: skip
    """result[i] += sum over the hypotheses of weights[b] h_b(x_i), every h exact.

    products : (R, B) in single precision, thetas . x of the rows first, first + 1, ...
    norms : (B,), row_norms : (n,) upper bounds on ||(theta, theta_0)|| and ||(x, 1)||
    weights : (B,) int64
    """
    values, indices, indptr, width = rows
    for r in range(products.shape[0]):
        i = first + r
        low, high = span(indptr, width, i)
        total = 0
        for b in range(products.shape[1]):
            score = np.float64(products[r, b]) + np.float64(offsets[b])
            positive = score > 0.0
            if not abs(score) > product_error(high - low, norms[b], row_norms[i], single):
                sign = dot_sign(thetas, offsets, b, -1, values, indices, low, high, 1, 0.0, limbs)
                positive = sign >= 0
            total += weights[b] if positive else -weights[b]
        result[i] += total


@count_signs.by_numpy
def _(rows, first, row_norms, thetas, offsets, norms, products, single, weights, limbs, result):
    mine = slice(first, first + len(products))
    scores = products.astype(np.float64) + offsets
    errors = _errors(rows, mine, norms, row_norms, single)
    zero = ~thetas.any(axis=1) & (offsets == 0)  # as most runs begin: h(0) = +1
    positive = (scores > 0.0) | zero
    for r, b in np.argwhere(~(np.abs(scores) > errors) & ~zero):
        low, high = span(rows.indptr, rows.width, first + r)
        sign = dot_sign(thetas, offsets, b, -1, rows.values, rows.indices, low, high, 1, 0.0, limbs)
        positive[r, b] = sign >= 0
    result[mine] += np.where(positive, weights, -weights).sum(axis=1)


def _errors(rows, mine, norms, row_norms, single):
    """(R, B): bounds on the errors of products in single precision."""
    indptr = rows.indptr
    longest = rows.width if indptr is None else np.diff(indptr[mine.start : mine.stop + 1]).max()
    return product_error.plain(longest, norms, row_norms[mine, None], single)


@row_kernel
def clear_winner(scores, errors):
    """The index of the largest score if the bounds on their errors leave no doubt, else -1."""
    best, top = 0, -np.inf
    for k in range(scores.shape[0]):
        if scores[k] > top:
            best, top = k, scores[k]
    floor = top - errors[best]
    rivals = 0
    for k in range(scores.shape[0]):
        rivals += not scores[k] + errors[k] < floor  # the best itself, and what is not a number
    return best if rivals == 1 else -1


@kernel
def count_strongest(rows, first, row_norms, thetas, offsets, norms, products, single, own, rivals,
                    start, weights, vectors, scores, errors, limbs, result):  # fmt: skip
    """result[i, c] += the weights of the hypotheses whose largest score at row i is that of c.

    thetas, offsets : as `unfold_joint` leaves them; own, rivals, start as there
    weights : (B + 1,) int64; vectors : (C,) int64, scores, errors : (C,) float64, scratch
    """
    values, indices, indptr, width = rows
    n_classes = scores.shape[0]
    for r in range(products.shape[0]):
        i = first + r
        low, high = span(indptr, width, i)
        for m in range(thetas.shape[0]):
            e = start + (m - n_classes) // 2
            c = m
            if m >= n_classes:
                c = own[e] if (m - n_classes) % 2 == 0 else rivals[e]
            vectors[c] = m
            scores[c] = np.float64(products[r, m]) + np.float64(offsets[m])
            errors[c] = product_error(high - low, norms[m], row_norms[i], single)
            # A hypothesis is complete after the first C vectors, then after every second one.
            past = m + 1 - n_classes
            if past < 0 or past % 2 == 1:
                continue
            best = clear_winner(scores, errors)
            if best < 0:
                best = strongest(
                    thetas, offsets, vectors, values, indices, low, high, scores, errors, -1, limbs
                )
            result[i, best] += weights[past // 2]


@count_strongest.by_numpy
def _(rows, first, row_norms, thetas, offsets, norms, products, single, own, rivals, start, weights,
      vectors, scores, errors, limbs, result):  # fmt: skip
    # The loop over the hypotheses is the same; the one over the rows is numpy's.
    values, indices, indptr, width = rows
    n_rows, n_classes = len(products), len(scores)
    mine, each = slice(first, first + n_rows), np.arange(n_rows)
    all_errors = _errors(rows, mine, norms, row_norms, single)
    scores, errors = np.empty((2, n_rows, n_classes))
    for m in range(len(thetas)):
        e, c = start + (m - n_classes) // 2, m
        if m >= n_classes:
            c = own[e] if (m - n_classes) % 2 == 0 else rivals[e]
        vectors[c] = m
        scores[:, c] = products[:, m].astype(np.float64) + offsets[m]
        errors[:, c] = all_errors[:, m]
        past = m + 1 - n_classes
        if past < 0 or past % 2 == 1:
            continue
        best = scores.argmax(axis=1)
        floor = scores[each, best] - errors[each, best]
        unclear = (~(scores + errors < floor[:, None])).sum(axis=1) != 1
        for r in np.flatnonzero(unclear):
            low, high = span(indptr, width, first + r)
            best[r] = strongest(
                thetas, offsets, vectors, values, indices, low, high, scores[r], errors[r], -1,
                limbs,
            )  # fmt: skip
        result[first + each, best] += weights[past // 2]
