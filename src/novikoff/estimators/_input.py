"""What `fit`, `partial_fit` and `predict` are given, validated.

What does not depend on an estimator is in :mod:`novikoff.training.input`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import compute_class_weight
from sklearn.utils.validation import validate_data

from novikoff.geometry._input import refuse_text
from novikoff.training.input import check_labels, number_classes, numeric, unrounded

if TYPE_CHECKING:
    from novikoff.training.schemes import Scheme


class Batch(NamedTuple):
    """Validated rows, labels and weights; `used` numbers the rows of positive weight.

    `online` says whether the estimator they are for has `partial_fit`.
    """

    X: Any
    y: NDArray[Any]
    weights: NDArray[np.float64] | None
    used: NDArray[np.int64]
    online: bool

    @property
    def used_labels(self) -> NDArray[Any]:
        return self.y[self.used]

    def check_not_empty(self) -> None:
        if len(self.used) == 0:
            raise ValueError("Every sample_weight is zero, so no row is left to learn from.")

    def number_classes(self) -> tuple[NDArray[Any], NDArray[np.int64]]:
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

    def spread(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Class numbers of the used rows, as an array over all rows."""
        codes = np.zeros(len(self.y), np.int64)
        codes[self.used] = numbers
        return codes


def read_batch(estimator: Any, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Batch:
    """Everything that `fit` and `partial_fit` are given, checked."""
    X = check_matrix(estimator, X, reset=reset)
    y = check_labels(unmasked(y), X.shape[0])
    weights = check_weights(sample_weight, X.shape[0])
    used = np.arange(len(y)) if weights is None else np.flatnonzero(weights)
    return Batch(X, y, weights, used, hasattr(estimator, "partial_fit"))


def unmasked(y: Any) -> Any:
    """y; whole numbers and booleans in a nullable type of pandas become NumPy's of the same kind.

    scikit-learn's validation would make floats of them, and `predict` would say 1.0 for True.
    """
    kind = getattr(getattr(y, "dtype", None), "numpy_dtype", None)
    if not isinstance(kind, np.dtype) or kind.kind not in "biu" or y.isna().any():
        return y
    return y.to_numpy(kind)


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


def class_weights(
    class_weight: Any, classes: NDArray[Any], y: NDArray[Any] | None
) -> NDArray[np.float64]:
    """One weight per class: all 1, "balanced" over the labels y, or from a dict (1 if not in it).

    y : None where the labels are not all known; then a dict may speak of classes yet to come
    """
    if class_weight is None:
        return np.ones(len(classes))
    if y is None:
        weights = np.array([float(class_weight.get(c, 1.0)) for c in classes.tolist()])
    else:
        weights = compute_class_weight(class_weight, classes=classes, y=y)
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights > 0)))
    if bad.size:
        raise ValueError(
            f"class_weight of {classes.tolist()[bad[0]]!r} is {weights[bad[0]]}: it must be finite "
            "and above 0. To leave a class out, leave its rows out."
        )
    return weights


def check_matrix(estimator: Any, X: Any, *, reset: bool) -> Any:
    """X as a 2-D array or CSR matrix in its own type; names and widths are checked or noted.

    Whether the values are finite is checked later, in the pass that takes the row norms.
    """
    X = unrounded(X)
    try:
        checked = validate_data(
            estimator, X, reset=reset, accept_sparse="csr", dtype="numeric", ensure_all_finite=False
        )
        return numeric(checked)
    except (TypeError, ValueError) as error:  # TypeError: dates beside numbers, pandas' NA
        refuse_text(X, error)
        raise


def merge_classes(known: NDArray[Any], new: NDArray[Any]) -> NDArray[Any]:
    """The union of two sorted sets of labels, which must be of one kind."""
    numbers = "biuf"
    if (known.dtype.kind in numbers) != (new.dtype.kind in numbers):
        raise ValueError(
            f"Labels must be of one type: earlier batches had {known.tolist()}, this one has "
            f"{new.tolist()}."
        )
    return number_classes(np.concatenate([known, new]))[0]


def classes_so_far(
    given: Any, batch: Batch, multi_class: str, known: tuple[NDArray[Any], Scheme] | None
) -> tuple[NDArray[Any], Scheme]:
    """All classes known after this batch of `partial_fit`, sorted, and the hyperplanes for them.

    given : its argument `classes`; known : the same result of the call before, None in the first
    """
    from novikoff.training.schemes import closed_scheme, open_scheme

    if given is not None:
        given = np.unique(np.asarray(given))
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


def _refuse_unknown(batch: Batch, known: NDArray[Any]) -> None:
    unknown = batch.used[~np.isin(batch.used_labels, known)]
    if len(unknown):
        raise ValueError(
            f"y holds {batch.y[unknown].tolist()[0]!r} at row {unknown[0]}, which is not among "
            f"the classes {known.tolist()} that training began with. Only a model that was "
            "begun by partial_fit, and without `classes`, can take in late classes."
        )


def check_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    """sample_weight as float64, one per row, or None if there is none; finite, not negative."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight)
    if weights.dtype.kind == "c":
        raise ValueError("sample_weight must be real; it holds complex numbers.")
    weights = weights.astype(np.float64)
    if weights.ndim == 0:
        weights = np.full(n_rows, weights)
    if weights.shape != (n_rows,):
        raise ValueError(
            f"sample_weight must have shape ({n_rows},), one weight per row of X; its shape is "
            f"{weights.shape}."
        )
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0.0)))
    if bad.size:
        raise ValueError(
            f"sample_weight is {weights[bad[0]]} at row {bad[0]}: weights must be finite and not "
            "negative. A weight of zero drops the row."
        )
    return weights


def check_start(
    name: str, start: Any, shape: tuple[int, ...], flat: tuple[int, ...], dtype: Any
) -> NDArray[Any]:
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
    result: NDArray[Any] = cast + np.zeros(1, dtype)
    return result
