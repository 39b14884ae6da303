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

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i64
from xdsl.ir import Operation, OpResult, SSAValue

from diablo.linear_sums import LinearSum, term
from diablo.passes.analyses.affine_values import affine_form, is_far

_WORDS = (IndexType(), i64)
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


def emit(form: LinearForm, type: IndexType | IntegerType) -> tuple[list[Operation], SSAValue]:
    """Ops that compute `form` as a value of `type` (`index` or `i64`), and that value."""
    ops: list[Operation] = []

    def add(op: Operation) -> SSAValue:
        ops.append(op)
        return op.results[0]

    def constant(number: int) -> SSAValue:
        number &= 2**64 - 1
        number -= (number >> 63) << 64
        return add(arith.ConstantOp(IntegerAttr(number, type)))

    total: SSAValue | None = None
    # What is added comes first, so that `j - i` needs no negation.
    for value, factor in sorted(form.terms.items(), key=lambda item: item[1] < 0):
        part = value if value.type == type else add(arith.IndexCastOp(value, type))
        negative = factor < 0 and total is not None
        multiple = -factor if negative else factor
        if multiple != 1:
            part = add(arith.MuliOp(part, constant(multiple)))
        if total is None:
            total = part
        else:
            total = add(arith.SubiOp(total, part) if negative else arith.AddiOp(total, part))
    if total is None:
        return ops, constant(form.constant)
    if form.constant < 0:
        total = add(arith.SubiOp(total, constant(-form.constant)))
    elif form.constant > 0:
        total = add(arith.AddiOp(total, constant(form.constant)))
    return ops, total
