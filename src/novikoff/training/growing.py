"""Arrays that are extended at their end, again and again, in amortised constant time.

An array that was extended stays what it was, so that whoever holds it need not copy it: the new
entries are written behind it, into memory that is larger than it, and the longer array is another
view of the same memory. Of two who extend the same array only the first may do so in place; the
other copies. A copy or a pickle of a view holds its own entries, not the room behind them.
"""

from __future__ import annotations

import numpy as np

from novikoff._arrays import Array
from novikoff.kernels.rows import Rows


class _Room(np.ndarray):
    """Memory with room at its end, of which all views begin at the beginning.

    ends : holds how much is in use; who takes that out, which only one can, may write behind it
    """

    ends: set[int]


def appended(old: Array, added: Array) -> Array:
    """`old` and behind it `added`, along the first axis and in a type that holds both."""
    if not len(added):
        return old
    if not len(old):
        return added
    used, size = len(old), len(old) + len(added)
    dtype = np.result_type(old, added)
    room = old.base
    if not (
        isinstance(room, _Room)
        and room.dtype == dtype
        and len(room) >= size
        and _taken(room.ends, used)
    ):
        room = _Room((2 * size, *old.shape[1:]), dtype)
        room[:used] = old
    room[used:size] = added
    room.ends = {size}
    return np.ndarray((size, *old.shape[1:]), dtype, room)


def _taken(ends: set[int], end: int) -> bool:
    """Whether `end` was there, and is no longer; in one step, whoever else tries."""
    try:
        ends.remove(end)
    except KeyError:
        return False
    return True


def appended_rows(blocks: list[Rows], added: Rows) -> list[Rows]:
    """The rows of `blocks` and then those `added`: in the last block, where that is of their kind.

    Both must be dense, or sparse.
    """
    if not blocks or (blocks[-1].indices is None) != (added.indices is None):
        return [*blocks, added]
    last = blocks[-1]
    values, indices, indptr = appended(last.values, added.values), None, None
    values.flags.writeable = False  # as all rows are: one compiled kernel serves them
    if added.indices is not None:
        indices = appended(last.indices, added.indices)
        indptr = appended(last.indptr, added.indptr[1:] + last.indptr[-1])
        indices.flags.writeable = indptr.flags.writeable = False
    return [*blocks[:-1], Rows(values, indices, indptr, added.width)]
