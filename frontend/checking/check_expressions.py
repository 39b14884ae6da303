"""Checks expressions: finds the type of each, reports what is wrong.

(1 - b) / N   with b: Double, N: Int   ->   Double
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import inf

from diablo.frontend.checking.builtin_functions import FUNCTIONS
from diablo.frontend.checking.check_calls import CallChecker
from diablo.frontend.checking.extents import MAX_DEPTH
from diablo.frontend.checking.scope import idiom_or_name
from diablo.frontend.checking.types import (
    NOTHING,
    SCALARS,
    UNKNOWN,
    ArrayType,
    FunctionType,
    ListType,
    MapType,
    NothingType,
    RecordType,
    TupleType,
    Type,
    UnknownType,
    fits,
    has_unknown,
    is_value,
    mentions,
    promote,
)
from diablo.frontend.parsing import syntax


class ExpressionChecker(CallChecker, ABC):
    """The part of the checker that knows expressions."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        # Expressions that desugaring puts into others after they were checked.
        self.settled: set[syntax.Expr] = set()

    @abstractmethod
    def check_comprehension(self, expr: syntax.Comprehension) -> Type:
        """The type of a comprehension."""

    @abstractmethod
    def check_constructor(self, expr: syntax.Constructor) -> Type:
        """The type of `tensor(…) e` and the like."""

    @abstractmethod
    def check_mapped_store(self, expr: syntax.MappedStore) -> Type:
        """The type of an array that a typemap stores."""

    @abstractmethod
    def check_reduction(self, expr: syntax.Reduction) -> Type:
        """The type of `op/e`."""

    def check(self, expr: syntax.Expr, wanted: Type | None = None) -> Type:
        """Find, record and return the type of an expression, which should be `wanted`."""
        if expr in self.settled:
            return self.checked.types[expr]
        self.depth += 1
        if self.depth > MAX_DEPTH:
            message = "the program is nested too deeply here"
            type: Type = UNKNOWN
            if not any(e.message == message for e in self.errors):
                hint = "compute parts of it in variables of their own"
                self.error(expr.span, message, hint)
        else:
            type = self._check(expr, wanted)
        self.depth -= 1
        self.checked.types[expr] = type
        if wanted is not None and mentions(type, NothingType) and fits(type, wanted):
            self.settle(expr, wanted)
            return wanted
        return type

    def _check(self, expr: syntax.Expr, wanted: Type | None) -> Type:
        match expr:
            case syntax.Literal():
                return SCALARS[expr.kind]
            case syntax.Name():
                return self._check_name(expr, wanted)
            case syntax.TupleExpr():
                return self._check_tuple(expr, wanted)
            case syntax.RecordExpr():
                return self._check_record(expr, wanted)
            case syntax.ListExpr():
                return self._check_list(expr, wanted)
            case syntax.EmptyMap():
                return MapType(NOTHING, NOTHING)
            case syntax.Unary():
                return self.check_unary(expr)
            case syntax.Binary():
                return self.check_binary(expr)
            case syntax.Range():
                hint = "use it as a generator: [ i | i <- a..b ]"
                return self.error(expr.span, "a range is no value by itself", hint)
            case syntax.Reduction():
                return self.check_reduction(expr)
            case syntax.Call():
                return self.check_call(expr)
            case syntax.Field():
                return self.check_field(expr)
            case syntax.Index():
                return self.check_index(expr)
            case syntax.IfExpr():
                return self._check_if(expr, wanted)
            case syntax.Lambda():
                return self.check_lambda(expr, wanted)
            case syntax.Wildcard():
                message = f"`{expr.text}` stands in regions only"
                return self.error(expr.span, message, "region R = (*, 0..n-1) where ?;")
            case syntax.RegionExpr():
                hint = "declare the region: region S = …;"
                return self.error(expr.span, "a region without a name is no value", hint)
            case syntax.Comprehension():
                return self.check_comprehension(expr)
            case syntax.Constructor():
                return self.check_constructor(expr)
            case syntax.MappedStore():
                return self.check_mapped_store(expr)
            case syntax.LetIn():
                type = self.check(expr.value)
                with self.inner_scope():
                    self.bind(expr.pattern, type, "bound variable")
                    return self.check(expr.body, wanted)

    # --- Names -----------------------------------------------------------------------------

    def _check_name(self, expr: syntax.Name, wanted: Type | None) -> Type:
        name = expr.name
        symbol = self.scope.find(name)
        if symbol is not None:
            symbol.use()
            self.checked.symbols[expr] = symbol
            self.check_whole(expr, symbol)
            return symbol.type
        if isinstance(wanted, FunctionType):
            type = self.check_function_name(expr, wanted)
            if type is not None:
                return type
        if name == "inf":
            self.checked.desugared[expr] = infinity = syntax.Literal(expr.span, "Double", inf)
            return self.check(infinity)
        if self.scope.find_function(name) or name in FUNCTIONS:
            hint = f"call it: {name}(…)"
            return self.error(expr.span, f"`{name}` is a function, not a value", hint)
        if self.scope.find_monoid(name) is not None:
            hint = f"it reduces a list: {name}/e"
            return self.error(expr.span, f"`{name}` is a monoid, not a value", hint)
        later = self.declared_later(name)
        if later is not None:
            return self.error(expr.span, f"`{name}` is not declared yet", later)
        scope = self.scope
        names = [*scope.names(), *scope.function_names(), *FUNCTIONS, *scope.monoid_names()]
        names += ["true", "false"]
        hint = idiom_or_name(name, [n for n in names if "." not in n])
        hint = hint or f"declare it: input {name}: {self.suggested_type(name)};"
        return self.undeclared(expr, hint)

    # --- Tuples, records, lists --------------------------------------------------------------

    def _check_tuple(self, expr: syntax.TupleExpr, wanted: Type | None) -> Type:
        items: list[Type | None] = [None] * len(expr.items)
        if isinstance(wanted, TupleType) and len(wanted.items) == len(expr.items):
            items = [*wanted.items]
        return TupleType(tuple(map(self.check, expr.items, items)))

    def _check_record(self, expr: syntax.RecordExpr, wanted: Type | None) -> Type:
        names = [name for name, _ in expr.fields]
        if not self.check_fields(expr.span, names):
            return UNKNOWN
        types: dict[str, Type] = {}
        if isinstance(wanted, RecordType):
            types = dict(wanted.fields)
        found = [(name, self.check(value, types.get(name))) for name, value in expr.fields]
        order = list(wanted.names) if isinstance(wanted, RecordType) else names
        if names != order and sorted(names) == sorted(order):
            # The same fields in another order are brought to the order that is wanted.
            values, kinds = dict(expr.fields), dict(found)
            fields = [(name, values[name]) for name in order]
            self.checked.desugared[expr] = ordered = syntax.RecordExpr(expr.span, fields)
            found = [(name, kinds[name]) for name in order]
            self.checked.types[ordered] = RecordType(tuple(found))
        return RecordType(tuple(found))

    def _check_list(self, expr: syntax.ListExpr, wanted: Type | None) -> Type:
        element = wanted.element if isinstance(wanted, ListType) else None
        types = [self.check(item, element) for item in expr.items]
        if element is not None and all(fits(type, element) for type in types):
            return ListType(element)
        common: Type = NOTHING
        for item, type in zip(expr.items, types, strict=True):
            if not is_value(type):
                return self.error(item.span, f"a list cannot hold {type}")
            joined = promote(common, type)
            if has_unknown(type) or joined is None:
                if not has_unknown(type):
                    message = f"this element is {type}, and those before it are {common}"
                    self.error(item.span, message, "the elements of a list have one type")
                return ListType(UNKNOWN)
            common = joined
        for item in expr.items:
            self.settle(item, common)
        return ListType(common)

    def settle(self, expr: syntax.Expr, type: Type) -> None:
        """Give the empty lists and maps in `expr` the type that is wanted of them."""
        found = self.checked.types.get(expr)
        if found is None or not mentions(found, NothingType) or has_unknown(type):
            return
        self.checked.types[expr] = type
        match expr, type:
            case syntax.ListExpr(), ListType():
                for item in expr.items:
                    self.settle(item, type.element)
            case syntax.TupleExpr(), TupleType():
                for item, part in zip(expr.items, type.items, strict=True):
                    self.settle(item, part)
            case syntax.RecordExpr(), RecordType():
                parts = dict(type.fields)
                for name, value in expr.fields:
                    self.settle(value, parts[name])
            case syntax.IfExpr(), _:
                self.settle(expr.then, type)
                self.settle(expr.otherwise, type)
            case syntax.Comprehension(), ListType():
                self.settle(expr.head, type.element)
            case syntax.LetIn(), _:
                self.settle(expr.body, type)
            case syntax.Constructor(), ListType() | MapType():
                # What is stored may be of the other kind: a map of a list, a list of a map.
                operand = self.checked.types.get(expr.operand)
                if isinstance(operand, ListType):
                    type = ListType(type.element)  # The rows of a map are pairs.
                elif isinstance(operand, MapType) and isinstance(type, ListType):
                    row = type.element
                    type = MapType(*row.items) if isinstance(row, TupleType) else operand
                self.settle(expr.operand, type)
            case _:
                pass
        if expr in self.checked.desugared:
            self.settle(self.checked.desugared[expr], type)

    # --- Conditions ------------------------------------------------------------------------

    def _check_if(self, expr: syntax.IfExpr, wanted: Type | None) -> Type:
        self.check_condition(expr.condition, "`if`")
        with self.guarded():
            then, otherwise = self.check(expr.then, wanted), self.check(expr.otherwise, wanted)
        if isinstance(then, UnknownType) or isinstance(otherwise, UnknownType):
            return UNKNOWN
        type = promote(then, otherwise)
        if type is None:
            message = f"the branches of this `if` have types {then} and {otherwise}"
            hint = None
            if isinstance(then, ArrayType) and isinstance(otherwise, ArrayType):
                hint = "both need the same number of dimensions and the same elements"
            return self.error(expr.span, message, hint)
        if mentions(type, FunctionType):
            return self.error(expr.span, "a function cannot be chosen while the program runs")
        self.settle(expr.then, type)
        self.settle(expr.otherwise, type)
        return type
