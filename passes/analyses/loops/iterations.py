"""What is computed over the points of an iteration space, whichever level says it.

    tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m) ins(%A[d0, d1]) { … yield %a }
    multiloop.loop points(d0 < %n, d1 < %m) into(%n) ins(%A[d0, d1]) { … emit %sums[%i](%a) }

Both are a fold with one parallel dimension. A loop is a map for each array that it makes of its
places, and a fold for each number and table. A table whose keys are the first indices of the
source folds what lies along the others; one with other keys is scattered to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr, LocationAttr
from xdsl.ir import BlockArgument, Operation, Region, SSAValue

from diablo.dialects.multiloop import EmitOp, LoopOp, PlaceType, ReduceType, TableType
from diablo.dialects.tensor_block import IterationOps, MapOp, ReduceOp, ScatterReduceOp, YieldOp
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.affine_values import same_value

Kind = Literal["map", "fold", "scatter"]


@dataclass(frozen=True, eq=False)
class Iteration:
    """What `origin` computes over an iteration space for its `result`.

    Elements of the inputs are read at `indexing_maps`, and `offsets`, if any, are added to the
    indices that the body sees. Of each point the body knows `values`: an element, and before it the
    index that it goes to where it is scattered `into` an array of these extents. The first
    `parallel` dimensions are those of the result; what lies along the others is folded with the
    monoid, which a map has none of.
    """

    kind: Kind
    origin: Operation
    result: SSAValue
    extents: Sequence[SSAValue]
    inputs: Sequence[SSAValue]
    indexing_maps: Sequence[AffineMapAttr]
    offsets: Sequence[SSAValue]
    symbols: Sequence[SSAValue]
    into: Sequence[SSAValue]
    body: Region
    values: Sequence[SSAValue]
    parallel: int
    monoid: str

    @property
    def location(self) -> LocationAttr:
        """The place in the source that it stands for."""
        return self.origin.location

    @property
    def shape(self) -> Sequence[SSAValue]:
        """The extents of the result."""
        return self.into if self.kind == "scatter" else self.extents[: self.parallel]

    @property
    def indices(self) -> Sequence[BlockArgument]:
        """The arguments of the body that are indices."""
        return self.body.block.args[: len(self.extents)]

    @property
    def elements(self) -> Sequence[BlockArgument]:
        """The arguments of the body that are elements, one for each input."""
        return self.body.block.args[len(self.extents) : len(self.extents) + len(self.inputs)]

    @cached_property
    def ops(self) -> Sequence[Operation]:
        """The ops of the body that compute something, in order: not the keys of what is folded."""
        return [
            op
            for op in self.body.block.ops
            if not isinstance(op, YieldOp | EmitOp) and not self._is_key(op)
        ]

    @cached_property
    def read_indices(self) -> frozenset[int]:
        """The dimensions whose indices the body computes with."""
        read = {operand for op in self.ops for inner in op.walk() for operand in inner.operands}
        read |= {*self.values}
        return frozenset(d for d, index in enumerate(self.indices) if index in read)

    def _is_key(self, op: Operation) -> bool:
        """Return whether an op is there for nothing but a key, which the loops know."""
        return (
            self.kind == "fold"
            and isinstance(op, arith.SubiOp)
            and all(
                isinstance(emit := use.operation, EmitOp) and 0 < use.index <= len(emit.keys)
                for use in op.result.uses
            )
        )


Iterated = IterationOps | Iteration
"""An op over an iteration space, or what it computes."""


def iteration_of(op: Iterated) -> Iteration:
    """Return what an op over an iteration space computes."""
    if isinstance(op, Iteration):
        return op
    end = op.body.block.last_op
    assert end is not None
    kind: Kind = "map"
    into: Sequence[SSAValue] = ()
    parallel, monoid = len(op.extents), ""
    if isinstance(op, ReduceOp):
        kind, parallel, monoid = "fold", op.parallel.value.data, op.monoid.data
    elif isinstance(op, ScatterReduceOp):
        kind, parallel, monoid, into = "scatter", 0, op.monoid.data, op.into
    return Iteration(
        kind,
        op,
        op.result,
        op.extents,
        op.inputs,
        op.indexing_maps.data,
        op.offsets,
        op.symbols,
        into,
        op.body,
        end.operands,
        parallel,
        monoid,
    )


def as_iteration(op: Operation | Iteration) -> Iteration | None:
    """Return what an op computes over an iteration space, if it is over one."""
    over_one = isinstance(op, Iteration | MapOp | ReduceOp | ScatterReduceOp)
    return iteration_of(op) if over_one else None


def iterations_of(op: Operation) -> list[Iteration]:
    """Return what an op computes over an iteration space: of a loop one for each generator.

    Raises
    ------
    Refused
        If a loop emits anything but one value at each point, to generators that make an array or a
        number, or holds another loop.
    """
    if isinstance(op, MapOp | ReduceOp | ScatterReduceOp):
        return [iteration_of(op)]
    if not isinstance(op, LoopOp) or not op.is_over_points:
        return []
    if not op.generators:
        raise Refused("a loop over points makes nothing")
    if any(isinstance(inner, LoopOp) for inner in op.body.walk()):
        raise Refused("there is a loop within one over points")
    made = zip(op.generators, op.made, op.table_extents, strict=True)
    return [_of_generator(op, *each) for each in made]


def _of_generator(
    op: LoopOp, generator: BlockArgument, result: SSAValue, into: Sequence[SSAValue]
) -> Iteration:
    emits = [use.operation for use in generator.uses]
    if len(emits) != 1 or emits[0].parent_op() is not op:
        raise Refused("a point emits no value, several, or one on a condition")
    (emit,) = emits
    assert isinstance(emit, EmitOp)
    kind: Kind = "map"
    parallel, monoid = len(op.extents), ""
    values: Sequence[SSAValue] = emit.values
    match generator.type:
        case PlaceType():
            if not all(_is_index(op, key, d) for d, key in enumerate(emit.keys)):
                raise Refused("a point emits an element for another place")
        case ReduceType() as type:
            kind, parallel, monoid = "fold", 0, type.monoid.data
        case TableType() as type:
            monoid = type.monoid.data
            if _are_first(op, emit.keys, into):
                kind, parallel = "fold", type.rank.data
            else:
                kind, parallel, values = "scatter", 0, [*emit.keys, *emit.values]
        case type:
            raise Refused(f"points are not emitted to {type}")
    assert op.indexing_maps is not None
    return Iteration(
        kind,
        op,
        result,
        op.extents,
        op.inputs,
        op.indexing_maps.data,
        op.offsets,
        op.symbols,
        into if kind == "scatter" else (),
        op.body,
        values,
        parallel,
        monoid,
    )


def _are_first(op: LoopOp, keys: Sequence[SSAValue], into: Sequence[SSAValue]) -> bool:
    """Return whether the keys of a table are the first indices, each within its extent."""
    if len(keys) > len(op.extents):
        return False
    extents = zip(into, op.extents, strict=False)
    return all(same_value(size, extent) for size, extent in extents) and all(
        _is_index(op, _counted_from(key, op.offsets, d), d) for d, key in enumerate(keys)
    )


def _counted_from(key: SSAValue, offsets: Sequence[SSAValue], d: int) -> SSAValue | None:
    """Return the index that a key is, less where the indices of a dimension begin."""
    if not offsets:
        return key
    difference = key.owner
    if isinstance(difference, arith.SubiOp) and difference.rhs is offsets[d]:
        return difference.lhs
    return None


def _is_index(op: LoopOp, value: SSAValue | None, d: int) -> bool:
    return value is op.body.block.args[d]
