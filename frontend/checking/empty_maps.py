"""Finds maps that surely stay empty, since each of their values is computed from one.

var m: map[Int,(Int,Double)] = map();
for (k,v) in L do m[k] = (m[k]._1 + 1, min(m[k]._2, v))     m has no m[k]: nothing is assigned
"""

from __future__ import annotations

from collections.abc import Iterator

from diablo.diagnostics import Diagnostic
from diablo.frontend.checking.check_assignments import assigned_variable
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.scope import Symbol
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.tree_walk import children, walk

_HINT = (
    "update the values, or their parts: m[k] += e, m[k]._2 min= e; "
    "what a key without a value begins with is then the identity"
)


def empty_maps(program: statements.Program, checked: Checked) -> list[Diagnostic]:
    """Warn where a map begins empty, and every assignment to it reads a value of it first."""
    declared = [
        node for node in walk(program) if isinstance(node, statements.Var) and _is_empty(node)
    ]
    if not declared:
        return []
    assigned: dict[Symbol, list[statements.Assign]] = {}
    for node in walk(program):
        if isinstance(node, statements.Assign):
            base = assigned_variable(node.target)
            symbol = None if base is None else checked.symbols.get(base)
            if symbol is not None:
                assigned.setdefault(symbol, []).append(node)
    found: list[Diagnostic] = []
    for variable in declared:
        symbol = checked.symbols.get(variable.name)
        writes = [] if symbol is None else assigned.get(symbol, [])
        if all(symbol in _read_first(write, checked) for write in writes):
            found += [_warning(variable.name.name, write) for write in writes[:1]]
    return found


def _is_empty(node: statements.Var) -> bool:
    return isinstance(node.init, syntax.EmptyMap)


def _read_first(write: statements.Assign, checked: Checked) -> set[Symbol | None]:
    """The variables that must have an element for an assignment to be made."""
    if write.monoid is not None or write in checked.updates:
        return set()
    reads = (node for node in _evaluated(write.value) if isinstance(node, syntax.Index))
    bases = (read.base for read in reads if read not in checked.defaults)
    return {checked.symbols.get(base) for base in bases if isinstance(base, syntax.Name)}


def _evaluated(expr: object) -> Iterator[object]:
    """The expressions that are evaluated whenever one is."""
    match expr:
        case syntax.IfExpr():
            yield from _evaluated(expr.condition)
        case syntax.Binary(op="&&" | "||"):
            yield from _evaluated(expr.lhs)
        case syntax.Lambda() | syntax.Comprehension():
            pass
        case _:
            yield expr
            for child in children(expr):
                yield from _evaluated(child)


def _warning(name: str, write: statements.Assign) -> Diagnostic:
    message = f"`{name}` stays empty: an element of it is read before each one that is assigned"
    return Diagnostic("warning", message, write.span, _HINT)
