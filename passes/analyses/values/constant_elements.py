"""Analysis: the elements of small arrays of which the program says what they are.

```mlir
%rows = comprehension.list (%c0, %x), (%c1, %y) : !comprehension.bag<index, f64>
%A = comprehension.build (%two) : tensor<?xf64> {
  %i, %v = comprehension.each %rows : !comprehension.bag<index, f64>
  comprehension.yield (%i) %v
}
```

`element(%A, [1])` is `%y`, whose value need not be known. Of an array that is computed from its
indices, as `build { %i = range …; yield (%i) f(%i) }`, it is the number `f(1)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import AnyFloat, FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from diablo.dialects import comprehension
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.comprehension_structure import is_of_a_row
from diablo.passes.analyses.values.linear_forms import linear_form
from diablo.passes.analyses.values.scalar_folding import Number, fold


def attribute_of(number: Number, type: Attribute) -> IntegerAttr | FloatAttr | None:
    """The number as the attribute of a constant of `type`."""
    if isinstance(type, AnyFloat):
        return FloatAttr(float(number), type)
    whole = int(number)
    if isinstance(type, IntegerType):
        return IntegerAttr(whole, cast(IntegerType, type))
    return IntegerAttr.from_index_int_value(whole)


def folded(op: Operation, operands: Sequence[SSAValue]) -> Number | None:
    """Return what `op` gives for `operands` if they are constants."""
    if len(op.results) != 1 or op.regions:
        return None
    numbers = [constant_value(operand) for operand in operands]
    known = [number for number in numbers if number is not None]
    if len(known) < len(numbers):
        return None
    return fold(op, known)


def element(array: SSAValue, index: Sequence[int]) -> SSAValue | Number | None:
    """The element at a constant index: a value outside of the array, or a number."""
    build = array.owner
    if not isinstance(build, comprehension.BuildOp) or is_of_a_row(array):
        return None
    ops = list(build.body.block.ops)
    head = ops.pop()
    assert isinstance(head, comprehension.YieldOp)
    generators = [op for op in ops if isinstance(op, comprehension.EachOp | comprehension.RangeOp)]
    if len(generators) == 1 and isinstance(generators[0], comprehension.EachOp):
        if any(isinstance(op, comprehension.GuardOp) for op in ops):
            return None
        return _of_list(generators[0], head, index)
    return _computed(ops, head, index)


def _of_list(
    each: comprehension.EachOp, head: comprehension.YieldOp, index: Sequence[int]
) -> SSAValue | None:
    """The value in the one row of a written list that has the index."""
    rows, columns = each.collection.owner, list[SSAValue](each.elements)
    if not isinstance(rows, comprehension.ListOp) or head.values[0] not in columns:
        return None
    found: list[SSAValue] = []
    for row in rows.rows:
        values = dict(zip(columns, row, strict=True))
        at: list[int | None] = []
        for key in head.keys:
            form = linear_form(key)
            terms = [constant_value(values.get(v, v)) for v in form.terms]
            if any(not isinstance(term, int) for term in terms):
                return None
            factors = form.terms.values()
            at.append(
                form.constant + sum(int(t or 0) * f for t, f in zip(terms, factors, strict=True))
            )
        if at == list(index):
            found.append(values[head.values[0]])
    return found[0] if len(found) == 1 else None


def _computed(
    ops: Sequence[Operation], head: comprehension.YieldOp, index: Sequence[int]
) -> Number | None:
    """The number that a body computes from its index alone."""
    known: dict[SSAValue, Number] = {}
    ranges = [op for op in ops if isinstance(op, comprehension.RangeOp)]
    if [op.index for op in ranges] != list(head.keys) or any(op.step is not None for op in ranges):
        return None
    for range, at in zip(ranges, index, strict=True):
        bounds = linear_form(range.lower).number, linear_form(range.upper).number
        if bounds[0] is None or bounds[1] is None or not bounds[0] <= at <= bounds[1]:
            return None
        known[range.index] = at
    for op in ops:
        if isinstance(op, comprehension.RangeOp):
            continue
        if isinstance(op, comprehension.GuardOp) or len(op.results) != 1 or op.regions:
            return None
        numbers = [known.get(value, constant_value(value)) for value in op.operands]
        given = [number for number in numbers if number is not None]
        number = fold(op, given) if len(given) == len(numbers) else None
        if number is not None:
            known[op.results[0]] = number
    return known.get(head.values[0], constant_value(head.values[0]))
