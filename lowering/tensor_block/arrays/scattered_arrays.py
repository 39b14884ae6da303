"""Comprehensions over arrays whose keys are computed, as `scatter_reduce`.

Reads the `comprehension` level, writes the `tensor_block` level.

    build (%bins) {                                tensor_block.scatter_reduce add
      %i, %v = each %V                               reduced(d0 < %n) into(%bins) (%V[d0])
      %k = remsi %v, %ten                    ==>     { yield %v % 10, %v }
      group_by keys(%k) values(%v); reduce add …

The keys are bounded by the dimensions of the result, so a table of these takes the place of a
sort: one `scatter_reduce` per reduction, and a `map` that computes the head from them. That
does not pay where the result is huge beside the data; rows do it then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, IndexType, IntegerAttr, TensorType, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineMap

from diablo.dialects import comprehension, monoids, tensor_block
from diablo.dialects.locations import remark
from diablo.lowering.tensor_block.arrays.array_operands import element_type, operand_maps
from diablo.lowering.tensor_block.arrays.array_query import ArrayQuery
from diablo.lowering.tensor_block.arrays.array_reductions import counts_rows
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter, Driver, scalar_body
from diablo.lowering.tensor_block.query.query import Query, tensor_type
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.affine_values import known_index, underlying

_Fill = Callable[[BodyEmitter, Sequence[SSAValue]], Sequence[SSAValue]]

MOST_EMPTY = 4
"""How many elements per point a result may have before rows are better."""
SMALL = 1 << 16
"""A result of so many elements is never too large."""


class ScatteredArrays:
    """Plans one query with the computed `keys`. `lower()` returns what replaces the root."""

    def __init__(self, query: Query, driver: Driver, keys: Sequence[SSAValue]):
        self.array = ArrayQuery(query, driver, ())
        self.query = query
        self.driver = driver
        self.keys = list(keys)
        self.tables: list[SSAValue] = []

    def lower(self) -> SSAValue:
        """Emit the tables and what is computed from them."""
        root, space = self.array.root, self.array.space
        if isinstance(root, comprehension.AggregateOp | comprehension.CollectOp):
            raise Refused("the result is no array")
        type = tensor_type(root.results[0])
        if tensor_block.is_sparse(type):
            raise Refused("a sparse result has entries only where rows are")
        if any(map(space.is_stored_only, space.accesses)):
            raise Refused("only the stored entries of a sparse array take part")
        if not space.accesses:
            raise Refused("the keys are computed from ranges alone")
        for number in self.array.reduced:
            space.set_reduced_extent(number)
        space.complete_conditions()
        if isinstance(root, comprehension.MergeOp):
            sizes = [space.array_extent(root.dest, axis) for axis in range(len(self.keys))]
        else:
            sizes = list(root.dims)
        self._check_cost(sizes)
        if isinstance(root, comprehension.MergeOp):
            result = self._lower_merge(root, sizes)
        else:
            result = self._lower_group(sizes)
        message = "computed keys: reduced into a table of the result's dimensions, not by sorting"
        remark(root, message)
        return result

    def _check_cost(self, sizes: Sequence[SSAValue]) -> None:
        wanted = [known_index(size) for size in sizes]
        given = [known_index(d.size) for d in self.array.space.dimensions]
        if None in wanted or None in given:
            return
        elements, points = prod(w or 0 for w in wanted), prod(g or 0 for g in given)
        if elements > max(SMALL, MOST_EMPTY * points):
            raise Refused(
                f"a key is computed, and a table of {elements} elements is too large for "
                f"{points} points"
            )

    def _lower_merge(self, root: comprehension.MergeOp, sizes: Sequence[SSAValue]) -> SSAValue:
        if root.monoid is None:
            raise Refused("a key is computed, and no monoid combines what it is given to")
        monoid, value = root.monoid.data, self.query.head.values[0]
        table = self._table(monoid, value, sizes)
        self.tables = [root.dest, table]
        return self._map(
            sizes,
            lambda emitter, elements: [
                emitter.add(monoids.combine(monoid, elements[0], elements[1]))
            ],
        )

    def _lower_group(self, sizes: Sequence[SSAValue]) -> SSAValue:
        group, query = self.query.group, self.query
        if group is None:
            raise Refused("a key is computed, and no monoid combines what it is given to")
        grouped: dict[SSAValue, SSAValue] = dict(zip(group.bags, group.values, strict=True))
        folds: list[comprehension.ReduceOp] = []
        for op in query.after:
            if isinstance(op, comprehension.ReduceOp) and op.bag in grouped:
                folds.append(op)
            elif any(operand in grouped for operand in op.operands):
                raise Refused("a group is used other than by a reduction")
        value = query.head.values[0]
        self.tables = [self._table(f.monoid.data, grouped[f.bag], sizes) for f in folds]
        rest = [op for op in query.after if not isinstance(op, comprehension.ReduceOp)]
        guarded = any(isinstance(op, comprehension.GuardOp) for op in rest)
        plain = len(folds) == 1 and value is folds[0].result
        if plain and monoid_named(folds[0].monoid.data).neutral_zero and not guarded:
            # The fold of no rows is the implicit value.
            return self._as_result(self.tables[0])
        counted = [n for n, fold in enumerate(folds) if counts_rows(fold, grouped[fold.bag])]
        if not counted:
            true = self.driver.insert(arith.ConstantOp.from_int_and_width(1, i1))
            self.tables.append(self._table("or", true, sizes))
        type = tensor_type(self.array.root.results[0]).get_element_type()

        def absent(emitter: BodyEmitter) -> Sequence[SSAValue]:
            return [emitter.zero(type)]

        def body(emitter: BodyEmitter, elements: Sequence[SSAValue]) -> Sequence[SSAValue]:
            for fold, element in zip(folds, elements, strict=False):
                emitter.environment[fold.result] = element
            results = map(underlying, query.head.keys)
            for number, (key, result) in enumerate(zip(self.keys, results, strict=True)):
                index = emitter.indices[number]
                if result.type != index.type:
                    index = emitter.add(arith.IndexCastOp(index, result.type))
                emitter.environment[result] = emitter.environment[key] = index
            present = elements[-1]
            if counted:
                number = elements[counted[0]]
                compare = arith.CmpfOp if isinstance(number.type, AnyFloat) else arith.CmpiOp
                predicate = "ogt" if compare is arith.CmpfOp else "sgt"
                present = emitter.add(compare(number, emitter.zero(number.type), predicate))
            return emitter.when(
                present,
                lambda e: e.guarded(rest, lambda inner: [inner.lookup(value)], absent, [type]),
                absent,
                [type],
            )

        return self._map(sizes, body)

    def _table(self, monoid: str, value: SSAValue, sizes: Sequence[SSAValue]) -> SSAValue:
        """The reductions of `value` by key."""
        if monoids.is_user_defined(monoid):
            raise Refused("a key is computed, and the monoid is the program's own")
        array, guards = self.array, self.query.guards
        conditions = array.space.conditions
        bounds = [c.bound for c in conditions if c.bound is not None]
        keys = [underlying(key) for key in self.keys]
        wanted = [value, *keys, *[guard.condition for guard in guards], *bounds]
        operands = array.operands_of(array.leaves(wanted))
        ops = array.ordered(wanted, guards)
        iteration = tuple(range(len(array.space.dimensions)))
        types = [*[IndexType()] * len(keys), value.type]

        def row(emitter: BodyEmitter) -> Sequence[SSAValue]:
            return [*[_as_index(emitter, emitter.lookup(k)) for k in keys], emitter.lookup(value)]

        def nowhere(emitter: BodyEmitter) -> Sequence[SSAValue]:
            outside = emitter.constant(IntegerAttr(-1, IndexType()))
            return [*[outside] * len(keys), emitter.identity(monoid, value.type, self.query.root)]

        def fill(emitter: BodyEmitter, elements: Sequence[SSAValue]) -> Sequence[SSAValue]:
            emitter.environment.update(zip(operands, elements, strict=True))
            return array.conditional(
                emitter,
                conditions,
                lambda inner: inner.guarded(ops, row, nowhere, types),
                nowhere,
                types,
            )

        region = array.body(list(operands.values()), iteration, fill)
        maps, symbols = operand_maps(list(operands.values()), iteration, array.driver)
        local = TensorType(value.type, [DYNAMIC_INDEX] * len(sizes))
        type: Attribute = tensor_block.tiled_type(local) if array.tiled() else local
        return self.driver.insert(
            tensor_block.ScatterReduceOp(
                monoid,
                [o.array for o in operands.values()],
                array.space.sizes(iteration),
                sizes,
                maps,
                region,
                type,
                symbols=symbols,
            )
        )

    def _as_result(self, table: SSAValue) -> SSAValue:
        """The table itself, which has the result's type."""
        if table.type == self.array.root.results[0].type:
            return table
        op = table.owner
        assert isinstance(op, tensor_block.ScatterReduceOp)
        sizes = list(op.into)
        return self._map(sizes, lambda _, elements: [elements[0]])

    def _map(self, sizes: Sequence[SSAValue], fill: _Fill) -> SSAValue:
        """A map over the result, given the elements of the tables."""
        rank = len(sizes)
        arguments = [*[IndexType()] * rank, *[element_type(table) for table in self.tables]]

        def body(emitter: BodyEmitter, args: Sequence[SSAValue]) -> Sequence[SSAValue]:
            emitter.indices.update(enumerate(args[:rank]))
            return fill(emitter, args[rank:])

        region = scalar_body(arguments, self.array.root.location, body)
        type = tensor_type(self.array.root.results[0])
        maps = [AffineMap.identity(rank)] * len(self.tables)
        return self.driver.insert(tensor_block.MapOp(self.tables, sizes, maps, region, type))


def _as_index(emitter: BodyEmitter, value: SSAValue) -> SSAValue:
    if isinstance(value.type, IndexType):
        return value
    return emitter.add(arith.IndexCastOp(value, IndexType()))
