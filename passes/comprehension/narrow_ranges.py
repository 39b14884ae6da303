"""Let ranges run only where tests of their index can hold.

Works at the comprehension level.

```mlir
%i = comprehension.range %zero to %last       %i = comprehension.range %zero to %last
%j = comprehension.range %zero to %last       %k = arith.maxsi %zero, %i - 1
%d = arith.subi %i, %j : index          ==>   %l = arith.minsi %last, %i + 1
%a = math.absi %d : index                     %j = comprehension.range %k to %l
%p = arith.cmpi slt, %a, %two : index
comprehension.guard %p
```

The band has 3n points, and no more are looked at. Any test that compares sums of indices (by
`<`, `<=`, `>`, `>=`, of absolute values, of the smallest or greatest of some) bounds the range
that is the last of its variables; a factor of the index is divided by. The test goes away if
the bounds say all that it does. Bounds that say nothing new are left out, and the ranges with
steps of a dense array stay as they are: all of its indices are gone through anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from diablo.dialects import comprehension
from diablo.dialects.encodings import as_array, is_sparse
from diablo.dialects.locations import located, remark
from diablo.dialects.range_steps import step_of
from diablo.passes.analyses.values.comprehension_structure import roots_in
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.index_bounds import is_at_least
from diablo.passes.analyses.values.inequalities import inequalities, solved_for, split
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form, write_linear_form
from diablo.passes.analyses.values.speculation import can_trap, is_pure

_INDEX = IndexType()


class _Bounds:
    """The bounds of one range, and the ops in front of it that compute them."""

    def __init__(self, range: comprehension.RangeOp, varying: set[SSAValue]):
        self.range = range
        self.varying = varying
        """The index, and what is computed from it."""
        self.changed = False

    @property
    def step(self) -> int:
        """The distance of two indices; negative if they go down."""
        return step_of(self.range)

    def narrow(self, form: LinearForm) -> bool:
        """Let the range run where `form >= 0` only; false if that cannot be."""
        if form.terms.get(self.range.index) is None:
            return False
        rest = [value for value in form.terms if value is not self.range.index]
        if not all(map(self._is_available, rest)):
            return False
        if any(isinstance(value.owner, arith.ConstantOp) for value in rest):
            # Of a literal that is no part of sums, one more or less may be no Int any more.
            return False
        bound, divisor, is_lower = solved_for(form, self.range.index)
        if not self._is_implied(bound, divisor, is_lower):
            for value in rest:
                self._make_available(value)
            self._restrict(bound, divisor, is_lower)
            self.changed = True
        return True

    def _is_available(self, value: SSAValue) -> bool:
        """Return whether `value` is there in front of the range, or can be computed there."""
        owner = value.owner
        if not self._is_behind(owner):
            return True
        assert isinstance(owner, Operation)
        computed = value not in self.varying and is_pure(owner) and not can_trap(owner)
        return computed and all(map(self._is_available, used_values(owner)))

    def _is_behind(self, owner: Operation | Block) -> bool:
        return (
            isinstance(owner, Operation)
            and owner.parent is self.range.parent
            and not owner.is_before_in_block(self.range)
        )

    def _make_available(self, value: SSAValue) -> None:
        owner = value.owner
        if isinstance(owner, Operation) and self._is_behind(owner):
            for used in used_values(owner):
                self._make_available(used)
            owner.detach()
            self._insert(owner)

    def _is_implied(self, bound: LinearForm, divisor: int, is_lower: bool) -> bool:
        index = LinearForm({self.range.index: divisor})
        return is_at_least(index, bound) if is_lower else is_at_least(bound, index)

    # ---- arithmetic ----------------------------------------------------------------

    def _insert(self, op: Operation) -> None:
        block = self.range.parent
        assert block is not None
        block.insert_op_before(op, self.range)

    def _add(self, op: Operation) -> SSAValue:
        self._insert(located(op, self.range))
        return op.results[0]

    def _constant(self, number: int) -> SSAValue:
        return self._add(arith.ConstantOp(IntegerAttr(number, _INDEX)))

    def _form(self, form: LinearForm) -> SSAValue:
        return write_linear_form(form, self._add)

    def _quotient(self, form: LinearForm, divisor: int, *, up: bool) -> SSAValue:
        """`form / divisor`, rounded up or down."""
        if divisor == 1:
            return self._form(form)
        numerator = form + (divisor - 1 if up else 0)
        value, by = self._form(numerator), self._constant(divisor)
        if not is_at_least(numerator, LinearForm()):
            # The division rounds to zero: below it, what is too much is taken away first.
            rest = self._add(arith.RemSIOp(value, by))
            is_negative = self._add(arith.CmpiOp(rest, self._constant(0), "slt"))
            positive = self._add(arith.AddiOp(rest, by))
            rest = self._add(arith.SelectOp(is_negative, positive, rest))
            value = self._add(arith.SubiOp(value, rest))
        return self._add(arith.DivSIOp(value, by))

    def _restrict(self, bound: LinearForm, divisor: int, is_lower: bool) -> None:
        range, step = self.range, self.step
        value = self._quotient(bound, divisor, up=is_lower)
        if is_lower != (step > 0):
            range.operands[1] = self._extreme(range.upper, value, greatest=is_lower)
        elif abs(step) == 1:
            range.operands[0] = self._extreme(range.lower, value, greatest=is_lower)
        else:
            range.operands[0] = self._first_from(value)

    def _extreme(self, old: SSAValue, new: SSAValue, *, greatest: bool) -> SSAValue:
        """The greater, or the smaller, of two bounds."""
        forms = linear_form(old), linear_form(new)
        first, second = forms if greatest else reversed(forms)
        if is_at_least(second, first):
            return new
        return self._add((arith.MaxSIOp if greatest else arith.MinSIOp)(old, new))

    def _first_from(self, bound: SSAValue) -> SSAValue:
        """The first index of a range with a step that is not in front of `bound`."""
        start, width = self.range.lower, abs(self.step)
        ends = (bound, start) if self.step > 0 else (start, bound)
        distance = self._add(arith.SubiOp(*ends))
        distance = self._add(arith.MaxSIOp(distance, self._constant(0)))
        distance = self._add(arith.AddiOp(distance, self._constant(width - 1)))
        steps = self._add(arith.DivSIOp(distance, self._constant(width)))
        way = self._add(arith.MuliOp(steps, self._constant(self.step)))
        return self._add(arith.AddiOp(start, way))


def _varying(index: SSAValue, ops: Sequence[Operation]) -> set[SSAValue]:
    """`index`, and what the ops compute from it."""
    found = {index}
    for op in ops:
        if any(value in found for value in used_values(op)):
            found.update(op.results)
    return found


def _before(guard: comprehension.GuardOp) -> list[Operation]:
    """The ops in front of `guard` in its segment, which a group_by begins."""
    ops: list[Operation] = []
    op = guard.prev_op
    while op is not None and not isinstance(op, comprehension.GroupByOp):
        ops.append(op)
        op = op.prev_op
    return ops[::-1]


def _makes_all_indices(root: Operation | None) -> bool:
    """Return whether all indices are computed in any case: of an array that is dense.

    Array algebra tests them there, but takes no ranges with steps from others to others.
    """
    return (
        isinstance(root, comprehension.BuildOp | comprehension.MergeOp)
        and as_array(root.result.type) is not None
        and not is_sparse(root.result.type)
    )


def _narrow_by(guard: comprehension.GuardOp) -> None:
    """Let the test of `guard` bound the ranges in front of it."""
    pending = inequalities(guard.condition)
    if not pending:
        return
    before = _before(guard)
    narrowed: list[comprehension.RangeOp] = []
    for position in reversed(range(len(before))):
        op = before[position]
        if not isinstance(op, comprehension.RangeOp) or not pending:
            continue
        if op.step is not None and _makes_all_indices(guard.parent_op()):
            continue
        bounds = _Bounds(op, _varying(op.index, before[position:]))
        if guard.condition not in bounds.varying:
            continue
        if any(map(can_trap, before[position:])):
            remark(guard, "this test bounds no range: an operation in front of it can fail")
            return
        parts = [part for form in pending for part in split(form, bounds.varying.__contains__)]
        pending = [part for part in parts if not bounds.narrow(part)]
        if bounds.changed:
            narrowed.append(op)
    for op in narrowed:
        remark(op, "this range runs only where a test of its index can hold")
    if not pending:
        _drop(guard)


def _drop(guard: comprehension.GuardOp) -> None:
    """Erase a test that the bounds of ranges imply, and what only it needs."""
    unused = [guard.condition]
    guard.detach()
    guard.erase()
    while unused:
        op = unused.pop().owner
        # An operation that has an operand twice is met twice.
        if not isinstance(op, Operation) or op.parent is None or not is_pure(op):
            continue
        if all(result.first_use is None for result in op.results):
            unused += op.operands
            op.detach()
            op.erase()


def narrow_ranges(block: Block) -> None:
    """Narrow the ranges of one comprehension."""
    for guard in [op for op in block.ops if isinstance(op, comprehension.GuardOp)]:
        _narrow_by(guard)


@dataclass(frozen=True)
class NarrowRangesPass(ModulePass):
    """Let ranges run only where tests of their index can hold."""

    name = "narrow-ranges"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Narrow the ranges of every comprehension."""
        for root in roots_in(op):
            if root.parent is not None:
                narrow_ranges(root.body.block)
