"""The bodies in which queries compute single values, and where columns of tables are in bags.

    col("x") * 2 > col("y")    ->    %a = arith.mulf %x, %two   %p = arith.cmpf ogt, %a, %y

A column that may hold nulls is two in the IR: the values, and truth values that say where there
are any.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import BoolAttr
from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.array.scalar_code import Code, element_type, scalar_code
from diablo.dialects import tensor_block
from diablo.dialects.comprehension import StringCallOp, StringOp
from diablo.dialects.string_functions import string
from diablo.table.column_values import ColumnType
from diablo.table.typed_expressions import Typed


@dataclass(frozen=True)
class BagColumn:
    """A column of a table: where its values are in the bag, and where these are valid."""

    type: ColumnType
    values: int
    valid: int | None = None


@dataclass(frozen=True)
class BagRows:
    """A table in the IR."""

    bag: SSAValue
    columns: tuple[BagColumn, ...]


Value = tuple[SSAValue, SSAValue | None]
"""A single value, and whether there is one, if that is not always so."""
Write = Callable[["RowBody"], Value]
"""What writes a value into a body."""


def ir_type_of(type: ColumnType) -> Attribute:
    """Return the IR's type for the values of a column."""
    return string if type.is_text else element_type(type.storage)


class RowBody:
    """A block in which single values are computed: the body of an op on rows, those of a row."""

    def __init__(self, block: Block, columns: Sequence[BagColumn], literals: Sequence[SSAValue]):
        self._block = block
        self.code = Code(block)
        self.args: Sequence[SSAValue] = block.args
        self._columns = columns
        self._literals = literals
        self._known: dict[Typed, Value] = {}

    def region(self, values: Sequence[SSAValue]) -> Region:
        """Return the region that yields some values."""
        self._block.add_op(tensor_block.YieldOp(*values))
        return Region(self._block)

    def column(self, column: BagColumn) -> Value:
        """Return the value of a column."""
        valid = None if column.valid is None else self.args[column.valid]
        return self.args[column.values], valid

    def truth(self, value: bool) -> SSAValue:
        """Write true or false."""
        return self.code.add(arith.ConstantOp(BoolAttr.from_bool(value)))

    def constant(self, value: object, type: ColumnType) -> SSAValue:
        """Write a number, a truth value or a string."""
        if type.is_text:
            return self.code.add(StringOp(str(value)))
        return self.code.constant(value, type.storage)

    def zero(self, type: ColumnType) -> SSAValue:
        """Write the implicit value of a type."""
        return self.constant("" if type.is_text else type.storage.type(0), type)

    def all(self, truths: Sequence[SSAValue]) -> SSAValue:
        """Write whether several truth values hold, of which there is one at least."""
        result, *others = truths
        for other in others:
            result = self.code.add(arith.AndIOp(result, other))
        return result

    def _both(self, values: Sequence[Value]) -> SSAValue | None:
        """Write whether there are values for all operands."""
        found = list(dict.fromkeys(valid for _, valid in values if valid is not None))
        return self.all(found) if found else None

    def value(self, expression: Typed) -> Value:
        """Write an expression, equal ones once."""
        found = self._known.get(expression)
        if found is None:
            found = self._known[expression] = self._written(expression)
        return found

    def _written(self, expression: Typed) -> Value:
        match expression.kind:
            case "read":
                place: int = expression.value
                return self.column(self._columns[place])
            case "literal":
                number: int = expression.value
                return self._literals[number], None
            case "constant":
                return self.constant(expression.value, expression.type), None
            case "and" | "or":
                return self._truth(expression)
            case "is_null":
                _, valid = self.value(expression.operands[0])
                return (self.truth(False) if valid is None else self.code.negated(valid)), None
            case "fill_null":
                one, other = map(self.value, expression.operands)
                return self._filled(one, other)
            case "only_if":
                one, condition = map(self.value, expression.operands)
                there = [valid for valid in (one[1], *condition) if valid is not None]
                return one[0], self.all(there)
            case "choose":
                condition, one, other = map(self.value, expression.operands)
                return self._chosen(condition, one, other)
            case _:
                operands = [self.value(operand) for operand in expression.operands]
                return self._applied(expression, [v for v, _ in operands]), self._both(operands)

    def _applied(self, expression: Typed, values: Sequence[SSAValue]) -> SSAValue:
        """Write a function of values that are there."""
        type = expression.type
        if expression.kind == "text":
            return self.code.add(StringCallOp(expression.value, values))
        inputs = tuple([operand.type.storage for operand in expression.operands])
        if expression.kind == "convert":
            return self.code.convert(values[0], inputs[0], type.storage)
        write = scalar_code(expression.value, inputs, type.dtype)
        assert write is not None
        return write(self.code, values, inputs[0])

    def _truth(self, expression: Typed) -> Value:
        """Write `and` or `or`, of which one operand may decide where the other is null."""
        (one, first), (other, second) = [self.value(operand) for operand in expression.operands]
        is_and = expression.kind == "and"
        result = self.code.add(arith.AndIOp(one, other) if is_and else arith.OrIOp(one, other))
        if first is None and second is None:
            return result, None
        deciding: list[SSAValue] = []
        for value, valid in ((one, first), (other, second)):
            decides = self.code.negated(value) if is_and else value
            deciding.append(
                decides if valid is None else self.code.add(arith.AndIOp(decides, valid))
            )
        both = self._both([(one, first), (other, second)])
        assert both is not None
        decided = self.code.add(arith.OrIOp(deciding[0], deciding[1]))
        settled = self.code.negated(decided) if is_and else decided
        # What one operand decides the other, which may be null, has no say in.
        result = self.code.choose(decided, settled, result)
        return result, self.code.add(arith.OrIOp(both, decided))

    def _filled(self, one: Value, other: Value) -> Value:
        value, valid = one
        if valid is None:
            return one
        chosen = self.code.choose(valid, value, other[0])
        return chosen, None if other[1] is None else self.code.add(arith.OrIOp(valid, other[1]))

    def _chosen(self, condition: Value, one: Value, other: Value) -> Value:
        """Write a choice; a condition that is null does not hold."""
        holds, known = condition
        if known is not None:
            holds = self.code.add(arith.AndIOp(holds, known))
        value = self.code.choose(holds, one[0], other[0])
        if one[1] is None and other[1] is None:
            return value, None
        there, elsewhere = (
            self.truth(True) if side[1] is None else side[1] for side in (one, other)
        )
        return value, self.code.choose(holds, there, elsewhere)


def computing(expression: Typed) -> Write:
    """Return what writes an expression."""
    return lambda body: body.value(expression)


def reading(column: BagColumn) -> Write:
    """Return what reads a column."""
    return lambda body: body.column(column)
