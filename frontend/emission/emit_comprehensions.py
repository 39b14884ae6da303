"""Imports comprehensions, reductions and storage constructors: the roots of comprehensions.

tensor*(n)[ (i,+/a) | ((i,j),a) <- A, group by i ]
->
comprehension.build (%n) {
  %i, %j, %a = comprehension.each %A
  %gi, %as = comprehension.group_by keys(%i) values(%a)
  %s = comprehension.reduce add %as
  comprehension.yield (%gi) %s
}

A comprehension inside another one stands in its block.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.dialects.bags import BagType
from diablo.dialects.comprehension import (
    AggregateOp,
    BuildOp,
    CollectOp,
    EachOp,
    ListOp,
    ReduceOp,
    YieldOp,
)
from diablo.dialects.comprehension_tuples import tuple_type
from diablo.dialects.encodings import StorageAttr, TilesAttr, array_type
from diablo.dialects.monoids import BY_SYMBOL
from diablo.frontend.checking.types import ArrayType, ListType, MapType, ScalarType, Type
from diablo.frontend.emission.emit_qualifiers import QualifierEmitter, Row
from diablo.frontend.emission.ir_types import (
    Value,
    column_types,
    element_type,
    flatten,
    ir_type,
    tensor_type,
    unflatten,
    width,
)
from diablo.frontend.parsing import statements, syntax


class ComprehensionEmitter(QualifierEmitter, ABC):
    """The part of the importer that knows comprehensions."""

    @abstractmethod
    def define_monoid(self, use: syntax.Reduction | statements.Assign) -> str | None:
        """The name in the IR of the program's own monoid that `use` means, if it is one."""

    def monoid(self, use: syntax.Reduction | statements.Assign) -> str:
        """The name in the IR of the monoid of `op/e` or `d op= e`."""
        assert use.monoid is not None
        return self.define_monoid(use) or BY_SYMBOL[use.monoid].name

    # --- Lists -----------------------------------------------------------------------------

    def columns(self, expr: syntax.Expr, type: Type) -> list[SSAValue]:
        """The value of an expression as the columns of a row."""
        with self.at(expr.span):
            return list(map(self.as_column, flatten(self.emit_value(expr, type))))

    def emit_collect(self, expr: syntax.Comprehension) -> SSAValue:
        """A comprehension by itself: a list."""
        type = self.type_of(expr)
        assert isinstance(type, ListType)

        def emit() -> SSAValue:
            body = self.body_of(expr, lambda: ([], self.columns(expr.head, type.element)))
            return self._collect(body, 0)

        return self.once(emit)

    def _collect(self, body: Region, keys: int) -> SSAValue:
        row = body.block.last_op
        assert row is not None
        return self.add(CollectOp(body, BagType(row.operand_types, keys))).result

    def emit_list(self, expr: syntax.ListExpr) -> SSAValue:
        """`[a, b, c]`."""
        type = self.type_of(expr)
        assert isinstance(type, ListType)
        rows = [self.columns(item, type.element) for item in expr.items]
        if not rows:
            return self.add(ListOp([], BagType(column_types(type.element)))).result
        wanted = [value.type for value in rows[0]]
        rows = [[self.conform(v, t) for v, t in zip(row, wanted, strict=True)] for row in rows]
        return self.lift(self.add(ListOp(rows, BagType(wanted))).result)

    # --- Maps ------------------------------------------------------------------------------

    def emit_empty_map(self, type: MapType) -> SSAValue:
        """`map()`."""
        columns = [*column_types(type.key), element_type(type.value)]
        rows = self.add(ListOp([], BagType(columns))).result
        return self.lift(self.conform(rows, ir_type(type)))

    def _emit_map(self, expr: syntax.Constructor, type: MapType) -> SSAValue:
        operand = self.resolved(expr.operand)
        if not isinstance(operand, syntax.Comprehension):
            return self._map_of(self.emit_collection(operand), type)
        head = operand.head

        def row() -> Row:
            value = self.emit_value(head, type.element)
            assert isinstance(value, tuple)
            keys = list(map(self.as_column, flatten(value[0])))
            return keys, [self.packed(value[1], type.value)]

        return self._collect(self.body_of(operand, row), width(type.key))

    def _map_of(self, rows: SSAValue, type: MapType) -> SSAValue:
        """The map of the rows of a list, or of another map."""
        block = Block()
        keys = width(type.key)
        with self.comprehension(block):
            elements = self.add(EachOp(rows)).elements
            key = flatten(self.as_type(unflatten(elements[:keys], type.key), type.key))
            self.add(YieldOp(key, [self.pack(elements[keys:])]))
        return self._collect(Region(block), keys)

    def _rows_of_map(self, expr: syntax.Expr) -> SSAValue:
        """The list of the pairs of a map."""
        pairs = self.emit_collection(expr)
        block, outer = Block(), self.keys
        with self.comprehension(block):
            row = self.row_of(expr, self.add(EachOp(pairs)).elements)
            self.add(YieldOp([], list(map(self.as_column, flatten(row)))))
        self.keys = outer
        return self._collect(Region(block), 0)

    # --- Reductions ------------------------------------------------------------------------

    def emit_reduction(self, expr: syntax.Reduction) -> Value:
        """`op/e`."""
        type = self.type_of(expr)
        monoid = self.monoid(expr)
        operand = self.resolved(expr.operand)
        if isinstance(operand, syntax.Comprehension):
            head = operand.head

            def row() -> Row:
                return [], [self.packed(self.emit_value(head, type), type)]

            def aggregate() -> SSAValue:
                body = self.body_of(operand, row)
                with self.at(expr.span):
                    return self.add(AggregateOp(monoid, body, _yielded(body))).result

            return self.unpacked(self.once(aggregate), type)
        bag = self.lift(self.emit_collection(operand))

        def fold() -> SSAValue:
            assert isinstance(bag.type, BagType)
            if len(bag.type.columns) == 1:
                return self.add(ReduceOp(monoid, bag)).result
            block = Block()
            with self.comprehension(block):
                self.add(YieldOp([], [self.pack(self.add(EachOp(bag)).elements)]))
            body = Region(block)
            return self.add(AggregateOp(monoid, body, _yielded(body))).result

        return self.unpacked(self.once(fold), type)

    # --- Storage ---------------------------------------------------------------------------

    def emit_constructor(self, expr: syntax.Constructor) -> SSAValue:
        """`tensor(…) e`, `list* e` or `map* e`."""
        type = self.type_of(expr)
        if expr.kind == "list":
            if isinstance(self.type_of(expr.operand), MapType):
                return self.once(lambda: self._rows_of_map(expr.operand))
            return self.emit_collection(expr.operand)
        if isinstance(type, MapType):
            return self.once(lambda: self._emit_map(expr, type))
        assert isinstance(type, ArrayType)
        return self.once(lambda: self._emit_tensor(expr, type))

    def _emit_tensor(self, expr: syntax.Constructor, type: ArrayType) -> SSAValue:
        encoding: Attribute | None = None
        if expr.distributed:
            encoding = TilesAttr(len(expr.dense))
        elif expr.sparse:
            encoding = StorageAttr(len(expr.dense))
        dims = [self.emit_index(e) for e in (*expr.dense, *expr.sparse)]
        return self._build_array(expr.operand, type, dims, encoding)

    def emit_rows_as(self, rows: syntax.Expr, type: ArrayType, old: SSAValue) -> SSAValue:
        """The array of rows `(index, value)`, with the dimensions of `old` and stored as it is."""
        dims = [self.dimension(old, axis) for axis in range(type.rank)]
        encoding = array_type(old).encoding
        return self.once(lambda: self._build_array(rows, type, dims, encoding))

    def _build_array(
        self, rows: syntax.Expr, type: ArrayType, dims: list[SSAValue], encoding: Attribute | None
    ) -> SSAValue:
        rows = self.resolved(rows)
        if isinstance(rows, syntax.Comprehension):
            head = rows.head
            body = self.body_of(rows, lambda: self._emit_array_row(head, type))
            result = tensor_type(_yielded(body), type.rank, encoding)
            return self.add(BuildOp(dims, body, result)).result
        source = self.emit_collection(rows)
        result = tensor_type(_element_of(source, type.rank), type.rank, encoding)
        return self.rebuild(source, dims, result)

    def _emit_array_row(self, head: syntax.Expr, type: ArrayType) -> Row:
        head = self.resolved(head)
        if isinstance(head, syntax.TupleExpr):
            key, value = head.items
            parts = key.items if isinstance(key, syntax.TupleExpr) else None
            if parts is None and isinstance(self.type_of(key), ScalarType):
                parts = [key]
            if parts is not None:
                indices = [self.emit_index(part) for part in parts]
                return indices, [self.packed(self.emit_value(value, type.element), type.element)]
        row = self.emit(head)
        assert isinstance(row, tuple)
        keys = [self.as_index(k) for k in flatten(row[0])]
        return keys, [self.packed(row[1], type.element)]


def _yielded(body: Region) -> Attribute:
    """The type of the last value that a comprehension yields."""
    row = body.block.last_op
    assert row is not None
    return row.operand_types[-1]


def _element_of(source: SSAValue, rank: int) -> Attribute:
    """The type of the elements of an array that is made of the rows of `source`."""
    if isinstance(source.type, BagType):
        leaves = list(source.type.columns)[rank:]
        return leaves[0] if len(leaves) == 1 else tuple_type(leaves)
    return array_type(source).get_element_type()
