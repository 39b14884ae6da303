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
commutative ops stand. The first of two must stand where the second sees it: outside of
branches, loops and comprehensions around the first; in a comprehension, what is computed above
a `group_by` is not seen below. A remark says where that prevents sharing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import IsolatedFromAbove

from diablo.dialects import comprehension
from diablo.dialects.locations import remark
from diablo.passes.analyses.values.comprehension_structure import Root
from diablo.passes.analyses.values.structural_keys import StructuralKeys


@dataclass
class _Sharing:
    """The comprehensions of a module that have been seen, by keys."""

    keys: StructuralKeys = field(default_factory=StructuralKeys)
    hidden: dict[int, str] = field(default_factory=dict[int, str])
    """Those that are not visible any more, and where they stand."""

    def share(self, block: Block, visible: dict[int, SSAValue]) -> None:
        """Share what `block` computes; `visible` has the comprehensions that it sees."""
        known = dict(visible)
        for op in list(block.ops):
            if isinstance(op, comprehension.GroupByOp):
                self._hide(known, visible, "above the group_by")
                known = dict(visible)
            inside = {} if op.has_trait(IsolatedFromAbove) else known
            for region in op.regions:
                for inner in region.blocks:
                    self.share(inner, inside)
            if isinstance(op, Root):
                self._share_one(op, known)
        place = "in another branch or loop"
        if isinstance(block.parent_op(), Root):
            place = "in another comprehension"
        self._hide(known, visible, place)

    def _hide(self, known: dict[int, SSAValue], visible: dict[int, SSAValue], where: str) -> None:
        self.hidden |= {key: where for key in known if key not in visible}

    def _share_one(self, op: Root, known: dict[int, SSAValue]) -> None:
        key = self.keys.root(op)
        value = known.setdefault(key, op.result)
        if value is not op.result:
            remark(op, "this is computed already, and not computed again")
            value.name_hint = value.name_hint or op.result.name_hint
            op.result.replace_all_uses_with(value)
            Rewriter.erase_op(op)
        elif key in self.hidden:
            remark(op, f"this is computed again: the same stands {self.hidden[key]}")


@dataclass(frozen=True)
class ShareComprehensionsPass(ModulePass):
    """Compute equal comprehensions once."""

    name = "share-comprehensions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Share comprehensions in every block and those inside it."""
        _Sharing().share(op.body.block, {})
