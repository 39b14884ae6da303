"""Any comprehension as relational algebra over column batches: what always works.

Reads the `comprehension` level, writes the row ops of the `tensor_block` level.

    collect {                                   %r0 = tensor_block.lookup %G, %C columns [0]
      %i, %j = each %G                          %r1 = tensor_block.extend %r0 { 1.0 / %c }
      %ii, %c = each %C; guard %ii == %i  ==>   %r2 = tensor_block.project %r1 [0, 1, 3]
      %v = divf %one, %c
      yield (%i, %j) %v }

Generators become joins (a lookup where every index of an array is known), guards filters,
lets columns that are computed when something needs them, and a group-by one pass that folds
every reduced value.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, NoneAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.comprehension import BagType
from diablo.lowering.tensor_block.body_emitter import BodyEmitter, Driver, scalar_body
from diablo.lowering.tensor_block.index_space import driver_dimensions
from diablo.lowering.tensor_block.query import (
    Generator,
    Query,
    Unrecognised,
    generated,
    index_variables,
    tensor_type,
    underlying,
)
from diablo.lowering.tensor_block.row_table import RowTable
from diablo.passes.analyses.speculation import can_trap


class RowPlan:
    """Plans one query over rows. `lower()` returns the value that replaces the root."""

    def __init__(self, query: Query, driver: Driver):
        self.query = query
        self.driver = driver
        self.table = RowTable(query, driver)
        self.pending = list(query.equalities)
        """The equalities that no join has enforced yet."""
        self.guards = query.guards

    # ---- generators ----------------------------------------------------------------

    def _known(self, variable: SSAValue) -> SSAValue | None:
        """A value that can be computed from the rows so far and that `variable` must equal."""
        if self.table.bag is None:
            return None
        for left, right in self.pending:
            for one, other in ((left, right), (right, left)):
                if one is variable and other is not variable and self.table.available(other):
                    return other
        return None

    def _tie(self, variable: SSAValue) -> SSAValue | None:
        """`_known`, for a join that enforces the equality."""
        known = self._known(variable)
        self.pending = [
            (left, right)
            for left, right in self.pending
            if (left, right) != (variable, known) and (left, right) != (known, variable)
        ]
        return known

    def _waits(self, generator: Generator) -> bool:
        """Whether a variable is to equal a computed value (`V[i-1]`) that is not there yet."""
        variables = set(generated(generator))
        for left, right in self.pending:
            for one, other in ((left, right), (right, left)):
                computed = other not in self.query.variables()
                if one in variables and computed and not self.table.available(other):
                    return True
        return False

    def _choose_next(self, remaining: list[Generator]) -> Generator:
        """The generator that grows the rows least: bound ones first, ranges last."""

        def cost(generator: Generator) -> tuple[int, ...]:
            variables = generated(generator)
            known = sum(self._known(v) is not None for v in variables)
            bound = known >= len(index_variables(generator) or variables)
            if isinstance(generator, comprehension.RangeOp):
                size = 3
            elif isinstance(generator.collection.type, BagType):
                size = 0
            elif tensor_block.is_sparse(generator.collection.type) and generator.full is None:
                size = 1
            else:
                size = 2
            return (not bound, self._waits(generator), not known, size)

        ready = [g for g in remaining if self._ready(g)]
        if not ready:
            raise Unrecognised("a generator runs over a collection computed per element")
        return min(ready, key=cost)

    def _ready(self, generator: Generator) -> bool:
        if isinstance(generator, comprehension.EachOp):
            return not self.query.binds(generator.collection)
        return not self._is_dependent(generator) or (
            self.table.bag is not None
            and self.table.available(generator.lower)
            and self.table.available(generator.upper)
        )

    def _is_dependent(self, generator: comprehension.RangeOp) -> bool:
        """Whether the range's ends are computed per row."""
        return self.query.binds(generator.lower) or self.query.binds(generator.upper)

    def _add(self, generator: Generator) -> None:
        if isinstance(generator, comprehension.RangeOp):
            self._add_range(generator)
        elif isinstance(generator.collection.type, TensorType):
            self._add_array(generator, tensor_type(generator.collection))
        else:
            self._join(generator.collection, generated(generator))

    def _add_range(self, generator: comprehension.RangeOp) -> None:
        known = self._tie(generator.index)
        step = generator.step.value.data if generator.step is not None else 1
        if known is None and self._is_dependent(generator):
            region = self.table.region([generator.lower, generator.upper], [IndexType()] * 2)
            expanded = tensor_block.ExpandOp(self.table.rows, region, step)
            self.table.bag = self.driver.insert(expanded)
            self.table.columns[generator.index] = self.table.width() - 1
            return
        if known is None:
            source = self.driver.insert(
                tensor_block.RangeOp(generator.lower, generator.upper, step)
            )
            self._join(source, [generator.index])
            return
        (self.table.columns[generator.index],) = self.table.columns_of([known], [IndexType()])
        bag = self.table.rows.type
        assert isinstance(bag, BagType)

        def fill(emitter: BodyEmitter, columns: Sequence[SSAValue]) -> Sequence[SSAValue]:
            self.table.bind(emitter, columns)
            emitter.clone(self.table.ops([generator.lower, generator.upper]))
            index, lower, upper = map(
                emitter.lookup, (generator.index, generator.lower, generator.upper)
            )
            return [_in_range(emitter, index, lower, upper, step)]

        region = scalar_body(tuple(bag.columns), self.query.root.location, fill)
        self.table.bag = self.driver.insert(tensor_block.FilterOp(self.table.rows, region))

    def _add_array(self, generator: comprehension.EachOp, type: TensorType[Attribute]) -> None:
        *indices, element = generator.elements
        array = generator.collection
        if self.table.bag is not None and all(self._known(i) is not None for i in indices):
            known = [v for v in map(self._tie, indices) if v is not None]
            positions = self.table.columns_of(known, [IndexType()] * len(known))
            stored = generator.full is None and tensor_block.is_sparse(type)
            self.table.bag = self.driver.insert(
                tensor_block.LookupOp(self.table.rows, array, positions, stored=stored)
            )
            self.table.columns.update(zip(indices, positions, strict=True))
            self.table.columns[element] = self.table.width() - 1
            return
        if generator.full is not None and tensor_block.is_sparse(type):
            array = self._densified(array, type)
        source = self.driver.insert(tensor_block.ToBagOp(array))
        self._join(source, generator.elements)

    def _densified(self, array: SSAValue, type: TensorType[Attribute]) -> SSAValue:
        """A dense copy of a sparse array, for a generator that runs over every index."""
        rank = type.get_num_dims()
        encoding = tensor_block.TilesAttr(rank) if tensor_block.is_tiled(type) else NoneAttr()
        dense = TensorType(type.get_element_type(), [DYNAMIC_INDEX] * rank, encoding)
        arguments = [*[IndexType()] * rank, type.get_element_type()]
        body = scalar_body(arguments, self.query.root.location, lambda _, args: [args[-1]])
        return self.driver.insert(
            tensor_block.MapOp(
                [array],
                driver_dimensions(array, self.driver),
                [AffineMap.identity(rank)],
                body,
                dense,
            )
        )

    def _join(self, source: SSAValue, variables: Sequence[SSAValue]) -> None:
        """Join the rows of `source`, whose columns are `variables`, on what is known of them."""
        assert isinstance(source.type, BagType)
        if self.table.bag is None:
            self.table.bag = source
            self.table.columns.update({v: p for p, v in enumerate(variables)})
            return
        tied = {p: known for p, v in enumerate(variables) if (known := self._tie(v)) is not None}
        left = self.table.columns_of(list(tied.values()), [variables[p].type for p in tied])
        right = list(tied)
        offset = self.table.width()
        self.table.bag = self.driver.insert(
            tensor_block.JoinOp(self.table.rows, source, left, right)
        )
        self.table.columns.update({v: offset + p for p, v in enumerate(variables)})

    def _apply_equalities(self) -> None:
        """What no join has enforced (`A[i, 0]`, `A[i, i]`) filters once both sides are there."""
        waiting: list[tuple[SSAValue, SSAValue]] = []
        for left, right in self.pending:
            if self.table.available(left) and self.table.available(right):
                self.table.filter_equal(left, right)
            else:
                waiting.append((left, right))
        self.pending = waiting

    def _apply_guards(self, remaining: Sequence[Generator]) -> None:
        """Filter by the guards whose values are there, as early as what protects them allows."""
        waiting: list[comprehension.GuardOp] = []
        for guard in self.guards:
            protected = any(map(can_trap, self.table.ops([guard.condition])))
            waits = protected and (waiting or self._follows_any(guard, remaining))
            if waits or not self.table.available(guard.condition):
                waiting.append(guard)
            else:
                self.table.filter(guard.condition)
        self.guards = waiting

    def _follows_any(self, op: Operation, generators: Sequence[Generator]) -> bool:
        """Whether one of `generators` stands before `op`: without its rows `op` is not reached."""
        return any(generator.is_before_in_block(op) for generator in generators)

    # ---- the whole query -----------------------------------------------------------

    def lower(self) -> SSAValue:
        """Emit the row ops that compute the root; return its value."""
        remaining = list(self.query.generators)
        if not remaining:
            raise Unrecognised("it has no generator")
        while remaining:
            generator = self._choose_next(remaining)
            remaining.remove(generator)
            self._add(generator)
            self._apply_equalities()
            self._apply_guards(remaining)
        if self.query.group is not None:
            return self._lower_group(self.query.group)
        return self._finish()

    def _lower_group(self, group: comprehension.GroupByOp) -> SSAValue:
        grouped: dict[SSAValue, SSAValue] = dict(zip(group.bags, group.values, strict=True))
        reductions: list[comprehension.ReduceOp] = []
        for op in self.query.after:
            if isinstance(op, comprehension.ReduceOp) and op.bag in grouped:
                reductions.append(op)
            elif any(operand in grouped for operand in op.operands):
                raise Unrecognised("a group is used other than by a reduction")
        head = self.query.head
        if any(value in grouped for value in (*head.keys, *head.values)):
            raise Unrecognised("a group is used other than by a reduction")
        values = [grouped[op.bag] for op in reductions]
        scattered = self._scatter(group, reductions, values)
        if scattered is not None:
            return scattered
        wanted = [*group.keys, *values]
        self.table.take(wanted, [v.type for v in wanted])
        self.table.bag = self.driver.insert(
            tensor_block.GroupReduceOp(
                self.table.rows, len(group.keys), [op.monoid.data for op in reductions]
            )
        )
        results = [*group.group_keys, *[op.result for op in reductions]]
        self.table.columns = {v: p for p, v in enumerate(results)}
        for op in self.query.after:
            if isinstance(op, comprehension.GuardOp):
                self.table.filter(op.condition)
        return self._finish()

    def _scatter(
        self,
        group: comprehension.GroupByOp,
        reductions: Sequence[comprehension.ReduceOp],
        values: Sequence[SSAValue],
    ) -> SSAValue | None:
        """A group-by on the result's own index is folded while the array is filled."""
        root, head = self.query.root, self.query.head
        if not isinstance(root, comprehension.BuildOp) or len(reductions) != 1:
            return None
        if len(self.query.after) > len(reductions) + _casts(self.query.after):
            return None
        source: dict[SSAValue, SSAValue] = dict(zip(group.group_keys, group.keys, strict=True))
        keys = [source.get(underlying(key)) for key in head.keys]
        if len(keys) != len(source) or head.values[0] is not reductions[0].result:
            return None
        found = [key for key in keys if key is not None]
        if len(found) < len(keys) or len(set(found)) < len(found):
            return None
        self.table.take([*found, values[0]], [*[IndexType()] * len(found), values[0].type])
        return self.driver.insert(
            tensor_block.FromBagOp(
                self.table.rows, root.dims, root.result.type, monoid=reductions[0].monoid.data
            )
        )

    def _finish(self) -> SSAValue:
        root, head = self.query.root, self.query.head
        values = [*head.keys, *head.values]
        match root:
            case comprehension.AggregateOp():
                self.table.take(values, [v.type for v in values])
                return self.driver.insert(tensor_block.FoldOp(root.monoid.data, self.table.rows))
            case comprehension.CollectOp():
                assert isinstance(root.result.type, BagType)
                self.table.take(values, tuple(root.result.type.columns))
                return self.table.rows
            case comprehension.BuildOp():
                self.table.take(values, self._row_types())
                return self.driver.insert(
                    tensor_block.FromBagOp(self.table.rows, root.dims, root.result.type)
                )
            case comprehension.MergeOp():
                self.table.take(values, self._row_types())
                return self.driver.insert(
                    tensor_block.FromBagOp(
                        self.table.rows,
                        driver_dimensions(root.dest, self.driver),
                        root.result.type,
                        monoid=root.monoid.data if root.monoid is not None else None,
                        dest=root.dest,
                    )
                )

    def _row_types(self) -> list[Attribute]:
        """The columns of rows that fill an array: its indices and its element."""
        type = tensor_type(self.query.root.results[0])
        return [*[IndexType()] * type.get_num_dims(), type.get_element_type()]


def _in_range(
    emitter: BodyEmitter, index: SSAValue, lower: SSAValue, upper: SSAValue, step: int
) -> SSAValue:
    """Whether `index` is one of `lower`, `lower + step`, … up to `upper`, or down to it."""
    least, most = (lower, upper) if step > 0 else (upper, lower)
    above = emitter.add(arith.CmpiOp(index, least, "sge"))
    below = emitter.add(arith.CmpiOp(index, most, "sle"))
    inside = emitter.add(arith.AndIOp(above, below))
    if abs(step) == 1:
        return inside
    distance = emitter.add(arith.SubiOp(index, lower))
    stride = emitter.add(arith.ConstantOp.from_int_and_width(step, IndexType()))
    rest = emitter.add(arith.RemSIOp(distance, stride))
    zero = emitter.add(arith.ConstantOp.from_int_and_width(0, IndexType()))
    on_stride = emitter.add(arith.CmpiOp(rest, zero, "eq"))
    return emitter.add(arith.AndIOp(inside, on_stride))


def _casts(ops: Sequence[Operation]) -> int:
    return sum(isinstance(op, arith.IndexCastOp) for op in ops)
