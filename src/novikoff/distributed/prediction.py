"""Predictions for Dask collections: lazily, chunk by chunk, on the workers."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from novikoff.training.input import (
    check_labels,
    check_weights,
    merge_classes,
    number_classes,
)


def mapped(estimator: Any, method: str, X: Any) -> Any:
    """``estimator.method(X)``; if X is a Dask collection, a lazy one cut like it."""
    function = getattr(estimator, method)
    if not hasattr(X, "to_delayed"):
        return function(X)
    like = _of_no_rows(function, estimator.n_features_in_)
    if hasattr(X, "chunks"):
        X = whole_rows(X)
        if like.ndim == 1:
            return X.map_blocks(function, drop_axis=1, dtype=like.dtype, meta=like)
        chunks = (X.chunks[0], (like.shape[1],))
        return X.map_blocks(function, chunks=chunks, dtype=like.dtype, meta=like)
    return X.map_partitions(_framed, function, meta=_frame(like, None))


def whole_rows(X: Any) -> Any:
    """A Dask array whose chunks have all columns."""
    if X.ndim != 2:
        raise ValueError(f"X must have two dimensions; it has {X.ndim}.")
    return X.rechunk({1: -1})


def accuracy(estimator: Any, X: Any, y: Any, sample_weight: Any) -> float:
    """The share of rows whose class is predicted."""
    if not hasattr(X, "to_delayed"):
        return float(estimator.score(X, y, sample_weight))
    import dask

    from novikoff.distributed.sources import chunks_of

    shared = dask.delayed(estimator)
    count = dask.delayed(_count, pure=False)
    counted = dask.compute(*(count(shared, *chunk) for chunk in chunks_of(X, y, sample_weight)))
    right, total = (sum(numbers) for numbers in zip(*counted, strict=True))
    if not total:
        raise ValueError("X has no rows of positive weight: there is no accuracy.")
    return float(right / total)


def _count(estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> tuple[float, float]:
    """The weight of the rows of a chunk whose class is predicted, and of all of them."""
    n_rows = X.shape[0]
    if not n_rows:
        return 0, 0
    # Labels are compared as `fit` saw them: pandas has several kinds of them that are other here.
    labels = check_labels(y, n_rows)
    merge_classes(estimator.classes_, number_classes(labels)[0])  # refuses names among numbers
    right = estimator.predict(X) == labels
    weights = check_weights(sample_weight, n_rows)
    if weights is None:
        return int(right.sum()), n_rows
    return float(weights[right].sum()), float(weights.sum())


def _of_no_rows(function: Any, width: int) -> Any:
    """What `function` gives for no rows, whatever it says of an array without column names."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="X does not have valid feature names")
        return function(np.zeros((1, width)))[:0]


def _framed(frame: Any, function: Any) -> Any:
    values = function(frame) if len(frame) else _of_no_rows(function, frame.shape[1])
    return _frame(values, frame.index)


def _frame(values: Any, index: Any) -> Any:
    import pandas

    kind = pandas.Series if values.ndim == 1 else pandas.DataFrame
    return kind(values, index=index)
