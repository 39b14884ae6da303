"""The predicates of `arith.cmpi` and `arith.cmpf` by their names, as `slt` and `oeq`."""

from __future__ import annotations

from xdsl.dialects import arith

from diablo.dialects.scalar_types import is_unsigned

_SYMBOLS = {
    "eq": "==",
    "ne": "!=",
    "slt": "<",
    "sle": "<=",
    "sgt": ">",
    "sge": ">=",
    "oeq": "==",
    "une": "!=",
    "olt": "<",
    "ole": "<=",
    "ogt": ">",
    "oge": ">=",
}

OPPOSITE = {
    "eq": "ne",
    "slt": "sge",
    "sle": "sgt",
    "ult": "uge",
    "ule": "ugt",
    "ne": "eq",
    "sge": "slt",
    "sgt": "sle",
    "uge": "ult",
    "ugt": "ule",
}
"""The predicate of integers that holds where the other does not."""
MIRRORED = {"eq": "eq", "slt": "sgt", "sle": "sge", "sgt": "slt", "sge": "sle"}
"""The predicate of integers that says the same with the sides exchanged."""


def predicate_of(test: arith.CmpiOp | arith.CmpfOp) -> str:
    """Return the name of the predicate that a comparison asks for."""
    names = (
        arith.CMPI_COMPARISON_OPERATIONS
        if isinstance(test, arith.CmpiOp)
        else arith.CMPF_COMPARISON_OPERATIONS
    )
    return names[test.predicate.value.data]


def symbol_of(test: arith.CmpiOp | arith.CmpfOp) -> str:
    """Return the operator that means a comparison in Python: `<`, `==`; else an empty string.

    Integers are compared as their type says; a comparison with NaN holds for `!=` alone.
    """
    name = predicate_of(test)
    if isinstance(test, arith.CmpiOp) and is_unsigned(test.lhs.type) and name.startswith("u"):
        name = f"s{name[1:]}"
    return _SYMBOLS.get(name, "")
