"""A file piece by piece: chunks of whole lines, parsed on several threads and handed on in order.

What cannot be read in place (pipes, compressed data, other encodings) is copied first.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import BinaryIO, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from novikoff.persistence.disk import Temporary
from novikoff.streams.bytes import Bytes, open_bytes
from novikoff.streams.decompress import in_pieces

PADDING = 16  # bytes behind the text of a chunk that a kernel may read
LONGEST_LINE = 1 << 26  # bytes: a line is held in memory, more than once
ENDLESS = f"a line is longer than {LONGEST_LINE >> 20} MiB, the most that is read"

Item = TypeVar("Item")
Parsed = TypeVar("Parsed")


class Chunk(NamedTuple):
    """Whole lines: text[:stop], and newlines behind them for a kernel to run into."""

    text: NDArray[np.uint8]
    stop: int


def chunks(file: BinaryIO, size: int, endless: Exception) -> Iterator[Chunk]:
    """The rest of a file, cut behind newlines into pieces of about `size` bytes.

    endless : what to raise where a line is too long
    """
    rest, at_end = b"", False
    while not at_end:
        # A line longer than a chunk: as much again, until it ends.
        room = len(rest) + max(size, len(rest))
        text = np.empty(room + PADDING, np.uint8)
        view = text.data
        view[: len(rest)] = rest
        filled = len(rest)
        # BinaryIO does not promise readinto; all that `Bytes.open` gives has it.
        while filled < room and (n := file.readinto(view[filled:room])):  # type: ignore[attr-defined]
            filled += n
        at_end = filled < room
        stop = filled if at_end else _line_end(view, filled)
        rest = bytes(view[stop:filled])
        if len(rest) >= LONGEST_LINE:
            raise endless
        if stop == 0:
            continue
        text[stop : stop + PADDING] = ord("\n")
        yield Chunk(text[: stop + PADDING], stop)


def without_mark(pieces: Iterator[Chunk]) -> Iterator[Chunk]:
    """The chunks of a file without what some editors put in front of UTF-8."""
    for first in pieces:
        skip = len(BOM_UTF8) if first.text[: len(BOM_UTF8)].tobytes() == BOM_UTF8 else 0
        yield Chunk(first.text[skip:], first.stop - skip)
        break
    yield from pieces


def with_lines(pieces: Iterable[bytes], data: Bytes) -> Iterator[bytes]:
    """The pieces of a table's text, none of whose lines may be too long."""
    length = 0  # of the line under way
    for piece in pieces:
        first, last = piece.find(b"\n"), piece.rfind(b"\n")
        length += first if first >= 0 else len(piece)
        if length > LONGEST_LINE:
            raise data.error(f"{ENDLESS}: is this a table?")
        length = len(piece) - last - 1 if last >= 0 else length
        yield piece


def _line_end(view: memoryview, stop: int) -> int:
    """Where the last whole line of view[:stop] ends; 0 if there is none."""
    reach = 2**12
    while True:
        start = max(0, stop - reach)
        found = bytes(view[start:stop]).rfind(b"\n")
        if found >= 0 or start == 0:
            return start + found + 1
        reach *= 16


def parsed_in_order(
    parse: Callable[[Chunk], Parsed], pieces: Iterator[Chunk], n_threads: int
) -> Iterator[Parsed]:
    """`parse` of every chunk, in order; the file is read on a thread of its own."""
    if n_threads == 1:
        yield from map(parse, pieces)
        return
    with ThreadPoolExecutor(n_threads) as parsers:
        parsing = (parsers.submit(parse, chunk) for chunk in pieces)
        # One more than can be parsed at once: it waits while the caller takes what is ready.
        yield from (each.result() for each in ahead(parsing, n_threads + 1))


def ahead(items: Iterator[Item], n: int = 1) -> Iterator[Item]:
    """The same items in the same order, each made on a thread of its own, `n` in advance."""
    end, maker = object(), ThreadPoolExecutor(1)
    try:
        coming = deque(maker.submit(next, items, end) for _ in range(n))
        while (item := coming.popleft().result()) is not end:
            coming.append(maker.submit(next, items, end))
            yield item  # type: ignore[misc]  # not the end, hence an item
    finally:
        maker.shutdown(cancel_futures=True)


def spool(data: Bytes, *, lines: bool = False) -> Temporary:
    """The content of `data`, decompressed, as a temporary file.

    lines : whether it is text, whose lines must not be too long: a short file may hold a huge one
    """
    copy = Temporary()
    with data.open() as source, copy.path.open("wb") as target:
        pieces = in_pieces(source)
        target.writelines(with_lines(pieces, data) if lines else pieces)
    return copy


def reopenable(data: Bytes) -> Bytes:
    """The same bytes, in a file if they come from a pipe, so that they can be read again."""
    if data.reopenable:
        return data
    copy = spool(data)
    kept = open_bytes(copy.path, max_memory=data.max_memory)
    kept.name, kept.format = data.name, data.format
    kept.spooled = copy
    return kept
