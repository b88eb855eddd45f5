"""Which hyperplanes there are, and on which side of each the examples of a class should lie.

Every hyperplane has a role: a positive and a negative class. `REST` stands for all other classes,
`LATER` for a class that has not been seen yet. Classes are numbered 0 ... C - 1 in sorted order.

- two classes: one hyperplane, class 0 negative, class 1 positive, whatever the scheme is called;
- "ovr": one per class, the others negative;
- "ovo": one per pair i < j, i negative and j positive;
- "joint": one weight vector per class; the examples of a class have no fixed side.

An *open* scheme, for `partial_fit` without a list of classes, also keeps spare hyperplanes that
saw what the hyperplane of a class yet to come would have seen: all examples as negative for "ovr",
the examples of one class for "ovo". A late class starts as a copy of a spare.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from novikoff._arrays import Array, Bools, Ints
from novikoff._memory import machine
from novikoff._messages import Message, Setting
from novikoff.kernels.walk import Plan

REST = -1
LATER = -2
_TABLES = 4  # of (K, C) numbers, that are made of pairs at the same time
_SMALL = 2**14  # entries of a plan that is remembered; larger ones would take much memory


class Role(NamedTuple):
    """The classes a hyperplane tells apart."""

    negative: int
    positive: int


@dataclass(frozen=True)
class Scheme:
    """The roles of all hyperplanes; the first `n_shown` of them are the model, the rest spares."""

    name: str
    n_classes: int
    roles: tuple[Role, ...]
    n_shown: int
    open: bool = False

    @property
    def joint(self) -> bool:
        return self.name == "joint"

    @property
    def n_parts(self) -> int:
        """How many hypotheses learn independently of each other: hyperplanes, or a joint set."""
        return 1 if self.joint else len(self.roles)

    @property
    def binary(self) -> bool:
        """Whether one hyperplane decides: its sign is the prediction."""
        return self.n_classes <= 2

    @property
    def pairs(self) -> bool:
        """Whether hyperplanes vote for the classes they tell apart."""
        return self.name == "ovo" and not self.binary

    @property
    def predicts_while_learning(self) -> bool:
        """Whether what a walk looks at says what would be predicted, at no further cost.

        Of two classes the first hyperplane does, also where there are spare ones.
        """
        return self.n_counted == 1

    @property
    def n_counted(self) -> int:
        """Of how many hyperplanes, the first ones, wrong predictions are counted; joint ones are 1.

        While there is one class either of two hyperplanes may come to decide, as the second class
        comes before or after it.
        """
        if self.n_classes == 1:
            return 2
        return int(self.joint or self.n_classes == 2)

    def sides(self) -> Ints:
        """(K, C): the side of each class at each hyperplane, -1 or +1; 0 if it is no concern."""
        table = np.zeros((len(self.roles), self.n_classes), np.int64)
        for k, role in enumerate(self.roles):
            if role.negative == REST:
                table[k, :] = -1
            elif role.negative != LATER:
                table[k, role.negative] = -1
            if role.positive >= 0:
                table[k, role.positive] = 1
        return table

    def only(self, k: int) -> Scheme:
        """Hyperplane `k` on its own."""
        return Scheme(self.name, self.n_classes, (self.roles[k],), 1)

    def plan(self, active: Bools) -> Plan:
        """The kernel's plan for the hyperplanes marked `active`; nobody may change it."""
        if len(self.roles) * self.n_classes <= _SMALL:
            return _remembered_plan(self, active.tobytes())
        return self._plan(active)

    def _plan(self, active: Bools) -> Plan:
        sides = self.sides() * active[:, None]
        # Each of these by itself: numpy returns the columns of one array.
        classes, planes = map(np.ascontiguousarray, np.nonzero(sides.T))
        start = np.searchsorted(classes, np.arange(self.n_classes + 1))
        run = np.full(self.n_classes, -1)
        for c in range(self.n_classes):
            mine = planes[start[c] : start[c + 1]]
            if len(mine) and mine[-1] - mine[0] + 1 == len(mine):
                run[c] = mine[0]
        shared = bool(self.sides().all())
        return Plan(start, planes, sides[planes, classes].astype(np.float64), run, sides, shared)


@lru_cache(16)
def _remembered_plan(scheme: Scheme, active: bytes) -> Plan:
    return scheme._plan(np.frombuffer(active, np.bool_))


def closed_scheme(name: str, n_classes: int) -> Scheme:
    """All classes are known."""
    if n_classes == 2:
        return Scheme("binary", 2, (Role(0, 1),), 1)
    if name == "ovo":
        _refuse_pairs(n_classes)
        roles = tuple(Role(i, j) for i, j in combinations(range(n_classes), 2))
    else:
        roles = tuple(Role(REST, c) for c in range(n_classes))
    return Scheme(name, n_classes, roles, len(roles))


def open_scheme(name: str, n_classes: int) -> Scheme:
    """More classes may come. The hyperplanes that would be shown come first.

    With one class so far the spare, in which that class is negative, stands for the model.
    """
    if name == "ovo":
        _refuse_pairs(n_classes)
        pairs = [Role(i, j) for i, j in combinations(range(n_classes), 2)]
        # Under ties="sign" a hyperplane and its mirror image differ, so both sides are kept.
        before = [Role(c, LATER) for c in range(n_classes)]
        after = [Role(LATER, c) for c in range(n_classes)]
        roles = (*pairs, *before, *after)
        return Scheme("ovo", n_classes, roles, max(len(pairs), 1), True)
    spare = Role(REST, LATER)
    planes = [Role(REST, c) for c in range(n_classes)]
    if n_classes == 1:
        return Scheme("ovr", 1, (spare, *planes), 1, True)
    if n_classes == 2:
        return Scheme("ovr", 2, (planes[1], planes[0], spare), 1, True)
    return Scheme("ovr", n_classes, (*planes, spare), n_classes, True)


FEWER_PLANES = Message(
    Setting("multi_class", "ovr"), " has one for each class, and so has ",
    Setting("multi_class", "joint"), ", which must know all classes beforehand.",
)  # fmt: skip


def _refuse_pairs(n_classes: int) -> None:
    """Raise where the table of pairs and classes, and a few like it, would fill the memory."""
    n_pairs = math.comb(n_classes, 2)
    if _TABLES * 8 * n_pairs * n_classes > machine():
        what = f"The pairs of {n_classes} classes are {n_pairs} hyperplanes, which memory does not "
        raise ValueError(Message(what, "hold: ", FEWER_PLANES))


def ancestors(old: Scheme, new: Scheme, renumbered: Array) -> list[int | None]:
    """For each hyperplane of `new`, the one of `old` it continues, or None for a fresh start.

    renumbered : (old.n_classes,) the new number of each old class
    """
    number = {REST: REST, LATER: LATER} | {c: int(r) for c, r in enumerate(renumbered)}
    known = {Role(number[r.negative], number[r.positive]): k for k, r in enumerate(old.roles)}
    seen = set(number.values())
    result = []
    for role in new.roles:
        former = Role(
            role.negative if role.negative in seen else LATER,
            role.positive if role.positive in seen else LATER,
        )
        result.append(known.get(former))
    return result
