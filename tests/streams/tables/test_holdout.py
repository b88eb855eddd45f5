"""Rows are held out by number and seed, and by nothing else."""

import numpy as np
import pytest

from novikoff.streams.tables.frames import _mix, held_out


def splitmix64(state, n):
    """The reference: a state that grows by a constant, each time scrambled (Vigna's C code)."""
    mask = (1 << 64) - 1
    for _ in range(n):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield z ^ (z >> 31)


def test_the_hash_is_splitmix64():
    assert _mix(np.arange(20, dtype=np.uint64)).tolist() == list(splitmix64(0, 20))
    assert _mix(np.arange(1, dtype=np.uint64))[0] == 0xE220A8397B1DCDAF  # published value


def test_a_row_is_held_out_whatever_the_others_are():
    rows = np.arange(1000)
    whole = held_out(rows, 0.2, 3)
    parts = [held_out(part, 0.2, 3) for part in np.array_split(rows, 7)]
    assert (np.concatenate(parts) == whole).all()


@pytest.mark.parametrize("share", [0.0, 0.05, 0.2, 0.5])
def test_about_the_share_that_was_asked_for(share):
    n = 100_000
    deviation = (n * share * (1 - share)) ** 0.5
    assert abs(held_out(np.arange(n), share, 0).sum() - n * share) <= 4 * deviation


def test_seeds_choose_other_rows_and_a_larger_share_more_of_the_same():
    rows = np.arange(10_000)
    assert 0.25 < (held_out(rows, 0.2, 0) != held_out(rows, 0.2, 1)).mean() < 0.39
    assert not (held_out(rows, 0.2, -1) & ~held_out(rows, 0.3, -1)).any()
