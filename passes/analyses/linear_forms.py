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

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i64
from xdsl.ir import Operation, OpResult, SSAValue

from diablo.passes.analyses.affine_values import affine_form, is_far

_WORDS = (IndexType(), i64)
_DEPTH = 32
_LARGE = 1 << 31
"""Factors from here on are those of hash functions, not of indices."""


@dataclass(frozen=True)
class LinearForm:
    """The sum of `terms`, each a value and its factor (never 0), and of `constant`."""

    terms: Mapping[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    constant: int = 0

    def __add__(self, other: LinearForm) -> LinearForm:
        terms = dict(self.terms)
        for value, factor in other.terms.items():
            terms[value] = terms.get(value, 0) + factor
        kept = {value: factor for value, factor in terms.items() if factor}
        return LinearForm(kept, self.constant + other.constant)

    def __sub__(self, other: LinearForm) -> LinearForm:
        return self + other.times(-1)

    def times(self, factor: int) -> LinearForm:
        """`factor` times the form."""
        if factor == 0:
            return LinearForm()
        terms = {value: factor * old for value, old in self.terms.items()}
        return LinearForm(terms, self.constant * factor)

    def without(self, value: SSAValue) -> LinearForm:
        """The form without the term of `value`."""
        terms = {v: factor for v, factor in self.terms.items() if v is not value}
        return LinearForm(terms, self.constant)

    @property
    def number(self) -> int | None:
        """What the form is if it has no terms."""
        return None if self.terms else self.constant


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
    form = LinearForm({base: 1})
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
                    form = right.times(left.number)
                elif right.number is not None and abs(right.number) < _LARGE:
                    form = left.times(right.number)
            case _:
                pass
    return LinearForm(form.terms, form.constant + offset)


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
    for value, factor in sorted(form.terms.items(), key=lambda term: term[1] < 0):
        term = value if value.type == type else add(arith.IndexCastOp(value, type))
        negative = factor < 0 and total is not None
        multiple = -factor if negative else factor
        if multiple != 1:
            term = add(arith.MuliOp(term, constant(multiple)))
        if total is None:
            total = term
        else:
            total = add(arith.SubiOp(total, term) if negative else arith.AddiOp(total, term))
    if total is None:
        return ops, constant(form.constant)
    if form.constant < 0:
        total = add(arith.SubiOp(total, constant(-form.constant)))
    elif form.constant > 0:
        total = add(arith.AddiOp(total, constant(form.constant)))
    return ops, total
