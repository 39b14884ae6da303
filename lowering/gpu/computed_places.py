"""What loops combine with elements at computed places: scatters, found out of the loops.

    scf.for %i … {
      %k = …
      scf.if %k is a place of %h {
        %old = memref.load %h[%k]
        memref.store %old + %x, %h[%k]
    } }

Where memory can combine in one step, the order is free, and iterations may meet there. What becomes
of others is said in `scatter_loops.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import memref, scf
from xdsl.ir import Operation, Region, SSAValue

from diablo.dialects.effects import has_no_effect
from diablo.dialects.simt import allows_fast_atomics, can_be_atomic, said_folds
from diablo.lowering.gpu.free_folds import free_fold
from diablo.lowering.gpu.kernel_writer import IndexWriter
from diablo.lowering.gpu.loop_structure import is_within, trip_bounds
from diablo.lowering.llvm.monoid_folds import Fold
from diablo.passes.analyses.refused import Refused

Values = dict[SSAValue, SSAValue]
WithAddends = Callable[[IndexWriter, Sequence[SSAValue], Sequence[SSAValue]], None]
"""Writes what is done with the parts of a value, and the indices of the element that it is for."""


@dataclass(frozen=True)
class Surroundings:
    """How ops of loops are copied to another place, and what stands there for values from outside
    the loops."""

    take: Callable[[SSAValue], SSAValue]
    copy: Callable[[Operation, IndexWriter, Values], object]


def _copied(op: Operation, e: IndexWriter, inside: Values) -> None:
    e.block.add_op(op.clone(inside))


SAME_FUNCTION = Surroundings(lambda value: value, _copied)
"""Where loops are rewritten in the function that has them."""


@dataclass(frozen=True)
class Scatter:
    """Loops over a box, the outermost first, whose body combines values at a computed place.

    The body tests by `branch` whether there is such a place.
    """

    loops: tuple[scf.ForOp, ...]
    branch: scf.IfOp
    loads: tuple[memref.LoadOp, ...]
    stores: tuple[memref.StoreOp, ...]
    fold: Fold

    @property
    def place(self) -> Sequence[SSAValue]:
        """The indices of the element."""
        return self.stores[0].indices

    @property
    def buffers(self) -> Sequence[SSAValue]:
        """The buffers that are stored to, one for each part of a value."""
        return [store.memref for store in self.stores]

    def point(
        self, e: IndexWriter, number: SSAValue, extents: Sequence[SSAValue], around: Surroundings
    ) -> Values:
        """Append what the body computes before the branch, in the iteration of a number."""
        inside: Values = {}
        indices: list[SSAValue] = []
        for extent in reversed(extents[1:]):
            indices.append(e.remainder(number, extent))
            number = e.quotient(number, extent)
        indices.append(number)
        for loop, index in zip(self.loops, reversed(indices), strict=True):
            argument = loop.body.block.args[0]
            inside[argument] = e.sum(around.take(loop.lb), index)
            inside[argument].name_hint = argument.name_hint
            for op in loop.body.block.ops:
                if op is self.branch:
                    break
                is_left = isinstance(op, scf.YieldOp) or op in self.loops
                if not is_left and not _stores(op):
                    around.copy(op, e, inside)
        return inside

    def linear(
        self, e: IndexWriter, inside: Values, sizes: Sequence[SSAValue], around: Surroundings
    ) -> tuple[SSAValue, SSAValue]:
        """Append whether an iteration has a place, and the number of that in the order of
        memory."""

        def known(value: SSAValue) -> SSAValue:
            return inside[value] if value in inside else around.take(value)

        first, *others = self.place
        linear = known(first)
        for index, size in zip(others, sizes[1:], strict=True):
            linear = e.sum(e.product(linear, size), known(index))
        return known(self.branch.cond), linear

    def step(
        self, e: IndexWriter, inside: Values, held: Sequence[SSAValue], around: Surroundings
    ) -> list[SSAValue]:
        """Append what the branch makes of what is `held` in the place of the element."""
        loads: Mapping[Operation, int] = {load: k for k, load in enumerate(self.loads)}
        for op in self.branch.true_region.block.ops:
            if op in loads:
                inside[op.results[0]] = held[loads[op]]
            elif not isinstance(op, memref.StoreOp | scf.YieldOp):
                around.copy(op, e, inside)
        values = [store.value for store in self.stores]
        return [inside[value] if value in inside else around.take(value) for value in values]

    def alone(self) -> scf.ForOp:
        """Return a copy of the loops that does nothing else."""
        copy, _, _ = self._copy()
        return copy

    def with_addends(self, write: WithAddends) -> scf.ForOp:
        """Return a copy of the loops in which `write` appends what is done with what is combined.

        It is given the parts of that, and the indices of the element.
        """
        copy, branch, inside = self._copy()
        e = IndexWriter(self.branch)
        neutral = self.fold.identity(e.block, e.op)
        place = [inside.get(index, index) for index in self.place]
        write(e, self.step(e, inside, neutral, SAME_FUNCTION), place)
        e.put(scf.YieldOp())
        block = branch.parent
        assert block is not None
        made = scf.IfOp(branch.cond, [], Region(e.block))
        made.location = branch.location
        block.insert_op_before(made, branch)
        branch.detach()
        branch.erase()
        return copy

    def _copy(self) -> tuple[scf.ForOp, scf.IfOp, Values]:
        """Return a copy of the loops without other branches, its branch, and what stands for what
        is in the loops."""
        inside: Values = {}
        number = list(self.loops[-1].body.block.ops).index(self.branch)
        copy = self.loops[0].clone(inside)
        inner = copy
        for _ in self.loops[1:]:
            found = _only_loop(inner)
            assert found is not None
            inner = found
        ops = list(inner.body.block.ops)
        branch = ops[number]
        assert isinstance(branch, scf.IfOp)
        for op in ops:
            if op is not branch and _stores(op):
                op.detach()
                op.erase()
        return copy, branch, inside

    @property
    def is_free(self) -> bool:
        """Whether memory combines values in one step, in any order."""
        fold, unordered = self.fold, allows_fast_atomics(self.branch)
        return fold.definition is None and can_be_atomic(
            fold.monoid, fold.element, unordered=unordered
        )


def find_scatters(loop: scf.ForOp) -> list[Scatter]:
    """Return what a loop combines at computed places; nothing if it does anything else."""
    loops = [loop]
    while (inner := _only_loop(loops[-1])) is not None:
        loops.append(inner)
    for each in loops:
        outside = not any(is_within(bound, loop) for bound in each.operands[:2])
        try:
            trip_bounds(each)
        except Refused:
            return []
        if each.results or not outside:
            return []
    found: list[Scatter] = []
    for op in loops[-1].body.block.ops:
        if _stores(op):
            scatter = _scatter(tuple(loops), op) if isinstance(op, scf.IfOp) else None
            if scatter is None:
                return []
            found.append(scatter)
        elif not _only_reads(op):
            return []
    written = [buffer for scatter in found for buffer in scatter.buffers]
    taken = {load for scatter in found for load in scatter.loads}
    reads = {op.memref for op in loop.walk() if isinstance(op, memref.LoadOp) and op not in taken}
    return found if len({*written}) == len(written) and not reads & {*written} else []


def _only_loop(loop: scf.ForOp) -> scf.ForOp | None:
    inner = [op for op in loop.body.block.ops if isinstance(op, scf.ForOp)]
    others = [op for op in loop.body.block.ops if op not in inner]
    plain = all(_only_reads(op) for op in others)
    return inner[0] if len(inner) == 1 and not inner[0].results and plain else None


def _stores(op: Operation) -> bool:
    """Return whether an op, or one in it, stores."""
    return any(isinstance(inner, memref.StoreOp) for inner in op.walk())


def _only_reads(op: Operation) -> bool:
    """Return whether an op computes and loads, and may be done once more."""
    if isinstance(op, memref.LoadOp | memref.DimOp | scf.YieldOp):
        return True
    if isinstance(op, scf.IfOp | scf.ForOp | scf.WhileOp):
        return all(_only_reads(inner) for inner in op.walk() if inner is not op)
    return has_no_effect(op) or isinstance(op, scf.ConditionOp)


def _scatter(loops: tuple[scf.ForOp, ...], branch: scf.IfOp) -> Scatter | None:
    """Return what is done under a condition, if it is to combine a value with an element."""
    if branch.results or (branch.false_region.blocks and len(branch.false_region.block.ops) > 1):
        return None
    ops = list(branch.true_region.block.ops)
    stores = tuple(op for op in ops if isinstance(op, memref.StoreOp))
    written = [store.memref for store in stores]
    loads = tuple(op for op in ops if isinstance(op, memref.LoadOp) and op.memref in written)
    others = [op for op in ops if op not in (*stores, *loads)]
    if (
        not stores
        or [load.memref for load in loads] != written
        or not all(map(_only_reads, others))
    ):
        return None
    place = list(stores[0].indices)
    inside = any(is_within(index, branch) for index in place)
    if inside or any(list(op.indices) != place for op in (*stores, *loads)):
        return None
    fold = _fold(branch, loads, stores)
    return None if fold is None else Scatter(loops, branch, loads, stores, fold)


def _fold(
    branch: scf.IfOp, loads: Sequence[memref.LoadOp], stores: Sequence[memref.StoreOp]
) -> Fold | None:
    """Return how values are combined: whoever wrote the branch says so, or its only op shows it."""
    said = said_folds(branch)
    if said is not None:
        fold = Fold.of(said[0], loads[0].res.type, branch)
        return Fold.of(said[0], fold.definition.element, branch) if fold.definition else fold
    combine = stores[0].value.owner
    if len(stores) > 1 or not isinstance(combine, Operation):
        return None
    fold = free_fold(combine)
    used = [operand for operand in combine.operands if operand is loads[0].res]
    alone = len(used) == 1 and len(list(loads[0].res.uses)) == 1
    return fold if alone and len(list(combine.results[0].uses)) == 1 else None
