"""Read an array, or a map, once where two generators are at the same index.

Works at the comprehension level.

```mlir
%i, %a = comprehension.each %A : tensor<?xf64>          %i, %a = comprehension.each %A
%j, %b = comprehension.each %A : tensor<?xf64>    ==>   // %i and %a take the place
%p = arith.cmpi eq, %j, %i : index                      // of %j and %b
comprehension.guard %p
```

The equality may come about through a third index: the generators that `A[i]` in two statements
stand for are both tied to `%i`. A guard that has become trivial, or that repeats another, goes
away too. If one of the generators runs over stored elements only, so does the one that is left.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from diablo.dialects import comprehension
from diablo.dialects.locations import remark
from diablo.passes.analyses.values.comprehension_structure import roots_in
from diablo.passes.analyses.values.determined_values import identity_columns, segments_of
from diablo.passes.analyses.values.index_equalities import (
    IndexEqualities,
    drop_repeated_guards,
    fails_before_tests,
)


def _follows_from(equalities: IndexEqualities, first: Operation, second: Operation) -> bool:
    """Return whether two generators over one collection are always at the same element."""
    ours, others = identity_columns(first), identity_columns(second)
    if not ours or not others:
        return False
    return all(equalities.equal(a, b) for a, b in zip(ours, others, strict=True))


def _replace(first: comprehension.EachOp, second: comprehension.EachOp) -> None:
    """Let `first` stand for `second` too."""
    if second.full is None:
        first.full = None
    for old, new in zip(second.elements, first.elements, strict=True):
        hint = new.name_hint or old.name_hint
        old.replace_all_uses_with(new)
        new.name_hint = hint
    remark(first, "this generator stands for another one at the same index")
    second.detach()
    second.erase()


def _merge(segment: list[Operation], refused: set[Operation]) -> bool:
    """Merge two generators; `refused` are those of which has been said why they stay."""
    guards = [op for op in segment if isinstance(op, comprehension.GuardOp)]
    equalities = IndexEqualities(guards)
    seen: list[comprehension.EachOp] = []
    for op in segment:
        if not isinstance(op, comprehension.EachOp):
            continue
        for first in seen:
            if first.collection is not op.collection or op in refused:
                continue
            if _follows_from(equalities, first, op):
                if not fails_before_tests(segment, op, identity_columns(op) or ()):
                    _replace(first, op)
                    return True
                refused.add(op)
                remark(op, "this generator stays: an operation in front of its test can fail")
        seen.append(op)
    return False


@dataclass(frozen=True)
class MergeGeneratorsPass(ModulePass):
    """Let one generator do for two that are at the same index."""

    name = "merge-generators"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Merge generators until there are no two that are at the same index."""
        for root in roots_in(op):
            block, refused = root.body.block, set[Operation]()
            changed = False
            while any(_merge(segment, refused) for segment in segments_of(block)):
                changed = True
            if changed:
                for segment in segments_of(block):
                    drop_repeated_guards(segment)
