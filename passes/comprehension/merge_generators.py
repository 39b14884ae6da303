"""Read an array, or a map, once where two generators are at the same index.

Works at the comprehension level.

```mlir
%i, %a = comprehension.each %A : tensor<?xf64>          %i, %a = comprehension.each %A
%j, %b = comprehension.each %A : tensor<?xf64>    ==>   // %i and %a take the place
%p = arith.cmpi eq, %j, %i : index                      // of %j and %b
comprehension.guard %p
```

The equality may come about through a third index: the generators that `A[i]` in two statements
stand for are both tied to `%i`. A guard that has become trivial, or that repeats another, goes
away too. If one of the generators runs over stored elements only, so does the one that is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from diablo.dialects import comprehension
from diablo.dialects.locations import remark
from diablo.passes.analyses.determined_values import identity_columns, segments_of
from diablo.passes.analyses.linear_forms import LinearForm, linear_form
from diablo.passes.analyses.speculation import can_trap, roots_in

_EQUAL = 0
"""The `eq` predicate of `arith.cmpi`."""


def _tests_equality(test: Operation) -> bool:
    """Whether an op compares two integers or strings for equality."""
    if isinstance(test, comprehension.StringCallOp):
        return test.function.data == "eq"
    return isinstance(test, arith.CmpiOp) and test.predicate.value.data == _EQUAL


class _Equalities:
    """Which values the guards of a segment say are equal, by linear forms over leaders."""

    def __init__(self, guards: Sequence[comprehension.GuardOp]):
        self.leader: dict[SSAValue, LinearForm] = {}
        for guard in guards:
            test = guard.condition.owner
            if isinstance(test, Operation) and _tests_equality(test):
                left, right = test.operands
                self._add(self.reduced(left) - self.reduced(right))

    def _add(self, zero: LinearForm) -> None:
        """Note that a sum is zero: one of its terms with the factor 1 is the rest."""
        for value, factor in zero.terms.items():
            if abs(factor) == 1:
                rest = zero.without(value).times(-factor)
                self.leader = {v: _replaced(f, value, rest) for v, f in self.leader.items()}
                self.leader[value] = rest
                return

    def reduced(self, value: SSAValue) -> LinearForm:
        """`value` over the values that stand for their equals."""
        form = linear_form(value)
        for term in list(form.terms):
            if term in self.leader:
                form = _replaced(form, term, self.leader[term])
        return form

    def equal(self, a: SSAValue, b: SSAValue) -> bool:
        """Whether the guards imply that two values are equal."""
        return (self.reduced(a) - self.reduced(b)).number == 0


def _replaced(form: LinearForm, value: SSAValue, by: LinearForm) -> LinearForm:
    factor = form.terms.get(value)
    return form if factor is None else form.without(value) + by.times(factor)


def _follows_from(equalities: _Equalities, first: Operation, second: Operation) -> bool:
    """Whether two generators over one collection are always at the same element."""
    ours, others = identity_columns(first), identity_columns(second)
    if not ours or not others:
        return False
    return all(equalities.equal(a, b) for a, b in zip(ours, others, strict=True))


def _replace(first: comprehension.EachOp, second: comprehension.EachOp) -> None:
    """Let `first` stand for `second` too."""
    if second.full is None:
        first.full = None
    for old, new in zip(second.elements, first.elements, strict=True):
        hint = new.name_hint or old.name_hint
        old.replace_all_uses_with(new)
        new.name_hint = hint
    remark(first, "this generator stands for another one at the same index")
    second.detach()
    second.erase()


def _merge(segment: list[Operation], refused: set[Operation]) -> bool:
    """Merge two generators; `refused` are those of which has been said why they stay."""
    guards = [op for op in segment if isinstance(op, comprehension.GuardOp)]
    equalities = _Equalities(guards)
    seen: list[comprehension.EachOp] = []
    for op in segment:
        if not isinstance(op, comprehension.EachOp):
            continue
        for first in seen:
            if first.collection is not op.collection or op in refused:
                continue
            if _follows_from(equalities, first, op):
                if not _fails_before_tests(segment, op, guards):
                    _replace(first, op)
                    return True
                refused.add(op)
                remark(op, "this generator stays: an operation in front of its test can fail")
        seen.append(op)
    return False


def _fails_before_tests(
    segment: list[Operation], generator: Operation, guards: Sequence[Operation]
) -> bool:
    """Whether an op can trap between a generator and the last test of its indices."""
    columns = set(identity_columns(generator) or ())
    tests = [guard for guard in guards if columns & _tested(guard)]
    start = segment.index(generator)
    end = segment.index(tests[-1]) if tests else start
    return any(can_trap(op) for op in segment[start:end])


def _tested(guard: Operation) -> set[SSAValue]:
    """The values that a guard compares."""
    test = guard.operands[0].owner
    if not isinstance(test, Operation):
        return set()
    return {term for side in test.operands for term in linear_form(side).terms}


def drop_repeated_guards(segment: Sequence[Operation]) -> None:
    """Erase guards on `x == x`, and those that test again what an earlier one did."""
    tested: list[LinearForm] = []
    conditions: set[SSAValue] = set()
    for guard in segment:
        if not isinstance(guard, comprehension.GuardOp):
            continue
        test = guard.condition.owner
        repeated = guard.condition in conditions
        conditions.add(guard.condition)
        if isinstance(test, Operation) and _tests_equality(test):
            left, right = test.operands
            zero = linear_form(left) - linear_form(right)
            repeated |= zero.number == 0 or zero in tested or zero.times(-1) in tested
            tested.append(zero)
        if repeated:
            guard.detach()
            guard.erase()


@dataclass(frozen=True)
class MergeGeneratorsPass(ModulePass):
    """Let one generator do for two that are at the same index."""

    name = "merge-generators"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Merge generators until there are no two that are at the same index."""
        for root in roots_in(op):
            block, refused = root.body.block, set[Operation]()
            changed = False
            while any(_merge(segment, refused) for segment in segments_of(block)):
                changed = True
            if changed:
                for segment in segments_of(block):
                    drop_repeated_guards(segment)
