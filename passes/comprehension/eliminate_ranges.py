"""Compute the index of a range that an equality determines instead of searching for it.

Works at the comprehension level.

```mlir
%k, %x = comprehension.each %rows : !comprehension.bag<index, f64>
%i = comprehension.range %lo to %hi
%p = arith.cmpi eq, %i, %k : index
comprehension.guard %p
```

becomes

```mlir
%k, %x = comprehension.each %rows : !comprehension.bag<index, f64>
%p = arith.cmpi sge, %k, %lo : index         // unless the bounds of %k imply it
comprehension.guard %p
%q = arith.cmpi sle, %k, %hi : index
comprehension.guard %q                       // %k takes the place of %i
```

The equality may be between linear forms: from `i == 2*j + 1` follows `%i`, and from
`2*i == k` that `%i` is `%k / 2` where that has no remainder. A range whose index is that of an
array, or by which an array is read, stays unless the bounds of the other index imply its own:
there it is the range that says which elements are wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, TensorType
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from diablo.dialects import comprehension
from diablo.dialects.locations import located, remark
from diablo.dialects.range_steps import step_of
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.comprehension_structure import roots_in
from diablo.passes.analyses.values.determined_values import is_generator
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.index_bounds import is_at_least
from diablo.passes.analyses.values.index_equalities import equated_integers
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form, write_linear_form
from diablo.passes.analyses.values.speculation import can_trap

_INDEX = IndexType()


def _equality(guard: comprehension.GuardOp) -> LinearForm | None:
    """The linear form that a guard says is zero."""
    sides = equated_integers(guard.condition)
    if sides is None:
        return None
    left, right = map(linear_form, sides)
    return left - right


def _segment(op: Operation) -> list[Operation]:
    """The ops behind `op` up to the next group_by or the head."""
    ops: list[Operation] = []
    following = op.next_op
    while following is not None:
        if isinstance(following, comprehension.GroupByOp | comprehension.YieldOp):
            break
        ops.append(following)
        following = following.next_op
    return ops


def _dependents(value: SSAValue, ops: list[Operation]) -> list[Operation]:
    """The ops among `ops` that use `value`, directly or not, in their order."""
    found = {value}
    dependents: list[Operation] = []
    for op in ops:
        if any(used in found for used in used_values(op)):
            dependents.append(op)
            found.update(op.results)
    return dependents


def _is_index_of_array(value: SSAValue, block: Block | None) -> bool:
    each = value.owner
    return (
        isinstance(each, comprehension.EachOp)
        and each.parent is block
        and isinstance(each.collection.type, TensorType)
        and value is not each.elements[-1]
    )


@dataclass
class _Solution:
    """What the index of `range` must be: `numerator / factor`, by the test of `guard`.

    The ops that use the index and stand before its value is known, `delayed`, move behind.
    """

    range: comprehension.RangeOp
    guard: comprehension.GuardOp
    numerator: LinearForm
    factor: int
    delayed: list[Operation]

    @property
    def bounds(self) -> tuple[LinearForm, LinearForm]:
        """The least and the greatest index of the range, times the factor."""
        ends = linear_form(self.range.lower), linear_form(self.range.upper)
        low, high = ends if self.step > 0 else reversed(ends)
        return low * self.factor, high * self.factor

    @property
    def step(self) -> int:
        return step_of(self.range)

    @property
    def is_in_bounds(self) -> bool:
        """Whether the bounds need no test."""
        low, high = self.bounds
        return is_at_least(self.numerator, low) and is_at_least(high, self.numerator)

    @property
    def is_exact(self) -> bool:
        """Whether the index takes the place of another without any test."""
        return self.factor == 1 and abs(self.step) == 1 and self.is_in_bounds


def _solve(
    range: comprehension.RangeOp, guard: comprehension.GuardOp, zero: LinearForm | None
) -> _Solution | None:
    """Return what `guard` says of the index of `range`, if it does; `Refused` if that is no use.

    It says that `zero` is.
    """
    if zero is None or range.index not in zero.terms:
        return None
    factor = zero.terms[range.index]
    numerator = zero.without(range.index) * (-1 if factor > 0 else 1)
    between = _segment(range)
    between = between[: between.index(guard)]
    if any(can_trap(op) for op in between):
        raise Refused("an operation in front of the test can fail")
    block = range.parent
    needed = [v.owner for v in numerator.terms if v.owner in between]
    last = max((between.index(op) for op in needed if isinstance(op, Operation)), default=-1)
    delayed = _dependents(range.index, between[: last + 1])
    if any(op in needed for op in delayed) or any(map(is_generator, delayed)):
        raise Refused("another generator depends on its index")
    assert block is not None
    solution = _Solution(range, guard, numerator, abs(factor), delayed)
    arrays = any(_is_index_of_array(value, block) for value in numerator.terms)
    if arrays and not solution.is_exact:
        raise Refused("the range says which elements of an array are wanted")
    return solution


class _Rewrite:
    """Replaces a range: the new ops go in front of `place`."""

    def __init__(self, solution: _Solution):
        self.solution = solution
        self.place: Operation = solution.range

    def _add(self, op: Operation) -> SSAValue | None:
        block = self.place.parent
        assert block is not None
        block.insert_op_before(located(op, self.solution.guard), self.place)
        return op.results[0] if op.results else None

    def _form(self, form: LinearForm) -> SSAValue:
        return write_linear_form(form, self._add)

    def _test(self, left: SSAValue, predicate: str, right: SSAValue) -> None:
        test = arith.CmpiOp(left, right, predicate)
        self._add(test)
        self._add(comprehension.GuardOp(test.result))

    def _on_stride(self, distance: SSAValue, stride: int) -> None:
        """Test that `distance` is a multiple of `stride`."""
        divisor = arith.ConstantOp(IntegerAttr(stride, _INDEX))
        self._add(divisor)
        rest = arith.RemSIOp(distance, divisor.result)
        self._add(rest)
        zero = arith.ConstantOp(IntegerAttr(0, _INDEX))
        self._add(zero)
        self._test(rest.result, "eq", zero.result)

    def run(self) -> None:
        """Replace the range and the test."""
        solution, block = self.solution, self.place.parent
        assert block is not None
        self._move_down(block)
        value = self._form(solution.numerator)
        if solution.factor != 1:
            self._on_stride(value, solution.factor)
            divisor = arith.ConstantOp(IntegerAttr(solution.factor, _INDEX))
            self._add(divisor)
            quotient = arith.DivSIOp(value, divisor.result)
            self._add(quotient)
            value = quotient.result
        range = solution.range
        low, high = solution.bounds
        least, most = range.lower, range.upper
        if solution.step < 0:
            least, most = most, least
        if not is_at_least(solution.numerator, low):
            self._test(value, "sge", least)
        if not is_at_least(high, solution.numerator):
            self._test(value, "sle", most)
        if abs(solution.step) != 1:
            distance = arith.SubiOp(value, range.lower)
            self._add(distance)
            self._on_stride(distance.result, abs(solution.step))
        hint = value.name_hint or range.index.name_hint
        range.index.replace_all_uses_with(value)
        value.name_hint = hint
        test = solution.guard.condition
        block.erase_op(solution.guard)
        if isinstance(test, OpResult) and test.first_use is None:
            test.op.detach()
            test.op.erase()
        block.erase_op(range)

    def _move_down(self, block: Block) -> None:
        """Move the range, and what depends on it, behind the values it is computed from."""
        owners = {value.owner for value in self.solution.numerator.terms}
        last = next((op for op in reversed(list(block.ops)) if op in owners), None)
        point: Operation = self.solution.range
        if last is not None and point.is_before_in_block(last):
            for op in (point, *self.solution.delayed):
                op.detach()
            block.insert_op_after(self.solution.range, last)
            for op in self.solution.delayed:
                block.insert_op_after(op, point)
                point = op


def _solutions(block: Block, refused: dict[comprehension.RangeOp, str]) -> Iterator[_Solution]:
    """The ranges that can go; `refused` is told why others that an equality determines cannot."""
    equalities: dict[comprehension.GuardOp, LinearForm | None] = {}
    for range in block.ops:
        if not isinstance(range, comprehension.RangeOp):
            continue
        for guard in _segment(range):
            if isinstance(guard, comprehension.GuardOp):
                if guard not in equalities:
                    equalities[guard] = _equality(guard)
                try:
                    solution = _solve(range, guard, equalities[guard])
                except Refused as why:
                    refused.setdefault(range, str(why))
                    continue
                if solution is not None:
                    yield solution


def _next_solution(block: Block, refused: dict[comprehension.RangeOp, str]) -> _Solution | None:
    """The first range that can go without a test, or else the first that can."""
    first: _Solution | None = None
    for solution in _solutions(block, refused):
        if solution.is_exact:
            return solution
        first = first or solution
    return first


def eliminate_ranges(block: Block, *, silent: bool = False) -> None:
    """Replace ranges by arithmetic, those first that need no test."""
    while True:
        refused: dict[comprehension.RangeOp, str] = {}
        solution = _next_solution(block, refused)
        if solution is None:
            break
        if not silent:
            remark(solution.range, "this range goes away: an equality determines its index")
        _Rewrite(solution).run()
    for range, why in ({} if silent else refused).items():
        remark(range, f"this range stays although an equality determines its index: {why}")


@dataclass(frozen=True)
class EliminateRangesPass(ModulePass):
    """Compute the index of a range that an equality determines."""

    name = "eliminate-ranges"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Eliminate ranges until none is left that can be."""
        for root in roots_in(op):
            eliminate_ranges(root.body.block)
