"""Analysis: in which iterations two accesses of a loop nest touch the same element.

for i = 1, n-1 do V[i] = V[i-1]

The element V[i-1] of one iteration is the V[i'] of another where i - 1 = i', between the bounds
of both. Two orders of the iterations differ for a pair of accesses if there are such iterations
that one order takes the other way round. An *order* is a set of loops that run in order: of two
iterations the first is the one that comes first in the outermost of these loops in which they
differ, or, if there is none, whose access stands first in the text.

Subscripts, bounds and the tests around an access are taken as linear sums (`integer_sums`); what
is no sum is a value of its own, the same in both iterations if it does not vary between them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerType, TensorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from diablo.dialects import comprehension, diablo
from diablo.dialects.bags import BagType
from diablo.dialects.effects import has_pure_result
from diablo.dialects.range_steps import step_of
from diablo.linear_sums import term
from diablo.passes.analyses.loops.integer_sums import (
    DEPTH,
    Facts,
    IntegerSums,
    Leaf,
    LeafSum,
    TwoRows,
    argument_extent,
)
from diablo.passes.analyses.loops.integer_systems import Sum, System
from diablo.passes.analyses.loops.loop_accesses import Access, Loop, Write, written_refs
from diablo.passes.analyses.loops.strides import Multiple, is_zero, taken_apart
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.speculation import DIVISIONS

_SPLITS = 4
"""How many alternatives are looked at that leave more than one choice: each doubles the systems."""
_TESTS = 4000
"""How many systems are looked at for one nest; after that everything may be."""


@dataclass(frozen=True)
class Place:
    """What tells the iterations of a loop apart: its index, or the place of a row.

    `sign` is 1 if later iterations have greater values, -1 if smaller ones, 0 if that is not
    known.
    """

    loop: Loop
    leaf: Leaf
    sign: int = 1

    @property
    def index(self) -> SSAValue | None:
        """The variable of the loop, if it is no row's place."""
        args = self.loop.body.block.args
        return next((arg for arg in args if arg is self.leaf.key), None)


@dataclass
class Dependences:
    """The dependences between the accesses of one nest."""

    nest: Loop
    _written: set[SSAValue] = field(default_factory=set[SSAValue])
    _tests: int = 0
    _contexts: dict[tuple[Operation, Loop], Facts] = field(
        default_factory=dict[tuple[Operation, Loop], Facts]
    )

    def __post_init__(self) -> None:
        self.sums = IntegerSums(self)
        self._written = {
            ref for op in self.nest.walk() if isinstance(op, Write) for ref in written_refs(op)
        }

    # --- Orders ------------------------------------------------------------------------------

    def differ(
        self, first: Access, second: Access, one: set[Loop], other: set[Loop]
    ) -> Conflict | None:
        """Return how the orders `one` and `other`, which has fewer loops, differ for two accesses.

        Of `other` no order is asked for where it has none for the two: if they are one op.
        """
        common = [loop for loop in first.loops if loop in second.loops]
        places = [place for loop in common for place in self.places(loop)]
        ordered = [n for n, place in enumerate(places) if place.loop in one]
        position = (first.position > second.position) - (first.position < second.position)
        for rank, number in enumerate(ordered):
            if places[number].loop in other:
                continue
            equal = [places[n] for n in ordered[:rank]]
            later = [places[n] for n in ordered[rank + 1 :] if places[n].loop in other]
            for sign in (-1, 1):
                chosen = [(places[number], sign)]
                if not self._touch(first, second, equal, chosen):
                    continue
                if position != sign and self._touch(first, second, [*equal, *later], chosen):
                    return Conflict(self, first, second, (*equal, *later), tuple(chosen))
                for k, place in enumerate(later):
                    turned = [*chosen, (place, -sign)]
                    before = [*equal, *later[:k]]
                    if self._touch(first, second, before, turned):
                        return Conflict(self, first, second, tuple(before), tuple(turned))
        return None

    def _touch(
        self,
        first: Access,
        second: Access,
        equal: Sequence[Place],
        apart: Sequence[tuple[Place, int]],
    ) -> bool:
        return bool(self.systems(first, second, equal, apart))

    def systems(
        self,
        first: Access,
        second: Access,
        equal: Sequence[Place],
        apart: Sequence[tuple[Place, int]],
    ) -> list[System]:
        """When both touch one element, in iterations that are equal or apart in some loops.

        One of the systems must hold: if there are none, they never do. -1 says that the first
        access is in the earlier iteration.
        """
        self._tests += 1
        if self._tests > _TESTS:
            return [System()]
        names = TwoRows(self._agreeing(equal, first))
        system, same, choices = System(), list[Sum](), list[list[list[Sum]]]()
        for number, access in enumerate((first, second)):
            context = self._context(access.op)
            system = names.holding(context, number, system)
            choices += names.choices(context, number)
        for mine, theirs in zip(first.keys, second.keys, strict=False):
            if _different_strings(mine, theirs):
                return []
            sides: list[Sum] = []
            for number, key in enumerate((mine, theirs)):
                total, facts = self.sums.sum(key)
                sides.append(names.of(total, number))
                system = names.holding(facts, number, system)
                choices += names.choices(facts, number)
            same.append(sides[0] - sides[1])
        for place in equal:
            system = system.and_zero(names.value(place.leaf, 0) - names.value(place.leaf, 1))
        for equation in same:
            system = system.and_zero(*taken_apart(equation, system))
        systems = [system]
        for place, sign in apart:
            ahead = names.value(place.leaf, 0) - names.value(place.leaf, 1)
            signs = (sign * place.sign,) if place.sign else (-1, 1)
            systems = [each.and_natural(ahead * s - 1) for each in systems for s in signs]
        return _possible(systems, choices)

    def _agreeing(self, equal: Sequence[Place], access: Access) -> set[Loop]:
        """The loops of which two iterations are the same.

        A variable of an iteration is touched in that iteration alone.
        """
        outer = self._loops_around(access.op).difference(access.loops)
        return {
            place.loop
            for place in equal
            if all(other in equal for other in self.places(place.loop))
        }.union(outer)

    def is_certain(self, first: Access, second: Access) -> bool:
        """Whether all that tells subscripts apart are indices of loops and what bounds these.

        Nothing is known of other values: a conflict that depends on them may be none.
        """
        known = set[Hashable]()
        for access in (first, second):
            known.update(place.leaf for loop in access.loops for place in self.places(loop))
            context = self._context(access.op)
            known.update(
                leaf for total in (*context.zero, *context.natural) for leaf in total.terms
            )
        for mine, theirs in zip(first.keys, second.keys, strict=False):
            one, other = self.sums.sum(mine)[0], self.sums.sum(theirs)[0]
            for leaf in {*one.terms, *other.terms}:
                equal = one.factor(leaf) == other.factor(leaf)
                same = equal and leaf.stable and not leaf.varies_in
                parts = leaf.key
                if isinstance(parts, Multiple):
                    same |= parts.of in known and parts.stride in known
                if not same and leaf not in known:
                    return False
        return True

    # --- Loops -------------------------------------------------------------------------------

    def places(self, loop: Loop) -> list[Place]:
        """Return what tells the iterations of a loop apart, the slowest first."""
        args = loop.body.block.args
        varies = frozenset([loop])
        if isinstance(loop, diablo.ForOp):
            step = constant_value(loop.by) if loop.by is not None else _step(loop)
            sign = 0 if not isinstance(step, int) else 1 if step > 0 else -1
            return [Place(loop, Leaf(args[0], varies), sign)]
        collection = loop.collection.type
        if isinstance(collection, TensorType):
            return [Place(loop, Leaf(index, varies)) for index in args[:-1]]
        if isinstance(collection, BagType) and collection.is_map:
            keys = args[: collection.keys.data]
            return [Place(loop, Leaf(key, varies), 0) for key in keys]
        return [Place(loop, Leaf(("row", loop), varies))]

    def _context(self, op: Operation) -> Facts:
        """Return what holds of the loops and tests around `op`."""
        found = self._contexts.get((op, self.nest))
        if found is not None:
            return found
        facts = Facts()
        inner: Operation = op
        parent = op.parent_op()
        while parent is not None and inner is not self.nest:
            if isinstance(parent, Loop):
                self._bounds(parent, facts)
            elif isinstance(parent, scf.IfOp):
                holds = inner.parent is not None and inner.parent.parent is parent.true_region
                self.sums.condition(parent.cond, facts, holds=holds)
            inner, parent = parent, parent.parent_op()
        self._contexts[op, self.nest] = facts
        return facts

    def _bounds(self, loop: Loop, facts: Facts) -> None:
        args = loop.body.block.args
        if isinstance(loop, diablo.ForOp):
            index = self.sums.known(args[0], facts)
            lower = self.sums.known(loop.lower, facts)
            upper = self.sums.known(loop.upper, facts)
            step = constant_value(loop.by) if loop.by is not None else _step(loop)
            if not isinstance(step, int) or step == 0:
                return
            sign = 1 if step > 0 else -1
            facts.natural += [(index - lower) * sign, (upper - index) * sign]
            if abs(step) != 1:
                count = term(Leaf(("count", loop), frozenset([loop])))
                facts.zero.append(index - lower - count * step)
        elif isinstance(loop.collection.type, TensorType):
            for axis, arg in enumerate(args[:-1]):
                index = self.sums.known(arg, facts)
                facts.natural += [index, self.extent(loop.collection, axis) - index - 1]

    # --- Values ------------------------------------------------------------------------------

    def extent(self, collection: SSAValue, axis: int) -> LeafSum:
        """A dimension of an array."""
        extent = argument_extent(collection, axis)
        if extent is not None:
            return extent
        owner = collection.owner
        # Writing an element leaves the dimensions as they are.
        if isinstance(owner, diablo.LoadOp) and self._is_read_at_start(owner, whole=True):
            return term(Leaf(("extent", owner.ref, axis), frozenset()))
        leaf = self.leaf(collection, DEPTH)
        return term(Leaf(("extent", leaf.key, axis), leaf.varies_in, leaf.stable))

    def _is_read_at_start(self, load: diablo.LoadOp, *, whole: bool) -> bool:
        """Return whether a load gives what a variable from outside has when the nest begins.

        If `whole`, elements may be written in between.
        """
        if load.indices or self._is_inside(load.ref.owner):
            return False
        writes = [
            use.operation
            for use in load.ref.uses
            if isinstance(use.operation, Write) and not (whole and use.operation.indices)
        ]
        if any(map(self._is_inside, writes)):
            return False
        return self._is_inside(load) or not any(self._is_between(load, op) for op in writes)

    def _is_between(self, start: Operation, op: Operation) -> bool:
        """Return whether an op may run after one outside of the nest, and before the nest."""
        block = start.parent
        end = None if block is None else block.find_ancestor_op_in_block(self.nest)
        around = None if block is None else block.find_ancestor_op_in_block(op)
        if end is None or around is None:
            return end is None
        return start.is_before_in_block(around) and not end.is_before_in_block(around)

    def definition(self, value: SSAValue) -> SSAValue | None:
        """Return what a variable begins with, if it still has that value."""
        read = value.owner
        if not isinstance(read, diablo.LoadOp) or read.indices:
            return None
        return self._only_value(read.ref)

    def _only_value(self, ref: SSAValue) -> SSAValue | None:
        """Return what a variable is in the nest, if that is what it begins with."""
        owner = ref.owner
        if not isinstance(owner, diablo.VarOp):
            return None
        inside = self._is_inside(owner)
        writes = [use.operation for use in ref.uses if isinstance(use.operation, Write)]
        if any(inside or self._is_inside(op) or self._is_between(owner, op) for op in writes):
            return None
        return owner.init

    def _is_inside(self, op: Operation | Block) -> bool:
        return isinstance(op, Operation) and self.nest.is_ancestor(op)

    def leaf(self, value: SSAValue, depth: int) -> Leaf:
        """A value that is no sum: its key is that of all values computed in the same way."""
        if isinstance(value, BlockArgument):
            owner = value.block.parent_op()
            if owner is None or not self._is_inside(owner):
                return Leaf(value, frozenset())
            if not isinstance(owner, Loop):
                return Leaf(value, self._loops_around(owner), stable=False)
            return Leaf(value, frozenset([owner]))
        assert isinstance(value, OpResult)
        op = value.op
        if isinstance(op, diablo.LoadOp) and not op.indices:
            init = self._only_value(op.ref)
            if init is not None:
                return self.leaf(init, depth - 1) if depth else Leaf(value, frozenset(), False)
            if self._is_read_at_start(op, whole=False):
                return Leaf(("load", op.ref), frozenset())
        if not self._is_inside(op):
            parts = [self.leaf(operand, depth - 1) for operand in op.operands] if depth else []
            if depth and _is_pure(op):
                return Leaf(_key(value, parts), frozenset())
            return Leaf(value, frozenset())
        pure = _is_pure(op) or isinstance(op, tensor.ExtractOp | diablo.RequireOp)
        if isinstance(op, diablo.LoadOp) and op.ref not in self._written:
            pure = True
        if not pure or not depth:
            return Leaf(value, self._loops_around(op), stable=False)
        parts = [self.leaf(operand, depth - 1) for operand in op.operands]
        varies = frozenset[Hashable]().union(*(part.varies_in for part in parts))
        return Leaf(_key(value, parts), varies, all(part.stable for part in parts))

    def _loops_around(self, op: Operation) -> frozenset[Loop]:
        loops: list[Loop] = []
        parent: Operation | None = op
        while parent is not None and parent is not self.nest.parent_op():
            if isinstance(parent, Loop):
                loops.append(parent)
            parent = parent.parent_op()
        return frozenset(loops)

    def missing(self, write: Access) -> list[SSAValue | None] | None:
        """The loop variables that occur in no index of a write, none standing for a row's place.

        Nothing if an index is computed in the loops: it may be another one in each iteration.
        """
        totals = [self.sums.sum(key)[0] for key in write.keys]
        leaves = [leaf for total in totals for leaf in total.terms]
        places = [place for loop in write.loops for place in self.places(loop)]
        own = [place.leaf for place in places]
        if any(leaf not in own and leaf.varies_in for leaf in leaves):
            return None
        missing = [place for place in places if place.leaf not in leaves]
        return [place.index for place in missing] or None

    # --- What a write leaves as it is --------------------------------------------------------

    def is_the_same(self, conflict: Conflict, which: int, read: Access, write: Access) -> bool:
        """Whether `read` reads what `write` writes, in one of the iterations of a conflict."""
        if read.ref is not write.ref or len(read.keys) != len(write.keys):
            return False
        for system in self.systems(conflict.first, conflict.second, conflict.equal, conflict.apart):
            names = TwoRows(self._agreeing(conflict.equal, conflict.first))
            for mine, theirs in zip(read.keys, write.keys, strict=True):
                parts = [self.sums.sum(mine), self.sums.sum(theirs)]
                for _, facts in parts:
                    system = names.holding(facts, which, system)
                apart = names.of(parts[0][0] - parts[1][0], which)
                if not is_zero(apart, system):
                    return False
        return True


@dataclass(frozen=True)
class Conflict:
    """Iterations in which two accesses touch one element, and two orders differ.

    Iterations are equal in some loops, and `apart` in others: -1 says that the first access is
    in the earlier one.
    """

    dependences: Dependences
    first: Access
    second: Access
    equal: tuple[Place, ...]
    apart: tuple[tuple[Place, int], ...]

    @property
    def first_is_earlier(self) -> bool:
        """Whether the first access is in the earlier iteration."""
        return self.apart[0][1] < 0

    @property
    def is_certain(self) -> bool:
        """Whether it does not depend on values of which nothing is known."""
        return self.dependences.is_certain(self.first, self.second)


def _possible(systems: Sequence[System], choices: Sequence[list[list[Sum]]]) -> list[System]:
    """The systems that may hold, each with one choice of all alternatives."""
    found: list[System] = [system for system in systems if system.may_hold()]
    looked_at = list[list[list[Sum]]]()
    for choice in choices:
        if choice in looked_at:
            continue
        if not found or len(found) > len(systems) << _SPLITS:
            break
        looked_at.append(choice)
        more = [system.and_natural(*sums) for system in found for sums in choice]
        found = [system for system in more if system.may_hold()]
    return found


def _step(loop: diablo.ForOp) -> int:
    return step_of(loop)


def _is_pure(op: Operation) -> bool:
    """Return whether an op gives equal values for equal operands, if it gives one at all."""
    return not op.regions and (has_pure_result(op) or isinstance(op, DIVISIONS))


def _key(value: OpResult, parts: Sequence[Leaf]) -> Hashable:
    op = value.op
    attributes: frozenset[tuple[str, Attribute]] = frozenset(op.properties.items())
    if isinstance(op, arith.IndexCastOp) and op.input.type in (IndexType(), IntegerType(64)):
        return parts[0].key
    return op.name, attributes, value.index, value.type, tuple(part.key for part in parts)


def _different_strings(mine: SSAValue, theirs: SSAValue) -> bool:
    """Return whether two keys are strings that are written out, and not the same."""
    owners = [value.owner for value in (mine, theirs)]
    strings = [owner.value.data for owner in owners if isinstance(owner, comprehension.StringOp)]
    return len(strings) == 2 and strings[0] != strings[1]
