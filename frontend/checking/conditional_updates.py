"""Finds the updates that are written as tests.

if (e < d) d = e                          ->   d min= e
if (c && e >= d) d = e                    ->   if (c) d max= e
if (e < d) { d = e; p = x; }              ->   an Extremum of both
d = if (c) d + e else d                   ->   if (c) d += e
found = true                              ->   found ||= true

Of floats, `if (e == e) d min= e`: the comparison with a NaN fails, and leaves d as it is.
"""

from __future__ import annotations

from diablo.dialects.predicates import MIRRORED_SYMBOLS
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.types import (
    BOOLEAN,
    ArrayType,
    MapType,
    RecordType,
    TupleType,
    Type,
    is_floating,
    is_key,
    is_number,
)
from diablo.frontend.checking.updates import Destination, same, update_of
from diablo.frontend.parsing import statements, syntax
from diablo.monoid_table import annihilated_by, extremum_monoid

_ORDERS = ("<", "<=", ">", ">=")


def assigned_update(statement: statements.Assign, checked: Checked) -> statements.Statement | None:
    """The update that a checked assignment `d = e` is, if it is one; perhaps under a test."""
    target, value = statement.target, statement.value
    if isinstance(value, syntax.IfExpr):
        return _chosen_update(statement, value, checked)
    is_part = isinstance(target, syntax.Name | syntax.Field) and not _indices(target)
    if is_part and isinstance(value, syntax.Literal) and isinstance(value.value, bool):
        monoid = annihilated_by(value.value)
        return statements.Assign(statement.span, target, value, monoid.symbol)
    return update_of(statement, checked)


def _indices(target: syntax.Expr) -> bool:
    """Return whether what is assigned is an element, or in one."""
    while isinstance(target, syntax.Field):
        target = target.base
    return isinstance(target, syntax.Index)


def _chosen_update(
    statement: statements.Assign, value: syntax.IfExpr, checked: Checked
) -> statements.Statement | None:
    """`d = if (c) d op e else d`: branches update d by one monoid, or leave it as it is."""
    destination = Destination(statement.target, checked)
    condition = value.condition
    branches = [
        None
        if destination.is_this(branch)
        else statements.Assign(statement.span, statement.target, branch, None)
        for branch in (value.then, value.otherwise)
    ]
    then, otherwise = branches
    if then is not None and otherwise is None:
        extremum = tested_update(statements.If(statement.span, condition, then, None), checked)
        if extremum is not None:
            return extremum
    if destination.is_read([condition]):
        return None
    updates = [branch and update_of(branch, checked) for branch in branches]
    monoids = {update.monoid for update in updates if update is not None}
    if len(monoids) != 1 or any(b and not u for b, u in zip(branches, updates, strict=True)):
        return None
    then, otherwise = updates
    if then is None:
        condition, then, otherwise = (
            _typed(syntax.Unary(condition.span, "!", condition), checked),
            otherwise,
            None,
        )
    assert then is not None
    return statements.If(statement.span, condition, then, otherwise)


def _typed(expr: syntax.Expr, checked: Checked, type: Type = BOOLEAN) -> syntax.Expr:
    checked.types[expr] = type
    return expr


# --- Minima and maxima ---------------------------------------------------------------------


def tested_update(statement: statements.If, checked: Checked) -> statements.Statement | None:
    """The update that a checked `if (e < d) { d = e; p = x; … }` is, if it has this form."""
    assignments = _assignments(statement, checked)
    found = _first_of(statement.condition, assignments, checked)
    if found is None:
        return None
    first, tests, comparison = found
    others = [assignment for assignment in assignments if assignment is not first]
    if not _stand_alone([first, *others], tests, checked):
        return None
    type, value = checked.types[first.target], first.value
    update: statements.Assign | statements.Extremum
    if not others and is_number(type):
        monoid = extremum_monoid(comparison[0]).symbol
        update = statements.Assign(first.span, first.target, value, monoid)
    elif _reached_alike([first, *others], checked):
        update = statements.Extremum(statement.span, comparison, [first, *others])
    else:
        return None
    if is_floating(checked.types[value]):
        tests = [*tests, _typed(syntax.Binary(value.span, "==", value, value), checked)]
    if not tests:
        return update
    condition = tests[0]
    for test in tests[1:]:
        condition = _typed(syntax.Binary(statement.span, "&&", condition, test), checked)
    return statements.If(statement.span, condition, update, None)


def extremum_of_texts(
    statement: statements.Assign, comparison: str, checked: Checked
) -> statements.Statement:
    """`d min= e` or `d max= e` of strings, which have no greatest one, as if e were tested."""
    span, target, value = statement.span, statement.target, statement.value
    assigned = statements.Assign(span, target, value, None)
    if _stand_alone([assigned], [], checked) and _reached_alike([assigned], checked):
        return statements.Extremum(span, comparison, [assigned])
    test = _typed(syntax.Binary(span, comparison, value, target), checked)
    return statements.If(span, test, assigned, None)


def _first_of(
    condition: syntax.Expr, assignments: list[statements.Assign], checked: Checked
) -> tuple[statements.Assign, list[syntax.Expr], str] | None:
    """The assignment whose value is compared, all other tests, and the comparison."""
    for assignment in assignments:
        destination = Destination(assignment.target, checked)
        found = _comparison(condition, assignment, destination)
        if found is not None:
            return assignment, *found
    return None


def _stand_alone(
    assignments: list[statements.Assign], tests: list[syntax.Expr], checked: Checked
) -> bool:
    """Return whether the destinations are several, and nothing that is evaluated reads them."""
    for number, assignment in enumerate(assignments):
        others = [a.target for a in assignments[:number] + assignments[number + 1 :]]
        read = [*others, *tests, *(a.value for a in assignments)]
        if Destination(assignment.target, checked).is_read(read):
            return False
    return True


def _reached_alike(assignments: list[statements.Assign], checked: Checked) -> bool:
    """Whether all destinations are variables, or in arrays or in maps at the same indices."""
    targets = [assignment.target for assignment in assignments]
    if not all(is_key(checked.types[target]) for target in targets):
        return False
    if not any(map(_indices, targets)):
        return True
    elements = [_element(target) for target in targets]
    first = elements[0]
    for element in elements:
        if element is None or not isinstance(element.base, syntax.Name):
            return False
        assert first is not None
        assert isinstance(first.base, syntax.Name)
        over = [checked.symbols[name].region for name in (first.base, element.base)]
        kinds = [checked.types[name] for name in (first.base, element.base)]
        alike = over[0] is over[1] and same(first.indices, element.indices, checked)
        if not alike or not any(
            all(isinstance(type, kind) for type in kinds) for kind in (ArrayType, MapType)
        ):
            return False
    return True


def _element(target: syntax.Expr) -> syntax.Index | None:
    """The element that is assigned, or of which a part is."""
    while isinstance(target, syntax.Field):
        target = target.base
    return target if isinstance(target, syntax.Index) else None


def _parts_assigned(statement: statements.Assign, checked: Checked) -> list[statements.Assign]:
    """`d = (a,b)` as `d#1 = a` and `d#2 = b`; any other assignment as it is."""
    target, value = statement.target, statement.value
    type = checked.types.get(target)
    match value, type:
        case syntax.TupleExpr(), TupleType():
            values = dict(enumerate(value.items))
            names = [f"_{number + 1}" for number in values]
        case syntax.RecordExpr(), RecordType():
            names = list(type.names)
            values = {names.index(name): part for name, part in value.fields if name in names}
        case _:
            return [statement]
    if len(values) != len(type.items):
        return [statement]
    found: list[statements.Assign] = []
    for position, name in enumerate(names):
        part = syntax.Field(target.span, target, name)
        checked.types[part] = type.items[position]
        checked.positions[part] = position
        assigned = statements.Assign(statement.span, part, values[position], None)
        found += _parts_assigned(assigned, checked)
    return found


def _assignments(statement: statements.If, checked: Checked) -> list[statements.Assign]:
    """Return what is assigned under a test, if nothing else is done; of tuples part by part."""
    body = statement.then
    inner = body.body if isinstance(body, statements.Block) else [body]
    found = [s for s in inner if isinstance(s, statements.Assign) and s.monoid is None]
    if statement.otherwise is not None or len(found) != len(inner):
        return []
    return [part for assignment in found for part in _parts_assigned(assignment, checked)]


def _comparison(
    condition: syntax.Expr, assignment: statements.Assign, destination: Destination
) -> tuple[list[syntax.Expr], str] | None:
    """Return how the value to be assigned is compared with the destination, and all other tests."""
    tests = _conjuncts(condition)
    for number, test in enumerate(tests):
        if not isinstance(test, syntax.Binary) or test.op not in _ORDERS:
            continue
        for old, new, op in (
            (test.rhs, test.lhs, test.op),
            (test.lhs, test.rhs, MIRRORED_SYMBOLS[test.op]),
        ):
            if destination.is_this(old) and destination.is_same(new, assignment.value):
                behind = tests[number + 1 :]
                return ([*tests[:number], *behind], op) if all(map(_is_total, behind)) else None
    return None


def _conjuncts(condition: syntax.Expr) -> list[syntax.Expr]:
    if isinstance(condition, syntax.Binary) and condition.op == "&&":
        return [*_conjuncts(condition.lhs), *_conjuncts(condition.rhs)]
    return [condition]


def _is_total(test: syntax.Expr) -> bool:
    """Return whether a test can be made where those before it fail."""
    match test:
        case syntax.Literal() | syntax.Name():
            return True
        case syntax.Unary():
            return _is_total(test.operand)
        case syntax.Binary():
            return test.op not in "/%" and _is_total(test.lhs) and _is_total(test.rhs)
        case _:
            return False
