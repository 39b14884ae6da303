"""Computing what reads arrays that do not fit in memory: tile by tile.

    mean(read("large.npy") ** 2)    ->    sums of the squares of some rows at a time, added up

What combines elements, as a sum, a product or a running sum, is a stage, and so is what is wanted.
A stage has a domain, the dimensions that it goes through, which is cut along one of them, so that
of what lies outside of memory as little as possible is read for a tile. Stages that need no other
one that is still to be computed, and have equal domains, share their tiles, so that a file is read
once for all of them. A tile is an expression of boxes (`array_boxes.py`), computed as any other is:
all have the structure of the first one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from diablo.array.array_boxes import Boxes, knows_boxes, whole
from diablo.array.expression_graph import LEAF, Node, pending
from diablo.array.fold_operations import Contraction, Fold, Scan
from diablo.array.stored_arrays import STORED, Ranges, is_mapped
from diablo.monoid_table import MONOIDS
from diablo.runtime.arrays import memory
from diablo.runtime.memory_limit import free_memory

Compute = Callable[[Sequence[Node]], None]

_LARGE = 1 << 24
"""From how many bytes on a mapped file may be too large."""
_TILE = 1 << 26
"""How many bytes a tile reads and makes, at most."""


def is_outside(node: Node) -> bool:
    """Return whether the elements of a node lie in a file, and are not in memory."""
    if node.operation is STORED:
        return node.value is None
    value = node.value
    large = isinstance(value, np.ndarray) and value.nbytes >= _LARGE
    return large and is_mapped(value)


def outside_of(order: Sequence[Node]) -> list[Node]:
    """Return what nodes read that lies outside of memory."""
    found = {node: None for node in order if node.operation is STORED}
    for node in order:
        found |= {operand: None for operand in node.operands if is_outside(operand)}
    return list(found)


def bytes_of(nodes: Sequence[Node]) -> int:
    """Return how many bytes the elements of nodes take."""
    return sum([node.size * node.dtype.itemsize for node in nodes])


def wants_tiles(order: Sequence[Node], limit: int | None) -> bool:
    """Return whether what nodes read is more than may be in memory: a quarter of what is free."""
    outside = outside_of(order)
    if not outside:
        return False
    return bytes_of(outside) > (free_memory() if limit is None else limit) // 4


@dataclass
class _Stage:
    """A node that is computed as a whole, and the dimensions that it goes through."""

    node: Node
    domain: tuple[int, ...]
    """The extents: of a fold those of its operand, of a product also those that are added up."""

    def boxes(self, boxes: Boxes, dimension: int, start: int, stop: int) -> Node:
        """Return the node of a tile: the domain between two places along a dimension."""
        node = self.node
        match node.operation:
            case Fold() | Scan():
                (operand,) = node.operands
                parts = [_cut(boxes, operand, dimension, start, stop)]
            case Contraction():
                left, right, _ = node.parameters
                parts = [
                    _cut_all(boxes, operand, dims, dimension, start, stop)
                    for operand, dims in zip(node.operands, (left, right), strict=True)
                ]
            case _:
                return _cut(boxes, node, dimension, start, stop)
        shape = list(node.shape)
        axis = self.result_axis(dimension)
        if axis is not None:
            shape[axis] = stop - start
        return Node(node.operation, tuple(parts), node.parameters, tuple(shape), node.dtype)

    def result_axis(self, dimension: int) -> int | None:
        """Return which axis of the result a dimension is, None if it is combined."""
        node = self.node
        match node.operation:
            case Fold():
                _, axes, keepdims = node.parameters
                if dimension in axes:
                    return None
                return dimension if keepdims else dimension - sum(a < dimension for a in axes)
            case Contraction():
                return dimension if dimension < node.ndim else None
            case _:
                return dimension

    def ufunc(self) -> Any:
        """Return what combines the values of two tiles."""
        name = "add" if isinstance(self.node.operation, Contraction) else self.node.parameters[0]
        return getattr(np, MONOIDS[name].ufunc)


def _cut(boxes: Boxes, node: Node, axis: int, start: int, stop: int) -> Node:
    ranges = list(whole(node))
    ranges[axis] = (start, stop)
    return boxes.box(node, tuple(ranges))


def _cut_all(
    boxes: Boxes, node: Node, dims: Sequence[int], dimension: int, start: int, stop: int
) -> Node:
    ranges = [
        (start, stop) if d == dimension else each for d, each in zip(dims, whole(node), strict=True)
    ]
    return boxes.box(node, tuple(ranges))


def _domain(node: Node) -> tuple[int, ...]:
    match node.operation:
        case Fold():
            (operand,) = node.operands
            return operand.shape
        case Contraction():
            left, right, _ = node.parameters
            extents: dict[int, int] = {}
            for operand, dims in zip(node.operands, (left, right), strict=True):
                extents.update(zip(dims, operand.shape, strict=True))
            return tuple([extents[d] for d in sorted(extents)])
        case _:
            return node.shape


# ---- stages --------------------------------------------------------------------------


def compute_by_tiles(
    order: Sequence[Node], roots: Sequence[Node], limit: int | None, compute: Compute
) -> None:
    """Let all roots have values; `compute` lets nodes have values that fit in memory."""
    wanted = {root for root in roots if root.value is None}
    with _stages(order, wanted, limit, compute) as values:
        found = {node: values[node] for node in wanted}
    for node, value in found.items():
        node.computed(value)


def tiles_of(root: Node, limit: int | None, compute: Compute) -> Iterator[tuple[Ranges, Any]]:
    """Generate the values of tiles that make up a node, which need not fit in memory."""
    budget = _budget(limit)
    order = pending([root])
    is_combined = not (root.operation is STORED or knows_boxes(root) or root.value is not None)
    with _stages(order, {root} if is_combined else set(), limit, compute):
        if not root.shape:
            tile = Boxes().box(root, ())
            compute([tile])
            yield (), tile.value
            return
        first = _Stage(root, root.shape)
        length = 1
        if root.shape[0]:
            one = _cost(_tiles([first], 0, 0, 1)) if root.shape[0] else 1
            length = max(1, budget // max(one, 1))
        for start in range(0, root.shape[0], length):
            stop = min(root.shape[0], start + length)
            (tile,) = _tiles([first], 0, start, stop) if root.value is None else [root]
            compute([tile])
            value = tile.value if root.value is None else np.asarray(root.value)[start:stop]
            yield ((start, stop), *whole(root)[1:]), value


def _budget(limit: int | None) -> int:
    return max(1, min((free_memory() if limit is None else limit) // 4, _TILE))


@contextmanager
def _stages(
    order: Sequence[Node], wanted: set[Node], limit: int | None, compute: Compute
) -> Generator[dict[Node, Any]]:
    """Let stages and what is wanted have values inside, which it gives."""
    budget = _budget(limit)
    values: dict[Node, Any] = {}
    try:
        for group in _groups(order, wanted):
            if group.is_whole:
                copies = [
                    Node(node.operation, node.operands, node.parameters, node.shape, node.dtype)
                    for node in group.nodes
                ]
                compute(copies)
                found = [*zip(group.nodes, [copy.value for copy in copies], strict=True)]
            else:
                stages = [_Stage(node, _domain(node)) for node in group.nodes]
                found = _computed(stages, budget, compute)
            for node, value in found:
                node.value = values[node] = value
        yield values
    finally:
        for node in values:
            node.value = None


@dataclass
class _Group:
    """Stages that share tiles, or, if `is_whole`, what is computed as a whole."""

    nodes: list[Node]
    is_whole: bool


def _groups(order: Sequence[Node], wanted: set[Node]) -> list[_Group]:
    """Return what is computed together, one group behind the other."""
    reads: set[Node] = set()
    levels: dict[Node, int] = {}
    found: dict[tuple[int, Any], _Group] = {}
    for node in order:
        level = max([levels.get(operand, 0) for operand in node.operands], default=0)
        levels[node] = level
        is_read = is_outside(node) or any(o in reads or is_outside(o) for o in node.operands)
        is_known = node.operation is STORED or knows_boxes(node)
        if node not in wanted and is_known:
            if is_read:
                reads.add(node)
            continue
        is_stage = isinstance(node.operation, Fold | Contraction | Scan)
        if is_read and (is_stage or is_known) and node.shape is not None:
            group = found.setdefault((level, _domain(node)), _Group([], False))
        else:
            group = found.setdefault((level, None), _Group([], True))
        group.nodes.append(node)
        levels[node] = level + 1
    return [found[key] for key in sorted(found, key=lambda key: key[0])]


def _computed(
    stages: Sequence[_Stage], budget: int, compute: Compute
) -> Iterator[tuple[Node, Any]]:
    """Compute stages of one domain, a tile of all of them after the other."""
    domain = stages[0].domain
    dimension, length = _best_cut(stages, budget)
    results: dict[Node, Any] = {}
    carries: dict[Node, Any] = {}
    extent = domain[dimension] if domain else 1
    for start in range(0, max(extent, 1), length):
        stop = min(start + length, extent)
        tiles = _tiles(stages, dimension, start, stop)
        compute(tiles)
        for stage, tile in zip(stages, tiles, strict=True):
            _put(stage, dimension, start, stop, tile.value, results, carries)
    for stage in stages:
        yield stage.node, results[stage.node]


def _tiles(stages: Sequence[_Stage], dimension: int, start: int, stop: int) -> list[Node]:
    boxes = Boxes()
    if not stages[0].domain:
        return [boxes.box(stage.node, ()) for stage in stages]
    return [stage.boxes(boxes, dimension, start, stop) for stage in stages]


def _put(
    stage: _Stage,
    dimension: int,
    start: int,
    stop: int,
    value: Any,
    results: dict[Node, Any],
    carries: dict[Node, Any],
) -> None:
    """Put the value of a tile where it belongs, or combine it with those before."""
    node = stage.node
    axis = stage.result_axis(dimension) if stage.domain else None
    if axis is None:
        if node in results:
            value = stage.ufunc()(results[node], value)
        results[node] = np.asarray(value, node.dtype)
        return
    if isinstance(node.operation, Scan) and axis == node.parameters[1]:
        if node in carries:
            value = stage.ufunc()(carries[node], value)
        carries[node] = np.take(value, [-1], axis)
    if node not in results:
        results[node] = memory.empty(node.shape, node.dtype)
    index = (*[slice(None)] * axis, slice(start, stop))
    results[node][index] = value


def _best_cut(stages: Sequence[_Stage], budget: int) -> tuple[int, int]:
    """Return along which dimension to cut, and how far apart.

    It is that of which half needs least from outside; the first of these, as rows are next to
    each other in a file.
    """
    domain = stages[0].domain
    if not domain:
        return 0, 1
    costs: list[tuple[int, int]] = []
    for dimension, extent in enumerate(domain):
        if extent > 1:
            costs.append((_cost(_tiles(stages, dimension, 0, (extent + 1) // 2)), dimension))
    if not costs:
        return 0, 1
    half, dimension = min(costs)
    extent = domain[dimension]
    rows = (extent + 1) // 2
    one = _cost(_tiles(stages, dimension, 0, 1))
    each = max(1, (half - one) // max(1, rows - 1))
    return dimension, max(1, min(extent, (budget - one) // each + 1 if budget > one else 1))


def _cost(tiles: Sequence[Node]) -> int:
    """Return the bytes that tiles read, and those of what they make that becomes an array."""
    total = 0
    order = pending(tiles)
    for node in order:
        if node.operation is STORED or node in tiles or not knows_boxes(node):
            total += node.size * node.dtype.itemsize
    read = {id(o.value): o for n in order for o in n.operands if o.operation is LEAF}
    return total + sum([o.value.nbytes for o in read.values() if is_mapped(o.value)])
