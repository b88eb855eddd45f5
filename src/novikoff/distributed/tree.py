"""Sums over shards along one binary tree, whoever adds up what and in which order.

The tree is fixed by the number of shards: node (0, i) is shard i, node (l + 1, i) is the sum of
nodes (l, 2i) and (l, 2i + 1), the first of them alone if there is no second. Additions of floating
point numbers do not commute with regrouping, so no other sums are ever formed; what cannot be added
yet because its neighbour is elsewhere is handed on as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, Protocol, Self, TypeVar

Node = tuple[int, int]


class Summand(Protocol):
    """What can be added."""

    def __add__(self, other: Self) -> Self: ...


T = TypeVar("T", bound=Summand)


@dataclass
class Forest(Generic[T]):
    """Sums of whole nodes over some of the shards."""

    n_shards: int
    nodes: dict[Node, T] = field(default_factory=dict)

    def add(self, node: Node, value: T) -> None:
        """Put in the value of a node, and add up what can be."""
        while (width := self._width(node[0])) > 1:
            level, i = node
            if i ^ 1 < width:
                neighbour = self.nodes.pop((level, i ^ 1), None)
                if neighbour is None:
                    break
                value = neighbour + value if i % 2 else value + neighbour
            node = (level + 1, i // 2)
        self.nodes[node] = value

    def update(self, other: Forest[T]) -> None:
        """Put in all nodes of another forest."""
        for node, value in other.nodes.items():
            self.add(node, value)

    @property
    def total(self) -> T:
        """The sum over all shards, when all are in."""
        ((level, _),) = self.nodes
        assert self._width(level) == 1
        return next(iter(self.nodes.values()))

    def _width(self, level: int) -> int:
        """How many nodes a level has."""
        return (self.n_shards + (1 << level) - 1) >> level
