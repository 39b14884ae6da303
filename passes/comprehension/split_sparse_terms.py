"""Add the terms that a sparse array contributes to a dense one where it stores elements.

Works at the comprehension level.

```mlir
%R = comprehension.build (%n) : !dense {      %D = comprehension.build (%n) : !dense {
  %i = comprehension.range %zero to %last       %i = comprehension.range %zero to %last
  // %v = V[i], of a sparse array               comprehension.yield (%i) %minus_s
  %r = arith.subf %v, %s : f64                }
  comprehension.yield (%i) %r           ==>   %R = comprehension.merge add %D : !dense {
}                                               %i, %v = comprehension.each %V : !sparse
                                                comprehension.yield (%i) %v
                                              }
```

The dense part does not look at the sparse array any more, and the correction costs what that
stores. The value must be a sum, up to factors, of terms that are zero where the array is and of
terms without it, of which one reads another array: else nothing is gained. The rows of the
correction are those of the dense part in which the array stores an element: all tests are the
same, so none may depend on the element, and the indices of the array must determine the row.
The sum is reordered, but terms that may cancel are not torn apart (sparse_terms.py), unless with
`fast-math`.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension, monoids
from diablo.dialects.comprehension import BagType
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located, remark
from diablo.dialects.tensor_block import is_sparse
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.sparsity.sparse_terms import Term, dependents, emit_sum, split_sum
from diablo.passes.analyses.values.comprehension_structure import Root, is_of_a_row, roots_in
from diablo.passes.analyses.values.determined_values import DeterminedValues
from diablo.passes.analyses.values.dimensions import dimensions, read_dimensions_around
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form, write_linear_form
from diablo.passes.comprehension.comprehension_normalize import remove_dead
from diablo.passes.comprehension.eliminate_ranges import eliminate_ranges
from diablo.passes.comprehension.sparse_corrections import correction

Array = comprehension.BuildOp | comprehension.MergeOp


def yield_sum(root: Array, terms: list[Term]) -> None:
    """Let `root` yield a sum of terms, at the keys that it has."""
    head = root.body.block.last_op
    assert isinstance(head, comprehension.YieldOp)
    ops, value = emit_sum(terms)
    new = comprehension.YieldOp(list(head.keys), [value])
    root.body.block.insert_ops_before([located(op, head) for op in (*ops, new)], head)
    root.body.block.erase_op(head)


def _split(root: Array, each: comprehension.EachOp, fast_math: bool) -> None:
    """Split the terms of one array off. Raises `Refused` if that cannot be."""
    block, element = root.body.block, each.elements[-1]
    head = block.last_op
    assert isinstance(head, comprehension.YieldOp)
    varying = dependents(element, block)
    for op in block.ops:
        decides = isinstance(op, comprehension.GuardOp | comprehension.RangeOp)
        if decides and any(value in varying for value in op.operands):
            raise Refused("an element decides which rows there are")
    if any(key in varying for key in head.keys):
        raise Refused("an element decides what is written")
    added = root.properties.get("monoid") is not None
    vanishing, rest = split_sum(head.values[0], element, added=added, fast_math=fast_math)
    read_dimensions_around(root)
    if not vanishing or not any(_reads(term, block) for term in rest):
        raise Refused("nothing else is read")
    determined = DeterminedValues(list(block.ops), head.keys)
    if not added and not determined.unique():
        raise Refused("an index may be written more than once")
    extents = _extents(each)
    update = correction(root, each, vanishing)
    if update is None:
        raise Refused("its indices do not determine the row")
    name = each.collection.name_hint or "the array"
    remark(each, f"{name} is zero where it stores nothing: its terms are added where it does")
    yield_sum(root, rest)
    remove_dead(block)
    _run_over_all(root, each, extents)
    result = root.result
    merge = located(comprehension.MergeOp(result, update, "add"), root)
    Rewriter.insert_op(merge, InsertPoint.after(root))
    merge.result.name_hint = result.name_hint
    result.replace_uses_with_if(merge.result, lambda use: use.operation is not merge)


def _reads(term: Term, block: Block) -> bool:
    """Return whether an element of an array, or a nested comprehension, is part of a term."""
    pending, seen = [term.value, *term.factors], set[SSAValue]()
    while pending:
        value = pending.pop()
        owner = value.owner
        if value in seen or not isinstance(owner, Operation) or owner.parent is not block:
            continue
        seen.add(value)
        if isinstance(owner, Root) or (
            isinstance(owner, comprehension.EachOp) and value is owner.elements[-1]
        ):
            return True
        pending += used_values(owner)
    return False


def _extents(each: comprehension.EachOp) -> list[LinearForm]:
    """The dimensions of an array. Raises `Refused` if they are not known."""
    found = [size for size in dimensions(each.collection) if size is not None]
    if len(found) < len(each.elements) - 1:
        raise Refused("its dimensions are not known here")
    return [linear_form(size) for size in found]


def _run_over_all(root: Array, each: comprehension.EachOp, extents: list[LinearForm]) -> None:
    """Let ranges bind the indices of a generator whose elements nothing reads."""
    block = root.body.block
    for index, extent in zip(each.elements[:-1], extents, strict=True):
        ops: list[Operation] = []
        first = write_linear_form(LinearForm(), ops.append)
        last = write_linear_form(extent - 1, ops.append)
        Rewriter.insert_op([located(op, each) for op in ops], InsertPoint.before(root))
        range = located(comprehension.RangeOp(first, last), each)
        block.insert_op_before(range, each)
        range.index.name_hint = index.name_hint
        index.replace_all_uses_with(range.index)
    block.erase_op(each)
    eliminate_ranges(block, silent=True)


def _candidates(root: Array) -> list[comprehension.EachOp]:
    """The generators over all indices of sparse arrays, if `root` makes a dense array of sums."""
    type = as_array(root.result.type)
    if type is None or is_sparse(root.result.type) or is_of_a_row(root.result):
        return []
    element = type.get_element_type()
    ops = list(root.body.block.ops)
    monoid = root.monoid if isinstance(root, comprehension.MergeOp) else None
    if element == i1 or not monoids.accepts("add", element):
        return []
    if monoid is not None and not monoid_named(monoid.data).is_sum:
        return []
    if any(isinstance(op, comprehension.GroupByOp) for op in ops):
        return []
    return [
        op
        for op in ops
        if isinstance(op, comprehension.EachOp)
        and op.full is not None
        and not isinstance(op.collection.type, BagType)
        and is_sparse(op.collection.type)
        and not is_of_a_row(op.collection)
        and op.elements[-1].first_use is not None
    ]


@dataclass(frozen=True)
class SplitSparseTermsPass(ModulePass):
    """Add the terms that a sparse array contributes where it stores elements.

    With `fast-math`, also those that may cancel with others.
    """

    name = "split-sparse-terms"

    fast_math: bool = False
    """Split terms that may cancel with others, too."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Split the sums of every array that is built or updated."""
        for root in roots_in(op):
            if not isinstance(root, Array):
                continue
            for each in _candidates(root):
                try:
                    _split(root, each, self.fast_math)
                except Refused as why:
                    name = each.collection.name_hint or "the array"
                    remark(each, f"the terms of {name} are not split off: {why}")
