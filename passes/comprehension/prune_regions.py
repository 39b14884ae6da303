"""Leave out generators over regions that other generators stay within anyway.

Works at the comprehension level.

```mlir
%i, %j, %r = comprehension.each %R : !region
%k, %l, %a = comprehension.each %A : !sparse          %i, %j, %a = comprehension.each %A : !sparse
comprehension.guard %same_row     // %k == %i    ==>
comprehension.guard %same_column  // %l == %j
```

A region is a Boolean array; it stores nothing but `true`, which therefore is the element that
a generator over its stored elements yields. If `%A` was only ever written to at indices of `%R`
(`passes/analyses/sparsity/patterns.py`), its stored elements are at indices of `%R`, and `%R` need
not be looked at: neither as what the rows run over, nor as an element that is read (`R[i,j]`). Nor
need a union of which `%A` lies within one side, or the region where `%A` is not zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i1
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from diablo.dialects import comprehension
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located, remark
from diablo.dialects.tensor_block import is_sparse
from diablo.passes.analyses.sparsity.patterns import is_stored_only, lies_within
from diablo.passes.analyses.values.comprehension_structure import is_of_a_row, roots_in
from diablo.passes.analyses.values.determined_values import segments_of
from diablo.passes.analyses.values.index_equalities import (
    IndexEqualities,
    drop_repeated_guards,
    fails_before_tests,
)


def _name(each: comprehension.EachOp) -> str:
    return each.collection.name_hint or "the array"


def _is_sparse_array(op: Operation) -> bool:
    return (
        isinstance(op, comprehension.EachOp)
        and as_array(op.collection.type) is not None
        and is_sparse(op.collection.type)
    )


def _is_true(each: comprehension.EachOp) -> None:
    """Say that the element which a generator over a region binds is `true`."""
    element, block = each.elements[-1], each.parent
    if element.first_use is None or block is None:
        return
    true = located(arith.ConstantOp(IntegerAttr(1, i1)), each)
    block.insert_op_after(true, each)
    element.replace_all_uses_with(true.result)
    true.result.name_hint = None  # `%r` is what the element was called


def _know_element(each: comprehension.EachOp) -> None:
    """Say that the elements of a region are true, where only the stored ones are visited."""
    if is_stored_only(each) and each.elements[-1].type == i1:
        _is_true(each)


class _Segment:
    """The generators of a segment, of which those that say nothing new go away."""

    def __init__(self, ops: Sequence[Operation], refused: set[Operation]):
        self.ops = ops
        self.refused = refused
        """Generators of which has been said why they stay."""
        self.equalities = IndexEqualities(
            [op for op in ops if isinstance(op, comprehension.GuardOp)]
        )

    def prune(self) -> bool:
        """Leave out one generator, if one says nothing new."""
        generators = [
            op for op in self.ops if isinstance(op, comprehension.EachOp) and _is_sparse_array(op)
        ]
        for region in generators:
            element = region.elements[-1]
            if element.type != i1 and element.first_use is not None:
                continue
            for within in generators:
                if self._follows(region, within) and self._may_leave_out(region, within):
                    _leave_out(region, within)
                    return True
        return False

    def _follows(self, region: comprehension.EachOp, within: comprehension.EachOp) -> bool:
        """Return whether `region` is read where `within` stores elements."""
        ours, others = region.elements[:-1], within.elements[:-1]
        return (
            region.collection is not within.collection
            and is_stored_only(within)
            and not is_of_a_row(within.collection)
            and len(ours) == len(others)
            and all(map(self.equalities.equal, ours, others))
        )

    def _may_leave_out(self, region: comprehension.EachOp, within: comprehension.EachOp) -> bool:
        if region in self.refused:
            return False
        if lies_within(within.collection, region.collection):
            first = region if region.is_before_in_block(within) else within
            columns = [*region.elements[:-1], *within.elements[:-1]]
            if not fails_before_tests(self.ops, first, columns):
                return True
            why = "an operation in front of its test can fail"
        else:
            why = f"it is not known that {_name(within)} stores elements only there"
        remark(region, f"the indices of {_name(region)} are tested: {why}")
        self.refused.add(region)
        return False


def _leave_out(region: comprehension.EachOp, within: comprehension.EachOp) -> None:
    """Let `within` bind the indices of `region`."""
    message = f"{_name(within)} lies within {_name(region)}, which is not looked at"
    remark(region, message)
    if region.elements[-1].type == i1:
        _is_true(region)
    block = region.parent
    assert block is not None
    if region.is_before_in_block(within):
        within.detach()
        block.insert_op_before(within, region)
    for old, new in zip(region.elements[:-1], within.elements[:-1], strict=True):
        hint = old.name_hint or new.name_hint
        old.replace_all_uses_with(new)
        new.name_hint = hint
    block.erase_op(region)


@dataclass(frozen=True)
class PruneRegionsPass(ModulePass):
    """Leave out generators over regions that others stay within anyway."""

    name = "prune-regions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Prune the generators of every comprehension."""
        for root in roots_in(op):
            block, refused = root.body.block, set[Operation]()
            for each in block.ops:
                if isinstance(each, comprehension.EachOp):
                    _know_element(each)
            changed = False
            while any(_Segment(ops, refused).prune() for ops in segments_of(block)):
                changed = True
            if changed:
                for ops in segments_of(block):
                    drop_repeated_guards(ops)
