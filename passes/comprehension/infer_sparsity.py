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

loses the first `full`. Which zeros a sparse result stores is not part of its value: a row
that would store a zero explicitly in a sparse `build` is skipped as well. Each decision is
a remark.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from diablo.dialects import comprehension
from diablo.dialects.locations import remark
from diablo.dialects.tensor_block import is_sparse
from diablo.passes.analyses.implicit_values import superfluous_when_implicit


def _array_name(each: comprehension.EachOp) -> str:
    return each.collection.name_hint or "the array"


def _infer(each: comprehension.EachOp) -> None:
    """Decide one generator over all indices of a sparse array, and say so."""
    reason = superfluous_when_implicit(each)
    name = _array_name(each)
    if reason is None:
        message = f"all indices of sparse {name} are visited: its zeros can change the result"
    else:
        each.full = None
        message = f"only stored elements of {name} are visited: {reason}"
    remark(each, message)


@dataclass(frozen=True)
class InferSparsityPass(ModulePass):
    """Skip implicit values where they cannot change the result."""

    name = "infer-sparsity"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Decide every generator over all indices of a sparse array."""
        for each in op.walk():
            if (
                isinstance(each, comprehension.EachOp)
                and each.full is not None
                and is_sparse(each.collection.type)
            ):
                _infer(each)
