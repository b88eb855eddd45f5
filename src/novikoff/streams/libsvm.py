"""LIBSVM text, read in blocks of rows: parsed on several threads, yielded in file order.

The text is cut at newlines into chunks of about two megabytes. One thread reads (and decompresses),
others parse, and only a few chunks are under way at any time, whatever the size of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from novikoff._arrays import Floats
from novikoff._messages import Message, Setting
from novikoff.kernels import libsvm as kernels
from novikoff.streams.blocks import RowBlock
from novikoff.streams.bytes import Bytes, StreamError
from novikoff.streams.chunks import ENDLESS, Chunk, chunks, parsed_in_order, without_mark
from novikoff.streams.texts import RowText

_CHUNK = 2**21  # bytes; small enough to stay in a cache between reading and parsing

_NUMBER = re.compile(rb"[-+.0-9eE]+")
_PART = re.compile(rb"[^ \t\r\n#]*")


class LibsvmError(StreamError):
    """A line that is not LIBSVM text: what was found, in which file, line and column."""


class LibsvmText(RowText):
    """LIBSVM text as a sequence of blocks of rows.

    A line is ``label [qid:n] index:value index:value ... [# comment]``, its indices ascending.
    Query identifiers are accepted and ignored; zeros that are written out are left out of the
    matrix, but their columns count for its width.

    Parameters
    ----------
    data : Bytes
        The text, compressed or not; see `open_bytes`.
    zero_based : bool, default=False
        Whether the first column is called 0 in the text; otherwise it is called 1.
    dtype : np.float64 or np.float32, default=np.float64
        The type of the values. Each is parsed to the nearest double, then converted.
    n_threads : int, default=2
        Threads that parse, beside one that reads; 1 does everything in the caller's thread.

    Examples
    --------
    >>> import io
    >>> from novikoff.streams.bytes import open_bytes
    >>> text = LibsvmText(open_bytes(io.BytesIO(b"+1 1:0.5 3:2\\n-1 2:-1\\n")))
    >>> for X, y in text.blocks():
    ...     print(X.toarray(), y)
    [[ 0.5  0.   2. ]
     [ 0.  -1.   0. ]] [ 1. -1.]
    """

    def __init__(
        self, data: Bytes, *, zero_based: bool = False, dtype: Any = np.float64, n_threads: int = 2
    ) -> None:
        self.data = data
        self.zero_based = zero_based
        self.dtype = np.dtype(dtype)
        self.n_threads = n_threads
        if self.dtype not in (np.float64, np.float32):
            raise ValueError(f"dtype must be float64 or float32, not {self.dtype}")
        if n_threads < 1:
            raise ValueError(f"n_threads must be at least 1, not {n_threads}")

    def weighted(self) -> Iterator[RowBlock]:
        for X, y in self.blocks():
            yield RowBlock(X, y)

    def blocks(self, *, _chunk: int = _CHUNK) -> Iterator[tuple[sp.csr_array, Floats]]:
        """The rows, some thousands at a time and in file order, as pairs (X, y).

        A block is as wide as the largest column seen so far in the file, so blocks may grow wider.
        Indices are 32-bit, ascending, and no stored value is zero.

        Raises
        ------
        LibsvmError
            At the block with the first malformed line.
        """
        line, width = 1, 0
        endless = LibsvmError(f"{ENDLESS}: is this LIBSVM text?", file=self.data.name)
        with self.data.open() as file:
            pieces = without_mark(chunks(file, _chunk, endless))
            for chunk in parsed_in_order(self._parse, pieces, self.n_threads):
                if chunk.outcome != kernels.DONE:
                    raise self._error(chunk, line)
                line += chunk.n_lines
                width = max(width, chunk.width)
                if chunk.labels.shape[0] > 0:
                    yield self._matrix(chunk, width), chunk.labels

    def _parse(self, chunk: Chunk) -> _Parsed:
        text, stop = chunk
        n_lines, n_colons = kernels.count_lines(text, stop)
        labels, values = np.empty(n_lines + 1), np.empty(n_colons)
        indptr, indices = np.empty(n_lines + 2, np.int32), np.empty(n_colons, np.int32)
        limit = _smallest_infinite(self.dtype)
        outcome, place, n_rows, width, unsettled = kernels.parse_lines(
            text, stop, 0 if self.zero_based else 1, limit, labels, indptr, indices, values
        )
        n_stored = indptr[n_rows]
        labels, indptr = labels[:n_rows], indptr[: n_rows + 1]
        indices, values = indices[:n_stored], values[:n_stored]
        if outcome == kernels.DONE and unsettled > 0:
            outcome, place = _settle(text, labels, np.inf)
            if outcome == kernels.DONE:
                outcome, place = _settle(text, values, limit)
        kept = text[:stop] if outcome != kernels.DONE else None
        return _Parsed(
            outcome, int(place), kept, n_lines, int(width), unsettled > 0,
            labels, indptr, indices, values,
        )  # fmt: skip

    def _matrix(self, chunk: _Parsed, width: int) -> sp.csr_array:
        values = chunk.values.astype(self.dtype, copy=False)
        shape = (chunk.labels.shape[0], width)
        X = sp.csr_array((values, chunk.indices, chunk.indptr), shape=shape)
        X.has_canonical_format = True
        # The kernel leaves zeros out, but what it did not settle, or float32, may be zero yet.
        if (chunk.unsettled or self.dtype == np.float32) and not values.all():
            X.eliminate_zeros()
        return X

    def _error(self, chunk: _Parsed, first_line: int) -> LibsvmError:
        assert chunk.text is not None
        text, place = chunk.text.tobytes(), chunk.place
        start = text.rfind(b"\n", 0, place) + 1
        return LibsvmError(
            _complaint(chunk.outcome, text[start:place], text[place:], self.dtype),
            file=self.data.name,
            line=first_line + text.count(b"\n", 0, place),
            column=place - start + 1,
        )


class _Parsed(NamedTuple):
    """What became of a chunk; the arrays are as long as what was parsed."""

    outcome: int
    place: int  # of what stopped the parser, if the outcome is not DONE
    text: NDArray[np.uint8] | None  # likewise
    n_lines: int
    width: int
    unsettled: bool  # whether `float` had to settle some numbers
    labels: Floats
    indptr: NDArray[np.int32]
    indices: NDArray[np.int32]
    values: Floats


def _smallest_infinite(dtype: np.dtype[Any]) -> float:
    """The smallest double that `dtype` rounds to infinity."""
    if dtype == np.float64:
        return np.inf
    largest = np.finfo(dtype).max
    return float(largest) + float(largest - np.nextafter(largest, dtype.type(0))) / 2


def _settle(text: NDArray[np.uint8], numbers: Floats, limit: float) -> tuple[int, int]:
    """Replace each NaN in `numbers` by the number whose place in `text` it says."""
    for i in np.flatnonzero(np.isnan(numbers)):
        place = int(numbers[i : i + 1].view(np.uint64)[0]) & (2**48 - 1)
        found = _NUMBER.match(text.data, place)
        assert found is not None
        numbers[i] = float(found.group())
        if not abs(numbers[i]) < limit:
            return kernels.TOO_LARGE, place
    return kernels.DONE, 0


def _complaint(outcome: int, before: bytes, after: bytes, dtype: np.dtype[Any]) -> str | Message:
    """What is wrong with a line, and what to do; `after` begins with the part that is wrong."""
    part = _shown(after)
    index, _, value = part.partition(":")
    match outcome:
        case kernels.BAD_LABEL if re.fullmatch(r"[-+\d.]+(,[-+\d.]+)+", part):
            return f"found several labels, {part!r}; give each line one label"
        case kernels.BAD_LABEL if ":" in part:
            return f"expected a label, found {part!r}; a line begins with a number, its label"
        case kernels.BAD_LABEL:
            return f"expected a number as the label, found {part!r}{_finite(part)}"
        case kernels.BAD_QUERY:
            return f"expected qid:n with a whole number n, found {part!r}"
        case kernels.BAD_FEATURE if index == "qid":
            return f"found {part!r} among the features; it belongs directly behind the label"
        case kernels.BAD_FEATURE if re.fullmatch(r"[-+]\d+", index) and value:
            return f"found the index {index}; write indices as whole numbers without a sign"
        case kernels.BAD_FEATURE:
            return f"expected index:value, found {part!r}; a line is label index:value index:value"
        case kernels.BAD_VALUE:
            return f"expected index:value, found {part!r}{_finite(value)}"
        case kernels.TOO_LARGE:
            wider = "; read it with dtype float64" if dtype == np.float32 else ""
            return f"found {part!r}, which is too large a number for {dtype}{wider}"
        case kernels.SMALL_INDEX:
            first = f"found the index {index}, but the first is 1; if it is 0, set "
            return Message(first, Setting("zero_based", True))
        case kernels.LARGE_INDEX:
            return f"found the index {index}; there may be {kernels.LARGEST_WIDTH} columns at most"
        case _:
            last = before.split()[-1].partition(b":")[0].decode()
            return f"index {index} follows index {last}; sort each line by index, without repeats"


def _shown(text: bytes) -> str:
    found = _PART.match(text)
    assert found is not None
    part = found.group()
    shown = part if len(part) <= 40 else part[:37] + b"..."
    return shown.decode(errors="replace")


def _finite(number: str) -> str:
    """What to do about a number that is spelled out."""
    if number.lstrip("+-").lower() in ("nan", "inf", "infinity"):
        return "; only finite numbers can be learned from: leave the feature or the line out"
    return ""
