"""Gaussian elimination of sparse rows modulo a prime below 2**31, so that products fit 64 bits."""

from __future__ import annotations

from novikoff._jit import kernel


@kernel
def inverse(a, p):
    """1 / a modulo the prime p (Fermat)."""
    result, power, exponent = 1, a % p, p - 2
    while exponent:
        if exponent & 1:
            result = result * power % p
        power = power * power % p
        exponent >>= 1
    return result


@kernel
def echelon(
    values, indices, indptr, first, last, p, rarity, work, out, out_indices, starts, pivots, chosen,
    count,
):  # fmt: skip
    """Reduce rows one after the other by those before; what is left of a row begins with a 1.

    Row r holds values[q] in column indices[q], indptr[r] <= q < indptr[r + 1], all modulo p. Its
    pivot is the rarest column that is left. Fills out, out_indices and starts with the reduced rows
    as they come, `pivots` with their pivot columns and `chosen` with the numbers of the rows they
    come from; returns how many there are, or -1 if `out` is too short.

    first, last : the rows first <= r < last are reduced; count : how many earlier calls left
    rarity : (d,), the column with the smallest is the rarest; work : (d,), scratch
    """
    end = starts[count]
    for r in range(first, last):
        work[:] = 0
        for q in range(indptr[r], indptr[r + 1]):
            work[indices[q]] = values[q]
        for k in range(count):
            a = work[pivots[k]]
            if a:
                for q in range(starts[k], starts[k + 1]):
                    j = out_indices[q]
                    work[j] = (work[j] + (p - a) * out[q]) % p
        pivot, entries = -1, 0
        for j in range(len(work)):
            if work[j]:
                entries += 1
                if pivot < 0 or rarity[j] < rarity[pivot]:
                    pivot = j
        if pivot < 0:
            continue
        if end + entries > len(out):
            return -1
        factor = inverse(work[pivot], p)
        for j in range(len(work)):
            if work[j]:
                out[end], out_indices[end] = work[j] * factor % p, j
                end += 1
        pivots[count], chosen[count] = pivot, r
        count += 1
        starts[count] = end
    return count


@kernel
def annihilate(out, out_indices, starts, pivots, count, p, v):
    """Set v at the pivots so that it is orthogonal to the reduced rows; elsewhere it is given."""
    for k in range(count - 1, -1, -1):
        total = 0
        for q in range(starts[k], starts[k + 1]):
            if out_indices[q] != pivots[k]:
                total = (total + out[q] * v[out_indices[q]]) % p
        v[pivots[k]] = (p - total) % p
