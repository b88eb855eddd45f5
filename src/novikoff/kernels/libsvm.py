"""LIBSVM text to compressed sparse rows.

A line is ``label [qid:n] index:value index:value ... [# comment]``: spaces or tabs between its
parts, its indices ascending. Lines that are empty or only a comment count for nothing.
"""

from __future__ import annotations

import numpy as np

from novikoff._jit import kernel, row_kernel
from novikoff.kernels.decimal import MALFORMED, UNDECIDED, decimal, digits

# What stopped `parse_lines`.
DONE = 0
BAD_LABEL = 1  # no label
BAD_QUERY = 2  # no whole number behind qid:
BAD_FEATURE = 3  # no index and colon
BAD_VALUE = 4  # no number behind the colon
TOO_LARGE = 5  # a number that would be infinite
SMALL_INDEX = 6  # index 0 where the first is 1
LARGE_INDEX = 7
NOT_ASCENDING = 8  # an index no larger than the one before it

LARGEST_WIDTH = 2**31 - 1  # the most columns that 32-bit indices allow

_0, _1, _4, _8, _10 = (np.uint64(n) for n in (0, 1, 4, 8, 10))
_PIECE = np.uint64(4096)
_CAP = np.uint64(2**32)
_DIGIT_ZERO = np.uint64(48)
_NOT_A_NUMBER = np.uint64(0x7FF8 << 48)
_TAB, _NEWLINE, _RETURN, _SPACE = np.uint8(9), np.uint8(10), np.uint8(13), np.uint8(32)
_HASH, _COLON = np.uint8(35), np.uint8(58)
_ENDS = np.uint64(sum(1 << byte for byte in b"\t\n\r #"))  # bit b for byte b
_QID = tuple(np.uint8(byte) for byte in b"qid:")


@kernel
def count_lines(text, stop):
    """How many newlines and how many colons text[:stop] has."""
    n_lines, n_colons = 0, 0
    start, stop = _0, np.uint64(stop)
    while start < stop:
        # Sums of 16 bits over short pieces: four times as many of them at once as of 64 bits.
        end = min(start + _PIECE, stop)
        lines, colons = np.uint16(0), np.uint16(0)
        for p in range(start, end):
            lines = np.uint16(lines + np.uint16(text[p] == _NEWLINE))
            colons = np.uint16(colons + np.uint16(text[p] == _COLON))
        n_lines += np.int64(lines)
        n_colons += np.int64(colons)
        start = end
    return n_lines, n_colons


@row_kernel
def _past_blanks(text, p):
    while text[p] == _SPACE or text[p] == _TAB or text[p] == _RETURN:
        p += _1
    return p


@row_kernel
def _ends(byte):
    """Whether a part of a line may end before `byte`."""
    return byte <= _HASH and ((_ENDS >> np.uint64(byte)) & _1) != _0


@row_kernel
def _number(text, p, limit):
    """The number at `p`, its end, and DONE, TOO_LARGE or BAD_VALUE.

    An undecided number (see `decimal`) becomes a NaN whose lower bits are its place.
    """
    value, end, outcome = decimal(text, p)
    if outcome == MALFORMED or not _ends(text[end]):
        return value, end, BAD_VALUE
    if outcome == UNDECIDED:
        return np.uint64(_NOT_A_NUMBER | p).view(np.float64), end, DONE
    return value, end, (DONE if abs(value) < limit else TOO_LARGE)


@kernel
def _label(text, p):
    """Like `_number`; a copy of its own, so that the loop over features stays small."""
    return _number(text, p, np.inf)


@kernel
def _past_query(text, p):
    """The end of a query identifier at `p`: `p` itself if there is none, 0 if it is malformed."""
    for i in range(4):
        if text[p + np.uint64(i)] != _QID[i]:
            return p
    p += _4
    first, count = p, _8
    while count == _8:
        _, count = digits(text, p)
        p += count
    return p if p > first and _ends(text[p]) else _0


@kernel
def _long_index(text, p):
    """The index at `p`, capped at 2**32, and its end."""
    index, digit = _0, np.uint64(text[p]) - _DIGIT_ZERO
    while digit < _10:
        index = min(index * _10 + digit, _CAP)
        p += _1
        digit = np.uint64(text[p]) - _DIGIT_ZERO
    return index, p


@row_kernel
def _features(text, p, first_index, limit, indices, values, n):
    """Store the features at `p` from entry `n` on.

    Returns what stopped it, its place (DONE: where the line goes on), the next free entry, the
    smallest index that could have followed, and how many numbers are NaN.
    """
    largest = first_index + np.uint64(LARGEST_WIDTH - 1)
    least, unsettled = first_index, 0
    while True:
        index, count = digits(text, p)
        if count == _0:
            break
        end = p + count
        if count == _8:
            index, end = _long_index(text, p)
        if text[end] != _COLON:
            return BAD_FEATURE, p, n, least, unsettled
        if index < least:
            outcome = SMALL_INDEX if least == first_index else NOT_ASCENDING
            return outcome, p, n, least, unsettled
        if index > largest:
            return LARGE_INDEX, p, n, least, unsettled
        least = index + _1
        value, end, outcome = _number(text, end + _1, limit)
        if outcome != DONE:
            return outcome, p, n, least, unsettled
        indices[n] = np.int32(index - first_index)
        values[n] = value
        unsettled += np.int64(np.isnan(value))
        n += np.uint64(value != 0.0)  # a zero is overwritten by the next
        p = _past_blanks(text, end)
    if text[p] != _NEWLINE and text[p] != _HASH:
        return BAD_FEATURE, p, n, least, unsettled
    return DONE, p, n, least, unsettled


@kernel
def parse_lines(text, stop, first_index, limit, labels, indptr, indices, values):
    """Parse the lines text[:stop] into labels and the rows of a matrix.

    text : uint8, with a newline at text[stop] and `PADDING` bytes in all from there
    first_index : what the first column is called in the text, 0 or 1
    limit : the smallest magnitude of a value that counts as infinite
    labels, indptr, indices, values : filled in; values of zero are left out

    There must be room for as many rows as there are lines, and as many values as colons.

    Returns (outcome, place, n_rows, width, unsettled): DONE, or what stopped it and where. `width`
    is the number of columns up to the last one named, zeros included. So many numbers as
    `unsettled` says are NaN in `labels` and `values` and the caller's to find, see `_number`.
    """
    stop, first_index = np.uint64(stop), np.uint64(first_index)
    p, row, n, bound, unsettled = _0, _0, _0, first_index, 0
    indptr[0] = 0
    while p < stop:
        p = _past_blanks(text, p)
        if text[p] == _NEWLINE:
            p += _1
            continue
        if text[p] == _HASH:
            while text[p] != _NEWLINE:
                p += _1
            continue
        label, end, outcome = _label(text, p)
        if outcome != DONE:
            return (BAD_LABEL if outcome == BAD_VALUE else outcome), p, row, _0, unsettled
        labels[row] = label
        p = _past_blanks(text, end)
        end = _past_query(text, p)
        if end == _0:
            return BAD_QUERY, p, row, _0, unsettled
        p = _past_blanks(text, end)
        outcome, p, n, least, n_nan = _features(text, p, first_index, limit, indices, values, n)
        if outcome != DONE:
            return outcome, p, row, _0, unsettled
        bound = max(bound, least)
        unsettled += n_nan + np.int64(np.isnan(label))
        row += _1
        indptr[row] = np.int32(n)
    return DONE, p, row, bound - first_index, unsettled
