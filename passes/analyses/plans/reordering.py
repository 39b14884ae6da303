"""Analysis: which ops of a block may change places, and what moves with an op that moves up.

Two ops may change places unless both do something to the same thing in an order that matters:

* both have effects, or one has effects and the other can trap (it would happen although the
  program fails before, or no longer happen because it fails first);
* both emit to one generator of a loop around them (`multiloop.emit`), which keeps the order.

Two ops that can trap may change places: either way the program fails. An emit is no effect but on
its generator, and on that of a loop within the op none at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator, RecursiveMemoryEffect

from diablo.dialects import multiloop
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.speculation import can_trap, is_pure


@dataclass(frozen=True)
class Conduct:
    """What an op does beside computing its results."""

    has_effects: bool
    can_trap: bool
    generators: frozenset[SSAValue]
    """The generators of loops around the op that it emits to."""

    @property
    def is_free(self) -> bool:
        """Whether the op does nothing else, so that it may change places with any other."""
        return not (self.has_effects or self.can_trap or self.generators)


def conduct(op: Operation) -> Conduct:
    """Find what an op, with all that its regions hold, does beside computing its results."""
    emits = [inner for inner in op.walk() if isinstance(inner, multiloop.EmitOp)]
    outer = {e.generator for e in emits if not op.is_ancestor(e.generator.owner)}
    return Conduct(_has_effects(op), can_trap(op), frozenset(outer))


def does_nothing_else(op: Operation) -> bool:
    """Return whether an op only computes its results, so that without uses of these it may go."""
    found = conduct(op)
    return not found.has_effects and not found.generators


def _has_effects(op: Operation) -> bool:
    """Return whether an op has effects on anything but generators."""
    if isinstance(op, multiloop.EmitOp) or op.has_trait(IsTerminator) or is_pure(op):
        return False
    if not op.get_traits_of_type(RecursiveMemoryEffect):
        return True
    return any(
        _has_effects(inner)
        for region in op.regions
        for block in region.blocks
        for inner in block.ops
    )


def check_exchange(one: Conduct, other: Conduct) -> None:
    """Raise `Refused` unless two ops may change places, or take turns."""
    if one.generators & other.generators:
        raise Refused("both emit to one generator, in an order that it keeps")
    if one.has_effects and other.has_effects:
        raise Refused("both have effects, in an order of their own")
    if (one.has_effects and other.can_trap) or (other.has_effects and one.can_trap):
        raise Refused("one has effects, and the other can fail")


def needed_before(op: Operation, values: Iterable[SSAValue], target: Operation) -> list[Operation]:
    """Find what must move before `target`, an op above `op`, for `op` to move there.

    `values` are those that `op` will use there. Raises `Refused` if one of them hangs on a
    result of `target`, or if something may not change places with what it moves past.
    """
    needed = set(values)
    between: list[Operation] = []
    moving: set[Operation] = set()
    above = op.prev_op
    while above is not None and above is not target:
        between.append(above)
        if any(result in needed for result in above.results):
            moving.add(above)
            needed.update(used_values(above))
        above = above.prev_op
    if any(result in needed for result in target.results):
        raise Refused("it needs a result of that loop")
    passing = [conduct(op)]
    """What `op` and those that move with it do, as far as they pass what is further up."""
    for above in (*between, target):
        found = conduct(above)
        if above in moving:
            passing.append(found)
        elif not found.is_free:
            for other in passing:
                check_exchange(other, found)
    return [above for above in reversed(between) if above in moving]
