"""The predicates of `arith.cmpi` and `arith.cmpf` by their names, as `slt` and `oeq`."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from diablo.dialects.scalar_types import is_unsigned
from diablo.linear_sums import LinearSum, V

SYMBOLS = {
    "eq": "==",
    "ne": "!=",
    "slt": "<",
    "sle": "<=",
    "sgt": ">",
    "sge": ">=",
    "ult": "<",
    "ule": "<=",
    "ugt": ">",
    "uge": ">=",
}
"""The operator of a predicate of integers, in Python; `u…` are of numbers without a sign."""
FLOAT_SYMBOLS = {
    "oeq": "==",
    "une": "!=",
    "olt": "<",
    "ole": "<=",
    "ogt": ">",
    "oge": ">=",
}
"""The operator of a predicate of floats; the others hold of NaN where no operator does."""

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
MIRRORED = {
    "eq": "eq",
    "ne": "ne",
    "slt": "sgt",
    "sle": "sge",
    "sgt": "slt",
    "sge": "sle",
    "ult": "ugt",
    "ule": "uge",
    "ugt": "ult",
    "uge": "ule",
}
"""The predicate of integers that says the same with the sides exchanged."""
MIRRORED_SYMBOLS = {SYMBOLS[one]: SYMBOLS[other] for one, other in MIRRORED.items()}
"""The operator that says the same with the sides exchanged."""
ORDERED = {"ugt": "ole", "uge": "olt", "ult": "oge", "ule": "ogt"}
"""The predicate of floats that holds where an unordered one does not: not of NaN."""
LESS = {"slt": 1, "sle": 0}
"""By how much at least the left side is less, of the orders of integers with a sign."""
GREATER = {MIRRORED[predicate]: least for predicate, least in LESS.items()}
"""By how much at least it is greater."""


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
    if isinstance(test, arith.CmpfOp):
        return FLOAT_SYMBOLS.get(name, "")
    return "" if name.startswith("u") and not is_unsigned(test.lhs.type) else SYMBOLS[name]


def sides_of(test: arith.CmpiOp | arith.CmpfOp) -> tuple[SSAValue, SSAValue] | None:
    """Return what is less, or equal, where a comparison holds, and what it is less than.

    None, if the comparison is no order that Python has an operator for.
    """
    match symbol_of(test):
        case "<" | "<=":
            return test.lhs, test.rhs
        case ">" | ">=":
            return test.rhs, test.lhs
        case _:
            return None


def sum_of_order(predicate: str, left: LinearSum[V], right: LinearSum[V]) -> LinearSum[V] | None:
    """Return the sum that is not negative where an order of two holds, and only there.

    None, if the predicate is no order of integers with a sign.
    """
    if predicate in LESS:
        return right - left - LESS[predicate]
    if predicate in GREATER:
        return left - right - GREATER[predicate]
    return None
