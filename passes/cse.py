"""`cse`: let equal ops be computed once.

    %a = arith.addi %x, %y : i64
    %b = arith.addi %x, %y : i64     =>    %a twice

It does what xDSL's pass of this name does: of ops of one class with the same operands, attributes,
result types and regions the first in a block, or in one around it, stands for those behind it.
An op that reads does so for those in its block up to the next that may write. Keys are hashed
once, and what a block has found is forgotten at its end, where xDSL copies all that is known
before each region.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnregisteredOp
from xdsl.ir import Operation, Region
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    MemoryEffectKind,
    is_side_effect_free,
    only_has_effect,
)
from xdsl.transforms.common_subexpression_elimination import (
    has_other_side_effecting_op_in_between,
)

from diablo.passes.dead_ops import Effects, effects_of, is_dead


@dataclass(frozen=True)
class CommonSubexpressionEliminationPass(ModulePass):
    """Let equal ops be computed once."""

    name = "cse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run the pass."""
        search = _Search()
        for region in op.regions:
            search.simplify(region)
        search.erase()


class _Search:
    """What is known where the search is: the first op for each key."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Operation] = {}
        self._found: list[tuple[Hashable, Operation | None]] = []
        """The keys in the order in which they became known, and what was known of them before."""
        self._erased: list[Operation] = []

    def erase(self) -> None:
        """Erase what is not needed any more."""
        for op in self._erased:
            if op.parent is not None:
                Rewriter.erase_op(op)

    def simplify(self, region: Region) -> None:
        """Look at the ops of a region of one block."""
        first = region.first_block
        if first is None or first.next_block is not None:
            return
        before = len(self._found)
        for op in first.ops:
            if op.regions:
                self._simplify_inside(op)
            self._simplify_op(op)
        while len(self._found) > before:
            key, known = self._found.pop()
            if known is None:
                del self._known[key]
            else:
                self._known[key] = known

    def _simplify_inside(self, op: Operation) -> None:
        outside = self._known
        if op.has_trait(IsolatedFromAbove, value_if_unregistered=True):
            self._known = {}
        for region in op.regions:
            self.simplify(region)
        self._known = outside

    def _simplify_op(self, op: Operation) -> None:
        """Replace an op by an equal one if there is any so far."""
        if op.has_trait(IsTerminator):
            return
        if is_dead(op):
            self._erased.append(op)
            return
        if any(len(region.blocks) > 1 for region in op.regions):
            return
        free = _is_free(op)
        if not free and not only_has_effect(op, MemoryEffectKind.READ):
            return
        key = _key(op)
        existing = self._known.get(key)
        if existing is not None and (free or _reads_the_same(existing, op)):
            for old, new in zip(op.results, existing.results, strict=True):
                old.replace_all_uses_with(new)
            self._erased.append(op)
            return
        self._found.append((key, existing))
        self._known[key] = op


def _is_free(op: Operation) -> bool:
    """Whether an op has no effect."""
    effects = effects_of(type(op))
    return effects is Effects.NONE or (effects is not Effects.READS and is_side_effect_free(op))


def _reads_the_same(earlier: Operation, later: Operation) -> bool:
    """Whether nothing may write between two ops."""
    return earlier.parent is later.parent and not has_other_side_effecting_op_in_between(
        earlier, later
    )


def _key(op: Operation) -> Hashable:
    """What equal ops have in common."""
    key = (
        op.op_name.data if isinstance(op, UnregisteredOp) else op.name,
        *op.operands,
        None,
        *[result.type for result in op.results],
        frozenset(op.properties.items()),
        frozenset(op.attributes.items()),
    )
    return _KeyWithRegions(key, op.regions) if op.regions else key


class _KeyWithRegions:
    """A key, and regions that must be equal as well."""

    __slots__ = ("_hash", "key", "regions")

    def __init__(self, key: Hashable, regions: Sequence[Region]):
        self.key = key
        self.regions = regions
        self._hash = hash(key)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _KeyWithRegions)
            and self.key == other.key
            and len(self.regions) == len(other.regions)
            and all(
                one.is_structurally_equivalent(another)
                for one, another in zip(self.regions, other.regions, strict=True)
            )
        )
