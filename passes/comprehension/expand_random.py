"""Expand `comprehension.random` to integer arithmetic.

Works at every level that has random numbers; kernels are expanded before they become loops.
The generator is counter based: a number depends on the seed, the occurrence of `random()`
in the source and the index of the element, and on nothing else, so that every engine,
block size and partitioning computes the same array. With `mix` the finalizer of splitmix64
(a bijection of 64-bit words whose output bits all depend on all input bits), all arithmetic
modulo 2**64 and `>>>` the unsigned shift:

    state  = mix(seed * 0xd1342543de82ef95 + occurrence * 0xaf251af3b0f025b5
                 + 0x9e3779b97f4a7c15)
    state  = mix(state ^ (index * 0x9e3779b97f4a7c15))        for each index in order
    result = (state >>> 11) * 2**-53

    mix(z): z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9
            z = (z ^ (z >>> 27)) * 0x94d049bb133111eb
            z =  z ^ (z >>> 31)

The 53 bits that are left are at least 0, so the signed conversion to float is exact.

```mlir
%x = comprehension.random 0 seed(%s) at(%i)
```

becomes the ops above.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, ModuleOp, f64, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)

from diablo.dialects import comprehension
from diablo.dialects.locations import located

SEED_FACTOR = 0xD1342543DE82EF95
OCCURRENCE_FACTOR = 0xAF251AF3B0F025B5
INDEX_FACTOR = 0x9E3779B97F4A7C15
MIX_FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


class _Arithmetic:
    """Collects the ops that replace one `comprehension.random`."""

    def __init__(self, like: Operation):
        self.like = like
        self.ops: list[Operation] = []

    def add(self, op: Operation) -> SSAValue:
        """Append `op` and return its result."""
        self.ops.append(located(op, self.like))
        return op.results[0]

    def constant(self, value: int) -> SSAValue:
        """A 64-bit constant; `value` counts modulo 2**64."""
        value &= 2**64 - 1
        return self.add(arith.ConstantOp(IntegerAttr(value - ((value >> 63) << 64), i64)))

    def times(self, value: SSAValue, factor: int) -> SSAValue:
        """`value * factor`."""
        return self.add(arith.MuliOp(value, self.constant(factor)))

    def fold_bits(self, value: SSAValue, shift: int) -> SSAValue:
        """`value ^ (value >>> shift)`."""
        shifted = self.add(arith.ShRUIOp(value, self.constant(shift)))
        return self.add(arith.XOrIOp(value, shifted))

    def mix(self, value: SSAValue) -> SSAValue:
        """The finalizer of splitmix64."""
        value = self.times(self.fold_bits(value, 30), MIX_FACTORS[0])
        value = self.times(self.fold_bits(value, 27), MIX_FACTORS[1])
        return self.fold_bits(value, 31)


class ExpandRandom(RewritePattern):
    """`comprehension.random` → `arith` (see the module's docstring)."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: comprehension.RandomOp, rewriter: PatternRewriter) -> None:
        """Expand one op."""
        code = _Arithmetic(op)
        occurrence = code.constant(op.occurrence.value.data * OCCURRENCE_FACTOR + INDEX_FACTOR)
        state = code.mix(code.add(arith.AddiOp(code.times(op.seed, SEED_FACTOR), occurrence)))
        for index in op.indices:
            number = code.add(arith.IndexCastOp(index, i64))
            scrambled = code.times(number, INDEX_FACTOR)
            state = code.mix(code.add(arith.XOrIOp(state, scrambled)))
        bits = code.add(arith.ShRUIOp(state, code.constant(11)))
        scale = code.add(arith.ConstantOp(FloatAttr(2.0**-53, f64)))
        code.add(arith.MulfOp(code.add(arith.SIToFPOp(bits, f64)), scale))
        rewriter.replace(op, code.ops)


@dataclass(frozen=True)
class ExpandRandomPass(ModulePass):
    """Expand random numbers to counter-based integer arithmetic."""

    name = "expand-random"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Expand every `comprehension.random`."""
        PatternRewriteWalker(ExpandRandom(), apply_recursively=False).rewrite_module(op)
