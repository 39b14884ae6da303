"""Hash tables of the driver within a loop that is machine code: calls of what finds and puts rows.

    %v, %found = comprehension.find %t[%k]      =>    memref.store %k, %row[%c0]
                                                      %f = func.call @diablo_find_row(%t, %row)
                                                      %v = memref.load %row[%c1]

    comprehension.put (%x) into %t[%k]          =>    memref.store %k, %row[%c0]
                                                      memref.store %x, %row[%c1]
                                                      %p = func.call @diablo_put_row(%t, %row)

A table comes from outside of the loop, as the words that say where it lies; the functions are of
the process that runs the loop, and know them. A row is a word of 64 bits for each column: an
integer, a truth value, or the bits of a float. Of a float as a key -0.0 is 0.0, and all NaNs are
one, which only what is `grouped` finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerType,
    MemRefType,
    f64,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from diablo.dialects.comprehension import PutOp, SizeOp
from diablo.dialects.locations import located
from diablo.dialects.number_constants import constant_op
from diablo.lowering.native_loops.native_loop_code import NativeCode
from diablo.lowering.native_loops.native_loops import TableOps

FIND, PUT, COUNT = "diablo_find_row", "diablo_put_row", "diablo_count_rows"
"""The functions of the process that runs a loop."""
WORDS = MemRefType(i64, [DYNAMIC_INDEX])
"""What tables and rows are to them."""
_NAN = 0x7FF8 << 48
"""The bits of the NaN that is a key."""


@dataclass
class TableCalls:
    """Writes what a loop does with tables."""

    code: NativeCode
    _rows: dict[int, SSAValue] = field(default_factory=dict[int, SSAValue])
    """The buffer of rows of so many words: each op fills it anew."""

    def write(self, op: TableOps) -> None:
        """Write an op on a table."""
        table = self.code.values[op.table]
        if isinstance(op, SizeOp):
            self.code.values[op.result] = self.code.add(func.CallOp(COUNT, [table], [i64]))
            return
        keys = [self._key(key) for key in op.keys]
        if isinstance(op, PutOp):
            values = [self.code.word(self.code.narrow(value)) for value in op.values]
            done = self._call(PUT, table, [*keys, *values], len(op.keys) + len(op.values))
            self.code.require(done, op)
            return
        found = self._call(FIND, table, keys, len(op.keys) + len(op.values))
        results = [
            self._value(self._load(len(keys) + number, len(keys) + len(op.values)), value.type)
            for number, value in enumerate(op.values)
        ]
        for key in op.keys if op.grouped is None else ():
            if isinstance(key.type, Float64Type):
                number = self.code.values[key]
                found = self.code.add(
                    arith.AndIOp(found, self.code.add(arith.CmpfOp(number, number, "oeq")))
                )
                results = [
                    self.code.add(arith.SelectOp(found, each, self._nothing(each.type)))
                    for each in results
                ]
        for value, result in zip((*op.values, op.found), (*results, found), strict=True):
            result.name_hint = value.name_hint
            self.code.values[value] = result

    def _call(self, name: str, table: SSAValue, words: Sequence[SSAValue], width: int) -> SSAValue:
        """Call a function with the first words of a row; return whether it answers with 1."""
        row = self._row(width)
        for number, word in enumerate(words):
            self.code.block.add_op(self._like(memref.StoreOp.get(word, row, [self._at(number)])))
        vector = self.code.add(memref.CastOp.get(row, WORDS))
        answer = self.code.add(func.CallOp(name, [table, vector], [i64]))
        return self.code.add(arith.CmpiOp(answer, self.code.integer(0), "ne"))

    def _row(self, width: int) -> SSAValue:
        if width not in self._rows:
            alloca = memref.AllocaOp.get(i64, shape=[width])
            alloca.memref.name_hint = "row"
            self._rows[width] = self.code.make(alloca)
        return self._rows[width]

    def _load(self, number: int, width: int) -> SSAValue:
        return self.code.add(memref.LoadOp.get(self._row(width), [self._at(number)]))

    def _at(self, number: int) -> SSAValue:
        return self.code.integer(number, IndexType())

    def _like(self, op: Operation) -> Operation:
        assert self.code.like is not None
        return located(op, self.code.like)

    def _key(self, key: SSAValue) -> SSAValue:
        value = self.code.narrow(key)
        if not isinstance(value.type, Float64Type):
            return self.code.word(value)
        zero = self.code.add(constant_op(FloatAttr(0.0, f64)))
        bits = self.code.word(self.code.add(arith.AddfOp(value, zero)))
        is_number = self.code.add(arith.CmpfOp(value, value, "oeq"))
        return self.code.add(arith.SelectOp(is_number, bits, self.code.integer(_NAN)))

    def _value(self, word: SSAValue, type: Attribute) -> SSAValue:
        if isinstance(type, Float64Type):
            return self.code.add(arith.BitcastOp(word, f64))
        if type == i64:
            return word
        assert isa(type, IntegerType)
        return self.code.add(arith.TruncIOp(word, type))

    def _nothing(self, type: Attribute) -> SSAValue:
        if isinstance(type, Float64Type):
            return self.code.add(constant_op(FloatAttr(0.0, type)))
        return self.code.integer(0, type)
