"""What a comprehension in a row's value does for one row, step by step: a plan of loops.

Reads the `comprehension` level; writes nothing. In

    %s = comprehension.aggregate @argmin : tuple<f64, i64> {
      %k, %cx = comprehension.each %X : tensor<?xf64>         over the indices of %X; read %X[%k]
      %kk, %cy = comprehension.each %Y : tensor<?xf64>        %kk is %k; read %Y[%kk] if it is there
      %same = arith.cmpi eq, %kk, %k : index
      comprehension.guard %same
      …
    }

an equality ties the index `%kk`, so that both arrays are read in one loop. Where one ties a
column of a list, or an element, rows are better found by hashing: there is no plan then, unless it
is the row's own list. Lists that the row has may be what a list is collected of, and a range; of
other loops there are aggregates. What such a list has at a position is read in a loop that is in no
other one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, TensorType, TupleType, i64
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from diablo.costs import MOST_SENT
from diablo.dialects import comprehension
from diablo.dialects.bags import BagType
from diablo.dialects.defining_blocks import is_made_inside
from diablo.dialects.encodings import as_array, is_sparse, is_tiled
from diablo.dialects.monoids import find_definition, is_user_defined
from diablo.dialects.string_functions import StringType
from diablo.lowering.kernel_types import is_number
from diablo.lowering.tensor_block.query.query import Generator, generated
from diablo.lowering.tensor_block.rows.row_table import RowTable
from diablo.lowering.tensor_block.rows.row_values import (
    inner_ops,
    is_collection,
    numbered_list,
    operands_of,
)
from diablo.passes.analyses.plans.size_estimates import element_count
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.affine_values import underlying
from diablo.passes.analyses.values.comprehension_structure import Qualifier, Root, head_of
from diablo.passes.analyses.values.index_equalities import equal_sides
from diablo.passes.analyses.values.speculation import can_trap


@dataclass(frozen=True)
class OverRows:
    """A loop over the rows of a list."""

    each: comprehension.EachOp


@dataclass(frozen=True)
class OverList:
    """A loop over the rows of a list that the row has itself."""

    each: comprehension.EachOp


@dataclass(frozen=True)
class OverRange:
    """A loop over a range."""

    range: comprehension.RangeOp


@dataclass(frozen=True)
class OverIndices:
    """A loop over the indices of one dimension of an array."""

    array: SSAValue
    axis: int
    index: SSAValue


@dataclass(frozen=True)
class Within:
    """An index that is known: what follows is done if the array has it."""

    array: SSAValue
    axis: int
    index: SSAValue
    known: SSAValue


@dataclass(frozen=True)
class WithinRange:
    """A number of a range that is known: what follows is done if the range has it."""

    range: comprehension.RangeOp
    known: SSAValue


@dataclass(frozen=True)
class Read:
    """An element of an array at indices that it has."""

    array: SSAValue
    indices: Sequence[SSAValue]
    element: SSAValue


@dataclass(frozen=True)
class Test:
    """What follows is done if a condition holds, or does not."""

    condition: SSAValue
    holds: bool = True


@dataclass(frozen=True)
class Let:
    """An op that computes values of the iteration."""

    op: Operation


@dataclass(frozen=True)
class Inner:
    """Another comprehension, in loops of its own."""

    nest: LoopNest


_READS = (comprehension.StringCallOp, comprehension.ElementOp)
Over = OverRows | OverList | OverRange | OverIndices
Step = Over | Within | WithinRange | Read | Test | Let | Inner
Looped = comprehension.AggregateOp | comprehension.CollectOp
"""What may be loops for each row."""


@dataclass
class LoopNest:
    """A comprehension as loops: `before` is done once, `rest` in the outermost loop."""

    root: Looped
    before: Sequence[Let | Inner] = ()
    first: Over | None = None
    rest: list[Step] = field(default_factory=list[Step])

    def steps(self) -> Iterator[Step]:
        """All steps, those of aggregates within this one too."""
        for step in (*self.before, *([] if self.first is None else [self.first]), *self.rest):
            yield step
            if isinstance(step, Inner):
                yield from step.nest.steps()

    def needs(self) -> list[SSAValue]:
        """Return what the steps ask for: all that is computed is computed for these."""
        head = head_of(self.root)
        values: list[SSAValue] = [*head.keys, *head.values]
        for step in self.steps():
            match step:
                case OverRange(range) | WithinRange(range):
                    values += range.operands
                case Test(condition):
                    values.append(condition)
                case Read(_, indices):
                    values += indices
                case Inner(nest):
                    values += head_of(nest.root).values
                case _:
                    pass
            if isinstance(step, Within | WithinRange):
                values.append(step.known)
        return values


def _bound_in(step: Step) -> Sequence[SSAValue]:
    """Return what a step gives values to that is no loop."""
    match step:
        case Within(index=index):
            return [index]
        case WithinRange(range):
            return [range.index]
        case Read(element=element):
            return [element]
        case Inner(nest):
            return nest.root.results
        case _:
            return []


def is_bound(op: Operation) -> bool:
    """Return whether a step of its own gives the results of `op` their values."""
    return isinstance(op, Qualifier | tensor.ExtractOp | Root)


class LoopPlanner:
    """Plans the comprehension `top` in the value of a row of `table`."""

    def __init__(self, top: Looped, table: RowTable):
        self.top = top
        self.table = table
        self.bound: set[SSAValue] = set()
        """What the steps so far give values to."""
        self.items: set[SSAValue] = set()
        """What the row's own lists have, in loops so far."""

    def plan(self) -> LoopNest:
        """Return the loops; raises `Refused` if rows are better, or the only way."""
        nest = self._nest(self.top)
        reads = [op for op in self.top.walk() if isinstance(op, _READS) and can_trap(op)]
        if reads and any(len(own) > 1 for own in _nested_loops(nest)):
            raise Refused("a function of strings, or what reads a list, may fail in inner loops")
        if isinstance(self.top, comprehension.CollectOp):
            _check_collected(nest)
        return nest

    def bound_by(self, values: Sequence[SSAValue]) -> set[SSAValue]:
        """Return what generators, reads and aggregates bind of all that gives `values`."""
        found: set[SSAValue] = set()
        seen: set[SSAValue] = set()
        work = list(values)
        while work:
            value = work.pop()
            if value in seen or not is_made_inside(value, self.top):
                continue
            seen.add(value)
            owner = value.owner
            if isinstance(owner, Operation) and not is_bound(owner):
                work += operands_of(owner)
            else:
                found.add(value)
        return found

    # ---- steps ---------------------------------------------------------------------

    def _nest(self, root: Looped) -> LoopNest:
        if isinstance(root, comprehension.AggregateOp):
            _check_monoid(root)
        steps: list[Step] = []
        done: set[Operation] = set()
        for op in root.body.block.ops:
            self._check_types(op)
            match op:
                case comprehension.RangeOp():
                    steps += self._range(op, done)
                case comprehension.EachOp():
                    steps += self._each(op, done)
                case comprehension.GuardOp():
                    if op not in done:
                        self._check_tie(op)
                        steps.append(Test(op.condition))
                case comprehension.AggregateOp():
                    steps.append(Inner(self._nest(op)))
                    self.bound.update(op.results)
                case comprehension.YieldOp():
                    break
                case tensor.ExtractOp():
                    self._check_array(op.tensor)
                    steps += [
                        Within(op.tensor, axis, index, index)
                        for axis, index in enumerate(op.indices)
                    ]
                    steps.append(Read(op.tensor, list(op.indices), op.result))
                    self.bound.update(op.results)
                case _:
                    self._check_let(op)
                    steps.append(Let(op))
        return self._in_order(root, steps)

    def _in_order(self, root: Looped, steps: list[Step]) -> LoopNest:
        """The first loop in front of what decides whether it is reached, which is decided in it."""
        first = next((p for p, step in enumerate(steps) if isinstance(step, Over)), None)
        if first is None:
            raise Refused("no loop is needed to find what is aggregated")
        loop = steps[first]
        assert isinstance(loop, Over)
        before: list[Let | Inner] = []
        for step in steps[:first]:
            if not isinstance(step, Let | Inner):
                break
            before.append(step)
        moved = steps[len(before) : first]
        if moved and isinstance(loop, OverRange):
            late = {value for step in moved for value in _bound_in(step)}
            ends = loop.range.operands
            if self.bound_by(ends) & late or any(map(can_trap, self._slice(ends))):
                raise Refused("a condition stands before the range that it runs over")
        return LoopNest(root, before, loop, [*moved, *steps[first + 1 :]])

    def _slice(self, values: Sequence[SSAValue]) -> list[Operation]:
        """The ops within the aggregate that `values` are computed by."""
        found: dict[Operation, None] = {}
        work = list(values)
        while work:
            value = work.pop()
            owner = value.owner
            if not is_made_inside(value, self.top) or not isinstance(owner, Operation):
                continue
            if owner not in found and not is_bound(owner):
                found[owner] = None
                work += operands_of(owner)
        return list(found)

    def _range(self, op: comprehension.RangeOp, done: set[Operation]) -> Sequence[Step]:
        known = self._tied(op.index, op, done)
        self.bound.add(op.index)
        return [OverRange(op)] if known is None else [WithinRange(op, known)]

    def _each(self, op: comprehension.EachOp, done: set[Operation]) -> Sequence[Step]:
        if isinstance(op.collection.type, BagType):
            if op.sorted is not None or numbered_list(op.collection) is not None:
                raise Refused("rows are taken in an order")
            own = is_made_inside(op.collection, self.table.root)
            if own and (op.collection.type.is_map or not self._is_list_of_row(op.collection)):
                raise Refused("a row has a map, or a list that is made for it")
            self.bound.update(op.elements)
            if not own:
                return [OverRows(op)]
            self.items.update(op.elements)
            return [OverList(op)]
        self._check_array(op.collection)
        *indices, element = op.elements
        steps: list[Step] = []
        for axis, index in enumerate(indices):
            known = self._tied(index, op, done)
            self.bound.add(index)
            over = OverIndices(op.collection, axis, index)
            steps.append(over if known is None else Within(op.collection, axis, index, known))
        self.bound.add(element)
        return [*steps, Read(op.collection, indices, element)]

    def _is_list_of_row(self, collection: SSAValue) -> bool:
        """Return whether a list is a column of the row, or one of a list that is."""
        return collection in self.table.columns or collection in self.items

    # ---- equalities ----------------------------------------------------------------

    def _tied(self, index: SSAValue, generator: Generator, done: set[Operation]) -> SSAValue | None:
        """Return what an index must equal that is known before it, if a guard says so.

        A guard between that can fail does so for the indices that the equality drops; what stands
        in front of the generator has failed before.
        """
        guard: Operation | None = generator
        while (guard := guard.next_op) is not None:
            if not isinstance(guard, comprehension.GuardOp) or guard in done:
                continue
            computed = self._slice([guard.condition])
            if any(can_trap(op) for op in computed if _is_behind(generator, op)):
                return None
            pair = equal_sides(guard.condition)
            if pair is None:
                continue
            for one, other in (pair, pair[::-1]):
                if as_index(one) is not index or not self.bound_by([other]) <= self.bound:
                    continue
                done.add(guard)
                return other
        return None

    def _check_tie(self, guard: comprehension.GuardOp) -> None:
        """Refuse an equality by which the inner rows of an outer row are found by hashing."""
        pair = equal_sides(guard.condition)
        if pair is None:
            return
        for one, other in (pair, pair[::-1]):
            variable = underlying(one)
            owner = variable.owner
            if not isinstance(owner, Generator) or not is_made_inside(variable, self.top):
                continue
            others = self.bound_by([other]) - set(generated(owner))
            is_own = isinstance(owner, comprehension.EachOp) and is_made_inside(
                owner.collection, self.table.root
            )
            if others or (not is_own and self._is_of_outer_row(other)):
                raise Refused("an equality ties rows to others, which are found by hashing")

    def _is_of_outer_row(self, value: SSAValue) -> bool:
        if not is_made_inside(value, self.top):
            return self.table.varies(value)
        return any(
            self.table.varies(operand) and not is_made_inside(operand, self.top)
            for op in self._slice([value])
            for operand in operands_of(op)
        )

    # ---- what is refused -----------------------------------------------------------

    def _check_array(self, array: SSAValue) -> None:
        type = as_array(array.type)
        assert type is not None
        if is_made_inside(array, self.table.root):
            raise Refused("a row has a list or an array of its own")
        if is_sparse(type):
            raise Refused("only the stored entries of a sparse array take part")
        if is_tiled(type) and type.get_num_dims() > 1 and not self.table.driver.whole:
            count = element_count(array)
            if count is None or count > MOST_SENT:
                raise Refused("an array is in blocks that no worker has all of")

    def _check_let(self, op: Operation) -> None:
        for inner in inner_ops(op):
            match inner:
                case comprehension.ProbeOp():
                    if not isinstance(inner.collection.type, TensorType):
                        raise Refused("a map is looked into")
                    self._check_array(inner.collection)
                case tensor.ExtractOp():
                    raise Refused("an element is read on a condition")
                case _ if isinstance(inner, Root):
                    raise Refused("another comprehension in it is no aggregate, or on a condition")
                case comprehension.GroupByOp() | comprehension.LastOp():
                    raise Refused("its rows are grouped")
                case _:
                    pass

    def _check_types(self, op: Operation) -> None:
        """Refuse what is no number and no string."""
        if isinstance(op, Root | comprehension.GroupByOp):
            return  # what it is says more
        for inner in inner_ops(op):
            values: Sequence[SSAValue] = [*inner.results, *inner.operands]
            if isinstance(inner, comprehension.EachOp):
                # Of the columns of a list those alone matter that something reads.
                values = [] if isinstance(inner.collection.type, BagType) else inner.elements
            elif isinstance(inner, comprehension.ProbeOp | tensor.ExtractOp) or (
                isinstance(inner, comprehension.ElementOp | comprehension.LengthOp)
                and inner.bag in self.table.columns
            ):
                values = [*inner.results, *inner.operands[1:]]
            for value in values:
                if is_collection(value.type):
                    raise Refused("it uses a list or an array as a whole")
                if not is_loop_type(value.type):
                    raise Refused("it computes with values that are no numbers and no strings")


def _is_behind(generator: Operation, op: Operation) -> bool:
    """Return whether an op is computed for each row of a generator."""
    return op.parent is generator.parent and generator.is_before_in_block(op)


def is_machine_type(type: Attribute) -> bool:
    """Return whether a type is that of numbers or Booleans, or of tuples of these."""
    if isinstance(type, TupleType):
        return all(map(is_machine_type, type.types))
    return is_number(type)


def is_loop_type(type: Attribute) -> bool:
    """Return whether loops within a row compute with values of a type: strings are others."""
    if isinstance(type, TupleType):
        return all(map(is_loop_type, type.types))
    return is_number(type) or isinstance(type, StringType)


def as_index(value: SSAValue) -> SSAValue:
    """The index behind casts that hold all of it."""
    while isinstance(value, OpResult) and isinstance(value.op, arith.IndexCastOp):
        if not (value.type == i64 or isinstance(value.type, IndexType)):
            break
        value = value.op.input
    return value


def _nested_loops(nest: LoopNest) -> Iterator[Sequence[Step]]:
    """Yield the loops of each comprehension in a nest, with those that NumPy has them in.

    The numbers of a range of which a list is collected stand side by side, and are no loop.
    """
    collects = isinstance(nest.root, comprehension.CollectOp)
    own = [step for step in (nest.first, *nest.rest) if isinstance(step, Over)]
    around = own[1:] if collects and isinstance(nest.first, OverRange) else own
    yield around
    for step in (*nest.before, *nest.rest):
        if isinstance(step, Inner):
            outer = around if step in nest.rest else []
            for inner in _nested_loops(step.nest):
                yield [*outer, *inner]


def _check_collected(nest: LoopNest) -> None:
    """Refuse a list whose rows come of others, or of several loops one of which is a range."""
    own = [step for step in (nest.first, *nest.rest) if isinstance(step, Over)]
    for step in own:
        if isinstance(step, OverRows | OverIndices) or (
            isinstance(step, OverRange) and len(own) > 1
        ):
            raise Refused("it is a list of other rows than the row's own")
    root = nest.root
    assert isinstance(root, comprehension.CollectOp)
    head = head_of(root)
    for value in (*head.keys, *head.values):
        if is_collection(value.type):
            raise Refused("its rows have lists or arrays")
        is_moved = isinstance(value.owner, comprehension.EachOp) and is_made_inside(value, root)
        if not is_machine_type(value.type) and not is_moved:
            raise Refused("it computes with values that are no numbers")


def _check_monoid(root: comprehension.AggregateOp) -> None:
    name = root.monoid.data
    if is_user_defined(name):
        definition = find_definition(name, root)
        if definition is None or can_trap(definition):
            raise Refused("its monoid may fail")
