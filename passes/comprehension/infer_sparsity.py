"""Iterate over the stored elements of a sparse array only, wherever that is the same.

Reads and writes the comprehension level in normal form. A generator over all indices
(`each full`, from `<=` or from reading `A[i, j]`) of a sparse array becomes one over the
stored elements if a row with the implicit value adds nothing to the result:

```mlir
%s = comprehension.aggregate add : f64 {
  %i, %a = comprehension.each %A full : tensor<?xf64, #tensor_block.tiles<dense = 0>>
  %j, %b = comprehension.each %B full : tensor<?xf64>
  %p = arith.cmpi eq, %i, %j : index
  comprehension.guard %p
  %v = arith.mulf %a, %b : f64           // 0 * %b is 0, which adds nothing
  comprehension.yield %v
}
```

loses the first `full`. It is found out by evaluating the body on the implicit value: with what
annihilates or leaves alone each operator, the identity of each monoid (for one of the program's
own, its body), the bounds of values and the guards (`passes/analyses`). Which zeros a sparse
result stores is not part of its value: a row that would store a zero explicitly in a sparse
`build` is skipped as well. An array over a region with a *fill*, the value that it has
elsewhere, is read as `select(R[i], A[i], fill)`: where the fill adds nothing (1 in a product,
infinity in a minimum), only the stored elements of the region are visited.

Each decision is a remark, and so is an intersection of stored elements, and a union that would
do where a single array does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from diablo.dialects import comprehension
from diablo.dialects.locations import remark
from diablo.dialects.tensor_block import is_sparse
from diablo.passes.analyses.sparsity.implicit_values import Folds, superfluous_when_implicit
from diablo.passes.analyses.sparsity.patterns import is_stored_only
from diablo.passes.analyses.values.comprehension_structure import roots_in
from diablo.passes.analyses.values.determined_values import segments_of
from diablo.passes.analyses.values.index_equalities import IndexEqualities


def _array_name(each: comprehension.EachOp) -> str:
    return each.collection.name_hint or "the array"


def _names(generators: Sequence[comprehension.EachOp]) -> str:
    *most, last = (_array_name(each) for each in generators)
    return f"{', '.join(most)} and {last}"


def _infer(segment: Sequence[Operation], generators: Sequence[comprehension.EachOp]) -> None:
    """Decide the generators over all indices of sparse arrays of one segment, and say so."""
    folds: Folds = {}
    stored: list[comprehension.EachOp] = []
    pending, changed = list(generators), True
    while changed:
        changed = False
        for each in list(pending):
            found = superfluous_when_implicit([each])
            # A group of rows skipped for different reasons would be one that no reason speaks of.
            if found is None or (found.folds and folds and found.folds != folds):
                continue
            each.full = None
            stored.append(each)
            pending.remove(each)
            # Of a region is known now that its element is true, which may decide on others.
            changed = True
            folds = found.folds or folds
            remark(each, f"only stored elements of {_array_name(each)} are visited: {found.reason}")
    if len(stored) > 1:
        remark(stored[0], f"the rows are in the intersection of {_names(stored)}")
    _explain(segment, pending)


def _explain(segment: Sequence[Operation], left: Sequence[comprehension.EachOp]) -> None:
    """Say why generators over all indices stay, and what would do."""
    equalities = IndexEqualities([op for op in segment if isinstance(op, comprehension.GuardOp)])
    everywhere: list[comprehension.EachOp] = []
    for each in left:
        name, indices = _array_name(each), each.elements[:-1]
        binder = next(
            (
                op
                for op in segment
                if isinstance(op, comprehension.EachOp)
                and is_stored_only(op)
                and len(op.elements) == len(each.elements)
                and all(map(equalities.equal, op.elements[:-1], indices))
            ),
            None,
        )
        if binder is not None:
            remark(each, f"{name} is read where {_array_name(binder)} stores elements")
            continue
        everywhere.append(each)
        remark(each, f"all indices of sparse {name} are visited: its zeros can change the result")
    if len(everywhere) > 1 and superfluous_when_implicit(everywhere) is not None:
        remark(everywhere[0], f"the union of the stored elements of {_names(everywhere)} would do")


@dataclass(frozen=True)
class InferSparsityPass(ModulePass):
    """Skip implicit values where they cannot change the result."""

    name = "infer-sparsity"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Decide every generator over all indices of a sparse array."""
        for root in roots_in(op):
            for segment in segments_of(root.body.block):
                generators = [
                    each
                    for each in segment
                    if isinstance(each, comprehension.EachOp)
                    and each.full is not None
                    and is_sparse(each.collection.type)
                ]
                if generators:
                    _infer(segment, generators)
