"""Checks of scikit-learn's classes that act on numbers of their state without a look at them.

SciPy takes the indices of a sparse matrix on trust, so an encoder with the wrong numbers would
write outside of an array when its result is made dense. Others count up to a number, or make room
for so many columns, however many that are: one row would take hours, or all memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.persistence.errors import require

_MOST_STEPS = 2**10
_MOST_COLUMNS = 2**24
_LARGEST_DEGREE = 2**10


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


def check_ngrams(vectorizer: Any) -> None:
    """n-grams are counted from the first number on; the last is bounded by the text."""
    kind, bounds = type(vectorizer).__name__, vars(vectorizer).get("ngram_range")
    require(
        type(bounds) is tuple and len(bounds) == 2
        and all(isinstance(n, (int, np.integer)) for n in bounds) and 0 <= bounds[0] <= bounds[1],
        f"{kind}.ngram_range is {str(bounds)[:60]}.",
    )  # fmt: skip


def check_counts(vectorizer: Any) -> None:
    check_vocabulary(vectorizer)
    check_ngrams(vectorizer)


def check_chi2_sampler(sampler: Any) -> None:
    """A column becomes 2 * steps - 1 columns, one after the other."""
    steps = vars(sampler).get("sample_steps")
    few = isinstance(steps, (int, np.integer)) and steps <= _MOST_STEPS
    require(few, f"AdditiveChi2Sampler.sample_steps is {str(steps)[:40]}; {_MOST_STEPS} is most.")


def check_count_sketch(sketch: Any) -> None:
    """There is room for so many degrees and components per row."""
    state = vars(sketch)
    hashes = state.get("indexHash_")
    if hashes is not None:
        require(
            type(hashes) is np.ndarray and hashes.ndim == 2
            and hashes.shape[0] == state.get("degree"),
            "PolynomialCountSketch has other hashes than degrees.",
        )  # fmt: skip
    components = state.get("n_components")
    few = isinstance(components, (int, np.integer)) and components <= _MOST_COLUMNS
    require(few, f"PolynomialCountSketch.n_components is {str(components)[:40]}.")


def check_polynomial(features: Any) -> None:
    """There is room for as many columns as there are products of so many features."""
    state = vars(features)
    if "n_output_features_" not in state:
        return
    degrees = state.get("_min_degree"), state.get("_max_degree")
    require(
        all(isinstance(d, (int, np.integer)) and 0 <= d <= _LARGEST_DEGREE for d in degrees)
        and isinstance(state.get("n_features_in_"), (int, np.integer)),
        "PolynomialFeatures has a degree that is none, or too large.",
    )
    made = {
        name: features._num_combinations(
            n_features=int(state["n_features_in_"]), min_degree=low, max_degree=degrees[1],
            interaction_only=state.get("interaction_only"), include_bias=state.get("include_bias"),
        )
        for name, low in (("n_output_features_", degrees[0]), ("_n_out_full", 0))
    }  # fmt: skip
    for name, expected in made.items():
        require(state.get(name) == expected, f"PolynomialFeatures.{name} is not {expected}.")


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
    "AdditiveChi2Sampler": check_chi2_sampler,
    "CountVectorizer": check_counts,
    "DictVectorizer": check_vocabulary,
    "HashingVectorizer": check_ngrams,
    "OneHotEncoder": check_one_hot,
    "PolynomialCountSketch": check_count_sketch,
    "PolynomialFeatures": check_polynomial,
}
