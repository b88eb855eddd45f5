"""Before the first epoch: where a run starts, and which rows are set aside."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from novikoff._arrays import Array
from novikoff.estimators._input import check_start
from novikoff.training.problem import Problem
from novikoff.training.schemes import Scheme
from novikoff.training.spec import Learned, RunSpec
from novikoff.training.state import State


def start(
    estimator: Any,
    spec: RunSpec,
    problem: Problem,
    scheme: Scheme,
    classes: Array,
    coef_init: Any = None,
    intercept_init: Any = None,
) -> State:
    """The first hypothesis: given, the last one of an earlier fit, or zero."""
    shape = (len(scheme.roles), problem.rows.width)
    state = spec.start(*shape, problem.dtype, sparse=problem.sparse)
    before: Learned | None = getattr(estimator, "learned_", None)
    if spec.warm_start and coef_init is None and before is not None:
        _check_warm_start(before, spec, scheme, classes, estimator.classes_, shape[1])
        coef_init = before.state.theta[: shape[0]]
        for name, array in spec.rule_arrays(before.state).items():
            state.beside[name][...] = array[: shape[0]]
        if intercept_init is None and spec.fit_intercept:
            intercept_init = before.state.offset[: shape[0]]
    if coef_init is not None:
        state.theta[...] = check_start("coef_init", coef_init, shape, shape[1:], problem.dtype)
    if intercept_init is not None:
        if not spec.fit_intercept:
            raise ValueError("intercept_init was given, but fit_intercept=False.")
        state.offset[...] = check_start(
            "intercept_init", intercept_init, shape[:1], (), problem.dtype
        )
    return state


def _check_warm_start(
    before: Learned, spec: RunSpec, scheme: Scheme, classes: Array, known_classes: Array, width: int
) -> None:
    known = before.state.theta.shape[1]
    if not np.array_equal(known_classes, classes) or known != width:
        raise ValueError(
            f"warm_start=True continues with the classes {known_classes.tolist()} and {known} "
            f"features of the earlier fit; this one has {classes.tolist()} and {width}. Set "
            "warm_start=False to start afresh."
        )
    if not scheme.binary and before.multi_class != spec.multi_class:
        raise ValueError(
            f"warm_start=True continues with multi_class={before.multi_class!r} of the earlier "
            f"fit; it is {spec.multi_class!r} now. Set warm_start=False to start afresh."
        )


def refuse_change(before: Any, now: Any, names: Iterable[str]) -> None:
    """Refuse to go on in batches if one of the settings `names` is another one by now."""
    for name in names:
        was, is_now = getattr(before, name), getattr(now, name)
        if was is not is_now and was != is_now:
            raise ValueError(
                f"{name} cannot change between calls to partial_fit: it was {was!r}, it is "
                f"{is_now!r}. Start with a new estimator."
            )


def check_same(before: Learned, spec: RunSpec) -> None:
    """Refuse to go on in batches with what is another model by now."""
    refuse_change(before, spec, ("fit_intercept", "multi_class", "keep"))
    if type(before.rule) is not type(spec.rule):
        raise ValueError(
            "The rule cannot change between calls to partial_fit. Start with a new estimator."
        )


def hold_out(
    estimator: Any, problem: Problem, random: np.random.RandomState
) -> tuple[Problem, Any]:
    """Split off validation rows: (problem without them, (rows, norms, classes) or None)."""
    if not estimator.early_stopping:
        return problem, None
    from sklearn.model_selection import StratifiedShuffleSplit  # slow to import

    labels = problem.examples.labels[problem.visited]
    splitter = StratifiedShuffleSplit(
        n_splits=1, test_size=estimator.validation_fraction, random_state=random
    )
    try:
        learn, check = next(splitter.split(np.zeros((len(labels), 1)), labels))
    except ValueError as error:
        raise ValueError(
            f"early_stopping=True could not set rows aside for validation: {error} Use more "
            "rows, another validation_fraction, or early_stopping=False."
        ) from error
    return problem.without(problem.visited[np.sort(learn)], problem.visited[np.sort(check)])
