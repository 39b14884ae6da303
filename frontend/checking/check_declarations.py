"""Checks declarations: inputs, variables, functions.

def f(x: Int): Double = x * 2.5   ->   a Function from Int to Double
"""

from __future__ import annotations

from diablo.frontend.checking.check_annotations import resolve, resolve_value
from diablo.frontend.checking.check_region_arrays import check_region_array
from diablo.frontend.checking.checker import Checker
from diablo.frontend.checking.constants import complex_constant, literal_of
from diablo.frontend.checking.conversion_hints import conversion_hint
from diablo.frontend.checking.extents import INLINING_HINT, Extent, extent_of
from diablo.frontend.checking.scope import Function
from diablo.frontend.checking.types import (
    CHAR,
    NOTHING,
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


def check_input(checker: Checker, statement: statements.Input) -> None:
    """Check and declare an input."""
    type = resolve_value(checker, statement.type)
    if not checker.top_level:
        checker.error(statement.span, "inputs are declared at the top of a program only")
    if isinstance(type, TupleType | RecordType):
        hint = "declare one input for each part"
        type = checker.error(statement.type.span, f"an input cannot have the type {type}", hint)
    elif not _can_be_given(type):
        type = checker.unsupported(statement.type.span, f"inputs of type {type} are")
    if statement.default is not None:
        _check_default(checker, statement, statement.default, type)
    assigned = statement.name.name in checker.assigned
    checker.declare(statement.name, "variable" if assigned else "input", type)


def _check_default(
    checker: Checker, statement: statements.Input, default: syntax.Expr, type: Type
) -> None:
    name = statement.name.name
    if isinstance(type, ArrayType | ListType | MapType):
        checker.error(default.span, f"an input of type {type} has no default")
    elif literal_of(default) is None and complex_constant(checker.checked, default) is None:
        hint = "the default of an input is a number, a string, `true` or `false`"
        checker.error(default.span, "this default is not a constant", hint)
    elif not fits(found := checker.check(default, type), type):
        hint = "a character is written with single quotes: 'a'" if type == CHAR else None
        message = f"the default of `{name}` has type {found}, and `{name}` is {type}"
        checker.error(default.span, message, hint)


def check_var(checker: Checker, statement: statements.Var) -> None:
    """Check and declare a variable."""
    type = resolve_value(checker, statement.type) if statement.type is not None else None
    if statement.region is not None:
        check_region_array(checker, statement, statement.region, type)
        return
    init = statement.init
    assert init is not None
    found = checker.check(init, type)
    name = statement.name.name
    if type is None:
        type = found
        if mentions(type, NothingType) and not has_unknown(type):
            kind = "map[Int,Double]" if isinstance(type, MapType) else "list[Int]"
            if isinstance(type, ArrayType):
                kind = str(type).replace(str(NOTHING), "Int")
            what = "map" if isinstance(type, MapType) else "list"
            hint = f"declare its type: var {name}: {kind} = …;"
            message = f"the elements of this empty {what} have no type"
            type = checker.error(init.span, message, hint)
        elif isinstance(type, FunctionType):
            type = checker.error(init.span, "a function cannot be the value of a variable")
    elif not fits(found, type):
        message = f"`{name}` is declared {type}, and this is {found}"
        checker.error(init.span, message, conversion_hint(found, type))
    checker.declare(statement.name, "variable", type)


def check_def(checker: Checker, statement: statements.Def) -> None:
    """Check and declare a function."""
    name = statement.name.name
    if name in checker.scope.functions or name in checker.scope.symbols:
        checker.error(statement.name.span, f"`{name}` is declared twice")
    checker.scope.functions[name] = make_function(checker, statement)


def make_function(checker: Checker, definition: statements.Def) -> Function:
    """Check a function of the program."""
    name = definition.name.name
    known = len(checker.errors)
    result = None
    if definition.result is not None:
        result = resolve_value(checker, definition.result)
    with checker.inner_scope() as scope:
        parameters = [
            checker.declare(pattern, "parameter", resolve(checker, type))
            for pattern, type in definition.parameters
        ]
        calls_itself = find_call(definition.body, name)
        if calls_itself is not None and name not in scope.symbols:
            checker.error(calls_itself.span, f"`{name}` calls itself: recursion is not allowed")
            scope.functions[name] = Function(definition, parameters, UNKNOWN)
        found = checker.check(definition.body, result)
    if isinstance(found, FunctionType) and not isinstance(result, UnknownType):
        message = f"`{name}` gives a function, and functions are parameters only"
        found = checker.error(definition.body.span, message)
    result = found if result is None else result
    if not fits(found, result):
        message = f"`{name}` is declared to give {result}, and this is {found}"
        checker.error(definition.body.span, message, conversion_hint(found, result))
    extent = Extent()
    if len(checker.errors) == known:
        extent = extent_of(definition.body, checker.checked)
    fault = extent.fault
    if fault is not None:
        message = f"`{name}` is {fault} once the functions that it calls are inlined"
        checker.error(definition.name.span, message, INLINING_HINT)
        extent = Extent(reported=True)
    return Function(definition, parameters, result, extent)


def _can_be_given(type: Type) -> bool:
    """Return whether a caller can supply values of `type`."""
    match type:
        case ScalarType() | UnknownType():
            return True
        case ArrayType():
            return _is_row(type.element)
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
        case MapType():
            return is_key(type.key) and _is_row(type.value)
        case _:
            return isinstance(type, ScalarType | UnknownType)
