"""Imports arrays over regions as a whole: their first values, assignments, generators.

var A: matrix[Double] over Tri fill 7.0
->
%first = comprehension.build (%n, %n) { %i, %j, %in = comprehension.each %Tri; yield (%i, %j) 7.0 }
%A = diablo.var "A" = %first : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from xdsl.dialects import tensor
from xdsl.ir import Block, Region, SSAValue

from diablo.diagnostics import Span
from diablo.dialects.comprehension import BuildOp, EachOp, GuardOp, YieldOp
from diablo.dialects.diablo import LoadOp, RefType
from diablo.dialects.encodings import array_type
from diablo.frontend.checking.index_sets import IndexSet
from diablo.frontend.checking.types import ArrayType, ListType, fits
from diablo.frontend.emission.branches import once
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.emit_region_elements import (
    filled,
    indices_at,
    is_chosen,
    note_inside,
    over_of,
    position,
)
from diablo.frontend.emission.emit_region_indices import region_length
from diablo.frontend.emission.emit_region_patterns import all_positions, region_array, stored
from diablo.frontend.emission.emit_regions import require_shape
from diablo.frontend.emission.emit_scalars import emit_value
from diablo.frontend.emission.emit_values import (
    as_element,
    emit_collection,
    load,
    unpack_value,
    variables_of,
)
from diablo.frontend.emission.ir_types import Value, element_type, unflatten
from diablo.frontend.emission.region_values import Over, RegionValue, dense_type, sparse_type
from diablo.frontend.emission.stored_values import implicit
from diablo.frontend.parsing import syntax


def emit_name(build: Builder, expr: syntax.Name) -> Value:
    """The value of a variable; of an array over a region every element of its box."""
    symbol = build.checked.symbols[expr]
    if symbol.kind == "region":
        assert symbol.region is not None
        return region_array(build, symbol.region)
    return _whole_value(
        build, load(build, build.scope.values[symbol]), over_of(build, expr), expr.span
    )


def variable_value(build: Builder, name: syntax.NamePattern) -> Value:
    """The value of a variable as a result of the program."""
    value = build.scope.values[build.checked.symbols[name]]
    over = build.scope.over.get(value) if isinstance(value, SSAValue) else None
    return _whole_value(build, load(build, value), over, name.span)


def _whole_value(build: Builder, stored: Value, over: Over | None, span: Span) -> Value:
    if over is None or not isinstance(stored, SSAValue):
        return stored
    if over.index_set.has_flood:
        build.unsupported(span, "an array over a flood dimension as a whole is")
    if over.fill is None or over.region.pattern is None:
        return stored
    return whole(build, stored, over)


def array_over(build: Builder, type: ArrayType, over: Over, init: syntax.Expr | None) -> SSAValue:
    """An array over a region with the values of `init`: an array, a list, or one for all."""
    region, element = over.region, element_type(type.element)
    rank = len(region.stored)
    given = None if init is None else build.type_of(init)
    if isinstance(given, ListType) and fits(given, type.element):
        given = None  # One list for all indices.
    rows: Callable[[], tuple[Sequence[SSAValue], SSAValue]]
    if init is not None and isinstance(given, ListType):
        collection = emit_collection(build, init)
        sorted = build.is_sorted(init)
        rows = lambda: _listed_rows(build, collection, type, over, sorted=sorted)  # noqa: E731
    elif init is not None and isinstance(given, ArrayType):
        rows = _array_rows(build, init, given, type, over)
    else:
        value = over.fill
        if init is not None:
            value = as_element(build, emit_value(build, init, type.element), type.element)
        cell = value or implicit(build, element)
        rows = lambda: (_all_positions(build, region), cell)  # noqa: E731
    block, keys = Block(), build.scope.keys
    with build.comprehension(block):
        positions, cell = rows()
        build.add(YieldOp(positions, [cell]))
    build.scope.keys = keys
    result = (dense_type if region.pattern is None else sparse_type)(element, rank)
    dims = [dim.extent for dim in region.stored]
    return build.add(BuildOp(dims, Region(block), result)).result


def _all_positions(build: Builder, region: RegionValue) -> Sequence[SSAValue]:
    """Go through the positions of a region."""
    if region.pattern is None:
        return list(map(partial(all_positions, build), region.stored))
    pattern = load(build, region.pattern)
    assert isinstance(pattern, SSAValue)
    return build.add(EachOp(pattern)).elements[:-1]


def _listed_rows(
    build: Builder, rows: SSAValue, type: ArrayType, over: Over, *, sorted: bool
) -> tuple[Sequence[SSAValue], SSAValue]:
    elements = build.add(EachOp(rows, sorted=sorted)).elements
    rank = len(over.region.stored)
    dims = zip(elements[:rank], over.region.stored, strict=True)
    positions = [position(build, build.as_index(e), dim) for e, dim in dims]
    if over.region.pattern is not None:
        build.add(GuardOp(is_chosen(build, over.region.pattern, positions, probe=False)))
    found = unflatten(elements[rank:], type.element)
    return positions, as_element(build, found, type.element)


def _array_rows(
    build: Builder, init: syntax.Expr, given: ArrayType, type: ArrayType, over: Over
) -> Callable[[], tuple[Sequence[SSAValue], SSAValue]]:
    source = over_of(build, init)
    if source is None:
        array = emit_collection(build, init)
        message = "the array has another shape than the region it is assigned to"
        require_shape(build, array, over.region.stored, message)
    else:
        array = stored(build, init)

    def rows() -> tuple[Sequence[SSAValue], SSAValue]:
        positions = _all_positions(build, over.region)
        keys = list(positions)
        if source is not None:
            indices = indices_at(build, positions, over.region)
            dims = zip(indices, source.region.stored, strict=True)
            keys = [position(build, index, dim) for index, dim in dims]
        found = build.add(
            tensor.ExtractOp(array, keys, array_type(array).get_element_type())
        ).result
        if source is not None:
            found = filled(build, found, keys, source, inside=False)
        return positions, as_element(build, unpack_value(build, found, given.element), type.element)

    return rows


def whole(build: Builder, array: SSAValue, over: Over) -> SSAValue:
    """An array over a region with its fill value where nothing is stored."""

    def emit() -> SSAValue:
        block = Block()
        element = array_type(array).get_element_type()
        with build.comprehension(block):
            positions = list(map(partial(all_positions, build), over.region.stored))
            value = build.add(tensor.ExtractOp(array, positions, element)).result
            build.add(YieldOp(positions, [filled(build, value, positions, over, inside=False)]))
        result = dense_type(element, len(positions))
        dims = [dim.extent for dim in over.region.stored]
        return build.add(BuildOp(dims, Region(block), result)).result

    return once(build, emit)


def region_rows(build: Builder, source: syntax.Expr, over: Over, *, full: bool) -> list[SSAValue]:
    """Go through an array over a region in a comprehension: indices and elements.

    These are the indices of its region, or with `full` all of its box.
    """
    array, pattern = stored(build, source), over.region.pattern
    if pattern is None or full:
        *positions, value = build.add(EachOp(array, full=full)).elements
        value = filled(build, value, positions, over, inside=not full)
    else:
        positions = _all_positions(build, over.region)
        element = array_type(array).get_element_type()
        value = build.add(tensor.ExtractOp(array, positions, element)).result
    return _row(build, positions, value, over, full=full)


def region_row(
    build: Builder, source: syntax.Expr, over: Over, elements: Sequence[SSAValue]
) -> list[SSAValue]:
    """The indices and the element of an iteration of a loop over an array over a region."""
    if over.region.pattern is None:
        return _row(build, elements[:-1], elements[-1], over, full=False)
    positions = elements[:-1]
    ref = variables_of(build, source)
    if isinstance(ref, SSAValue) and isinstance(ref.type, RefType):
        value = build.add(LoadOp(ref, positions)).result
    else:
        array = stored(build, source)
        element = array_type(array).get_element_type()
        value = build.add(tensor.ExtractOp(array, positions, element)).result
    return _row(build, positions, value, over, full=False)


def _row(
    build: Builder, positions: Sequence[SSAValue], value: SSAValue, over: Over, *, full: bool
) -> list[SSAValue]:
    indices = indices_at(build, positions, over.region)
    if not full:
        note_inside(build, indices, over.index_set)
    return [*indices, value]


def region_size(
    build: Builder, expr: syntax.Field, region: IndexSet, value: RegionValue
) -> SSAValue:
    """`R.length`, `R.rows`, `R.cols`, also of an array over a region."""
    symbol = build.checked.symbols[expr.base] if isinstance(expr.base, syntax.Name) else None
    if expr.name == "length" and symbol is not None and symbol.kind == "region":
        return region_length(build, region)
    dim = value.dims[1 if expr.name == "cols" else 0]
    if dim is None:
        build.unsupported(expr.span, "the size of a flood dimension is")
    return dim.extent
