"""Monoids by name, and the definitions of those that the program makes.

    comprehension.monoid @argmin : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1] {…}
  ==>
    def argmin_combine(x, y): …

    argmin = UserMonoid("argmin", (np.inf, -1), argmin_combine, ("tuple", "f8", "i8"))

A built-in monoid is its name in quotes, one of the program's own the variable.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from diablo.dialects.comprehension import MonoidOp
from diablo.dialects.monoids import is_user_defined
from diablo.lowering.numpy.expressions import constant
from diablo.lowering.python_text import string_literal, symbol_name


def monoid_text(name: str) -> str:
    """Return how emitted code names a monoid: `"add"`, or the variable that holds `@argmin`."""
    return symbol_name(name[1:]) if is_user_defined(name) else string_literal(name)


def combine_name(symbol: str) -> str:
    """The function that joins two values of a monoid."""
    return f"{symbol_name(symbol)}_combine"


def monoids_near(op: Operation) -> list[MonoidOp]:
    """The monoids that the module around `op` defines."""
    module = op
    while (parent := module.parent_op()) is not None:
        module = parent
    return [
        inner
        for region in module.regions
        for block in region.blocks
        for inner in block.ops
        if isinstance(inner, MonoidOp)
    ]


def monoid_names(op: Operation) -> set[str]:
    """The names at the top level of a program that its monoids take."""
    symbols = [monoid.sym_name.data for monoid in monoids_near(op)]
    return {name for symbol in symbols for name in (symbol_name(symbol), combine_name(symbol))}


def literal_text(value: Attribute) -> str:
    """A constant of any type as a Python literal."""
    if isa(value, ArrayAttr[Attribute]):
        parts = [literal_text(part) for part in value]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    if isinstance(value, StringAttr):
        return string_literal(value.data)
    text = constant(value)
    assert text is not None
    return text
