"""A stretch of generators, guards and lets as joins and filters of rows.

Reads the `comprehension` level, writes the row ops of the `tensor_block` level.

    %i, %j = each %G                          %r0 = tensor_block.lookup %G, %C columns [0]
    %ii, %c = each %C; guard %ii == %i  ==>   %r1 = tensor_block.filter %r0 { %c > 0 }
    guard %positive

Generators become joins (a lookup where every index of an array is known), in the order that
keeps the rows few. A guard filters as early as what it protects allows: one that can trap
waits for the generators and guards that stand before it, one of a single generator filters what is
joined. What rows that are about to be multiplied have in common, and is more than arithmetic, is
computed before:

    %s = reduce add %xs                       %r0 = tensor_block.extend %r { reduce add %xs }
    %v = each %xs                       ==>   %r1 = tensor_block.unnest %r0[1]
    %q = divf %v, %s                          %r2 = tensor_block.extend %r1 { divf %v, %s }
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, NoneAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.comprehension import BagType
from diablo.dialects.encodings import array_type, as_array
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter, scalar_body
from diablo.lowering.tensor_block.query.plan_sizes import driver_dimensions
from diablo.lowering.tensor_block.query.query import Generator
from diablo.lowering.tensor_block.rows.arrays_of_rows import RowArrays
from diablo.lowering.tensor_block.rows.lookup_reads import Read
from diablo.lowering.tensor_block.rows.row_bodies import in_range
from diablo.lowering.tensor_block.rows.row_order import bound_variables, next_generator
from diablo.lowering.tensor_block.rows.row_table import RowTable
from diablo.lowering.tensor_block.rows.row_ties import Ties
from diablo.lowering.tensor_block.rows.row_values import (
    inner_ops,
    numbered_list,
    operands_of,
    slice_of,
)
from diablo.passes.analyses.values.speculation import can_trap, is_little, is_pure


class Stretch:
    """Plans the generators and guards between two ops that everything before must be there for.

    One is a guard, or a range, that can trap: it does so for rows that what stands behind it would
    drop.
    """

    def __init__(self, table: RowTable):
        self.table = table
        self.generators: list[Generator] = []
        self.guards: list[comprehension.GuardOp] = []
        self.reads: list[Read] = []
        self.ties = Ties(table)
        self.later: Sequence[SSAValue] = ()

    def plan(self, later: Sequence[SSAValue]) -> None:
        """Bring the rows to the end of the stretch; `later` is what is used behind it."""
        self.later = later
        self.ties.read(self.guards, self._variables())
        if self.table.bag is None and self._starts_from_one_row():
            self.table.one_row()
        if self.table.bag is not None:
            self._filter()
        while self.generators:
            self.ties.release(self.guards, self.generators)
            generator = next_generator(self.generators, self.guards, self.table, self.ties)
            self.generators.remove(generator)
            self.table.generator = generator
            self._add(generator)
            self.table.generator = None
            self._filter()
        while self.reads:
            self.reads.pop(0).add_to(self.table)
            self._filter()

    def _starts_from_one_row(self) -> bool:
        """Whether there is no generator, or a guard protects what the first one runs over."""
        if not self.generators:
            return True
        first = self.generators[0]
        needed = self.table.slice(first.operands)
        return bool(needed.missing) or any(map(can_trap, needed.ops))

    def _variables(self) -> set[SSAValue]:
        return bound_variables(self.generators)

    # ---- filters -------------------------------------------------------------------

    def _filter(self) -> None:
        self.ties.filter()
        self._apply_guards()
        while (read := self._next_read()) is not None:
            self.reads.remove(read)
            read.add_to(self.table)
            self.ties.filter()
            self._apply_guards()

    def _next_read(self) -> Read | None:
        """A read that something in the stretch needs, and whose keys are there."""
        waiting: set[SSAValue] = set()
        for left, right in self.ties.pending:
            waiting |= self.table.slice([left, right]).missing
        for op in (*self.guards, *self.generators):
            waiting |= self.table.slice(op.operands).missing
        for read in reversed(self.reads):
            if not waiting.isdisjoint(read.op.results):
                waiting |= self.table.slice(read.needs).missing
        for read in self.reads:
            if waiting.isdisjoint(read.op.results) or self.table.slice(read.needs).missing:
                continue
            earlier = [op for op in (*self.generators, *self.guards) if self._is_above(op, read)]
            if not earlier or not read.can_trap(self.table):
                return read
        return None

    @staticmethod
    def _is_above(op: Operation, read: Read) -> bool:
        top: Operation | None = read.op
        while top is not None and top.parent is not op.parent:
            top = top.parent_op()
        return top is not None and op.is_before_in_block(top)

    def _apply_guards(self) -> None:
        """Filter by the guards whose values are there, as early as what protects them allows."""
        waiting: list[comprehension.GuardOp] = []
        for guard in self.guards:
            needed = self.table.slice([guard.condition])
            protected = any(map(can_trap, needed.ops))
            waits = protected and (waiting or self._follows_any(guard))
            if waits or needed.missing:
                waiting.append(guard)
            else:
                self.table.filter(guard.condition)
        self.guards = waiting

    def _follows_any(self, op: Operation) -> bool:
        """Return whether a generator stands before `op`: without its rows `op` is not reached."""
        return any(generator.is_before_in_block(op) for generator in self.generators)

    # ---- generators ----------------------------------------------------------------

    def _add(self, generator: Generator) -> None:
        if isinstance(generator, comprehension.RangeOp):
            self._add_range(generator)
            return
        collection, elements = generator.collection, tuple(generator.elements)
        if not self.table.varies(collection):
            if isinstance(collection.type, BagType):
                self._join(collection, elements)
            else:
                self._add_array(generator)
        elif (numbered := numbered_list(collection)) is not None:
            # The rows of all lists are numbered at once, each list in its order.
            *columns, number = elements
            self._hold_shared()
            self.table.unnest(numbered, columns)
            self.table.bag = self.table.driver.insert(tensor_block.NumberOp(self.table.rows))
            self.table.columns[number] = self.table.width() - 1
        elif isinstance(collection.type, BagType):
            self._hold_shared()
            self.table.unnest(collection, elements)
        else:
            known: dict[SSAValue, SSAValue] = {}
            for index in elements[:-1]:
                value = self.ties.tie(index)
                if value is not None:
                    known[index] = value
            RowArrays(self.table).add(generator, known)

    def _hold_shared(self) -> None:
        """Compute now what is the same for all rows that come of one, unless that is little work.

        What can fail waits: there may be no row that needs it.
        """
        table, wanted = self.table, self._wanted()
        needed = table.slice(wanted)
        late, used = set(needed.missing), list(wanted)
        for op in needed.ops:
            operands = operands_of(op)
            inner = [result for part in inner_ops(op) for result in part.results]
            if not late.isdisjoint([*operands, *inner]):
                late.update(op.results)
                used += operands
        shared = [v for v in dict.fromkeys(used) if v not in late and self._is_work(v)]
        if shared:
            table.columns_of(shared, [value.type for value in shared])

    def _is_work(self, value: SSAValue) -> bool:
        """Whether a value of the rows so far cannot fail and takes more than arithmetic."""
        if as_array(value.type) is not None or value in self.table.columns:
            return False
        needed = self.table.slice([value])
        if not needed.columns or needed.missing or needed.collections:
            return False
        if any(can_trap(op) or not is_pure(op) for op in needed.ops):
            return False
        return not all(isinstance(op, comprehension.LengthOp) or is_little(op) for op in needed.ops)

    def _add_range(self, generator: comprehension.RangeOp) -> None:
        table = self.table
        known = self.ties.tie(generator.index)
        step = generator.step.value.data if generator.step is not None else 1
        ends = [generator.lower, generator.upper]
        if known is not None:
            (table.columns[generator.index],) = table.columns_of([known], [IndexType()])

            def test(emitter: BodyEmitter) -> Sequence[SSAValue]:
                index, *bounds = map(emitter.lookup, (generator.index, *ends))
                return [in_range(emitter, index, bounds[0], bounds[1], step)]

            table.filter_by([generator.index, *ends], test)
            return
        if any(map(table.varies, ends)):
            if table.bag is None:
                table.one_row()
            self._hold_shared()
            region = table.region(ends, lambda emitter: [emitter.lookup(end) for end in ends])
            table.multiply(tensor_block.ExpandOp(table.rows, region, step))
            table.columns[generator.index] = table.width() - 1
            table.number = None
            return
        range = tensor_block.RangeOp(generator.lower, generator.upper, step)
        source = table.driver.insert(range)
        self._join(source, [generator.index])

    def _add_array(self, generator: comprehension.EachOp) -> None:
        """An array from outside of the comprehension."""
        table, array = self.table, generator.collection
        *indices, element = generator.elements
        type = array_type(array)
        if table.bag is not None and all(self.ties.known(i) is not None for i in indices):
            known = [v for v in map(self.ties.tie, indices) if v is not None]
            positions = table.columns_of(known, [IndexType()] * len(known))
            stored = generator.full is None and tensor_block.is_sparse(type)
            table.bag = table.driver.insert(
                tensor_block.LookupOp(table.rows, array, positions, stored=stored)
            )
            table.columns.update(zip(indices, positions, strict=True))
            table.columns[element] = table.width() - 1
            return
        if generator.full is not None and tensor_block.is_sparse(type):
            array = self._densified(array, type)
        source = table.driver.insert(tensor_block.ToBagOp(array))
        self._join(source, generator.elements)

    def _densified(self, array: SSAValue, type: TensorType[Attribute]) -> SSAValue:
        """A dense copy of a sparse array, for a generator that runs over every index."""
        driver, rank = self.table.driver, type.get_num_dims()
        encoding = tensor_block.TilesAttr(rank) if tensor_block.is_tiled(type) else NoneAttr()
        dense = TensorType(type.get_element_type(), [DYNAMIC_INDEX] * rank, encoding)
        arguments = [*[IndexType()] * rank, type.get_element_type()]
        body = scalar_body(arguments, self.table.root.location, lambda _, args: [args[-1]])
        extents = driver_dimensions(array, driver)
        identity = AffineMap.identity(rank)
        return driver.insert(tensor_block.MapOp([array], extents, [identity], body, dense))

    def _join(self, source: SSAValue, variables: Sequence[SSAValue]) -> None:
        """Join the rows of `source`, whose columns are `variables`, on what is known of them."""
        table = self.table
        if table.bag is None:
            table.bag = source
            table.columns.update({v: p for p, v in enumerate(variables)})
            return
        source = self._filtered(source, variables)
        tied = {
            p: known for p, v in enumerate(variables) if (known := self.ties.tie(v)) is not None
        }
        table.number = None  # several rows come of one
        used = self._used(variables)
        kept = [p for p, v in enumerate(variables) if v in used or p in tied] or [0]
        if len(kept) < len(variables):
            source = table.driver.insert(tensor_block.ProjectOp(source, kept))
        table.prune([*used, *tied.values()])
        right = [kept.index(p) for p in tied]
        table.join(source, list(tied.values()), right, [variables[p] for p in kept])

    def _filtered(self, source: SSAValue, variables: Sequence[SSAValue]) -> SSAValue:
        """`source`, whose columns are `variables`, after the guards on them alone.

        Rows that they drop are not paired.
        """
        own = RowTable(self.table.root, self.table.driver)
        own.bag, own.generator = source, self.table.generator
        own.columns = {v: p for p, v in enumerate(variables)}
        for guard in list(self.guards):
            needed = own.slice([guard.condition])
            alone = needed.columns and not needed.missing and not needed.collections
            if alone and not any(map(can_trap, needed.ops)):
                own.filter(guard.condition)
                self.guards.remove(guard)
        return own.rows

    def _used(self, variables: Sequence[SSAValue]) -> set[SSAValue]:
        """The columns, and those of `variables`, that something from here on needs."""
        columns = {*self.table.columns, *variables}
        return slice_of(self._wanted(), columns, self.table.root).columns

    def _wanted(self) -> list[SSAValue]:
        """What something from here on needs."""
        wanted = list(self.later)
        for left, right in self.ties.pending:
            wanted += [left, right]
        for op in (*self.guards, *self.generators):
            wanted += op.operands
        for read in self.reads:
            wanted += read.needs
        return wanted
