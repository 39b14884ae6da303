"""Analysis: integers as sums of multiples of other integers.

```mlir
%k = arith.muli %j, %two : i64
%l = arith.addi %k, %one : i64
```

`linear_form(%l)` is `2 * %j + 1`. Casts between `index` and `i64` do not show. All of it is
right modulo 2**64, as the arithmetic is; since forms are solved and compared as if it never
wrapped around, multiples by large numbers and sums with very large ones are not taken apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i64
from xdsl.ir import Operation, OpResult, SSAValue

from diablo.dialects.access_maps import LinearIndex
from diablo.linear_sums import LinearSum, term
from diablo.passes.analyses.values.affine_values import affine_form, is_far, same_value

_INDEX = IndexType()
_WORDS = (_INDEX, i64)
_DEPTH = 32
_LARGE = 1 << 31
"""Factors from here on are those of hash functions, not of indices."""


LinearForm = LinearSum[SSAValue]


def linear_form(
    value: SSAValue,
    is_whole: Callable[[SSAValue], bool] = lambda _: False,
    depth: int = _DEPTH,
) -> LinearForm:
    """`value` as a linear form; `1 * value` where nothing better is known.

    Values that are `is_whole` are not taken apart.
    """
    base, offset = _base(value)
    if base is None:
        return LinearForm(constant=offset)
    form = term(base)
    if depth > 0 and isinstance(base, OpResult) and base.type in _WORDS and not is_whole(base):

        def part(operand: SSAValue) -> LinearForm:
            return linear_form(operand, is_whole, depth - 1)

        match base.op:
            case arith.AddiOp() | arith.SubiOp() if any(map(is_far, base.op.operands)):
                pass
            case arith.AddiOp(lhs=lhs, rhs=rhs):
                form = part(lhs) + part(rhs)
            case arith.SubiOp(lhs=lhs, rhs=rhs):
                form = part(lhs) - part(rhs)
            case arith.MuliOp(lhs=lhs, rhs=rhs):
                left, right = part(lhs), part(rhs)
                if left.number is not None and abs(left.number) < _LARGE:
                    form = right * left.number
                elif right.number is not None and abs(right.number) < _LARGE:
                    form = left * right.number
            case _:
                pass
    return form + offset


def _base(value: SSAValue) -> tuple[SSAValue | None, int]:
    """`value` as a value that is no cast, plus an offset."""
    if value.type not in _WORDS:
        return value, 0
    return affine_form(value)


def known_difference(one: SSAValue, other: SSAValue) -> int | None:
    """Return `one - other` if that is a known number."""
    (base, offset), (other_base, other_offset) = affine_form(one), affine_form(other)
    if base is not None and other_base is not None and same_value(base, other_base):
        return offset - other_offset
    return (linear_form(one) - linear_form(other)).number


def linear_form_of(
    index: LinearIndex, dimensions: Mapping[int, SSAValue], symbols: Sequence[SSAValue]
) -> LinearForm:
    """Return the sum of an index at a point, where dimensions and symbols have these values."""
    inside = index.inside.renamed(dimensions.__getitem__)
    return inside + index.outside.renamed(symbols.__getitem__)


def write_linear_form(
    form: LinearForm,
    add: Callable[[Operation], object],
    type: IndexType | IntegerType = _INDEX,
    constant: Callable[[int], SSAValue] | None = None,
) -> SSAValue:
    """Compute `form` as a value of `type` (`index` or `i64`), by ops that `add` inserts in order.

    `constant` makes numbers, if there are other ways to that than an op each.
    """

    def added(op: Operation) -> SSAValue:
        add(op)
        return op.results[0]

    def number(value: int) -> SSAValue:
        if constant is not None:
            return constant(value)
        value &= 2**64 - 1
        value -= (value >> 63) << 64
        return added(arith.ConstantOp(IntegerAttr(value, type)))

    # What is added comes first, so that `j - i` and `3 - i` need no negation.
    rest = form.constant
    total: SSAValue | None = None
    if all(factor < 0 for factor in form.terms.values()):
        rest, total = 0, number(form.constant)
    for value, factor in sorted(form.terms.items(), key=lambda item: item[1] < 0):
        part = value if value.type == type else added(arith.IndexCastOp(value, type))
        if abs(factor) != 1:
            part = added(arith.MuliOp(part, number(abs(factor))))
        if total is None:
            total = part
        else:
            total = added(arith.SubiOp(total, part) if factor < 0 else arith.AddiOp(total, part))
    assert total is not None
    if rest < 0:
        return added(arith.SubiOp(total, number(-rest)))
    return added(arith.AddiOp(total, number(rest))) if rest else total


def write_remainder(
    value: SSAValue, period: SSAValue, add: Callable[[Operation], SSAValue]
) -> SSAValue:
    """Compute what is left of an index in whole turns of `period`, never negative."""
    rest = add(arith.RemSIOp(value, period))
    above = add(arith.AddiOp(rest, period))
    zero = add(arith.ConstantOp(IntegerAttr(0, _INDEX)))
    return add(arith.SelectOp(add(arith.CmpiOp(rest, zero, "slt")), above, rest))
