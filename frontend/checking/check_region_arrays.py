"""Checks arrays over regions as a whole, and open regions: declarations and assignments.

var A: matrix[Double] over Tri fill 1.0;     A = 2.0*A;     Rd = [ (i,i) | i <- 0..n-1 ];
"""

from __future__ import annotations

from abc import ABC

from diablo.frontend.checking.check_regions import depend
from diablo.frontend.checking.check_typemaps import TypemapChecker
from diablo.frontend.checking.inclusion import is_within
from diablo.frontend.checking.index_sets import IndexSet, Open
from diablo.frontend.checking.quantities import quantity
from diablo.frontend.checking.scope import Symbol
from diablo.frontend.checking.types import (
    UNKNOWN,
    ArrayType,
    ListType,
    RecordType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    fits,
    has_unknown,
    row_type,
)
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.tree_walk import walk


class RegionArrayChecker(TypemapChecker, ABC):
    """The part of the checker that knows arrays over regions."""

    # --- Declarations ----------------------------------------------------------------------

    def check_region_array(
        self, statement: statements.Var, over: syntax.Expr, type: Type | None
    ) -> None:
        """Check and declare `var A: T over R fill v = init`."""
        name = statement.name.name
        region = self.wanted_region(over)
        assert statement.type is not None
        if self.loops:
            message = "an array over a region cannot be declared inside a `for`"
            self.error(statement.span, message, "declare it before the loop")
        if region is None or not isinstance(type, ArrayType):
            if type is not None and not isinstance(type, ArrayType | UnknownType):
                message = f"`{name}` is over a region, and {type} is no array"
                self.error(statement.type.span, message, "write vector[T], matrix[T], array3[T]")
            self.declare(statement.name, "variable", UNKNOWN)
            return
        if type.rank != region.rank:
            dimensions = quantity(type.rank, "dimension")
            message = f"{type} has {dimensions}, and the region `{region.name}` {region.rank}"
            self.error(statement.type.span, message)
            self.declare(statement.name, "variable", UNKNOWN)
            return
        if statement.fill is not None:
            self._check_fill(name, statement.fill, type)
        if statement.init is not None:
            self._check_whole_value(name, statement.init, type, region)
        depend_on(region, f"`{name}` is an array over it", statement)
        symbol = self.declare(statement.name, "variable", type)
        symbol.region = region

    def _check_fill(self, name: str, fill: syntax.Expr, type: ArrayType) -> None:
        found = self.check(fill, type.element)
        if not fits(found, type.element):
            message = f"the elements of `{name}` are {type.element}, and this fill value is {found}"
            self.error(fill.span, message)
        elif not isinstance(type.element, ScalarType | TupleType | RecordType | UnknownType):
            self.unsupported(fill.span, f"fill values of type {type.element} are")

    def _check_whole_value(
        self, name: str, value: syntax.Expr, type: ArrayType, region: IndexSet
    ) -> None:
        """Check a value for all of an array: an array, a list of its elements, or one scalar."""
        known = len(self.errors)
        flooded = self._is_flooded_alike(value, region)
        if flooded:
            self.parted.add(value)
        found = self.check(value, type.element)
        if has_unknown(found) or len(self.errors) > known:
            return
        if flooded and fits(found, type):
            return
        stored = ArrayType(type.element, sum(b is not None for b in region.bounds))
        rows = ListType(row_type(stored))
        if any(fits(found, wanted) for wanted in (stored, rows, type.element)):
            return
        message = f"`{name}` is {type} over {region}, and this is {found}"
        if region.has_flood and found == type:
            self.error(value.span, message, f"give its values along the other dimensions: {stored}")
            return
        self.error(value.span, message)

    def _is_flooded_alike(self, value: syntax.Expr, region: IndexSet) -> bool:
        """Whether a value is an array whose flood dimensions are those of `region`."""
        symbol = self.scope.find(value.name) if isinstance(value, syntax.Name) else None
        if symbol is None or symbol.region is None or not region.has_flood:
            return False
        return [b is None for b in symbol.region.bounds] == [b is None for b in region.bounds]

    # --- Assignments -----------------------------------------------------------------------

    def check_region_assignment(self, statement: statements.Assign) -> bool:
        """Check an assignment to all of a region or an array over one; false if it is none."""
        target = statement.target
        symbol = self.scope.find(target.name) if isinstance(target, syntax.Name) else None
        if symbol is None or symbol.region is None or not isinstance(target, syntax.Name):
            return False
        self.parted.add(target)
        self.check(target)
        region = symbol.region
        if symbol.kind == "region":
            self._check_open_assignment(statement, target, region)
            return True
        if statement.monoid is not None:
            if region.sparse or region.has_flood:
                self._refuse_whole(statement, symbol, region)
                return True
            return False
        type = symbol.type
        if isinstance(type, ArrayType):
            self._check_whole_value(symbol.name, statement.value, type, region)
            found = self.checked.types.get(statement.value)
            if region.sparse and isinstance(found, ArrayType) and type == found:
                self._check_patterns(statement, symbol, region)
        return True

    def _check_patterns(
        self, statement: statements.Assign, symbol: Symbol, region: IndexSet
    ) -> None:
        """Check that what is assigned to a sparse array is stored within its region."""
        arrays = [
            node
            for node in walk(statement.value)
            if isinstance(node, syntax.Name)
            and isinstance(self.checked.types.get(node), ArrayType)
            and node in self.checked.symbols
        ]
        regions = [self.checked.symbols[array].region for array in arrays]
        simple = isinstance(statement.value, syntax.Name)
        for other in regions:
            if other is None or not is_within(other, region):
                self._refuse_whole(statement, symbol, region, other)
                return
            if not simple and other.bounds != region.bounds:
                self._refuse_whole(statement, symbol, region, other)
                return
        if not arrays:
            self._refuse_whole(statement, symbol, region)

    def _refuse_whole(
        self,
        statement: statements.Assign,
        symbol: Symbol,
        region: IndexSet,
        other: IndexSet | None = None,
    ) -> None:
        what = "an array that is over no region" if other is None else f"values over {other}"
        message = f"`{symbol.name}` is over {region}, and this writes {what} to it"
        if statement.monoid is not None:
            message = f"`{symbol.name}` is over {region}, and this writes all of its box"
        letters = ",".join("ijklmn"[: region.rank])
        pattern = f"({letters})" if region.rank > 1 else letters
        op = f"{statement.monoid or ''}="
        hint = f"loop over its region: for {pattern} in {region.name} do {symbol.name}[{letters}] "
        if region.has_flood:
            hint = f"compute the new values and assign them: {symbol.name} = …"
            self.error(statement.target.span, message, hint)
            return
        note = f"`{symbol.name}` is declared here", symbol.span
        self.error(statement.target.span, message, f"{hint}{op} …", note=note)

    # --- Open regions ----------------------------------------------------------------------

    def check_open(self, target: syntax.Name, region: IndexSet) -> bool:
        """Check that the indices of a region can be changed here."""
        name = target.name
        if not region.is_open:
            hint = f"declare it to be filled while the program runs: region {name} = … where ?;"
            message = f"the region `{name}` is fixed and cannot be assigned"
            self.error(target.span, message, hint)
        elif region.fixed_by is not None:
            what, span = region.fixed_by
            message = f"the indices of `{name}` cannot change any more: {what}"
            self.error(
                target.span,
                message,
                "fill the region before that",
                note=("it is declared here", span),
            )
        else:
            return True
        return False

    def _check_open_assignment(
        self, statement: statements.Assign, target: syntax.Name, region: IndexSet
    ) -> None:
        """Check `Rd = e`: e is what may stand behind `where`."""
        if not self.check_open(target, region):
            return
        assert isinstance(region.made, Open)
        if statement.monoid is not None:
            message = "the indices of a region are assigned, not accumulated"
            self.error(statement.target.span, message, f"write {target.name} = …")
            return
        base = region.made.base
        made = self.pattern_of(base, statement.value)
        if isinstance(made, IndexSet):
            made = self.combine_regions(statement.value.span, "&&", base, made)
            if made is None:
                return
            self.checked.regions[statement.value] = made
        elif made is not None:
            chosen = self.make_region(target.name, statement.span, region.bounds, made, True)
            self.checked.regions[statement.value] = chosen


def depend_on(region: IndexSet, what: str, statement: statements.Var) -> None:
    """Note that a declaration depends on the indices of a region."""
    if region.is_open and region.fixed_by is None:
        region.fixed_by = what, statement.name.span
    depend(region, what, statement.name.span)
