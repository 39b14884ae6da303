"""Comprehensions in a row's value as loops in the body that computes the row.

Reads the `comprehension` level, writes `tensor_block.extend` whose body has loops of the
`multiloop` level. No table of all pairs is made:

    collect {                              tensor_block.extend %P {
      %x = each %P                         ^bb0(%x: f64):
      %s = aggregate add {                   %s = multiloop.loop rows(%L) -> f64 {
        %y = each %L                 ==>     ^bb1(%y: f64, %total: !multiloop.reduce<add : f64>):
        guard %y < %x                          scf.if %less {
        yield %y }                               multiloop.emit %total(%y : f64) } }
      yield %x, %s }                         tensor_block.yield %s : f64 }

A condition that says something of the rows of a list alone filters these before, once for all
outer rows. A list of what the row's own list has is collected in a loop over that, and one of the
numbers of a range in a loop over these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension, multiloop, tensor_block
from diablo.dialects.defining_blocks import is_made_inside
from diablo.dialects.locations import located, named
from diablo.dialects.range_steps import step_of
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter
from diablo.lowering.tensor_block.query.plan_sizes import driver_dimensions
from diablo.lowering.tensor_block.rows.row_bodies import cast_index, in_range
from diablo.lowering.tensor_block.rows.row_loop_plan import (
    Inner,
    Let,
    Looped,
    LoopNest,
    LoopPlanner,
    Over,
    OverIndices,
    OverList,
    OverRange,
    OverRows,
    Read,
    Step,
    Test,
    Within,
    WithinRange,
    as_index,
    is_loop_type,
    is_machine_type,
)
from diablo.lowering.tensor_block.rows.row_results import row_types
from diablo.lowering.tensor_block.rows.row_table import RowTable
from diablo.lowering.tensor_block.rows.row_values import operands_of
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.affine_values import constant_value, same_value
from diablo.passes.analyses.values.comprehension_structure import head_of
from diablo.passes.analyses.values.speculation import can_trap

Fill = Callable[[BodyEmitter], None]
_LAST = 2**63 - 2
"""The last number of a range behind which another one is."""


class RowLoops:
    """Gives the rows of `table` the value of `root` as a column.

    `path` are the conditions of the branches in which it stands.
    """

    def __init__(
        self,
        root: Looped,
        table: RowTable,
        path: Sequence[tuple[SSAValue, bool]],
    ):
        self.root = root
        self.table = table
        self.path = path
        self.planner = LoopPlanner(root, table)
        self.rows: dict[comprehension.EachOp, tuple[SSAValue, Sequence[SSAValue]]] = {}
        """What is looped over for a generator, and which of its variables are columns of that."""
        self.extents: dict[SSAValue, Sequence[SSAValue]] = {}
        self.below: dict[SSAValue, Sequence[SSAValue]] = {}
        """For each index of some arrays the extents that it lies below."""
        self.limits: dict[SSAValue, Sequence[SSAValue]] = {}
        """For each number of a range the extents below which alone anything is done."""

    def lower(self) -> None:
        """Add the column; raises `Refused`, and adds nothing, if loops are not the way."""
        nest = self.planner.plan()
        outer = [value for value in operands_of(self.root) if self.table.varies(value)]
        conditions = [condition for condition, _ in self.path]
        if self.path:
            computed = self.table.slice([*outer, *conditions]).ops
            if can_trap(self.root) or any(map(can_trap, computed)):
                raise Refused("it may fail where its branch is not taken")
            nest.rest[:0] = [Test(condition, holds) for condition, holds in self.path]
        if self.table.slice([*outer, *conditions]).collections:
            raise Refused("it uses a list or an array as a whole")
        self._check_columns(nest)
        self._prepare(nest)
        before = self.table.rows
        parts = _parts_of(self.root)

        def fill(e: BodyEmitter) -> Sequence[SSAValue]:
            value = self._aggregate(e, nest)
            if parts is None:
                return [value]
            unpack = comprehension.UnpackOp(value)
            e.add(unpack)
            return unpack.parts

        self.table.extend([*outer, *conditions], parts or [self.root.result], fill)
        _merge(before, self.table)

    # ---- on the driver -------------------------------------------------------------

    def _check_columns(self, nest: LoopNest) -> None:
        """Refuse columns of lists that something reads and no loop computes with."""
        needed = self.planner.bound_by(nest.needs())
        if isinstance(self.root, comprehension.CollectOp):  # What is only moved may be anything.
            needed -= {*head_of(self.root).keys, *head_of(self.root).values}
        for step in nest.steps():
            if isinstance(step, OverRows | OverList):
                for value in step.each.elements:
                    if value in needed and not is_loop_type(value.type):
                        raise Refused("it computes with values that are no numbers and no strings")

    def _prepare(self, nest: LoopNest) -> None:
        """Compute what is the same for all outer rows: the rows of lists, and extents."""
        for step in list(nest.steps()):
            match step:
                case OverRows(each):
                    self._filter(each, nest)
                case OverIndices(array) | Within(array):
                    self.extents[array] = driver_dimensions(array, self.table.driver)
                case _:
                    pass
        for inner in [nest, *[s.nest for s in nest.steps() if isinstance(s, Inner)]]:
            self._limit(inner)
        needed = self.planner.bound_by(nest.needs())
        for each, (rows, elements) in self.rows.items():
            # One source for all loops over a list: columns go only where no loop can have them.
            kept = [
                p
                for p, value in enumerate(elements)
                if is_machine_type(value.type) or value in needed
            ]
            if len(kept) < len(elements):
                rows = self.table.driver.insert(tensor_block.ProjectOp(rows, kept or [0]))
                self.rows[each] = rows, [elements[p] for p in kept or [0]]

    def _limit(self, nest: LoopNest) -> None:
        """Find the ranges of which a nest does nothing where an array has no such index."""
        for step in (nest.first, *nest.rest):
            if isinstance(step, OverRange) and step.range.step is None:
                self.limits[step.range.index] = [
                    self.extents[within.array][within.axis]
                    for within in nest.rest
                    if isinstance(within, Within) and as_index(within.known) is step.range.index
                ]

    def _filter(self, each: comprehension.EachOp, nest: LoopNest) -> None:
        """Keep the rows of a list for which the conditions on them alone hold."""
        own = RowTable(self.table.root, self.table.driver)
        own.bag = each.collection
        own.columns = {value: p for p, value in enumerate(each.elements)}
        for inner in [nest, *[s.nest for s in nest.steps() if isinstance(s, Inner)]]:
            for step in list(inner.rest):
                if not isinstance(step, Test) or not is_made_inside(step.condition, self.root):
                    continue
                found = own.slice([step.condition])
                alone = found.columns and not found.missing and not found.collections
                if alone and not any(map(can_trap, found.ops)):
                    own.filter(step.condition)
                    inner.rest.remove(step)
        self.rows[each] = own.rows, each.elements

    # ---- in the body ---------------------------------------------------------------

    def _aggregate(self, e: BodyEmitter, nest: LoopNest) -> SSAValue:
        """Append the loops of a comprehension; return its value."""
        for step in nest.before:
            self._compute(e, step)
        assert nest.first is not None
        return self._total(e, nest.first, nest.rest, nest)

    def _total(self, e: BodyEmitter, over: Over, steps: Sequence[Step], nest: LoopNest) -> SSAValue:
        """Append a loop with a generator for what a comprehension is; return what that makes."""
        root = nest.root
        if isinstance(root, comprehension.AggregateOp):
            type = multiloop.ReduceType(root.monoid.data, root.result.type)
        else:
            type = multiloop.CollectType(row_types(root))
        in_list = isinstance(over, OverList)

        def body(inner: BodyEmitter, generators: Sequence[SSAValue]) -> None:
            self._steps(inner, steps, nest, generators[0], in_list=in_list)

        return self._loop(e, over, [type], body).made[0]

    def _steps(
        self,
        e: BodyEmitter,
        steps: Sequence[Step],
        nest: LoopNest,
        total: SSAValue,
        *,
        in_list: bool,
    ) -> None:
        """Append what is done in an iteration, `in_list` of the row's own, up to the emit."""
        for number, step in enumerate(steps):
            rest = steps[number + 1 :]

            def go_on(inner: BodyEmitter, rest: Sequence[Step] = rest) -> None:
                self._steps(inner, rest, nest, total, in_list=in_list)

            match step:
                case Let() | Inner():
                    self._compute(e, step)
                case Read(array, indices, element):
                    at = [e.lookup(index) for index in indices]
                    read = tensor.ExtractOp(array, at, element.type)
                    e.environment[element] = named(e.add(read), element)
                case Test(condition, holds):
                    value = self._value(e, condition)
                    if not holds:
                        true = e.constant(IntegerAttr(1, i1))
                        value = e.add(arith.XOrIOp(value, true))
                    self._when(e, value, go_on)
                    return
                case Within() | WithinRange():
                    test = self._within(e, step)
                    if test is not None:
                        self._when(e, test, go_on)
                        return
                case OverList():

                    def body(
                        inner: BodyEmitter, _: Sequence[SSAValue], rest: Sequence[Step] = rest
                    ) -> None:
                        self._steps(inner, rest, nest, total, in_list=True)

                    self._loop(e, step, (), body)
                    return
                case _ if in_list:
                    # What an item comes to is folded apart: NumPy has all items side by side.
                    value = self._total(e, step, rest, nest)
                    self._append(e, multiloop.EmitOp(total, [value]))
                    return
                case _:
                    self._loop(e, step, (), lambda inner, _, go_on=go_on: go_on(inner))
                    return
        head = head_of(nest.root)
        values = [self._value(e, value) for value in (*head.keys, *head.values)]
        types = row_types(nest.root)
        row = [cast_index(e, value, type) for value, type in zip(values, types, strict=True)]
        self._append(e, multiloop.EmitOp(total, row))

    def _compute(self, e: BodyEmitter, step: Let | Inner) -> None:
        """Append what computes values; what may fail waits until something needs it."""
        if isinstance(step, Inner):
            e.environment[step.nest.root.result] = self._aggregate(e, step.nest)
            return
        found = self.planner.bound_by(list(step.op.results))
        if not can_trap(step.op) and all(value in e.environment for value in found):
            for result in step.op.results:
                self._value(e, result)

    def _value(self, e: BodyEmitter, value: SSAValue) -> SSAValue:
        """Return what a value is in the body: computed here, if nothing has computed it."""
        owner = value.owner
        if value not in e.environment and is_made_inside(value, self.root):
            assert isinstance(owner, Operation)
            for operand in operands_of(owner):
                self._value(e, operand)
            e.block.add_op(owner.clone(e.environment))
        return e.lookup(value)

    def _append(self, e: BodyEmitter, op: Operation) -> None:
        op.location = e.location
        e.block.add_op(op)

    def _when(self, e: BodyEmitter, condition: SSAValue, fill: Fill) -> None:
        """Append what is done if a condition holds."""
        block = Block()
        branch = BodyEmitter(block, dict(e.environment), e.location)
        fill(branch)
        branch.terminate([])
        self._append(e, scf.IfOp(condition, [], Region(block)))

    def _loop(
        self,
        e: BodyEmitter,
        over: Over,
        generators: Sequence[Attribute],
        fill: Callable[[BodyEmitter, Sequence[SSAValue]], None],
    ) -> multiloop.LoopOp:
        """Append a loop, whose body `fill` writes."""
        source, inputs, elements = self._source(e, over)
        block = Block(arg_types=[*[value.type for value in elements], *generators])
        inner = BodyEmitter(block, dict(e.environment), e.location)
        for value, argument in zip(elements, block.args, strict=False):
            inner.environment[value] = argument
            argument.name_hint = value.name_hint
        if isinstance(over, OverRange) and over.range.step is not None:
            index = self._stepped(inner, over.range, block.args[0])
            inner.environment[over.range.index] = named(index, over.range.index)
            block.args[0].name_hint = None
        fill(inner, block.args[len(elements) :])
        loop = multiloop.LoopOp(source, inputs, Region(block))
        self._append(e, loop)
        return loop

    def _source(
        self, e: BodyEmitter, over: Over
    ) -> tuple[multiloop.Source, Sequence[SSAValue], Sequence[SSAValue]]:
        """Return what a loop runs over, and the values that it has for an iteration."""
        match over:
            case OverRows(each):
                rows, elements = self.rows[each]
                return "rows", [rows], elements
            case OverList(each):
                return "rows", [self._value(e, each.collection)], each.elements
            case OverIndices(array, axis, index):
                extent = self.extents[array][axis]
                self.below[index] = [extent]
                return "range", [e.zero(IndexType()), extent], [index]
            case OverRange(range) if range.step is None:
                return "range", self._ends(e, range), [range.index]
            case OverRange(range):
                return "range", [e.zero(IndexType()), self._count(e, range)], [range.index]

    def _ends(self, e: BodyEmitter, range: comprehension.RangeOp) -> Sequence[SSAValue]:
        """Return where a range begins, and where it ends, as far as anything is done.

        It is computed on the driver, which then knows how much work a row is, if it is the same for
        all rows.
        """
        ends = (range.lower, range.upper)
        alike = not any(is_made_inside(end, self.root) or self.table.varies(end) for end in ends)
        lower, upper = ends if alike else (self._value(e, end) for end in ends)

        def add(op: Operation) -> SSAValue:
            return self.table.driver.insert(op) if alike else e.add(op)

        def number(value: int) -> SSAValue:
            return add(arith.ConstantOp(IntegerAttr(value, IndexType())))

        def clamp(end: SSAValue, least: int) -> SSAValue:
            known = constant_value(end)
            if isinstance(known, int) and known >= least:
                return end
            return add(arith.MaxSIOp(end, number(least)))

        if isinstance(self.root, comprehension.CollectOp):
            upper = add(arith.MinSIOp(upper, number(_LAST)))  # A list has not so many rows.
        limits = self.limits[range.index]
        for limit in limits:
            upper = add(arith.MinSIOp(upper, add(arith.SubiOp(limit, number(1)))))
        if limits:
            self.below[range.index] = limits
            # Nor does the number of iterations wrap around then, however far apart the ends are.
            lower, upper = clamp(lower, 0), clamp(upper, -1)
        return [lower, add(arith.AddiOp(upper, number(1)))]

    def _count(self, e: BodyEmitter, range: comprehension.RangeOp) -> SSAValue:
        """Return how many numbers a range with a step has; at most zero if it has none."""
        lower, upper = (self._value(e, end) for end in (range.lower, range.upper))
        assert range.step is not None
        step = e.constant(IntegerAttr(range.step.value.data, IndexType()))
        steps = e.add(arith.FloorDivSIOp(e.add(arith.SubiOp(upper, lower)), step))
        return e.add(arith.AddiOp(steps, e.constant(IntegerAttr(1, IndexType()))))

    def _stepped(self, e: BodyEmitter, range: comprehension.RangeOp, place: SSAValue) -> SSAValue:
        """The number of a range at a place, which counts from 0."""
        assert range.step is not None
        step = e.constant(IntegerAttr(range.step.value.data, IndexType()))
        return e.add(arith.AddiOp(self._value(e, range.lower), e.add(arith.MuliOp(place, step))))

    def _within(self, e: BodyEmitter, step: Within | WithinRange) -> SSAValue | None:
        """Bind an index that is known; return whether it is one, unless that is sure."""
        known = cast_index(e, self._value(e, step.known), IndexType())
        if isinstance(step, WithinRange):
            range = step.range
            e.environment[range.index] = known
            lower, upper = (self._value(e, end) for end in (range.lower, range.upper))
            by = step_of(range)
            return in_range(e, known, lower, upper, by)
        extent = self.extents[step.array][step.axis]
        below = self.below.get(as_index(step.known))
        tests: list[SSAValue] = []
        if below is None:
            tests.append(e.add(arith.CmpiOp(known, e.zero(IndexType()), "sge")))
        if not any(same_value(extent, other) for other in below or ()):
            tests.append(e.add(arith.CmpiOp(known, extent, "slt")))
        if step.index is not step.known:
            e.environment[step.index] = known
            self.below[step.index] = [*(below or ()), extent]
        if len(tests) == 2:
            return e.add(arith.AndIOp(tests[0], tests[1]))
        return tests[0] if tests else None


def _parts_of(root: Looped) -> Sequence[SSAValue] | None:
    """The parts of the tuple that is folded, where nothing needs it as a whole.

    They become a column each, which machine code computes with.
    """
    uses = [use.operation for use in root.result.uses]
    if len(uses) != 1 or not isinstance(uses[0], comprehension.UnpackOp):
        return None
    return uses[0].parts


def _merge(before: SSAValue, table: RowTable) -> None:
    """Compute the loops of two aggregates in one op, where several loops can be made one."""
    first, second = before.owner, table.rows.owner
    assert isinstance(second, tensor_block.ExtendOp)
    if not isinstance(first, tensor_block.ExtendOp) or not before.has_one_use():
        return
    if not any(isinstance(op, multiloop.LoopOp) for op in first.body.block.ops):
        return
    body = first.detach_region(first.body)
    end, last = body.block.last_op, second.body.block.last_op
    assert end is not None
    assert last is not None
    columns: list[SSAValue] = [*body.block.args, *end.operands]
    values: dict[SSAValue, SSAValue] = dict(zip(second.body.block.args, columns, strict=True))
    for op in second.body.block.ops:
        if op is not last:
            Rewriter.insert_op(op.clone(values), InsertPoint.before(end))
    yielded = [*end.operands, *[values.get(value, value) for value in last.operands]]
    Rewriter.insert_op(located(tensor_block.YieldOp(*yielded), end), InsertPoint.before(end))
    Rewriter.erase_op(end)
    table.bag = table.driver.insert(tensor_block.ExtendOp(first.bag, body))
    Rewriter.erase_op(second)
    Rewriter.erase_op(first)
