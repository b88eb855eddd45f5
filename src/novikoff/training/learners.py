"""One epoch: which kernel walks over the rows, on how many threads, and what it logged."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from novikoff._arrays import Array, Bools, Floats, Ints
from novikoff.kernels.alone import walk_one
from novikoff.kernels.exact import N_LIMBS, add_product, settle
from novikoff.kernels.glance import glance_at, is_spoilt
from novikoff.kernels.joint import joint_walk
from novikoff.kernels.mistakes import weigh_joint_mistakes, weigh_mistakes
from novikoff.kernels.walk import OVERFLOW, Arithmetic, Log, Planes, new_arithmetic, walk
from novikoff.training.alone import Alone
from novikoff.training.problem import Problem
from novikoff.training.schemes import Scheme
from novikoff.training.state import REMEDY, State

_WORTH_A_THREAD = 4_000_000  # products of a value and a weight in an epoch, a millisecond or two
_LINES = 128  # bytes that a processor fetches together
_SELDOM = 2**14  # weights moved between two times that all are read for their norms, at least


class Updates(NamedTuple):
    """The updates of one epoch, one entry each; those of one hyperplane are in order.

    They may be a learner's own scratch space, good until its next epoch: see `kept`.
    """

    plane: Ints
    row: Ints
    time: Ints
    numbers: Array  # (., N) in theta's type, see `kernels.rules`; the first is signed

    @classmethod
    def room_for(cls, n: int, dtype: Any, n_numbers: int = 1) -> Updates:
        """Space for `n` updates, to be filled in."""
        plane, row, time = np.empty((3, n), np.int64)
        return cls(plane, row, time, np.empty((n, n_numbers), dtype))

    @classmethod
    def joined(cls, pieces: list[Updates]) -> Updates:
        """All `pieces`, one after the other."""
        if len(pieces) == 1:
            return pieces[0]
        return cls(*(np.concatenate(parts) for parts in zip(*pieces, strict=True)))

    def first(self, n: int) -> Updates:
        """The first `n` of them, shared."""
        return Updates(self.plane[:n], self.row[:n], self.time[:n], self.numbers[:n])

    def kept(self) -> Updates:
        """A copy that lasts."""
        return Updates(*(part.copy() for part in self))

    def moved(self, n_planes: int) -> Bools:
        """(K,): which hyperplanes were updated (joint: which were rivals)."""
        if n_planes == 1:
            return np.array([len(self.plane) > 0])
        result = np.zeros(n_planes, bool)
        result[self.plane] = True
        return result


class RowError(ValueError):
    """A row that cannot be learned from."""

    def __init__(self, row: int, dtype: Any) -> None:
        self.row = row
        self.dtype = dtype
        super().__init__(self.explain())

    def explain(self) -> str:
        """What is wrong with the row, and what to do."""
        raise NotImplementedError("every kind says so itself")

    def shifted(self, n_rows: int) -> RowError:
        """The same, where `n_rows` rows came before the first of this batch."""
        return type(self)(self.row + n_rows, self.dtype)


class ThetaOverflow(RowError):
    """theta left the range of its floating-point type."""

    def explain(self) -> str:
        wider = ", or pass X as float64." if self.dtype == np.float32 else "."
        return (
            f"theta overflowed {self.dtype} when it was updated with row {self.row}. "
            f"{REMEDY}{wider}"
        )


class StepError(RowError):
    """A step that cannot be computed in doubles."""

    def explain(self) -> str:
        return (
            f"The step at row {self.row}, or the score or the squared length that it is computed "
            f"from, is out of the range of {self.dtype}. Scale the features (for instance with "
            "sklearn.preprocessing.MaxAbsScaler)"
            + (", or pass X as float64." if self.dtype == np.float32 else ".")
        )


def _apart(array: Array) -> Array:
    """A copy in lines of memory of its own: what one thread writes others would wait for."""
    margin = _LINES // array.itemsize
    result: Array = np.empty(len(array) + 2 * margin, array.dtype)[margin:-margin]
    result[:] = array
    return result


def _all_apart(parts: Any) -> Any:
    """A named tuple with such copies of its arrays of one dimension."""
    flat = {k: v for k, v in parts._asdict().items() if isinstance(v, np.ndarray) and v.ndim == 1}
    return parts._replace(**{name: _apart(array) for name, array in flat.items()})


def _whole(numbers: Array) -> bool:
    return bool((np.floor(numbers) == numbers).all())


class Learner:
    """The hyperplanes of a scheme, learning from a problem. Changes `state` in place."""

    def __init__(
        self, problem: Problem, scheme: Scheme, state: State, rule: Any, n_threads: int = 1
    ) -> None:
        self.problem = problem
        self.scheme = scheme
        self.state = state
        self.rule = rule
        self.n_threads = n_threads
        self.active = np.ones(len(scheme.roles), bool)
        # (n,) see `Scheme.n_counted`: predictions that were wrong before the row was learned from
        self.n_wrong = np.zeros(scheme.n_counted, np.int64)
        self.n_seen = 0  # rows visited
        # Of each thread, or an only one: None.
        self._space: dict[int | None, tuple[Arithmetic, Updates]] = {}
        self._alone = Alone(problem, scheme, rule) if len(scheme.roles) == 1 else None
        self._everyone = np.arange(len(scheme.roles))
        self._planes: Any = None  # from the first epoch on
        self._n_last: int | None = None  # updates of the last epoch
        self._n_moved = 0.0  # weights, by updates since its norms were taken
        self._glance: Any = None  # from the first epoch on
        # Steps and values that are integers keep weights integers.
        self._whole = (
            rule.IS_STEP
            and problem.rows.values.dtype.kind in "iu"
            and all(map(_whole, (problem.examples.sizes, state.theta, state.offset)))
        )

    def epoch(self, order: Ints) -> Updates:
        """Visit the rows in `order` with every active hyperplane; all counters advance."""
        updates = self._visit(order)
        self._n_last = len(updates.row)
        self._n_moved += len(updates.row) * self.problem.mean_length
        self.n_seen += len(order)
        self.state.counts += self.examples_per_plane(order)
        return updates

    def examples_per_plane(self, visit: Ints) -> Ints:
        """(K,): how many of the visited rows concern each hyperplane."""
        if self.scheme.name != "ovo":
            return np.full(len(self.scheme.roles), len(visit))
        labels = self.problem.examples.labels[visit]
        per_class = np.bincount(labels, minlength=self.scheme.n_classes)
        return np.abs(self.scheme.sides()) @ per_class

    def _visit(self, order: Ints) -> Updates:
        # Walks follow the norms by bounds; to take them anew all weights are read.
        if self._planes is None or self._n_moved >= max(_SELDOM, self.state.theta.size):
            self._planes, self._n_moved = self.state.planes(), 0.0
        planes = self._planes
        if self._alone is not None:
            more = self._alone.before(planes.norms[0], self._n_last)
            return self._walk(walk_one, order, self._alone.signs, planes, 1, *more)
        n_active = int(np.count_nonzero(self.active))
        products = len(order) * self.problem.mean_length * n_active
        # An epoch that ran as plain Python has no use for copies, and leaves them behind.
        if self._glance is None or is_spoilt(self._glance):
            theta, values = self.state.theta, self.problem.rows.values
            self._glance = glance_at(
                theta, planes.norms, values, sparse=self.problem.sparse,
                additive=self.rule.ADDITIVE, products=products,
                sketch=self.problem.drawing.sketch(len(theta)),
            )  # fmt: skip
        glance = self._glance
        if self.scheme.joint:
            return self._walk(joint_walk, order, self._everyone, planes, 1, glance)
        n_groups = min(self.n_threads, n_active, int(products // _WORTH_A_THREAD))
        if n_groups <= 1:
            plan = self.scheme.plan(self.active)
            return self._walk(walk, order, plan, planes, n_active, glance)
        groups = np.array_split(np.flatnonzero(self.active), n_groups)

        def run(number: int) -> Updates:
            mine = np.zeros(len(self.active), bool)
            mine[groups[number]] = True
            plan, most = self.scheme.plan(mine), len(groups[number])
            own = _all_apart(planes), _all_apart(glance)
            updates = self._walk(walk, order, plan, own[0], most, own[1], thread=number)
            for shared, copied in zip((*planes, *glance), (*own[0], *own[1]), strict=True):
                if copied is not shared:
                    shared[mine] = copied[mine]
            return updates

        # The caller's thread works too: where it waited the others might begin on one processor.
        with ThreadPoolExecutor(n_groups - 1) as pool:
            others = pool.map(run, range(1, n_groups))
            return Updates.joined([run(0), *others])

    def _walk(
        self,
        kernel: Any,
        order: Ints,
        plan: Any,
        planes: Planes,
        most: int,
        *more: Any,
        thread: int | None = None,
    ) -> Updates:
        """Run a walking kernel to the end of `order`, and once more whenever its log is full.

        thread : its number, if there are others
        """
        dtype, n_numbers = self.state.theta.dtype, self.rule.NUMBERS
        if thread not in self._space:
            arithmetic = new_arithmetic(self.state.theta, n_numbers, whole=self._whole)
            self._space[thread] = (
                arithmetic if thread is None else _all_apart(arithmetic),
                Updates.room_for(max(1024, len(self.scheme.roles)), dtype, n_numbers),
            )
        arithmetic, space = self._space[thread]
        seen, size = np.zeros(self.scheme.n_classes, np.int64), np.zeros(1, np.int64)
        if thread is not None:
            seen, size = _apart(seen), _apart(size)
        pieces: list[Updates] = []
        position, most_room = 0, max(1024, len(order) * most)
        while True:
            size[0] = 0
            log = Log(size, *space, seen, self.n_wrong)
            position, status = kernel(
                self.problem.rows, self.problem.examples, order, position, plan, planes,
                self.rule, arithmetic, log, *more,
            )  # fmt: skip
            n_found = int(size[0])
            if status == OVERFLOW:
                what = StepError if np.isnan(space.numbers[n_found - 1, 0]) else ThetaOverflow
                raise what(int(log.row[n_found - 1]), dtype)
            found = space.first(n_found)
            if position == len(order):
                return Updates.joined([*pieces, found])
            pieces.append(found.kept())
            space = Updates.room_for(min(2 * len(space.row), most_room), dtype, n_numbers)
            self._space[thread] = arithmetic, space

    def updates_per_plane(self, updates: Updates) -> Ints:
        """(K,): how many updates each hyperplane took part in."""
        n_planes = len(self.scheme.roles)
        if n_planes == 1:
            return np.array([len(updates.plane)])
        result = np.bincount(updates.plane, minlength=n_planes)
        if self.scheme.joint:
            result += np.bincount(self.problem.examples.labels[updates.row], minlength=n_planes)
        return result

    def asks_for_more(self, k: int) -> bool:
        """Whether any visited row asks hyperplane `k` (joint: all of them) for an update."""
        ones = np.ones_like(self.problem.weights)
        scheme, state = self.part(k)
        return bool(weigh(self.problem, scheme, state, self.rule, ones, limit=0.0).any())

    def part(self, k: int) -> tuple[Scheme, State]:
        """Hyperplane `k` on its own, copied; a joint learner is one part, k = 0."""
        if self.scheme.joint:
            return self.scheme, self.state.snapshot()
        return self.scheme.only(k), self.state.only(k)


def weigh(
    problem: Problem, scheme: Scheme, state: State, rule: Any, weights: Floats, limit: float
) -> Ints:
    """The total weight of the visited rows that ask the hyperplanes of `scheme` for an update.

    Exactly, as a sum of :mod:`novikoff.kernels.exact`. A result above `limit` may be less than the
    whole.
    """
    kernel: Any
    plan: Any
    if scheme.joint:
        kernel, plan = weigh_joint_mistakes, np.arange(len(scheme.roles))
    else:
        kernel, plan = weigh_mistakes, scheme.plan(np.ones(len(scheme.roles), bool))
    total = np.empty(N_LIMBS, np.int64)
    pending = kernel(
        problem.rows, problem.examples, problem.visited, weights, plan, state.planes(), rule,
        new_arithmetic(state.theta, rule.NUMBERS), limit, total,
    )  # fmt: skip
    for part in pending:
        add_product(total, part, 1.0)
    settle(total)
    return total
