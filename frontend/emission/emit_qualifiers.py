"""Imports the qualifiers of a comprehension: generators, guards, lets, group-bys.

((i,j),a) <- A, group by i   ->   %i, %j, %a = comprehension.each %A
                                  %gi, %as = comprehension.group_by keys(%i) values(%a)
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Sequence

from xdsl.ir import Block, Region, SSAValue

from diablo.dialects.comprehension import EachOp, GroupByOp, GuardOp, RangeOp, YieldOp
from diablo.frontend.checking.types import (
    BOOLEAN,
    ArrayType,
    ListType,
    MapType,
    TupleType,
)
from diablo.frontend.emission.emit_calls import Key, group_keys, row_keys
from diablo.frontend.emission.emit_conditions import conjuncts
from diablo.frontend.emission.emit_region_arrays import RegionArrayEmitter
from diablo.frontend.emission.ir_types import Value, flatten, set_name, unflatten, width
from diablo.frontend.parsing import syntax

Row = tuple[Sequence[SSAValue], Sequence[SSAValue]]
"""The keys and the values that a comprehension yields."""


class QualifierEmitter(RegionArrayEmitter, ABC):
    """The part of the importer that knows the bodies of comprehensions."""

    def body_of(self, expr: syntax.Comprehension, head: Callable[[], Row]) -> Region:
        """The body of a comprehension, whose row is what `head` emits."""
        block = Block()
        outer = self.keys
        try:
            with self.comprehension(block):
                for qualifier in expr.qualifiers:
                    with self.at(qualifier.span):
                        self._emit_qualifier(qualifier, outer)
                with self.at(expr.head.span):
                    keys, values = head()
                    self.add(YieldOp(keys, values))
        finally:
            self.keys = outer
        return Region(block)

    def _emit_qualifier(self, qualifier: syntax.Qualifier, outer: list[Key]) -> None:
        match qualifier:
            case syntax.Generator():
                self.bind(qualifier.pattern, self._emit_generator(qualifier))
            case syntax.Guard():
                for condition in conjuncts(qualifier.condition):
                    with self.at(condition.span):
                        self.add(GuardOp(self.emit_as(condition, BOOLEAN)))
            case syntax.Let():
                self.bind(qualifier.pattern, self.emit(qualifier.value))
            case syntax.GroupBy():
                self._emit_group_by(qualifier, outer)

    # --- Generators ------------------------------------------------------------------------

    def _emit_generator(self, generator: syntax.Generator) -> Value:
        source = generator.source
        if isinstance(source, syntax.Range):
            lower, upper = self.emit_index(source.lower), self.emit_index(source.upper)
            index = self.add(RangeOp(lower, upper)).index
            self.keys = [*self.keys, Key(index)]
            return index
        region = self.checked.regions.get(source)
        if region is not None:
            indices = self.region_indices(region)
            return indices[0] if len(indices) == 1 else tuple(indices)
        over = self.over_of(source)
        if over is not None:
            return self.row_of(source, self.region_rows(source, over, full=generator.full))
        collection = self.emit_collection(source)
        op = self.add(EachOp(collection, full=generator.full))
        return self.row_of(source, op.elements)

    def row_of(self, source: syntax.Expr, elements: Sequence[SSAValue]) -> Value:
        """What `each` binds, as a value of the source's row type."""
        type = self.type_of(source)
        if isinstance(type, ArrayType):
            self.keys = [*self.keys, *map(Key, elements[:-1])]
            *indices, element = elements
            key: Value = indices[0] if len(indices) == 1 else tuple(indices)
            return key, self.unpacked(element, type.element)
        self.keys = [*self.keys, *row_keys(list(elements))]
        if isinstance(type, MapType):
            keys = width(type.key)
            value = self.unpacked(elements[keys], type.value)
            return unflatten(elements[:keys], type.key), value
        assert isinstance(type, ListType)
        return unflatten(elements, type.element)

    # --- Groups ----------------------------------------------------------------------------

    def _emit_group_by(self, group_by: syntax.GroupBy, outer: list[Key]) -> None:
        grouping = self.checked.groupings[group_by]
        if group_by.key is not None:
            key_type = self.type_of(group_by.key)
            key: Value = self.emit(group_by.key)
        else:
            before = [symbol for symbol, _ in grouping.keys if symbol is not None]
            key_type = TupleType(tuple(symbol.type for symbol in before))
            key = tuple(self.values[symbol] for symbol in before)
        bags = [(symbol, bag) for symbol, bag in grouping.bags if bag.used]
        columns: list[list[SSAValue]] = []
        for symbol, _ in bags:
            value = self.as_type(self.values[symbol], symbol.type)
            columns.append(list(map(self.as_column, flatten(value))))
        values = [column for bag in columns for column in bag]
        op = self.add(GroupByOp(flatten(key), values, [len(bag) for bag in columns]))
        for new, old in zip(op.group_keys, flatten(key), strict=True):
            new.name_hint = old.name_hint
        group_key = unflatten(op.group_keys, key_type)
        if group_by.key is not None:
            self.bind(group_by.pattern, group_key)
        else:
            assert isinstance(group_key, tuple)
            for (_, symbol), part in zip(grouping.keys, group_key, strict=True):
                self.values[symbol] = part
        for (_, bag), value in zip(bags, op.bags, strict=True):
            self.values[bag] = value
            set_name(value, bag.name)
        self.keys = [*outer, *group_keys(list(op.group_keys))]
