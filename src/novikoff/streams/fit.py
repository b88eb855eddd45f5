"""Out-of-core training: the estimators of the library, on data that does not fit into memory."""

from __future__ import annotations

import os
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from novikoff._jit import compiling_told
from novikoff.estimators.linear import LinearClassifier
from novikoff.estimators.runs import adopt, settings_of, spec_of, warn_of_limit
from novikoff.persistence.errors import require
from novikoff.streams.blocks import RowCache
from novikoff.streams.checkpoint import another_run, read, taken_up, write
from novikoff.streams.learner import StreamChanges, StreamLearner
from novikoff.streams.numbered import OtherRows
from novikoff.streams.source import Progress, Source, as_source
from novikoff.training.capabilities import refuse_impossible, settled
from novikoff.training.loop import Ending, Epoch, train
from novikoff.training.spec import RunSpec

_SECONDS = 10.0  # between two checkpoints
_SHARE = 20  # and at least this many times as long as writing one took


def fit_stream(
    estimator: Any,
    source: Any,
    *,
    epochs: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_seconds: float = _SECONDS,
    cache: str | os.PathLike[str] | None = None,
    shuffle_buffer: int = 0,
    zero_based: bool = False,
    max_memory: str | int | None = None,
    progress: Progress | None = None,
    **table_options: Any,
) -> Any:
    """Train on a file, or on batches, without ever holding all rows in memory.

    In file order the result is that of ``fit(order="cyclic")`` on all rows, bit for bit; with a
    buffer that holds all rows, that of ``fit(order="shuffled")``. Rows are parsed once and read
    from a binary cache in later epochs. All is set that `fit` sets but for `mistake_counts_`, a
    number per row.

    Of a table these are the rows as they are encoded: standardised, categories as columns. To
    predict from raw rows open it with `open_source`, train on that, and take its `pipeline`.

    Parameters
    ----------
    estimator : a linear classifier of this library
        Any but one that keeps a pocket; fitted in place. Its `order` may be "cyclic" or
        "shuffled"; which rows are shuffled is the buffer's business. A vote keeps every row that
        caused an update, in memory.
    source : path, binary file, "-", frame, what `open_source` gives, or an iterable of batches
        A file may be CSV, Parquet, Arrow, JSON lines, ARFF, LIBSVM text or Vowpal Wabbit's, plain
        or compressed; its content says which. A frame is pandas', polars' (lazy, too) or Arrow's.
        Batches are pairs (X, y) or triples (X, y, sample_weight), all alike.
    epochs : int, optional
        The most passes over the data; the estimator's `max_iter` if left out.
    checkpoint : path, optional
        A file in which the run notes its standing now and then. If it exists, the run goes on from
        there and ends with the model it would have ended with; a checkpoint of other data or other
        parameters is refused. It is not removed.
    checkpoint_seconds : float
        How often; writing takes a twentieth of the time at most.
    cache : path, optional
        A folder for the cache, which is as large as the rows in memory would be and vanishes at
        the end. By default the system's folder for temporary files.
    shuffle_buffer : int
        How many rows to put into random order at a time; 0 for file order.
    zero_based : bool
        Whether the first feature of LIBSVM text is 0; by default it is 1.
    max_memory : str or int, optional
        The most memory that may be taken for what a file says, such as "4GB": one large index of
        LIBSVM text asks for that many weights. By default half of what the machine has.
    progress : callable, optional
        Called with (rows visited so far, rows to visit at most, None while that is unknown).
    **table_options
        How to read a table, see `TableOptions`: target, drop, keep, categorical, header, na,
        encoding, delimiter, missing, scale, hash_bits.

    Returns
    -------
    estimator

    Examples
    --------
    >>> import numpy as np
    >>> from novikoff import Perceptron
    >>> from novikoff.streams import fit_stream
    >>> batches = [([[2.0, 1.0], [1.0, 3.0]], [1, 1]), ([[-1.0, -1.0], [-2.0, 1.0]], [0, 0])]
    >>> clf = fit_stream(Perceptron(), batches)
    >>> clf.coef_, clf.intercept_, clf.status_
    (array([[2., 1.]]), array([1.]), 'separated')
    """
    spec = spec_of(estimator)
    refuse_impossible(spec, "stream")
    n_epochs = estimator.max_iter if epochs is None else epochs
    if not isinstance(n_epochs, int | np.integer) or isinstance(n_epochs, bool) or n_epochs < 1:
        raise ValueError(f"epochs must be a whole number above 0; it is {n_epochs!r}.")
    if shuffle_buffer < 0:
        raise ValueError(f"shuffle_buffer must not be negative; it is {shuffle_buffer}.")
    rows = as_source(source, table_options, zero_based=zero_based, max_memory=max_memory)
    n_classes = None if rows.classes is None else len(rows.classes)
    spec = settled(spec, n_classes, rows.width, "stream")
    _Run(estimator, spec, rows, int(n_epochs), shuffle_buffer, cache, progress).run(
        None if checkpoint is None else Path(checkpoint), checkpoint_seconds
    )
    if rows.hides_encoding:
        warnings.warn(
            f"{rows.name} is a table: this classifier knows its columns standardised, and "
            "categories as columns of their own, so it cannot predict from rows as they are. "
            "Open the table, and predict with a pipeline: table = open_source(source); "
            "model = table.pipeline(fit_stream(estimator, table)).",
            stacklevel=2,
        )
    return estimator


@dataclass
class _Run:
    """One call of `fit_stream`."""

    estimator: LinearClassifier
    spec: RunSpec
    source: Source
    n_epochs: int
    shuffle_buffer: int
    cache_folder: str | os.PathLike[str] | None
    progress: Progress | None

    def run(self, checkpoint: Path | None, seconds: float) -> None:
        """Train, and set what is learned on the estimator."""
        surveyed = self.source.classes is None and (
            self.spec.multi_class == "joint" or self.spec.class_weight == "balanced"
        )
        settings = {} if checkpoint is None else self._settings()
        before = None
        if checkpoint is not None and checkpoint.exists():
            before = read(checkpoint, settings)
        ended = before is not None and before[0].status is not None
        again = not ended and (self.n_epochs > 1 or surveyed)
        cache = RowCache(self.cache_folder) if again else None
        self._due = time.perf_counter() + seconds
        random = check_random_state(self.estimator.random_state)

        def tell() -> None:
            self._report(learner)
            if checkpoint is not None and time.perf_counter() >= self._due:
                self._save(checkpoint, settings, learner, seconds)

        learner = StreamLearner(
            self.spec, self.source, check_start=self.estimator.learning_rule.refuse_start,
            cache=cache, shuffle_buffer=self.shuffle_buffer, random=random,
            watched=checkpoint is not None, tell=tell,
        )  # fmt: skip
        try:
            with taken_up(checkpoint):
                if before is not None:
                    more = ended or before[0].n_epochs < self.n_epochs
                    require(more, "it has more epochs behind it than there are.")
                    learner.resume(*before)
                if ended:
                    learner.recognise()
                else:
                    if surveyed:
                        learner.survey()
                    self._train(learner, random)
            if checkpoint is not None and not ended:
                self._save(checkpoint, settings, learner, seconds)
        except OtherRows:
            assert checkpoint is not None
            raise another_run(checkpoint, "it learned from other data") from None
        finally:
            if cache is not None:
                cache.close()
        self._conclude(learner)

    def _train(self, learner: StreamLearner, random: np.random.RandomState) -> None:

        def observe(epoch: Epoch[StreamChanges]) -> bool:
            if self.estimator.verbose:
                print(
                    f"epoch {epoch.number:>3}  updates {epoch.updates.per_plane.sum():>8}  "
                    f"{epoch.seconds:.3f} s"
                )
            return False

        with compiling_told(print if self.estimator.verbose else None):
            ending = train(
                learner,
                order="cyclic",
                max_iter=self.n_epochs,
                random=random,
                begin=lambda: None,
                observe=observe,
                n_done=0 if learner.standing is None else learner.standing.n_epochs,
            )
        learner.now.status = ending.status

    def _conclude(self, learner: StreamLearner) -> None:
        standing = learner.now
        assert standing.status is not None
        adopt(
            self.estimator, self.spec, standing.classes, learner, learner.keeper,
            Ending(standing.status, standing.n_epochs), standing.in_all,
            first_wrong=standing.first_wrong, feature_names=self.source.feature_names,
        )  # fmt: skip
        limit = "max_iter" if self.n_epochs == self.spec.max_iter else "epochs"
        warn_of_limit(self.estimator, self.spec, limit, stacklevel=5)

    # Checkpoints and progress

    def _settings(self) -> dict[str, Any]:
        """What makes two runs the same run."""
        if not self.source.reopenable:
            raise ValueError(
                f"{self.source.name} can be read only once, so a killed run could not be taken up "
                "again. Save it as a file, or leave checkpoint out."
            )
        return {
            **settings_of(self.estimator),
            "epochs": self.n_epochs,
            "shuffle_buffer": self.shuffle_buffer,
            "data": self.source.fingerprint(),
        }

    def _save(
        self, checkpoint: Path, settings: dict[str, Any], learner: StreamLearner, seconds: float
    ) -> None:
        began = time.perf_counter()
        if not learner.note_read():
            return  # never over one that may turn out to be of other data
        write(checkpoint, settings, learner.now, learner.keeper.history())
        now = time.perf_counter()
        self._due = now + max(seconds, _SHARE * (now - began))

    def _report(self, learner: StreamLearner) -> None:
        if self.progress is None:
            return
        standing, per_epoch = learner.now, learner.rows_per_epoch
        done = standing.n_epochs * (per_epoch or 0) + standing.n_rows
        self.progress(done, None if per_epoch is None else self.n_epochs * per_epoch)
