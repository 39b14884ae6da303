"""Checks calls: functions of the program, built-in ones, methods, functions as arguments.

apply((x) => x + 1.0, 2.0)   with def apply(f: Double -> Double, x: Double)   ->   Double
"""

from __future__ import annotations

from collections.abc import Sequence

from diablo.diagnostics import Span, quantity
from diablo.dialects.functions.scalar_functions import FUNCTIONS
from diablo.frontend.checking.builtin_functions import CONVERSIONS, STRING_FUNCTIONS, StringFunction
from diablo.frontend.checking.check_operators import NO_ORDER, bag_hint
from diablo.frontend.checking.check_orders import ORDERS, check_order
from diablo.frontend.checking.check_reductions import check_builtin_reduction
from diablo.frontend.checking.checker import Checker
from diablo.frontend.checking.conversion_hints import conversion_hint
from diablo.frontend.checking.literals import is_wide, joined, take, take_converted
from diablo.frontend.checking.scope import Function, Symbol, idiom_or_name
from diablo.frontend.checking.types import (
    BOOLEAN,
    DOUBLE,
    STRING,
    UNKNOWN,
    ArrayType,
    FunctionType,
    ScalarType,
    TupleType,
    Type,
    complex_type,
    fits,
    has_unknown,
    is_complex,
    is_floating,
    is_integer,
    is_number,
    part_type,
)
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.builtin_reductions import REDUCTIONS
from diablo.frontend.parsing.idioms import MODULES
from diablo.frontend.parsing.unsized_arrays import rank_of

_BUILTIN_NAMES = [*FUNCTIONS, *STRING_FUNCTIONS, *CONVERSIONS, "random", "cache"]


def check_call(checker: Checker, expr: syntax.Call) -> Type:
    """The type of `f(a, …)` or `a.f(…)`."""
    name = expr.function
    if expr.method:
        return _check_method(checker, expr)
    if name == "read":
        hint = 'use an input; a region reads its pattern: R where read("pattern.mtx")'
        return checker.error(expr.span, "`read` stands in regions only", hint)
    symbol = checker.scope.find(name)
    if symbol is not None and isinstance(symbol.type, FunctionType):
        symbol.use()
        checker.checked.applications[expr] = symbol
        _check_arguments(checker, expr, symbol.type.parameters, None)
        return symbol.type.result
    function = checker.scope.find_function(name)
    if function is not None:
        checker.checked.functions[expr] = function
        types = [p.type for p in function.parameters]
        _check_arguments(checker, expr, types, function.parameters)
        return function.result
    monoid = None if name in _BUILTIN_NAMES else checker.scope.find_monoid(name)
    if monoid is not None and symbol is None:
        checker.checked.joins[expr] = monoid
        _check_arguments(checker, expr, (monoid.type, monoid.type), None)
        return monoid.type
    if name == "length" and len(expr.arguments) == 1:
        # As functions of strings, it stands before or behind what it is applied to.
        checker.checked.desugared[expr] = size = syntax.Field(expr.span, expr.arguments[0], name)
        return checker.check(size)
    if name in REDUCTIONS and symbol is None and len(expr.arguments) == 1:
        return check_builtin_reduction(checker, expr, expr.arguments[0])
    if name in ORDERS and symbol is None and len(expr.arguments) == 1:
        return check_order(checker, expr)
    types = [checker.check(argument) for argument in expr.arguments]
    if name in (REDUCTIONS | ORDERS).keys() - FUNCTIONS.keys() and symbol is None:
        return _wrong_arity(checker, expr, 1)
    if name == "random":
        return DOUBLE if not types else _wrong_arity(checker, expr, 0)
    if name == "cache":
        return types[0] if len(types) == 1 else _wrong_arity(checker, expr, 1)
    if name in STRING_FUNCTIONS:
        return _check_string_function(checker, expr, STRING_FUNCTIONS[name], types)
    if name in CONVERSIONS:
        return _check_conversion(checker, expr, types)
    if name in FUNCTIONS:
        return _check_number_function(checker, expr, types)
    return _unknown_function(checker, expr)


def _check_arguments(
    checker: Checker, expr: syntax.Call, wanted: Sequence[Type], names: Sequence[Symbol] | None
) -> None:
    """Check the arguments of a function of the program."""
    if len(wanted) != len(expr.arguments):
        for argument in expr.arguments:
            if not isinstance(argument, syntax.Lambda):
                checker.check(argument)
        _wrong_arity(checker, expr, len(wanted))
        return
    for number, (argument, type) in enumerate(zip(expr.arguments, wanted, strict=True)):
        if names:
            checker.parted.add(argument)
        found = checker.check(argument, type)
        if not fits(found, type):
            what = f"`{names[number].name}`" if names else f"argument {number + 1}"
            message = f"`{expr.function}` wants {type} for {what}, and this is {found}"
            hint = bag_hint(checker, argument) or conversion_hint(found, type)
            checker.error(argument.span, message, hint)


def _wrong_arity(checker: Checker, expr: syntax.Call, wanted: int) -> Type:
    takes = quantity(wanted, "argument") if wanted else "no arguments"
    return checker.error(expr.span, f"`{expr.function}` takes {takes}, not {len(expr.arguments)}")


def _unsized(checker: Checker, expr: syntax.Call) -> Type:
    """Report a `vector(…)` that is no declaration of zeros, nor one sized by what is written."""
    rank, given = rank_of(expr), len(expr.arguments)
    name, sizes = expr.function, ",".join("nmk"[:rank]) if rank in (1, 2, 3) else "…"
    call = f"{name}[Double] = {name}({sizes});"
    hint = f"declare it with type and sizes: var V: {call}"
    if given == 0:
        message = "the extents of this array are not known where it is declared"
        hint = f"declare it with its type, and with sizes if a `while` writes it: var V: {call}"
    elif given == rank:
        message = "the type of the elements of this array is not known"
    else:
        message = f"`{expr.function}` takes {quantity(rank or 0, 'size')}, not {given}"
    return checker.error(expr.span, message, hint)


def _unknown_function(checker: Checker, expr: syntax.Call) -> Type:
    name = expr.function
    symbol = checker.scope.find(name)
    if symbol is not None:
        if has_unknown(symbol.type):
            return UNKNOWN
        hint = "elements are read with brackets: V[i]"
        return checker.error(expr.span, f"`{name}` is no function", hint)
    later = checker.declared_later(name)
    if later is not None:
        return checker.error(expr.span, f"`{name}` is not declared yet", later)
    if rank_of(expr) is not None and name not in _BUILTIN_NAMES:
        return _unsized(checker, expr)
    names = [*checker.scope.function_names(), *_BUILTIN_NAMES, *REDUCTIONS, *ORDERS, "length"]
    hint = idiom_or_name(name, [n for n in names if "." not in n])
    return checker.error(expr.span, f"there is no function `{name}`", hint)


def _check_number_function(checker: Checker, expr: syntax.Call, types: list[Type]) -> Type:
    builtin = FUNCTIONS[expr.function]
    if builtin.arity != len(types):
        return _wrong_arity(checker, expr, builtin.arity)
    if any(map(has_unknown, types)):
        return UNKNOWN
    cells = [t.element if isinstance(t, ArrayType) else t for t in types]
    type = cells[0]
    if len(cells) == 2:
        first, second = expr.arguments
        type = joined(checker, first, cells[0], second, cells[1])
    if type is None or not all(map(is_number, cells)):
        found = " and ".join(map(str, types))
        hint = bag_hint(checker, *expr.arguments)
        return checker.error(expr.span, f"`{expr.function}` needs numbers, not {found}", hint)
    if has_unknown(type):
        return UNKNOWN
    if is_integer(type) and builtin.integer is None:
        type = DOUBLE
        for argument in expr.arguments:
            if is_wide(checker, argument):
                take(checker, argument, type)
    if is_floating(type) and builtin.floating is None and builtin.complex is not None:
        type = complex_type(type)
    kinds = ((is_complex, builtin.complex), (is_floating, builtin.floating))
    overload = next((given for is_kind, given in kinds if is_kind(type)), builtin.integer)
    if overload is None:
        found = " and ".join(map(str, types))
        wanted = "Ints" if builtin.floating is None else "real numbers"
        hint = _hint_for_complex(expr.function, cells) if is_complex(type) else None
        return checker.error(expr.span, f"`{expr.function}` needs {wanted}, not {found}", hint)
    checker.checked.operands[expr] = type
    match overload.gives:
        case "boolean":
            type = BOOLEAN
        case "part":
            type = part_type(type)
        case "complex":
            type = complex_type(type)
        case "same":
            pass
    ranks = {t.rank for t in types if isinstance(t, ArrayType)}
    if len(ranks) > 1:
        found = " and ".join(map(str, types))
        message = f"`{expr.function}` goes cell by cell, and cannot be applied to {found}"
        return checker.error(expr.span, message)
    return ArrayType(type, ranks.pop()) if ranks else type


def _hint_for_complex(function: str, types: list[Type]) -> str | None:
    """Return what may be meant by a function of real numbers that is given complex ones."""
    called = FUNCTIONS[function]
    if called.is_extremum:
        return NO_ORDER
    if function == "complex" or called.floating is None:
        return None  # Nor do floats help a function of integers.
    parts = [
        f"real({z})" if is_complex(type) else "…" for z, type in zip("zw", types, strict=False)
    ]
    return f"apply it to the parts: {function}({','.join(parts)})"


def _check_of_module(checker: Checker, expr: syntax.Call) -> Type | None:
    """Report `math.sqrt(x)`, if there is no variable `math`."""
    module, *arguments = expr.arguments
    if not isinstance(module, syntax.Name) or module.name.lower() not in MODULES:
        return None
    if checker.scope.find(module.name) is not None:
        return None
    for argument in arguments:
        checker.check(argument)
    name = expr.function
    functions = [n for n in (*_BUILTIN_NAMES, *REDUCTIONS, *ORDERS) if n not in STRING_FUNCTIONS]
    hint = f"write {name}(…)" if name in functions else idiom_or_name(name, functions)
    return checker.error(expr.span, f"there is no function `{module.name}.{name}`", hint)


def _check_method(checker: Checker, expr: syntax.Call) -> Type:
    found = _check_of_module(checker, expr)
    if found is not None:
        return found
    types = [checker.check(argument) for argument in expr.arguments]
    if has_unknown(types[0]):
        return UNKNOWN
    name = expr.function
    if name in STRING_FUNCTIONS and types[0] == STRING:
        return _check_string_function(checker, expr, STRING_FUNCTIONS[name], types)
    if name in CONVERSIONS:
        return _check_conversion(checker, expr, types)
    message = f"{types[0]} has no method `{name}`"
    if name in ("length", "rows", "cols", "t"):
        return checker.error(expr.span, message, f"write it without brackets: .{name}")
    if checker.scope.find_function(name) or name in FUNCTIONS:
        return checker.error(expr.span, message, f"write it as a function: {name}(…)")
    methods = [*CONVERSIONS, *(STRING_FUNCTIONS if types[0] == STRING else ())]
    return checker.error(expr.span, message, idiom_or_name(name, methods))


def _check_string_function(
    checker: Checker, expr: syntax.Call, function: StringFunction, types: list[Type]
) -> Type:
    if len(types) != len(function.parameters):
        method = int(expr.method)
        takes = quantity(len(function.parameters) - method, "argument")
        takes = "no arguments" if takes.startswith("0") else takes
        message = f"`{expr.function}` takes {takes}, not {len(types) - method}"
        return checker.error(expr.span, message)
    for argument, type, wanted in zip(expr.arguments, types, function.parameters, strict=True):
        if not fits(type, wanted):
            message = f"`{expr.function}` wants {wanted}, and this is {type}"
            hint = conversion_hint(type, wanted)
            if wanted == STRING and isinstance(type, ScalarType):
                hint = "write a string with double quotes, or convert it: x.toString()"
            checker.error(argument.span, message, bag_hint(checker, argument) or hint)
    return function.result


def _check_conversion(checker: Checker, expr: syntax.Call, types: list[Type]) -> Type:
    if len(types) != 1:
        takes = "no arguments" if expr.method else "1 argument"
        given = len(types) - int(expr.method)
        return checker.error(expr.span, f"`{expr.function}` takes {takes}, not {given}")
    type = types[0]
    if has_unknown(type):
        return UNKNOWN
    result = CONVERSIONS[expr.function].get(type) if isinstance(type, ScalarType) else None
    if result is None:
        message = f"`{expr.function}` cannot convert {type}"
        hint = bag_hint(checker, *expr.arguments)
        if hint is None and is_complex(type):
            hint = f"take a part of it: {expr.function}(real(z))"
        return checker.error(expr.span, message, hint)
    argument = expr.arguments[0]
    if is_wide(checker, argument):
        take_converted(checker, argument, result)
    return result


def check_lambda(checker: Checker, expr: syntax.Lambda, wanted: Type | None) -> Type:
    """The type of a function that is given as an argument of type `wanted`."""
    if not isinstance(wanted, FunctionType):
        message = "a function can stand only where a parameter is a function"
        hint = "give it a name: def f(x: T): U = e;"
        if wanted is not None and not has_unknown(wanted):
            message, hint = f"this is a function, and {wanted} is wanted", None
        return checker.error(expr.span, message, hint)
    parameters = wanted.parameters
    with checker.inner_scope():
        type = parameters[0] if len(parameters) == 1 else TupleType(parameters)
        checker.bind(expr.parameter, type, "parameter")
        found = checker.check(expr.body, wanted.result)
    if not fits(found, wanted.result):
        message = f"this function should give {wanted.result}, and gives {found}"
        return checker.error(expr.body.span, message)
    return wanted


def check_function_name(checker: Checker, expr: syntax.Name, wanted: FunctionType) -> Type | None:
    """The type of a named function given as an argument, if there is such a function."""
    function = checker.scope.find_function(expr.name)
    builtins = (*FUNCTIONS, *STRING_FUNCTIONS, *CONVERSIONS)
    if function is None and expr.name not in builtins:
        return None
    arity = len(wanted.parameters)
    if function is not None and len(function.parameters) != arity:
        takes = quantity(len(function.parameters), "argument")
        return checker.error(expr.span, f"`{expr.name}` takes {takes}, and {wanted} is wanted here")
    value = _call_of(expr.span, expr.name, arity)
    known = len(checker.errors)
    type = checker.check(value, wanted)
    if len(checker.errors) > known:
        del checker.errors[known:]
        found = str(wanted) if function is None else str(type_of_function(function))
        message = f"{wanted} is wanted here, and `{expr.name}` is {found}"
        if function is None:
            message = f"`{expr.name}` is no {wanted}"
        return checker.error(expr.span, message)
    checker.checked.desugared[expr] = value
    return type


def type_of_function(function: Function) -> FunctionType:
    """The type of a function of the program."""
    return FunctionType(tuple(p.type for p in function.parameters), function.result)


def _call_of(span: Span, name: str, arity: int) -> syntax.Lambda:
    """The lambda `(x1, …) => name(x1, …)`."""
    names = [f"x{number + 1}" for number in range(arity)]
    parameters: list[syntax.Pattern] = [syntax.NamePattern(span, n) for n in names]
    pattern = parameters[0] if arity == 1 else syntax.TuplePattern(span, parameters)
    arguments: list[syntax.Expr] = [syntax.Name(span, n) for n in names]
    return syntax.Lambda(span, pattern, syntax.Call(span, name, arguments))
