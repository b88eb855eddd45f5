"""The transformer from a table's columns to numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from novikoff.streams.tables.encode import category_codes, encode, stored_columns
from novikoff.streams.tables.fitting import Fitted
from novikoff.streams.tables.lazy import pl
from novikoff.streams.tables.learn import learn
from novikoff.streams.tables.reader import FrameReader
from novikoff.streams.tables.state import check_document, feature_names

PARAMETERS = ("drop", "keep", "categorical", "missing", "scale", "hash_bits", "na")


class TableEncoder(TransformerMixin, BaseEstimator):
    """Encode the columns of a DataFrame as float64 features; columns are matched by name.

    What a column becomes, its cells decide: numbers are standardised, true/false and yes/no become
    1/0, ISO dates days, month and weekday, text counts of its words, anything else categories.

    Parameters
    ----------
    drop, keep, categorical : sequences of str
        Columns to leave out; to keep although they are constant, count the rows or differ in every
        row; to take for categories.
    missing : {"impute", "error", "drop"}
        Missing cells are replaced (numbers by the mean, with an is-missing feature) or refused;
        "drop" learns from complete rows only and replaces in `transform`.
    scale : bool
        Whether numeric columns are standardised.
    hash_bits : int, optional
        Hash categories and words into 2**hash_bits features instead of listing them.
    na : sequence of str
        What else than the usual spellings means a missing cell, in files that are read for this
        encoder; in a DataFrame a missing cell is null.

    Attributes
    ----------
    columns_ : list of dict
        What is known of each column in use, see :mod:`novikoff.streams.tables.state`.
    sparse_ : bool
        Whether `transform` returns a CSR array; otherwise it returns an ndarray.
    target_ : str or None
        The column that the labels came from, where the encoder was fitted on a whole table.
    n_columns_ : int or None
        How many columns that table had, if it did not name them: they are matched by position.
    feature_names_in_ : ndarray of str
        The columns in use.
    n_features_in_ : int
    """

    def __init__(
        self,
        drop: Sequence[str] = (),
        keep: Sequence[str] = (),
        categorical: Sequence[str] = (),
        missing: str = "impute",
        scale: bool = True,
        hash_bits: int | None = None,
        na: Sequence[str] = (),
    ) -> None:
        self.drop = drop
        self.keep = keep
        self.categorical = categorical
        self.missing = missing
        self.scale = scale
        self.hash_bits = hash_bits
        self.na = na

    def fit(self, X: Any, y: Any = None) -> TableEncoder:
        """Learn the encoding from all rows of a DataFrame; `y` is ignored."""
        learned = learn(FrameReader(X, self.na), self, None, 0.0, 0)
        return self._set(learned.fitted, None, None)

    def _set(self, fitted: Fitted, target: str | None, n_columns: int | None) -> TableEncoder:
        self.columns_ = fitted.columns
        self.sparse_ = fitted.sparse
        self.target_ = target
        self.n_columns_ = n_columns
        return self

    # Not stored: they follow from columns_, and what is stored once cannot contradict itself.
    @property
    def feature_names_in_(self) -> Any:
        return np.array([c["name"] for c in self.columns_], dtype=object)

    @property
    def n_features_in_(self) -> int:
        return len(self.columns_)

    def transform(self, X: Any) -> Any:
        """Encode a DataFrame that has the columns in use, under their names, in any order.

        A category that `fit` did not see counts as none: its features are all zero.

        Returns
        -------
        ndarray or csr_array of shape (n, n_features), float64
        """
        return self._encode(self._stored(X))

    def unseen(self, X: Any) -> dict[str, int]:
        """Per column, how many cells hold a category that `fit` did not see; only if there are."""
        return self._unseen(self._stored(X))

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The names of the features, such as "age", "sex=male", "age is missing"."""
        check_is_fitted(self)
        return np.array(feature_names(self.columns_, self.hash_bits), dtype=object)

    def _stored(
        self, X: Any, decimal: str = ".", where: Callable[[int], str] | None = None
    ) -> pl.DataFrame:
        """The columns in use, in order, as the survey stores them; `where` names a row."""
        check_is_fitted(self)
        return stored_columns(self.columns_, X, decimal, self.missing == "error", where, na=self.na)

    def _encode(self, stored: pl.DataFrame) -> Any:
        return encode(self.columns_, stored, self.hash_bits, self.sparse_)

    def _unseen(self, stored: pl.DataFrame) -> dict[str, int]:
        found = {}
        for k, column in enumerate(self.columns_):
            if column["kind"] == "category" and not column["hashed"]:
                n = int((category_codes(column, stored[str(k)]) < 0).sum())
                if n:
                    found[column["name"]] = n
        return found

    def _newly_missing(self, stored: pl.DataFrame) -> dict[str, int]:
        """Per column that had no missing cell in training, how many it has now; only if any."""
        gone = stored.select(
            pl.selectors.float().is_nan().sum(), (~pl.selectors.float()).is_null().sum()
        )
        counts = gone.row(0, named=True)  # all at once: a table may have very many columns
        return {
            column["name"]: counts[str(k)]
            for k, column in enumerate(self.columns_)
            if not column["missing"] and counts[str(k)]
        }

    def to_json(self) -> str:
        """Parameters and fitted state as JSON; :meth:`from_json` reads it."""
        check_is_fitted(self)
        parameters = {
            name: list(value) if isinstance(value, tuple | list | set | frozenset) else value
            for name, value in ((name, getattr(self, name)) for name in PARAMETERS)
        }
        document: dict[str, Any] = {
            "parameters": parameters,
            "columns": self.columns_,
            "sparse": self.sparse_,
            "target": self.target_,
        }
        return json.dumps(document, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> TableEncoder:
        """The encoder that :meth:`to_json` wrote; a ValueError if the text is anything else."""
        document = check_document(text)
        encoder = cls(**document["parameters"])
        encoder.columns_ = document["columns"]
        encoder.sparse_ = document["sparse"]
        encoder.target_ = document["target"]
        return encoder

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        return tags
