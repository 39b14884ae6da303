"""What of a kernel's loops can run side by side: independent iterations, and folds in any order.

scf.for %i … { %x = load %A[%i]  store %x, %B[%i] }          independent: B is touched at %i alone
scf.for %i … iter_args(%s) { yield %s + %x (reassoc) }       a fold by `add`
scf.for %i … { %c = load %H[%k]  store %c + 1, %H[%k] }      independent, but for an atomic `add`

Buffers that are arguments do not overlap, as for `convert-kernel-to-llvm`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from diablo.dialects.effects import has_no_effect
from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.simt import allows_fast_atomics, can_be_atomic, is_said_apart, said_folds
from diablo.lowering.gpu.free_folds import free_fold
from diablo.lowering.llvm.monoid_folds import Fold
from diablo.passes.analyses.refused import Refused

_STRUCTURE = (scf.ForOp, scf.IfOp, scf.WhileOp, scf.YieldOp, scf.ConditionOp)


def is_within(value: SSAValue, op: Operation) -> bool:
    """Return whether a value is made by an op, or in it."""
    owner = value.owner
    place = owner if isinstance(owner, Operation) else owner.parent_op()
    while place is not None:
        if place is op:
            return True
        place = place.parent_op()
    return False


def trip_bounds(loop: scf.ForOp) -> tuple[SSAValue, SSAValue]:
    """Return where a loop begins and ends.

    Raises
    ------
    Refused
        If it does not go on by ones.
    """
    step = loop.step.owner
    known = isinstance(step, ConstantOps) and isinstance(step.value, IntegerAttr)
    if not known or step.value.value.data != 1:  # pyright: ignore
        raise Refused("a loop takes larger steps than one")
    return loop.lb, loop.ub


# Folds


@dataclass(frozen=True)
class Chain:
    """Nested loops that do no more with what they carry than to fold it, the outermost first."""

    loops: tuple[scf.ForOp, ...]
    folds: tuple[Fold, ...]

    @property
    def outer(self) -> scf.ForOp:
        """The loop that has the results."""
        return self.loops[0]

    @property
    def inner(self) -> scf.ForOp:
        """The loop whose iterations are dealt out."""
        return self.loops[-1]

    @property
    def in_order(self) -> bool:
        """Whether iterations are joined in their order alone."""
        return any(fold.in_order for fold in self.folds)


def find_chain(loop: scf.ForOp) -> Chain:
    """Return a loop that folds, and those in it that hand what they carry on.

    Raises
    ------
    Refused
        If it does anything else with what it carries, or in an order that matters.
    """
    folds = _said(loop) or tuple(_folded(loop, number) for number in range(len(loop.iter_args)))
    loops = [loop]
    while (inner := _handed_on(loops[-1])) is not None:
        loops.append(inner)
    for level in loops:
        trip_bounds(level)
    return Chain(tuple(loops), folds)


@dataclass(frozen=True)
class Scan:
    """A loop that uses what it has folded so far, and stores to elements that are apart."""

    loop: scf.ForOp
    folds: tuple[Fold, ...]

    @property
    def in_order(self) -> bool:
        """Whether iterations are joined in their order alone."""
        return any(fold.in_order for fold in self.folds)


def is_scan(loop: scf.ForOp) -> bool:
    """Return whether what a loop carries is used by what it stores, or says where."""
    derived: set[SSAValue] = set(loop.body.block.args[1:])
    known = 0
    # What is stored in a buffer of the iteration's own may be loaded where the text is before.
    while known < len(derived):
        known = len(derived)
        for op in loop.body.walk():
            if not any(operand in derived for operand in op.operands):
                continue
            if isinstance(op, memref.StoreOp):
                if not is_within(op.memref, loop):
                    return True
                derived.add(op.memref)
            derived.update(op.results)
            if isinstance(op, scf.ForOp):
                derived.update(op.iter_args)
                if any(bound in derived for bound in (op.lb, op.ub, op.step)):
                    derived.add(op.body.block.args[0])
            else:
                for region in op.regions:
                    for block in region.blocks:
                        derived.update(block.args)
            parent = op.parent_op()
            if isinstance(op, scf.YieldOp | scf.ConditionOp) and parent is not loop:
                assert parent is not None
                derived.update(parent.results)
    return False


def find_scan(loop: scf.ForOp) -> Scan:
    """Return a loop that uses what it has folded so far.

    Raises
    ------
    Refused
        If its iterations cannot be done side by side for another reason.
    """
    trip_bounds(loop)
    folds = _said(loop) or tuple(
        _folded(loop, number, stored=True) for number in range(len(loop.iter_args))
    )
    if check_apart([loop]):
        raise Refused("iterations of a scan meet in memory")
    stored = {op.memref for op in loop.body.walk() if isinstance(op, memref.StoreOp)}
    loaded = {op.memref for op in loop.body.walk() if isinstance(op, memref.LoadOp)}
    # Runs are folded before anything is stored.
    if any(not is_within(buffer, loop) for buffer in stored & loaded):
        raise Refused("a scan loads what it stores")
    return Scan(loop, folds)


def _said(loop: scf.ForOp) -> tuple[Fold, ...]:
    """Return how a loop folds what it carries, where whoever has written it says so."""
    names = said_folds(loop) or ()
    folds: list[Fold] = []
    carried = list(loop.iter_args)
    for name in names:
        fold = Fold.of(name, carried[0].type, loop)
        if fold.definition is not None:
            fold = replace(fold, element=fold.definition.element)
        folds.append(fold)
        del carried[: len(fold.types)]
    return tuple(folds)


def _handed_on(loop: scf.ForOp) -> scf.ForOp | None:
    """The loop that takes all that a loop carries, and gives what that yields."""
    block = loop.body.block
    end = block.last_op
    assert end is not None
    owner = end.operands[0].owner
    if (
        isinstance(owner, scf.ForOp)
        and owner.parent is block
        and list(owner.results) == list(end.operands)
        and list(owner.iter_args) == list(block.args[1:])
        and all(len(list(argument.uses)) == 1 for argument in block.args[1:])
    ):
        return owner
    return None


def _folded(loop: scf.ForOp, number: int, *, stored: bool = False) -> Fold:
    """By which monoid a loop folds one of the values that it carries, which may be `stored`."""
    derived: set[SSAValue] = set()
    folds: set[Fold] = set()
    waiting: list[SSAValue] = [loop.body.block.args[1 + number]]
    while waiting:
        value = waiting.pop()
        if value in derived:
            continue
        derived.add(value)
        for use in value.uses:
            op, index = use.operation, use.index
            parent = op.parent_op()
            if isinstance(op, scf.ForOp) and index >= 3:
                waiting.append(op.body.block.args[index - 2])
            elif isinstance(op, scf.WhileOp):
                waiting.append(op.before_region.block.args[index])
            elif isinstance(op, scf.ConditionOp) and isinstance(parent, scf.WhileOp) and index:
                waiting.append(parent.after_region.block.args[index - 1])
                waiting.append(parent.results[index - 1])
            elif isinstance(op, scf.YieldOp) and isinstance(parent, scf.WhileOp):
                waiting.append(parent.before_region.block.args[index])
            elif (isinstance(op, memref.StoreOp) and stored) or (
                isinstance(op, scf.YieldOp) and parent is loop and index == number
            ):
                continue
            elif isinstance(op, scf.YieldOp) and isinstance(parent, scf.IfOp | scf.ForOp):
                if parent is loop:
                    raise Refused("a loop does more with what it carries than to fold it")
                waiting.append(parent.results[index])
            else:
                fold = free_fold(op)
                if fold is None:
                    raise Refused(
                        f"{op.name} makes of what a loop carries what depends on the order"
                    )
                folds.add(fold)
                waiting.append(op.results[0])
    end = loop.body.block.last_op
    assert end is not None
    if end.operands[number] not in derived or not all(_keeps(v, derived) for v in derived):
        raise Refused("a loop does more with what it carries than to fold it")
    if len(folds) != 1:
        raise Refused("a loop folds by several monoids, or by none")
    return folds.pop()


def _keeps(value: SSAValue, derived: set[SSAValue]) -> bool:
    """Return whether a value is made of what is carried in every way that there is, and once."""
    op = value.owner
    assert isinstance(value, BlockArgument | OpResult)
    index = value.index
    if isinstance(op, Block):
        loop = op.parent_op()
        if not isinstance(loop, scf.WhileOp):
            return True
        if op is loop.after_region.block:
            return _yielded(loop.before_region, index + 1) in derived
        return loop.arguments[index] in derived and _yielded(loop.after_region, index) in derived
    match op:
        case scf.IfOp():
            return all(_yielded(region, index) in derived for region in op.regions)
        case scf.ForOp():
            carried = op.iter_args[index] in derived and op.body.block.args[1 + index] in derived
            return carried and _yielded(op.body, index) in derived
        case scf.WhileOp():
            return _yielded(op.before_region, index + 1) in derived
        case _:
            return sum(operand in derived for operand in op.operands) == 1


def _yielded(region: Region, index: int) -> SSAValue | None:
    end = region.block.last_op if region.blocks else None
    return end.operands[index] if end is not None else None


# Independent iterations


@dataclass
class Accesses:
    """What the ops of loops do with buffers that are not their own."""

    loads: dict[SSAValue, list[memref.LoadOp]] = field(
        default_factory=dict[SSAValue, list[memref.LoadOp]]
    )
    stores: dict[SSAValue, list[memref.StoreOp]] = field(
        default_factory=dict[SSAValue, list[memref.StoreOp]]
    )

    @staticmethod
    def of(root: Operation) -> Accesses:
        """Find them in an op and all in it.

        Raises
        ------
        Refused
            If an op does something else than to compute, load and store.
        """
        found = Accesses()
        for op in root.walk():
            match op:
                case memref.LoadOp():
                    if not is_within(op.memref, root):
                        found.loads.setdefault(op.memref, []).append(op)
                case memref.StoreOp():
                    if not is_within(op.memref, root):
                        found.stores.setdefault(op.memref, []).append(op)
                case memref.AllocaOp() | memref.DimOp():
                    pass
                case _:
                    if not isinstance(op, _STRUCTURE) and not has_no_effect(op):
                        raise Refused(f"{op.name} is not done by many threads at once")
        return found

    def at(self, buffer: SSAValue) -> list[Sequence[SSAValue]]:
        """The indices at which a buffer is loaded from or stored to."""
        ops = [*self.loads.get(buffer, ()), *self.stores.get(buffer, ())]
        return [tuple(op.indices) for op in ops]

    def are_apart(self, buffer: SSAValue, index: SSAValue) -> bool:
        """Return whether a buffer is touched at `index` alone, along one of its axes."""
        places = self.at(buffer)
        return any(all(place[axis] is index for place in places) for axis in range(len(places[0])))


@dataclass(frozen=True)
class Accumulation:
    """An element that is loaded, combined with a number and stored again."""

    load: memref.LoadOp
    combine: Operation
    store: memref.StoreOp
    monoid: str

    @property
    def value(self) -> SSAValue:
        """The value that the element is combined with."""
        left, right = self.combine.operands
        return right if left is self.load.res else left


def find_accumulations(stores: Iterable[memref.StoreOp]) -> list[Accumulation]:
    """Return what the stores into a buffer add to it.

    Raises
    ------
    Refused
        If one does anything else, or in an order that matters.
    """
    return [_accumulation(store) for store in stores]


def _accumulation(store: memref.StoreOp) -> Accumulation:
    combine = store.value.owner
    fold = free_fold(combine) if isinstance(combine, Operation) else None
    if fold is not None and isinstance(combine, Operation):
        loads = [
            operand.owner
            for operand in combine.operands
            if isinstance(operand.owner, memref.LoadOp)
            and operand.owner.memref is store.memref
            and tuple(operand.owner.indices) == tuple(store.indices)
        ]
        alone = len(loads) == 1 and all(
            len(list(result.uses)) == 1 for result in (loads[0].res, combine.results[0])
        )
        if alone:
            unordered = allows_fast_atomics(store)
            if not can_be_atomic(fold.monoid, fold.element, unordered=unordered):
                raise Refused(
                    f"the order in which threads combine {fold.element} by '{fold.monoid}' in"
                    " memory is another one each time"
                )
            return Accumulation(loads[0], combine, store, fold.monoid)
    raise Refused("iterations store to the same elements, or read what others store")


@dataclass(frozen=True)
class Nest:
    """Loops with nothing but each other in them, the outermost first, whose iterations are apart.

    `accumulations` are those where iterations meet in memory.
    """

    loops: tuple[scf.ForOp, ...]
    accumulations: tuple[Accumulation, ...]

    @property
    def body(self) -> Block:
        """The block of an iteration."""
        return self.loops[-1].body.block


def find_nest(loop: scf.ForOp) -> Nest:
    """Return a loop without results, and those right in it, whose iterations are independent.

    Raises
    ------
    Refused
        If those of `loop` are not.
    """
    found = check_apart([loop])
    loops = [loop]
    while (inner := _only_loop(loops[-1])) is not None:
        try:
            trip_bounds(inner)
            more = check_apart([*loops, inner])
        except Refused:
            break
        # All but the last loop run over a box.
        if any(is_within(bound, loops[0]) for bound in loops[-1].operands[:2]) and len(loops) > 1:
            break
        loops.append(inner)
        found = more
    return Nest(tuple(loops), tuple(found))


def check_apart(loops: Sequence[scf.ForOp]) -> list[Accumulation]:
    """Return where iterations of `loops`, the first of which holds the others, meet in memory.

    Raises
    ------
    Refused
        If what becomes of that depends on the order.
    """
    for loop in loops:
        trip_bounds(loop)
    accesses = Accesses.of(loops[0])
    if all(map(is_said_apart, loops)):
        return []
    found: list[Accumulation] = []
    for buffer, stores in accesses.stores.items():
        if all(accesses.are_apart(buffer, loop.body.block.args[0]) for loop in loops):
            continue
        own = find_accumulations(stores)
        if len({each.monoid for each in own}) != 1 or len(accesses.loads[buffer]) != len(own):
            raise Refused("iterations read what others store")
        found += own
    return found


def last_choice(nest: Nest) -> scf.IfOp | None:
    """The choice between two ways to do all that the body of a nest does, if it is one."""
    choice: scf.IfOp | None = None
    for op in nest.body.ops:
        if isinstance(op, scf.IfOp) and not op.results and op.false_region.blocks:
            if choice is not None:
                return None
            choice = op
        elif not isinstance(op, scf.YieldOp) and not has_no_effect(op):
            return None
    return choice


def _only_loop(loop: scf.ForOp) -> scf.ForOp | None:
    """The only loop in another one, if everything else there just computes."""
    inner: scf.ForOp | None = None
    for op in loop.body.block.ops:
        if isinstance(op, scf.ForOp) and inner is None and not op.results:
            inner = op
        elif not has_no_effect(op) and not isinstance(op, scf.YieldOp):
            return None
    return inner


# What the iterations of a nest fold by themselves


_NOT_SHARED = (scf.ForOp, scf.WhileOp, memref.StoreOp, memref.AllocaOp)
"""What the threads of a group cannot do together beside the folds that they share."""


def row_folds(nest: Nest) -> list[Chain]:
    """Return the folds in the body of a nest that the threads of a warp may share; none if not.

    The body has no other loops, stores what it stores after them, and reads along memory there.
    """
    if nest.accumulations or any(is_within(v, nest.loops[0]) for v in nest.loops[-1].operands[:2]):
        return []
    chains: list[Chain] = []
    stored: set[SSAValue] = set()
    accesses = Accesses.of(nest.loops[-1])
    along = nest.body.args[0]
    for op in nest.body.ops:
        if isinstance(op, memref.StoreOp):
            stored.add(op.memref)
        elif isinstance(op, scf.ForOp):
            if not op.results or stored:
                return []
            try:
                chain = find_chain(op)
            except Refused:
                return []
            if not _runs_along_memory(chain, along):
                return []
            chains.append(chain)
        elif any(isinstance(inner, _NOT_SHARED) for inner in op.walk()):
            return []
    inner_stores = sum(map(len, accesses.stores.values()))
    direct = sum(isinstance(op, memref.StoreOp) for op in nest.body.ops)
    if inner_stores != direct or not all(_loaded_first(b, accesses, nest) for b in stored):
        return []
    return chains


def _loaded_first(buffer: SSAValue, accesses: Accesses, nest: Nest) -> bool:
    """Return whether of a buffer each iteration loads the element alone that it stores."""
    loads = accesses.loads.get(buffer, [])
    places = {tuple(op.indices) for op in (*loads, *accesses.stores[buffer])}
    return not loads or (len(places) == 1 and all(load.parent is nest.body for load in loads))


def _runs_along_memory(chain: Chain, row: BlockArgument) -> bool:
    """Whether neighbouring iterations of a fold, and not of rows, read neighbouring elements."""
    index = chain.inner.body.block.args[0]
    lasts = [
        op.indices[-1]
        for op in chain.inner.walk()
        if isinstance(op, memref.LoadOp) and len(op.indices) > 0
    ]
    return any(last is index for last in lasts) and not any(last is row for last in lasts)


def entries_of(chain: Chain) -> SSAValue | None:
    """A buffer that has an element for each iteration of a fold over all rows, if there is one."""
    index = chain.inner.body.block.args[0]
    for op in chain.inner.body.block.ops:
        if isinstance(op, memref.LoadOp) and list(op.indices) == [index]:
            return op.memref
    return None
