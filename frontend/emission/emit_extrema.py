"""Imports tests that keep the least or greatest value, and what belongs to it.

if (v < best) { best = v; which = w; }   in a loop over i
->
comprehension.monoid @least : tuple<f64, i64, i64> …
diablo.accumulate_parts @least (pack %v, %w, %i), %best, %which from [-9223372036854775808]

The monoid takes the lesser of two values. Of equal ones it takes the one that is found first, and
with `<=` the one that is found last, by the indices of the loops around. The rows of lists and
maps have no place: of equal values from these it takes the one with the lesser companions.
"""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from math import inf

from xdsl.dialects import arith
from xdsl.dialects.builtin import ArrayAttr, StringAttr, i32, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from diablo.dialects.comprehension import MonoidOp, YieldOp
from diablo.dialects.diablo import AccumulatePartsOp
from diablo.frontend.checking.types import BOOLEAN, CHAR, INT, STRING, TupleType, Type, is_number
from diablo.frontend.emission.emit_assignments import AssignmentEmitter
from diablo.frontend.emission.emit_calls import Key
from diablo.frontend.emission.ir_types import (
    element_type,
    flatten,
    ir_type,
    number_attribute,
    parts_of,
)
from diablo.frontend.parsing import statements

_LAST: dict[Attribute, int] = {i32: 2**31 - 1, i64: 2**63 - 1}


@dataclass(frozen=True)
class Order:
    """How the tuples compare of which the first is taken: a value, companions, and a place.

    `types` are those of the value and its companions. With `tied` companions are compared too.
    """

    comparison: str
    types: tuple[Type, ...]
    places: int
    tied: bool

    @property
    def sign(self) -> str:
        """What the lesser of two values is to the other: `<`, or `>` of greatest ones."""
        return self.comparison[0]

    @property
    def earlier(self) -> str:
        """What the place that is taken is to the other."""
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


class ExtremumEmitter(AssignmentEmitter, ABC):
    """The part of the importer that knows least and greatest values with companions."""

    def emit_extremum(self, statement: statements.Extremum) -> None:
        """Keep the value of the first assignment, and with it those of the others."""
        values: list[SSAValue] = []
        types: list[Type] = []
        for assignment in statement.assignments:
            type = self.type_of(assignment.target)
            values += flatten(self.emit_value(assignment.value, type))
            types += _leaves(type)
        places = [self._place(key) for key in self.keys if not key.hashed]
        places = places or [self.constant(0, i64)]
        tied = any(key.hashed for key in self.keys)
        order = Order(statement.comparison, tuple(types), len(places), tied)
        to = [self.destination(assignment.target) for assignment in statement.assignments]
        self.add(
            AccumulatePartsOp(
                self.define_order(order),
                self.packed((*values, *places), order.tuple_type),
                [ref for destination in to for ref in flatten(destination.refs)],
                to[0].keys,
                [order.at_first, *[0] * (len(places) - 1)],
            )
        )

    def _place(self, key: Key) -> SSAValue:
        """A number that grows from one iteration of a loop to the next."""
        index = self.as_scalar(key.value, INT)
        if key.step == -1:
            return self.negate(index, INT)
        if isinstance(key.step, SSAValue):
            return self.add(arith.MuliOp(index, self.as_scalar(key.step, INT))).result
        return index

    # --- The monoid ------------------------------------------------------------------------

    def define_order(self, order: Order) -> str:
        """The name in the IR of the monoid that takes the first of two tuples."""
        if order not in self.monoids:
            with self.isolated():
                self.monoids[order] = self._emit_order(order)
        return f"@{self.monoids[order].sym_name.data}"

    def _emit_order(self, order: Order) -> MonoidOp:
        type = order.tuple_type
        block = Block(arg_types=[element_type(type)] * 2)
        with self.into(block):
            x, y = (flatten(self.unpacked(argument, type)) for argument in block.args)
            first = self.add(arith.SelectOp(self._is_before(order, y, x), *block.args[::-1]))
            self.add(YieldOp([], [first.result]))
        rest = [_zero(leaf) for leaf in order.types[1:]]
        places = [number_attribute(n, i64) for n in (order.nowhere, *[0] * (order.places - 1))]
        identity = ArrayAttr[Attribute]([_identity(order), *rest, *places])
        name = self.free_monoid_name("least" if order.sign == "<" else "greatest")
        op = MonoidOp(name, element_type(type), identity, Region(block))
        if self.location is not None:
            op.location = self.location
        return op

    def _is_before(self, order: Order, y: list[SSAValue], x: list[SSAValue]) -> SSAValue:
        """Whether y is taken if x is the other one."""
        companions = len(order.types)
        columns = [(order.sign, 0)]
        columns += [(order.earlier, companions + number) for number in range(order.places)]
        if order.tied:
            columns += [(order.earlier, number) for number in range(1, companions)]
        types = order.tuple_type.items
        result: SSAValue | None = None
        for sign, number in reversed(columns):
            before = self._precedes(sign, y[number], x[number], types[number])
            if result is not None:
                equal = self.compare("==", y[number], x[number], types[number])
                rest = self.add(arith.AndIOp(equal, result)).result
                before = self.add(arith.OrIOp(before, rest)).result
            result = before
        assert result is not None
        if order.types[0] == STRING and order.sign == "<":
            # No string comes after all others: the identity is known by its place.
            nowhere = self.constant(order.nowhere, i64)
            here = self.compare("!=", y[companions], nowhere, INT)
            missing = self.compare("==", x[companions], nowhere, INT)
            result = self.add(arith.OrIOp(missing, result)).result
            result = self.add(arith.AndIOp(here, result)).result
        return result

    def _precedes(self, sign: str, y: SSAValue, x: SSAValue, type: Type) -> SSAValue:
        if type != BOOLEAN:
            return self.compare(sign, y, x, type)
        low, high = (y, x) if sign == "<" else (x, y)
        return self.add(arith.AndIOp(self.negated(low), high)).result


def _leaves(type: Type) -> list[Type]:
    parts = parts_of(type)
    return [type] if parts is None else [leaf for part in parts for leaf in _leaves(part)]


def _zero(type: Type) -> Attribute:
    return StringAttr("") if type == STRING else number_attribute(0, ir_type(type))


def _identity(order: Order) -> Attribute:
    """A value that no other one comes after."""
    type = order.types[0]
    if type == STRING:
        return StringAttr("")
    leaf = ir_type(type)
    last: float = _LAST[leaf] if type in (INT, CHAR) else inf
    assert type == CHAR or is_number(type)
    return number_attribute(last if order.sign == "<" else -last - (type in (INT, CHAR)), leaf)
