"""Finds the assignments that are updates: `d = d op e` is `d op= e`.

R[i,j] = R[i,j] + M[i,k]*M[k,j]   ->   R[i,j] += M[i,k]*M[k,j]
d = a + d - b                     ->   d += a - b
equal = equal && v == x           ->   equal &&= v == x

The value of an update reads its destination once, by the same expression, as one operand of a
chain of one monoid; nothing else in it reads the destination.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import cast

from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.scope import Symbol
from diablo.frontend.checking.types import MapType, Type, monoid_domain
from diablo.frontend.parsing import statements, syntax
from diablo.monoid_table import MONOIDS, BuiltinMonoid, monoid_of_symbol


def update_of(statement: statements.Assign, checked: Checked) -> statements.Assign | None:
    """The `d op= e` that a checked `d = e` means, if it is an update.

    The types of new expressions are noted, and the program's own monoid.
    """
    destination = Destination(statement.target, checked)
    type = checked.types[statement.target]
    operands = _operands(statement.value, destination, type)
    if operands is None or destination.is_read(operands.rest):
        return None
    value = operands.value(type, checked)
    update = statements.Assign(statement.span, statement.target, value, operands.symbol)
    if isinstance(statement.value, syntax.Call) and statement.value in checked.joins:
        checked.monoids[update] = checked.joins[statement.value]
    return update


def joined_values(statement: statements.Assign, checked: Checked) -> Iterator[syntax.Expr]:
    """The value of a map in what a string assigned to it is joined of: `M[k] = M[k] + s`."""
    target, waiting = statement.target, [statement.value]
    if not isinstance(target, syntax.Index):
        return
    while waiting and isinstance(checked.types.get(target.base), MapType):
        match waiting.pop():
            case syntax.Binary(op="+", lhs=left, rhs=right):
                waiting += [left, right]
            case read if same(target, read, checked):
                yield read
            case _:
                pass


# --- Destinations --------------------------------------------------------------------------


def same(lhs: object, rhs: object, checked: Checked) -> bool:
    """Return whether two checked syntax trees are one expression, with one value."""
    if type(lhs) is not type(rhs):
        return False
    if isinstance(lhs, list | tuple):
        left, right = cast("list[object]", lhs), cast("list[object]", rhs)
        return len(left) == len(right) and all(
            same(a, b, checked) for a, b in zip(left, right, strict=True)
        )
    if isinstance(lhs, syntax.Name) and isinstance(rhs, syntax.Name):
        return lhs.name == rhs.name and checked.symbols.get(lhs) is checked.symbols.get(rhs)
    if isinstance(lhs, syntax.Field) and isinstance(rhs, syntax.Field):
        parts = checked.positions.get(lhs), checked.positions.get(rhs)
        if parts[0] is not None:
            return parts[0] == parts[1] and same(lhs.base, rhs.base, checked)
    if isinstance(lhs, syntax.Call) and lhs.function == "random":
        return False
    if not hasattr(lhs, "__dataclass_fields__"):
        return lhs == rhs
    return all(
        same(getattr(lhs, field.name), getattr(rhs, field.name), checked)
        for field in fields(lhs)  # pyright: ignore[reportArgumentType]
        if field.name != "span"
    )


class Destination:
    """What an assignment writes: a variable, or what is reached from it step by step."""

    def __init__(self, target: syntax.Expr, checked: Checked):
        self.target = target
        self.checked = checked
        self.variable, self.steps = self._path(target)

    def _path(self, expr: syntax.Expr) -> tuple[Symbol | None, list[syntax.Index | syntax.Field]]:
        """The variable that `expr` reaches into, and the steps from there."""
        steps: list[syntax.Index | syntax.Field] = []
        while isinstance(expr, syntax.Index | syntax.Field):
            steps.insert(0, expr)
            expr = expr.base
        found = self.checked.symbols.get(expr) if isinstance(expr, syntax.Name) else None
        return found, steps

    def is_this(self, expr: syntax.Expr) -> bool:
        """Return whether `expr` reads just what is written."""
        return same(self.target, expr, self.checked)

    def is_same(self, lhs: syntax.Expr, rhs: syntax.Expr) -> bool:
        """Return whether two expressions have one value."""
        return same(lhs, rhs, self.checked)

    def is_read(self, exprs: object) -> bool:
        """Return whether something in `exprs`, or an index of the destination, reads any of it."""
        indices = [step.indices for step in self.steps if isinstance(step, syntax.Index)]
        other: set[syntax.Name] = set()
        for node in self.checked.evaluated([exprs, indices]):
            if isinstance(node, syntax.Field) and self._is_apart(node):
                base: syntax.Expr = node
                while isinstance(base, syntax.Index | syntax.Field):
                    base = base.base
                assert isinstance(base, syntax.Name)
                other.add(base)
            named = node if isinstance(node, syntax.Name) and node not in other else None
            if named is not None and self.checked.symbols.get(named) is self.variable:
                return True
        return False

    def _is_apart(self, expr: syntax.Field) -> bool:
        """Return whether `expr` reads another part of the variable than the one that is written."""
        variable, steps = self._path(expr)
        if variable is not self.variable:
            return False
        for mine, other in zip(self.steps, steps, strict=False):
            if isinstance(mine, syntax.Field) and isinstance(other, syntax.Field):
                if self.checked.positions.get(mine) != self.checked.positions.get(other):
                    return True
            elif type(mine) is not type(other):
                return False
        return False


# --- Chains --------------------------------------------------------------------------------


@dataclass
class _Operands:
    """What is combined with the destination: expressions in their order.

    Of a sum, those in `negated` are subtracted.
    """

    symbol: str
    before: list[syntax.Expr]
    after: list[syntax.Expr]
    negated: set[syntax.Expr]

    @property
    def monoid(self) -> BuiltinMonoid:
        """The monoid of a chain of several operands, which is a built-in one."""
        monoid = monoid_of_symbol(self.symbol)
        assert monoid is not None
        return monoid

    @property
    def rest(self) -> list[syntax.Expr]:
        """All operands but the destination, in the order of the source."""
        return [*self.before, *self.after]

    def value(self, type: Type, checked: Checked) -> syntax.Expr:
        """The operands combined with each other, as a value of `type`."""
        first, *further = self.rest
        value = first
        if first in self.negated:
            value = syntax.Unary(first.span, "-", first)
            checked.types[value] = type
        for operand in further:
            monoid = self.monoid
            if monoid.is_word:
                value = syntax.Call(first.span, monoid.symbol, [value, operand])
                checked.operands[value] = type
            else:
                op = monoid.inverse if operand in self.negated else monoid.symbol
                value = syntax.Binary(first.span, op, value, operand)
            # A chain of `type`: operands are promoted one by one, not their sum.
            checked.types[value] = type
        return value


def _operands(value: syntax.Expr, destination: Destination, type: Type) -> _Operands | None:
    """Return what a chain of one monoid combines with the destination, which it reads once."""
    checked = destination.checked
    if isinstance(value, syntax.Call) and value in checked.joins:
        if len(value.arguments) != 2:
            return None  # An error, which is reported of the call.
        first, second = value.arguments
        if destination.is_this(first):
            return _Operands(value.function, [], [second], set())
        if destination.is_this(second):
            return _Operands(value.function, [first], [], set())
        return None
    monoid = _monoid(value, type, checked)
    if monoid is None:
        return None
    operands = _Operands(monoid.symbol, [], [], set())
    adds = _Descent(destination, operands)
    return operands if adds.descend(value, positive=True) and operands.rest else None


def _monoid(value: syntax.Expr, type: Type, checked: Checked) -> BuiltinMonoid | None:
    """The monoid of the chain that `value` may be, a value of `type`."""
    for monoid in MONOIDS.values():
        if monoid_domain(type) in monoid.operations and _sides(value, monoid, checked) is not None:
            return monoid
    return None


def _sides(
    expr: syntax.Expr, monoid: BuiltinMonoid, checked: Checked
) -> tuple[syntax.Expr, syntax.Expr] | None:
    """The two operands of a node of a chain of `monoid`."""
    match expr:
        case syntax.Call(function=name, arguments=[left, right]) if expr in checked.operands:
            return (left, right) if name == monoid.symbol else None
        case syntax.Binary(op=op, lhs=left, rhs=right):
            return (left, right) if op in (monoid.symbol, monoid.inverse) else None
        case _:
            return None


@dataclass
class _Descent:
    """The way from the root of a chain to the destination in it."""

    destination: Destination
    operands: _Operands

    def descend(self, expr: syntax.Expr, *, positive: bool) -> bool:
        """Collect what stands beside the destination in `expr`; false if that has none."""
        if self.destination.is_this(expr):
            return positive
        monoid = self.operands.monoid
        sides = _sides(expr, monoid, self.destination.checked)
        if sides is None:
            return False
        left, right = sides
        minus = isinstance(expr, syntax.Binary) and expr.op == monoid.inverse
        before, after = list(self.operands.before), list(self.operands.after)
        self.operands.after.insert(0, right)
        if self.descend(left, positive=positive):
            if positive == minus:
                self.operands.negated.add(right)
            return True
        self.operands.before, self.operands.after = [*before, left], after
        if self.descend(right, positive=positive != minus):
            if not positive:
                self.operands.negated.add(left)
            return True
        return False
