"""The predicates of `arith.cmpi` and `arith.cmpf` by their names, as `slt` and `oeq`."""

from __future__ import annotations

from xdsl.dialects import arith


def predicate_of(test: arith.CmpiOp | arith.CmpfOp) -> str:
    """Return the name of the predicate that a comparison asks for."""
    names = (
        arith.CMPI_COMPARISON_OPERATIONS
        if isinstance(test, arith.CmpiOp)
        else arith.CMPF_COMPARISON_OPERATIONS
    )
    return names[test.predicate.value.data]
