"""Imports assignments and accumulations.

V[i] = x;       ->   diablo.store %x, %V[%i]
M[k] += 1;      ->   diablo.accumulate add %one, %M[%k]
t._2 += 1;      ->   diablo.accumulate add %one, %t_2, the variable of that part
V[i]._2 += 1;   ->   diablo.accumulate add %one, %V[%i] part 1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from xdsl.dialects import arith
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from diablo.dialects.diablo import AccumulateOp, AccumulatePartsOp, RefType, StoreOp
from diablo.frontend.checking.types import ArrayType, MapType, Type
from diablo.frontend.emission.branches import require
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.emit_arrays import accumulate_array
from diablo.frontend.emission.emit_comprehensions import emit_rows_as, monoid_name
from diablo.frontend.emission.emit_elements import emit_keys
from diablo.frontend.emission.emit_region_statements import emit_region_assignment
from diablo.frontend.emission.emit_scalars import emit_value
from diablo.frontend.emission.emit_values import as_element, load, pack_value, variables_of
from diablo.frontend.emission.ir_types import Value, flatten, parts_of, width
from diablo.frontend.emission.stored_values import conform
from diablo.frontend.parsing import statements, syntax


@dataclass(frozen=True)
class Destination:
    """What an assignment writes: variables, or a part of the element at `keys` of one.

    `part` is the number of the first leaf of the part, and how many it has.
    """

    refs: Value
    keys: Sequence[SSAValue] = ()
    part: tuple[int, int] | None = None


def emit_assign(build: Builder, statement: statements.Assign) -> None:
    """`d = e` or `d op= e`."""
    if emit_region_assignment(build, statement):
        return
    type = build.type_of(statement.target)
    adds_scalar = isinstance(type, ArrayType) and not isinstance(
        build.type_of(statement.value), ArrayType
    )
    if statement in build.checked.rebuilt:
        _emit_rows(build, statement)
        return
    if statement.monoid is None:
        value = emit_value(build, statement.value, type)
        _store(build, value, destination_of(build, statement.target), type)
        return
    monoid = monoid_name(build, statement)
    value_type = type.element if adds_scalar and isinstance(type, ArrayType) else type
    value = emit_value(build, statement.value, value_type)
    destination = destination_of(build, statement.target)
    if isinstance(type, ArrayType):
        _accumulate_array(build, monoid, value, value_type, destination)
    else:
        _accumulate(build, monoid, value, destination, type)


def _emit_rows(build: Builder, statement: statements.Assign) -> None:
    """`M = [ ((i,j),e) | … ]`: an array as large and stored as the one that M holds."""
    type = build.type_of(statement.target)
    ref = destination_of(build, statement.target).refs
    assert isinstance(type, ArrayType)
    assert isinstance(ref, SSAValue)
    old = load(build, ref)
    assert isinstance(old, SSAValue)
    value = emit_rows_as(build, statement.value, type, old)
    build.add(StoreOp(_as_stored(build, value, ref), ref))


def destination_of(build: Builder, target: syntax.Expr) -> Destination:
    """Return where an assignment writes."""
    target = build.resolved(target)
    refs = variables_of(build, target)
    if refs is not None:
        return Destination(refs)
    if isinstance(target, syntax.Index):
        type = build.type_of(target.base)
        assert isinstance(type, ArrayType | MapType)
        base = destination_of(build, target.base)
        if base.keys:
            build.unsupported(
                target.span,
                "assigning an element of an array inside another one is",
                "compute the inner array and assign it whole: A[i] = tensor(n)[ … ]",
            )
        keys = emit_keys(build, target, type)
        in_loop = build.in_rows or build.stepwise or build.whiles
        if isinstance(type, ArrayType) and not in_loop:
            assert isinstance(base.refs, SSAValue)
            with build.at(target.span):
                _require_inside(build, base.refs, keys)
        return Destination(base.refs, keys)
    assert isinstance(target, syntax.Field)
    base = destination_of(build, target.base)
    parts = parts_of(build.type_of(target.base))
    assert parts is not None
    position = build.checked.positions[target]
    first = sum(map(width, parts[:position]))
    if base.part is not None:
        first += base.part[0]
    whole = base.part is None and sum(map(width, parts)) == 1
    part = None if whole else (first, width(parts[position]))
    return Destination(base.refs, base.keys, part)


def _require_inside(build: Builder, ref: SSAValue, keys: Sequence[SSAValue]) -> None:
    """A statement by itself fails where it writes outside of the array; a loop writes less."""
    array = load(build, ref)
    assert isinstance(array, SSAValue)
    tests = [
        build.add(arith.CmpiOp(key, build.dimension(array, axis), "ult")).result
        for axis, key in enumerate(keys)
    ]
    inside = tests[0]
    for test in tests[1:]:
        inside = build.add(arith.AndIOp(inside, test)).result
    require(build, inside, "this element is outside the array")


def _store(build: Builder, value: Value, destination: Destination, type: Type) -> None:
    if destination.keys:
        ref = destination.refs
        assert isinstance(ref, SSAValue)
        assert isinstance(ref.type, RefType)
        is_element = destination.part is None and isinstance(ref.type.value, TensorType)
        packed = (partial(as_element, build) if is_element else partial(pack_value, build))(
            value, type
        )
        build.add(StoreOp(packed, ref, destination.keys, destination.part))
        return
    for leaf, ref in zip(flatten(value), flatten(destination.refs), strict=True):
        build.add(StoreOp(_as_stored(build, leaf, ref), ref))


def _as_stored(build: Builder, value: SSAValue, ref: SSAValue) -> SSAValue:
    """A value, stored as the variable `ref` stores its arrays."""
    assert isinstance(ref.type, RefType)
    return conform(build, value, ref.type.value)


def _accumulate(build: Builder, monoid: str, value: Value, to: Destination, type: Type) -> None:
    if to.keys:
        assert isinstance(to.refs, SSAValue)
        packed = pack_value(build, value, type)
        build.add(AccumulateOp(monoid, packed, to.refs, to.keys, to.part))
    elif width(type) == 1:
        (ref,) = flatten(to.refs)
        build.add(AccumulateOp(monoid, flatten(value)[0], ref))
    else:
        build.add(AccumulatePartsOp(monoid, pack_value(build, value, type), flatten(to.refs)))


def _accumulate_array(
    build: Builder, monoid: str, value: Value, type: Type, destination: Destination
) -> None:
    """`A += B` or `A += 1.0`: every cell is combined."""
    ref = destination.refs
    assert isinstance(ref, SSAValue)
    if destination.keys:
        raise AssertionError("the checker refuses accumulation into an inner array")
    old = load(build, ref)
    assert isinstance(old, SSAValue)
    new = value if isinstance(type, ArrayType) else pack_value(build, value, type)
    assert isinstance(new, SSAValue)
    build.add(StoreOp(_as_stored(build, accumulate_array(build, monoid, old, new), ref), ref))
