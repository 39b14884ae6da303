"""Formulas over numbers in the IR: the machine code of a function, written as its mathematics.

    x * x + 1        =>     %0 = arith.mulf %x, %x : f64
                            %1 = arith.addf %0, %one : f64

Everything is straight-line code on f64, i64 and i1, so that a loop around it becomes vectors; what
few arguments need, and is much, stands in a branch. No step carries fast-math flags, but those of
polynomials, which may be fused into multiply-adds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf

from xdsl.dialects import arith, math, scf
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, f64, i64
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from diablo.dialects.number_constants import constant_op
from diablo.dialects.scalar_types import is_unsigned

_CONTRACT = arith.FastMathFlagsAttr([FastMathFlag.ALLOW_CONTRACT])

ROUNDER = 6755399441055744.0
"""Added to a small number, it leaves the nearest integer in the low bits of the sum."""
_ROUNDER_BITS = 0x4338000000000000


@dataclass
class Steps:
    """The ops that a formula has become, in order; a constant stands there once."""

    ops: list[Operation] = field(default_factory=list[Operation])
    constants: dict[Attribute, SSAValue] = field(default_factory=dict[Attribute, SSAValue])

    def add(self, op: Operation) -> SSAValue:
        """Append `op` and return its result."""
        self.ops.append(op)
        return op.results[0]

    def constant(self, attribute: FloatAttr | IntegerAttr) -> SSAValue:
        """A constant."""
        if attribute not in self.constants:
            self.constants[attribute] = self.add(constant_op(attribute))
        return self.constants[attribute]


@dataclass(frozen=True, eq=False)
class Formula:
    """A number of type f64, and where the ops that compute with it go."""

    value: SSAValue
    steps: Steps

    # --- Arithmetic ------------------------------------------------------------------------

    def number(self, value: float | Formula) -> Formula:
        """A constant."""
        if isinstance(value, Formula):
            return value
        return Formula(self.steps.constant(FloatAttr(float(value), f64)), self.steps)

    def _binary(
        self, op: type[arith.FloatingPointLikeBinaryOperation], a: Formula, b: Formula
    ) -> Formula:
        return Formula(self.steps.add(op(a.value, b.value)), self.steps)

    def __add__(self, other: float | Formula) -> Formula:
        return self._binary(arith.AddfOp, self, self.number(other))

    def __radd__(self, other: float) -> Formula:
        return self.number(other) + self

    def __sub__(self, other: float | Formula) -> Formula:
        return self._binary(arith.SubfOp, self, self.number(other))

    def __rsub__(self, other: float) -> Formula:
        return self.number(other) - self

    def __mul__(self, other: float | Formula) -> Formula:
        return self._binary(arith.MulfOp, self, self.number(other))

    def __rmul__(self, other: float) -> Formula:
        return self.number(other) * self

    def __truediv__(self, other: float | Formula) -> Formula:
        return self._binary(arith.DivfOp, self, self.number(other))

    def __rtruediv__(self, other: float) -> Formula:
        return self.number(other) / self

    def __neg__(self) -> Formula:
        return Formula(self.steps.add(arith.NegfOp(self.value)), self.steps)

    def __abs__(self) -> Formula:
        return Formula(self.steps.add(math.AbsFOp(self.value)), self.steps)

    def sqrt(self) -> Formula:
        """The square root."""
        return Formula(self.steps.add(math.SqrtOp(self.value)), self.steps)

    def trunc(self) -> Formula:
        """Its integer part."""
        return Formula(self.steps.add(math.TruncOp(self.value)), self.steps)

    def fma(self, factor: float | Formula, term: float | Formula) -> Formula:
        """`self * factor + term`, rounded once."""
        operands = (self.value, self.number(factor).value, self.number(term).value)
        return Formula(self.steps.add(math.FmaOp(*operands)), self.steps)

    def near(self, factor: float | Formula, term: float | Formula) -> Formula:
        """`self * factor + term`, rounded once or twice, whichever is faster."""
        factor, term = self.number(factor), self.number(term)
        product = self.steps.add(arith.MulfOp(self.value, factor.value, _CONTRACT))
        return Formula(self.steps.add(arith.AddfOp(product, term.value, _CONTRACT)), self.steps)

    def polynomial(self, coefficients: Sequence[float]) -> Formula:
        """The polynomial with these coefficients, the constant first (Horner's rule)."""
        value = self.number(coefficients[-1])
        for coefficient in reversed(coefficients[:-1]):
            value = value.near(self, coefficient)
        return value

    # --- Choices ---------------------------------------------------------------------------

    def _compare(self, predicate: str, other: float | Formula) -> Condition:
        op = arith.CmpfOp(self.value, self.number(other).value, predicate)
        return Condition(self.steps.add(op), self.steps)

    def __lt__(self, other: float | Formula) -> Condition:
        return self._compare("olt", other)

    def __gt__(self, other: float | Formula) -> Condition:
        return self._compare("ogt", other)

    def equals(self, other: float | Formula) -> Condition:
        """Return whether both are the same number."""
        return self._compare("oeq", other)

    def is_nan(self) -> Condition:
        """Return whether it is no number."""
        return self._compare("uno", self)

    def is_infinite(self) -> Condition:
        """Return whether it is an infinity."""
        return abs(self).equals(inf)

    def at_least(self, low: float | Formula) -> Formula:
        """The greater of both; NaN stays NaN."""
        low = self.number(low)
        return (self < low).choose(low, self)

    def at_most(self, high: float | Formula) -> Formula:
        """The smaller of both; NaN stays NaN."""
        high = self.number(high)
        return (self > high).choose(high, self)

    def with_sign_of(self, other: Formula) -> Formula:
        """Return its magnitude with the sign of `other`, also of zeros."""
        op = math.CopySignOp(self.value, other.value)
        return Formula(self.steps.add(op), self.steps)

    # --- Bits ------------------------------------------------------------------------------

    def bits(self) -> Word:
        """Return its 64 bits."""
        return Word(self.steps.add(arith.BitcastOp(self.value, i64)), self.steps)


@dataclass(frozen=True, eq=False)
class Condition:
    """A truth value."""

    value: SSAValue
    steps: Steps

    def choose(self, then: Formula, otherwise: float | Formula) -> Formula:
        """`then` where it is true, else `otherwise`."""
        op = arith.SelectOp(self.value, then.value, then.number(otherwise).value)
        return Formula(self.steps.add(op), self.steps)

    def branch(
        self, then: Callable[[Steps], Sequence[Number]], otherwise: Sequence[Number]
    ) -> list[SSAValue]:
        """Return the values of the steps that `then` writes where it is true, else `otherwise`.

        Unlike those of a choice, the steps are gone through where it is true alone.
        """
        inner = Steps([], dict(self.steps.constants))
        made = [number.value for number in then(inner)]
        then_block = Block([*inner.ops, scf.YieldOp(*made)])
        else_block = Block([scf.YieldOp(*[number.value for number in otherwise])])
        types = [value.type for value in made]
        op = scf.IfOp(self.value, types, Region(then_block), Region(else_block))
        self.steps.ops.append(op)
        return list(op.results)

    def differs(self, other: Condition) -> Condition:
        """Return whether just one of both is true."""
        return Condition(self.steps.add(arith.XOrIOp(self.value, other.value)), self.steps)

    def __and__(self, other: Condition) -> Condition:
        return Condition(self.steps.add(arith.AndIOp(self.value, other.value)), self.steps)

    def __or__(self, other: Condition) -> Condition:
        return Condition(self.steps.add(arith.OrIOp(self.value, other.value)), self.steps)


@dataclass(frozen=True, eq=False)
class Word:
    """An integer, of 64 bits if it is the bits of a float."""

    value: SSAValue
    steps: Steps

    @property
    def width(self) -> int:
        """How many bits it has."""
        assert isa(self.value.type, IntegerType)
        return self.value.type.bitwidth

    def number(self, value: int | Word) -> Word:
        """A constant."""
        if isinstance(value, Word):
            return value
        type = self.value.type
        assert isa(type, IntegerType)
        if is_unsigned(type):
            value &= (1 << self.width) - 1  # Which has the same bits.
        return Word(self.steps.constant(IntegerAttr(value, type)), self.steps)

    def __add__(self, other: int | Word) -> Word:
        return Word(self.steps.add(arith.AddiOp(self.value, self.number(other).value)), self.steps)

    def __sub__(self, other: int | Word) -> Word:
        return Word(self.steps.add(arith.SubiOp(self.value, self.number(other).value)), self.steps)

    def __mul__(self, other: int | Word) -> Word:
        return Word(self.steps.add(arith.MuliOp(self.value, self.number(other).value)), self.steps)

    def __and__(self, other: int | Word) -> Word:
        return Word(self.steps.add(arith.AndIOp(self.value, self.number(other).value)), self.steps)

    def __or__(self, other: int | Word) -> Word:
        return Word(self.steps.add(arith.OrIOp(self.value, self.number(other).value)), self.steps)

    def __xor__(self, other: int | Word) -> Word:
        return Word(self.steps.add(arith.XOrIOp(self.value, self.number(other).value)), self.steps)

    def __lshift__(self, bits: int | Word) -> Word:
        return Word(self.steps.add(arith.ShLIOp(self.value, self.number(bits).value)), self.steps)

    def __rshift__(self, bits: int) -> Word:
        return Word(self.steps.add(arith.ShRSIOp(self.value, self.number(bits).value)), self.steps)

    def shifted_down(self, bits: int | Word) -> Word:
        """Its bits moved towards the last one, with zeros before them."""
        return Word(self.steps.add(arith.ShRUIOp(self.value, self.number(bits).value)), self.steps)

    def __gt__(self, other: int | Word) -> Condition:
        op = arith.CmpiOp(self.value, self.number(other).value, "sgt")
        return Condition(self.steps.add(op), self.steps)

    def __lt__(self, other: int | Word) -> Condition:
        op = arith.CmpiOp(self.value, self.number(other).value, "slt")
        return Condition(self.steps.add(op), self.steps)

    def equals(self, other: int | Word) -> Condition:
        """Return whether both are the same integer."""
        op = arith.CmpiOp(self.value, self.number(other).value, "eq")
        return Condition(self.steps.add(op), self.steps)

    def choose(self, condition: Condition, otherwise: int | Word) -> Word:
        """Itself where `condition` is true, else `otherwise`."""
        op = arith.SelectOp(condition.value, self.value, self.number(otherwise).value)
        return Word(self.steps.add(op), self.steps)

    def as_bits(self) -> Formula:
        """The float with these bits."""
        return Formula(self.steps.add(arith.BitcastOp(self.value, f64)), self.steps)


Number = Formula | Word
"""What formulas compute with."""
Pair = tuple[Formula, Formula]
"""A number as the sum of a float and a much smaller one."""


def nearest(x: Formula) -> tuple[Formula, Word]:
    """The nearest integer to `x`, which is below 2**51 in magnitude, as float and as word."""
    shifted = x + ROUNDER
    return shifted - ROUNDER, shifted.bits() - _ROUNDER_BITS


def small_float(k: Word) -> Formula:
    """An integer below 2**51 in magnitude as a float."""
    return (k + _ROUNDER_BITS).as_bits() - ROUNDER


def power_of_two(k: Word) -> Formula:
    """2**k for a normal result."""
    return ((k + 1023) << 52).as_bits()


def scaled(x: Formula, k: Word) -> Formula:
    """`x * 2**k`, rounded once, for `k` from -2000 to 2000 or so.

    The power is applied in two halves, so that results below the normal range are rounded once
    and large ones overflow to infinity as they must.
    """
    half = k >> 1
    return x * power_of_two(half) * power_of_two(k - half)


def sum_and_error(a: Formula, b: float | Formula) -> tuple[Formula, Formula]:
    """`a + b` as the nearest float and what it lacks (Knuth's TwoSum)."""
    b = a.number(b)
    total = a + b
    rest = total - a
    return total, (a - (total - rest)) + (b - rest)


def sum_of_pair(a: Formula, b: Formula) -> Pair:
    """`a + b` and what it lacks, where `b` is the smaller one (Dekker's Fast2Sum)."""
    total = a + b
    return total, b - (total - a)


def product_and_error(a: Formula, b: Formula) -> tuple[Formula, Formula]:
    """`a * b` as the nearest float and what it lacks."""
    product = a * b
    return product, a.fma(b, -product)
