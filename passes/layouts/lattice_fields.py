"""Which fields of A-ZPL's lattice the uses of a region need.

The lattice has a node for each index of the region: the index, links to the next and the
previous node in each dimension, and an id by which the values of arrays are found. *Dummy*
nodes stand at the ends of the lists: those of dimension 1 of a matrix at the ends of its rows.
They are linked in turn, and the ends of their lists are dummies of two dimensions, and so on. A
*dense directory* finds the list of an index, *corners* are where walks start.

The nodes are kept in the first order in which the region is iterated: there, the next node of
a list is the next in memory, and the id of a node is its position.

References
----------
B. L. Chamberlain, L. Snyder: Array language support for parallel sparse computation, ICS 2001,
section 5 and figure 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from diablo.dialects.sparse_storage.sparse_uses import UsesAttr

Kind = frozenset[int]
"""A kind of node: the dimensions in which it is a dummy, none for the nodes of the lattice."""

LATTICE: Kind = frozenset()


@dataclass
class NodeFields:
    """The dimensions for which the nodes of one kind have an index, and a link either way."""

    index: set[int] = field(default_factory=set[int])
    next: set[int] = field(default_factory=set[int])
    previous: set[int] = field(default_factory=set[int])


@dataclass
class LatticeFields:
    """What is needed of a lattice of some rank whose nodes are kept in an order."""

    rank: int
    order: tuple[int, ...]
    nodes: dict[Kind, NodeFields] = field(default_factory=dict[Kind, NodeFields])
    directory: set[Kind] = field(default_factory=set[Kind])
    """The lists that are found by their index: those that start at dummies of this kind."""
    corners: bool = False
    id: bool = False

    def of(self, kind: Kind) -> NodeFields:
        """The fields of one kind of node."""
        return self.nodes.setdefault(kind, NodeFields())

    def iterate(self, order: Sequence[int]) -> None:
        """Ask for a walk through all nodes, the first dimension of `order` outermost."""
        self.corners = True
        self._lists(order)
        if len(order) > 1:
            self._headers(order)

    def slice(self, fixed: set[int]) -> None:
        """Ask for the nodes at an index of the `fixed` dimensions, in the order of the rest."""
        rest = [d for d in self.order if d not in fixed]
        self._lists(rest)
        if len(rest) > 1:
            self._headers(rest)
        self.of(frozenset(rest)).next.add(rest[0])
        self.directory.add(frozenset(rest))

    def step(self, dimension: int, *, back: bool) -> None:
        """Ask for a neighbour in a dimension; what is there is known by its index."""
        node = self.of(LATTICE)
        node.index.add(dimension)
        if dimension != self.order[-1]:
            (node.previous if back else node.next).add(dimension)

    def _lists(self, order: Sequence[int]) -> None:
        """Ask for a walk through the lists of the innermost dimension."""
        node = self.of(LATTICE)
        node.index.add(order[-1])
        if order[-1] != self.order[-1]:
            node.next.add(order[-1])

    def _headers(self, order: Sequence[int]) -> None:
        """Ask for walks through the dummies at the heads of lists, down to the innermost."""
        for depth in range(1, len(order)):
            header = self.of(frozenset(order[depth:]))
            header.index.add(order[depth - 1])
            header.next.add(order[depth])


def lattice_fields(uses: UsesAttr, rank: int) -> LatticeFields:
    """The fields that `uses` of a region of some rank need."""
    natural = tuple(range(rank))
    orders = uses.dimension_orders
    first = natural if natural in orders or not orders else orders[0]
    fields = LatticeFields(rank, first)
    for order in (*orders, *((first,) if uses.says("any") else ())):
        fields.iterate(order)
    for fixed in (*uses.fixed_dimensions("slices"), *uses.fixed_dimensions("single_slices")):
        if len(fixed) < rank:
            fields.slice(set(fixed))
    if uses.says("random"):
        fields.slice(set(first[:-1])) if rank > 1 else fields.iterate(first)
    for dimension in uses.dimensions("next"):
        fields.step(dimension, back=False)
    for dimension in uses.dimensions("previous"):
        fields.step(dimension, back=True)
    fields.id = bool(fields.nodes) and not uses.says("boolean")
    return fields
