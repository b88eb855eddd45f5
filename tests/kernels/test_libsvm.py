"""Lines of LIBSVM text become sparse rows, or the place where they cease to be such lines."""

import numpy as np
import pytest

from novikoff import _jit
from novikoff.kernels import libsvm as kernels
from novikoff.kernels.decimal import PADDING
from novikoff.kernels.libsvm import count_lines, parse_lines


def parse(text, *, first_index=1, limit=np.inf):
    """(outcome, place, width, unsettled), labels, and the rows as lists of (column, value)."""
    padded = np.frombuffer(bytearray(text + b"\n" * PADDING), np.uint8)
    n_lines, n_colons = count_lines(padded, len(text))
    labels, indptr = np.full(n_lines + 1, 7.0), np.full(n_lines + 2, -7, np.int32)
    indices, values = np.full(n_colons, -7, np.int32), np.full(n_colons, 7.0)
    outcome, place, n_rows, width, unsettled = parse_lines(
        padded, len(text), first_index, limit, labels, indptr, indices, values
    )
    pairs = list(zip(indices.tolist(), values.tolist(), strict=True))
    rows = [pairs[indptr[i] : indptr[i + 1]] for i in range(int(n_rows))]
    return (outcome, int(place), int(width), unsettled), labels[: int(n_rows)].tolist(), rows


def rows_of(text, **options):
    (outcome, _, _, unsettled), labels, rows = parse(text, **options)
    assert (outcome, unsettled) == (kernels.DONE, 0)
    return labels, rows


@pytest.mark.parametrize("text", [b"", b"a:b\n:\n\n", b":" * 5000 + b"\n" * 9001, b"\xba\x8a" * 99])
def test_lines_and_colons_are_counted(text):
    padded = np.frombuffer(bytearray(text + b"\n:" * PADDING), np.uint8)
    assert count_lines(padded, len(text)) == (text.count(b"\n"), text.count(b":"))


def test_rows_and_labels():
    labels, rows = rows_of(b"+1 1:0.5 3:-2e1\n-1 2:1\n0.25\n")
    assert labels == [1.0, -1.0, 0.25]
    assert rows == [[(0, 0.5), (2, -20.0)], [(1, 1.0)], []]


@pytest.mark.parametrize(
    "text",
    [
        b"1 2:3 40:5\n-1 7:8",
        b"1 2:3 40:5\r\n-1 7:8\r\n",
        b"\n\n 1\t2:3\t \t40:5  \n# a comment 1:2\n-1 7:8 # 9:9\n   \n",
        b"1 qid:12 2:3 40:5#\n-1 qid:123456789012345678901 7:8\t\n#",
        b"1.0 0002:3. 0000000040:+5e0\n-.1e1 7:8",
        b"1 1:0 2:3 3:-0.0 40:5 41:0e9\n-1 7:8 8:0\r\n",
    ],
)
def test_the_same_rows_in_other_words(text):
    assert rows_of(text) == ([1.0, -1.0], [[(1, 3.0), (39, 5.0)], [(6, 8.0)]])


def test_width_counts_columns_of_zeros():
    assert parse(b"1 3:1 9:0\n1 2:1\n")[0] == (kernels.DONE, 16, 9, 0)
    assert parse(b"1 3:1 9:0\n1 2:1\n", first_index=0)[0] == (kernels.DONE, 16, 10, 0)
    assert parse(b"1\n")[0] == (kernels.DONE, 2, 0, 0)


def test_indices_from_the_first_to_the_last_column():
    assert rows_of(b"1 0:1 1:2", first_index=0)[1] == [[(0, 1.0), (1, 2.0)]]
    assert rows_of(b"1 2147483647:1")[1] == [[(2**31 - 2, 1.0)]]
    assert rows_of(b"1 2147483646:1", first_index=0)[1] == [[(2**31 - 2, 1.0)]]


@pytest.mark.parametrize(
    ("text", "outcome", "place"),
    [
        (b"1 1:1\nx 1:1\n", kernels.BAD_LABEL, 6),
        (b"1,2 1:1\n", kernels.BAD_LABEL, 0),
        (b"1:2\n", kernels.BAD_LABEL, 0),
        (b"1e 1:1\n", kernels.BAD_LABEL, 0),
        (b"nan 1:1\n", kernels.BAD_LABEL, 0),
        (b"1 qid:x 1:1\n", kernels.BAD_QUERY, 2),
        (b"1 qid: 1:1\n", kernels.BAD_QUERY, 2),
        (b"1 qid:7:1\n", kernels.BAD_QUERY, 2),
        (b"1 1:1 qid:7\n", kernels.BAD_FEATURE, 6),
        (b"1 1:1 abc\n", kernels.BAD_FEATURE, 6),
        (b"1 1:1 12\n", kernels.BAD_FEATURE, 6),
        (b"1 1:1 2 :3\n", kernels.BAD_FEATURE, 6),
        (b"1 -1:1\n", kernels.BAD_FEATURE, 2),
        (b"1 1:1\0\n", kernels.BAD_VALUE, 2),
        (b"1 1:\n2:1", kernels.BAD_VALUE, 2),
        (b"1 1: 2\n", kernels.BAD_VALUE, 2),
        (b"1 1:1:2\n", kernels.BAD_VALUE, 2),
        (b"1 1:nan\n", kernels.BAD_VALUE, 2),
        (b"1 1:1_0\n", kernels.BAD_VALUE, 2),
        (b"1 1:0x1\n", kernels.BAD_VALUE, 2),
        (b"1 1:1e999\n", kernels.TOO_LARGE, 2),
        (b"-1e999 1:1\n", kernels.TOO_LARGE, 0),
        (b"1 0:1\n", kernels.SMALL_INDEX, 2),
        (b"1 2147483648:1\n", kernels.LARGE_INDEX, 2),
        (b"1 18446744073709551617:1\n", kernels.LARGE_INDEX, 2),
        (b"1 " + b"9" * 100 + b":1\n", kernels.LARGE_INDEX, 2),
        (b"1 3:1 2:1\n", kernels.NOT_ASCENDING, 6),
        (b"1 3:0 3:1\n", kernels.NOT_ASCENDING, 6),
    ],
)
def test_what_is_wrong_and_where(text, outcome, place):
    assert parse(text)[0][:2] == (outcome, place)


def test_the_limit_is_the_first_number_refused():
    assert parse(b"1 1:-8\n", limit=8.0)[0][:2] == (kernels.TOO_LARGE, 2)
    assert rows_of(b"9 1:-7.999999999999999\n", limit=8.0)[1] == [[(0, -7.999999999999999)]]


@pytest.mark.skipif(_jit._numba() is None, reason="as plain Python every number is decided")
def test_an_undecided_number_says_its_place():
    halfway = b"9007199254740993.0000000000000"  # which digits come next would decide
    (outcome, _, _, unsettled), labels, rows = parse(
        b"1 1:1 2:" + halfway + b"1\n" + halfway + b"1\n"
    )
    assert (outcome, unsettled) == (kernels.DONE, 2)
    places = np.array([rows[0][1][1], labels[1]]).view(np.uint64) & np.uint64(2**48 - 1)
    assert np.isnan([rows[0][1][1], labels[1]]).all()
    assert places.tolist() == [8, 40]
