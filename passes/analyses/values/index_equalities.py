"""Analysis: which values do the guards of a comprehension say are equal?

```mlir
%i, %a = comprehension.each %A
%j, %b = comprehension.each %B
%p = arith.cmpi eq, %j, %i : index
comprehension.guard %p
```

`IndexEqualities` of the guard says that `%i` and `%j` are equal. The equality may come about
through a third index, and through sums.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType
from xdsl.ir import Operation, SSAValue

from diablo.dialects import comprehension
from diablo.dialects.predicates import predicate_of
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form
from diablo.passes.analyses.values.speculation import can_trap


def equal_sides(condition: SSAValue) -> tuple[SSAValue, SSAValue] | None:
    """The two numbers, Booleans or strings that a condition says are equal, if it says no more."""
    match condition.owner:
        case arith.CmpiOp() | arith.CmpfOp() as test if predicate_of(test) in ("eq", "oeq"):
            return test.lhs, test.rhs
        case comprehension.StringCallOp(function=function, arguments=sides) if (
            function.data == "eq"
        ):
            left, right = sides
            return left, right
        case _:
            return None


def equated(condition: SSAValue) -> tuple[SSAValue, SSAValue] | None:
    """The sides of an equality that may stand for each other: 0.0 and -0.0 may not."""
    sides = equal_sides(condition)
    return None if sides is None or isinstance(sides[0].type, AnyFloat) else sides


def equated_integers(condition: SSAValue) -> tuple[SSAValue, SSAValue] | None:
    """The sides of an equality of integers."""
    sides = equated(condition)
    is_integer = sides is not None and isinstance(sides[0].type, IntegerType | IndexType)
    return sides if is_integer else None


class IndexEqualities:
    """Which values some guards say are equal, by linear forms over leaders.

    Values in `kept` are leaders where possible.
    """

    def __init__(
        self, guards: Sequence[comprehension.GuardOp], kept: Container[SSAValue] = frozenset()
    ):
        self.kept = kept
        self.leader: dict[SSAValue, LinearForm] = {}
        for guard in guards:
            sides = equated(guard.condition)
            if sides is not None:
                left, right = map(self.reduced, sides)
                self._add(left - right)

    def _add(self, zero: LinearForm) -> None:
        """Note that a sum is zero: one of its terms with the factor 1 is the rest."""
        for value, factor in sorted(zero.terms.items(), key=lambda term: term[0] in self.kept):
            if abs(factor) == 1:
                rest = zero.without(value) * -factor
                self.leader = {v: f.replaced({value: rest}) for v, f in self.leader.items()}
                self.leader[value] = rest
                return

    def reduced(self, value: SSAValue) -> LinearForm:
        """`value` over the values that stand for their equals."""
        return linear_form(value).replaced(self.leader)

    def equal(self, a: SSAValue, b: SSAValue) -> bool:
        """Return whether the guards imply that two values are equal."""
        return (self.reduced(a) - self.reduced(b)).number == 0


def fails_before_tests(
    segment: Sequence[Operation], generator: Operation, columns: Sequence[SSAValue]
) -> bool:
    """Return whether an op can trap between a generator and the last test of its `columns`."""
    tests = [
        op
        for op in segment
        if isinstance(op, comprehension.GuardOp) and not _tested(op).isdisjoint(columns)
    ]
    start = segment.index(generator)
    end = segment.index(tests[-1]) if tests else start
    return any(can_trap(op) for op in segment[start:end])


def _tested(guard: comprehension.GuardOp) -> set[SSAValue]:
    """The values that a guard compares."""
    test = guard.condition.owner
    if not isinstance(test, Operation):
        return set()
    return {term for side in test.operands for term in linear_form(side).terms}


def drop_repeated_guards(segment: Sequence[Operation]) -> None:
    """Erase guards on `x == x`, and those that test again what an earlier one did."""
    tested: set[LinearForm] = set()
    conditions: set[SSAValue] = set()
    for guard in segment:
        if not isinstance(guard, comprehension.GuardOp):
            continue
        sides = equated(guard.condition)
        repeated = guard.condition in conditions
        conditions.add(guard.condition)
        if sides is not None:
            left, right = map(linear_form, sides)
            zero = left - right
            repeated |= zero.number == 0 or zero in tested or -zero in tested
            tested.add(zero)
        if repeated:
            guard.detach()
            guard.erase()
