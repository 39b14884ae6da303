"""Checks expressions outside comprehensions: finds the type of each, reports what is wrong.

(1 - b) / N   with b: Double, N: Int   ->   Double
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from diablo.frontend.checking.builtin_functions import FUNCTIONS
from diablo.frontend.checking.check_operators import OperatorChecker
from diablo.frontend.checking.scope import did_you_mean
from diablo.frontend.checking.types import (
    DOUBLE,
    INT,
    SCALARS,
    UNKNOWN,
    ArrayType,
    ListType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    fits,
    has_unknown,
    is_key,
    is_number,
    promote,
)
from diablo.frontend.parsing import syntax


def quantity(number: int, noun: str, plural: str | None = None) -> str:
    """`1 index`, `2 indices`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


class ExpressionChecker(OperatorChecker, ABC):
    """The part of the checker that knows expressions."""

    @abstractmethod
    def check_comprehension(self, expr: syntax.Comprehension) -> Type:
        """The type of a comprehension."""

    @abstractmethod
    def check_constructor(self, expr: syntax.Constructor) -> Type:
        """The type of `tensor(…) e` and the like."""

    def check(self, expr: syntax.Expr) -> Type:
        """Find, record and return the type of an expression."""
        type = self._check(expr)
        self.checked.types[expr] = type
        return type

    def _check(self, expr: syntax.Expr) -> Type:
        match expr:
            case syntax.Literal():
                known = SCALARS.get(expr.kind)
                return known or self.unsupported(expr.span, f"{expr.kind} values are")
            case syntax.Name():
                return self._check_name(expr)
            case syntax.TupleExpr():
                return TupleType(tuple(map(self.check, expr.items)))
            case syntax.RecordExpr():
                return self.unsupported(expr.span, "records are", "use a tuple: (a, b)")
            case syntax.ListExpr():
                return self.unsupported(
                    expr.span, "lists of given elements are", "use a comprehension or an input"
                )
            case syntax.Unary():
                return self.check_unary(expr)
            case syntax.Binary():
                return self.check_binary(expr)
            case syntax.Range():
                hint = "use it as a generator: [ i | i <- a..b ]"
                return self.error(expr.span, "a range is no value by itself", hint)
            case syntax.Reduction():
                return self._check_reduction(expr)
            case syntax.Call():
                return self._check_call(expr)
            case syntax.Field():
                return self._check_field(expr)
            case syntax.Index():
                return self._check_index(expr)
            case syntax.IfExpr():
                return self._check_if(expr)
            case syntax.Lambda():
                return self.unsupported(expr.span, "functions as values are")
            case syntax.EmptyMap() | syntax.MappedStore() | syntax.LetIn():
                return self.unsupported(expr.span, "maps and typemaps are")
            case syntax.Wildcard():
                return self.unsupported(expr.span, "regions are")
            case syntax.Comprehension():
                return self.check_comprehension(expr)
            case syntax.Constructor():
                return self.check_constructor(expr)

    def _check_name(self, expr: syntax.Name) -> Type:
        symbol = self.scope.find(expr.name)
        if symbol is not None:
            symbol.used = True
            self.checked.symbols[expr] = symbol
            return symbol.type
        if self.scope.find_function(expr.name) or expr.name in FUNCTIONS:
            hint = f"call it: {expr.name}(…)"
            return self.error(expr.span, f"`{expr.name}` is a function, not a value", hint)
        names = [*self.scope.names(), *self.scope.function_names(), *FUNCTIONS]
        hint = did_you_mean(expr.name, names) or f"declare it: input {expr.name}: …;"
        return self.error(expr.span, f"`{expr.name}` is not declared", hint)

    # --- Reductions and calls -----------------------------------------------------------------

    def _check_reduction(self, expr: syntax.Reduction) -> Type:
        type = self.check(expr.operand)
        if isinstance(type, UnknownType):
            return type
        if not isinstance(type, ListType):
            hint = None
            if isinstance(type, ArrayType):
                key = "i" if type.rank == 1 else "(i,j)"
                hint = f"reduce its elements: {expr.monoid}/[ a | ({key},a) <- … ]"
            elif isinstance(expr.operand, syntax.Name):
                hint = "a variable is a bag only after a `group by` of something else"
            message = f"`{expr.monoid}/` reduces a bag of values, and this is {type}"
            return self.error(expr.span, message, hint)
        self.monoid_of(expr, expr.monoid, type.element)
        return type.element if isinstance(type.element, ScalarType) else UNKNOWN

    def _check_call(self, expr: syntax.Call) -> Type:
        if expr.function == "read":
            return self.unsupported(expr.span, "reading files in a program is", "use an input")
        types = [self.check(argument) for argument in expr.arguments]
        function = self.scope.find_function(expr.function)
        if function is not None:
            wanted = [p.type for p in function.parameters]
            if len(wanted) != len(types):
                return self._wrong_arity(expr, len(wanted))
            for argument, type, parameter in zip(
                expr.arguments, types, function.parameters, strict=True
            ):
                if not fits(type, parameter.type):
                    self.error(
                        argument.span,
                        f"`{expr.function}` wants {parameter.type} for `{parameter.name}`, "
                        f"and this is {type}",
                    )
            self.checked.functions[expr] = function
            return function.result
        if expr.function == "random":
            return DOUBLE if not types else self._wrong_arity(expr, 0)
        if expr.function == "cache":
            return types[0] if len(types) == 1 else self._wrong_arity(expr, 1)
        builtin = FUNCTIONS.get(expr.function)
        if builtin is None:
            return self._unknown_function(expr)
        if builtin.arity != len(types):
            return self._wrong_arity(expr, builtin.arity)
        if any(map(has_unknown, types)):
            return UNKNOWN
        type = types[0] if len(types) == 1 else promote(types[0], types[1])
        if builtin.arity == 1 and isinstance(type, ArrayType) and is_number(type.element):
            keeps = type.element != INT or builtin.integer is not None
            return type if keeps else ArrayType(DOUBLE, type.rank)
        if type is None or not is_number(type):
            found = " and ".join(map(str, types))
            return self.error(expr.span, f"`{expr.function}` needs numbers, not {found}")
        return DOUBLE if type == INT and builtin.integer is None else type

    def _wrong_arity(self, expr: syntax.Call, wanted: int) -> Type:
        takes = quantity(wanted, "argument") if wanted else "no arguments"
        return self.error(expr.span, f"`{expr.function}` takes {takes}, not {len(expr.arguments)}")

    def _unknown_function(self, expr: syntax.Call) -> Type:
        symbol = self.scope.find(expr.function)
        if symbol is not None:
            hint = "elements are read with brackets: V[i]"
            return self.error(expr.span, f"`{expr.function}` is no function", hint)
        names = [*self.scope.function_names(), *FUNCTIONS, "random", "cache"]
        hint = did_you_mean(expr.function, names)
        return self.error(expr.span, f"there is no function `{expr.function}`", hint)

    # --- Parts of values -------------------------------------------------------------------

    def _check_field(self, expr: syntax.Field) -> Type:
        type = self.check(expr.base)
        match type:
            case UnknownType():
                return type
            case TupleType():
                number = expr.name.removeprefix("_")
                if number.isdecimal() and 1 <= int(number) <= len(type.items):
                    return type.items[int(number) - 1]
                hint = f"its parts are `_1` to `_{len(type.items)}`"
                return self.error(expr.span, f"{type} has no part `{expr.name}`", hint)
            case ListType() if expr.name == "length":
                return INT
            case ArrayType() if expr.name == "length" and type.rank == 1:
                return INT
            case ArrayType() if expr.name in ("rows", "cols") and type.rank == 2:
                return INT
            case ArrayType() if expr.name == "t" and type.rank == 2:
                return type
            case _:
                hint = did_you_mean(expr.name, _fields(type))
                return self.error(expr.span, f"{type} has no field `{expr.name}`", hint)

    def _check_index(self, expr: syntax.Index) -> Type:
        base = self.check(expr.base)
        for index in expr.indices:
            if isinstance(index, syntax.Slice):
                return self.unsupported(expr.span, "slices of arrays are")
            self.check_int(index, "an index")
        if isinstance(base, UnknownType):
            return base
        if not isinstance(base, ArrayType):
            return self.error(expr.span, f"only arrays have indices, and this is {base}")
        if base.rank != len(expr.indices):
            needed = quantity(base.rank, "index", "indices")
            return self.error(expr.span, f"a {base} is read with {needed}, not {len(expr.indices)}")
        return base.element

    def _check_if(self, expr: syntax.IfExpr) -> Type:
        self.check_condition(expr.condition, "`if`")
        then, otherwise = self.check(expr.then), self.check(expr.otherwise)
        if has_unknown(then) or has_unknown(otherwise):
            return UNKNOWN
        type = promote(then, otherwise)
        if type is None:
            message = f"the branches of this `if` have types {then} and {otherwise}"
            return self.error(expr.span, message)
        if not is_key(type):
            return self.unsupported(expr.span, f"an `if` with a value of type {type} is")
        return type


def _fields(type: Type) -> list[str]:
    if isinstance(type, ArrayType):
        return ["rows", "cols", "t"] if type.rank == 2 else ["length"]
    return ["length"] if isinstance(type, ListType) else []
