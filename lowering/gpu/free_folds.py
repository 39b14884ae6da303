"""The monoids that ops of loops combine numbers with, if the order is free.

arith.addf %acc, %x fastmath<reassoc,contract>    add
arith.addf %acc, %x                               none: the order is the program's
arith.minsi %acc, %x                              min
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Operation

from diablo.dialects.monoids import MONOIDS, domain_of, operation
from diablo.lowering.llvm.monoid_folds import Fold


def free_fold(op: Operation) -> Fold | None:
    """Return how an op combines two values, if that is a monoid of the table, in any order."""
    if len(op.results) != 1 or len(op.operands) != 2:
        return None
    type_ = op.results[0].type
    domain = domain_of(type_)
    if domain is None or op.operands[0].type != type_ or not _is_free(op):
        return None
    for name, monoid in MONOIDS.items():
        if domain in monoid.operations and operation(monoid, domain) is type(op):
            return Fold(name, type_)
    return None


def _is_free(op: Operation) -> bool:
    """Return whether an op may combine in any order; sums and products round unless it says so."""
    if isinstance(op, arith.AddfOp | arith.MulfOp):
        return FastMathFlag.REASSOC in op.fastmath.data
    return True
