"""The mistakes that students make, as variations of the reference run.

A mistake may be written in several ways: each is a :class:`~novikoff.teaching.reference.Slip`. What
it is called and how it is explained stands in `texts/`, under its name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from novikoff.teaching.reference import TIE, Slip
from novikoff.teaching.task import Task

CHANGES_DATA = "changes-data"  # seen, not concluded: X or y is another after the call


@dataclass(frozen=True)
class Mistake:
    """One mistake: its name, how it may be written, and for which tasks it can be made."""

    name: str
    slips: tuple[Slip, ...]
    occurs: Callable[[Task], bool] = lambda task: True


def _kinds(*kinds: str) -> Callable[[Task], bool]:
    return lambda task: task.kind in kinds


def _tie(task: Task) -> str:
    """When a score on the threshold asks for an update; a passive-aggressive step is 0 there."""
    return "" if task.kind == "pa" else TIE[task.ties]


def _offset(task: Task) -> bool:
    return task.offset


CATALOGUE = (
    # what is a mistake
    Mistake("strict", (Slip(tie="never"),), lambda task: _tie(task) in ("always", "negative")),
    Mistake("not-strict", (Slip(tie="always"),), lambda task: _tie(task) == "never"),
    Mistake(
        "sign-zero",
        (Slip(at_zero=0), Slip(tie="always"), Slip(tie="always", at_zero=0)),
        lambda task: _tie(task) != "never",
    ),
    Mistake(
        "sign-minus", (Slip(at_zero=-1), Slip(tie="positive"), Slip(tie="positive", at_zero=-1))
    ),
    Mistake(
        "sign-plus", (Slip(tie="negative"),), lambda task: _tie(task) in ("always", "never")
    ),
    Mistake("every-example", (Slip(always=True),)),
    Mistake("margin-ignored", (Slip(margin_ignored=True),), lambda task: task.margin != 0),
    # y
    Mistake("without-y", (Slip(theta_y=False, offset_y=False),)),
    Mistake("theta-without-y", (Slip(theta_y=False),), _offset),
    Mistake("offset-without-y", (Slip(offset_y=False),), _offset),
    Mistake("test-without-y", (Slip(test_y=False),)),
    Mistake("offset-outside", (Slip(offset_outside=True),), _offset),
    Mistake("subtracts", (Slip(sign=-1),)),
    # the offset
    Mistake("offset-never", (Slip(offset_moves=0),), _offset),
    Mistake(
        "offset-twice",
        (Slip(offset_moves=2), Slip(offset_counts=2), Slip(offset_moves=2, offset_counts=2)),
        _offset,
    ),
    Mistake("offset-score", (Slip(offset_moves="score"),), _offset),
    # the walk
    Mistake(
        "shuffled", (Slip(order="shuffled"), Slip(order="random")),
        lambda task: task.order == "cyclic",
    ),
    Mistake("not-shuffled", (Slip(order="cyclic"),), lambda task: task.order != "cyclic"),
    Mistake(
        "clean-example",
        (Slip(ends="run"), Slip(ends="run", counts_clean=True), Slip(ends="epoch"),
         Slip(ends="epoch", counts_clean=True), Slip(ends="flag")),
    ),
    Mistake("update-ends", (Slip(ends="update run"), Slip(ends="update epoch"))),
    Mistake("off-by-one", (Slip(epochs=-1), Slip(epochs=1))),
    Mistake("one-epoch", (Slip(epochs="one"),)),
    Mistake("stops-counting", (Slip(ends="converged"),), _kinds("averaged", "voted")),
    Mistake("start-ignored", (Slip(from_zero=True),), lambda task: task.start is not None),
    Mistake("transposed", (Slip(transposed=True),)),
    # what is kept
    Mistake(
        "mean-of-updates", (Slip(mean="updates"), Slip(mean="updates and start")),
        _kinds("averaged"),
    ),
    Mistake("missing-factor", (Slip(mean="no factor"),), _kinds("averaged")),
    Mistake("mean-without-start", (Slip(mean="without start"),), _kinds("averaged")),
    Mistake(
        "mean-wrong-count",
        (Slip(mean="by T"), Slip(mean="by n"), Slip(mean="updates by examples")),
        _kinds("averaged"),
    ),
    Mistake(
        "alias",
        (Slip(aliases=True), Slip(aliases=True, mean="without start")),
        _kinds("averaged", "voted", "pocket"),
    ),
    Mistake(
        "survival-from-one",
        (Slip(counts=(1, 1)), Slip(counts=(1, 2)), Slip(counts=(0, 2))),
        _kinds("voted"),
    ),
    Mistake("survival-from-zero", (Slip(counts=(0, 0)),), _kinds("voted")),
    Mistake("scores-voted", (Slip(votes_scores=True),), _kinds("voted")),
    Mistake("last-not-best", (Slip(keep_last=True),), _kinds("pocket")),
    Mistake("pocket-impatient", (Slip(patient=False),), _kinds("pocket")),
    # arithmetic
    Mistake("integer-division", (Slip(floors=True),), _kinds("averaged", "pa")),
    Mistake("norm-without-offset", (Slip(norm_without_offset=True),),
            lambda task: task.kind == "pa" and task.offset),
    Mistake("uncapped", (Slip(uncapped=True),), _kinds("pa")),
    Mistake("linear-kernel", (Slip(linear=True),), _kinds("kernel")),
    Mistake(CHANGES_DATA, ()),
)  # fmt: skip


def ways(task: Task) -> list[tuple[str, Slip]]:
    """Every mistake that can be made at a task, in every way it may be written."""
    return [
        (m.name, slip) for m in CATALOGUE if m.occurs(task) for slip in m.slips if _fits(slip, task)
    ]


def _fits(slip: Slip, task: Task) -> bool:
    """Whether the way is one of this task: a sign has no margin, and only a test has a tie."""
    if not slip.tie:
        return True
    if slip.tie in ("negative", "positive") and task.margin != 0:
        return False
    return _tie(task) not in ("", slip.tie)
