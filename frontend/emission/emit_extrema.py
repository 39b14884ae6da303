"""Imports tests that keep the least or greatest value, and what belongs to it.

if (v < best) { best = v; which = w; }   in a loop over i
->
comprehension.monoid @least : tuple<f64, i64, i64> …
diablo.accumulate_parts @least (pack %v, %w, %i), %best, %which from [-9223372036854775808]

The monoid takes the lesser of two values. Of equal ones it takes the one that is found first, and
with `<=` the one that is found last, by the indices of the loops around, but for those in which
the variables are declared. The rows of lists and maps have no place: of equal values from these it
takes the one with the lesser companions.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, builtin
from xdsl.dialects.builtin import ArrayAttr, StringAttr, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.dialects.comprehension import MonoidOp, YieldOp
from diablo.dialects.defining_blocks import block_of, is_made_in
from diablo.dialects.diablo import AccumulatePartsOp, RefType
from diablo.dialects.diablo.diablo_destinations import accessed_types
from diablo.dialects.monoids import identity, number_attribute
from diablo.frontend.checking.types import (
    BOOLEAN,
    CHAR,
    INT,
    STRING,
    TupleType,
    Type,
    is_floating,
    is_number,
)
from diablo.frontend.emission.branches import negated
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.emission_scope import Key
from diablo.frontend.emission.emit_assignments import Destination, destination_of
from diablo.frontend.emission.emit_monoids import free_monoid_name, isolated
from diablo.frontend.emission.emit_scalars import compare, emit_value, negate
from diablo.frontend.emission.emit_values import pack_value, unpack_value
from diablo.frontend.emission.ir_types import (
    flatten,
    ir_type,
    packed_type,
    parts_of,
)
from diablo.frontend.parsing import statements
from diablo.monoid_table import extremum_monoid

_LAST_CHARACTER = 0x10FFFF + 1


@dataclass(frozen=True)
class Order:
    """How the tuples compare of which the first is taken: a value, companions, and a place.

    `types` are those of the value and its companions. With `tied` companions are compared too,
    and with `nan_first` a value that is NaN comes before all others.
    """

    comparison: str
    types: tuple[Type, ...]
    places: int
    tied: bool
    nan_first: bool = False

    @property
    def sign(self) -> str:
        """The comparison of the value that is taken with others: `<`, or `>` of greatest ones."""
        return self.comparison[0]

    @property
    def earlier(self) -> str:
        """The comparison of the place that is taken with the other."""
        return "<" if self.comparison in ("<", ">") else ">"

    @property
    def nowhere(self) -> int:
        """The place of the identity, which comes after all others."""
        return 2**63 - 1 if self.earlier == "<" else -(2**63)

    @property
    def at_first(self) -> int:
        """The place of what was there before the loop."""
        return -(2**63) if self.earlier == "<" else -(2**63) + 1

    @property
    def tuple_type(self) -> TupleType:
        """The type of the tuples."""
        return TupleType((*self.types, *[INT] * self.places))


def emit_extremum(build: Builder, statement: statements.Extremum) -> None:
    """Keep the value of the first assignment, and with it those of the others."""
    values: list[SSAValue] = []
    types: list[Type] = []
    for assignment in statement.assignments:
        type = build.type_of(assignment.target)
        values += flatten(emit_value(build, assignment.value, type))
        types += leaf_types(type)
    to = [destination_of(build, assignment.target) for assignment in statement.assignments]
    written = [place for destination in to for place in _leaves_written(build, destination)]
    keys = [k for k in build.scope.keys if not all(_is_declared_in(ref, k) for ref, _ in written)]
    places = [_place(build, key) for key in keys if not key.hashed]
    places = places or [build.constant(0, i64)]
    tied = any(key.hashed for key in keys)
    order = Order(statement.comparison, tuple(types), len(places), tied)
    build.add(
        AccumulatePartsOp(
            define_order(build, order),
            pack_value(build, (*values, *places), order.tuple_type),
            [ref for ref, _ in written],
            to[0].keys,
            [order.at_first, *[0] * (len(places) - 1)],
            [leaf for _, leaf in written],
        )
    )


def _is_declared_in(ref: SSAValue, key: Key) -> bool:
    """Return whether a variable is one of the iteration of the loop that has `key`.

    Of the values that it is given all are from that iteration, which tells none apart.
    """
    block = block_of(key.value)
    return block is not None and is_made_in(ref, block)


def _leaves_written(build: Builder, to: Destination) -> list[tuple[SSAValue, int | None]]:
    """The variables that a destination writes, each with the leaf of an element, if any."""
    refs = flatten(to.refs)
    if not to.keys:
        return [(ref, None) for ref in refs]
    (ref,) = refs
    if to.part is None:
        assert isinstance(ref.type, RefType)
        _, element = accessed_types(ref.type, len(to.keys))
        if not isinstance(element, builtin.TupleType):
            return [(ref, None)]
        return [(ref, leaf) for leaf in range(len(element.types))]
    first, count = to.part
    return [(ref, leaf) for leaf in range(first, first + count)]


def _place(build: Builder, key: Key) -> SSAValue:
    """A number that grows from one iteration of a loop to the next."""
    index = build.as_scalar(key.value, INT)
    if key.step == -1:
        return negate(build, index, INT)
    if isinstance(key.step, SSAValue):
        return build.add(arith.MuliOp(index, build.as_scalar(key.step, INT))).result
    return index


def define_order(build: Builder, order: Order) -> str:
    """The name in the IR of the monoid that takes the first of two tuples."""
    if order not in build.scope.monoids:
        with isolated(build):
            build.scope.monoids[order] = _emit_order(build, order)
    return f"@{build.scope.monoids[order].sym_name.data}"


def _emit_order(build: Builder, order: Order) -> MonoidOp:
    type = order.tuple_type
    block = Block(arg_types=[packed_type(type)] * 2)
    with build.into(block):
        x, y = (flatten(unpack_value(build, argument, type)) for argument in block.args)
        first = build.add(arith.SelectOp(_is_before(build, order, y, x), *block.args[::-1]))
        build.add(YieldOp([], [first.result]))
    rest = [_zero(leaf) for leaf in order.types[1:]]
    places = [number_attribute(n, i64) for n in (order.nowhere, *[0] * (order.places - 1))]
    identity = ArrayAttr[Attribute]([_identity(order), *rest, *places])
    name = free_monoid_name(build, "least" if order.sign == "<" else "greatest")
    # Tuples are compared by all that tells them apart, so none is kept for being the first.
    op = MonoidOp(name, packed_type(type), identity, Region(block), any_order=True)
    if build.location is not None:
        op.location = build.location
    return op


def _is_before(build: Builder, order: Order, y: list[SSAValue], x: list[SSAValue]) -> SSAValue:
    """Return whether y is taken if x is the other one."""
    companions = len(order.types)
    columns = [(order.sign, 0)]
    columns += [(order.earlier, companions + number) for number in range(order.places)]
    if order.tied:
        columns += [(order.earlier, number) for number in range(1, companions)]
    types = order.tuple_type.items
    result: SSAValue | None = None
    for sign, number in reversed(columns):
        before = _precedes(build, sign, y[number], x[number], types[number])
        nan = None
        if order.nan_first and number == 0 and is_floating(types[0]):
            nan, other = (compare(build, "!=", v[0], v[0], types[0]) for v in (y, x))
            first = build.add(arith.AndIOp(nan, negated(build, other))).result
            before = build.add(arith.OrIOp(before, first)).result
            nan = build.add(arith.AndIOp(nan, other)).result
        if result is not None:
            equal = compare(build, "==", y[number], x[number], types[number])
            if nan is not None:
                equal = build.add(arith.OrIOp(equal, nan)).result
            rest = build.add(arith.AndIOp(equal, result)).result
            before = build.add(arith.OrIOp(before, rest)).result
        result = before
    assert result is not None
    if order.types[0] == STRING and order.sign == "<":
        # No string comes after all others: the identity is known by its place.
        nowhere = build.constant(order.nowhere, i64)
        here = compare(build, "!=", y[companions], nowhere, INT)
        missing = compare(build, "==", x[companions], nowhere, INT)
        result = build.add(arith.OrIOp(missing, result)).result
        result = build.add(arith.AndIOp(here, result)).result
    return result


def _precedes(build: Builder, sign: str, y: SSAValue, x: SSAValue, type: Type) -> SSAValue:
    if type != BOOLEAN:
        return compare(build, sign, y, x, type)
    low, high = (y, x) if sign == "<" else (x, y)
    return build.add(arith.AndIOp(negated(build, low), high)).result


def leaf_types(type: Type) -> list[Type]:
    """The scalar types that a type is made of."""
    parts = parts_of(type)
    return [type] if parts is None else [leaf for part in parts for leaf in leaf_types(part)]


def _zero(type: Type) -> Attribute:
    return StringAttr("") if type == STRING else number_attribute(0, ir_type(type))


def _identity(order: Order) -> Attribute:
    """A value that no other one comes after."""
    type = order.types[0]
    if type == STRING:
        return StringAttr("")
    leaf = ir_type(type)
    if type == CHAR:
        return number_attribute(_LAST_CHARACTER if order.sign == "<" else -1, leaf)
    assert is_number(type)
    return identity(extremum_monoid(order.sign).name, leaf)
