"""Imports comprehensions and storage constructors.

tensor*(n)[ (i,+/a) | ((i,j),a) <- A, group by i ]
->
comprehension.build (%n) {
  %i, %j, %a = comprehension.each %A
  %gi, %as = comprehension.group_by keys(%i) values(%a)
  %s = comprehension.reduce add %as
  comprehension.yield (%gi) %s
}
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from xdsl.dialects.builtin import IndexType, TensorType
from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.dialects.bags import BagType
from diablo.dialects.comprehension import (
    AggregateOp,
    BuildOp,
    CollectOp,
    EachOp,
    GroupByOp,
    GuardOp,
    RangeOp,
    YieldOp,
)
from diablo.dialects.encodings import StorageAttr, TilesAttr
from diablo.dialects.monoids import BY_SYMBOL
from diablo.frontend.checking.types import (
    BOOLEAN,
    INT,
    ArrayType,
    ListType,
    ScalarType,
    TupleType,
    Type,
    row_type,
)
from diablo.frontend.emission.emit_scalars import conjuncts, is_partial
from diablo.frontend.emission.emit_values import ValueEmitter
from diablo.frontend.emission.emitter import (
    Value,
    flatten,
    ir_type,
    set_name,
    tensor_type,
    unflatten,
)
from diablo.frontend.parsing import syntax

Row = tuple[Sequence[SSAValue], Sequence[SSAValue]]
"""The keys and the values that a comprehension yields."""


class ComprehensionEmitter(ValueEmitter):
    """The part of the importer that knows comprehensions."""

    # --- Bodies ----------------------------------------------------------------------------

    @contextmanager
    def comprehension(self, block: Block) -> Generator[None]:
        """Append ops to the body of a comprehension."""
        outermost = self.around_comprehension is None
        if outermost:
            self.around_comprehension, self.loads = self.block, {}
        bound, indices, no_index = set(self.bound), self.indices, self.rows_without_index
        branches, self.around_branches = self.around_branches, None
        try:
            with self.into(block):
                yield
        finally:
            self.bound, self.indices, self.rows_without_index = bound, indices, no_index
            self.around_branches = branches
            if outermost:
                self.around_comprehension, self.loads = None, {}

    def body_of(self, expr: syntax.Comprehension, head: Callable[[], Row]) -> Region:
        """The body of a comprehension, whose row is what `head` emits."""
        if self.around_branches is not None and self.around_comprehension is not None:
            what = "a comprehension in a branch inside another comprehension is"
            self.unsupported(expr.span, what)
        block = Block()
        with self.comprehension(block):
            outer = self.indices, self.rows_without_index
            for qualifier in expr.qualifiers:
                with self.at(qualifier.span):
                    self._emit_qualifier(qualifier, outer)
            with self.at(expr.head.span):
                keys, values = head()
                self.add(YieldOp(keys, values))
        return Region(block)

    def _emit_qualifier(
        self, qualifier: syntax.Qualifier, outer: tuple[list[SSAValue], bool]
    ) -> None:
        match qualifier:
            case syntax.Generator():
                row = self._emit_generator(qualifier)
                self._bind(qualifier.pattern, row)
            case syntax.Guard():
                for condition in conjuncts(qualifier.condition):
                    with self.at(condition.span):
                        self.add(GuardOp(self.emit_as(condition, BOOLEAN)))
            case syntax.Let():
                self._bind(qualifier.pattern, self.emit(qualifier.value))
            case syntax.GroupBy():
                self._emit_group_by(qualifier, outer)

    def _bind(self, pattern: syntax.Pattern, value: Value) -> None:
        """Let the variables of `pattern` stand for the parts of `value`."""
        if isinstance(pattern, syntax.TuplePattern):
            assert isinstance(value, tuple)
            for item, part in zip(pattern.items, value, strict=True):
                self._bind(item, part)
            return
        symbol = self.checked.symbols[pattern]
        self.values[symbol] = value
        self.bound.add(symbol)
        if isinstance(value, SSAValue) and value.name_hint is None:
            set_name(value, pattern.name)

    def bind_loop(self, pattern: syntax.Pattern, value: Value) -> None:
        """Let the variables of a loop's pattern stand for the parts of `value`."""
        bound = set(self.bound)
        self._bind(pattern, value)
        self.bound = bound

    # --- Generators ------------------------------------------------------------------------

    def _emit_generator(self, generator: syntax.Generator) -> Value:
        source = generator.source
        if isinstance(source, syntax.Range):
            lower, upper = self.emit_index(source.lower), self.emit_index(source.upper)
            index = self.add(RangeOp(lower, upper)).index
            self.indices = [*self.indices, index]
            return index
        collection = self.emit_source(source)
        op = self.add(EachOp(collection, full=generator.full))
        return self.row_of(source, op.elements)

    def emit_source(self, source: syntax.Expr) -> SSAValue:
        """The array or list that a generator or a loop goes through."""
        if isinstance(self.type_of(source), ArrayType):
            return self.emit_array(source)
        value = self.emit(source)
        assert isinstance(value, SSAValue)
        return value

    def row_of(self, source: syntax.Expr, elements: Sequence[SSAValue]) -> Value:
        """What `each` binds, as a value of the source's row type."""
        type = self.type_of(source)
        if isinstance(type, ArrayType):
            self.indices = [*self.indices, *elements[:-1]]
            return unflatten(elements, row_type(type))
        assert isinstance(type, ListType)
        self.rows_without_index = True
        return unflatten(elements, type.element)

    def _emit_group_by(self, group_by: syntax.GroupBy, outer: tuple[list[SSAValue], bool]) -> None:
        grouping = self.checked.groupings[group_by]
        if group_by.key is not None:
            key_type = self.type_of(group_by.key)
            key: Value = self.emit(group_by.key)
        else:
            before = [symbol for symbol, _ in grouping.keys if symbol is not None]
            key_type = TupleType(tuple(symbol.type for symbol in before))
            key = tuple(self.values[symbol] for symbol in before)
        bags = [(symbol, bag) for symbol, bag in grouping.bags if bag.used]
        values: list[SSAValue] = []
        for symbol, bag in bags:
            if not isinstance(symbol.type, ScalarType):
                what = f"using `{symbol.name}`, a {symbol.type}, after this group by is"
                self.unsupported(group_by.span, what, "bind its parts to names of their own")
            value = self.values[symbol]
            assert isinstance(value, SSAValue)
            values.append(self.as_scalar(value, symbol.type))
            self.bound.add(bag)
        op = self.add(GroupByOp(flatten(key), values))
        for new, old in zip(op.results, [*flatten(key), *values], strict=True):
            new.name_hint = old.name_hint
        group_key = unflatten(op.group_keys, key_type)
        if group_by.key is not None:
            self._bind(group_by.pattern, group_key)
        else:
            assert isinstance(group_key, tuple)
            for (_, symbol), part in zip(grouping.keys, group_key, strict=True):
                self.values[symbol] = part
                self.bound.add(symbol)
        for (_, bag), value in zip(bags, op.bags, strict=True):
            self.values[bag] = value
            set_name(value, bag.name)
        # A group's index is its key, if that is made of integers.
        self.indices = [*outer[0], *op.group_keys]
        integers = (IndexType(), ir_type(INT))
        self.rows_without_index = outer[1] or any(k.type not in integers for k in op.group_keys)

    # --- Roots -----------------------------------------------------------------------------

    def emit_collect(self, expr: syntax.Comprehension) -> SSAValue:
        """A comprehension by itself: a list."""
        type = self.type_of(expr)
        assert isinstance(type, ListType)

        def head() -> Row:
            return [], flatten(self.as_type(self.emit(expr.head), type.element))

        body = self.body_of(expr, head)
        bag = ir_type(type)
        assert isinstance(bag, BagType)
        return self.add(CollectOp(body, bag)).result

    def emit_aggregate(self, expr: syntax.Reduction, operand: syntax.Comprehension) -> SSAValue:
        """`op/[ … ]`; one that is the same for every row is computed before the comprehension."""
        type = self.type_of(expr)

        def head() -> Row:
            return [], [self.emit_as(operand.head, type)]

        def emit() -> SSAValue:
            monoid = BY_SYMBOL[expr.monoid].name
            return self.add(AggregateOp(monoid, self.body_of(operand, head), ir_type(type))).result

        if self.depends_on_rows(operand) or is_partial(self.checked, operand):
            return emit()
        with self.around():
            return emit()

    def emit_constructor(self, expr: syntax.Constructor) -> SSAValue:
        """`tensor(…) e` or `list* e`."""
        if expr.kind == "list":
            value = self.emit(expr.operand)
            assert isinstance(value, SSAValue)
            return value
        type = self.type_of(expr)
        assert isinstance(type, ArrayType)
        encoding: Attribute | None = None
        if expr.distributed:
            encoding = TilesAttr(len(expr.dense))
        elif expr.sparse:
            encoding = StorageAttr(len(expr.dense))
        dims = [self.emit_index(e) for e in (*expr.dense, *expr.sparse)]
        result = tensor_type(ir_type(type.element), type.rank, encoding)
        if isinstance(expr.operand, syntax.Comprehension):
            head = expr.operand.head
            body = self.body_of(expr.operand, lambda: self._emit_array_row(head, type.element))
            return self.add(BuildOp(dims, body, result)).result
        return self.rebuild(self.emit_source(expr.operand), dims, result)

    def _emit_array_row(self, head: syntax.Expr, element: Type) -> Row:
        if isinstance(head, syntax.TupleExpr):
            key, value = head.items
            parts = key.items if isinstance(key, syntax.TupleExpr) else None
            if parts is None and isinstance(self.type_of(key), ScalarType):
                parts = [key]
            if parts is not None:
                return [self.emit_index(p) for p in parts], [self.emit_as(value, element)]
        row = self.emit(head)
        assert isinstance(row, tuple)
        value = flatten(row[1])[0]
        return [self.as_index(k) for k in flatten(row[0])], [self.as_scalar(value, element)]

    def rebuild(
        self, source: SSAValue, dims: Sequence[SSAValue], type: TensorType[Attribute]
    ) -> SSAValue:
        """An array of the rows of another array, or of a list."""
        block = Block()
        with self.into(block):
            elements = self.add(EachOp(source)).elements
            keys = [self.as_index(e) for e in elements[:-1]]
            self.add(YieldOp(keys, [elements[-1]]))
        return self.add(BuildOp(dims, Region(block), type)).result
