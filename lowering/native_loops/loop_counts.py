"""Which loops count through a range, and what they read and write at places linear in the count.

    while %j < %n                         counts %j from where it begins to %n - 1
      tensor.extract %A[%j + %k]          reads A at j + k: inside of A for the first j and the last
      %j = %j + 1                         j means inside of A for all

So the indices may be tested before the loop, all at once, and the loop that is taken if they are
inside tests none. That needs sums that do not overflow: each number from outside is tested to be
small, and no sum has large factors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, i64
from xdsl.ir import Operation, SSAValue

from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.predicates import GREATER, LESS, MIRRORED, predicate_of
from diablo.linear_sums import LinearSum, term
from diablo.lowering.kernel_types import is_tensor
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.linear_forms import LinearForm

SMALL = 1 << 57
"""What is tested of numbers from outside: they lie above `-SMALL`, and below `SMALL`."""
_FACTORS = 16
"""How many such numbers a sum may have, each counted as often as it is in it."""
_WORDS = (IndexType(), i64)


@dataclass(frozen=True)
class PlaceTest:
    """What is to be between 0 and a limit, which it does not reach, in all iterations.

    It is an index of `access` along `axis`, or else what the comparison `access` compares.
    """

    access: Operation
    axis: int | None
    index: LinearForm
    limit: LinearForm | None
    """The limit of a comparison; that of an index is the extent of the array."""


@dataclass
class CountedLoop:
    """A loop that counts by `step` until a `test` fails, and no loop is within it."""

    loop: scf.WhileOp
    number: int
    step: int
    test: arith.CmpiOp
    last: LinearForm
    """The last count, or one that it would be behind if the step is none of 1 and -1."""
    places: list[PlaceTest] = field(default_factory=list[PlaceTest])
    exact: set[Operation] = field(default_factory=set[Operation])
    """The sums that do not overflow if what is small is tested to be so."""

    @property
    def counter(self) -> SSAValue:
        """What stands for the count in sums."""
        return self.loop.before_region.block.args[self.number]


def ends_of(loop: scf.WhileOp) -> tuple[scf.ConditionOp, scf.YieldOp]:
    """Return the ops that end the test of a loop, and its body."""
    condition, end = loop.before_region.block.last_op, loop.after_region.block.last_op
    assert isinstance(condition, scf.ConditionOp)
    assert isinstance(end, scf.YieldOp)
    return condition, end


def numbers_among(values: Sequence[SSAValue]) -> list[int]:
    """The positions of the values that are no arrays."""
    return [k for k, value in enumerate(values) if not is_tensor(value.type)]


def is_known_inside(array: SSAValue, axis: int, index: SSAValue) -> bool:
    """Return whether an index is a constant below an extent that the type of an array says."""
    assert is_tensor(array.type)
    number = constant_value(index)
    return isinstance(number, int) and 0 <= number < array.type.get_shape()[axis]


def counted_loop(loop: scf.WhileOp) -> CountedLoop | None:
    """Return what a loop counts, if it does, and reads or writes at places that this says."""
    if any(op is not loop and isinstance(op, scf.WhileOp | func.CallOp) for op in loop.walk()):
        return None
    condition, end = ends_of(loop)
    for test in filter(lambda op: isinstance(op, arith.CmpiOp), _implied(condition.condition)):
        assert isinstance(test, arith.CmpiOp)
        for number, argument in enumerate(loop.before_region.block.args):
            forms = _Forms(loop, argument)
            following = forms.of(end.operands[number])
            step = None if following is None else (following - term(forms.counter)).number
            last = forms.last(test, step) if step else None
            if step and last is not None:
                found = CountedLoop(loop, number, step, test, last)
                found.exact |= forms.sums_of(end.operands[number])
                forms.note_places(found)
                return found if found.places else None
    return None


def _implied(condition: SSAValue) -> Iterator[Operation]:
    """Yield the conditions that have to hold so that one does, itself included."""
    match condition.owner:
        case arith.AndIOp() as both:
            for operand in both.operands:
                yield from _implied(operand)
        case scf.IfOp() as choice if _is_false(choice, condition):
            yield from _implied(choice.cond)
        case Operation() as op:
            yield op
        case _:
            pass


def _is_false(choice: scf.IfOp, result: SSAValue) -> bool:
    """Return whether a choice gives false where its condition does not hold."""
    end = choice.false_region.block.last_op if choice.false_region.blocks else None
    given = None if end is None else end.operands[list(choice.results).index(result)].owner  # pyright: ignore
    return (
        isinstance(given, ConstantOps)
        and isinstance(given.value, IntegerAttr)
        and given.value.value.data == 0
    )


@dataclass
class _Forms:
    """Integers in a loop as sums of its count and of what comes from outside."""

    loop: scf.WhileOp
    counter: SSAValue

    def of(self, value: SSAValue) -> LinearForm | None:
        """A value as such a sum, which does not overflow; None if it is none.

        `linear_form` is right modulo 2**64 alone, and takes apart what comes from outside, where a
        sum may have wrapped around. Here each sum on the way is to be small, and that stays whole.
        """
        found = self._sum(value)
        if found is None or abs(found.constant) >= SMALL:
            return None
        return found if sum(map(abs, found.terms.values())) <= _FACTORS else None

    def _sum(self, value: SSAValue) -> LinearForm | None:
        if value.type not in _WORDS:
            return None
        number = constant_value(value)
        if isinstance(number, int):
            return LinearSum(constant=number)
        if self._is_count(value):
            return term(self.counter)
        if not self.is_inside(value) or isinstance(value.owner, tensor.DimOp):
            return term(value)
        match value.owner:
            case arith.IndexCastOp(input=given):
                return self.of(given)
            case arith.AddiOp() | arith.SubiOp() | arith.MuliOp() as op:
                left, right = self.of(op.lhs), self.of(op.rhs)
                if left is None or right is None:
                    return None
                if isinstance(op, arith.MuliOp):
                    factor, other = (
                        (left.number, right) if right.number is None else (right.number, left)
                    )
                    return None if factor is None else other * factor
                return left + right if isinstance(op, arith.AddiOp) else left - right
            case _:
                return None

    def _is_count(self, value: SSAValue) -> bool:
        if value is self.counter:
            return True
        after = self.loop.after_region.block
        condition = self.loop.before_region.block.last_op
        assert isinstance(condition, scf.ConditionOp)
        passed = zip(after.args, condition.args, strict=True)
        return any(value is argument and given is self.counter for argument, given in passed)

    def is_inside(self, value: SSAValue) -> bool:
        """Return whether a value is made in the loop, or carried by it."""
        return self.loop.is_ancestor(value.owner)

    def sums_of(self, value: SSAValue) -> set[Operation]:
        """The sums and casts in the loop that a value is computed by."""
        op = value.owner
        known = isinstance(op, arith.AddiOp | arith.SubiOp | arith.MuliOp | arith.IndexCastOp)
        if not known or not self.is_inside(value):
            return set()
        return {op}.union(*map(self.sums_of, op.operands))

    def last(self, test: arith.CmpiOp, step: int | None) -> LinearForm | None:
        """The last count for which a test holds that ends the loop, counting by a step."""
        if step is None or abs(step) >= SMALL:
            return None
        left, right, predicate = test.lhs, test.rhs, predicate_of(test)
        if not self._is_count(left):
            left, right, predicate = right, left, MIRRORED[predicate]
        limit = self.of(right)
        if not self._is_count(left) or limit is None or self.counter in limit.variables:
            return None
        if step > 0:
            return limit - LESS[predicate] if predicate in LESS else None
        return limit + GREATER[predicate] if predicate in GREATER else None

    def note_places(self, found: CountedLoop) -> None:
        """Note what the body reads, writes and compares that can be tested before the loop."""
        found.exact |= self.sums_of(found.test.lhs) | self.sums_of(found.test.rhs)
        for op in self.loop.after_region.walk():
            if self._is_beside_count(op):
                continue
            match op:
                case tensor.ExtractOp() | tensor.InsertOp():
                    array = op.tensor if isinstance(op, tensor.ExtractOp) else op.dest
                    for axis, index in enumerate(op.indices):
                        if not is_known_inside(array, axis, index):
                            self._note(found, op, axis, index, None)
                case arith.CmpiOp() if predicate_of(op) == "ult":
                    limit = self.of(op.rhs)
                    if limit is not None and self.counter not in limit.variables:
                        self._note(found, op, None, op.lhs, limit)
                        found.exact |= self.sums_of(op.rhs)
                case _:
                    pass

    def _note(
        self,
        found: CountedLoop,
        op: Operation,
        axis: int | None,
        index: SSAValue,
        limit: LinearForm | None,
    ) -> None:
        form = self.of(index)
        if form is not None:
            found.places.append(PlaceTest(op, axis, form, limit))
            found.exact |= self.sums_of(index)

    def _is_beside_count(self, op: Operation) -> bool:
        """Return whether a branch around an op is taken for some counts, as `if (j > 0)`.

        What stands there need not be inside for the others.
        """
        inner, outer = op, op.parent_op()
        while outer is not None and outer is not self.loop:
            if isinstance(outer, scf.IfOp):
                holds = inner.parent_region() is outer.true_region
                tests = list(_implied(outer.cond)) if holds else [outer.cond.owner]
                if any(isinstance(test, Operation) and self._compares(test) for test in tests):
                    return True
            inner, outer = outer, outer.parent_op()
        return False

    def _compares(self, test: Operation) -> bool:
        """Return whether a test is one of the count, but for whether there is an element."""
        if not isinstance(test, arith.CmpiOp) or predicate_of(test) == "ult":
            return False
        forms = [self.of(operand) for operand in test.operands]
        return any(form is not None and self.counter in form.variables for form in forms)
