"""Find ops that nothing needs, and drop them: as xDSL does, but each class of ops is asked once.

    %a = arith.addi %x, %y : i64     // used by nothing: dropped
    memref.store %x, %m[] : …        // has an effect: kept, and what it uses

What a class of ops has for traits does not change, and most say all that is to know; only of ops
whose effects are those of their regions, or hang on more than their class, each one is asked.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from enum import Enum, auto
from functools import cache

from xdsl.ir import Operation, Region
from xdsl.ir.post_order import PostOrderIterator
from xdsl.pattern_rewriter import PatternRewriterListener
from xdsl.traits import (
    IsTerminator,
    MemoryEffect,
    MemoryEffectKind,
    MemoryReadEffect,
    NoMemoryEffect,
    RecursiveMemoryEffect,
    SymbolOpInterface,
    get_effects,
)
from xdsl.transforms.dead_code_elimination import result_only_effects

from diablo.dialects.effects import WITHOUT_EFFECT


class Effects(Enum):
    """What the traits of a class say of the effects of its ops."""

    NONE = auto()
    READS = auto()
    """They read, if they have any effect."""
    REGIONS = auto()
    """They have those of the ops in their regions."""
    OWN = auto()
    """Each op has its own."""
    UNKNOWN = auto()


@cache
def effects_of(kind: type[Operation]) -> Effects:
    """Return what is known of the effects of all ops of a class."""
    if issubclass(kind, WITHOUT_EFFECT):
        return Effects.NONE
    traits = kind.get_traits_of_type(MemoryEffect)
    if not traits:
        return Effects.UNKNOWN
    if all(isinstance(trait, NoMemoryEffect) for trait in traits):
        return Effects.NONE
    if all(isinstance(trait, NoMemoryEffect | MemoryReadEffect) for trait in traits):
        return Effects.READS
    if all(type(trait) is RecursiveMemoryEffect for trait in traits):
        return Effects.REGIONS
    return Effects.OWN


@cache
def _may_go(kind: type[Operation]) -> bool:
    """Whether an op of a class may be dropped at all."""
    return effects_of(kind) is not Effects.UNKNOWN and not (
        kind.has_trait(IsTerminator, value_if_unregistered=False)
        or kind.has_trait(SymbolOpInterface, value_if_unregistered=False)
    )


def would_be_dead(op: Operation) -> bool:
    """Return whether nothing would notice the loss of `op` if nothing used its results."""
    return _may_go(type(op)) and _only_gives_results(op)


def is_dead(op: Operation) -> bool:
    """Return whether nothing notices the loss of `op`."""
    if not _may_go(type(op)):
        return False
    return all(result.first_use is None for result in op.results) and _only_gives_results(op)


def _only_gives_results(op: Operation) -> bool:
    known = _only_reads(op)
    return result_only_effects(op) if known is None else known


def _only_reads(op: Operation) -> bool | None:
    """Whether an op, with those in its regions, only reads; None if its class does not tell."""
    effects = effects_of(type(op))
    if effects is Effects.NONE or effects is Effects.READS:
        return True
    if effects is Effects.UNKNOWN:
        return False
    if effects is Effects.OWN:
        return _reads_itself(op)
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                known = _only_reads(inner)
                if not known:
                    return known
    return True


def _reads_itself(op: Operation) -> bool | None:
    """Whether an op only reads; None if it allocates, which may be for an op around it alone."""
    effects = get_effects(op)
    kinds = {MemoryEffectKind.WRITE} if effects is None else {effect.kind for effect in effects}
    if kinds <= {MemoryEffectKind.READ}:
        return True
    return None if kinds <= {MemoryEffectKind.READ, MemoryEffectKind.ALLOC} else False


def erase_dead(region: Region, listener: PatternRewriterListener | None = None) -> bool:
    """Erase the ops and blocks of a region that nothing needs; return whether there were any.

    What an op uses is needed if the op is, also within an op that is not needed itself.
    """
    needed: set[Operation] = set()
    waiting: list[Operation] = []
    for op in _reached(region):
        if not would_be_dead(op):
            needed.add(op)
            waiting.append(op)
    while waiting:
        for operand in waiting.pop().operands:
            maker = operand.owner
            if isinstance(maker, Operation) and maker not in needed:
                needed.add(maker)
                waiting.append(maker)
    return _keep(region, needed, listener)


def _reached(region: Region) -> Iterator[Operation]:
    """The ops in the blocks of a region that control reaches, and in the regions of these."""
    first = region.first_block
    if first is None:
        return
    for block in (first,) if first.next_block is None else PostOrderIterator(first):
        for op in block.ops:
            yield op
            for inner in op.regions:
                yield from _reached(inner)


def _keep(
    region: Region, needed: Container[Operation], listener: PatternRewriterListener | None
) -> bool:
    """Erase all ops of a region but those that are needed, and the blocks left without any."""
    first = region.first_block
    changed = False
    for block in reversed(region.blocks):
        if block is not first and not any(op in needed for op in block.ops):
            region.erase_block(block, safe_erase=False)
            changed = True
            continue
        for op in reversed(block.ops):
            if op in needed:
                for inner in op.regions:
                    changed |= _keep(inner, needed, listener)
                continue
            if listener is not None:
                listener.handle_operation_removal(op)
            block.erase_op(op, safe_erase=False)
            changed = True
    return changed
