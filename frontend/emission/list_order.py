"""Says which lists have an order that a loop can follow.

input L: list[…]; [e1, e2]; 1..n             in the order in which they are given or written
L[i], V[i] of an input                       as well, and so is what a loop over it reads
[ e | p <- L, q ]; var M = L; list* L        as what they are made of
[ … order by e, limit n ]                    as well
[ … group by k ], [ … | p <- L, q <- M ]     none: shuffles leave the rows anywhere
"""

from __future__ import annotations

from collections.abc import Iterable

from diablo.frontend.checking.check_assignments import assigned_variable
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.scope import Symbol
from diablo.frontend.checking.types import ArrayType, ListType, MapType
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.tree_walk import walk


class ListOrder:
    """The lists of one program, by what is assigned to its variables."""

    def __init__(self, checked: Checked):
        self.checked = checked
        self._values: dict[Symbol, list[syntax.Expr | None]] = {}
        """What each variable is made of or assigned; nothing stands for an unknown value."""
        self._rows: dict[Symbol, syntax.Expr] = {}
        """What the variables of a loop's pattern are a part of the rows of."""

    def read(self, program: Iterable[statements.Statement]) -> None:
        """Note what the variables of a program hold."""
        for node in walk(list(program)):
            match node:
                case statements.Var(name=name, init=value):
                    self._note(name, value)
                case statements.Assign(target=syntax.Name() as name, value=value):
                    self._note(name, None if node.monoid else value)
                case statements.Assign(target=target):
                    base = assigned_variable(target)
                    if base is not None:
                        self._note(base, None)
                case statements.ForIn(pattern=pattern, source=source):
                    for name in walk(pattern):
                        if isinstance(name, syntax.NamePattern) and name in self.checked.symbols:
                            self._rows[self.checked.symbols[name]] = source
                case _:
                    pass

    def _note(self, name: syntax.Name | syntax.NamePattern, value: syntax.Expr | None) -> None:
        if name in self.checked.symbols:
            self._values.setdefault(self.checked.symbols[name], []).append(value)

    def has_order(self, expr: syntax.Expr) -> bool:
        """Return whether the rows of a list come in an order that is the same for every engine."""
        return self._has_order(expr, set(), given=False)

    def _has_order(self, expr: syntax.Expr, seen: set[Symbol], *, given: bool) -> bool:
        """`given`: whether the list holds no lists that were made by the program either."""
        expr = self.checked.desugared.get(expr, expr)
        match expr:
            case syntax.Name():
                symbol = self.checked.symbols.get(expr)
                return symbol is not None and self._variable(symbol, seen, given=given)
            case syntax.ListExpr() | syntax.Range():
                return not given
            case syntax.Constructor(kind="list", operand=operand):
                return self._has_order(operand, seen, given=given)
            case syntax.IfExpr(then=then, otherwise=otherwise):
                return all(self._has_order(e, seen, given=given) for e in (then, otherwise))
            case syntax.Index(base=base):
                return self._has_order(base, seen, given=True)
            case syntax.Call(function="split"):
                return True
            case syntax.Comprehension(in_order=True):
                return not given
            case syntax.Comprehension(qualifiers=qualifiers) if not given:
                first, *rest = qualifiers
                if not isinstance(first, syntax.Generator):
                    return False
                alone = all(isinstance(q, syntax.Guard | syntax.Let) for q in rest)
                return alone and self._has_order(first.source, seen, given=False)
            case _:
                return False

    def _variable(self, symbol: Symbol, seen: set[Symbol], *, given: bool) -> bool:
        """Return whether it has an order: where it is made of itself, the rest decides."""
        collections = ListType | ArrayType | MapType if given else ListType
        if not isinstance(symbol.type, collections):
            return False
        if symbol in seen:
            return True
        inner = {*seen, symbol}
        if symbol in self._rows:
            return self._has_order(self._rows[symbol], inner, given=True)
        values = self._values.get(symbol, [])
        known = bool(values) or symbol.kind == "input"
        return known and all(
            value is not None and self._has_order(value, inner, given=given) for value in values
        )
