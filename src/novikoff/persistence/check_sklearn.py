"""Checks of scikit-learn's classes whose state ends up as column numbers of sparse matrices.

SciPy takes the indices of a sparse matrix on trust, so an encoder with the wrong numbers would
write outside of an array when its result is made dense.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.persistence.errors import require


def check_vocabulary(vectorizer: Any) -> None:
    """The words are numbered 0 ... n - 1."""
    words = vars(vectorizer).get("vocabulary_")
    if words is None:
        return
    kind = type(vectorizer).__name__
    require(type(words) is dict, f"{kind}.vocabulary_ is no dict.")
    numbers = words.values()
    require(
        all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) for n in numbers)
        and sorted(numbers) == list(range(len(words))),
        f"{kind}.vocabulary_ does not number its words from 0 to {len(words) - 1}.",
    )


def check_one_hot(encoder: Any) -> None:
    """Every category of a column leads to a column of its own block."""
    state = vars(encoder)
    if "categories_" not in state:
        require("_n_features_outs" not in state, "OneHotEncoder is half fitted.")
        return
    categories = state["categories_"]
    n_features = state.get("n_features_in_")
    require(
        type(categories) is list and type(n_features) is int and n_features == len(categories),
        "OneHotEncoder.categories_ does not go with its features.",
    )
    for each in categories:
        require(type(each) is np.ndarray and each.ndim == 1, "OneHotEncoder has no categories.")
        require(len(each) > 0, "OneHotEncoder has a column without categories.")
        if each.dtype.kind not in "OUS":
            _check_rising(each)
    sizes = [len(each) for each in categories]
    if state.get("_infrequent_enabled"):
        sizes = [
            _size_after_grouping(mapping, infrequent, size)
            for mapping, infrequent, size in zip(
                state["_default_to_infrequent_mappings"], state["_infrequent_indices"], sizes,
                strict=True,
            )
        ]  # fmt: skip
    dropped = state.get("_drop_idx_after_grouping")
    if dropped is not None:
        require(
            type(dropped) is np.ndarray and dropped.shape == (n_features,),
            "OneHotEncoder drops categories that it does not have.",
        )
        for i, place in enumerate(dropped):
            if place is not None:
                whole = isinstance(place, (int, np.integer)) and 0 <= place < sizes[i]
                require(whole, "OneHotEncoder drops a category that it does not have.")
                sizes[i] -= 1
    require(state.get("_n_features_outs") == sizes, "OneHotEncoder has another number of columns.")


def _check_rising(categories: Any) -> None:
    """Numbers are looked up by a search; a NaN may be the last of them."""
    known = categories[:-1] if categories[-1] != categories[-1] else categories
    rising = bool((known[1:] > known[:-1]).all()) and bool((known == known).all())
    require(rising, "OneHotEncoder has categories out of order.")


def _size_after_grouping(mapping: Any, infrequent: Any, size: int) -> int:
    """How many columns are left when rare categories share one."""
    if mapping is None:
        require(infrequent is None, "OneHotEncoder groups categories in two ways.")
        return size
    require(
        type(mapping) is np.ndarray and mapping.shape == (size,) and mapping.dtype == np.int64
        and type(infrequent) is np.ndarray and infrequent.ndim == 1 and 0 < len(infrequent) <= size,
        "OneHotEncoder does not say how it groups categories.",
    )  # fmt: skip
    left = size - len(infrequent) + 1
    inside = int(mapping.min()) >= 0 and int(mapping.max()) < left
    require(inside, "OneHotEncoder groups categories that it does not have.")
    return left


CHECKS = {
    "CountVectorizer": check_vocabulary,
    "DictVectorizer": check_vocabulary,
    "OneHotEncoder": check_one_hot,
}
