"""Checks of votes: rows that were kept, and the updates that lead from hypothesis to hypothesis."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.kernels.rows import Rows
from novikoff.persistence.check_linear import check_is_rule
from novikoff.persistence.checks import (
    array_of,
    check_beside,
    check_compressed,
    floats,
    integers,
    whole,
)
from novikoff.persistence.errors import require
from novikoff.training.schemes import Scheme
from novikoff.training.state import State, kept_beside
from novikoff.training.votes import Chain

_VALUES = (
    np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64, np.float32,
    np.float64,
)  # fmt: skip


def check_rows(rows: Any) -> None:
    values = array_of(rows.values, _VALUES, (None,), "the kept rows")
    require(bool(np.isfinite(values).all()), "the kept rows hold numbers that are not finite.")
    width = whole(rows.width, "the width of the kept rows", 1)
    if rows.indices is None:
        require(rows.indptr is None, "the kept rows are half sparse.")
        require(len(values) % width == 0, f"the kept rows are not {width} wide.")
        return
    array_of(rows.indices, (np.uint32, np.uint64), (None,), "the columns of the kept rows")
    indptr = array_of(rows.indptr, (np.int64,), (None,), "the bounds of the kept rows")
    require(len(indptr) > 0, "the kept rows have no bounds.")
    check_compressed(values, rows.indices, indptr, len(indptr) - 1, width, "the kept rows")


def n_rows(rows: Any) -> int:
    return len(rows.values) // rows.width if rows.indices is None else len(rows.indptr) - 1


def check_chain(chain: Any) -> None:
    integers(chain.row, (None,), "the rows of updates")
    length = (len(chain.row),)
    floats(chain.numbers, (*length, None), "the numbers of updates")
    times = integers(chain.time, length, "the times of updates", 1, 2**62)
    require(bool((times[1:] >= times[:-1]).all()), "updates are not in order of time.")
    integers(chain.rival, length, "the hyperplanes of updates")
    integers(chain.own, length, "the classes of updates")


def check_chains(chains: Any, scheme: Any, n_kept: int = 2**62, counts: Any = None) -> None:
    """Refuse chains that lead to rows or hyperplanes that are not there.

    counts : how many examples each hyperplane has seen; None if that is not known
    """
    counts = [2**62] * len(chains) if counts is None else counts
    n_planes = len(scheme.roles)
    require(all(type(chain) is Chain for chain in chains), "a history has no updates.")
    require(
        len(chains) == (1 if scheme.joint else n_planes),
        f"a history has {len(chains)} sequences of updates for {n_planes} hyperplanes.",
    )
    for chain, count in zip(chains, counts, strict=False):
        if len(chain.row):
            require(int(chain.row.max()) < n_kept, "an update was made by a row that is missing.")
            require(int(chain.time[-1]) <= count, "an update was made after the last example.")
            most = max(int(chain.rival.max()), int(chain.own.max()))
            require(not scheme.joint or most < n_planes, "an update moves no hyperplane.")


def check_history(history: Any) -> None:
    check_is_rule(history.rule)
    require(type(history.scheme) is Scheme and type(history.start) is State, "a history is none.")
    width, theta = history.start.theta.shape[1], history.start.theta
    require(
        len(theta) == len(history.scheme.roles), f"a history starts with {len(theta)} hyperplanes."
    )
    require(not history.start.counts.any(), "a history starts in the middle of a run.")
    check_beside(history.start.beside, kept_beside(history.rule), *theta.shape)
    require(
        type(history.kept) is list
        and all(type(rows) is Rows and rows.width == width for rows in history.kept),
        f"the kept rows do not have {width} features.",
    )
    n_kept = whole(history.n_kept, "the number of kept rows")
    require(sum(map(n_rows, history.kept)) == n_kept, f"there are not {n_kept} kept rows.")
    require(type(history.chains) is list, "a history has no updates.")
    check_chains(history.chains, history.scheme, n_kept)
    for chain in history.chains:
        require(
            chain.numbers.dtype == theta.dtype and chain.numbers.shape[1] == history.rule.NUMBERS,
            "the numbers of updates are of another type than theta, or another rule's.",
        )


def check_vote(history: Any, scheme: Any, state: Any) -> None:
    """Refuse a history that does not lead to the state."""
    require(history.scheme == scheme, "the history is of another scheme.")
    same = history.start.theta.shape == state.theta.shape
    require(same and history.start.theta.dtype == state.theta.dtype, "the history is another's.")
    check_chains(history.chains, history.scheme, history.n_kept, state.counts)


CHECKS = {
    "Rows": check_rows,
    "Chain": check_chain,
    "History": check_history,
}
