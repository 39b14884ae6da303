"""Reads of arrays and maps at a key: columns that a lookup or an outer join brings.

Reads the `comprehension` level, writes row ops of the `tensor_block` level.

    %v, %f = probe %A[%i]       %r1 = tensor_block.lookup %r0[0] in %A probe
    %v, %f = probe %M[%k]  ==>  %there = tensor_block.extend %M { true }
                                %r1 = tensor_block.join %r0[0], %there[0] outer [unit, unit, unit]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, UnitAttr, i1
from xdsl.ir import Attribute, SSAValue

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.bags import bag_columns
from diablo.dialects.comprehension import BagType
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter
from diablo.lowering.tensor_block.rows.row_bodies import equal
from diablo.lowering.tensor_block.rows.row_table import RowTable, row_token
from diablo.passes.analyses.values.speculation import can_trap

_TRUE = IntegerAttr(1, i1)


@dataclass(frozen=True)
class Read:
    """A read, and the conditions of the branches in which it stands."""

    op: comprehension.ProbeOp | tensor.ExtractOp
    path: Sequence[tuple[SSAValue, bool]] = ()

    @property
    def needs(self) -> list[SSAValue]:
        """The keys, and what decides whether the read is reached."""
        return [*self.op.operands, *[condition for condition, _ in self.path]]

    def can_trap(self, table: RowTable) -> bool:
        """Return whether computing the keys may fail where a guard protects them."""
        conditions = [condition for condition, _ in self.path]
        return any(map(can_trap, table.slice(conditions or self.op.operands).ops))

    def add_to(self, table: RowTable) -> None:
        """Give each row what is read."""
        op = self.op
        kept: Sequence[SSAValue] = op.results
        if isinstance(op, tensor.ExtractOp):
            kept = (op.result, row_token(i1))
        if not self.path or not any(map(can_trap, table.slice(op.operands).ops)):
            _read(table, op, kept)
        else:
            number = table.numbered()
            some = table.fork()
            for condition, holds in self.path:
                some.filter(condition, holds=holds)
            _read(some, op, kept)
            some.keep([number, *kept])
            defaults: list[Attribute] = [UnitAttr() for _ in (number, *kept)]
            if isinstance(op, tensor.ExtractOp):
                defaults[-1] = _TRUE
            table.join_outer(some.rows, [number], [0], [row_token(number.type), *kept], defaults)
        if isinstance(op, tensor.ExtractOp):
            self._drop_missed(table, kept[-1])

    def _drop_missed(self, table: RowTable, found: SSAValue) -> None:
        """Drop the rows that read outside of the array."""
        conditions = [condition for condition, _ in self.path]

        def reached_implies_found(emitter: BodyEmitter) -> Sequence[SSAValue]:
            result = emitter.lookup(found)
            true = emitter.constant(_TRUE)
            for condition, holds in self.path:
                value = emitter.lookup(condition)
                if holds:
                    value = emitter.add(arith.XOrIOp(value, true))
                result = emitter.add(arith.OrIOp(result, value))
            return [result]

        table.filter_by([found, *conditions], reached_implies_found)


def _read(
    table: RowTable,
    op: comprehension.ProbeOp | tensor.ExtractOp,
    results: Sequence[SSAValue],
) -> None:
    if isinstance(op, tensor.ExtractOp):
        _lookup(table, op.tensor, op.indices, results)
    elif not isinstance(op.collection.type, BagType):
        _lookup(table, op.collection, op.keys, results)
    elif table.varies(op.collection):
        _probe_own(table, op)
    else:
        _probe_map(table, op.collection, op.keys, results)


def _lookup(
    table: RowTable, array: SSAValue, keys: Sequence[SSAValue], results: Sequence[SSAValue]
) -> None:
    """The element of an array and whether it is there."""
    positions = table.columns_of(keys, [IndexType()] * len(keys))
    table.bag = table.driver.insert(tensor_block.LookupOp(table.rows, array, positions, probe=True))
    width = table.width()
    table.columns.update(zip(results, (width - 2, width - 1), strict=True))


def _probe_map(
    table: RowTable, map: SSAValue, keys: Sequence[SSAValue], results: Sequence[SSAValue]
) -> None:
    """An outer join with the map, in which every row is marked as there."""
    there = RowTable(table.root, table.driver)
    there.bag = map
    there.constant(_TRUE)
    types = bag_columns(there.rows)
    columns = [*[row_token(t) for t in types[: len(keys)]], *results]
    table.join_outer(there.rows, keys, range(len(keys)), columns, [UnitAttr()] * len(types))


def _probe_own(table: RowTable, op: comprehension.ProbeOp) -> None:
    """A map that each row has of its own is opened, and the row with the key joined back."""
    number = table.numbered()
    entries = table.fork()
    entries.keep([number, op.collection, *op.keys])
    keys = [row_token(key.type) for key in op.keys]
    values = [row_token(value.type) for value in op.values]
    entries.unnest(op.collection, [*keys, *values])

    def agree(emitter: BodyEmitter) -> Sequence[SSAValue]:
        tests = [
            equal(emitter, emitter.lookup(a), emitter.lookup(b))
            for a, b in zip(keys, op.keys, strict=True)
        ]
        while len(tests) > 1:
            tests.append(emitter.add(arith.AndIOp(tests.pop(), tests.pop())))
        return tests

    entries.filter_by([*keys, *op.keys], agree)
    found = entries.constant(_TRUE)
    entries.keep([number, *values, found])
    columns = [row_token(number.type), *op.results]
    defaults = [UnitAttr()] * len(columns)
    table.join_outer(entries.rows, [number], [0], columns, defaults)
