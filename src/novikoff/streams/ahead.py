"""An iterator that works on the next item while its caller works on this one."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")


def ahead(items: Iterator[Item]) -> Iterator[Item]:
    """The same items in the same order, each made on a thread of its own, one in advance."""
    end = object()
    with ThreadPoolExecutor(1) as maker:
        coming = maker.submit(next, items, end)
        while (item := coming.result()) is not end:
            coming = maker.submit(next, items, end)
            yield item  # type: ignore[misc]  # not the end, hence an item
