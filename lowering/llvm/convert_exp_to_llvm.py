"""The exponential function as straight-line code, so that loops around it become vectors.

exp(x) = 2^k * exp(r) with k = round(x / ln 2) and |r| <= ln 2 / 2; exp(r) is a polynomial of
degree 13 (error below half a unit in the last place before rounding). The power of two is
applied in two halves, so that results below the normal range are rounded once and large ones
overflow to infinity as they must. NaN passes through every comparison and product.

Nothing here carries fast-math flags: the rounding steps rely on the order of operations.
"""

from __future__ import annotations

from math import factorial

from xdsl.dialects import llvm
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, f64, i64
from xdsl.ir import Block, Operation, SSAValue

DEGREE = 13
LOG2_E = 1.4426950408889634
# ln 2 in two parts; the first has zeros at its end, so that k times it is exact.
LN2_HIGH = 6.93147180369123816490e-01
LN2_LOW = 1.90821492927058770002e-10
# Added to a small float, it leaves the nearest integer in the low bits of the sum.
ROUNDER = 6755399441055744.0
ROUNDER_BITS = 0x4338000000000000
# Beyond these the result is 0 and infinity; within them k fits the two halves.
LOWEST, HIGHEST = -746.0, 710.0


def expand_exp(x: SSAValue, block: Block) -> SSAValue:
    """Append the computation of exp(`x`) on f64 to `block`."""

    def add(op: Operation) -> SSAValue:
        block.add_op(op)
        return op.results[0]

    def number(value: float) -> SSAValue:
        return add(llvm.ConstantOp(FloatAttr(value, f64), f64))

    def integer(value: int) -> SSAValue:
        return add(llvm.ConstantOp(IntegerAttr(value, i64), i64))

    def multiply_add(a: SSAValue, b: SSAValue, c: SSAValue) -> SSAValue:
        return add(llvm.CallIntrinsicOp("llvm.fmuladd.f64", [a, b, c], [f64]))

    def bits(value: SSAValue) -> SSAValue:
        """The integer that adding ROUNDER has left in the low bits."""
        return add(llvm.SubOp(add(llvm.BitcastOp(value, i64)), integer(ROUNDER_BITS)))

    def power_of_two(k: SSAValue) -> SSAValue:
        exponent = add(llvm.ShlOp(add(llvm.AddOp(k, integer(1023))), integer(52)))
        return add(llvm.BitcastOp(exponent, f64))

    low, high, rounder = number(LOWEST), number(HIGHEST), number(ROUNDER)
    x = add(llvm.SelectOp(add(llvm.FCmpOp(x, low, "olt")), low, x))
    x = add(llvm.SelectOp(add(llvm.FCmpOp(x, high, "ogt")), high, x))
    shifted = add(llvm.FAddOp(add(llvm.FMulOp(x, number(LOG2_E))), rounder))
    k = add(llvm.FSubOp(shifted, rounder))
    r = multiply_add(k, number(-LN2_HIGH), x)
    r = multiply_add(k, number(-LN2_LOW), r)
    value = number(1.0 / factorial(DEGREE))
    for power in range(DEGREE - 1, -1, -1):
        value = multiply_add(value, r, number(1.0 / factorial(power)))
    half = bits(add(llvm.FAddOp(add(llvm.FMulOp(k, number(0.5))), rounder)))
    rest = add(llvm.SubOp(bits(shifted), half))
    value = add(llvm.FMulOp(value, power_of_two(half)))
    return add(llvm.FMulOp(value, power_of_two(rest)))
