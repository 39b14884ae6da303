"""Rule of `split-sparse-terms`: what a sparse array contributes, at its stored elements only.

Works at the comprehension level.

```mlir
%i = comprehension.range %one to %last                %k, %v = comprehension.each %V : !sparse
%k, %v = comprehension.each %V full : !sparse   ==>   %p = arith.cmpi sge, %k, %one : index
comprehension.guard %same   // %k == %i               comprehension.guard %p
                                                      // … and %k <= %last
```

All other generators are determined by the indices of the array: what they still say is that
their indices are in bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.ir import Block, Operation, Region, SSAValue

from diablo.dialects import comprehension
from diablo.dialects.defining_blocks import is_made_in
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located
from diablo.dialects.range_steps import step_of
from diablo.passes.analyses.sparsity.patterns import is_stored_only
from diablo.passes.analyses.sparsity.sparse_terms import Term, emit_sum
from diablo.passes.analyses.values.dimensions import dimensions
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.index_bounds import is_at_least
from diablo.passes.analyses.values.index_equalities import IndexEqualities, drop_repeated_guards
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form, write_linear_form
from diablo.passes.analyses.values.speculation import is_pure
from diablo.passes.comprehension.comprehension_normalize import remove_dead


def correction(
    root: comprehension.BuildOp | comprehension.MergeOp,
    each: comprehension.EachOp,
    terms: Sequence[Term],
) -> Region | None:
    """The rows of `root` in which `each` is at a stored element, with the sum of `terms`.

    There are none if the indices of `each` do not determine all others.
    """
    copies: dict[SSAValue, SSAValue] = {}
    clone = root.clone(copies)
    block = clone.body.block
    stored = copies[each.elements[-1]].owner
    assert isinstance(stored, comprehension.EachOp)
    stored.full = None
    stored.detach()
    first = block.first_op
    assert first is not None
    block.insert_op_before(stored, first)
    head = block.last_op
    assert isinstance(head, comprehension.YieldOp)
    ops, value = emit_sum(
        [
            Term(
                copies.get(term.value, term.value),
                term.negative,
                tuple(copies.get(factor, factor) for factor in term.factors),
            )
            for term in terms
        ]
    )
    new = comprehension.YieldOp(list(head.keys), [value])
    block.insert_ops_before([located(op, head) for op in (*ops, new)], head)
    block.erase_op(head)
    remove_dead(block)
    is_determined = _Bound(block, stored).run()
    remove_dead(block)
    drop_repeated_guards(list(block.ops))
    remove_dead(block)
    rows = clone.detach_region(clone.body) if is_determined else None
    clone.erase(safe_erase=False)
    return rows


@dataclass(frozen=True)
class _Test:
    """A comparison of two sums, which holds where `slack` is not negative."""

    left: LinearForm
    predicate: str
    right: LinearForm
    slack: LinearForm


class _Bound:
    """Binds the indices of all generators of `block` by those of `stored`, its first op."""

    def __init__(self, block: Block, stored: comprehension.EachOp):
        self.block = block
        self.stored = stored
        self.place: Operation = stored
        self.determined: set[SSAValue] = set(stored.elements)
        guards = [op for op in block.ops if isinstance(op, comprehension.GuardOp)]
        self.equalities = IndexEqualities(guards, list(stored.elements[:-1]))
        self.tests: list[_Test] = []

    def run(self) -> bool:
        """Replace the generators; false if one is not determined."""
        for op in list(self.block.ops):
            if isinstance(op, comprehension.RangeOp):
                low, high = linear_form(op.lower), linear_form(op.upper)
                step = step_of(op)
                bounds = [(low, high) if step > 0 else (high, low)]
                if not self._bind(op, [op.index], bounds if abs(step) == 1 else []):
                    return False
            elif isinstance(op, comprehension.EachOp) and op is not self.stored:
                if as_array(op.collection.type) is None:
                    return False
                sizes = [size for size in dimensions(op.collection) if size is not None]
                stays = op.elements[-1].first_use is not None or is_stored_only(op)
                bounds = [(LinearForm(), linear_form(size) - 1) for size in sizes]
                if not self._bind(op, op.elements[:-1], [] if stays else bounds):
                    return False
        self._test_bounds()
        return True

    def _bind(
        self,
        generator: Operation,
        indices: Sequence[SSAValue],
        bounds: Sequence[tuple[LinearForm, LinearForm]],
    ) -> bool:
        """Replace the indices of a generator; false if they are not determined.

        The generator stays if its bounds are not all that it says.
        """
        forms = [self.equalities.reduced(index) for index in indices]
        if not all(self._is_determined(value) for form in forms for value in form.terms):
            return False
        ends = [form for pair in bounds for form in pair]
        known = all(self._is_determined(value) for form in ends for value in form.terms)
        if len(bounds) < len(indices) or not known:
            self.determined.update(generator.results)
            return True
        for index, form, (low, high) in zip(indices, forms, bounds, strict=True):
            self.tests.append(_Test(form, "sge", low, form - low))
            self.tests.append(_Test(form, "sle", high, high - form))
            self._go_behind(form)
            if any(self._is_in_front(use.operation) for use in index.uses):
                return False
            index.replace_all_uses_with(self._emitted(form))
        self.block.erase_op(generator)
        return True

    def _is_determined(self, value: SSAValue) -> bool:
        """Return whether `value` can be computed from the indices of the stored elements."""
        owner = value.owner
        if value in self.determined or not is_made_in(value, self.block):
            return True
        if not isinstance(owner, Operation) or owner.parent is not self.block:
            return False
        return is_pure(owner) and all(map(self._is_determined, used_values(owner)))

    def _test_bounds(self) -> None:
        """Test what neither the dimensions of the array nor another test implies."""
        tests = [test for test in self.tests if not is_at_least(test.slack, LinearForm())]
        for position, test in reversed(list(enumerate(tests))):
            # Of two equal tests the first one stays.
            if any((test.slack - other.slack).number == 0 for other in tests[:position]):
                continue
            if any(((test.slack - other.slack).number or 0) > 0 for other in tests):
                continue
            self._go_behind(test.left, test.right)
            sides = self._emitted(test.left), self._emitted(test.right)
            compare = arith.CmpiOp(*sides, test.predicate)
            self._add(compare)
            self._add(comprehension.GuardOp(compare.result))

    # ---- where ops are put ---------------------------------------------------------

    def _go_behind(self, *forms: LinearForm) -> None:
        """Go on behind the ops that make the terms of sums."""
        self.place = self.stored
        for owner in [value.owner for form in forms for value in form.terms]:
            if not isinstance(owner, Operation) or owner.parent is not self.block:
                continue
            if self.place.is_before_in_block(owner):
                self.place = owner

    def _is_in_front(self, op: Operation) -> bool:
        """Return whether `op` stands in front of the place for new ops."""
        top: Operation | None = op
        while top is not None and top.parent is not self.block:
            top = top.parent_op()
        return top is not None and not self.place.is_before_in_block(top)

    def _add(self, op: Operation) -> None:
        self.block.insert_op_after(located(op, self.stored), self.place)
        self.place = op

    def _emitted(self, form: LinearForm) -> SSAValue:
        return write_linear_form(form, self._add)
