"""Read an inner array before a comprehension whose rows all want the same one.

```mlir
comprehension.aggregate add : f64 {            %in = arith.cmpi ult, %k, %size
  %j = comprehension.range …                   %x = scf.if %in { tensor.extract %A[%k] } else { … }
  %x = tensor.extract %A[%k]              =>   comprehension.aggregate add : f64 {
  %a = tensor.extract %x[%j]                     %j = comprehension.range …
  …                                              comprehension.guard %in
                                                 %a = tensor.extract %x[%j]
                                                 …
```

`A[k][j]` is then an element of an array like others, which a kernel goes through, and no row looks
for its array. Where there is none at `k`, all rows are dropped, as they were.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import IntegerAttr, TensorType, i1
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from diablo.dialects import comprehension
from diablo.dialects.defining_blocks import is_made_inside
from diablo.dialects.encodings import holds_arrays
from diablo.dialects.locations import located, remark
from diablo.dialects.monoids import domain_of, zero_of
from diablo.dialects.number_constants import constant_op, index_attribute, is_arithmetic
from diablo.passes.analyses.values.affine_values import same_value
from diablo.passes.analyses.values.comprehension_structure import Root
from diablo.passes.analyses.values.speculation import can_trap


@dataclass(frozen=True)
class _InnerArray:
    """An inner array that is read before a comprehension."""

    array: SSAValue
    place: Sequence[SSAValue]
    inner: SSAValue
    is_there: SSAValue


def read_inner_arrays(module: Operation) -> None:
    """Read inner arrays before the comprehensions in which they stand."""
    reading: dict[Root, _Reading] = {}
    for op in list(module.walk()):
        if not isinstance(op, tensor.ExtractOp) or not isinstance(op.parent_op(), Root):
            continue
        if not holds_arrays(op.tensor.type) or _zero(op.result.type) is None:
            continue
        outer = _outermost(op)
        if is_made_inside(op.tensor, outer):
            continue
        reading.setdefault(outer, _Reading(outer)).read(op)


def _outermost(op: Operation) -> Root:
    """Return the comprehension around an op that stands in no other one."""
    found: Root | None = None
    parent = op.parent_op()
    while parent is not None:
        found = parent if isinstance(parent, Root) else found
        parent = parent.parent_op()
    assert found is not None
    return found


def _zero(type: Attribute) -> Operation | None:
    """Return the zero of the elements of an array; none of what is no number."""
    if not isa(type, TensorType[Attribute]) or domain_of(type.element_type) is None:
        return None
    return constant_op(zero_of(type.element_type))


@dataclass
class _Reading:
    """What is read before one comprehension."""

    root: Root
    known: list[_InnerArray] = field(default_factory=list[_InnerArray])
    copies: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """What stands before the comprehension for a value in it."""

    def read(self, op: tensor.ExtractOp) -> None:
        """Read the array that an op reads, if its place does not vary with the rows."""
        if not all(map(self._is_known, op.indices)):
            return
        place = [self._before(index) for index in op.indices]
        found = self._found(op, place) or self._read(op, place)
        guard = located(comprehension.GuardOp(found.is_there), op)
        Rewriter.insert_op(guard, InsertPoint.before(op))
        op.result.replace_all_uses_with(found.inner)
        Rewriter.erase_op(op)

    def _is_known(self, value: SSAValue) -> bool:
        """Whether a value may be computed before the comprehension."""
        if not is_made_inside(value, self.root):
            return True
        op = value.owner
        if isinstance(op, Block) or op.regions or not is_arithmetic(op) or can_trap(op):
            return False
        return all(map(self._is_known, op.operands))

    def _before(self, value: SSAValue) -> SSAValue:
        if not is_made_inside(value, self.root):
            return value
        copy = self.copies.get(value)
        if copy is None:
            assert isinstance(value, OpResult)
            given = {operand: self._before(operand) for operand in value.op.operands}
            copy = self.copies[value] = self._add(value.op.clone(given), value.op)
        return copy

    def _add(self, op: Operation, like: Operation) -> SSAValue:
        Rewriter.insert_op(located(op, like), InsertPoint.before(self.root))
        return op.results[0]

    def _found(self, op: tensor.ExtractOp, place: Sequence[SSAValue]) -> _InnerArray | None:
        for known in self.known:
            pairs = zip(known.place, place, strict=False)
            if known.array is op.tensor and all(same_value(a, b) for a, b in pairs):
                return known
        return None

    def _read(self, op: tensor.ExtractOp, place: Sequence[SSAValue]) -> _InnerArray:
        inside: SSAValue | None = None
        for axis, index in enumerate(place):
            number = self._add(constant_op(index_attribute(axis)), op)
            size = self._add(tensor.DimOp(op.tensor, number), op)
            test = self._add(arith.CmpiOp(index, size, "ult"), op)
            inside = test if inside is None else self._add(arith.AndIOp(inside, test), op)
        assert inside is not None
        read = located(tensor.ExtractOp(op.tensor, list(place), op.result.type), op)
        there = Region(Block([read, located(scf.YieldOp(read.result), op)]))
        inner = self._add(scf.IfOp(inside, [op.result.type], there, _nothing(op)), op)
        inner.name_hint = op.result.name_hint
        remark(op, "this array does not vary with the rows and is read once")
        found = _InnerArray(op.tensor, place, inner, inside)
        self.known.append(found)
        return found


def _nothing(op: tensor.ExtractOp) -> Region:
    """An array without elements, of the type of what an op reads."""
    assert isa(op.result.type, TensorType[Attribute])
    extent = constant_op(index_attribute(0))
    none = constant_op(IntegerAttr(0, i1))
    zero = _zero(op.result.type)
    assert zero is not None
    rank = op.result.type.get_num_dims()
    keys = [constant_op(index_attribute(0)) for _ in range(rank)]
    row = comprehension.YieldOp([key.results[0] for key in keys], [zero.results[0]])
    body = Region(Block([none, comprehension.GuardOp(none.results[0]), *keys, zero, row]))
    made = comprehension.BuildOp([extent.results[0]] * rank, body, op.result.type)
    ops = [extent, made, scf.YieldOp(made.result)]
    return Region(Block([located(new, op) for new in ops]))
