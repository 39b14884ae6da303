"""Checks comprehensions: generators, guards, group-by, heads.

[ (i,+/a) | ((i,j),a) <- A, group by i ]   with A: matrix[Double]   ->   list[(Int,Double)]
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from diablo.frontend.checking.check_monoids import MonoidChecker
from diablo.frontend.checking.checked import Grouping
from diablo.frontend.checking.index_sets import IndexSet
from diablo.frontend.checking.scope import Scope, Symbol, did_you_mean
from diablo.frontend.checking.types import (
    BOOLEAN,
    INT,
    STRING,
    UNKNOWN,
    ArrayType,
    ListType,
    MappedType,
    MapType,
    TupleType,
    Type,
    UnknownType,
    has_unknown,
    is_key,
    is_value,
    row_type,
)
from diablo.frontend.parsing import syntax


class ComprehensionChecker(MonoidChecker, ABC):
    """The part of the checker that knows comprehensions."""

    @abstractmethod
    def view_mapped(self, expr: syntax.Expr, type: MappedType) -> ListType | UnknownType:
        """The type of the rows through which an array that a typemap stores is seen."""

    def check_comprehension(self, expr: syntax.Comprehension) -> Type:
        """The type of a comprehension."""
        head = self.check_rows(expr)
        if not is_value(head):
            return self.error(expr.head.span, f"a list cannot hold {head}")
        return ListType(head)

    def check_rows(self, expr: syntax.Comprehension) -> Type:
        """Check a comprehension; return the type of its head."""
        outer = self.guards
        with self.inner_scope() as scope:
            for qualifier in expr.qualifiers:
                self._check_qualifier(qualifier, scope)
            head = self.check(expr.head)
        self.guards = outer
        return head

    def _check_qualifier(self, qualifier: syntax.Qualifier, scope: Scope) -> None:
        match qualifier:
            case syntax.Generator():
                type = self.check_source(qualifier.source, full=qualifier.full)
                self.bind(qualifier.pattern, type, "bound variable")
                self.note_pairs(qualifier.pattern, qualifier.source, "<-")
                self.note_source(qualifier.pattern, qualifier.source)
            case syntax.Guard():
                self.check_condition(qualifier.condition, "a guard")
                self.guards += 1
            case syntax.Let():
                type = self.check(qualifier.value)
                if not is_value(type) and not isinstance(type, MappedType):
                    message = "a function cannot be the value of a variable"
                    type = self.error(qualifier.value.span, message)
                self.rebind(qualifier.pattern)
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
        known = len(self.errors)
        region = self.region_of(expr)
        if region is not None:
            return self._check_region_source(expr, region)
        if len(self.errors) > known:
            return UNKNOWN
        self.parted.add(expr)
        type = self.check(expr)
        array_region = self.region_behind(expr)
        if array_region is not None and array_region.has_flood:
            self.refuse_flood(expr.span, array_region)
            return UNKNOWN
        if isinstance(type, MappedType):
            type = self.view_mapped(expr, type)
        match type:
            case UnknownType():
                return type
            case ArrayType():
                return row_type(type)
            case ListType() | MapType():
                if full:
                    message = f"`<=` goes through every index of an array, and this is {type}"
                    self.error(expr.span, message, "use `<-`")
                return type.element
            case _:
                hint = "to count, write a range: i <- 0..n-1" if type == INT else None
                if type == STRING:
                    hint = 'split it: c <- s.split("")'
                message = f"a generator goes through an array, a list, a map or a range, not {type}"
                return self.error(expr.span, message, hint)

    def _check_region_source(self, expr: syntax.Expr, region: IndexSet) -> Type:
        """The type of the indices of a region."""
        self.checked.types[expr] = ArrayType(BOOLEAN, region.rank)
        if region.has_flood:
            self.refuse_flood(expr.span, region)
            return UNKNOWN
        return INT if region.rank == 1 else TupleType((INT,) * region.rank)

    # --- Group by --------------------------------------------------------------------------

    def _check_group_by(self, qualifier: syntax.GroupBy, scope: Scope) -> None:
        grouping = self.checked.groupings[qualifier] = Grouping()
        before = dict(scope.symbols)
        names = list(_names(qualifier.pattern))
        if qualifier.key is not None:
            key_type = self.check(qualifier.key)
            if not is_key(key_type) and not has_unknown(key_type):
                message = f"{key_type} cannot be the key of a group by"
                key_type = self.error(qualifier.key.span, message, self.bag_hint(qualifier.key))
            scope.symbols = {}
            self.bind(qualifier.pattern, key_type, "bound variable")
            grouping.keys = [(None, symbol) for symbol in scope.symbols.values()]
        else:
            scope.symbols = {}
            for name in names:
                self._regroup_key(name, before, grouping)
        for name, symbol in before.items():
            if name not in {n.name for n in names}:
                bag = Symbol(name, "bag", ListType(symbol.type), symbol.span, before=symbol)
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
        elif not is_key(type) and not has_unknown(type):
            type = self.error(name.span, f"{type} cannot be the key of a group by")
        symbol.use()
        grouping.keys.append((symbol, self.declare(name, "bound variable", type)))


def _names(pattern: syntax.Pattern) -> list[syntax.NamePattern]:
    if isinstance(pattern, syntax.NamePattern):
        return [pattern]
    return [name for item in pattern.items for name in _names(item)]
