"""Copy ops so that tuples are values of their own, one for each part.

Machine code has no tuples. Where a body computes with them,

    %d, %k = comprehension.unpack %x : tuple<f64, i64>
    %least = arith.select %less, %x, %y : tuple<f64, i64>

and `x` is bound to the values `%a, %i` and `y` to `%b, %j`, the copy has

    %least0 = arith.select %less, %a, %b : f64
    %least1 = arith.select %less, %i, %j : i64

and nothing is left of the `unpack`. An element that is read from an array is loaded from its
buffer, or from that of each part. A value that is no tuple has one part, itself, and the parts of
a tuple within a tuple stand in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects import memref
from xdsl.dialects.arith import SelectOp
from xdsl.dialects.builtin import ArrayAttr, MemRefType, TensorType, TupleType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.tensor import ExtractOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from diablo.dialects.comprehension import MonoidOp, PackOp, UnpackOp
from diablo.dialects.monoids import NumberAttr
from diablo.dialects.multiloop import EmitOp
from diablo.dialects.number_constants import constant_op
from diablo.passes.analyses.refused import Refused

Parts = Sequence[SSAValue]
"""The values that a tuple is made of; of any other value itself alone."""

_CARRIERS = frozenset(["scf.if", "scf.for", "scf.while", "scf.condition", "scf.yield", "func.call"])
"""The ops that hand tuples on without looking into them, or get them from elsewhere."""


def part_types(type: Attribute) -> list[Attribute]:
    """The types of the parts of a value of `type`; of an array of tuples those of its arrays."""
    if isinstance(type, TensorType):
        array = cast("TensorType[Attribute]", type)
        elements = part_types(array.get_element_type())
        return [TensorType(part, array.shape, array.encoding) for part in elements]
    if not isinstance(type, TupleType):
        return [type]
    return [leaf for part in type.types for leaf in part_types(part)]


@dataclass
class TupleParts:
    """Copies ops to the ends of blocks; knows what stands for the values that they take.

    `values` says it of values that are no tuples: one that is not in it stands for itself.
    """

    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    tuples: dict[SSAValue, list[SSAValue]] = field(default_factory=dict[SSAValue, list[SSAValue]])

    def bind(self, value: SSAValue, parts: Parts) -> None:
        """Let `parts` stand for `value`."""
        if isinstance(value.type, TupleType) or len(parts) != 1:
            self.tuples[value] = list(parts)
        else:
            (self.values[value],) = parts

    def parts(self, value: SSAValue) -> list[SSAValue]:
        """Return what stands for `value`.

        Raises
        ------
        Refused
            If it is a tuple that was made elsewhere.
        """
        if value in self.tuples:
            return self.tuples[value]
        if isinstance(value.type, TupleType):
            raise Refused("a tuple comes from outside")
        return [self.values.get(value, value)]

    def copy(self, ops: Iterable[Operation], block: Block) -> None:
        """Append copies of `ops` to `block`.

        Raises
        ------
        Refused
            If one of them does anything else with a tuple than to choose it, hand it on, or take
            it apart.
        """
        for op in ops:
            check_tuples_of(op)
            match op:
                case PackOp():
                    self.bind(op.result, self._flat(op.parts))
                case UnpackOp():
                    self._share(op.results, self.parts(op.tuple))
                case SelectOp() if isinstance(op.result.type, TupleType):
                    pairs = zip(self.parts(op.lhs), self.parts(op.rhs), strict=True)
                    condition = self.values.get(op.cond, op.cond)
                    self.bind(
                        op.result,
                        [_added(SelectOp(condition, *pair), op, block) for pair in pairs],
                    )
                case ExtractOp():
                    place = self._flat(op.indices)
                    loads = [_read(part, place) for part in self.parts(op.tensor)]
                    self.bind(op.result, [_added(load, op, block) for load in loads])
                case _ if any(map(_needs_a_look, op.walk())):
                    self.carry(op, block)
                case _:
                    block.add_op(op.clone(self.values))

    def carry(self, op: Operation, block: Block) -> None:
        """Copy an op that hands values on, with what is in it."""
        regions = [Region([self._block(b) for b in region.blocks]) for region in op.regions]
        copy = type(op).create(
            operands=self._flat(op.operands),
            result_types=[part for type in op.result_types for part in part_types(type)],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
            regions=regions,
        )
        copy.location = op.location
        block.add_op(copy)
        self._share(op.results, copy.results)

    def _block(self, block: Block) -> Block:
        new = Block(arg_types=[part for type in block.arg_types for part in part_types(type)])
        self._share(block.args, new.args)
        self.copy(block.ops, new)
        return new

    def _flat(self, values: Iterable[SSAValue]) -> list[SSAValue]:
        return [part for value in values for part in self.parts(value)]

    def _share(self, values: Sequence[SSAValue], parts: Parts) -> None:
        """Bind `values` to their shares of `parts`, which are theirs in order."""
        first = 0
        for value in values:
            end = first + len(part_types(value.type))
            self.bind(value, parts[first:end])
            for part in parts[first:end]:
                part.name_hint = part.name_hint or value.name_hint
            first = end


def _read(array: SSAValue, place: Sequence[SSAValue]) -> Operation:
    if isinstance(array.type, MemRefType):
        return memref.LoadOp.get(array, place)
    return ExtractOp(array, place, cast("TensorType[Attribute]", array.type).get_element_type())


def take_tuples_apart(function: FuncOp) -> None:
    """Rewrite the body of a function in place so that it has no tuples.

    Neither its arguments nor its results are any. A call of a function that returns one gives its
    parts, which is right for what puts the function's loops in the place of the call.
    """
    old = function.body.block
    if not any(map(_has_tuples, function.walk())):
        return
    new = Block(arg_types=old.arg_types)
    copies = TupleParts(dict(zip(old.args, new.args, strict=True)))
    for argument, value in zip(new.args, old.args, strict=True):
        argument.name_hint = value.name_hint
    copies.copy(old.ops, new)
    function.detach_region(function.body)
    function.add_region(Region(new))


def check_tuples(body: Operation) -> None:
    """Raise `Refused` if the ops within `body` cannot be copied without their tuples."""
    for op in body.walk():
        if op is not body and not op.has_trait(IsTerminator) and not isinstance(op, EmitOp):
            check_tuples_of(op)


def check_tuples_of(op: Operation) -> None:
    """Raise `Refused` if an op does more with a tuple than `TupleParts` can copy."""
    known = isinstance(op, PackOp | UnpackOp | SelectOp | ExtractOp) or op.name in _CARRIERS
    if not known and _has_tuples(op):
        raise Refused(f"{op.name} computes with a tuple")


def combine_parts(monoid: MonoidOp, left: Parts, right: Parts, block: Block) -> list[SSAValue]:
    """Append the body of a monoid, for two values in parts; return the parts of what it gives.

    Raises
    ------
    Refused
        If the body computes with a tuple in another way than `TupleParts` can copy.
    """
    body = monoid.body.block
    copy = TupleParts()
    for argument, parts in zip(body.args, (left, right), strict=True):
        copy.bind(argument, parts)
    end = body.last_op
    assert end is not None
    copy.copy((op for op in body.ops if op is not end), block)
    return copy.parts(end.operands[0])


def identity_parts(monoid: MonoidOp, block: Block) -> list[SSAValue]:
    """Append the identity of a monoid on numbers; return its parts."""
    constants = [constant_op(cast("NumberAttr", leaf)) for leaf in _leaves(monoid.identity)]
    return [_added(constant, monoid, block) for constant in constants]


def _leaves(attribute: Attribute) -> list[Attribute]:
    if not isinstance(attribute, ArrayAttr):
        return [attribute]
    return [leaf for part in cast("ArrayAttr[Attribute]", attribute) for leaf in _leaves(part)]


def _has_tuples(op: Operation) -> bool:
    arguments = (arg for region in op.regions for block in region.blocks for arg in block.args)
    return any(isinstance(v.type, TupleType) for v in (*op.operands, *op.results, *arguments))


def _needs_a_look(op: Operation) -> bool:
    """Return whether an op is copied otherwise than as it is."""
    return isinstance(op, ExtractOp) or _has_tuples(op)


def _added(op: Operation, source: Operation, block: Block) -> SSAValue:
    op.location = source.location
    if source.results:
        op.results[0].name_hint = source.results[0].name_hint
    block.add_op(op)
    return op.results[0]
