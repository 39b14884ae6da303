"""Take an array itself where a comprehension only copies it.

Works at the comprehension level.

```mlir
%B = comprehension.build (%n) : !vector {
  %i, %a = comprehension.each %A : !vector
  %p = arith.cmpi slt, %i, %n : index         ==>    // %A takes the place of %B
  comprehension.guard %p
  comprehension.yield (%i) %a
}
```

The result must be stored as the array is, and have its dimensions; guards must follow from the
bounds of the indices. Slices (`A[:,k]`) come to this once `slice-generators` has made them.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from diablo.dialects import comprehension
from diablo.dialects.locations import remark
from diablo.dialects.predicates import predicate_of, sum_of_order
from diablo.passes.analyses.values.comprehension_structure import roots_in
from diablo.passes.analyses.values.dimensions import dimensions
from diablo.passes.analyses.values.index_bounds import is_at_least
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form
from diablo.passes.analyses.values.speculation import is_pure


def _copied(root: comprehension.BuildOp) -> SSAValue | None:
    """The array that a comprehension copies, if that is all it does."""
    first, *rest = root.body.block.ops
    if not isinstance(first, comprehension.EachOp) or first.full is not None:
        return None
    array, end = first.collection, rest.pop()
    if array.type != root.result.type or not isinstance(end, comprehension.YieldOp):
        return None
    *indices, element = first.elements
    if [linear_form(key) for key in end.keys] != [linear_form(index) for index in indices]:
        return None
    if list(end.values) != [element] or not all(map(_always_holds, rest)):
        return None
    own = dimensions(array)
    same = all(
        extent is not None and _same_extent(extent, dim)
        for extent, dim in zip(own, root.dims, strict=True)
    )
    return array if same else None


def _same_extent(extent: SSAValue, dim: SSAValue) -> bool:
    """Return whether a dimension of a result is that of an array, which is never negative."""
    one, other = linear_form(extent), linear_form(dim)
    return is_at_least(one, other) and is_at_least(other, one)


def _always_holds(op: Operation) -> bool:
    """Return whether `op` keeps every row: it is a guard that bounds imply, or none."""
    if not isinstance(op, comprehension.GuardOp):
        return is_pure(op)
    test = op.condition.owner
    if not isinstance(test, arith.CmpiOp):
        return False
    found = sum_of_order(predicate_of(test), linear_form(test.lhs), linear_form(test.rhs))
    return found is not None and is_at_least(found, LinearForm())


@dataclass(frozen=True)
class DropCopiesPass(ModulePass):
    """Take an array itself where a comprehension only copies it."""

    name = "drop-copies"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at every comprehension that builds an array."""
        for root in roots_in(op):
            if not isinstance(root, comprehension.BuildOp):
                continue
            array = _copied(root)
            block = root.parent
            if array is None or block is None:
                continue
            remark(root, f"this is a copy of {array.name_hint or 'an array'}, which is used itself")
            root.result.replace_all_uses_with(array)
            block.erase_op(root)
