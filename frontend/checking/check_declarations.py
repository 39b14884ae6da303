"""Checks declarations: inputs, variables, functions.

def f(x: Int): Double = x * 2.5   ->   a Function from Int to Double
"""

from __future__ import annotations

from abc import ABC

from diablo.frontend.checking.check_region_arrays import RegionArrayChecker
from diablo.frontend.checking.constants import literal_of
from diablo.frontend.checking.extents import INLINING_HINT, Extent, extent_of
from diablo.frontend.checking.scope import Function
from diablo.frontend.checking.types import (
    CHAR,
    UNKNOWN,
    ArrayType,
    FunctionType,
    ListType,
    MapType,
    NothingType,
    RecordType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    fits,
    has_unknown,
    is_key,
    mentions,
)
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.tree_walk import find_call


class DeclarationChecker(RegionArrayChecker, ABC):
    """The part of the checker that knows declarations."""

    def __init__(self) -> None:
        super().__init__()
        self.top_level = True

    # --- Inputs ----------------------------------------------------------------------------

    def check_input(self, statement: statements.Input) -> None:
        """Check and declare an input."""
        type = self.resolve_value(statement.type)
        if not self.top_level:
            self.error(statement.span, "inputs are declared at the top of a program only")
        if isinstance(type, TupleType | RecordType):
            hint = "declare one input for each part"
            type = self.error(statement.type.span, f"an input cannot have the type {type}", hint)
        elif not _can_be_given(type):
            type = self.unsupported(statement.type.span, f"inputs of type {type} are")
        if statement.default is not None:
            self._check_default(statement, statement.default, type)
        assigned = statement.name.name in self.assigned
        self.declare(statement.name, "variable" if assigned else "input", type)

    def _check_default(self, statement: statements.Input, default: syntax.Expr, type: Type) -> None:
        name = statement.name.name
        if isinstance(type, ArrayType | ListType | MapType):
            self.error(default.span, f"an input of type {type} has no default")
        elif literal_of(default) is None:
            hint = "the default of an input is a number, a string, `true` or `false`"
            self.error(default.span, "this default is not a constant", hint)
        elif not fits(found := self.check(default), type):
            hint = "a character is written with single quotes: 'a'" if type == CHAR else None
            message = f"the default of `{name}` has type {found}, and `{name}` is {type}"
            self.error(default.span, message, hint)

    # --- Variables -------------------------------------------------------------------------

    def check_var(self, statement: statements.Var) -> None:
        """Check and declare a variable."""
        type = self.resolve_value(statement.type) if statement.type is not None else None
        if statement.region is not None:
            self.check_region_array(statement, statement.region, type)
            return
        init = statement.init
        assert init is not None
        found = self.check(init, type)
        name = statement.name.name
        if type is None:
            type = found
            if mentions(type, NothingType) and not has_unknown(type):
                kind = "map[Int,Double]" if isinstance(type, MapType) else "list[Int]"
                what = "map" if isinstance(type, MapType) else "list"
                hint = f"declare its type: var {name}: {kind} = …;"
                message = f"the elements of this empty {what} have no type"
                type = self.error(init.span, message, hint)
            elif isinstance(type, FunctionType):
                type = self.error(init.span, "a function cannot be the value of a variable")
        elif not fits(found, type):
            message = f"`{name}` is declared {type}, and this is {found}"
            self.error(init.span, message, _conversion_hint(found, type))
        self.declare(statement.name, "variable", type)

    # --- Functions -------------------------------------------------------------------------

    def check_def(self, statement: statements.Def) -> None:
        """Check and declare a function."""
        name = statement.name.name
        if name in self.scope.functions or name in self.scope.symbols:
            self.error(statement.name.span, f"`{name}` is declared twice")
        self.scope.functions[name] = self.make_function(statement)

    def make_function(self, definition: statements.Def) -> Function:
        """Check a function of the program."""
        name = definition.name.name
        known = len(self.errors)
        result = None
        if definition.result is not None:
            result = self.resolve_value(definition.result)
        with self.inner_scope() as scope:
            parameters = [
                self.declare(pattern, "parameter", self.resolve(type))
                for pattern, type in definition.parameters
            ]
            calls_itself = find_call(definition.body, name)
            if calls_itself is not None and name not in scope.symbols:
                self.error(calls_itself.span, f"`{name}` calls itself: recursion is not allowed")
                scope.functions[name] = Function(definition, parameters, UNKNOWN)
            found = self.check(definition.body, result)
        if isinstance(found, FunctionType) and not isinstance(result, UnknownType):
            message = f"`{name}` gives a function, and functions are parameters only"
            found = self.error(definition.body.span, message)
        result = found if result is None else result
        if not fits(found, result):
            message = f"`{name}` is declared to give {result}, and this is {found}"
            self.error(definition.body.span, message, _conversion_hint(found, result))
        extent = Extent()
        if len(self.errors) == known:
            extent = extent_of(definition.body, self.checked)
        fault = extent.fault
        if fault is not None:
            message = f"`{name}` is {fault} once the functions that it calls are inlined"
            self.error(definition.name.span, message, INLINING_HINT)
            extent = Extent(reported=True)
        return Function(definition, parameters, result, extent)


def _can_be_given(type: Type) -> bool:
    """Whether a caller can supply values of `type`."""
    match type:
        case ScalarType() | UnknownType():
            return True
        case ArrayType():
            return isinstance(type.element, ScalarType | UnknownType)
        case ListType():
            return _is_row(type.element)
        case MapType():
            return is_key(type.key) and _is_row(type.value)
        case _:
            return False


def _is_row(type: Type) -> bool:
    match type:
        case TupleType() | RecordType():
            return all(map(_is_row, type.items))
        case ListType():
            return _is_row(type.element)
        case _:
            return isinstance(type, ScalarType | UnknownType)


def _conversion_hint(found: Type, wanted: Type) -> str | None:
    match str(found), str(wanted):
        case "Double", "Float":
            return "a Float is written with an `f`: 1.5f"
        case "Char", "String":
            return "a string is written with double quotes"
        case "String", "Char":
            return "a character is written with single quotes"
        case "String", "Int" | "Double":
            return f"convert it: to{wanted}(…)"
        case "Double", "Int":
            return "convert it: toInt(…) truncates" if not has_unknown(found) else None
        case _:
            return None
