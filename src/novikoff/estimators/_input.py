"""What `fit`, `partial_fit` and `predict` are given, validated.

What does not depend on an estimator is in :mod:`novikoff.training.input`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import _check_n_features, validate_data

from novikoff._arrays import Array, Floats, Ints
from novikoff.geometry.input import refuse_text
from novikoff.training.input import (
    check_labels,
    check_weights,
    merge_classes,
    number_classes,
    numeric,
    unrounded,
)
from novikoff.training.schemes import Scheme, closed_scheme, open_scheme


class Batch(NamedTuple):
    """Validated rows, labels and weights; `used` numbers the rows of positive weight.

    `online` says whether the estimator they are for has `partial_fit`.
    """

    X: Any
    y: Array
    weights: Floats | None
    used: Ints
    online: bool

    @property
    def used_labels(self) -> Array:
        return self.y if self.weights is None else self.y[self.used]

    def check_not_empty(self) -> None:
        if len(self.used) == 0:
            raise ValueError("Every sample_weight is zero, so no row is left to learn from.")

    def number_classes(self) -> tuple[Array, Ints]:
        """The sorted classes of the used rows, at least two, and the number of each row's class."""
        self.check_not_empty()
        classes, numbers = number_classes(self.used_labels)
        if len(classes) < 2:
            all_used = len(self.used) == len(self.y)
            where = "y holds" if all_used else "the rows of weight above 0 hold"
            hint = " (partial_fit may start with one class.)" if self.online else ""
            raise ValueError(
                f"A classifier needs examples of at least two classes; {where} only "
                f"one class, {classes.tolist()[0]!r}.{hint}"
            )
        return classes, self.spread(numbers)

    def spread(self, numbers: Ints) -> Ints:
        """Class numbers of the used rows, as an array over all rows."""
        if self.weights is None:
            return numbers
        codes = np.zeros(len(self.y), np.int64)
        codes[self.used] = numbers
        return codes


def read_batch(estimator: Any, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Batch:
    """Everything that `fit` and `partial_fit` are given, checked."""
    X = check_matrix(estimator, X, reset=reset)
    y = check_labels(y, X.shape[0])
    weights = check_weights(sample_weight, X.shape[0])
    used = np.arange(len(y)) if weights is None else np.flatnonzero(weights)
    return Batch(X, y, weights, used, hasattr(estimator, "partial_fit"))


@contextmanager
def names_restored(estimator: Any) -> Iterator[None]:
    """If what is done inside fails, the estimator knows the features it knew before."""
    names = ("n_features_in_", "feature_names_in_")
    before = {name: getattr(estimator, name) for name in names if hasattr(estimator, name)}
    try:
        yield
    except Exception:
        for name in names:
            estimator.__dict__.pop(name, None)
        estimator.__dict__.update(before)
        raise


def check_matrix(estimator: Any, X: Any, *, reset: bool) -> Any:
    """X as a 2-D array or CSR matrix in its own type; names and widths are checked or noted.

    Whether the values are finite is checked later, in the pass that takes the row norms.
    """
    X = unrounded(X)
    if _is_plain(X) and not hasattr(estimator, "feature_names_in_"):
        # All that is left to check. Whether an array is a frame takes scikit-learn longer to find
        # out, and the first time as long as a small fit.
        _check_n_features(estimator, X, reset=reset)
        return X
    try:
        checked = validate_data(
            estimator, X, reset=reset, skip_check_array=_is_plain(X), accept_sparse="csr",
            dtype="numeric", ensure_all_finite=False,
        )  # fmt: skip
        return numeric(checked)
    except (TypeError, ValueError) as error:  # TypeError: dates beside numbers, pandas' NA
        refuse_text(X, error)
        raise


def _is_plain(X: Any) -> bool:
    """Whether scikit-learn's `check_array` would give X back; to find that out takes it longer."""
    if not (type(X) is np.ndarray or sp.issparse(X)):
        return False
    return X.ndim == 2 and X.dtype.kind in "biuf" and 0 not in X.shape


def listed_classes(given: Any) -> Array | None:
    """The argument `classes` of `partial_fit`, sorted."""
    if given is None:
        return None
    try:
        return number_classes(check_labels(given, len(given)))[0]
    except ValueError as error:
        raise ValueError(f"classes are no labels: {error}") from None


def classes_so_far(
    given: Array | None, batch: Batch, multi_class: str, known: tuple[Array, Scheme] | None
) -> tuple[Array, Scheme]:
    """All classes known after this batch of `partial_fit`, sorted, and the hyperplanes for them.

    given : its argument `classes`, as `listed_classes` has it
    known : the same result of the call before, None in the first
    """
    if given is not None:
        if known is None:
            if len(given) < 2:
                raise ValueError(
                    f"classes must list at least two classes; it lists {given.tolist()}. Leave "
                    "it out if they are not all known yet."
                )
            _refuse_unknown(batch, given)
            return given, closed_scheme(multi_class, len(given))
        if not np.array_equal(given, known[0]):
            raise ValueError(
                f"classes is {given.tolist()}, but earlier calls established "
                f"{known[0].tolist()}; give it in the first call only."
            )
    if known is not None and not known[1].open:
        _refuse_unknown(batch, known[0])
        return known
    if multi_class == "joint":
        raise ValueError(
            'multi_class="joint" needs all classes in the first call to partial_fit: pass '
            "classes=[...]."
        )
    new, _ = number_classes(batch.used_labels)
    merged = new if known is None else merge_classes(known[0], new)
    return merged, open_scheme(multi_class, len(merged))


def _refuse_unknown(batch: Batch, known: Array) -> None:
    unknown = batch.used[~np.isin(batch.used_labels, known)]
    if len(unknown):
        raise ValueError(
            f"y holds {batch.y[unknown].tolist()[0]!r} at row {unknown[0]}, which is not among "
            f"the classes {known.tolist()} that training began with. Only a model that was "
            "begun by partial_fit, and without `classes`, can take in late classes."
        )


def check_start(
    name: str, start: Any, shape: tuple[int, ...], flat: tuple[int, ...], dtype: Any
) -> Array:
    """An initial coef or intercept, of `shape` (or `flat`, for one hyperplane), as `dtype`."""
    given = np.asarray(start, dtype=np.float64)
    if given.shape != shape and not (shape[0] == 1 and given.shape == flat):
        alternative = f" or {flat}" if shape[0] == 1 else ""
        raise ValueError(
            f"{name} must have shape {shape}{alternative}; its shape is {given.shape}."
        )
    with np.errstate(over="ignore"):
        cast = given.reshape(shape).astype(dtype)
    if not np.isfinite(cast).all():
        raise ValueError(f"{name} must be finite, and representable as {np.dtype(dtype)}.")
    # A negative zero would be told apart by dense rows (which add 0.0 to it) and sparse ones.
    return cast + np.zeros(1, dtype)
