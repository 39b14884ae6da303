"""Read a slice of a sparse array where an index of its generator is fixed.

Works at the comprehension level; the slices are ops of the `tensor_block` level.

```mlir
comprehension.aggregate add : f64 {           %S = tensor_block.slice %A[*, %k] : !matrix -> !vector
  %i, %j, %a = comprehension.each %A          comprehension.aggregate add : f64 {
  %p = arith.cmpi eq, %j, %k : index    ==>     %i, %a = comprehension.each %S
  comprehension.guard %p                        comprehension.yield %a
  comprehension.yield %a                      }
}
```

A slice costs what it stores, the generator all that the array does. The index is a constant or
any other value from outside of all comprehensions, such as the variable of a loop; the equality
may come about through other indices and through sums. A slice leaves at least one dimension: of
a generator with all indices fixed, the last stays. Outside of the array a slice stores nothing;
a generator over all indices (`full`) does not run there, which is tested unless bounds imply it.
Dense arrays are read at the index as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension
from diablo.dialects.defining_blocks import block_of
from diablo.dialects.locations import located, remark
from diablo.dialects.tensor_block import SliceOp, is_sparse
from diablo.passes.analyses.values.comprehension_structure import Root, roots_in
from diablo.passes.analyses.values.determined_values import segments_of
from diablo.passes.analyses.values.dimensions import dimensions
from diablo.passes.analyses.values.index_bounds import is_at_least
from diablo.passes.analyses.values.index_equalities import (
    IndexEqualities,
    drop_repeated_guards,
    fails_before_tests,
)
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form, write_linear_form
from diablo.passes.layouts.spelling import dimensions_in_words

_INDEX = IndexType()


class _Outside:
    """The values that do not vary in any comprehension around a place."""

    def __init__(self, root: Root):
        self.outermost: Operation = root
        parent = root.parent_op()
        while parent is not None:
            if isinstance(parent, Root):
                self.outermost = parent
            parent = parent.parent_op()

    def __contains__(self, value: object) -> bool:
        assert isinstance(value, SSAValue)
        block = block_of(cast("SSAValue", value))
        return block is not None and not self.outermost.is_ancestor(block)


def _array_generators(segment: Sequence[Operation]) -> list[comprehension.EachOp]:
    generators = [op for op in segment if isinstance(op, comprehension.EachOp)]
    return [each for each in generators if is_sparse(each.collection.type)]


class _Slicing:
    """Replaces one generator by one over a slice."""

    def __init__(self, each: comprehension.EachOp, outside: _Outside):
        self.each = each
        self.outermost = outside.outermost

    def run(self, fixed: Mapping[int, LinearForm]) -> None:
        """Slice the array at the fixed indices."""
        each, array = self.each, self.each.collection
        indices = {d: write_linear_form(form, self._before) for d, form in fixed.items()}
        block = each.parent
        assert block is not None
        if each.full is not None:
            for d, form in fixed.items():
                self._test(d, form, indices[d])
        slice = SliceOp(array, indices)
        slice.result.name_hint = f"{array.name_hint}_slice" if array.name_hint else None
        self._before(slice)
        new = located(comprehension.EachOp(slice.result, full=each.full is not None), each)
        block.insert_op_before(new, each)
        kept = [d for d in range(len(each.elements) - 1) if d not in fixed]
        places = {**{d: new.elements[at] for at, d in enumerate(kept)}, **indices}
        for d, old in enumerate(each.elements[:-1]):
            _take_place(places[d], old, keeps_name=d in fixed)
        _take_place(new.elements[-1], each.elements[-1])
        remark(
            new,
            f"a slice of {array.name_hint or 'the array'} is read, at an index of "
            f"{dimensions_in_words(fixed)}",
        )
        block.erase_op(each)

    def _before(self, op: Operation) -> None:
        """Insert `op` before the outermost comprehension."""
        Rewriter.insert_op(located(op, self.each), InsertPoint.before(self.outermost))

    def _test(self, d: int, form: LinearForm, index: SSAValue) -> None:
        """Let no row be where the index lies outside of the array."""
        extent = dimensions(self.each.collection)[d]
        if extent is None:
            axis = arith.ConstantOp(IntegerAttr(d, _INDEX))
            read = tensor.DimOp(self.each.collection, axis.result)
            self._before(axis)
            self._before(read)
            extent = read.result
        last = linear_form(extent) - 1
        if is_at_least(form, LinearForm()) and is_at_least(last, form):
            return
        # One comparison of unsigned numbers: a negative index is a large one.
        inside = arith.CmpiOp(index, extent, "ult")
        self._before(inside)
        guard = located(comprehension.GuardOp(inside.result), self.each)
        block = self.each.parent
        assert block is not None
        block.insert_op_before(guard, self.each)


def _take_place(new: SSAValue, old: SSAValue, *, keeps_name: bool = False) -> None:
    hint = new.name_hint if keeps_name else old.name_hint
    old.replace_all_uses_with(new)
    new.name_hint = hint


def _fixed(
    each: comprehension.EachOp, equalities: IndexEqualities, outside: _Outside
) -> dict[int, LinearForm]:
    """Return what the indices are that do not vary; at least one dimension is left."""
    found: dict[int, LinearForm] = {}
    for d, index in enumerate(each.elements[:-1]):
        form = equalities.reduced(index)
        if all(value in outside for value in form.terms):
            found[d] = form
    if len(found) == len(each.elements) - 1:
        found.popitem()
    return found


def _slice_one(segment: Sequence[Operation], outside: _Outside, refused: set[Operation]) -> bool:
    """Slice one generator; `refused` are those of which has been said why they are not."""
    guards = [op for op in segment if isinstance(op, comprehension.GuardOp)]
    equalities = IndexEqualities(guards, outside)
    for each in _array_generators(segment):
        if each.collection not in outside or each in refused:
            continue
        fixed = _fixed(each, equalities, outside)
        if not fixed:
            continue
        if fails_before_tests(segment, each, [each.elements[d] for d in fixed]):
            refused.add(each)
            remark(each, "this is no slice: an operation in front of the test can fail")
            continue
        _Slicing(each, outside).run(fixed)
        return True
    return False


def _slice(root: Root) -> None:
    """Slice the generators of one comprehension."""
    outside, refused, changed = _Outside(root), set[Operation](), False
    while any(_slice_one(ops, outside, refused) for ops in segments_of(root.body.block)):
        changed = True
    if changed:
        for segment in segments_of(root.body.block):
            drop_repeated_guards(segment)


@dataclass(frozen=True)
class SliceGeneratorsPass(ModulePass):
    """Read slices of sparse arrays where indices are fixed."""

    name = "slice-generators"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Slice the generators of every comprehension."""
        for root in roots_in(op):
            _slice(root)
