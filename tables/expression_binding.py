"""Expressions of columns brought to the columns of a table: names to positions, types found.

    bound(col("x") * 2 > col("y"), schema)    ->    a `Typed` of truth values

Types are those of NumPy's functions, numbers of Python's take the type that is beside them, and
there is no value where an operand has none; what does not fit is an `InputError`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Literal, Protocol, cast

import numpy as np

from diablo.array.elementwise_operations import ELEMENTWISE, Loop
from diablo.array.expression_graph import beside_scalar
from diablo.array.lazy_array import Array
from diablo.array.python_operators import COMPARISONS, OPERATORS, UNARY
from diablo.diagnostics import InputError
from diablo.table.column_conversions import common_type, converted, holds
from diablo.table.column_expressions import Expression, call
from diablo.table.column_values import INT64, TEXT, TRUTH, ColumnType, type_of
from diablo.table.time_expressions import (
    spelled_moment,
    time_call,
    time_literal,
    time_part,
    time_truncated,
    time_value,
)
from diablo.table.typed_expressions import Typed, only_if, read


@dataclass(frozen=True)
class Field:
    """A column of a table: its name and type."""

    name: str
    type: ColumnType


Schema = Sequence[Field]


@dataclass(frozen=True)
class Partition:
    """The groups of rows that look at each other, and the order that these are in."""

    keys: tuple[Typed, ...] = ()
    order: tuple[tuple[Typed, bool], ...] = ()

    @property
    def unordered(self) -> Partition:
        """The groups, whose rows stand as they do."""
        return Partition(self.keys)


class Look(Protocol):
    """What gives functions of other rows columns in which they are found."""

    def function(
        self, name: str, operands: Sequence[Typed], options: Sequence[Any], partition: Partition
    ) -> Typed:
        """Return a function of windows."""
        ...

    def aggregate(
        self, function: str, operand: Typed | None, options: Sequence[Typed], partition: Partition
    ) -> Typed:
        """Return an aggregate of the group of each row."""
        ...


_TEXT_COMPARISONS = {each.ufunc: each.method for each in COMPARISONS}
"""The functions of strings by those of numbers."""
_TEXT_RESULTS = {
    "contains": TRUTH,
    "starts_with": TRUTH,
    "ends_with": TRUTH,
    "length": INT64,
    "index_of": INT64,
    "lower": TEXT,
    "upper": TEXT,
    "trim": TEXT,
    "replace": TEXT,
}
_SYMBOLS = {each.ufunc: each.symbol for each in (*UNARY, *OPERATORS, *COMPARISONS)}
DType = np.dtype[Any]
_OF_PYTHON: dict[type, DType] = {kind: np.dtype(kind) for kind in (int, float, complex)}
_JUNCTIONS: dict[str, Literal["and", "or"]] = {
    "bitwise_and": "and",
    "bitwise_or": "or",
    "logical_and": "and",
    "logical_or": "or",
}
_FARTHEST = {np.dtype(np.int64), np.dtype(np.uint64)}
_MOST_MULTIPLIED = 8
"""Up to which power integers are multiplied by themselves."""


def position_of(name: str, schema: Schema) -> int:
    """Return the position of a column; an `InputError` with the nearest name if there is none."""
    for position, field in enumerate(schema):
        if field.name == name:
            return position
    names = [field.name for field in schema]
    near = get_close_matches(name, names, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(map(repr, names))}"
    raise InputError(f"the table has no column {name!r}; {hint}")


@dataclass(frozen=True)
class Binding:
    """What expressions are brought to.

    Parameters
    ----------
    schema : the columns
    array : gives a lazy array beside the rows a column; None where there may be none
    aggregate : gives an aggregate the column in which it is found; None where there may be none
    look : gives what looks at other rows, and aggregates of these, columns; None where nothing may
    partition : the groups of rows that are looked at
    """

    schema: Schema
    array: Callable[[Array], Typed] | None = None
    aggregate: Callable[[Expression], Typed] | None = None
    look: Look | None = None
    partition: Partition | None = None

    def bound(self, expression: Expression) -> Typed:
        """Return the expression with types."""
        match expression.kind:
            case "column":
                position = position_of(expression.value, self.schema)
                return read(position, self.schema[position].type)
            case "literal":
                return _literal(expression.value, None)
            case "array":
                return self._array(expression.value)
            case "call":
                return _call(expression.value, self._operands(expression))
            case "text":
                return _text(expression.value, self._operands(expression))
            case "time":
                return time_part(expression.value, self.bound(expression.operands[0]))
            case "truncate":
                return time_truncated(self.bound(expression.operands[0]), expression.value)
            case "slice":
                return _slice(self.bound(expression.operands[0]), *expression.value)
            case "cast":
                return converted(self.bound(expression.operands[0]), _cast_type(expression.value))
            case "round":
                return _rounded(self.bound(expression.operands[0]), expression.value)
            case "is_in":
                return self.bound(_one_of(expression.operands[0], expression.value))
            case "is_null":
                return _is_null(self.bound(expression.operands[0]))
            case "fill_null":
                return _fill_null(*self._operands(expression))
            case "choose":
                return choice(*self._operands(expression))
            case "only_if":
                return _only_if(*self._operands(expression))
            case "aggregate":
                return self._aggregate(expression)
            case "window":
                return self._window(expression)
            case "over":
                return self._over(expression)

    def condition(self, expression: Expression) -> Typed:
        """Return an expression of truth values."""
        condition = self.bound(expression)
        if not condition.type.is_truth:
            raise InputError(
                f"a condition is true or false, and {expression!r} is {condition.type}"
            )
        return condition

    def _array(self, array: Array) -> Typed:
        if self.array is None:
            raise InputError("an array stands beside the rows of a table, and not of groups")
        return self.array(array)

    def _aggregate(self, expression: Expression) -> Typed:
        if self.aggregate is not None:
            return self.aggregate(expression)
        if self.look is None or self.partition is None:
            raise InputError(
                f"{expression!r} is of many rows: it stands in agg(), alone or with others, "
                "or is of the groups of each row, by over()"
            )
        found = [self.bound(operand) for operand in expression.operands]
        operand = found[0] if found else None
        return self.look.aggregate(expression.value, operand, found[1:], self.partition)

    def _window(self, expression: Expression) -> Typed:
        if self.look is None:
            raise InputError(
                f"{expression!r} is of rows: it stands in select(), with_columns(), where(), "
                "order_by(), or within an aggregate"
            )
        name, *options = expression.value
        partition = self.partition or Partition()
        return self.look.function(name, self._operands(expression), options, partition)

    def _over(self, expression: Expression) -> Typed:
        if self.look is None:
            raise InputError(
                "over() is of rows: it stands in select(), with_columns(), where() or order_by()"
            )
        count, downs = expression.value
        inner, *others = expression.operands
        outside = replace(self, partition=None)
        bound = [outside.bound(other) for other in others]
        for typed in bound:
            if typed.type.dtype.kind == "c":
                raise InputError("rows are not grouped or ordered by complex numbers")
        order = tuple(zip(bound[count:], downs, strict=True))
        within = replace(self, partition=Partition(tuple(bound[:count]), order))
        return within.bound(inner)

    def _operands(self, expression: Expression) -> list[Typed]:
        """Return the operands, numbers of Python's with the types that they take beside others."""
        operands = expression.operands
        found = {
            k: self.bound(operand)
            for k, operand in enumerate(operands)
            if operand.kind != "literal"
        }
        first = 1 if expression.kind in ("choose", "only_if") else 0
        types = [typed.type for k, typed in found.items() if k >= first]
        numbers = [type.dtype for type in types if not type.is_text and not type.is_time]
        beside = np.result_type(*numbers) if numbers else None
        times = [type for type in types if type.is_time]
        return [
            found[k] if k in found else _literal_beside(operand.value, times, beside)
            for k, operand in enumerate(operands)
        ]


def _one_of(operand: Expression, values: Sequence[Any]) -> Expression:
    """Return whether an operand is one of some values, as comparisons with each."""
    found: list[Expression] = [call("equal", operand, value) for value in values]
    if not found:
        return call("equal", operand, operand) & call("not_equal", operand, operand)
    while len(found) > 1:  # No deeper than need be.
        pairs = [one | other for one, other in zip(found[::2], found[1::2], strict=False)]
        found = [*pairs, *found[2 * len(pairs) :]]
    return found[0]


def _literal_beside(value: Any, times: Sequence[ColumnType], beside: DType | None) -> Typed:
    """Return a literal beside others: a string beside points in time spells one."""
    moments = [type.dtype for type in times if type.is_moment]
    if isinstance(value, str) and moments:
        return spelled_moment(value, moments[0])
    found = time_value(value)
    if found is not None:
        alike = [type.dtype for type in times if type.dtype.kind == found.dtype.kind]
        return time_literal(found, alike[0] if alike else None)
    return _literal(value, beside)


def _literal(value: Any, beside: DType | None) -> Typed:
    """Return a number, beside others of a type, a truth value, a string or a time."""
    found = time_value(value)
    if found is not None:
        return time_literal(found, None)
    if isinstance(value, str):
        return Typed("literal", TEXT, (), value)
    if isinstance(value, np.generic):
        number_of_numpy = cast("Any", value)
        own = type_of(number_of_numpy.dtype)
        if own is None:
            raise InputError(f"a value of {number_of_numpy.dtype} is none of a table")
        return Typed("literal", own, (), number_of_numpy.item())
    if isinstance(value, bool):
        return Typed("constant", TRUTH, (), value)
    number: int | float | complex = value
    kind: type = int if isinstance(number, int) else type(number)
    dtype = _OF_PYTHON[kind]
    if beside is not None and beside.kind != "b":
        dtype = beside_scalar(beside, kind)
        if not holds(dtype, value):
            dtype = np.dtype(np.int64)
    if not holds(dtype, value):
        if not 0 <= value < 2**64:
            raise InputError(f"{value} does not fit in 64 bits")
        dtype = np.dtype(np.uint64)
    found = type_of(dtype)
    assert found is not None
    return Typed("literal", found, (), value)


def _nullable(*operands: Typed) -> bool:
    return any(operand.type.nullable for operand in operands)


def _cast_type(dtype: Any) -> ColumnType:
    if dtype in (str, "str", "string"):
        return TEXT
    try:
        found = None if dtype is object else type_of(dtype)
    except TypeError:
        found = None
    if found is None:
        raise InputError(f"there is no type {dtype!r}: types are NumPy's, as 'int32', or str")
    return found


def applied(name: str, *operands: Typed) -> Typed:
    """Return a function of expressions, by NumPy's name for it, with NumPy's types."""
    return _call(name, list(operands))


def _call(name: str, operands: list[Typed]) -> Typed:
    types = [operand.type for operand in operands]
    nullable = _nullable(*operands)
    if any(type.is_time for type in types):
        made = time_call(name, operands)
        if made is None:
            shown = " and ".join(map(str, types))
            raise InputError(f"{_SYMBOLS.get(name, name)} takes no {shown}")
        return made
    if any(type.is_text for type in types):
        return _of_texts(name, operands)
    junction = _JUNCTIONS.get(name) if all(type.is_truth for type in types) else None
    if junction is not None:
        return Typed(junction, TRUTH.with_nulls(nullable), tuple(operands))
    if name == "power":
        return _power(*operands)
    if name in _TEXT_COMPARISONS and {type.dtype for type in types} == _FARTHEST:
        return _compared_exactly(name, operands)
    loop = _loop(name, types)
    inputs = [
        converted(operand, ColumnType(dtype))
        for operand, dtype in zip(operands, loop.inputs, strict=True)
    ]
    if name in ("floor_divide", "remainder"):
        inputs = [inputs[0], _written(inputs[1])]
    result = type_of(loop.output)
    assert result is not None
    return Typed("call", result.with_nulls(nullable), tuple(inputs), name)


def _compared_exactly(name: str, operands: list[Typed]) -> Typed:
    """Return a comparison of integers of 64 bits with a sign and without: no type holds both."""
    signed = 0 if operands[0].type.dtype.kind == "i" else 1
    wide = ColumnType(np.dtype(np.uint64))
    zero = Typed("constant", INT64, (), 0)
    negative = _call("less", [operands[signed], zero])
    below = [0, 0]
    below[signed] = -1
    there: bool = getattr(np, name)(*below).item()
    compared = _call(name, [converted(operand, wide) for operand in operands])
    return choice(negative, Typed("constant", TRUTH, (), there), compared)


def _written(divisor: Typed) -> Typed:
    """Return an integer that is divided by as one of the program: processors are faster then."""
    if divisor.kind != "literal" or divisor.type.dtype.kind not in "iu":
        return divisor
    return Typed("constant", divisor.type, (), divisor.value)


def _loop(name: str, types: Sequence[ColumnType]) -> Loop:
    """Return NumPy's loop of a function for some types; an `InputError` if it has none."""
    shown = " and ".join(map(str, types))
    symbol = _SYMBOLS.get(name, name)
    try:
        loop = ELEMENTWISE[name].loop(*[type.dtype for type in types])
    except TypeError:
        raise InputError(f"{symbol} takes no {shown}") from None
    if loop.code is None:
        raise InputError(f"{symbol} of {shown} is nothing that tables compute")
    return loop


def _power(base: Typed, exponent: Typed) -> Typed:
    """Return a power: of integers by small numbers one of integers, others of floats."""
    value = exponent.value if exponent.kind == "literal" else None
    if base.type.dtype.kind in "iu" and isinstance(value, int) and 1 <= value <= _MOST_MULTIPLIED:
        result = base
        for _ in range(value - 1):
            result = _call("multiply", [result, base])
        return result
    if value == 2 and base.type.dtype.kind in "fc":
        return _call("multiply", [base, base])
    floats = np.result_type(base.type.dtype, exponent.type.dtype)
    if floats.kind not in "fc":
        floats = np.dtype(np.float64)
    loop = _loop("power", [ColumnType(floats)] * 2)
    inputs = tuple([converted(side, ColumnType(floats)) for side in (base, exponent)])
    type = ColumnType(loop.output, _nullable(base, exponent))
    return Typed("call", type, inputs, "power")


def _of_texts(name: str, operands: list[Typed]) -> Typed:
    """Return a comparison of strings, or strings one behind the other."""
    symbol, nullable = _SYMBOLS.get(name, name), _nullable(*operands)
    if not all(operand.type.is_text for operand in operands):
        one, other = operands
        raise InputError(
            f"{symbol} takes no {one.type} and {other.type}: cast(str) makes strings of numbers"
        )
    if name in _TEXT_COMPARISONS:
        function = _TEXT_COMPARISONS[name]
        return Typed("text", TRUTH.with_nulls(nullable), tuple(operands), function)
    if name == "add":
        return Typed("text", TEXT.with_nulls(nullable), tuple(operands), "concat")
    raise InputError(f"{symbol} takes no strings")


def _text(name: str, operands: list[Typed]) -> Typed:
    for operand in operands:
        if not operand.type.is_text:
            raise InputError(f"a function of strings takes no {operand.type}")
    return Typed(
        "text", _TEXT_RESULTS[name].with_nulls(_nullable(*operands)), tuple(operands), name
    )


def _slice(text: Typed, start: int, stop: int) -> Typed:
    if not text.type.is_text:
        raise InputError(f"a function of strings takes no {text.type}")
    length = Typed("text", INT64, (text,), "length")
    ends = [
        Typed("call", INT64, (length, Typed("literal", INT64, (), place)), "minimum")
        for place in (start, max(start, stop))
    ]
    return Typed("text", text.type, (text, *ends), "substring")


def _is_null(operand: Typed) -> Typed:
    if not operand.type.nullable:
        return Typed("constant", TRUTH, (), False)
    return Typed("is_null", TRUTH, (operand,))


def _fill_null(operand: Typed, other: Typed) -> Typed:
    if operand.type.is_text != other.type.is_text or _differ_in_time(operand, other):
        raise InputError(f"nulls among {operand.type} cannot be filled with {other.type}")
    if not operand.type.nullable:
        return operand
    type = common_type([operand.type, other.type]).with_nulls(other.type.nullable)
    return Typed("fill_null", type, (converted(operand, type), converted(other, type)))


def _rounded(operand: Typed, decimals: int) -> Typed:
    """Return numbers with so many decimals, by the operations of NumPy; integers stay such."""
    is_integer = operand.type.dtype.kind in "iu" and not operand.type.is_time
    if is_integer and decimals >= 0:
        return operand
    if not decimals:
        return _call("rint", [operand])
    power = _literal(float(np.float64(10) ** abs(decimals)), operand.type.dtype)
    by, back = ("multiply", "divide") if decimals > 0 else ("divide", "multiply")
    found = _call(back, [_call("rint", [_call(by, [operand, power])]), power])
    return converted(found, operand.type) if is_integer else found


def _only_if(condition: Typed, value: Typed) -> Typed:
    if not condition.type.is_truth:
        raise InputError(f"a condition is true or false, and not {condition.type}")
    return only_if(value, condition)


def choice(condition: Typed, one: Typed, other: Typed) -> Typed:
    """Return one of two expressions; an `InputError` if they are of different kinds."""
    if not condition.type.is_truth:
        raise InputError(f"a condition is true or false, and not {condition.type}")
    if one.type.is_text != other.type.is_text or _differ_in_time(one, other):
        raise InputError(f"a choice is of one type, and not of {one.type} and {other.type}")
    type = common_type([one.type, other.type])
    nullable = type.with_nulls(_nullable(one, other))
    return Typed("choose", nullable, (condition, converted(one, type), converted(other, type)))


def _differ_in_time(one: Typed, other: Typed) -> bool:
    kinds = {operand.type.dtype.kind if operand.type.is_time else "" for operand in (one, other)}
    return len(kinds) > 1
