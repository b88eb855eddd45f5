"""Validation of data that needs no estimator: what may be a matrix, what may be labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_array, column_or_1d, compute_class_weight
from sklearn.utils.multiclass import check_classification_targets

from novikoff._arrays import Array, Floats, Ints
from novikoff.geometry.doubles import refuse_rounding
from novikoff.geometry.input import refuse_text
from novikoff.geometry.sparse import canonical

_ALIKE = ("biuf", "UO")  # kinds of labels that may stand beside each other


def check_two_classes(X: Any, y: Any) -> tuple[Any, Array, Ints]:
    """X as a 2-D array or CSR matrix, the two classes of y in order, and y as -1 and +1.

    Whether the values are finite is checked later, in the pass that takes the row norms.
    """
    X = check_numbers(X)
    classes, numbers = number_classes(check_labels(y, X.shape[0]))
    if len(classes) != 2:
        shown = ", ".join(repr(c) for c in classes.tolist()[:5]) + ", ..." * (len(classes) > 5)
        raise ValueError(
            f"Separability is a question about two classes; y holds {len(classes)}: {shown}."
            + (" Ask it of one class against the rest: y == label." if len(classes) > 2 else "")
        )
    return X, classes, 2 * numbers - 1


def check_numbers(X: Any, **options: Any) -> Any:
    """X as a 2-D array or canonical CSR matrix of real numbers, in its own type; all are doubles.

    options : for scikit-learn's `check_array`
    """
    options = {"ensure_all_finite": False, **options}
    plain = type(X) is np.ndarray and X.dtype == np.float64 and X.ndim == 2 and X.size > 0
    if plain and not options["ensure_all_finite"]:
        return X
    X = unrounded(X)
    try:
        return numeric(check_array(X, accept_sparse="csr", dtype="numeric", **options))
    except (TypeError, ValueError) as error:  # TypeError: dates beside numbers, pandas' NA
        refuse_text(X, error)
        raise


def unrounded(X: Any) -> Any:
    """X as a user passed it, fit for scikit-learn's validation, which rounds without a word.

    Refuses numbers that no double holds; brings a sparse matrix into canonical form.
    """
    if sp.issparse(X):
        if X.ndim != 2:
            return X
        X = canonical(X)
    if np.ma.is_masked(X):
        row, *_ = np.argwhere(np.ma.getmaskarray(X))[0]
        raise ValueError(
            f"Row {row} of X has a masked value, which is a missing one. Drop or impute such rows "
            "first (sklearn.impute.SimpleImputer does that)."
        )
    refuse_rounding(X)
    return X


def numeric(X: Any) -> Any:
    """X, an array or a CSR matrix, in a real type; objects are converted, all else is refused."""
    if X.dtype == object:
        try:
            X = X.astype(np.float64)
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"X must hold numbers: {error}.") from error
    if X.dtype.kind not in "biuf":
        raise ValueError(
            f"X must hold numbers; its type is {X.dtype}. Encode other columns first (for instance "
            "with sklearn.preprocessing.OneHotEncoder)."
        )
    return X


def check_labels(y: Any, n_rows: int, *, fractions: bool = False) -> Array:
    """y as a 1-D array of n_rows labels of any one type.

    fractions : whether numbers with a fraction are labels, too
    """
    y = _unmasked(y)
    if y is None:
        raise ValueError(
            "This classifier requires y to be passed, but the target y is None: pass the labels."
        )
    if np.ma.is_masked(y):
        row = int(np.flatnonzero(np.ma.getmaskarray(y))[0])
        raise ValueError(
            f"Input y contains a missing value at row {row}: it is masked. Drop such rows first."
        )
    if type(y) is list:
        y = np.asarray(y)
    if not (type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biufSU"):
        y = column_or_1d(y, warn=True)  # takes its time to see whether it is a frame
    if len(y) != n_rows:
        raise ValueError(
            f"X and y must have as many rows: X has {n_rows}, y has {len(y)} (inconsistent numbers "
            "of samples)."
        )
    missing = _missing(y)
    if missing is not None:
        raise ValueError(
            f"Input y contains NaN, infinity or a missing value at row {missing}: "
            f"{y[missing : missing + 1].tolist()[0]!r} is no label. Drop such rows first."
        )
    if not fractions and y.dtype.kind == "f" and (np.floor(y) != y).any():
        check_classification_targets(y)  # refuses them
    labels: Array = y
    return labels


def _missing(y: Array) -> int | None:
    """The first row whose label is missing or not finite."""
    if y.dtype.kind == "f":
        bad = ~np.isfinite(y)
    elif y.dtype.kind in "mM":
        bad = np.isnat(y)
    elif y.dtype == object:
        bad = np.array([is_missing(label) for label in y], bool)
    else:
        return None
    return int(np.flatnonzero(bad)[0]) if bad.any() else None


def is_missing(label: Any) -> bool:
    """Whether this stands for a label that is not there."""
    not_a_number = isinstance(label, float) and not np.isfinite(label)
    return label is None or type(label).__name__ in ("NAType", "NaTType") or not_a_number


def number_classes(y: Array) -> tuple[Array, Ints]:
    """The sorted classes, and the number of each row's class."""
    if y.dtype.kind in "biuf" and len(y):
        with np.errstate(invalid="ignore"):
            numbers = y.astype(np.int64)
        lowest = int(numbers.min())
        if int(numbers.max()) - lowest < len(y) and (numbers == y).all():
            numbers -= lowest
            there = np.bincount(numbers) > 0
            classes = (np.flatnonzero(there) + lowest).astype(y.dtype)
            return classes, (np.cumsum(there) - 1)[numbers]  # faster than any search
    try:
        classes = np.unique(y)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in y})
        raise ValueError(
            f"Labels must be of one type to be put in order; y mixes {', '.join(kinds)}."
        ) from None
    # A search in a few classes is faster than the sort of all labels behind return_inverse.
    return classes, np.searchsorted(classes, y)


def balanced_weights(counts: Ints) -> Floats:
    """scikit-learn's "balanced" weights of classes that have so many examples."""
    weights: Floats = counts.sum() / (len(counts) * counts.astype(np.float64))
    return weights


def class_weights(class_weight: Any, classes: Array, y: Array | None) -> Floats:
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


def merge_classes(known: Array, new: Array) -> Array:
    """The union of two sorted sets of labels, which must be of one kind."""
    alike = [next((a for a in _ALIKE if c.dtype.kind in a), c.dtype.kind) for c in (known, new)]
    both = np.concatenate([known, new]) if alike[0] == alike[1] else None
    # Of integers that no double holds, concatenation would make others without a word.
    if both is None or (both.dtype.kind == "f" and not all(map(_in_doubles, (known, new)))):
        raise ValueError(
            f"Labels must be of one type: earlier batches had {known.tolist()}, this one has "
            f"{new.tolist()}."
        )
    return number_classes(both)[0]


def _in_doubles(labels: Array) -> bool:
    return labels.dtype.kind not in "iu" or all(int(float(c)) == c for c in labels.tolist())


def _unmasked(y: Any) -> Any:
    """y; whole numbers and booleans in a nullable type of pandas become NumPy's of the same kind.

    scikit-learn's validation would make floats of them, and `predict` would say 1.0 for True.
    """
    kind = getattr(getattr(y, "dtype", None), "numpy_dtype", None)
    if not isinstance(kind, np.dtype) or kind.kind not in "biu" or y.isna().any():
        return y
    return y.to_numpy(kind)


def check_weights(sample_weight: Any, n_rows: int) -> Floats | None:
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
