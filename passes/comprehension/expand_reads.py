"""Turn the element reads of comprehensions into generators and guards.

Reads and writes the comprehension level. A read outside an array's dimensions drops the
iteration, also if nothing uses what it reads in the end (`A[i] * 0`): as a generator it
survives folding and the removal of dead ops, so this pass runs before these.

```mlir
%a = tensor.extract %A[%i] : tensor<?xf64>
```

becomes

```mlir
%i2, %a = comprehension.each %A full : tensor<?xf64>
%p = arith.cmpi eq, %i2, %i : index
comprehension.guard %p
```

An inner array of an array of arrays, as `A[k]` in `A[k][j]`, is read before the comprehension if
`k` does not vary with its rows (`read_inner_arrays.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from diablo.passes.analyses.values.comprehension_structure import roots_in
from diablo.passes.comprehension.normalize_reads import expand_reads
from diablo.passes.comprehension.read_inner_arrays import read_inner_arrays


@dataclass(frozen=True)
class ExpandReadsPass(ModulePass):
    """Turn element reads into generators and guards."""

    name = "expand-reads"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every comprehension, inner ones first."""
        read_inner_arrays(op)
        for root in roots_in(op):
            expand_reads(root.body.block)
