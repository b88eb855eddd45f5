"""The description of a run: all that it is told but for the rows, and what it leaves behind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff._arrays import Array, Floats, Ints
from novikoff.kernels.rows import Rows
from novikoff.kernels.rules import Extra
from novikoff.training.keepers import KEEPERS, LastKeeper
from novikoff.training.learners import Learner
from novikoff.training.prediction import LinearModel
from novikoff.training.problem import Problem, build_problem
from novikoff.training.schemes import Scheme
from novikoff.training.state import State, kept_beside

if TYPE_CHECKING:
    from novikoff.training.votes import History, VotedModel


@dataclass(frozen=True)
class RunSpec:
    """What a run is told.

    rule : a named tuple of :mod:`novikoff.kernels.rules`
    keep : which hypothesis is the model, a name in `KEEPERS`
    multi_class : "ovr", "ovo", "joint", or "auto", see `capabilities.settled`
    order : "cyclic", "shuffled" or "random"
    max_iter : the most epochs; class_weight : as the estimators take it
    """

    rule: Any
    keep: str
    multi_class: str = "ovr"
    order: str = "shuffled"
    max_iter: int = 1
    fit_intercept: bool = True
    class_weight: Any = None
    early_stopping: bool = False
    record_trace: bool = False
    warm_start: bool = False
    n_jobs: int | None = None

    @property
    def constant(self) -> float:
        """1.0 with an offset, 0.0 through the origin."""
        return float(self.fit_intercept)

    @property
    def averaged(self) -> bool:
        return self.keep == "mean"

    @property
    def beside(self) -> tuple[Extra, ...]:
        """What is kept beside theta."""
        return kept_beside(self.rule, averaged=self.averaged)

    def rule_arrays(self, state: State) -> dict[str, Array]:
        """What the rule keeps beside theta in a state, by name; of another rule's state nothing."""
        names = [name for extra in self.rule.EXTRA for name in extra.names]
        return {name: state.beside[name] for name in names if name in state.beside}

    def problem(
        self,
        rows: Rows,
        codes: Ints,
        class_weights: Floats,
        sample_weights: Floats | None,
        used: Ints,
        dtype: np.dtype[Any],
        *,
        n_planes: int,
        max_iter: int = 1,
        norms: Floats | None = None,
    ) -> Problem:
        """What is learned from; see `build_problem`."""
        return build_problem(
            rows, codes, class_weights, sample_weights, used, dtype, rule=self.rule,
            constant=self.constant, n_planes=n_planes, max_iter=max_iter, norms=norms,
        )  # fmt: skip

    def start(self, n_planes: int, width: int, dtype: Any, *, sparse: bool) -> State:
        """The first hypotheses, all zero."""
        return State.begin(
            n_planes, width, dtype, sparse=sparse, constant=self.constant, beside=self.beside
        )

    def learner(self, problem: Problem, scheme: Scheme, state: State) -> Learner:
        """The hyperplanes of `scheme`, ready to learn from `problem`; they change `state`."""
        # One hyperplane is not shared out, but 0 threads are refused whatever there is to share.
        several = len(scheme.roles) > 1 or self.n_jobs == 0
        return Learner(problem, scheme, state, self.rule, n_threads(self.n_jobs) if several else 1)

    def keeper(self, learner: Any, history: History | None = None) -> LastKeeper:
        """What to keep of a run; `history` is what an earlier one kept, for a vote."""
        return KEEPERS[self.keep](learner, history)


def n_threads(n_jobs: int | None) -> int:
    """How many threads `n_jobs` stands for here."""
    from joblib import effective_n_jobs, parallel_config

    if n_jobs is None:
        return int(effective_n_jobs(None))
    with parallel_config(backend="threading"):  # a worker may be forbidden to start processes
        return int(effective_n_jobs(n_jobs))


@dataclass(frozen=True, eq=False)
class Learned:
    """What a run leaves behind: enough to predict, and for a later run to go on.

    rule, keep, multi_class, fit_intercept : what it was told, and a later run must be told again;
        of the rule only its kind
    n_updates : (K,) of all hyperplanes, spare ones included
    n_wrong : (n,) predictions that were wrong before the row was learned from, of the hyperplanes
        that decide or may come to, see `Scheme.n_counted`; n_seen : of how many rows
    history : all hypotheses, for a vote
    """

    rule: Any
    keep: str
    multi_class: str
    fit_intercept: bool
    scheme: Scheme
    state: State
    n_updates: Ints
    n_wrong: Ints
    n_seen: int
    history: History | None

    def model(self, theta: Array, offset: Array) -> LinearModel | VotedModel:
        """What predicts; theta and offset are those of the hyperplanes shown."""
        if self.history is not None:
            from novikoff.training.votes import VotedModel

            return VotedModel(self.history, self.state.counts)
        return LinearModel(self.scheme, theta, offset)

    def widened(self, dtype: np.dtype[Any]) -> np.dtype[Any]:
        """theta's type once rows of `dtype` have been learned from, too."""
        known: np.dtype[Any] = self.state.theta.dtype
        if self.history is not None and dtype != known:
            raise ValueError(
                f"The earlier batches were learned from in {known}, this one calls for {dtype}. A "
                "vote replays every hypothesis in the type it was learned in: convert all batches "
                "to float64, or all to float32."
            )
        return np.result_type(known, dtype)
