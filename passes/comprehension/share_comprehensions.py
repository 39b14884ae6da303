"""Compute equal comprehensions once.

Works at the comprehension level.

```mlir
%s = comprehension.aggregate add : f64 {      %s = comprehension.aggregate add : f64 {
  %i, %a = comprehension.each %A                %i, %a = comprehension.each %A
  …                                             …
}                                       ==>   }
%t = comprehension.aggregate add : f64 {      // %s takes the place of %t
  %i, %a = comprehension.each %A
  …
}
```

Unlike `cse`, this pass does not mind in which order generators, guards and the operands of
commutative ops stand. The first of two must stand where the second sees it; in a
comprehension, what is computed above a `group_by` is not seen below.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import IsolatedFromAbove

from diablo.dialects import comprehension
from diablo.dialects.locations import remark
from diablo.passes.analyses.speculation import Root
from diablo.passes.analyses.structural_keys import StructuralKeys


def _share(block: Block, keys: StructuralKeys, visible: dict[int, SSAValue]) -> None:
    """Share what `block` computes; `visible` has the comprehensions that it sees, by keys."""
    known = dict(visible)
    for op in list(block.ops):
        if isinstance(op, comprehension.GroupByOp):
            known = dict(visible)
        inside = {} if op.has_trait(IsolatedFromAbove) else known
        for region in op.regions:
            for inner in region.blocks:
                _share(inner, keys, inside)
        if not isinstance(op, Root):
            continue
        key = keys.root(op)
        value = known.setdefault(key, op.result)
        if value is not op.result:
            remark(op, "this is computed already, and not computed again")
            value.name_hint = value.name_hint or op.result.name_hint
            op.result.replace_all_uses_with(value)
            block.erase_op(op)


@dataclass(frozen=True)
class ShareComprehensionsPass(ModulePass):
    """Compute equal comprehensions once."""

    name = "share-comprehensions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Share comprehensions in every block and those inside it."""
        _share(op.body.block, StructuralKeys(), {})
