"""Analysis: what does one op over an iteration space ask of its sparse inputs?

A product of arrays goes through its iteration space so that every element of the result is
written by one thread: first the dimensions of the result that its first input has, then the
reduced ones, then the other dimensions of the result (for products of matrices this is
Gustavson's order, ACM Trans. Math. Softw. 4, 1978). The dimensions of an input follow:

```mlir
%y = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %n)
    ins(%x[d1] : !dense, %E[d1, d0] : !sparse) -> !dense { … }       // %E by columns
```

Any other op that reduces one sparse array takes its elements as they come, for its kernels
update the result in memory: what one pass over the elements costs, another order does not save.

Among several sparse inputs one *leads*. What is read at the leading dimensions of the same
iteration is gone through beside it, in a union or an intersection of both; what is read at
others of its dimensions is sliced there, or looked up if no dimension is left. A map with a
sparse result goes through the inputs that decide where it is computed
(`passes/analyses/sparsity/stored_points.py`), and looks into those that are read at other indices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from xdsl.ir import SSAValue

from diablo.dialects import tensor_block
from diablo.dialects.access_maps import LinearIndex, linear_indices
from diablo.dialects.encodings import array_type, is_sparse
from diablo.passes.analyses.loops.products import is_product
from diablo.passes.analyses.sparsity.stored_points import stored_points, value_beside
from diablo.passes.analyses.values.monoid_identities import implicit_constant
from diablo.passes.analyses.values.partial_evaluation import is_neutral

_MATRIX = 2

Order = tuple[int, ...]
"""The dimensions of an array, the outermost first."""


@dataclass(frozen=True)
class Use:
    """What one op asks of one array; see `#sparse_storage.uses` for the terms."""

    order: Order | None = None
    wished: bool = False
    """Whether the order is faster, and any other does: sparse times dense, where the runtime adds
    along the lists that are stored or across them."""
    any_order: bool = False
    random: bool = False
    next: frozenset[int] = frozenset()
    previous: frozenset[int] = frozenset()
    slice: frozenset[int] = frozenset()
    """The dimensions in which indices are fixed."""
    often: bool = False
    """Whether one run of the op reads many such slices."""
    union: tuple[SSAValue, ...] = ()
    intersect: tuple[SSAValue, ...] = ()


@dataclass
class _Input:
    """A sparse input: its number, where it is read, and what is found out about it."""

    number: int
    array: SSAValue
    indices: list[LinearIndex]
    next: set[int] = field(default_factory=set[int])
    previous: set[int] = field(default_factory=set[int])
    fixed: set[int] = field(default_factory=set[int])
    often: bool = False
    random: bool = False

    @property
    def dimensions(self) -> list[int]:
        """The iteration dimension that each index follows; -1 for a fixed index."""
        return [next(iter(index.dimensions), -1) for index in self.indices]

    def follows_other_than(self, leader: _Input) -> bool:
        """Return whether the leader's entries, in their order, are not those of this input."""
        return self.dimensions != leader.dimensions

    def order(self, loops: Sequence[int]) -> Order:
        """The dimensions by the loops that they follow; those with a fixed index come first."""
        place = {-1: -1, **{d: at for at, d in enumerate(loops)}}
        follows = self.dimensions
        return tuple(sorted(range(len(follows)), key=lambda axis: place[follows[axis]]))


def uses_of_iteration(op: tensor_block.IterationOps) -> Iterator[tuple[SSAValue, Use]]:
    """Return what `op` asks of each sparse input, in order."""
    inputs = [
        _Input(number, array, linear_indices(map.data))
        for number, (array, map) in enumerate(zip(op.inputs, op.indexing_maps, strict=True))
        if is_sparse(array.type)
    ]
    if not inputs:
        return
    for input in inputs:
        _classify(input)
    loops, reduces = _loops(op)
    ordered = reduces and isinstance(op, tensor_block.ReduceOp) and is_product(op)
    points = stored_points(op) if isinstance(op, tensor_block.MapOp) else []
    leader = _leader([i for i in inputs if i.number in points] or inputs, loops)
    # What makes a dense array puts the elements of each input in their places, one by one.
    together = not _is_dense_map(op) and len(inputs) > 1
    if together:
        for input in inputs:
            if input is not leader:
                _follow(input, leader, loops)
                if points and input.number not in points and input.follows_other_than(leader):
                    input.random = True
    common = together and all(_is_skipped(op, [i.number]) for i in inputs)
    for input in inputs:
        others = tuple(dict.fromkeys(i.array for i in inputs if i.array is not input.array))
        order = input.order(loops)
        rest = [axis for axis in range(len(order)) if axis not in input.fixed]
        if input.random and set(input.dimensions) <= {-1, *leader.dimensions}:
            asked = Use(random=True)
        elif input.fixed and order == (*sorted(input.fixed), *rest):
            asked = Use()
        elif ordered or together or (_is_sparse_map(op) and list(order) != rest):
            alone = len(inputs) == 1 and len(order) == _MATRIX
            asked = Use(order=order, wished=alone and not _is_sparse_map(op))
        else:
            asked = Use(any_order=True)
        yield (
            input.array,
            replace(
                asked,
                next=frozenset(input.next),
                previous=frozenset(input.previous),
                slice=frozenset(input.fixed),
                often=input.often,
                union=others if together and not common else (),
                intersect=others if common else (),
            ),
        )


def _classify(input: _Input) -> None:
    """Find the steps and slices that reading beside the point takes."""
    followed: set[int] = set()
    for axis, index in enumerate(input.indices):
        if not index.dimensions:
            input.fixed.add(axis)
            continue
        if not followed.isdisjoint(index.dimensions):
            input.random = True  # The diagonal: each list is looked into once.
        followed.update(index.dimensions)
        if any(factor < 0 for factor in index.inside.terms.values()) or index.constant < 0:
            input.previous.add(axis)
        elif index.constant > 0 or index.outside.terms or len(index.dimensions) > 1:
            input.next.add(axis)


def _loops(op: tensor_block.IterationOps) -> tuple[list[int], bool]:
    """The iteration dimensions, the outermost first, and whether a result depends on it."""
    rank = len(op.extents)
    if isinstance(op, tensor_block.MapOp | tensor_block.ScatterReduceOp):
        return list(range(rank)), False
    parallel = op.parallel.value.data
    reduced = list(range(parallel, rank))
    if parallel == 0:
        return reduced, False
    if not reduced:
        return list(range(rank)), False
    read = [
        {d for index in linear_indices(map.data) for d in index.dimensions}
        for map in op.indexing_maps
    ]
    first = next((dimensions for dimensions in read if 0 in dimensions), set[int]())
    own = [d for d in range(parallel) if d in first]
    return [*own, *reduced, *(d for d in range(parallel) if d not in own)], True


def _leader(inputs: Sequence[_Input], loops: Sequence[int]) -> _Input:
    """The input that is gone through first: one of the outermost loop, with most dimensions."""
    outermost = loops[0] if loops else -1
    return max(inputs, key=lambda i: (outermost in i.dimensions, len(i.indices), -i.number))


def _is_dense_map(op: tensor_block.IterationOps) -> bool:
    return isinstance(op, tensor_block.MapOp) and not is_sparse(op.result.type)


def _is_sparse_map(op: tensor_block.IterationOps) -> bool:
    return isinstance(op, tensor_block.MapOp) and is_sparse(op.result.type)


def _is_skipped(op: tensor_block.IterationOps, numbers: Sequence[int]) -> bool:
    """Return whether a point at which these inputs store nothing may be left out."""
    fact = value_beside(op, numbers)
    if fact is None:
        return False
    if isinstance(op, tensor_block.MapOp):
        return fact == implicit_constant(array_type(op.result).get_element_type())
    end = op.body.block.last_op
    assert end is not None
    return is_neutral(op.monoid.data, fact, end.operands[-1].type, op)


def _follow(input: _Input, leader: _Input, loops: Sequence[int]) -> None:
    """Find how an input is read while the leader is gone through."""
    order = [input.dimensions[axis] for axis in input.order(loops)]
    leading = [leader.dimensions[axis] for axis in leader.order(loops)]
    if order == leading[: len(order)]:
        return
    fixed = {axis for axis, d in enumerate(input.dimensions) if d in leading}
    if len(fixed) == len(input.dimensions):
        input.random = True
    else:
        input.fixed |= fixed
        input.often |= bool(fixed)
