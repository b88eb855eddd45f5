"""The kernel perceptron in its dual form: the walk through a block of rows, and the votes.

A hypothesis is a sum over rows, s(x) = sum_j a_j K(x, x_j), and an update at row i with the signed
step c is a_i <- a_i + c: it adds c K(x, x_i) to the score of every x. So a walk needs no theta,
only the scores of the rows it visits and their kernel values with each other (Freund and Schapire
1999, section 2.3; the dual form of Aizerman, Braverman and Rozonoer 1964).

Scores are doubles and are compared as they are; where all sums are exact, so is every decision.
"""

from __future__ import annotations

import numpy as np

from novikoff._jit import kernel, row_kernel


@row_kernel
def breaks_rule(score, y, rule):
    """Whether an example with label y, +1 or -1, and this score is a mistake."""
    clearance = y * score
    if clearance == rule.threshold:
        return rule.positive_tie if y > 0 else rule.negative_tie
    return clearance < rule.threshold


@kernel
def mistaken(labels, scores, i, plan, rule, joint, planes):
    """Write the hyperplanes that err at row i of the block into `planes`; returns how many.

    labels : (B,), scores : (K, W >= B)
    A joint model errs once, and the entry is the rival: the lowest-numbered class other than the
    row's own whose score is largest.
    """
    label = labels[i]
    count = 0
    if joint:
        rival = -1
        for k in range(scores.shape[0]):
            if k != label and (rival < 0 or scores[k, i] > scores[rival, i]):
                rival = k
        # As for a hyperplane: under ties="sign" the lower index wins a tie.
        y = 1.0 if label < rival else -1.0
        if breaks_rule(y * (scores[label, i] - scores[rival, i]), y, rule):
            planes[0] = rival
            count = 1
        return count
    for a in range(plan.start[label], plan.start[label + 1]):
        if breaks_rule(scores[plan.plane[a], i], plan.side[a], rule):
            planes[count] = plan.plane[a]
            count += 1
    return count


@kernel
def next_mistake(labels, scores, start, plan, rule, joint, planes):
    """The first row of the block from `start` on that is a mistake, or B if none is.

    planes : (K,) int64, scratch; left with the hyperplanes that err there, see `mistaken`
    Returns the row and how many hyperplanes err.
    """
    for i in range(start, labels.shape[0]):
        count = mistaken(labels, scores, i, plan, rule, joint, planes)
        if count > 0:
            return i, count
    return labels.shape[0], 0


@kernel
def next_kept_mistake(labels, values, kept, coef, scores, start, plan, rule, joint, planes):
    """As `next_mistake`, where a score is summed anew for every row that is visited.

    values, kept, coef, scores : see `sum_kept`
    """
    sums = np.empty(coef.shape[1])
    for i in range(start, labels.shape[0]):
        sum_row(values, i, kept, coef, sums, scores)
        count = mistaken(labels, scores, i, plan, rule, joint, planes)
        if count > 0:
            return i, count
    return labels.shape[0], 0


@kernel
def sum_kept(values, kept, coef, scores):
    """scores[k, i] = sum_m coef[m, k] * values[i, kept[m]], in the order of m.

    values : (W, C), values[i, c] = K(x_i, x_c)
    kept : (M,) the support rows among the C; coef : (M, K)
    scores : (K, W), written over
    """
    sums = np.empty(coef.shape[1])
    for i in range(values.shape[0]):
        sum_row(values, i, kept, coef, sums, scores)


@row_kernel
def sum_row(values, i, kept, coef, sums, scores):
    """`sum_kept` for row i, product and sum rounded on their own; sums : (K,) scratch."""
    sums[:] = 0.0
    for m in range(kept.shape[0]):
        value = values[i, kept[m]]
        for k in range(sums.shape[0]):
            sums[k] += coef[m, k] * value
    for k in range(sums.shape[0]):
        scores[k, i] = sums[k]


@kernel
def dual_walk(
    order, labels, steps, values, scores, plan, rule, joint, planes, log_plane, log_place
):
    """Visit some of B rows in turn, updating every hyperplane on its mistakes.

    order : (n,) the rows to visit
    values : (B, B), values[i, j] = K(x_j, x_i)
    scores : (K, B), what the hyperplanes say of the rows; changed in place, and at the end what
        they say of all of them after the walk
    planes : (K,) int64, scratch
    log_plane, log_place : the updates in order, by the place in `order`; a joint update names the
        class that x was subtracted from
    Returns the number of updates.
    """
    n_logged = 0
    for place in range(order.shape[0]):
        i = order[place]
        count = mistaken(labels, scores, i, plan, rule, joint, planes)
        for m in range(count):
            k = planes[m]
            log_plane[n_logged] = k
            log_place[n_logged] = place
            n_logged += 1
            if joint:
                add_values(scores, labels[i], steps[i], values, i)
                add_values(scores, k, -steps[i], values, i)
            else:
                add_values(scores, k, plan.sides[k, labels[i]] * steps[i], values, i)
    return n_logged


@row_kernel
def add_values(scores, k, step, values, i):
    """scores[k] += step * values[i], product and sum rounded on their own."""
    for j in range(scores.shape[1]):
        scores[k, j] += step * values[i, j]


@kernel
def tally(values, rows, steps, survival, scores, votes):
    """votes += sum c_e h_e(x), the hypotheses of one hyperplane taken one after the other.

    values : (M, Q), values[m, q] = K(x_q, x_m)
    rows, steps : (E,) the updates that lead from one hypothesis to the next
    survival : (E + 1,) float64, how long each hypothesis survived
    scores : (Q,) what the first hypothesis says; changed in place to what the last one says
    votes : (Q,) float64, changed in place; a score of 0 votes +1
    """
    for e in range(survival.shape[0]):
        if e > 0:
            m, step = rows[e - 1], steps[e - 1]
            for q in range(scores.shape[0]):
                scores[q] += step * values[m, q]
        weight = survival[e]
        for q in range(scores.shape[0]):
            votes[q] += weight if scores[q] >= 0.0 else -weight


@kernel
def joint_tally(values, rows, steps, own, rival, survival, scores, votes):
    """votes[r] += the survival times of the hypotheses whose strongest class is r.

    own, rival : (E,) the classes that the row was added to and subtracted from
    scores, votes : (C, Q); see `tally`
    """
    for e in range(survival.shape[0]):
        if e > 0:
            m, step = rows[e - 1], steps[e - 1]
            for q in range(scores.shape[1]):
                scores[own[e - 1], q] += step * values[m, q]
                scores[rival[e - 1], q] -= step * values[m, q]
        if survival[e] == 0.0:
            continue
        for q in range(scores.shape[1]):
            best = 0
            for r in range(1, scores.shape[0]):
                if scores[r, q] > scores[best, q]:
                    best = r
            votes[best, q] += survival[e]


@kernel
def polynomial(values, gamma, coef0, degree, base):
    """values <- (gamma * values + coef0) ** degree, by repeated multiplication.

    base : (C,) float64, scratch for one row of `values`
    """
    for i in range(values.shape[0]):
        for j in range(values.shape[1]):
            base[j] = gamma * values[i, j] + coef0
            values[i, j] = base[j] if degree > 0 else 1.0
        for _ in range(degree - 1):
            for j in range(values.shape[1]):
                values[i, j] *= base[j]
