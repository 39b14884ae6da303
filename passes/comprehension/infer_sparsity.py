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
`build` is skipped as well. Each decision is a remark, and so is an intersection of stored
elements, and a union that would do where a single array does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from diablo.dialects import comprehension
from diablo.dialects.locations import remark
from diablo.dialects.tensor_block import is_sparse
from diablo.passes.analyses.determined_values import segments_of
from diablo.passes.analyses.implicit_values import Folds, superfluous_when_implicit
from diablo.passes.analyses.speculation import roots_in


def _array_name(each: comprehension.EachOp) -> str:
    return each.collection.name_hint or "the array"


def _names(generators: Sequence[comprehension.EachOp]) -> str:
    *most, last = (_array_name(each) for each in generators)
    return f"{', '.join(most)} and {last}"


def _infer(generators: Sequence[comprehension.EachOp]) -> None:
    """Decide the generators over all indices of sparse arrays of one segment, and say so."""
    folds: Folds = {}
    stored: list[comprehension.EachOp] = []
    for each in generators:
        found = superfluous_when_implicit([each])
        name = _array_name(each)
        # A group of rows skipped for different reasons would be one that no reason speaks of.
        if found is not None and (not found.folds or not folds or found.folds == folds):
            each.full = None
            stored.append(each)
            folds = found.folds or folds
            remark(each, f"only stored elements of {name} are visited: {found.reason}")
        else:
            remark(
                each,
                f"all indices of sparse {name} are visited: its zeros can change the result",
            )
    if len(stored) > 1:
        remark(stored[0], f"the rows are in the intersection of {_names(stored)}")
    left = [each for each in generators if each.full is not None]
    if len(left) > 1 and superfluous_when_implicit(left) is not None:
        remark(left[0], f"the union of the stored elements of {_names(left)} would do")


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
                    _infer(generators)
