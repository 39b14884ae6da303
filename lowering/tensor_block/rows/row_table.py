"""The rows that a comprehension has so far: a bag and what its columns hold.

Reads values of the `comprehension` level, writes `extend`, `filter`, `project` and `number`. A
value is computed into a column when something needs it:

    table.columns_of([%v], [f64])      %rows = tensor_block.extend %rows { %v = … ; yield %v }

A value that does not differ between rows is used as it is, unless it is a collection: an
array or a bag that every row has becomes a column (a join with the one row that holds it).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import (
    FloatAttr,
    IntegerAttr,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from diablo.dialects import tensor_block
from diablo.dialects.bags import bag_columns
from diablo.dialects.comprehension import BagType
from diablo.dialects.defining_blocks import is_made_inside
from diablo.dialects.encodings import as_array
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter, Driver, scalar_body
from diablo.lowering.tensor_block.rows.row_bodies import cast_index, clone, equal
from diablo.lowering.tensor_block.rows.row_values import Slice, slice_of

Fill = Callable[[BodyEmitter], Sequence[SSAValue]]


def row_token(type: Attribute) -> SSAValue:
    """A value that stands for a column which no value of the program stands for."""
    return Block(arg_types=[type]).args[0]


class RowTable:
    """A bag of rows and where each of the comprehension's values stands in it.

    `root` is the outermost comprehension: what is defined inside it differs from row to row.
    """

    def __init__(self, root: Operation, driver: Driver):
        self.root = root
        self.driver = driver
        self.bag: SSAValue | None = None
        self.columns: dict[SSAValue, int] = {}
        self.number: SSAValue | None = None
        """Stands for the column that tells the rows apart, if there is one."""
        self.generator: Operation | None = None
        """What rows are multiplied for, while a generator is added."""

    def fork(self) -> RowTable:
        """The same rows, to go another way with."""
        copy = RowTable(self.root, self.driver)
        copy.bag, copy.columns, copy.number = self.bag, dict(self.columns), self.number
        return copy

    @property
    def rows(self) -> SSAValue:
        """The current bag."""
        assert self.bag is not None
        return self.bag

    @property
    def types(self) -> tuple[Attribute, ...]:
        """The types of the columns."""
        return bag_columns(self.rows)

    def width(self) -> int:
        """The number of columns."""
        return len(self.types)

    # ---- what values are computed from ---------------------------------------------

    def varies(self, value: SSAValue) -> bool:
        """Return whether `value` may differ from row to row."""
        return value in self.columns or is_made_inside(value, self.root)

    def slice(self, values: Sequence[SSAValue]) -> Slice:
        """Return what `values` are computed by, and from which columns."""
        return slice_of(values, self.columns, self.root)

    def available(self, value: SSAValue) -> bool:
        """Return whether `value` can be computed from the columns there are."""
        return not self.slice([value]).missing

    def prune(self, values: Sequence[SSAValue]) -> None:
        """Drop the columns that none of `values` is computed from."""
        kept = self.slice(values).columns
        if self.number is not None:
            kept.add(self.number)
        columns = sorted({self.columns[value] for value in kept})
        if not columns or len(columns) == self.width():
            return
        self.bag = self.driver.insert(tensor_block.ProjectOp(self.rows, columns))
        self.columns = {v: columns.index(p) for v, p in self.columns.items() if p in columns}

    # ---- bodies --------------------------------------------------------------------

    def region(self, values: Sequence[SSAValue], finish: Fill) -> Region:
        """A body over the current columns that computes `values` and yields what `finish` does."""
        self._hold_collections(values)
        ops = self.slice(values).ops

        def fill(emitter: BodyEmitter, columns: Sequence[SSAValue]) -> Sequence[SSAValue]:
            for value, position in self.columns.items():
                emitter.environment[value] = columns[position]
                if value.name_hint is not None:
                    columns[position].name_hint = value.name_hint
            for op in ops:
                clone(op, emitter)
            return finish(emitter)

        return scalar_body(self.types, self.root.location, fill)

    def _hold_collections(self, values: Sequence[SSAValue]) -> None:
        """Give every row the collections from outside that computing `values` takes."""
        for collection in self.slice(values).collections:
            rows = collection
            array = as_array(collection.type)
            if array is not None:
                rows = self.driver.insert(tensor_block.ToBagOp(collection))
            held = self.driver.insert(tensor_block.GroupOp(rows, 0, [len(bag_columns(rows))]))
            self.join_outer(held, [], [], [row_token(held.type)], [UnitAttr()])
            position = self.width() - 1
            if rows.type != collection.type or self.types[-1] != collection.type:
                self.bag = self.driver.insert(
                    tensor_block.ExtendOp(self.rows, self._rebuilt(collection, position))
                )
                position = self.width() - 1
            self.columns[collection] = position

    def _rebuilt(self, collection: SSAValue, position: int) -> Region:
        """A body that makes an array or a map of the rows in a column."""
        type = collection.type
        array = as_array(type)
        extents: list[SSAValue] = []
        if array is not None:
            for axis in range(array.get_num_dims()):
                extents.append(
                    self.driver.insert(tensor.DimOp(collection, self.driver.index(axis)))
                )

        def fill(emitter: BodyEmitter, columns: Sequence[SSAValue]) -> Sequence[SSAValue]:
            rows = columns[position]
            if array is not None:
                return [emitter.add(tensor_block.FromBagOp(rows, extents, type))]
            assert isinstance(type, BagType)
            return [emitter.add(tensor_block.ToMapOp(rows, type.keys.data))]

        return scalar_body(self.types, self.root.location, fill)

    # ---- columns -------------------------------------------------------------------

    def columns_of(self, values: Sequence[SSAValue], types: Sequence[Attribute]) -> list[int]:
        """The columns that hold `values` (as `types`); what is missing is computed in one go."""
        self._hold_collections([value for value in values if value not in self.columns])
        present = self.types
        positions: list[int | None] = []
        missing: list[tuple[SSAValue, Attribute]] = []
        for value, type in zip(values, types, strict=True):
            position = self.columns.get(value)
            if position is None or present[position] != type:
                position = None
                missing.append((value, type))
            positions.append(position)
        if missing:
            region = self.region(
                [value for value, _ in missing],
                lambda e: [cast_index(e, e.lookup(v), type) for v, type in missing],
            )
            width = self.width()
            self.bag = self.driver.insert(tensor_block.ExtendOp(self.rows, region))
            for offset, (value, type) in enumerate(missing):
                if value.type == type and self.varies(value):
                    self.columns.setdefault(value, width + offset)
            added = iter(range(width, width + len(missing)))
            return [next(added) if p is None else p for p in positions]
        return [p for p in positions if p is not None]

    def extend(
        self, from_values: Sequence[SSAValue], results: Sequence[SSAValue], fill: Fill
    ) -> None:
        """Compute the columns `results` by `fill`, which sees `from_values`."""
        region = self.region(from_values, fill)
        width = self.width()
        self.bag = self.driver.insert(tensor_block.ExtendOp(self.rows, region))
        self.columns.update({value: width + k for k, value in enumerate(results)})

    def constant(self, attribute: IntegerAttr | FloatAttr) -> SSAValue:
        """Append a column that holds a constant; what stands for it."""
        token = row_token(attribute.type)
        self.extend([], [token], lambda e: [e.constant(attribute)])
        return token

    def take(self, values: Sequence[SSAValue], types: Sequence[Attribute]) -> None:
        """Make `values` (cast to `types`) the only columns."""
        positions = self.columns_of(values, types)
        if positions != list(range(self.width())):
            self.bag = self.driver.insert(tensor_block.ProjectOp(self.rows, positions))
        self.columns = {}
        for position, value in enumerate(values):
            if value.type == types[position]:
                self.columns.setdefault(value, position)
        if self.number not in self.columns:
            self.number = None

    def keep(self, values: Sequence[SSAValue]) -> None:
        """Make `values` the only columns."""
        values = list(dict.fromkeys(values))
        self.take(values, [value.type for value in values])

    # ---- rows ----------------------------------------------------------------------

    def one_row(self) -> None:
        """Start from a single row, for a comprehension without a generator."""
        zero = self.driver.index(0)
        self.bag = self.driver.insert(tensor_block.RangeOp(zero, zero))

    def filter(self, condition: SSAValue, *, holds: bool = True) -> None:
        """Keep the rows where `condition` holds, or where it does not."""

        def test(emitter: BodyEmitter) -> Sequence[SSAValue]:
            value = emitter.lookup(condition)
            if holds:
                return [value]
            true = emitter.constant(IntegerAttr(1, i1))
            return [emitter.add(arith.XOrIOp(value, true))]

        self.filter_by([condition], test)

    def filter_by(self, values: Sequence[SSAValue], test: Fill) -> None:
        """Keep the rows where `test`, which sees `values`, yields true."""
        region = self.region(values, test)
        self.bag = self.driver.insert(tensor_block.FilterOp(self.rows, region))

    def filter_equal(self, left: SSAValue, right: SSAValue) -> None:
        """Keep the rows where two values agree."""

        def test(emitter: BodyEmitter) -> Sequence[SSAValue]:
            one = emitter.lookup(left)
            return [equal(emitter, one, cast_index(emitter, emitter.lookup(right), one.type))]

        self.filter_by([left, right], test)

    def numbered(self) -> SSAValue:
        """Return what stands for a column with a different number in every row."""
        if self.number is None:
            self.bag = self.driver.insert(tensor_block.NumberOp(self.rows))
            self.number = row_token(i64)
            self.columns[self.number] = self.width() - 1
        return self.number

    def unnest(self, bag: SSAValue, variables: Sequence[SSAValue]) -> None:
        """Each row once per row of the bag that it holds, which `variables` stand for."""
        (position,) = self.columns_of([bag], [bag.type])
        width = self.width()
        self.multiply(tensor_block.UnnestOp(self.rows, position))
        self.columns.update({v: width + p for p, v in enumerate(variables)})
        self.number = None

    def multiply(self, op: Operation) -> None:
        """Let `op` make the rows, at the place of the generator that asks for it if one does."""
        if self.generator is not None:
            op.location = self.generator.location
        self.bag = self.driver.insert(op)

    def join(
        self,
        right: SSAValue,
        keys: Sequence[SSAValue],
        right_keys: Sequence[int],
        variables: Sequence[SSAValue],
    ) -> None:
        """Pair the rows with those of `right`, whose columns `variables` stand for."""
        types = bag_columns(right)
        left = self.columns_of(keys, [types[p] for p in right_keys])
        width = self.width()
        self.multiply(tensor_block.JoinOp(self.rows, right, left, right_keys))
        self.columns.update({v: width + p for p, v in enumerate(variables)})
        self.number = None

    def join_outer(
        self,
        right: SSAValue,
        keys: Sequence[SSAValue],
        right_keys: Sequence[int],
        variables: Sequence[SSAValue],
        defaults: Sequence[Attribute],
    ) -> None:
        """Give each row the row of `right` with its keys, of which there is at most one.

        Where there is none, `defaults` stand for its columns.
        """
        types = bag_columns(right)
        left = self.columns_of(keys, [types[p] for p in right_keys])
        width = self.width()
        self.bag = self.driver.insert(
            tensor_block.JoinOp(self.rows, right, left, right_keys, defaults)
        )
        self.columns.update({v: width + p for p, v in enumerate(variables)})
