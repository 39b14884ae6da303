"""Bring comprehensions to the normal form that the lowering to blocks expects.

Reads and writes the comprehension level. In the normal form

* elements are not read by `tensor.extract` but bound by `each full` and equality guards
  (identical reads share one generator);
* a comprehension over a `collect` that nothing else uses is one comprehension, and folding
  or counting a bag that is not a group is an `aggregate`;
* a guard tests one condition, not a conjunction (`move-guards` brings it where it belongs);
* `comprehension.length` of a group is `reduce add` over ones, the fold of a function of its
  values a `reduce` over what was computed before, and a `group_by` makes only bags that are
  used;
* a list of one row, written down, is that row, and so is a comprehension without qualifiers;
* a range that goes down goes up where the order of its rows makes no difference;
* an array of numbers that is built from a list without rows is built from zeros.

A `collect` stays if it is read more than once, in a loop, or by a generator behind others
while its rows are not cheap to compute again.

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
from xdsl.ir import Block
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator

from diablo.passes.analyses.values.comprehension_structure import roots_in
from diablo.passes.analyses.values.speculation import is_pure
from diablo.passes.comprehension.empty_lists import fill_empty
from diablo.passes.comprehension.normalize_bags import (
    explain_bags,
    flatten,
    fold_bags,
    inline_single_rows,
)
from diablo.passes.comprehension.normalize_groups import normalize_groups
from diablo.passes.comprehension.normalize_guards import split_guards
from diablo.passes.comprehension.normalize_ranges import turn_ranges
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
    turn_ranges,
    expand_reads,
    flatten,
    normalize_groups,
    remove_dead,
)


@dataclass(frozen=True)
class ComprehensionNormalizePass(ModulePass):
    """Flatten comprehensions, expand element reads, split guards."""

    name = "comprehension-normalize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Apply the rules until none applies; each makes the module smaller or more normal."""
        changed = True
        while changed:
            changed = fold_bags(op)
            changed |= inline_single_rows(op)
            changed |= fill_empty(op)
            for root in roots_in(op):
                if root.parent is not None:
                    for rule in _RULES:
                        changed |= rule(root.body.block)
            for collected in roots_in(op):
                parent = collected.parent
                if parent is not None and collected.result.first_use is None:
                    parent.erase_op(collected)
                    changed = True
        explain_bags(op)
