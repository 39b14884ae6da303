"""Checks calls: functions of the program, built-in ones, methods, functions as arguments.

apply((x) => x + 1.0, 2.0)   with def apply(f: Double -> Double, x: Double)   ->   Double
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from diablo.diagnostics import Span
from diablo.frontend.checking.builtin_functions import (
    CONVERSIONS,
    FUNCTIONS,
    STRING_FUNCTIONS,
    StringFunction,
)
from diablo.frontend.checking.check_parts import PartChecker
from diablo.frontend.checking.quantities import quantity
from diablo.frontend.checking.scope import Function, Symbol, idiom_or_name
from diablo.frontend.checking.types import (
    DOUBLE,
    INT,
    STRING,
    UNKNOWN,
    ArrayType,
    FunctionType,
    ScalarType,
    TupleType,
    Type,
    fits,
    has_unknown,
    is_number,
    promote,
)
from diablo.frontend.parsing import syntax

_BUILTIN_NAMES = [*FUNCTIONS, *STRING_FUNCTIONS, *CONVERSIONS, "random", "cache"]


class CallChecker(PartChecker, ABC):
    """The part of the checker that knows calls."""

    def check_call(self, expr: syntax.Call) -> Type:
        """The type of `f(a, …)` or `a.f(…)`."""
        name = expr.function
        if expr.method:
            return self._check_method(expr)
        if name == "read":
            hint = 'use an input; a region reads its pattern: R where read("pattern.mtx")'
            return self.error(expr.span, "`read` stands in regions only", hint)
        symbol = self.scope.find(name)
        if symbol is not None and isinstance(symbol.type, FunctionType):
            symbol.use()
            self.checked.applications[expr] = symbol
            self._check_arguments(expr, symbol.type.parameters, None)
            return symbol.type.result
        function = self.scope.find_function(name)
        if function is not None:
            self.checked.functions[expr] = function
            types = [p.type for p in function.parameters]
            self._check_arguments(expr, types, function.parameters)
            return function.result
        monoid = None if name in _BUILTIN_NAMES else self.scope.find_monoid(name)
        if monoid is not None and symbol is None:
            self.checked.joins[expr] = monoid
            self._check_arguments(expr, (monoid.type, monoid.type), None)
            return monoid.type
        if name == "length" and len(expr.arguments) == 1:
            # As functions of strings, it stands before or behind what it is applied to.
            self.checked.desugared[expr] = size = syntax.Field(expr.span, expr.arguments[0], name)
            return self.check(size)
        types = [self.check(argument) for argument in expr.arguments]
        if name == "random":
            return DOUBLE if not types else self._wrong_arity(expr, 0)
        if name == "cache":
            return types[0] if len(types) == 1 else self._wrong_arity(expr, 1)
        if name in STRING_FUNCTIONS:
            return self._check_string_function(expr, STRING_FUNCTIONS[name], types)
        if name in CONVERSIONS:
            return self._check_conversion(expr, types)
        if name in FUNCTIONS:
            return self._check_number_function(expr, types)
        return self._unknown_function(expr)

    def _check_arguments(
        self, expr: syntax.Call, wanted: Sequence[Type], names: Sequence[Symbol] | None
    ) -> None:
        """Check the arguments of a function of the program."""
        if len(wanted) != len(expr.arguments):
            for argument in expr.arguments:
                if not isinstance(argument, syntax.Lambda):
                    self.check(argument)
            self._wrong_arity(expr, len(wanted))
            return
        for number, (argument, type) in enumerate(zip(expr.arguments, wanted, strict=True)):
            if names:
                self.parted.add(argument)
            found = self.check(argument, type)
            if not fits(found, type):
                what = f"`{names[number].name}`" if names else f"argument {number + 1}"
                message = f"`{expr.function}` wants {type} for {what}, and this is {found}"
                self.error(argument.span, message, self.bag_hint(argument))

    def _wrong_arity(self, expr: syntax.Call, wanted: int) -> Type:
        takes = quantity(wanted, "argument") if wanted else "no arguments"
        return self.error(expr.span, f"`{expr.function}` takes {takes}, not {len(expr.arguments)}")

    def _unknown_function(self, expr: syntax.Call) -> Type:
        name = expr.function
        symbol = self.scope.find(name)
        if symbol is not None:
            if has_unknown(symbol.type):
                return UNKNOWN
            hint = "elements are read with brackets: V[i]"
            return self.error(expr.span, f"`{name}` is no function", hint)
        later = self.declared_later(name)
        if later is not None:
            return self.error(expr.span, f"`{name}` is not declared yet", later)
        names = [*self.scope.function_names(), *_BUILTIN_NAMES, "length"]
        hint = idiom_or_name(name, [n for n in names if "." not in n])
        return self.error(expr.span, f"there is no function `{name}`", hint)

    # --- Built-in functions ----------------------------------------------------------------

    def _check_number_function(self, expr: syntax.Call, types: list[Type]) -> Type:
        builtin = FUNCTIONS[expr.function]
        if builtin.arity != len(types):
            hint = None
            if expr.function in ("min", "max") and len(types) == 1:
                hint = f"the {expr.function} of a list is written {expr.function}/e"
            takes = quantity(builtin.arity, "argument")
            message = f"`{expr.function}` takes {takes}, not {len(types)}"
            return self.error(expr.span, message, hint)
        if any(map(has_unknown, types)):
            return UNKNOWN
        cells = [t.element if isinstance(t, ArrayType) else t for t in types]
        type = cells[0] if len(cells) == 1 else promote(cells[0], cells[1])
        if type is None or not all(map(is_number, cells)):
            found = " and ".join(map(str, types))
            hint = self.bag_hint(*expr.arguments)
            return self.error(expr.span, f"`{expr.function}` needs numbers, not {found}", hint)
        if type == INT and builtin.integer is None:
            type = DOUBLE
        ranks = {t.rank for t in types if isinstance(t, ArrayType)}
        if len(ranks) > 1:
            found = " and ".join(map(str, types))
            message = f"`{expr.function}` goes cell by cell, and cannot be applied to {found}"
            return self.error(expr.span, message)
        return ArrayType(type, ranks.pop()) if ranks else type

    def _check_method(self, expr: syntax.Call) -> Type:
        types = [self.check(argument) for argument in expr.arguments]
        if has_unknown(types[0]):
            return UNKNOWN
        name = expr.function
        if name in STRING_FUNCTIONS and types[0] == STRING:
            return self._check_string_function(expr, STRING_FUNCTIONS[name], types)
        if name in CONVERSIONS:
            return self._check_conversion(expr, types)
        message = f"{types[0]} has no method `{name}`"
        if name in ("length", "rows", "cols", "t"):
            return self.error(expr.span, message, f"write it without brackets: .{name}")
        if self.scope.find_function(name) or name in FUNCTIONS:
            return self.error(expr.span, message, f"write it as a function: {name}(…)")
        methods = [*CONVERSIONS, *(STRING_FUNCTIONS if types[0] == STRING else ())]
        return self.error(expr.span, message, idiom_or_name(name, methods))

    def _check_string_function(
        self, expr: syntax.Call, function: StringFunction, types: list[Type]
    ) -> Type:
        if len(types) != len(function.parameters):
            method = int(expr.method)
            takes = quantity(len(function.parameters) - method, "argument")
            takes = "no arguments" if takes.startswith("0") else takes
            message = f"`{expr.function}` takes {takes}, not {len(types) - method}"
            return self.error(expr.span, message)
        for argument, type, wanted in zip(expr.arguments, types, function.parameters, strict=True):
            if not fits(type, wanted):
                message = f"`{expr.function}` wants {wanted}, and this is {type}"
                hint = None
                if wanted == STRING and isinstance(type, ScalarType):
                    hint = "write a string with double quotes, or convert it: x.toString()"
                self.error(argument.span, message, self.bag_hint(argument) or hint)
        return function.result

    def _check_conversion(self, expr: syntax.Call, types: list[Type]) -> Type:
        if len(types) != 1:
            takes = "no arguments" if expr.method else "1 argument"
            given = len(types) - int(expr.method)
            return self.error(expr.span, f"`{expr.function}` takes {takes}, not {given}")
        type = types[0]
        if has_unknown(type):
            return UNKNOWN
        result = CONVERSIONS[expr.function].get(type) if isinstance(type, ScalarType) else None
        if result is None:
            message = f"`{expr.function}` cannot convert {type}"
            return self.error(expr.span, message, self.bag_hint(*expr.arguments))
        return result

    # --- Functions as arguments ------------------------------------------------------------

    def check_lambda(self, expr: syntax.Lambda, wanted: Type | None) -> Type:
        """The type of a function that is given as an argument of type `wanted`."""
        if not isinstance(wanted, FunctionType):
            message = "a function can stand only where a parameter is a function"
            hint = "give it a name: def f(x: T): U = e;"
            if wanted is not None and not has_unknown(wanted):
                message, hint = f"this is a function, and {wanted} is wanted", None
            return self.error(expr.span, message, hint)
        parameters = wanted.parameters
        with self.inner_scope():
            type = parameters[0] if len(parameters) == 1 else TupleType(parameters)
            self.bind(expr.parameter, type, "parameter")
            found = self.check(expr.body, wanted.result)
        if not fits(found, wanted.result):
            message = f"this function should give {wanted.result}, and gives {found}"
            return self.error(expr.body.span, message)
        return wanted

    def check_function_name(self, expr: syntax.Name, wanted: FunctionType) -> Type | None:
        """The type of a named function given as an argument, if there is such a function."""
        function = self.scope.find_function(expr.name)
        builtins = (*FUNCTIONS, *STRING_FUNCTIONS, *CONVERSIONS)
        if function is None and expr.name not in builtins:
            return None
        arity = len(wanted.parameters)
        if function is not None and len(function.parameters) != arity:
            takes = quantity(len(function.parameters), "argument")
            return self.error(
                expr.span, f"`{expr.name}` takes {takes}, and {wanted} is wanted here"
            )
        value = _call_of(expr.span, expr.name, arity)
        known = len(self.errors)
        type = self.check(value, wanted)
        if len(self.errors) > known:
            del self.errors[known:]
            found = str(wanted) if function is None else str(type_of_function(function))
            message = f"{wanted} is wanted here, and `{expr.name}` is {found}"
            if function is None:
                message = f"`{expr.name}` is no {wanted}"
            return self.error(expr.span, message)
        self.checked.desugared[expr] = value
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
