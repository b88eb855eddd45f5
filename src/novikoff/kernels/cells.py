"""Lines of numbers between delimiters, with at most some columns of plain text among them.

Plain means ASCII without quotes, blanks and control characters. What is not plain stops the
kernel: such files are for a reader that knows the rules of quoting.
"""

from __future__ import annotations

import numpy as np

from novikoff._jit import kernel, row_kernel
from novikoff.kernels.decimal import DECIDED, decimal

# What stopped `parse_cells`.
DONE = 0
NOT_PLAIN = 1  # a line with too many or too few cells, or text that is not plain
TOO_ODD = 2  # no more room for cells that are no numbers

_0, _1 = np.uint64(0), np.uint64(1)
_NEWLINE, _RETURN, _QUOTE, _SPACE, _DELETE = (np.uint8(byte) for byte in b'\n\r" \x7f')


@kernel
def count_newlines(text, stop):
    """How many newlines text[:stop] has."""
    count = 0
    for p in range(_0, np.uint64(stop)):
        count += np.int64(text[p] == _NEWLINE)
    return count


@count_newlines.by_numpy
def _(text, stop):
    return np.count_nonzero(text[:stop] == _NEWLINE)


@row_kernel
def _ends(byte, delimiter):
    return byte == delimiter or byte == _NEWLINE or byte == _RETURN


@row_kernel
def _plain_end(text, p, delimiter):
    """Where the cell at `p` ends, and whether all of it is plain."""
    plain = True
    while not _ends(text[p], delimiter):
        byte = text[p]
        plain &= byte > _SPACE and byte < _DELETE and byte != _QUOTE
        p += _1
    return p, plain


@kernel
def parse_cells(text, stop, delimiter, columns, values, spans, odd):
    """Parse the lines text[:stop]; empty ones count for nothing.

    text : uint8, with a newline at text[stop] and `decimal.PADDING` bytes in all from there
    columns : for each column k >= 0 if its numbers go to values[k], -1 - k if its cells go to
        spans[k]
    values : (n_numbers, room) float64, NaN where a cell is empty
    spans : (n_texts, 2, room) int64: where a cell begins and ends
    odd : (most, 4) int64: k, row, beginning and end of each cell that is not empty and not a number
        that `decimal` decides; its value is left to the caller

    Returns (outcome, n_rows, n_missing, n_odd).
    """
    p, stop = _0, np.uint64(stop)
    row, n_missing, n_odd = 0, 0, 0
    last = len(columns) - 1
    while p < stop:
        if text[p] == _NEWLINE or (text[p] == _RETURN and text[p + _1] == _NEWLINE):
            p += _1 + np.uint64(text[p] == _RETURN)
            continue
        for j in range(len(columns)):
            k = columns[j]
            start = p
            if k < 0:
                p, plain = _plain_end(text, p, delimiter)
                if not plain:
                    return NOT_PLAIN, row, n_missing, n_odd
                spans[-1 - k, 0, row] = np.int64(start)
                spans[-1 - k, 1, row] = np.int64(p)
            elif _ends(text[p], delimiter):
                values[k, row] = np.nan
                n_missing += 1
            else:
                value, p, outcome = decimal(text, p)
                values[k, row] = value
                if outcome != DECIDED or not _ends(text[p], delimiter):
                    p, plain = _plain_end(text, start, delimiter)
                    if not plain:
                        return NOT_PLAIN, row, n_missing, n_odd
                    if n_odd == len(odd):
                        return TOO_ODD, row, n_missing, n_odd
                    odd[n_odd, 0] = k
                    odd[n_odd, 1] = row
                    odd[n_odd, 2] = np.int64(start)
                    odd[n_odd, 3] = np.int64(p)
                    n_odd += 1
            if j < last:
                if text[p] != delimiter:
                    return NOT_PLAIN, row, n_missing, n_odd
            else:
                p += np.uint64(text[p] == _RETURN)
                if text[p] != _NEWLINE:
                    return NOT_PLAIN, row, n_missing, n_odd
            p += _1
        row += 1
    return DONE, row, n_missing, n_odd


@kernel
def gather_cells(text, spans, cells):
    """Copy the cells at `spans`, (2, n), into the rows of `cells`, (n, width), full of zeros."""
    for row in range(len(cells)):
        start = spans[0, row]
        for i in range(spans[1, row] - start):
            cells[row, i] = text[start + i]
