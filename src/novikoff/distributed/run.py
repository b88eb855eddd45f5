"""One call of `ParameterMixing.fit`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from novikoff.distributed import rounds
from novikoff.distributed.cluster import Cluster, find_client
from novikoff.distributed.learner import MixedMeanKeeper, MixingLearner
from novikoff.distributed.mixing import ParameterMixing
from novikoff.distributed.placement import Graph, lanes_of
from novikoff.distributed.reading import read_shard
from novikoff.distributed.shard import Label, Lesson, Survey, check_alike, classes_of
from novikoff.distributed.sources import Part, as_parts
from novikoff.distributed.standing import MixingStanding, RoundChanges, read, write
from novikoff.estimators.runs import adopt, settings_of, spec_of, warn_of_limit
from novikoff.streams.checkpoint import CheckpointError
from novikoff.training.capabilities import refuse_impossible, settled
from novikoff.training.input import balanced_weights, class_weights
from novikoff.training.keepers import LastKeeper
from novikoff.training.loop import SEPARATED, Ending, Epoch, train
from novikoff.training.schemes import closed_scheme


class MixingRun:
    """Reads the shards, surveys them, runs the rounds."""

    def __init__(self, mixing: ParameterMixing) -> None:
        self._mixing = mixing
        self._estimator = clone(mixing.estimator)
        self._token = uuid4().hex[:12]
        self._spec = spec_of(self._estimator)
        refuse_impossible(self._spec, "cluster")
        checkpoint = mixing.checkpoint
        self._checkpoint = None if checkpoint is None else Path(checkpoint)
        if self._checkpoint is not None and not self._checkpoint.parent.is_dir():
            raise FileNotFoundError(
                f"checkpoint {checkpoint}: there is no folder {self._checkpoint.parent}."
            )
        self._cluster = Cluster(find_client(mixing.client), checkpoint)

    def fit(self, X: Any, y: Any, sample_weight: Any, reading: dict[str, Any]) -> None:
        """Train, and set what is learned; `reading` says how files are read."""
        parts = as_parts(X, y, sample_weight, reading)
        self._cluster.check_installed()
        shards: dict[int, Any] = {}
        try:
            self._read(parts, shards)
            self._learn([shards[number] for number in range(len(parts))])
        finally:
            self._cluster.release(shards.values())

    def _learn(self, shards: list[Any]) -> None:
        self._cluster.workers()  # else there is nobody to read, and nothing would be said
        homes = self._cluster.homes_of(shards)
        surveys = self._survey(shards, homes)
        lesson = self._lesson(surveys, _seed(self._estimator.random_state))
        standing, settings = None, {}
        if self._checkpoint is not None:
            settings = self._settings(surveys)
            if self._checkpoint.exists():
                lesson, standing = self._take_up(self._checkpoint, settings, lesson)
        standing = standing or MixingStanding.begin(lesson, len(shards))
        rule = self._estimator.learning_rule
        rule.refuse_start(standing.theta, standing.offset, joint=lesson.scheme.joint)
        sizes = [survey.n_bytes for survey in surveys]
        learner = MixingLearner(self._cluster, lesson, shards, homes, sizes, standing)
        self._train(learner, settings)
        self._conclude(learner, surveys)

    # Before the first round

    def _read(self, parts: Sequence[Part], shards: dict[int, Any]) -> None:
        """Have the workers read the shards, neighbours on the same worker where that is free.

        shards : by number, filled as they are under way; whatever happens, they can be let go
        """
        from dask import delayed

        workers = list(self._cluster.present())  # an adaptive cluster starts them for tasks only
        constant = self._spec.constant
        tasks: dict[str | None, dict[int, Any]] = {}  # by the worker that is to read
        for number, part in enumerate(parts):
            home = None
            if part.anywhere and workers:
                home = workers[number * len(workers) // len(parts)]
            tasks.setdefault(home, {})[number] = delayed(read_shard, pure=False)(
                Label(number, part.source), constant, part.read, *part.arguments,
                dask_key_name=f"mixing-read-{self._token}-{number}",
            )  # fmt: skip
        for home, reads in tasks.items():
            futures = self._cluster.compute([*reads.values()], home)
            shards.update(zip(reads, futures, strict=True))

    def _survey(self, shards: list[Any], homes: list[str]) -> list[Survey]:
        graph = Graph()
        keys = graph.per_lane(
            f"mixing-survey-{self._token}-0", rounds.survey,
            lanes_of(homes, self._cluster.workers(), None), shards, self._checkpoint is not None,
        )  # fmt: skip
        with self._cluster.submitted(graph.build(), keys) as asked:
            found = self._cluster.gather(asked)
        surveys: list[Survey] = sorted(
            (survey for lane in found for survey in lane), key=lambda survey: survey.label.number
        )
        check_alike(surveys)
        return surveys

    def _lesson(self, surveys: list[Survey], seed: int) -> Lesson:
        mixing = self._mixing
        classes, counts = classes_of(surveys)
        width = max(s.width for s in surveys)
        spec = self._spec = settled(self._spec, len(classes), width, "cluster")
        if spec.class_weight == "balanced":
            weights = balanced_weights(counts)
        else:
            weights = class_weights(spec.class_weight, classes, classes)
        return Lesson(
            self._token, spec, len(surveys), classes, weights,
            closed_scheme(spec.multi_class, len(classes)), width,
            np.result_type(*(s.dtype for s in surveys if s.n_rows)), seed, mixing.rounds,
            mixing.mixing == "mistakes",
        )  # fmt: skip

    # Rounds

    def _train(self, learner: MixingLearner, settings: dict[str, Any]) -> None:
        standing, rounds = learner.standing, self._mixing.rounds
        seconds: list[tuple[float, float]] = []
        self._cluster.n_rounds = standing.n_rounds

        def observe(epoch: Epoch[RoundChanges]) -> bool:
            self._cluster.n_rounds = epoch.number
            seconds.append((epoch.seconds, epoch.updates.busiest))
            if self._checkpoint is not None:
                write(self._checkpoint, settings, learner.lesson.seed, standing)
            if self._mixing.verbose:
                _tell(epoch)
            return False

        if standing.active.any():
            ending = train(
                learner,
                order="cyclic",  # the shards draw their own
                max_iter=rounds,
                random=check_random_state(0),
                begin=lambda: None,
                observe=observe,
                counts_matter=False,
                n_done=standing.n_rounds,
            )
            standing.status = ending.status
        else:
            standing.status = SEPARATED
        self._mixing.round_seconds_ = np.array(seconds).reshape(-1, 2)
        if standing.status == SEPARATED:
            standing.rest(rounds - standing.n_rounds)

    def _conclude(self, learner: MixingLearner, surveys: list[Survey]) -> None:
        mixing, estimator, standing = self._mixing, self._estimator, learner.standing
        assert standing.status is not None
        keeper = (MixedMeanKeeper if self._spec.averaged else LastKeeper)(learner)
        names = next((s.names for s in surveys if s.names is not None), None)
        adopt(
            estimator, self._spec, learner.lesson.classes, learner, keeper,
            Ending(standing.status, standing.n_rounds), standing.n_updates,
            first_wrong=standing.first_wrong, feature_names=names,
        )  # fmt: skip
        mixing._set(estimator)
        mistakes = np.array(standing.mistakes)
        mixing.mistakes_ = mistakes[:, :, 0] if mistakes.shape[2] == 1 else mistakes
        mixing.n_rounds_ = standing.n_rounds
        mixing.shard_rows_ = np.array([survey.n_rows for survey in surveys])
        mixing._present = standing.examples > 0
        mixing._mixed = mixing.mixing
        mixing._weighted = estimator.class_weight is not None or any(s.weighted for s in surveys)
        warn_of_limit(estimator, self._spec, "rounds", stacklevel=6)

    # Checkpoints

    def _settings(self, surveys: list[Survey]) -> dict[str, Any]:
        """What makes two runs the same run."""
        told = settings_of(self._estimator)
        if not isinstance(self._estimator.random_state, int | np.integer):
            told["random_state"] = "drawn"
        digest = hashlib.sha256("".join(str(s.digest) for s in surveys).encode())
        return {
            **told,
            "mixing": self._mixing.mixing,
            "shards": len(surveys),
            "data": digest.hexdigest(),
        }

    def _take_up(
        self, path: Path, settings: dict[str, Any], lesson: Lesson
    ) -> tuple[Lesson, MixingStanding]:
        seed, standing = read(path, settings, lesson)
        if standing.n_rounds > self._mixing.rounds:
            raise CheckpointError(
                f"{path} has {standing.n_rounds} rounds behind it, more than rounds="
                f"{self._mixing.rounds}. Give as many or more, or delete it to start afresh."
            )
        return replace(lesson, seed=seed), standing


def _seed(random_state: Any) -> int:
    """A number to draw all orders from."""
    if isinstance(random_state, int | np.integer):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31))


def _tell(epoch: Epoch[RoundChanges]) -> None:
    changes = epoch.updates
    print(
        f"round {epoch.number:>3}  mistakes {changes.mistakes.sum():>8}  "
        f"{changes.n_rows / epoch.seconds:>10.3g} rows/s  {epoch.seconds:.3f} s"
    )
