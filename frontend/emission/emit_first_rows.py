"""Imports what takes the row with the least or greatest first part: `</e` and `>/e`.

</[ (v,i) | (i,v) <= V ]   ->   comprehension.aggregate @least { … yield (pack %v, %i, 0) }

Of several such rows it takes that whose further parts are least. As `min` and `max` give NaN if
they meet it, a row with NaN comes first. There are no such operators in the source: built-in
reductions are written with them.
"""

from __future__ import annotations

from functools import partial

from xdsl.dialects import cf
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from diablo.dialects.comprehension import AggregateOp
from diablo.frontend.checking.types import INT
from diablo.frontend.emission.branches import once
from diablo.frontend.emission.builder import Builder
from diablo.frontend.emission.emit_comprehensions import Row, body_of
from diablo.frontend.emission.emit_extrema import Order, define_order, leaf_types
from diablo.frontend.emission.emit_scalars import compare, emit_value
from diablo.frontend.emission.emit_values import pack_value, unpack_value
from diablo.frontend.emission.ir_types import Value, flatten, packed_type, unflatten
from diablo.frontend.emission.stored_values import as_column
from diablo.frontend.parsing import syntax


def emit_first_row(build: Builder, expr: syntax.Reduction) -> Value:
    """The row of a comprehension that comes first."""
    rows, type = expr.operand, build.type_of(expr)
    assert isinstance(rows, syntax.Comprehension)
    order = Order(expr.monoid, tuple(leaf_types(type)), 1, tied=True, nan_first=True)
    monoid = define_order(build, order)

    def row() -> Row:
        leaves = flatten(emit_value(build, rows.head, type))
        values = [*map(partial(as_column, build), leaves), build.constant(0, i64)]
        return [], [pack_value(build, tuple(values), order.tuple_type)]

    def aggregate() -> SSAValue:
        body = body_of(build, rows, row)
        return build.add(AggregateOp(monoid, body, packed_type(order.tuple_type))).result

    found = flatten(unpack_value(build, once(build, aggregate), order.tuple_type))
    if not build.in_rows:
        nowhere = build.constant(order.nowhere, i64)
        present = compare(build, "!=", found[-1], nowhere, INT)
        extreme = "least" if order.sign == "<" else "greatest"
        build.add(cf.AssertOp(present, f"this asks for the {extreme} of no values"))
    return unflatten(found[:-1], type)
