"""What is asked: the prover proves; the drawer draws and, unless that is quick, compares."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from novikoff.analysis import compare, settle
from novikoff.analysis.compare import numbers_of
from novikoff.analysis.worker import Here
from novikoff.geometry.sparse import dense
from novikoff.reports import boundary, learning
from novikoff.reports.data import can_be_handed_over
from novikoff.reports.pictures import MOST_POINTS
from novikoff.streams.blocks import stacked

if TYPE_CHECKING:
    from novikoff.analysis.sources import Loaded
    from novikoff.analysis.worker import Worker
    from novikoff.reports.subject import Subject

MOST_GRID_FEATURES = 300  # with which regions of several classes can be drawn
FEW_ROWS = 1000  # that are compared by who proves, if that is this process: in a second or so


@dataclass(frozen=True)
class Asked:
    """What answers there are to wait for."""

    loaded: Loaded | None  # all rows, not scaled, if the prover was asked about them
    hulls: bool
    comparer: Worker | Here | None


def ask(subject: Subject, prover: Worker | Here, drawer: Worker, folder: Path) -> Asked:
    """Ask for everything but the bound, of each worker first what is quick."""
    loaded = _ask_for_proof(subject, prover)
    _ask_for_boundary(subject, drawer, folder / "model")
    drawn = loaded is not None and _ask_for_hulls(subject, drawer, loaded)
    _ask_for_learning(subject, drawer)
    few = loaded is not None and len(loaded.y) <= FEW_ROWS
    comparer = prover if few and isinstance(prover, Here) else drawer
    compared = _ask_for_comparison(subject, comparer, loaded)
    return Asked(loaded, drawn, comparer if compared else None)


def _ask_for_proof(subject: Subject, prover: Worker | Here) -> Loaded | None:
    """Whether the classes are separable: all rows, not scaled."""
    if not subject.data.is_small or subject.clock.left == 0:
        return None
    loaded = subject.data.unscaled()
    if not can_be_handed_over(loaded.X):
        return None
    prover.ask(
        settle.MODULE, loaded.X, loaded.y, seconds=subject.clock.left, fit_intercept=True,
        known=False, every=True, bound=False,
    )  # fmt: skip
    return loaded


def _ask_for_boundary(subject: Subject, drawer: Worker, file: Path) -> None:
    from novikoff import save

    save(subject.fitted.model, file)
    drawer.ask(
        boundary.MODULE, subject.X, subject.y, seconds=subject.clock.left, model=str(file),
        features=subject.names, pair=subject.pair, regions=can_be_drawn(subject),
        units=subject.data.units(),
    )  # fmt: skip


def can_be_drawn(subject: Subject) -> bool:
    """Whether a plane can be coloured by class: one hyperplane always, others by trying points."""
    return subject.binary or subject.X.shape[1] <= MOST_GRID_FEATURES


def _ask_for_hulls(subject: Subject, drawer: Worker, loaded: Loaded) -> bool:
    names = subject.data.parts.feature_names
    wanted = [] if subject.pair is None else [names[j] for j in subject.pair]
    if not wanted or any(name not in loaded.features for name in wanted):
        return False  # a category may be there without scaling, or on all rows, only
    X, y = loaded.X[:, [loaded.features.index(name) for name in wanted]], loaded.y
    if len(y) > MOST_POINTS:
        chosen = np.random.RandomState(subject.seed).choice(len(y), MOST_POINTS, replace=False)
        X, y = X[chosen], y[chosen]
    assert subject.pair is not None
    drawer.ask(
        boundary.MODULE, dense(X), y, seconds=subject.clock.left,
        features=[subject.names[j] for j in subject.pair], positive=subject.positive,
        negative=subject.negative,
    )  # fmt: skip
    return True


def _ask_for_learning(subject: Subject, drawer: Worker) -> None:
    data, seed = subject.data, subject.seed
    X, y = data.sample("train", learning.MOST_ROWS, seed)
    n_train = X.shape[0]
    if subject.fitted.test is not None:
        held = data.sample("test", learning.MOST_ROWS, seed)
        X, y = stacked([X, held[0]]), np.concatenate([y, held[1]])
    drawer.ask(learning.MODULE, X, y, seconds=subject.clock.left, n_train=n_train, seed=seed)


def _ask_for_comparison(subject: Subject, comparer: Worker | Here, loaded: Loaded | None) -> bool:
    data, folds = subject.data, compare.n_folds(rarest(subject))
    if not folds or not data.is_small or subject.clock.left == 0:
        return False
    loaded = loaded or data.unscaled()
    if not can_be_handed_over(loaded.X):
        return False
    table = loaded.table
    numbers = [] if table is None else numbers_of(table, scale=data.options.scale)
    comparer.ask(
        compare.MODULE, loaded.X, loaded.y, seconds=subject.clock.left, seed=subject.seed,
        folds=folds, numbers=numbers,
    )  # fmt: skip
    return True


def rarest(subject: Subject) -> int:
    """How many rows the rarest class has."""
    return int(subject.data.parts.counts["all"].min())
