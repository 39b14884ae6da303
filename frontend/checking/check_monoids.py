"""Checks reductions `op/e`, accumulations `d op= e` and the monoids that a program defines.

monoid argmin((Double,Int)) = ((inf,-1), (x,y) => if (x._1 <= y._1) x else y);
argmin/[ (v,i) | (i,v) <- V ]   ->   (Double,Int)
"""

from __future__ import annotations

from abc import ABC

from diablo.dialects.monoids import BY_SYMBOL
from diablo.frontend.checking.check_expressions import ExpressionChecker
from diablo.frontend.checking.constants import constant_value
from diablo.frontend.checking.extents import extent_of
from diablo.frontend.checking.scope import MonoidDefinition, did_you_mean
from diablo.frontend.checking.types import (
    BOOLEAN,
    ArrayType,
    ListType,
    MapType,
    NothingType,
    Type,
    UnknownType,
    fits,
    has_unknown,
    is_key,
    is_number,
)
from diablo.frontend.parsing import statements, syntax


class MonoidChecker(ExpressionChecker, ABC):
    """The part of the checker that knows monoids."""

    def check_reduction(self, expr: syntax.Reduction) -> Type:
        """The type of `op/e`."""
        type = self.check(expr.operand)
        if isinstance(type, UnknownType):
            return type
        if not isinstance(type, ListType):
            hint = None
            if isinstance(type, ArrayType):
                key = "i" if type.rank == 1 else "(i,j)"
                hint = f"reduce its elements: {expr.monoid}/[ a | ({key},a) <- … ]"
            elif isinstance(type, MapType):
                hint = f"reduce its values: {expr.monoid}/[ v | (k,v) <- … ]"
            elif isinstance(expr.operand, syntax.Name):
                hint = "a variable is a bag only after a `group by` of something else"
            message = f"`{expr.monoid}/` reduces a bag of values, and this is {type}"
            return self.error(expr.span, message, hint)
        return self.check_monoid(expr, expr.monoid, type.element)

    def check_monoid(
        self, expr: syntax.Reduction | statements.Assign, symbol: str, type: Type
    ) -> Type:
        """The type of the values that the monoid `symbol` makes of values of `type`."""
        if has_unknown(type):
            return UnknownType()
        if isinstance(type, NothingType):
            return self.error(expr.span, "the elements of this empty list have no type")
        defined = self.scope.find_monoid(symbol)
        if defined is not None:
            self.checked.monoids[expr] = defined
            # What is accumulated into keeps its type; the rows of a reduction are promoted.
            reduces = isinstance(expr, syntax.Reduction)
            if not (fits(type, defined.type) if reduces else type == defined.type):
                message = f"`{symbol}` combines values of type {defined.type}, not {type}"
                return self.error(expr.span, message)
            return defined.type
        monoid = BY_SYMBOL.get(symbol)
        if monoid is None:
            names = [*self.scope.monoid_names(), *BY_SYMBOL]
            hint = did_you_mean(symbol, names)
            hint = hint or f"define it: monoid {symbol}({type}) = (zero, (x, y) => …);"
            return self.error(expr.span, f"there is no monoid `{symbol}`", hint)
        if monoid.boolean_only and type != BOOLEAN:
            return self.error(expr.span, f"`{symbol}` combines Boolean values, not {type}")
        if not monoid.boolean_only and not is_number(type):
            hint = None
            if not isinstance(type, ArrayType | ListType | MapType) and type != BOOLEAN:
                hint = f"define a monoid: monoid op({type}) = (zero, (x, y) => …);"
            return self.error(expr.span, f"`{symbol}` combines numbers, not {type}", hint)
        return type

    # --- Definitions -----------------------------------------------------------------------

    def check_monoid_definition(self, statement: statements.MonoidDef) -> None:
        """Check `monoid op(T) = (zero, (x, y) => e);`."""
        name = statement.name.name
        before = self.scope.monoids.get(name)
        if before is not None or name in BY_SYMBOL:
            self.error(statement.name.span, f"the monoid `{name}` is declared twice")
        type = self.resolve_value(statement.type)
        if not is_key(type):
            message = f"a monoid combines numbers, strings or tuples of these, not {type}"
            self.error(statement.type.span, message)
            return
        definition = statement.definition
        hint = f"monoid {name}({type}) = (zero, (x, y) => …);"
        pair = definition.items if isinstance(definition, syntax.TupleExpr) else []
        function = pair[1] if len(pair) == 2 else None
        if not isinstance(function, syntax.Lambda):
            message = "a monoid is defined by a pair of its zero and a function"
            self.error(definition.span, message, hint)
            return
        zero, pattern = pair[0], function.parameter
        if not isinstance(pattern, syntax.TuplePattern) or len(pattern.items) != 2:
            message = f"the function of a monoid takes two values of type {type}"
            self.error(pattern.span, message, hint)
            return
        self._check_zero(name, zero, type)
        self._check_combination(name, function, pattern, type)
        identity = constant_value(zero, type)
        if identity is not None:
            left, right = pattern.items
            self.scope.monoids[name] = MonoidDefinition(
                name,
                type,
                identity,
                (left, right),
                function.body,
                statement.name.span,
                extent_of(function.body, self.checked),
            )

    def _check_zero(self, name: str, zero: syntax.Expr, type: Type) -> None:
        found = self.check(zero, type)
        if not fits(found, type):
            message = f"the zero of `{name}` must be {type}, not {found}"
            self.error(zero.span, message)
        elif not has_unknown(found) and constant_value(zero, type) is None:
            hint = "write numbers, strings, `inf`, or tuples of these"
            self.error(zero.span, "the zero of a monoid must be a constant", hint)

    def _check_combination(
        self, name: str, function: syntax.Lambda, pattern: syntax.TuplePattern, type: Type
    ) -> None:
        with self.inner_scope():
            for item in pattern.items:
                self.bind(item, type, "parameter")
            found = self.check(function.body, type)
        if not fits(found, type):
            message = f"`{name}` must give {type}, and this is {found}"
            self.error(function.body.span, message)
        span = function.body.span
        for node in self.checked.evaluated(function.body):
            if isinstance(node, syntax.Name):
                symbol = self.checked.symbols.get(node)
                if symbol is not None and symbol.kind in ("input", "variable", "loop variable"):
                    where = node.span if node.span.line == span.line else span
                    message = f"a monoid cannot use the variable `{symbol.name}`"
                    self.error(where, message, "it may use its two arguments only")
                    return
            elif isinstance(node, syntax.Comprehension | syntax.Reduction | syntax.Constructor):
                message = "a monoid combines two values, and cannot go through a collection"
                self.error(span, message)
                return
            elif isinstance(node, syntax.Call) and node.function == "random":
                self.error(span, "a monoid cannot draw random numbers")
                return
