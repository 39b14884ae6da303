"""What the bodies of row ops are made of: copies of a comprehension's ops, casts, tests.

Reads the `comprehension` level, writes the bodies of the `tensor_block` level. What columns
hold of the inner ops of a branch is not computed again:

    %s = scf.if %c {                          %s = scf.if %c {
      %t = comprehension.aggregate …   ==>      scf.yield %column
      scf.yield %t } …                        } …
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from diablo.dialects import comprehension, number_ops
from diablo.dialects.string_functions import StringType
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter
from diablo.lowering.tensor_block.rows.row_values import inner_ops


def clone(op: Operation, emitter: BodyEmitter) -> None:
    """Append a copy of `op`; what columns hold of its inner ops is not computed again."""
    known = {
        result: emitter.environment[result]
        for inner in inner_ops(op)
        for result in inner.results
        if result in emitter.environment
    }
    copy = op.clone(emitter.environment)
    emitter.block.add_op(copy)
    if not known:
        return
    for old, new in list(zip(op.walk(), copy.walk(), strict=True)):
        if old.results and all(result in known for result in old.results):
            for result, replaced in zip(old.results, new.results, strict=True):
                replaced.replace_all_uses_with(known[result])
                emitter.environment[result] = known[result]
            assert new.parent is not None
            new.parent.erase_op(new)


def cast_index(emitter: BodyEmitter, value: SSAValue, type: Attribute) -> SSAValue:
    """`value` as `type`, where both are integers or indices."""
    if value.type == type:
        return value
    assert isinstance(value.type, IndexType | IntegerType)
    return emitter.add(arith.IndexCastOp(value, type))


def equal(emitter: BodyEmitter, left: SSAValue, right: SSAValue) -> SSAValue:
    """Return whether two values of one scalar type agree."""
    if isinstance(left.type, StringType):
        return emitter.add(comprehension.StringCallOp("eq", [left, right]))
    return emitter.add(number_ops.equal(left, right))


def in_range(
    emitter: BodyEmitter, index: SSAValue, lower: SSAValue, upper: SSAValue, step: int
) -> SSAValue:
    """Return whether `index` is one of `lower`, `lower + step`, … up to `upper`, or down to it."""
    least, most = (lower, upper) if step > 0 else (upper, lower)
    above = emitter.add(arith.CmpiOp(index, least, "sge"))
    below = emitter.add(arith.CmpiOp(index, most, "sle"))
    inside = emitter.add(arith.AndIOp(above, below))
    if abs(step) == 1:
        return inside
    distance = emitter.add(arith.SubiOp(index, lower))
    stride = emitter.add(arith.ConstantOp.from_int_and_width(step, IndexType()))
    rest = emitter.add(arith.RemSIOp(distance, stride))
    zero = emitter.add(arith.ConstantOp.from_int_and_width(0, IndexType()))
    on_stride = emitter.add(arith.CmpiOp(rest, zero, "eq"))
    return emitter.add(arith.AndIOp(inside, on_stride))
