"""Imports calls: built-in functions, random(), and the program's own functions, inlined.

def twice(f: Int -> Int, x: Int): Int = f(f(x));
twice(y => y + k, 3)   ->   arith.addi (arith.addi 3, %k), %k
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, TensorType, TupleType, i64
from xdsl.ir import SSAValue

from diablo.dialects.bags import BagType
from diablo.dialects.comprehension import HashOp, RandomOp
from diablo.frontend.checking.builtin_functions import CONVERSIONS, FUNCTIONS, STRING_FUNCTIONS
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.scope import Function, MonoidDefinition, Symbol
from diablo.frontend.checking.types import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    STRING,
    ArrayType,
    FunctionType,
    ListType,
    MapType,
)
from diablo.frontend.emission.emit_elements import ElementEmitter
from diablo.frontend.emission.ir_types import Value, ir_type
from diablo.frontend.emission.region_values import Over
from diablo.frontend.emission.versions import Versions
from diablo.frontend.parsing import syntax


@dataclass(frozen=True)
class Closure:
    """A lambda, with the variables that it may use."""

    function: syntax.Lambda
    values: Mapping[Symbol, Value]
    closures: Mapping[Symbol, Closure]


@dataclass(frozen=True)
class Key:
    """What tells the rows of a comprehension apart: an index, or a value that is hashed.

    `step` has the sign of the step that an index goes by.
    """

    value: SSAValue
    hashed: bool = False
    step: int | SSAValue = 1


class CallEmitter(ElementEmitter, ABC):
    """The part of the importer that knows calls."""

    def __init__(self, checked: Checked):
        super().__init__(checked)
        self.closures: dict[Symbol, Closure] = {}
        self.versions = Versions()
        # What a random number depends on.
        self.keys: list[Key] = []
        self.seed: SSAValue | None = None
        self.occurrences = 0

    def emit_call(self, expr: syntax.Call) -> Value:
        """A call of a function."""
        function = self.checked.functions.get(expr)
        if function is not None:
            return self._emit_inlined(expr, function)
        if expr in self.checked.applications:
            return self._emit_application(expr, self.checked.applications[expr])
        if expr in self.checked.joins:
            return self._emit_join(expr, self.checked.joins[expr])
        if expr.function == "random":
            return self._emit_random()
        if expr.function == "cache":
            return self.emit(expr.arguments[0])
        if expr.function in CONVERSIONS:
            return self._emit_conversion(expr)
        if expr.function in FUNCTIONS:
            result = self.type_of(expr)
            arguments = [self.emit_as(a, result) for a in expr.arguments]
            return self.apply(expr.function, arguments, result)
        function = STRING_FUNCTIONS[expr.function]
        arguments = [
            self.emit_as(argument, type)
            for argument, type in zip(expr.arguments, function.parameters, strict=True)
        ]
        return self.string_call(function.name, *arguments)

    # --- The program's own functions --------------------------------------------------------

    def _emit_inlined(self, expr: syntax.Call, function: Function) -> Value:
        values: dict[Symbol, Value] = {}
        closures: dict[Symbol, Closure] = {}
        given_over: dict[Symbol, Over] = {}
        for parameter, argument in zip(function.parameters, expr.arguments, strict=True):
            if isinstance(parameter.type, FunctionType):
                closures[parameter] = self._closure(argument)
            elif (over := self.over_of(argument)) is not None:
                # The function reads what is stored, with its pattern and fill value.
                values[parameter], given_over[parameter] = self.stored(argument), over
            elif isinstance(parameter.type, ArrayType | ListType | MapType):
                values[parameter] = self.emit_collection(argument)
            elif parameter.type == INT:
                # An index stays one until it is used as a number.
                values[parameter] = self.emit(argument)
            else:
                values[parameter] = self.emit_value(argument, parameter.type)
        self.versions.add(
            function,
            {
                parameter.name: value
                for parameter, value in values.items()
                if isinstance(parameter.type, ArrayType) and isinstance(value, SSAValue)
            },
        )
        outer = self.given_over
        kept = {s: over for s, over in outer.items() if s not in function.parameters}
        self.given_over = {**kept, **given_over}
        with self._bindings({**self.values, **values}, {**self.closures, **closures}):
            result = self.emit_value(function.definition.body, function.result)
        self.given_over = outer
        return result

    def _closure(self, argument: syntax.Expr) -> Closure:
        """The function that an argument stands for."""
        argument = self.resolved(argument)
        if isinstance(argument, syntax.Lambda):
            return Closure(argument, dict(self.values), dict(self.closures))
        assert isinstance(argument, syntax.Name)
        return self.closures[self.checked.symbols[argument]]

    def _emit_application(self, expr: syntax.Call, parameter: Symbol) -> Value:
        type = parameter.type
        assert isinstance(type, FunctionType)
        arguments = tuple(
            self.emit_value(argument, wanted)
            for argument, wanted in zip(expr.arguments, type.parameters, strict=True)
        )
        closure = self.closures[parameter]
        with self._bindings(dict(closure.values), dict(closure.closures)):
            pattern = closure.function.parameter
            self.bind(pattern, arguments[0] if len(arguments) == 1 else arguments)
            return self.emit_value(closure.function.body, type.result)

    def _emit_join(self, expr: syntax.Call, monoid: MonoidDefinition) -> Value:
        """`op(x,y)`: two values combined with a monoid of the program."""
        arguments = [self.emit_value(argument, monoid.type) for argument in expr.arguments]
        with self._bindings(dict(self.values), self.closures):
            for pattern, argument in zip(monoid.parameters, arguments, strict=True):
                self.bind(pattern, argument)
            return self.emit_value(monoid.body, monoid.type)

    @contextmanager
    def _bindings(
        self, values: dict[Symbol, Value], closures: dict[Symbol, Closure]
    ) -> Generator[None]:
        """Emit something where variables have other values."""
        outer = self.values, self.closures
        self.values, self.closures = values, closures
        try:
            yield
        finally:
            self.values, self.closures = outer

    # --- Built-in functions -----------------------------------------------------------------

    def _emit_conversion(self, expr: syntax.Call) -> SSAValue:
        """`toInt(x)`, `toDouble(x)`, `toString(x)`."""
        (argument,) = expr.arguments
        given, wanted = self.type_of(argument), self.type_of(expr)
        if wanted == STRING:
            return self.to_string(argument)
        if given == STRING:
            name = "to_int" if wanted == INT else "to_double"
            return self.string_call(name, self.emit_as(argument, STRING))
        if wanted != INT or given == INT:
            return self.emit_as(argument, wanted)
        value = self.emit_as(argument, given)
        if given == CHAR:
            return self.add(arith.ExtUIOp(value, i64)).result
        assert given in (FLOAT, DOUBLE)
        return self.add(arith.FPToSIOp(value, i64)).result

    def _emit_random(self) -> SSAValue:
        assert self.seed is not None
        self.occurrences += 1
        number = self.occurrences - 1
        keys = [
            self.add(HashOp(key.value)).result if key.hashed else self.as_index(key.value)
            for key in self.keys
            if not isinstance(key.value.type, BagType | TensorType | TupleType)
        ]
        return self.add(RandomOp(number, self.seed, keys)).result


def row_keys(row: list[SSAValue]) -> list[Key]:
    """What tells the rows of a list apart: their values."""
    return [Key(value, hashed=True) for value in row]


def group_keys(keys: list[SSAValue]) -> list[Key]:
    """What tells groups apart: their keys, as indices if they are integers."""
    integers = (IndexType(), ir_type(INT))
    return [Key(key, hashed=key.type not in integers) for key in keys]
