"""Analysis: which values are another value plus a constant, and which are equal.

Subscripts and loop bounds come as `i64` arithmetic with casts to `index` in between:

```mlir
%j = arith.index_cast %i : index to i64
%k = arith.subi %j, %one : i64
%l = arith.index_cast %k : i64 to index
```

`affine_form(%l)` is `(%i, -1)`. The dimensions of a function argument with the attribute
`diablo.shape` (an array of extents) are constants, and those that have one name in
`diablo.sizes` are equal.
"""

from __future__ import annotations

from typing import cast, get_args

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    FloatAttr,
    IndexType,
    IntegerAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from diablo.dialects import comprehension
from diablo.dialects.effects import has_pure_result
from diablo.dialects.number_constants import ConstantOps
from diablo.passes.analyses.values.argument_facts import known_extent, size_name

_WORDS = {IndexType(), i64}

_CONSTANTS = frozenset[type[Operation]](get_args(ConstantOps))
_TAKEN_APART = frozenset[type[Operation]](
    (arith.IndexCastOp, tensor.DimOp, arith.AddiOp, arith.SubiOp)
)

_FAR = 1 << 61
"""Constants from here on are not taken apart: what they are added to may wrap around."""

_LIMIT = 64
"""How deep the analyses look: longer chains of arithmetic are taken as unknown."""


def underlying(value: SSAValue) -> SSAValue:
    """The value behind casts between `index` and integers."""
    while isinstance(value, OpResult) and isinstance(value.op, arith.IndexCastOp):
        value = value.op.input
    return value


def constant_value(value: SSAValue) -> int | float | None:
    """The number that a constant holds (a Boolean as 0 or 1), or `None`."""
    # This is asked more often than all else: classes are compared before instances are tested.
    if not isinstance(value, OpResult) or type(value.op) not in _CONSTANTS:
        return None
    attribute: Attribute = value.op.properties["value"]
    if isinstance(attribute, IntegerAttr):
        number = attribute.value.data
        return number & 1 if cast("IntegerAttr", attribute).type == i1 else number
    return attribute.value.data if isinstance(attribute, FloatAttr) else None


def is_far(value: SSAValue) -> bool:
    """Return whether `value` is a constant so large that what it is added to may wrap around."""
    constant = constant_value(value)
    return isinstance(constant, int) and not _is_near(constant)


def extent_of_name(argument: SSAValue, axis: int) -> SSAValue | None:
    """The first op at a function's entry that reads an extent of the same name."""
    name = size_name(argument, axis)
    if name is None or not isinstance(argument, BlockArgument):
        return None
    for op in argument.block.ops:
        if op.regions:
            break
        if isinstance(op, tensor.DimOp):
            number = constant_value(op.index)
            if isinstance(number, int) and size_name(op.source, number) == name:
                return op.result
    return None


def affine_form(value: SSAValue) -> tuple[SSAValue | None, int]:
    """`value` as base plus offset; the base of a constant is `None`.

    Offsets are far from the limits of 64 bits, so that the sum wraps around for no index.
    """
    offset = 0
    for _ in range(_LIMIT):
        constant = constant_value(value)
        if isinstance(constant, int) and _is_near(offset + constant):
            return None, offset + constant
        if not isinstance(value, OpResult) or type(value.op) not in _TAKEN_APART:
            break
        match value.op:
            case arith.IndexCastOp() as cast if {cast.input.type, cast.result.type} == _WORDS:
                value = cast.input
            case tensor.DimOp(source=source, index=index):
                axis = constant_value(index)
                if not isinstance(axis, int):
                    break
                extent = known_extent(source, axis)
                if extent is not None:
                    return None, offset + extent
                return extent_of_name(source, axis) or value, offset
            case arith.AddiOp(lhs=lhs, rhs=rhs):
                left, right = constant_value(lhs), constant_value(rhs)
                if isinstance(right, int) and _is_near(offset + right):
                    value, offset = lhs, offset + right
                elif isinstance(left, int) and _is_near(offset + left):
                    value, offset = rhs, offset + left
                else:
                    break
            case arith.SubiOp(lhs=lhs, rhs=rhs):
                right = constant_value(rhs)
                if not isinstance(right, int) or not _is_near(offset - right):
                    break
                value, offset = lhs, offset - right
            case _:
                break
    return value, offset


def known_index(value: SSAValue) -> int | None:
    """The integer that `value` is known to be."""
    base, offset = affine_form(value)
    return offset if base is None else None


def _is_near(number: int) -> bool:
    return -_FAR < number < _FAR


def same_value(a: SSAValue, b: SSAValue) -> bool:
    """Return whether `a` and `b` provably hold the same number wherever both are defined."""
    return _same(a, b, _LIMIT)


def _same(a: SSAValue, b: SSAValue, depth: int) -> bool:
    if a is b:
        return True
    if depth == 0:
        return False
    (left, left_offset), (right, right_offset) = affine_form(a), affine_form(b)
    if left is None or right is None:
        if left is not right:
            return False
        return left_offset == right_offset
    if left_offset != right_offset:
        return False
    if left is right:
        return True
    if not (isinstance(left, OpResult) and isinstance(right, OpResult)):
        return False
    return _same_operation(left, right, depth - 1)


def _same_operation(left: OpResult, right: OpResult, depth: int) -> bool:
    """Return whether the same pure operation computed both values from the same operands."""
    first, second = left.op, right.op
    return (
        first.name == second.name
        and left.index == right.index
        and left.type == right.type
        and not first.regions
        and not second.regions
        and (has_pure_result(first) or first.name == "tensor.dim")
        and not isinstance(first, comprehension.YieldOp)
        and first.properties == second.properties
        and first.attributes == second.attributes
        and len(first.operands) == len(second.operands)
        and all(_same(x, y, depth) for x, y in zip(first.operands, second.operands, strict=True))
    )
