"""The rows that a comprehension has so far: a bag and what its columns hold.

Reads values of the `comprehension` level, writes `extend`, `filter` and `project`. A value is
computed into a column when something needs it:

    table.columns_of([%v], [f64])      %rows = tensor_block.extend %rows { %v = … ; yield %v }
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute, Operation, Region, SSAValue

from diablo.dialects import tensor_block
from diablo.dialects.comprehension import BagType
from diablo.lowering.tensor_block.body_emitter import BodyEmitter, Driver, scalar_body
from diablo.lowering.tensor_block.query import Query, backward_slice


class RowTable:
    """The current bag of a query and where each of the comprehension's values stands in it."""

    def __init__(self, query: Query, driver: Driver):
        self.query = query
        self.driver = driver
        self.bag: SSAValue | None = None
        self.columns: dict[SSAValue, int] = {}

    @property
    def rows(self) -> SSAValue:
        """The current bag."""
        assert self.bag is not None
        return self.bag

    def width(self) -> int:
        """The number of columns."""
        assert isinstance(self.rows.type, BagType)
        return len(self.rows.type.columns)

    def ops(self, values: Sequence[SSAValue]) -> list[Operation]:
        """What `values` are computed by, in program order."""
        needed = backward_slice(values, self.query.block)
        return [op for op in self.query.block.ops if op in needed]

    def bind(self, emitter: BodyEmitter, columns: Sequence[SSAValue]) -> None:
        """Give the values that are columns their body arguments."""
        for value, position in self.columns.items():
            emitter.environment[value] = columns[position]
            columns[position].name_hint = value.name_hint

    def region(self, values: Sequence[SSAValue], types: Sequence[Attribute]) -> Region:
        """A body over the current columns that yields `values`, cast to `types`."""
        bag = self.rows.type
        assert isinstance(bag, BagType)

        def fill(emitter: BodyEmitter, columns: Sequence[SSAValue]) -> Sequence[SSAValue]:
            self.bind(emitter, columns)
            emitter.clone(self.ops(values))
            return [
                cast_index(emitter, emitter.lookup(value), type)
                for value, type in zip(values, types, strict=True)
            ]

        return scalar_body(tuple(bag.columns), self.query.root.location, fill)

    def available(self, value: SSAValue) -> bool:
        """Whether `value` can be computed from the columns there are."""
        leaves = {value}
        for op in self.ops([value]):
            for inner in op.walk():
                leaves.update(inner.operands)
        variables = self.query.variables()
        return all(leaf in self.columns for leaf in leaves if leaf in variables)

    def columns_of(self, values: Sequence[SSAValue], types: Sequence[Attribute]) -> list[int]:
        """The columns that hold `values` (as `types`); what is missing is computed in one go."""
        bag = self.rows.type
        assert isinstance(bag, BagType)
        present = dict(enumerate(bag.columns))
        positions = [
            position if present.get(position := self.columns.get(value, -1)) == type else None
            for value, type in zip(values, types, strict=True)
        ]
        missing = [
            (value, type)
            for value, type, position in zip(values, types, positions, strict=True)
            if position is None
        ]
        if missing:
            wanted, wanted_types = zip(*missing, strict=True)
            region = self.region(wanted, wanted_types)
            width = self.width()
            self.bag = self.driver.insert(tensor_block.ExtendOp(self.rows, region))
            for offset, (value, type) in enumerate(missing):
                if value.type == type:
                    self.columns.setdefault(value, width + offset)
            added = iter(range(width, width + len(missing)))
            return [next(added) if p is None else p for p in positions]
        return [p for p in positions if p is not None]

    def filter(self, condition: SSAValue) -> None:
        """Keep the rows where `condition` holds."""
        region = self.region([condition], [condition.type])
        self.bag = self.driver.insert(tensor_block.FilterOp(self.rows, region))

    def filter_equal(self, left: SSAValue, right: SSAValue) -> None:
        """Keep the rows where two values agree."""
        bag = self.rows.type
        assert isinstance(bag, BagType)

        def fill(emitter: BodyEmitter, columns: Sequence[SSAValue]) -> Sequence[SSAValue]:
            self.bind(emitter, columns)
            emitter.clone(self.ops([left, right]))
            one = emitter.lookup(left)
            other = cast_index(emitter, emitter.lookup(right), one.type)
            return [emitter.add(arith.CmpiOp(one, other, "eq"))]

        region = scalar_body(tuple(bag.columns), self.query.root.location, fill)
        self.bag = self.driver.insert(tensor_block.FilterOp(self.rows, region))

    def take(self, values: Sequence[SSAValue], types: Sequence[Attribute]) -> None:
        """Make `values` (cast to `types`) the only columns."""
        positions = self.columns_of(values, types)
        if positions != list(range(self.width())):
            self.bag = self.driver.insert(tensor_block.ProjectOp(self.rows, positions))
        self.columns = {v: p for p, v in enumerate(values)}


def cast_index(emitter: BodyEmitter, value: SSAValue, type: Attribute) -> SSAValue:
    """`value` as `type`, where both are integers or indices."""
    if value.type == type:
        return value
    assert isinstance(value.type, IndexType | IntegerType)
    return emitter.add(arith.IndexCastOp(value, type))
