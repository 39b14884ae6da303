"""Bring comprehensions to the normal form that the lowering to blocks expects.

Reads and writes the comprehension level. In the normal form

* elements are not read by `tensor.extract` but bound by `each full` and equality guards
  (identical reads share one generator);
* a comprehension over a `collect` that nothing else uses is one comprehension, and folding
  or counting a bag that is not a group is an `aggregate`;
* a guard tests one condition, not a conjunction, and stands right behind the generator
  that binds the last value it needs, unless it can trap: then it stays where it was;
* `comprehension.length` of a group is `reduce add` over ones, and a `group_by` collects
  only the values that are used.

```mlir
%i = comprehension.range %zero to %last
%j = comprehension.range %zero to %last
%a = tensor.extract %A[%i, %j] : tensor<?x?xf64>
```

becomes

```mlir
%i = comprehension.range %zero to %last
%j = comprehension.range %zero to %last
%i2, %j2, %a = comprehension.each %A full : tensor<?x?xf64>
%p = arith.cmpi eq, %i2, %i : index
comprehension.guard %p
%q = arith.cmpi eq, %j2, %j : index
comprehension.guard %q
```
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator

from diablo.passes.analyses.speculation import Root, is_pure
from diablo.passes.comprehension.normalize_bags import flatten, fold_bags
from diablo.passes.comprehension.normalize_groups import normalize_groups
from diablo.passes.comprehension.normalize_guards import float_guards, split_guards
from diablo.passes.comprehension.normalize_reads import expand_reads


def remove_dead(block: Block) -> bool:
    """Drop the pure ops of a body whose results nothing uses."""
    changed = False
    for op in reversed(list(block.ops)):
        if op.has_trait(IsTerminator) or not is_pure(op):
            continue
        if all(result.first_use is None for result in op.results):
            block.erase_op(op)
            changed = True
    return changed


_RULES = (
    split_guards,
    expand_reads,
    flatten,
    normalize_groups,
    float_guards,
    remove_dead,
)


def _roots(op: Operation) -> list[Root]:
    """The comprehensions in `op`, inner ones first."""
    return [inner for inner in op.walk(region_first=True) if isinstance(inner, Root)]


@dataclass(frozen=True)
class ComprehensionNormalizePass(ModulePass):
    """Flatten comprehensions, expand element reads, split and float guards."""

    name = "comprehension-normalize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Apply the rules until none applies; each makes the module smaller or more normal."""
        changed = True
        while changed:
            changed = fold_bags(op)
            for root in _roots(op):
                if root.parent is not None:
                    for rule in _RULES:
                        changed |= rule(root.body.block)
            for collected in _roots(op):
                parent = collected.parent
                if parent is not None and collected.result.first_use is None:
                    parent.erase_op(collected)
                    changed = True
