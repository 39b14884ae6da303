"""Checks assignments and accumulations: `d = e`, `d op= e`, whatever part of a variable d is.

V[i]#1 += 2   with V: vector[(Int,Double)]: the first part of an element is Int
"""

from __future__ import annotations

from abc import ABC

from diablo.frontend.checking.check_region_arrays import RegionArrayChecker
from diablo.frontend.checking.conditional_updates import assigned_update, tested_update
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
)
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.tree_walk import walk


class AssignmentChecker(RegionArrayChecker, ABC):
    """The part of the checker that knows assignments."""

    def check_assignment(self, statement: statements.Assign) -> None:
        """Check `d = e` or `d op= e`."""
        target = statement.target
        if self.check_region_assignment(statement):
            return
        type = self._check_target(target, accumulates=statement.monoid is not None)
        if isinstance(type, UnknownType) and _reads_first(statement):
            assert isinstance(statement.value, syntax.Binary)
            self.check(statement.value.rhs)
            return
        if self._check_rebuilt(statement, type):
            return
        cells = type.element if isinstance(type, ArrayType) else type
        value = self.check(statement.value, type)
        if statement.monoid is not None:
            combined = self.check_monoid(statement, statement.monoid, cells)
            if isinstance(combined, UnknownType):
                return
            # `A += 1.0` adds to every cell.
            type = cells if not isinstance(value, ArrayType) else type
        if not fits(value, type):
            what = "this element" if isinstance(target, syntax.Index) else "this part"
            if isinstance(target, syntax.Name):
                what = f"`{target.name}`"
            self.error(
                statement.value.span,
                f"a value of type {value} cannot be assigned to {what}, which is {type}",
                self._value_hint(statement.value, value, type),
            )
        elif statement.monoid is None and self._may_update(statement, everywhere=True):
            update = assigned_update(statement, self.checked)
            if update is not None:
                self.checked.updates[statement] = update

    def _check_rebuilt(self, statement: statements.Assign, type: Type) -> bool:
        """Check `M = [ ((i,j),e) | … ]` for an array M; false if the statement is none."""
        rows, target = statement.value, statement.target
        if not isinstance(type, ArrayType) or not isinstance(target, syntax.Name):
            return False
        if not isinstance(rows, syntax.Comprehension) or statement.monoid is not None:
            return False
        row = self.check_rows(rows)
        self.checked.types[rows] = ListType(row)
        element = self.check_array_row(rows, row, type.rank)
        if not fits(element, type.element):
            pair = rows.head.items if isinstance(rows.head, syntax.TupleExpr) else (rows.head,)
            message = f"the elements of `{target.name}` are {type.element}, and this is {element}"
            self.error(pair[-1].span, message)
        self.checked.rebuilt.add(statement)
        return True

    def note_update(self, statement: statements.If) -> None:
        """Note what a test means that is an update."""
        assigned = [n for n in walk(statement.then) if isinstance(n, statements.Assign)]
        if all(map(self._may_update, assigned)) and self._declared_together(assigned):
            update = tested_update(statement, self.checked)
            if update is not None:
                self.checked.updates[statement] = update

    def _declared_together(self, assigned: list[statements.Assign]) -> bool:
        """Whether all destinations belong to the program, or to one iteration of a loop."""
        bases = [assigned_variable(assignment.target) for assignment in assigned]
        symbols = {self.checked.symbols[base] for base in bases if base is not None}
        if not any(symbol.loops for symbol in symbols):
            return True
        return any(symbols <= set(scope.symbols.values()) for scope in self.scope)

    def _may_update(self, statement: statements.Assign, *, everywhere: bool = False) -> bool:
        """Whether several iterations of a loop may write what an assignment does.

        Outside of loops, or to a variable of the same iteration, it is an assignment, which
        gives the same; but what a map has no value for can be updated `everywhere`.
        """
        target = statement.target
        type = self.checked.types.get(target, UNKNOWN)
        base = assigned_variable(target)
        if base is None or has_unknown(type):
            return False
        symbol = self.checked.symbols[base]
        if symbol.kind != "variable" or isinstance(type, ArrayType | ListType | MapType):
            return False
        of_map = isinstance(symbol.type, MapType) and not isinstance(target, syntax.Name)
        return self.loops > symbol.loops or (everywhere and of_map)

    def _value_hint(self, expr: syntax.Expr, value: Type, wanted: Type) -> str | None:
        if isinstance(value, ListType) and isinstance(wanted, ArrayType):
            return "build an array of the list: tensor*(n) …"
        if isinstance(value, ListType) and isinstance(wanted, MapType):
            return "build a map of the list: map* …"
        return self.bag_hint(expr)

    def _check_target(self, target: syntax.Expr, *, accumulates: bool) -> Type:
        base = assigned_variable(target)
        if base is None:
            message = "only a variable or a part of a variable can be assigned"
            return self.error(target.span, message)
        symbol = self.scope.find(base.name)
        if symbol is None:
            if self.scope.find_function(base.name):
                return self.error(base.span, f"`{base.name}` is a function, not a variable")
            later = self.declared_later(base.name)
            if later is not None:
                return self.error(base.span, f"`{base.name}` is not declared yet", later)
            variables = [n for n in self.scope.names() if n != "_"]
            # `vra x = 3` reads as an accumulation with a monoid `x`.
            variables += ["var"] if accumulates else []
            hint = did_you_mean(base.name, variables) or f"declare it: var {base.name} = …;"
            return self.undeclared(base, hint)
        if symbol.kind == "region" and symbol.region is not None:
            if not self.check_open(base, symbol.region):
                return UNKNOWN
        elif symbol.kind != "variable" and not has_unknown(symbol.type):
            message = f"`{base.name}` is a {symbol.kind} and cannot be assigned"
            return self.error(base.span, message)
        known = len(self.errors)
        type = self.check(target)
        if has_unknown(type):
            return type
        path = self._check_path(target, type)
        element = target
        while isinstance(element, syntax.Field):
            element = element.base
        is_right = symbol.region is not None and len(self.errors) == known
        if is_right and isinstance(element, syntax.Index):
            self.check_region_write(element, symbol)
        return path

    def _check_path(self, target: syntax.Expr, type: Type) -> Type:
        """Check that every step from the variable to the part that is assigned keeps a value."""
        step = target
        while isinstance(step, syntax.Index | syntax.Field):
            # Only arrays, maps and strings have indices.
            base = self.checked.types[step.base]
            if isinstance(step, syntax.Field):
                if step not in self.checked.positions:
                    message = f"`{step.name}` of {base} cannot be assigned"
                    return self.error(target.span, message)
            elif step in self.checked.desugared:
                message = "an array that a typemap stores cannot be changed one by one"
                return self.error(target.span, message, "store a new list of its elements")
            elif base == STRING:
                hint = "make a new string: s = s.replace(a,b)"
                message = "the characters of a string cannot be assigned"
                return self.error(target.span, message, hint)
            elif any(isinstance(index, syntax.Slice) for index in step.indices):
                hint = "write a loop over its indices"
                return self.error(target.span, "a slice cannot be assigned", hint)
            step = step.base
        return type


def assigned_variable(target: syntax.Expr) -> syntax.Name | None:
    """The variable that an assignment changes, whole or a part of it."""
    while isinstance(target, syntax.Index | syntax.Field):
        target = target.base
    return target if isinstance(target, syntax.Name) else None


def _reads_first(statement: statements.Assign) -> bool:
    """Whether the statement is `d -= e`, which the parser reads as `d = d - e`."""
    value = statement.value
    return isinstance(value, syntax.Binary) and value.lhs is statement.target
