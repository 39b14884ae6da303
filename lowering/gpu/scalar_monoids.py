"""The monoids that ops of loops combine numbers with, if the order is free.

arith.addf %acc, %x fastmath<reassoc,contract>    add
arith.addf %acc, %x                               none: the order is the program's
arith.minsi %acc, %x                              min
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, SSAValue

from diablo.dialects.monoids import MONOIDS, domain_of, identity, operation
from diablo.dialects.number_constants import constant_op
from diablo.lowering.llvm.monoid_folds import combine_freely


@dataclass(frozen=True)
class ScalarMonoid:
    """A built-in monoid on values of a type."""

    name: str
    type: Attribute

    @staticmethod
    def of(op: Operation) -> ScalarMonoid | None:
        """Return the monoid that an op combines two values with, if in any order."""
        if len(op.results) != 1 or len(op.operands) != 2:
            return None
        type_ = op.results[0].type
        domain = domain_of(type_)
        if domain is None or op.operands[0].type != type_ or not _is_free(op):
            return None
        for name, monoid in MONOIDS.items():
            if domain in monoid.operations and operation(monoid, domain) is type(op):
                return ScalarMonoid(name, type_)
        return None

    def combine(self, left: SSAValue, right: SSAValue) -> Operation:
        """The op that joins two values."""
        return combine_freely(self.name, left, right)

    def identity(self, block: Block) -> SSAValue:
        """Append the value that changes no other."""
        constant = constant_op(identity(self.name, self.type))
        constant.results[0].name_hint = "identity"
        block.add_op(constant)
        return constant.results[0]


def _is_free(op: Operation) -> bool:
    """Return whether an op may combine in any order; sums and products round unless it says so."""
    if isinstance(op, arith.AddfOp | arith.MulfOp):
        return FastMathFlag.REASSOC in op.fastmath.data
    return True
