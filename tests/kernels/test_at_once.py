"""Leaping over rows visits exactly those that a walk row by row would have stopped at."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from novikoff.kernels.at_once import leaping


@given(
    asking=st.lists(st.booleans(), max_size=60),
    calmed=st.integers(0, 59),
    room=st.integers(1, 60),
    start=st.integers(0, 10),
)
def test_every_row_is_passed_over_or_visited_once_and_in_order(asking, calmed, room, start):
    """An update changes who asks: after the first one, the row `calmed` asks no more."""
    asks = np.array(asking, bool)
    order = np.arange(len(asks))[::-1].copy()
    told, updated = [], []

    def is_clear(rows):
        return ~asks[rows]

    def walk(order, start):
        for position in range(start, len(order)):
            row = int(order[position])
            if asks[row]:
                if len(updated) == room:
                    return position, 0
                updated.append(row)
                if calmed < len(asks):
                    asks[calmed] = False
            told.append(row)
        return len(order), 0

    start = min(start, len(order))
    position, status = leaping(walk, is_clear, order, start, told.extend)
    assert status == 0
    assert told == order[start:position].tolist()

    asks[:] = asking
    by_leaps, updated = updated, []
    told.clear()
    assert walk(order, start) == (position, 0)
    assert by_leaps == updated


def test_a_status_ends_the_walk_where_it_stands():
    order = np.arange(40)
    found = leaping(lambda order, start: (start, -1), lambda rows: rows != 17, order, 0)
    assert found == (17, -1)
