"""Imports calls: built-in functions, random(), and the program's own functions, inlined.

def twice(f: Int -> Int, x: Int): Int = f(f(x));
twice(y => y + k, 3)   ->   arith.addi (arith.addi 3, %k), %k
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.dialects import complex
from xdsl.dialects.builtin import TensorType, TupleType
from xdsl.ir import SSAValue

from diablo.dialects.bags import BagType
from diablo.dialects.comprehension import HashOp, RandomOp
from diablo.dialects.functions.scalar_functions import FUNCTIONS
from diablo.dialects.scalar_types import is_complex
from diablo.frontend.checking.builtin_functions import CONVERSIONS, STRING_FUNCTIONS
from diablo.frontend.checking.constants import complex_constant
from diablo.frontend.checking.scope import Function, MonoidDefinition, Symbol
from diablo.frontend.checking.types import (
    INT,
    STRING,
    ArrayType,
    FunctionType,
    ListType,
    MapType,
    fits,
)
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.emission_scope import Closure
from diablo.frontend.emission.emit_region_elements import over_of
from diablo.frontend.emission.emit_region_patterns import stored
from diablo.frontend.emission.emit_scalars import (
    apply,
    convert_number,
    emit_as,
    emit_value,
    string_call,
    to_string,
)
from diablo.frontend.emission.emit_values import bind, emit_collection
from diablo.frontend.emission.ir_types import Value, ir_type
from diablo.frontend.emission.region_values import Over
from diablo.frontend.parsing import syntax


def emit_call(build: Builder, expr: syntax.Call) -> Value:
    """A call of a function."""
    function = build.checked.functions.get(expr)
    if function is not None:
        return _emit_inlined(build, expr, function)
    if expr in build.checked.applications:
        return _emit_application(build, expr, build.checked.applications[expr])
    if expr in build.checked.joins:
        return _emit_join(build, expr, build.checked.joins[expr])
    if expr.function == "random":
        return _emit_random(build)
    if expr.function == "cache":
        return build.emit(expr.arguments[0])
    if expr.function in CONVERSIONS:
        return _emit_conversion(build, expr)
    if expr.function in FUNCTIONS:
        number = complex_constant(build.checked, expr)
        if number is not None:
            return build.constant(number, ir_type(build.type_of(expr)))
        type = build.checked.operands[expr]
        arguments = [emit_as(build, a, type) for a in expr.arguments]
        return apply(build, expr.function, arguments)
    function = STRING_FUNCTIONS[expr.function]
    arguments = [
        emit_as(build, argument, type)
        for argument, type in zip(expr.arguments, function.parameters, strict=True)
    ]
    return string_call(build, function.name, *arguments)


def _emit_inlined(build: Builder, expr: syntax.Call, function: Function) -> Value:
    values: dict[Symbol, Value] = {}
    closures: dict[Symbol, Closure] = {}
    given_over: dict[Symbol, Over] = {}
    for parameter, argument in zip(function.parameters, expr.arguments, strict=True):
        if isinstance(parameter.type, FunctionType):
            closures[parameter] = _closure(build, argument)
        elif (over := over_of(build, argument)) is not None:
            # The function reads what is stored, with its pattern and fill value.
            values[parameter], given_over[parameter] = stored(build, argument), over
        elif isinstance(parameter.type, ArrayType | ListType | MapType):
            values[parameter] = emit_collection(build, argument)
        elif parameter.type == INT:
            # An index stays one until it is used as a number.
            values[parameter] = build.emit(argument)
        else:
            values[parameter] = emit_value(build, argument, parameter.type)
    build.scope.versions.add(
        function,
        {
            parameter.name: value
            for parameter, value in values.items()
            if isinstance(parameter.type, ArrayType) and isinstance(value, SSAValue)
        },
    )
    outer = build.scope.given_over
    kept = {s: over for s, over in outer.items() if s not in function.parameters}
    build.scope.given_over = {**kept, **given_over}
    with _bindings(build, {**build.scope.values, **values}, {**build.scope.closures, **closures}):
        result = emit_value(build, function.definition.body, function.result)
    build.scope.given_over = outer
    return result


def _closure(build: Builder, argument: syntax.Expr) -> Closure:
    """The function that an argument stands for."""
    argument = build.resolved(argument)
    if isinstance(argument, syntax.Lambda):
        return Closure(argument, dict(build.scope.values), dict(build.scope.closures))
    assert isinstance(argument, syntax.Name)
    return build.scope.closures[build.checked.symbols[argument]]


def _emit_application(build: Builder, expr: syntax.Call, parameter: Symbol) -> Value:
    type = parameter.type
    assert isinstance(type, FunctionType)
    arguments = tuple(
        emit_value(build, argument, wanted)
        for argument, wanted in zip(expr.arguments, type.parameters, strict=True)
    )
    closure = build.scope.closures[parameter]
    with _bindings(build, dict(closure.values), dict(closure.closures)):
        pattern = closure.function.parameter
        bind(build, pattern, arguments[0] if len(arguments) == 1 else arguments)
        return emit_value(build, closure.function.body, type.result)


def _emit_join(build: Builder, expr: syntax.Call, monoid: MonoidDefinition) -> Value:
    """`op(x,y)`: two values combined with a monoid of the program."""
    arguments = [emit_value(build, argument, monoid.type) for argument in expr.arguments]
    with _bindings(build, dict(build.scope.values), build.scope.closures):
        for pattern, argument in zip(monoid.parameters, arguments, strict=True):
            bind(build, pattern, argument)
        return emit_value(build, monoid.body, monoid.type)


@contextmanager
def _bindings(
    build: Builder, values: dict[Symbol, Value], closures: dict[Symbol, Closure]
) -> Generator[None]:
    """Emit something where variables have other values."""
    outer = build.scope.values, build.scope.closures
    build.scope.values, build.scope.closures = values, closures
    try:
        yield
    finally:
        build.scope.values, build.scope.closures = outer


def _emit_conversion(build: Builder, expr: syntax.Call) -> SSAValue:
    """`toInt(x)` and so on for each type of numbers, `toString(x)`."""
    (argument,) = expr.arguments
    given, wanted = build.type_of(argument), build.type_of(expr)
    if wanted == STRING:
        return to_string(build, argument)
    if given == STRING:
        name = "to_int" if wanted == INT else "to_double"
        return string_call(build, name, emit_as(build, argument, STRING))
    if fits(given, wanted):
        return emit_as(build, argument, wanted)
    value = emit_as(build, argument, given)
    with build.at(expr.span):
        return convert_number(build, value, wanted)


def _emit_random(build: Builder) -> SSAValue:
    assert build.scope.seed is not None
    build.scope.occurrences += 1
    number = build.scope.occurrences - 1
    keys: list[SSAValue] = []
    for key in build.scope.keys:
        if is_complex(key.value.type):
            parts = (build.add(part(key.value)).result for part in (complex.ReOp, complex.ImOp))
            keys += [build.add(HashOp(part)).result for part in parts]
        elif not isinstance(key.value.type, BagType | TensorType | TupleType):
            hashed = build.add(HashOp(key.value)).result if key.hashed else None
            keys.append(build.as_index(key.value) if hashed is None else hashed)
    return build.add(RandomOp(number, build.scope.seed, keys)).result
