"""Checks comprehensions and storage constructors: generators, guards, group-by, heads.

[ (i,+/a) | ((i,j),a) <- A, group by i ]   with A: matrix[Double]   ->   list[(Int,Double)]
"""

from __future__ import annotations

from diablo.frontend.checking.check_expressions import ExpressionChecker, quantity
from diablo.frontend.checking.checked import Grouping
from diablo.frontend.checking.scope import Scope, Symbol, did_you_mean
from diablo.frontend.checking.types import (
    INT,
    UNKNOWN,
    ArrayType,
    ListType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    fits,
    is_key,
    row_type,
)
from diablo.frontend.parsing import syntax


class ComprehensionChecker(ExpressionChecker):
    """The part of the checker that knows comprehensions."""

    def check_comprehension(self, expr: syntax.Comprehension) -> Type:
        """The type of a comprehension."""
        head = self._check_rows(expr)
        if not is_key(head):
            hint = self.bag_hint(expr.head)
            return self.unsupported(expr.head.span, f"lists of {head} are", hint)
        return ListType(head)

    def _check_rows(self, expr: syntax.Comprehension) -> Type:
        """Check a comprehension; return the type of its head."""
        with self.inner_scope() as scope:
            for qualifier in expr.qualifiers:
                self._check_qualifier(qualifier, scope)
            return self.check(expr.head)

    def _check_qualifier(self, qualifier: syntax.Qualifier, scope: Scope) -> None:
        match qualifier:
            case syntax.Generator():
                type = self.check_source(qualifier.source, full=qualifier.full)
                self.bind(qualifier.pattern, type, "bound variable")
            case syntax.Guard():
                self.check_condition(qualifier.condition, "a guard")
            case syntax.Let():
                type = self.check(qualifier.value)
                self.bind(qualifier.pattern, type, "bound variable")
            case syntax.GroupBy():
                self._check_group_by(qualifier, scope)

    def check_source(self, expr: syntax.Expr, *, full: bool = False) -> Type:
        """The type of the rows of a generator's source."""
        if isinstance(expr, syntax.Range):
            self.check_int(expr.lower, "the lower bound of a range")
            self.check_int(expr.upper, "the upper bound of a range")
            self.checked.types[expr] = ListType(INT)
            return INT
        type = self.check(expr)
        match type:
            case UnknownType():
                return type
            case ArrayType():
                return row_type(type)
            case ListType():
                if full:
                    message = f"`<=` goes through every index of an array, and this is {type}"
                    self.error(expr.span, message, "use `<-`")
                return type.element
            case _:
                hint = "to count, write a range: i <- 0..n-1" if type == INT else None
                message = f"a generator goes through an array, a list or a range, not {type}"
                return self.error(expr.span, message, hint)

    # --- Group by --------------------------------------------------------------------------

    def _check_group_by(self, qualifier: syntax.GroupBy, scope: Scope) -> None:
        grouping = self.checked.groupings[qualifier] = Grouping()
        before = dict(scope.symbols)
        if qualifier.key is not None:
            key_type = self.check(qualifier.key)
            if not is_key(key_type):
                message = f"{key_type} cannot be the key of a group by"
                key_type = self.error(qualifier.key.span, message, self.bag_hint(qualifier.key))
            scope.symbols = {}
            self.bind(qualifier.pattern, key_type, "bound variable")
            grouping.keys = [(None, symbol) for symbol in scope.symbols.values()]
            names = list(_names(qualifier.pattern))
        else:
            names = list(_names(qualifier.pattern))
            scope.symbols = {}
            for name in names:
                self._regroup_key(name, before, grouping)
        for name, symbol in before.items():
            if name not in {n.name for n in names}:
                bag = Symbol(name, "bag", ListType(symbol.type), symbol.span)
                scope.symbols[name] = bag
                grouping.bags.append((symbol, bag))

    def _regroup_key(
        self, name: syntax.NamePattern, before: dict[str, Symbol], grouping: Grouping
    ) -> None:
        symbol = before.get(name.name)
        if symbol is None:
            outside = self.scope.find(name.name) is not None
            hint = did_you_mean(name.name, list(before))
            if outside:
                hint = f"group by its value: group by k: {name.name}"
            self.error(name.span, f"`{name.name}` is not bound before this group by", hint)
            self.declare(name, "bound variable", UNKNOWN)
            return
        type = symbol.type
        if symbol.kind == "bag":
            type = self.error(
                name.span,
                f"`{name.name}` is a bag since the group by before and cannot be a key",
            )
        elif not is_key(type):
            type = self.error(name.span, f"{type} cannot be the key of a group by")
        symbol.used = True
        grouping.keys.append((symbol, self.declare(name, "bound variable", type)))

    # --- Storage constructors --------------------------------------------------------------

    def check_constructor(self, expr: syntax.Constructor) -> Type:
        """The type of `tensor(…) e` and the like."""
        if expr.kind == "map":
            self.check(expr.operand)
            return self.unsupported(expr.span, "maps are")
        for dimension in (*expr.dense, *expr.sparse):
            self.check_int(dimension, "a dimension")
        type: Type
        if expr.kind == "tensor" and isinstance(expr.operand, syntax.Comprehension):
            type = ListType(self._check_rows(expr.operand))
            self.checked.types[expr.operand] = type
        else:
            type = self.check(expr.operand)
        if isinstance(type, UnknownType):
            return type
        if expr.kind == "list":
            if isinstance(type, ListType):
                return type
            return self.error(expr.operand.span, f"`list*` distributes a list, not {type}")
        rank = len(expr.dense) + len(expr.sparse)
        if rank == 0:
            return self.error(expr.span, "a tensor needs at least one dimension")
        row = row_type(type) if isinstance(type, ArrayType) else UNKNOWN
        if isinstance(type, ListType):
            row = type.element
        elif not isinstance(type, ArrayType):
            message = f"a tensor is built from a list of (index, value), not from {type}"
            return self.error(expr.operand.span, message)
        return ArrayType(self._check_row(expr, row, rank), rank)

    def _check_row(self, expr: syntax.Constructor, row: Type, rank: int) -> Type:
        """Check that `row` is an index of `rank` and a value; return the value's type."""
        if isinstance(row, UnknownType):
            return row
        head = expr.operand
        if isinstance(head, syntax.Comprehension):
            head = head.head
        shape = "(i,value)" if rank == 1 else f"(({','.join('ijklmn'[:rank])}),value)"
        hint = f"with {quantity(rank, 'dimension')} the list's elements are {shape}"
        if not isinstance(row, TupleType) or len(row.items) != 2:
            message = f"a tensor is built from pairs of an index and a value, not from {row}"
            return self.error(head.span, message, hint)
        key, value = row.items
        span = head.items[0].span if isinstance(head, syntax.TupleExpr) else head.span
        parts = key.items if isinstance(key, TupleType) else (key,)
        if len(parts) != rank:
            message = (
                f"this tensor has {quantity(rank, 'dimension')}, "
                f"and its elements have {quantity(len(parts), 'index', 'indices')}"
            )
            return self.error(span, message, hint)
        for part in parts:
            if not fits(part, INT):
                return self.error(span, f"an index must be Int, not {part}")
        if isinstance(value, ScalarType | UnknownType):
            return value
        value_head = head.items[1] if isinstance(head, syntax.TupleExpr) else head
        span = value_head.span
        if isinstance(value, ListType):
            message = f"the value of a tensor's element must be one value, not {value}"
            return self.error(span, message, self.bag_hint(value_head))
        return self.unsupported(span, f"arrays of {value} are")


def _names(pattern: syntax.Pattern) -> list[syntax.NamePattern]:
    if isinstance(pattern, syntax.NamePattern):
        return [pattern]
    return [name for item in pattern.items for name in _names(item)]
