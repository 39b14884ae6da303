"""Checks typemaps, and turns what is stored by one into calls of its two functions.

typemap diagonal(n: Int): matrix[Double] {
  def view(s: vector[Double]): list[((Int,Int),Double)] = [ ((i,i),v) | (i,v) <- s ];
  def store(L: list[((Int,Int),Double)]): vector[Double] = tensor(n)[ (i,v) | ((i,j),v) <- L ];
}
diagonal(n) L   ->   (n, store(n,L))          p <- A   ->   p <- view(A._1,A._2)
"""

from __future__ import annotations

from copy import copy

from diablo.diagnostics import Span, quantity, with_article
from diablo.frontend.checking.check_annotations import resolve_value
from diablo.frontend.checking.check_declarations import make_function
from diablo.frontend.checking.checker import Checker
from diablo.frontend.checking.scope import Function, TypemapDefinition
from diablo.frontend.checking.types import (
    BOOLEAN,
    UNKNOWN,
    ArrayType,
    ListType,
    MappedType,
    RecordType,
    TupleType,
    Type,
    UnknownType,
    fits,
    has_unknown,
    is_number,
    mentions,
    row_type,
)
from diablo.frontend.parsing import statements, syntax

_WHOLE = "whole"


def check_typemap(checker: Checker, statement: statements.Typemap) -> None:
    """Check a typemap and declare its functions, under names that no program can write."""
    name = statement.name.name
    if name in checker.scope.typemaps:
        checker.error(statement.name.span, f"the typemap `{name}` is declared twice")
    array = resolve_value(checker, statement.type)
    if not isinstance(array, ArrayType):
        if not has_unknown(array):
            message = f"a typemap stores an array, not {array}"
            checker.error(statement.type.span, message, "for example matrix[Double]")
        return
    given = {f.name.name: f for f in statement.functions}
    if sorted(f.name.name for f in statement.functions) != ["store", "view"]:
        message = f"the typemap `{name}` needs the two functions `view` and `store`"
        checker.error(statement.name.span, message)
        return
    rows = ListType(row_type(array))
    view = _make(checker, statement, given["view"])
    store = _make(checker, statement, given["store"])
    if view is None or store is None:
        return
    storage = view.parameters[-1].type
    _require(checker, given["view"], view.result, rows, "`view` must give")
    _require(checker, given["store"], store.parameters[-1].type, rows, "`store` must take")
    _require(checker, given["store"], store.result, storage, "`store` must give")
    checker.scope.functions[f"{name}.view"] = view
    checker.scope.functions[f"{name}.store"] = store
    checker.scope.typemaps[name] = TypemapDefinition(statement, array, storage, view, store)


def _make(
    checker: Checker, statement: statements.Typemap, function: statements.Def
) -> Function | None:
    if len(function.parameters) != 1:
        message = f"`{function.name.name}` of a typemap takes 1 argument, "
        checker.error(function.name.span, f"{message}not {len(function.parameters)}")
        return None
    name = syntax.NamePattern(function.name.span, f"{statement.name.name}.{function.name.name}")
    parameters = [
        *((copy(pattern), type) for pattern, type in statement.parameters),
        *function.parameters,
    ]
    return make_function(
        checker, statements.Def(function.span, name, parameters, function.result, function.body)
    )


def _require(
    checker: Checker, function: statements.Def, found: Type, wanted: Type, what: str
) -> None:
    if not fits(found, wanted):
        checker.error(function.name.span, f"{what} {wanted}, not {found}")


def check_mapped_store(checker: Checker, expr: syntax.MappedStore) -> Type:
    """The type of `name(a, …) e`."""
    definition = checker.scope.find_typemap(expr.typemap)
    if definition is None:
        return checker.error(expr.span, f"the typemap `{expr.typemap}` cannot be used here")
    wanted = definition.store.parameters[:-1]
    if len(wanted) != len(expr.arguments):
        takes = quantity(len(wanted), "argument") if wanted else "no arguments"
        message = f"`{expr.typemap}` takes {takes}, not {len(expr.arguments)}"
        return checker.error(expr.span, message)
    for argument, parameter in zip(expr.arguments, wanted, strict=True):
        found = checker.check(argument, parameter.type)
        if not fits(found, parameter.type):
            message = f"`{expr.typemap}` wants {parameter.type} for `{parameter.name}`"
            return checker.error(argument.span, f"{message}, and this is {found}")
    rows = definition.store.parameters[-1].type
    operand = expr.operand
    found = checker.check(operand, rows)
    if isinstance(found, MappedType):
        found = view_mapped(checker, operand, found)
    elif isinstance(found, ArrayType):
        checker.settled.add(operand)
        operand = _elements(operand)
        found = checker.check(operand)
    if has_unknown(found):
        return UNKNOWN
    if not fits(found, rows):
        message = f"`{expr.typemap}` stores {rows}, not {found}"
        return checker.error(expr.operand.span, message)
    checker.settled |= {*expr.arguments, operand}
    names = [f"a{number + 1}" for number in range(len(wanted))]
    parts = [*_names(expr.span, names)]
    call = syntax.Call(expr.span, f"{expr.typemap}.store", [*parts, operand])
    body: syntax.Expr = syntax.TupleExpr(expr.span, [*_names(expr.span, names), call])
    if names:
        pattern = _pattern(expr.span, names)
        arguments = expr.arguments
        value = syntax.TupleExpr(expr.span, arguments) if len(names) > 1 else arguments[0]
        body = syntax.LetIn(expr.span, pattern, value, body)
    representation = checker.check(body)
    assert isinstance(representation, TupleType)
    checker.checked.desugared[expr] = body
    return MappedType(expr.typemap, definition.array, representation)


def view_mapped(checker: Checker, expr: syntax.Expr, type: MappedType) -> ListType | UnknownType:
    """Let `expr`, stored by a typemap, stand for the list of its elements."""
    inner = _copy(checker, expr, type)
    names = [f"a{number + 1}" for number in range(len(type.items))]
    arguments: list[syntax.Expr] = [*_names(expr.span, names)]
    call = syntax.Call(expr.span, f"{type.typemap}.view", arguments)
    pattern = syntax.TuplePattern(
        expr.span, [syntax.NamePattern(expr.span, name) for name in names]
    )
    view = syntax.LetIn(expr.span, pattern, inner, call)
    rows = checker.check(view)
    checker.checked.desugared[expr] = view
    checker.checked.types[expr] = rows
    return rows if isinstance(rows, ListType) else UNKNOWN


def show_mapped(checker: Checker, expr: syntax.Expr, type: Type) -> Type:
    """Let `expr`, a result of the program, show by `view` what it stores by typemaps.

    (1.0, D)   ->   (1.0, view(D._1,D._2))
    T          ->   let w = T in (w._1, view(w._2._1,w._2._2))     with T: (Double, diagonal)
    """
    if isinstance(type, MappedType):
        return view_mapped(checker, expr, type)
    if not mentions(type, MappedType):
        return type
    assert isinstance(type, TupleType | RecordType)
    if not isinstance(expr, syntax.TupleExpr | syntax.RecordExpr):
        inner, shown = _copy(checker, expr, type), _taken_apart(expr.span, type)
        name = syntax.LetIn(expr.span, _pattern(expr.span, [_WHOLE]), inner, shown)
        type = show_mapped(checker, shown, checker.check(name))
        checker.checked.types[name] = type
        checker.checked.desugared[expr] = name
    else:
        is_tuple = isinstance(expr, syntax.TupleExpr)
        items = expr.items if is_tuple else [item for _, item in expr.fields]
        types = [show_mapped(checker, item, checker.checked.types[item]) for item in items]
        type = (
            TupleType(tuple(types))
            if isinstance(type, TupleType)
            else RecordType(tuple(zip(type.names, types, strict=True)))
        )
    checker.checked.types[expr] = type
    return type


def _taken_apart(span: Span, type: TupleType | RecordType) -> syntax.TupleExpr | syntax.RecordExpr:
    """The tuple or the record of the parts of the one called `_WHOLE`."""
    whole = syntax.Name(span, _WHOLE)
    if isinstance(type, RecordType):
        return syntax.RecordExpr(
            span, [(name, syntax.Field(span, whole, name)) for name in type.names]
        )
    positions = range(1, len(type.items) + 1)
    return syntax.TupleExpr(span, [syntax.Field(span, whole, f"_{n}") for n in positions])


def read_mapped(checker: Checker, expr: syntax.Index, type: MappedType) -> Type:
    """Let `A[i,j]` stand for `+/[ v | ((i',j'),v) <- view(A), i' == i, j' == j ]`."""
    array = type.array
    if len(expr.indices) != array.rank:
        needed = quantity(array.rank, "index", "indices")
        message = f"{with_article(array)} is read with {needed}, not {len(expr.indices)}"
        return checker.error(expr.span, message)
    if not is_number(array.element) and array.element != BOOLEAN:
        message = f"reading one element of a typemap with elements {array.element} is"
        return checker.unsupported(expr.span, message, "go through them with a generator")
    span = expr.span
    names = [f"i{number + 1}" for number in range(array.rank)]
    key = _pattern(span, names)
    pattern = syntax.TuplePattern(span, [key, syntax.NamePattern(span, "v")])
    qualifiers: list[syntax.Qualifier] = [syntax.Generator(span, pattern, expr.base, full=False)]
    for name, index in zip(_names(span, names), expr.indices, strict=True):
        assert not isinstance(index, syntax.Slice)
        checker.settled.add(index)
        qualifiers.append(syntax.Guard(span, syntax.Binary(span, "==", name, index)))
    checker.settled.add(expr.base)
    head = syntax.Name(span, "v")
    rows = syntax.Comprehension(span, head, qualifiers)
    monoid = "||" if array.element == BOOLEAN else "+"
    checker.checked.desugared[expr] = total = syntax.Reduction(span, monoid, rows)
    return checker.check(total)


def _copy(checker: Checker, expr: syntax.Expr, type: Type) -> syntax.Expr:
    """A copy of a checked node, which can stand inside what the node stands for."""
    inner = copy(expr)
    checked = checker.checked
    checked.types[inner] = type
    if isinstance(expr, syntax.Name) and isinstance(inner, syntax.Name):
        checked.symbols[inner] = checked.symbols[expr]
    if isinstance(expr, syntax.Call) and isinstance(inner, syntax.Call):
        if expr in checked.functions:
            checked.functions[inner] = checked.functions[expr]
        if expr in checked.applications:
            checked.applications[inner] = checked.applications[expr]
    if isinstance(expr, syntax.Field) and isinstance(inner, syntax.Field):
        checked.positions[inner] = checked.positions[expr]
    if expr in checked.desugared:
        checked.desugared[inner] = checked.desugared.pop(expr)
    checker.settled.add(inner)
    return inner


def _elements(array: syntax.Expr) -> syntax.Expr:
    """The elements of an array as a list: `[ e | e <- array ]`."""
    span = array.span
    generator = syntax.Generator(span, syntax.NamePattern(span, "e"), array, full=False)
    return syntax.Comprehension(span, syntax.Name(span, "e"), [generator])


def _names(span: Span, names: list[str]) -> list[syntax.Expr]:
    return [syntax.Name(span, name) for name in names]


def _pattern(span: Span, names: list[str]) -> syntax.Pattern:
    if len(names) == 1:
        return syntax.NamePattern(span, names[0])
    return syntax.TuplePattern(span, [syntax.NamePattern(span, name) for name in names])
