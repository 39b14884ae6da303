"""Imports reads of elements: of arrays, lists, maps and strings.

V[i]   in a loop                 ->   %v = diablo.load %V[%i]
V[i]   in a comprehension        ->   %v = tensor.extract %V_loaded[%i]
M[k]   in a loop, M no variable  ->   %v, %found = comprehension.probe %M[%k]
                                      %w = diablo.require %v if %found
V[i]   in a branch inside one    ->   %v, %inside = comprehension.probe %V_loaded[%i]
                                      comprehension.guard (the branch is not taken || %inside)
L[i]                             ->   %v = comprehension.element %L_loaded[%i]
M[k]   in a comprehension        ->   %v, %found = comprehension.probe %M_loaded[%k]
                                      comprehension.guard %found
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.dialects.comprehension import (
    BuildOp,
    EachOp,
    ElementOp,
    GuardOp,
    ProbeOp,
    RangeOp,
    YieldOp,
)
from diablo.dialects.diablo import LoadOp
from diablo.dialects.encodings import StorageAttr, TilesAttr, array_type, dense_rank, is_tiled
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.types import INT, STRING, ArrayType, ListType, MapType, Type
from diablo.frontend.emission.branches import lift, negated, once, path_condition, require, required
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.emit_region_elements import (
    filled,
    known_inside,
    over_of,
    positions_of,
)
from diablo.frontend.emission.emit_region_indices import emit_member
from diablo.frontend.emission.emit_region_patterns import stored
from diablo.frontend.emission.emit_scalars import (
    as_type,
    emit_as,
    emit_index,
    emit_value,
    string_call,
)
from diablo.frontend.emission.emit_values import (
    emit_collection,
    emit_single,
    unpack_value,
    variables_of,
)
from diablo.frontend.emission.ir_types import Value, flatten, tensor_type, unflatten
from diablo.frontend.emission.region_values import Over
from diablo.frontend.parsing import syntax


def emit_element(build: Builder, expr: syntax.Index) -> Value:
    """The element of an array or a list, the value of a map, the character of a string."""
    type = build.type_of(expr.base)
    region = build.checked.regions.get(expr.base)
    if region is None and isinstance(expr.base, syntax.Name):
        symbol = build.checked.symbols[expr.base]
        region = symbol.region if symbol.kind == "region" else None
    if region is not None:
        return emit_member(build, expr, region)
    if any(isinstance(index, syntax.Slice) for index in expr.indices):
        return emit_slice(build, expr)
    if type == STRING:
        text = emit_single(build, expr.base)
        position = expr.indices[0]
        assert not isinstance(position, syntax.Slice)
        return string_call(build, "char_at", text, emit_as(build, position, INT))
    if isinstance(type, ListType):
        return _emit_row(build, expr, type)
    assert isinstance(type, ArrayType | MapType)
    over = over_of(build, expr.base)
    if over is not None:
        return _region_element(build, expr, over)
    keys = emit_keys(build, expr, type)
    element = type.element if isinstance(type, ArrayType) else type.value
    if expr in build.checked.defaults:
        probe = ProbeOp(emit_collection(build, expr.base), keys)
        return unpack_value(build, build.add(probe).values[0], element)
    ref = variables_of(build, expr.base)
    with build.at(expr.span):
        if isinstance(ref, SSAValue) and build.rows_from is None and build.branches_from is None:
            return unpack_value(build, build.add(LoadOp(ref, keys)).result, element)
    collection = emit_collection(build, expr.base)
    with build.at(expr.span):
        return unpack_value(build, _read(build, collection, keys, type), element)


def _emit_row(build: Builder, expr: syntax.Index, type: ListType) -> Value:
    """The row of a list at a position."""
    rows = lift(build, emit_collection(build, expr.base))
    (position,) = expr.indices
    assert not isinstance(position, syntax.Slice)
    index = emit_as(build, position, INT)
    with build.at(expr.span):
        return unflatten(build.add(ElementOp(rows, index)).values, type.element)


def _region_element(build: Builder, expr: syntax.Index, over: Over) -> Value:
    """The element of an array over a region: its fill value where nothing is stored."""
    type = build.type_of(expr.base)
    assert isinstance(type, ArrayType)
    positions = positions_of(build, expr, over.region)
    ref = variables_of(build, expr.base)
    with build.at(expr.span):
        if isinstance(ref, SSAValue) and build.rows_from is None and build.branches_from is None:
            value = build.add(LoadOp(ref, positions)).result
        else:
            value = _read(build, stored(build, expr.base), positions, type)
        inside = known_inside(build, expr, over.index_set)
        value = filled(build, value, positions, over, inside=inside)
        return unpack_value(build, value, type.element)


def emit_keys(build: Builder, expr: syntax.Index, type: Type) -> list[SSAValue]:
    """The indices of an array's element, or the leaves of a map's key."""
    over = over_of(build, expr.base)
    if over is not None:
        return positions_of(build, expr, over.region)
    indices = [index for index in expr.indices if not isinstance(index, syntax.Slice)]
    if isinstance(type, ArrayType):
        return [emit_index(build, index) for index in indices]
    assert isinstance(type, MapType)
    if len(indices) == 1:
        return flatten(emit_value(build, indices[0], type.key))
    value = tuple(build.emit(index) for index in indices)
    return flatten(as_type(build, value, type.key))


def _read(build: Builder, collection: SSAValue, keys: Sequence[SSAValue], type: Type) -> SSAValue:
    """Read an element; where there is none, the row is dropped or the program fails."""
    if build.branches_from is None and isinstance(type, ArrayType):
        element = array_type(collection).get_element_type()
        return build.add(tensor.ExtractOp(collection, keys, element)).result
    if build.branches_from is None:
        probe = build.add(ProbeOp(collection, keys))
        return required(build, probe.values[0], probe.found, "the map has no such key")
    path = path_condition(build)
    collection, *keys = map(partial(lift, build), (collection, *keys))
    with build.into(build.frames[build.branches_from]):
        probe = build.add(ProbeOp(collection, keys))
        found = build.add(arith.OrIOp(negated(build, path), probe.found)).result
    return required(build, probe.values[0], found, "there is no such element")


_LARGE_STEP = 2**31


@dataclass(frozen=True)
class Axis:
    """What a slice takes of one dimension: `count` indices from `start`, or `start` alone."""

    start: SSAValue
    step: SSAValue | None = None
    count: SSAValue | None = None


def emit_slice(build: Builder, expr: syntax.Index) -> SSAValue:
    """`A[a:b:c, i]`: a slice in some dimensions, an index in the others."""
    over = over_of(build, expr.base)
    if over is not None and not all(dim.counts_from_zero for dim in over.region.stored):
        hint = "write a comprehension over its region"
        build.unsupported(expr.span, "slices of arrays whose indices do not start at 0 are", hint)
    array = emit_collection(build, expr.base)

    def emit() -> SSAValue:
        axes = [_axis(build, array, d, index) for d, index in enumerate(expr.indices)]
        sparse = dense_rank(array_type(array)) < len(axes)
        block = Block()
        with build.comprehension(block):
            keys, value = (partial(_stored, build) if sparse else partial(_computed, build))(
                array, axes
            )
            build.add(YieldOp(keys, [value]))
        dims = [axis.count for axis in axes if axis.count is not None]
        type = array_type(array)
        dense = sum(axis.count is not None for axis in axes[: dense_rank(type)])
        if sparse:
            # A column of a sparse matrix has few entries, as a row has.
            dense = min(dense, max(0, len(dims) - 1))
        encoding: Attribute | None = StorageAttr(dense) if dense < len(dims) else None
        if is_tiled(type):
            encoding = TilesAttr(dense)
        result = tensor_type(type.get_element_type(), len(dims), encoding)
        return build.add(BuildOp(dims, Region(block), result)).result

    with build.at(expr.span):
        return once(build, emit)


def _axis(build: Builder, array: SSAValue, number: int, index: syntax.Expr | syntax.Slice) -> Axis:
    extent = build.dimension(array, number)
    if not isinstance(index, syntax.Slice):
        start = emit_index(build, index)
        if not build.in_rows:
            inside = build.add(arith.CmpiOp(start, extent, "ult")).result
            require(build, inside, "an index of this slice is outside the array")
        return Axis(start)
    start = _bound(build, index.start, "start") or build.index_constant(0)
    stop = _bound(build, index.stop, "stop")
    end = extent if stop is None else build.add(arith.MinSIOp(stop, extent)).result
    step = _step(build, index.step, extent)
    length = end
    if _constant(start) != 0:
        length = build.add(arith.SubiOp(end, start)).result
    if _constant(step) != 1:
        one = build.index_constant(1)
        raised = build.add(arith.AddiOp(length, build.add(arith.SubiOp(step, one)).result))
        length = build.add(arith.DivSIOp(raised.result, step)).result
    zero = build.index_constant(0)
    return Axis(start, step, build.add(arith.MaxSIOp(length, zero)).result)


def _bound(build: Builder, expr: syntax.Expr | None, what: str) -> SSAValue | None:
    if expr is None:
        return None
    value = emit_index(build, expr)
    if constant_of(expr) is None and not build.in_rows:
        test = build.add(arith.CmpiOp(value, build.index_constant(0), "sge")).result
        require(build, test, f"the {what} of a slice is negative")
    return value


def _step(build: Builder, expr: syntax.Expr | None, extent: SSAValue) -> SSAValue:
    """The step of a slice, at most the extent, so that no index of the slice overflows."""
    if expr is None:
        return build.index_constant(1)
    value = emit_index(build, expr)
    constant = constant_of(expr)
    if constant is not None and constant <= _LARGE_STEP:
        return value
    one = build.index_constant(1)
    if not build.in_rows:
        test = build.add(arith.CmpiOp(value, one, "sge")).result
        require(build, test, "the step of a slice is not positive")
    value = build.add(arith.MinSIOp(value, extent)).result
    return build.add(arith.MaxSIOp(value, one)).result


def _computed(build: Builder, array: SSAValue, axes: list[Axis]) -> tuple[list[SSAValue], SSAValue]:
    """The rows of a slice of a dense array: an element for each index of the slice."""
    keys: list[SSAValue] = []
    indices: list[SSAValue] = []
    for axis in axes:
        index = axis.start
        if axis.count is not None and axis.step is not None:
            zero, one = build.index_constant(0), build.index_constant(1)
            last = build.add(arith.SubiOp(axis.count, one)).result
            key = index = build.add(RangeOp(zero, last)).index
            keys.append(key)
            if _constant(axis.step) != 1:
                index = build.add(arith.MuliOp(key, axis.step)).result
            if _constant(axis.start) != 0:
                index = build.add(arith.AddiOp(index, axis.start)).result
        indices.append(index)
    element = array_type(array).get_element_type()
    return keys, build.add(tensor.ExtractOp(array, indices, element)).result


def _stored(build: Builder, array: SSAValue, axes: list[Axis]) -> tuple[list[SSAValue], SSAValue]:
    """The rows of a slice of a sparse array: the stored entries that lie in it."""
    *indices, value = build.add(EachOp(array)).elements
    keys: list[SSAValue] = []
    for axis, index in zip(axes, indices, strict=True):
        if axis.count is None or axis.step is None:
            build.add(GuardOp(build.add(arith.CmpiOp(index, axis.start, "eq")).result))
            continue
        key = build.add(arith.SubiOp(index, axis.start)).result
        zero = build.index_constant(0)
        build.add(GuardOp(build.add(arith.CmpiOp(key, zero, "sge")).result))
        if _constant(axis.step) != 1:
            rest = build.add(arith.RemSIOp(key, axis.step)).result
            build.add(GuardOp(build.add(arith.CmpiOp(rest, zero, "eq")).result))
            key = build.add(arith.DivSIOp(key, axis.step)).result
        build.add(GuardOp(build.add(arith.CmpiOp(key, axis.count, "slt")).result))
        keys.append(key)
    return keys, value


def _constant(value: SSAValue) -> int | None:
    """The number that an `index` constant holds."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(value.type, IndexType):
        assert isinstance(owner.value, IntegerAttr)
        return owner.value.value.data
    return None
