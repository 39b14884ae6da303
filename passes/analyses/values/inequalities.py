"""Analysis: conditions as sums of integers that are not negative.

```mlir
%d = arith.subi %i, %j : i64
%a = math.absi %d : i64
%p = arith.cmpi slt, %a, %two : i64
```

`inequalities(%p)` is `[1 - %a]`, and `split(1 - %a, of)`, where `%a` varies with what is asked
for, `[1 - %i + %j, 1 + %i - %j]`: what an absolute value, or the greatest of two numbers, is at
most, so is each of the two. Numbers are taken to be far from the limits of 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, i64
from xdsl.ir import SSAValue

from diablo.dialects.predicates import predicate_of, sum_of_order
from diablo.passes.analyses.values.index_bounds import extremes
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form

_PARTS = 16
"""More inequalities than this are not made of one."""


def inequalities(condition: SSAValue) -> list[LinearForm]:
    """The sums that are not negative where `condition` holds, and only there.

    There are none if it is no comparison of integers. An equality is one where it bounds an
    absolute value or an extreme; other equalities determine an index, which is better.
    """
    test = condition.owner
    if not isinstance(test, arith.CmpiOp) or test.lhs.type not in (IndexType(), i64):
        return []
    left, right = linear_form(test.lhs), linear_form(test.rhs)
    predicate = predicate_of(test)
    if predicate == "eq" and any(extremes(v) is not None for v in (left - right).terms):
        return [left - right, right - left]
    found = sum_of_order(predicate, left, right)
    return [] if found is None else [found]


def split(form: LinearForm, varies: Callable[[SSAValue], bool]) -> list[LinearForm]:
    """Sums that are not negative if and only if `form` is not.

    An absolute value, or an extreme, that varies is taken apart where that is possible.
    """
    found, pending = list[LinearForm](), [form]
    while pending:
        form = pending.pop()
        for value, factor in form.terms.items():
            parts = extremes(value) if varies(value) else None
            if parts is not None and parts[1] == (factor < 0) and len(pending) < _PARTS:
                rest = form.without(value)
                pending += [rest + part * factor for part in reversed(parts[0])]
                break
        else:
            found.append(form)
    return found


def solved_for(form: LinearForm, value: SSAValue) -> tuple[LinearForm, int, bool]:
    """Return what `form >= 0` says of `value`, which is one of its terms.

    `(bound, divisor, True)` if `value` is at least `bound / divisor`, rounded up, and with
    `False` that it is at most that, rounded down. The divisor is 1 if the terms allow it.
    """
    factor = form.terms[value]
    is_lower = factor > 0
    rest = form.without(value) * (-1 if is_lower else 1)
    divisor = abs(factor)
    if all(f % divisor == 0 for f in rest.terms.values()):
        return -(-rest).divided(divisor) if is_lower else rest.divided(divisor), 1, is_lower
    return rest, divisor, is_lower
