"""In which block a value is defined: that of its op, or the one that it is an argument of."""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue


def block_of(value: SSAValue) -> Block | None:
    """Return the block in which a value is defined; None if its op is in none."""
    owner = value.owner
    return owner if isinstance(owner, Block) else owner.parent


def is_made_in(value: SSAValue, block: Block) -> bool:
    """Return whether `value` is made in `block` or in a region of one of its ops."""
    made = block_of(value)
    while made is not None and made is not block:
        made = made.parent_block()
    return made is not None


def is_made_inside(value: SSAValue, op: Operation) -> bool:
    """Return whether `value` is made in a region of `op`: by an op there, or as an argument."""
    block = block_of(value)
    return block is not None and op.is_ancestor(block)


def is_before(value: SSAValue, op: Operation) -> bool:
    """Return whether a value that is known somewhere behind `op` is known there as well."""
    owner = value.owner
    if isinstance(owner, Block) or owner.parent is not op.parent:
        return True
    return owner.is_before_in_block(op)
