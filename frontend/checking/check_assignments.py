"""Checks assignments and accumulations: `d = e`, `d op= e`, whatever part of a variable d is.

V[i]#1 += 2   with V: vector[(Int,Double)]: the first part of an element is Int
"""

from __future__ import annotations

from functools import partial

from diablo.frontend.checking.check_comprehensions import check_rows
from diablo.frontend.checking.check_constructors import check_array_row
from diablo.frontend.checking.check_monoids import check_monoid
from diablo.frontend.checking.check_operators import bag_hint
from diablo.frontend.checking.check_region_accesses import check_region_write
from diablo.frontend.checking.check_region_arrays import check_open, check_region_assignment
from diablo.frontend.checking.checker import Checker
from diablo.frontend.checking.conditional_updates import (
    assigned_update,
    extremum_of_texts,
    tested_update,
)
from diablo.frontend.checking.conversion_hints import conversion_hint
from diablo.frontend.checking.literals import take, takes
from diablo.frontend.checking.scope import did_you_mean
from diablo.frontend.checking.types import (
    STRING,
    UNKNOWN,
    ArrayType,
    ListType,
    MapType,
    Type,
    UnknownType,
    fits,
    has_unknown,
    is_complex,
    is_inexact,
    is_number,
    row_type,
)
from diablo.frontend.checking.updates import joined_values
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.tree_walk import walk
from diablo.monoid_table import monoid_of_symbol


def check_assignment(checker: Checker, statement: statements.Assign) -> None:
    """Check `d = e` or `d op= e`."""
    target = statement.target
    if check_region_assignment(checker, statement):
        return
    type = _check_target(checker, statement)
    if isinstance(type, UnknownType) and _reads_first(statement):
        assert isinstance(statement.value, syntax.Binary)
        checker.check(statement.value.rhs)
        return
    if _check_rebuilt(checker, statement, type):
        return
    written, statement = statement, _with_cast(checker, statement, type)
    monoid = monoid_of_symbol(statement.monoid)
    if monoid is not None and monoid.is_sum and type == STRING:
        joined = syntax.Binary(statement.span, monoid.symbol, target, statement.value)
        assignment = statements.Assign(statement.span, target, joined, None)
        checker.checked.updates[statement] = statement = assignment
    cells = type.element if isinstance(type, ArrayType) else type
    value = checker.check(statement.value, _wanted(checker, statement, type))
    if statement.monoid is not None and takes(checker, statement.value, cells):
        value = take(checker, statement.value, cells)
    if _is_rebuilt(checker, statement, type, value):
        return
    if statement.monoid is not None:
        combined = check_monoid(checker, statement, statement.monoid, cells)
        if isinstance(combined, UnknownType):
            return
        # `A += 1.0` adds to every cell.
        type = cells if not isinstance(value, ArrayType) else type
    if not fits(value, type):
        what = "this element" if isinstance(target, syntax.Index) else "this part"
        if isinstance(target, syntax.Name):
            what = f"`{target.name}`"
        checker.error(
            statement.value.span,
            f"a value of type {value} cannot be assigned to {what}, which is {type}",
            _value_hint(checker, statement, value, type),
        )
    elif type == STRING and statement.monoid is not None:
        if monoid is not None and monoid.extremum:
            update = extremum_of_texts(statement, monoid.extremum, checker.checked)
            checker.checked.updates[statement] = update
    elif statement.monoid is None and type == STRING:
        checker.checked.defaults |= set(joined_values(statement, checker.checked))
    elif statement.monoid is None and _may_update(checker, statement, everywhere=True):
        update = assigned_update(statement, checker.checked)
        if update is not None:
            checker.checked.updates[written] = update


def _with_cast(checker: Checker, statement: statements.Assign, type: Type) -> statements.Assign:
    """`d op= e` with e made a number of the type of d, if d is a float or complex and e is not.

    It is rounded if it has to be. Integers, which would lose their highest bits, are not made
    narrower, and no complex number is made a real one.
    """
    cells = type.element if isinstance(type, ArrayType) else type
    reads = statement.monoid is None and _reads_first(statement)
    if not is_inexact(cells) or (statement.monoid is None and not reads):
        return statement
    whole = statement.value
    expr = whole.rhs if reads and isinstance(whole, syntax.Binary) else whole
    value = checker.check(expr, cells)
    if not is_number(value) or fits(value, cells) or takes(checker, expr, cells):
        return statement
    if is_complex(value) and not is_complex(cells):
        return statement
    # As a method, which no function of the program has the name of.
    cast: syntax.Expr = syntax.Call(expr.span, f"to{cells}", [expr], method=True)
    if reads and isinstance(whole, syntax.Binary):
        cast = syntax.Binary(whole.span, whole.op, whole.lhs, cast)
    made = statements.Assign(statement.span, statement.target, cast, statement.monoid)
    checker.checked.updates[statement] = made
    return made


def _check_rebuilt(checker: Checker, statement: statements.Assign, type: Type) -> bool:
    """Check `M = [ ((i,j),e) | … ]` for an array M; false if the statement is none."""
    rows, target = statement.value, statement.target
    if not isinstance(type, ArrayType) or not isinstance(target, syntax.Name):
        return False
    if not isinstance(rows, syntax.Comprehension) or statement.monoid is not None:
        return False
    row = check_rows(checker, rows, row_type(type))
    checker.checked.types[rows] = ListType(row)
    return _is_rebuilt(checker, statement, type, ListType(row))


def _wanted(checker: Checker, statement: statements.Assign, type: Type) -> Type:
    """The type that what is assigned to a variable of `type` should have."""
    is_list = isinstance(statement.value, syntax.ListExpr)
    if is_list and isinstance(type, ArrayType) and statement.monoid is None:
        return ListType(row_type(type))
    return type


def _is_rebuilt(checker: Checker, statement: statements.Assign, type: Type, value: Type) -> bool:
    """Check a list that is assigned to an array; false if the statement is another one."""
    target, rows = statement.target, statement.value
    if not isinstance(type, ArrayType) or not isinstance(target, syntax.Name):
        return False
    if not isinstance(value, ListType) or statement.monoid is not None:
        return False
    element = check_array_row(checker, rows, value.element, type.rank)
    if not fits(element, type.element):
        head = rows.head if isinstance(rows, syntax.Comprehension) else rows
        pair = head.items if isinstance(head, syntax.TupleExpr) else (head,)
        message = f"the elements of `{target.name}` are {type.element}, and this is {element}"
        checker.error(pair[-1].span, message)
    checker.checked.rebuilt.add(statement)
    return True


def note_update(checker: Checker, statement: statements.If) -> None:
    """Note what a test means that is an update."""
    assigned = [n for n in walk(statement.then) if isinstance(n, statements.Assign)]
    if all(map(partial(_may_update, checker), assigned)) and _declared_together(checker, assigned):
        update = tested_update(statement, checker.checked)
        if update is not None:
            checker.checked.updates[statement] = update


def _declared_together(checker: Checker, assigned: list[statements.Assign]) -> bool:
    """Return whether all destinations belong to the program, or to one iteration of a loop."""
    bases = [assigned_variable(assignment.target) for assignment in assigned]
    symbols = {checker.checked.symbols[base] for base in bases if base is not None}
    if not any(symbol.loops for symbol in symbols):
        return True
    return any(symbols <= set(scope.symbols.values()) for scope in checker.scope)


def _may_update(
    checker: Checker, statement: statements.Assign, *, everywhere: bool = False
) -> bool:
    """Return whether several iterations of a loop may write what an assignment does.

    Outside of loops, or to a variable of the same iteration, it is an assignment, which
    gives the same; but what a map has no value for can be updated `everywhere`.
    """
    target = statement.target
    type = checker.checked.types.get(target, UNKNOWN)
    base = assigned_variable(target)
    if base is None or has_unknown(type):
        return False
    symbol = checker.checked.symbols[base]
    if symbol.kind != "variable" or isinstance(type, ArrayType | ListType | MapType):
        return False
    of_map = isinstance(symbol.type, MapType) and not isinstance(target, syntax.Name)
    return checker.loops > symbol.loops or (everywhere and of_map)


def _value_hint(
    checker: Checker, statement: statements.Assign, value: Type, wanted: Type
) -> str | None:
    expr = statement.value
    is_text = isinstance(expr, syntax.Literal) and value == STRING
    if is_text and is_number(wanted) and isinstance(statement.target, syntax.Name):
        # There is no number in it that the program does not know already.
        return f"a variable keeps its type: declare another one, or this one as {value}"
    if isinstance(value, ListType) and isinstance(wanted, MapType):
        return "build a map of the list: map* …"
    return bag_hint(checker, expr) or conversion_hint(value, wanted)


def _check_target(checker: Checker, statement: statements.Assign) -> Type:
    target = statement.target
    base = assigned_variable(target)
    if base is None:
        message = "only a variable or a part of a variable can be assigned"
        return checker.error(target.span, message)
    symbol = checker.scope.find(base.name)
    if symbol is None:
        if checker.scope.find_function(base.name):
            return checker.error(base.span, f"`{base.name}` is a function, not a variable")
        later = checker.declared_later(base.name)
        if later is not None:
            return checker.error(base.span, f"`{base.name}` is not declared yet", later)
        variables = [n for n in checker.scope.names() if n != "_"]
        # `vra x = 3` reads as an accumulation with a monoid `x`.
        variables += ["var"] if statement.monoid is not None else []
        hint = did_you_mean(base.name, variables)
        keys = _check_indices(checker, target)
        return checker.undeclared(base, hint or _declaration(checker, statement, base.name, keys))
    if symbol.kind == "region" and symbol.region is not None:
        if not check_open(checker, base, symbol.region):
            return UNKNOWN
    elif symbol.kind != "variable" and not has_unknown(symbol.type):
        message = f"`{base.name}` is a {symbol.kind} and cannot be assigned"
        return checker.error(base.span, message)
    known = len(checker.errors)
    type = checker.check(target)
    if has_unknown(type):
        return type
    path = _check_path(checker, target, type)
    element = target
    while isinstance(element, syntax.Field):
        element = element.base
    is_right = symbol.region is not None and len(checker.errors) == known
    if is_right and isinstance(element, syntax.Index):
        check_region_write(checker, element, symbol)
    return path


def _check_indices(checker: Checker, target: syntax.Expr) -> list[Type]:
    """Check the indices of what is assigned, and return the types of those of the variable."""
    keys: list[Type] = []
    while isinstance(target, syntax.Index | syntax.Field):
        if isinstance(target, syntax.Index):
            indices = [index for index in target.indices if not isinstance(index, syntax.Slice)]
            keys = [checker.check(index) for index in indices]
        target = target.base
    return keys


def _declaration(
    checker: Checker, statement: statements.Assign, name: str, keys: list[Type]
) -> str:
    """Return how a variable is declared of which a part is assigned: by one key, it is a map."""
    is_element = isinstance(statement.target, syntax.Index) and len(keys) == 1
    key = "…" if not keys or has_unknown(keys[0]) else str(keys[0])
    if not is_element or (statement.monoid is None and key in ("…", "Int")):
        return f"declare it: var {name} = …;"
    value = "…"
    if isinstance(statement.value, syntax.Literal):
        value = statement.value.kind
    elif isinstance(statement.value, syntax.Name):
        symbol = checker.scope.find(statement.value.name)
        value = str(symbol.type) if symbol is not None and not has_unknown(symbol.type) else "…"
    return f"declare it: var {name}: map[{key},{value}] = map();"


def _check_path(checker: Checker, target: syntax.Expr, type: Type) -> Type:
    """Check that every step from the variable to the part that is assigned keeps a value."""
    step = target
    while isinstance(step, syntax.Index | syntax.Field):
        # Only arrays, lists, maps and strings have indices.
        base = checker.checked.types[step.base]
        if isinstance(step, syntax.Field):
            if step not in checker.checked.positions:
                message = f"`{step.name}` of {base} cannot be assigned"
                return checker.error(target.span, message)
        elif step in checker.checked.desugared:
            message = "an array that a typemap stores cannot be changed one by one"
            return checker.error(target.span, message, "store a new list of its elements")
        elif base == STRING:
            hint = "make a new string: s = s.replace(a,b)"
            message = "the characters of a string cannot be assigned"
            return checker.error(target.span, message, hint)
        elif isinstance(base, ListType):
            hint = "make a new list: L = [ … | x <- L ]"
            return checker.error(target.span, "the rows of a list cannot be assigned", hint)
        elif any(isinstance(index, syntax.Slice) for index in step.indices):
            hint = "write a loop over its indices"
            return checker.error(target.span, "a slice cannot be assigned", hint)
        step = step.base
    return type


def assigned_variable(target: syntax.Expr) -> syntax.Name | None:
    """The variable that an assignment changes, whole or a part of it."""
    while isinstance(target, syntax.Index | syntax.Field):
        target = target.base
    return target if isinstance(target, syntax.Name) else None


def _reads_first(statement: statements.Assign) -> bool:
    """Return whether the statement is `d -= e`, which the parser reads as `d = d - e`."""
    value = statement.value
    return isinstance(value, syntax.Binary) and value.lhs is statement.target
