"""Imports the qualifiers of a comprehension: generators, guards, lets, group-bys.

((i,j),a) <- A, group by i   ->   %i, %j, %a = comprehension.each %A
                                  %gi, %as = comprehension.group_by keys(%i) values(%a)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeGuard

from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.dialects.bags import BagType
from diablo.dialects.comprehension import (
    AggregateOp,
    BuildOp,
    CollectOp,
    EachOp,
    GroupByOp,
    GuardOp,
    ListOp,
    RangeOp,
    ReduceOp,
    YieldOp,
)
from diablo.dialects.encodings import StorageAttr, TilesAttr, array_type
from diablo.dialects.tensor_block import SortOp
from diablo.dialects.tuple_types import tuple_type
from diablo.frontend.checking.types import (
    BOOLEAN,
    ArrayType,
    ListType,
    MapType,
    ScalarType,
    TupleType,
    Type,
)
from diablo.frontend.emission.branches import lift, once
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.constant_lists import constant_list
from diablo.frontend.emission.emission_scope import Key, group_keys, row_keys
from diablo.frontend.emission.emit_monoids import define_monoid
from diablo.frontend.emission.emit_region_arrays import region_rows
from diablo.frontend.emission.emit_region_elements import over_of
from diablo.frontend.emission.emit_region_indices import region_indices
from diablo.frontend.emission.emit_scalars import (
    as_type,
    conjuncts,
    emit_as,
    emit_index,
    emit_value,
)
from diablo.frontend.emission.emit_values import (
    as_element,
    bind,
    emit_collection,
    pack_value,
    unpack_value,
)
from diablo.frontend.emission.ir_types import (
    Value,
    column_types,
    flatten,
    ir_type,
    packed_type,
    set_name,
    tensor_type,
    unflatten,
    width,
)
from diablo.frontend.emission.stored_values import as_column, conform, pack, rebuild
from diablo.frontend.parsing import statements, syntax
from diablo.monoid_table import monoid_of_symbol

Row = tuple[Sequence[SSAValue], Sequence[SSAValue]]


def body_of(
    build: Builder, expr: syntax.Comprehension, head: Callable[[], Row], *, keyed: bool = False
) -> Region:
    """The body of a comprehension, whose row is what `head` emits.

    If the rows are `keyed`, the order in which they come decides between those of one key.
    """
    block = Block()
    outer = build.scope.keys
    try:
        with build.comprehension(block):
            for qualifier in expr.qualifiers:
                with build.at(qualifier.span):
                    _emit_qualifier(build, qualifier, outer, keyed=keyed)
            with build.at(expr.head.span):
                keys, values = head()
                build.add(YieldOp(keys, values))
    finally:
        build.scope.keys = outer
    return Region(block)


def _emit_qualifier(
    build: Builder, qualifier: syntax.Qualifier, outer: list[Key], *, keyed: bool
) -> None:
    match qualifier:
        case syntax.Generator():
            bind(build, qualifier.pattern, _emit_generator(build, qualifier, keyed=keyed))
        case syntax.Guard():
            for condition in conjuncts(qualifier.condition):
                with build.at(condition.span):
                    build.add(GuardOp(emit_as(build, condition, BOOLEAN)))
        case syntax.Let():
            bind(build, qualifier.pattern, build.emit(qualifier.value))
        case syntax.GroupBy():
            _emit_group_by(build, qualifier, outer)


def _emit_generator(build: Builder, generator: syntax.Generator, *, keyed: bool) -> Value:
    source = generator.source
    if isinstance(source, syntax.Range):
        lower, upper = emit_index(build, source.lower), emit_index(build, source.upper)
        index = build.add(RangeOp(lower, upper)).index
        build.scope.keys = [*build.scope.keys, Key(index)]
        return index
    region = build.checked.regions.get(source)
    if region is not None:
        indices = region_indices(build, region)
        return indices[0] if len(indices) == 1 else tuple(indices)
    over = over_of(build, source)
    if over is not None:
        return row_of(build, source, region_rows(build, source, over, full=generator.full))
    collection = emit_collection(build, source)
    sorted = keyed and build.is_sorted(source)
    op = build.add(EachOp(collection, full=generator.full, sorted=sorted))
    return row_of(build, source, op.elements)


def row_of(build: Builder, source: syntax.Expr, elements: Sequence[SSAValue]) -> Value:
    """Return what `each` binds, as a value of the source's row type."""
    type = build.type_of(source)
    if isinstance(type, ArrayType):
        build.scope.keys = [*build.scope.keys, *map(Key, elements[:-1])]
        *indices, element = elements
        key: Value = indices[0] if len(indices) == 1 else tuple(indices)
        return key, unpack_value(build, element, type.element)
    build.scope.keys = [*build.scope.keys, *row_keys(list(elements))]
    if isinstance(type, MapType):
        keys = width(type.key)
        value = unpack_value(build, elements[keys], type.value)
        return unflatten(elements[:keys], type.key), value
    assert isinstance(type, ListType)
    return unflatten(elements, type.element)


def _emit_group_by(build: Builder, group_by: syntax.GroupBy, outer: list[Key]) -> None:
    grouping = build.checked.groupings[group_by]
    if group_by.key is not None:
        key_type = build.type_of(group_by.key)
        key: Value = build.emit(group_by.key)
    else:
        before = [symbol for symbol, _ in grouping.keys if symbol is not None]
        key_type = TupleType(tuple(symbol.type for symbol in before))
        key = tuple(build.scope.values[symbol] for symbol in before)
    bags = [(symbol, bag) for symbol, bag in grouping.bags if bag.used]
    columns: list[list[SSAValue]] = []
    for symbol, _ in bags:
        value = as_type(build, build.scope.values[symbol], symbol.type)
        columns.append(list(map(partial(as_column, build), flatten(value))))
    values = [column for bag in columns for column in bag]
    op = build.add(GroupByOp(flatten(key), values, [len(bag) for bag in columns]))
    for new, old in zip(op.group_keys, flatten(key), strict=True):
        new.name_hint = old.name_hint
    group_key = unflatten(op.group_keys, key_type)
    if group_by.key is not None:
        bind(build, group_by.pattern, group_key)
    else:
        assert isinstance(group_key, tuple)
        for (_, symbol), part in zip(grouping.keys, group_key, strict=True):
            build.scope.values[symbol] = part
    for (_, bag), value in zip(bags, op.bags, strict=True):
        build.scope.values[bag] = value
        set_name(value, bag.name)
    build.scope.keys = [*outer, *group_keys(list(op.group_keys))]


def monoid_name(build: Builder, use: syntax.Reduction | statements.Assign) -> str:
    """The name in the IR of the monoid of `op/e` or `d op= e`."""
    own = define_monoid(build, use)
    if own is not None:
        return own
    monoid = monoid_of_symbol(use.monoid)
    assert monoid is not None
    return monoid.name


def columns(build: Builder, expr: syntax.Expr, type: Type) -> list[SSAValue]:
    """The value of an expression as the columns of a row."""
    with build.at(expr.span):
        return list(map(partial(as_column, build), flatten(emit_value(build, expr, type))))


def emit_collect(build: Builder, expr: syntax.Comprehension) -> SSAValue:
    """A comprehension by itself: a list."""
    type = build.type_of(expr)
    assert isinstance(type, ListType)

    def emit() -> SSAValue:
        if expr.in_order:
            return _emit_sorted(build, expr, type.element)
        body = body_of(build, expr, lambda: ([], columns(build, expr.head, type.element)))
        return _collect(build, body, 0)

    return once(build, emit)


def _emit_sorted(build: Builder, expr: syntax.Comprehension, type: Type) -> SSAValue:
    """The rows of a comprehension in its order: they are sorted with their keys, which then go."""
    kept: list[int] = []
    by: list[tuple[int, bool]] = []

    def row() -> Row:
        values = columns(build, expr.head, type)
        kept.extend(range(len(values)))
        for key in expr.order:
            for part in columns(build, key.value, build.type_of(key.value)):
                if part not in values:
                    values.append(part)
                by.append((values.index(part), key.descending))
        return [], values

    with build.at(expr.span):
        limit = None if expr.limit is None else emit_index(build, expr.limit)
        rows = _collect(build, body_of(build, expr, row, keyed=True), 0)
        assert isinstance(rows.type, BagType)
        some = kept if len(kept) < len(rows.type.columns) else None
        return build.add(SortOp(rows, by, limit, some)).result


def _is_inlined(expr: syntax.Expr) -> TypeGuard[syntax.Comprehension]:
    """Return whether what takes the rows of `expr` makes a comprehension of its own of them.

    Rows in an order are a list first, of which it takes the rows.
    """
    return isinstance(expr, syntax.Comprehension) and not expr.in_order


def _collect(build: Builder, body: Region, keys: int) -> SSAValue:
    row = body.block.last_op
    assert row is not None
    return build.add(CollectOp(body, BagType(row.operand_types, keys))).result


def emit_list(build: Builder, expr: syntax.ListExpr) -> SSAValue:
    """`[a, b, c]`."""
    type = build.type_of(expr)
    assert isinstance(type, ListType)
    constants = constant_list(build, expr.items, type.element)
    if constants is not None:
        return lift(build, build.add(constants).result)
    rows = [columns(build, item, type.element) for item in expr.items]
    if not rows:
        return build.add(ListOp([], BagType(column_types(type.element)))).result
    wanted = [value.type for value in rows[0]]
    rows = [[conform(build, v, t) for v, t in zip(row, wanted, strict=True)] for row in rows]
    return lift(build, build.add(ListOp(rows, BagType(wanted))).result)


def emit_empty_map(build: Builder, type: MapType) -> SSAValue:
    """`map()`."""
    columns = [*column_types(type.key), packed_type(type.value)]
    rows = build.add(ListOp([], BagType(columns))).result
    return lift(build, conform(build, rows, ir_type(type)))


def _emit_map(build: Builder, expr: syntax.Constructor, type: MapType) -> SSAValue:
    operand = build.resolved(expr.operand)
    if not _is_inlined(operand):
        rows = emit_collection(build, operand)
        return _map_of(build, rows, type, sorted=build.is_sorted(operand))
    head = operand.head

    def row() -> Row:
        value = emit_value(build, head, type.element)
        assert isinstance(value, tuple)
        keys = list(map(partial(as_column, build), flatten(value[0])))
        return keys, [pack_value(build, value[1], type.value)]

    return _collect(build, body_of(build, operand, row, keyed=True), width(type.key))


def _map_of(build: Builder, rows: SSAValue, type: MapType, *, sorted: bool) -> SSAValue:
    """The map of the rows of a list, or of another map."""
    block = Block()
    keys = width(type.key)
    with build.comprehension(block):
        elements = build.add(EachOp(rows, sorted=sorted)).elements
        key = flatten(as_type(build, unflatten(elements[:keys], type.key), type.key))
        build.add(YieldOp(key, [pack(build, elements[keys:])]))
    return _collect(build, Region(block), keys)


def _rows_of_map(build: Builder, expr: syntax.Expr) -> SSAValue:
    """The list of the pairs of a map."""
    pairs = emit_collection(build, expr)
    block, outer = Block(), build.scope.keys
    with build.comprehension(block):
        row = row_of(build, expr, build.add(EachOp(pairs)).elements)
        build.add(YieldOp([], list(map(partial(as_column, build), flatten(row)))))
    build.scope.keys = outer
    return _collect(build, Region(block), 0)


def emit_reduction(build: Builder, expr: syntax.Reduction) -> Value:
    """`op/e`."""
    type = build.type_of(expr)
    monoid = monoid_name(build, expr)
    operand = build.resolved(expr.operand)
    if _is_inlined(operand):
        head = operand.head

        def row() -> Row:
            return [], [pack_value(build, emit_value(build, head, type), type)]

        def aggregate() -> SSAValue:
            body = body_of(build, operand, row)
            with build.at(expr.span):
                return build.add(AggregateOp(monoid, body, _yielded(body))).result

        return unpack_value(build, once(build, aggregate), type)
    bag = lift(build, emit_collection(build, operand))

    def fold() -> SSAValue:
        assert isinstance(bag.type, BagType)
        if len(bag.type.columns) == 1:
            return build.add(ReduceOp(monoid, bag)).result
        block = Block()
        with build.comprehension(block):
            build.add(YieldOp([], [pack(build, build.add(EachOp(bag)).elements)]))
        body = Region(block)
        return build.add(AggregateOp(monoid, body, _yielded(body))).result

    return unpack_value(build, once(build, fold), type)


def emit_constructor(build: Builder, expr: syntax.Constructor) -> SSAValue:
    """`tensor(…) e`, `list* e` or `map* e`."""
    type = build.type_of(expr)
    if expr.kind == "list":
        if isinstance(build.type_of(expr.operand), MapType):
            return once(build, lambda: _rows_of_map(build, expr.operand))
        return emit_collection(build, expr.operand)
    if isinstance(type, MapType):
        return once(build, lambda: _emit_map(build, expr, type))
    assert isinstance(type, ArrayType)
    return once(build, lambda: _emit_tensor(build, expr, type))


def _emit_tensor(build: Builder, expr: syntax.Constructor, type: ArrayType) -> SSAValue:
    encoding: Attribute | None = None
    if expr.distributed:
        encoding = TilesAttr(len(expr.dense))
    elif expr.sparse:
        encoding = StorageAttr(len(expr.dense))
    dims = [emit_index(build, e) for e in (*expr.dense, *expr.sparse)]
    return _build_array(build, expr.operand, type, dims, encoding)


def emit_rows_as(build: Builder, rows: syntax.Expr, type: ArrayType, old: SSAValue) -> SSAValue:
    """The array of rows `(index, value)`, with the dimensions of `old` and stored as it is."""
    dims = [build.dimension(old, axis) for axis in range(type.rank)]
    encoding = array_type(old).encoding
    if not _is_inlined(build.resolved(rows)):
        return once(build, lambda: _build_of_list(build, rows, type, dims, encoding))
    return once(build, lambda: _build_array(build, rows, type, dims, encoding))


def _build_of_list(
    build: Builder,
    rows: syntax.Expr,
    type: ArrayType,
    dims: list[SSAValue],
    encoding: Attribute | None,
) -> SSAValue:
    """The array of a list, whose elements become those of the array's type."""
    source, block = emit_collection(build, rows), Block()
    with build.comprehension(block):
        columns = build.add(EachOp(source, sorted=build.is_sorted(rows))).elements
        build.add(YieldOp(*_array_row(build, row_of(build, rows, columns), type)))
    body = Region(block)
    return build.add(BuildOp(dims, body, tensor_type(_yielded(body), type.rank, encoding))).result


def _build_array(
    build: Builder,
    rows: syntax.Expr,
    type: ArrayType,
    dims: list[SSAValue],
    encoding: Attribute | None,
) -> SSAValue:
    rows = build.resolved(rows)
    if _is_inlined(rows):
        head = rows.head
        body = body_of(build, rows, lambda: _emit_array_row(build, head, type), keyed=True)
        result = tensor_type(_yielded(body), type.rank, encoding)
        return build.add(BuildOp(dims, body, result)).result
    source = emit_collection(build, rows)
    result = tensor_type(_element_of(source, type.rank), type.rank, encoding)
    return rebuild(build, source, dims, result, sorted=build.is_sorted(rows))


def _emit_array_row(build: Builder, head: syntax.Expr, type: ArrayType) -> Row:
    head = build.resolved(head)
    if isinstance(head, syntax.TupleExpr):
        key, value = head.items
        parts = key.items if isinstance(key, syntax.TupleExpr) else None
        if parts is None and isinstance(build.type_of(key), ScalarType):
            parts = [key]
        if parts is not None:
            indices = [emit_index(build, part) for part in parts]
            return indices, [
                as_element(build, emit_value(build, value, type.element), type.element)
            ]
    return _array_row(build, build.emit(head), type)


def _array_row(build: Builder, row: Value, type: ArrayType) -> Row:
    """The indices and the element that a row `(index, value)` gives an array."""
    assert isinstance(row, tuple)
    keys = [build.as_index(k) for k in flatten(row[0])]
    return keys, [as_element(build, row[1], type.element)]


def _yielded(body: Region) -> Attribute:
    """The type of the last value that a comprehension yields."""
    row = body.block.last_op
    assert row is not None
    return row.operand_types[-1]


def _element_of(source: SSAValue, rank: int) -> Attribute:
    """The type of the elements of an array that is made of the rows of `source`."""
    if isinstance(source.type, BagType):
        leaves = list(source.type.columns)[rank:]
        alone = len(leaves) == 1 and not isinstance(leaves[0], BagType)
        return leaves[0] if alone else tuple_type(leaves)
    return array_type(source).get_element_type()
