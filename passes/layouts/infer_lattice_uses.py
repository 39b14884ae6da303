"""Find out what a program asks of the index sets of its sparse arrays.

Works at the `tensor_block` level, on the whole program. Every argument and op that makes a
sparse array gets an attribute; the arrays of one *region* (index set) get equal ones.

```mlir
%E = tensor_block.from_bag %rows … -> !sparse   ==>   … {sparse_storage.uses =
%Q = tensor_block.reduce add                            #sparse_storage.uses<"E",
    parallel(d0 < %n) reduced(d1 < %n)                      orders = [[1, 0]]>} … -> !sparse
    ins(%P[d1] : …, %E[d1, d0] : !sparse) …
```

Here every element of the product is a sum over a column of `E`, so `E` is iterated by columns.
The option `summary` prints, to standard error, which fields of the lattice of A-ZPL (a node
for each index with links to its neighbours, and dummy nodes at the ends of its lists) that
takes.

`choose-layouts` turns the uses into layouts.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, OpResult
from xdsl.passes import ModulePass

from diablo.dialects.locations import remark
from diablo.passes.analyses.sparsity.lattice_uses import Asked, Uses, all_asked, lattice_uses
from diablo.passes.layouts.annotations import USES, annotate
from diablo.passes.layouts.lattice_summary import lattice_summary
from diablo.passes.layouts.spelling import dimensions_in_words, order_in_words


@dataclass(frozen=True)
class InferLatticeUsesPass(ModulePass):
    """Find out what a program asks of the index sets of its sparse arrays."""

    name = "infer-lattice-uses"
    summary: bool = False
    """Print which fields of the lattice of A-ZPL the uses take, to standard error."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Annotate what makes sparse arrays."""
        found = lattice_uses(op)
        for uses in found:
            attribute = uses.attribute
            for value in uses.region.values:
                if isinstance(value, BlockArgument | OpResult):
                    annotate(value, USES, attribute)
        _explain(op, found)
        if self.summary:
            for uses in found:
                region = uses.region
                sys.stderr.write(lattice_summary(uses.attribute, region.rank, region.arrays))


def _explain(module: ModuleOp, found: list[Uses]) -> None:
    """Say at each op what it asks for that compressed rows do not give."""
    names = {value: uses.region.name for uses in found for value in uses.region.values}
    for asked in all_asked(module):
        for what in _unusual(asked):
            remark(asked.op, f"{names[asked.array]} is {what}")


def _unusual(asked: Asked) -> list[str]:
    use = asked.use
    said: list[str] = []
    if use.order is not None and list(use.order) != sorted(use.order):
        said.append(f"iterated {order_in_words(use.order)} here")
    if use.slice:
        said.append(f"sliced here at an index of {dimensions_in_words(use.slice)}")
    if use.random:
        said.append("looked into here at single indices")
    return said
