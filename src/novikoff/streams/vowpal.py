"""Vowpal Wabbit's text: a label, a weight, a tag, and features by name, in namespaces.

``label [weight] ['tag]|namespace[:scale] name[:value] name[:value] ... |namespace ...``

A feature is called namespace^name, or name where the namespace has none; nothing is hashed. Its
column is the number of names that came before it in the file. A value that is left out is 1, a
scale multiplies the values of its namespace, and what occurs more than once in a row is added up.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from math import inf, isfinite, nan
from typing import Any

import numpy as np
import scipy.sparse as sp

from novikoff._memory import refusal
from novikoff.streams.blocks import RowBlock
from novikoff.streams.bytes import Bytes, StreamError
from novikoff.streams.chunks import ENDLESS, chunks, without_mark
from novikoff.streams.texts import RowText

_CHUNK = 2**21  # bytes
_BYTES_PER_NAME = 250  # of a dictionary, with the name and its number


class VowpalError(StreamError):
    """A line that is not Vowpal Wabbit's text: what was found, in which file and line."""


class VowpalText(RowText):
    """Vowpal Wabbit's text as a sequence of blocks of rows.

    Parameters
    ----------
    data : Bytes
        The text, compressed or not; see `open_bytes`.
    names : sequence of str, optional
        The features to read, in the order of their columns. By default all, as they turn up.
    labelled : bool, default=True
        Whether every row must have a label; otherwise that of a row without one is NaN.

    Attributes
    ----------
    names : sequence of str
        The features, as far as the text has been read.
    unknown : int
        How many values of other features than those asked for were left out.

    Examples
    --------
    >>> import io
    >>> from novikoff.streams.bytes import open_bytes
    >>> text = VowpalText(open_bytes(io.BytesIO(b"1 | a b:2\\n-1 2.5 |size:0.5 width:3 | b\\n")))
    >>> for rows in text.rows():
    ...     print(rows.X.toarray(), rows.y, rows.weights)
    [[1.  2.  0. ]
     [0.  1.  1.5]] [ 1. -1.] [1.  2.5]
    >>> text.names
    ['a', 'b', 'size^width']
    """

    def __init__(
        self, data: Bytes, *, names: Sequence[str] | None = None, labelled: bool = True
    ) -> None:
        self.data = data
        self._labelled = labelled
        self._wanted = None if names is None else list(names)
        self._columns = _Columns()

    @property
    def names(self) -> Sequence[str]:  # type: ignore[override]  # grows while it is read
        if self._wanted is not None:
            return self._wanted
        return [name.decode() for name in self._columns]

    def weighted(self) -> Iterator[RowBlock]:
        columns = _Columns((name.encode(), j) for j, name in enumerate(self._wanted or ()))
        number = columns.__getitem__ if self._wanted is None else columns.get
        self._columns, self.unknown = columns, 0
        n_lines = 0
        endless = VowpalError(ENDLESS, file=self.data.name)
        with self.data.open() as file:
            for text, stop in without_mark(chunks(file, _CHUNK, endless)):
                lines = _utf8(text[:stop].tobytes()).split(b"\n")
                block = _Parsed(self.data.name, number, labelled=self._labelled)
                for place, line in enumerate(lines, n_lines + 1):
                    if line.strip():
                        block.add(line, place)
                n_lines += len(lines) - 1  # behind the last newline there is none
                self.unknown += block.unknown
                self._refuse_too_many(len(columns))
                if block.labels:
                    yield block.rows(max(len(columns), 1))

    def _refuse_too_many(self, n: int) -> None:
        most = self.data.max_memory
        reason = refusal(n * _BYTES_PER_NAME, f"the names of {n} features", given=most)
        if reason is not None:
            raise VowpalError(reason, file=self.data.name)


class _Columns(dict[bytes, int]):
    """Numbers names in the order in which they are first asked for."""

    def __missing__(self, name: bytes) -> int:
        self[name] = number = len(self)
        return number


class _Parsed:
    """The rows of some lines.

    number : the column of a name, or None where it is not wanted
    """

    def __init__(self, file: str, number: Callable[[bytes], int | None], *, labelled: bool) -> None:
        self.file = file
        self.labelled = labelled
        self.number = number
        self.unknown = 0
        self.labels, self.weights = array("d"), array("d")
        self.indptr, self.indices, self.values = array("q", [0]), array("q"), array("d")

    def add(self, line: bytes, place: int) -> None:
        head, bar, body = line.partition(b"|")
        try:
            if not bar:
                raise ValueError("there is no | between the label and the features")
            label, weight = _head(head, labelled=self.labelled)
            for part in body.split(b"|"):
                self._add_namespace(part)
        except ValueError as error:
            raise VowpalError(str(error), file=self.file, line=place) from None
        self.labels.append(label)
        self.weights.append(weight)
        self.indptr.append(len(self.indices))

    def _add_namespace(self, part: bytes) -> None:
        """The features between two bars; a name directly behind the first is the namespace's."""
        tokens, prefix, scale = part.split(), b"", 1.0
        if part[:1].strip():
            name, colon, given = tokens.pop(0).partition(b":")
            if not name:
                raise ValueError(f"the namespace :{_shown(given)} has no name")
            prefix, scale = name + b"^", _number(given, "scale") if colon else 1.0
        fields = [token.partition(b":") for token in tokens]
        names = [prefix + name for name, _, _ in fields]
        if prefix in names:
            raise ValueError(f"the feature {_shown(tokens[names.index(prefix)])!r} has no name")
        values = _numbers([text if colon else b"1" for _, colon, text in fields])
        columns: list[Any] = list(map(self.number, names))
        if None in columns:
            known = [i for i, column in enumerate(columns) if column is not None]
            self.unknown += len(columns) - len(known)
            columns, values = [columns[i] for i in known], [values[i] for i in known]
        self.indices.extend(columns)
        self.values.extend(values if scale == 1.0 else [scale * value for value in values])

    def rows(self, width: int) -> RowBlock:
        arrays = (np.array(self.values), np.array(self.indices), np.array(self.indptr))
        X = sp.csr_array(arrays, shape=(len(self.labels), width))
        X.sum_duplicates()
        X.eliminate_zeros()
        X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
        return RowBlock(X, np.array(self.labels), np.array(self.weights))


def _head(head: bytes, *, labelled: bool) -> tuple[float, float]:
    """The label and the weight, from what stands in front of the first bar."""
    words = head.split()
    # A tag begins with an apostrophe, or touches the bar.
    tag = words.pop() if words and (words[-1][:1] == b"'" or head[-1:].strip()) else b""
    if not words and not labelled:
        return nan, 1.0
    if not words:
        touches = f": {_shown(tag)} touches the |, which makes it a tag" if tag else ""
        raise ValueError(f"there is no label in front of the |{touches}")
    if len(words) > 2:
        raise ValueError(
            f"found {_shown(words[2])!r} behind the label and its weight; there may be a tag "
            "that begins with ', and nothing else"
        )
    weight = _number(words[1], "weight") if len(words) > 1 else 1.0
    if weight < 0:
        raise ValueError(f"the weight {_shown(words[1])} is negative")
    return _number(words[0], "label"), weight


def _number(text: bytes, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = inf
    if not isfinite(value) or b"_" in text:  # Python reads 1_000, too
        raise ValueError(f"expected a finite number as a {what}, found {_shown(text)!r}")
    return value


def _numbers(texts: list[bytes]) -> list[float]:
    """The same for all values of a namespace, without a look at each where none is needed."""
    try:
        values = list(map(float, texts))
        if all(map(isfinite, values)) and b"_" not in b"".join(texts):
            return values
    except ValueError:
        pass  # the one that is none is named below
    return [_number(text, "value") for text in texts]


def _utf8(text: bytes) -> bytes:
    """The same text, its bytes that are not UTF-8 written out: names must be text."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return text.decode(errors="backslashreplace").encode()
    return text


def _shown(part: bytes) -> str:
    """Of what was found, as much as fits into a sentence."""
    shown = part.decode()
    return shown if len(shown) <= 40 else shown[:37] + "..."
