"""How loops over buffers combine values with a monoid: one of the table, or the program's own.

add : f64              =>    arith.addf %acc, %x fastmath<reassoc,contract>
@argmin : tuple<…>     =>    the body of @argmin, for the parts of both tuples
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import Float32Type, Float64Type
from xdsl.dialects.complex import ComplexBinaryOp
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, SSAValue

from diablo.dialects import monoids
from diablo.dialects.comprehension import MonoidOp
from diablo.dialects.comprehension.comprehension_monoids import find_monoid
from diablo.dialects.number_constants import constant_op
from diablo.dialects.scalar_types import is_complex
from diablo.dialects.simt import say_folds
from diablo.lowering.llvm.loop_ops import HasLocation, append
from diablo.lowering.llvm.tuple_parts import Parts, combine_parts, identity_parts, part_types
from diablo.monoid_table import BuiltinMonoid, monoid_named
from diablo.passes.analyses.refused import Refused

FREE_ORDER = arith.FastMathFlagsAttr([FastMathFlag.REASSOC, FastMathFlag.ALLOW_CONTRACT])
"""The order of a reduction is free, so it may run in vector lanes."""


def combine_freely(monoid: str, left: SSAValue, right: SSAValue) -> Operation:
    """The op that joins two values of a monoid of the table, in any order with others."""
    joined = monoids.combine(monoid, left, right)
    if isinstance(joined, arith.FloatingPointLikeBinaryOperation | ComplexBinaryOp):
        joined.fastmath = FREE_ORDER
    return joined


def say_own_folds(totals: Sequence[SSAValue], folds: Sequence[Fold]) -> None:
    """Note of the loop that gives `totals` how they are folded, where it does not show that."""
    loop = totals[0].owner if totals else None
    if isinstance(loop, scf.ForOp) and any(fold.joins_parts for fold in folds):
        say_folds(loop, [fold.monoid for fold in folds])


@dataclass(frozen=True)
class Fold:
    """A monoid on values of a type, which `definition` defines if the program does."""

    monoid: str
    element: Attribute
    definition: MonoidOp | None = None

    @staticmethod
    def of(monoid: str, element: Attribute, near: Operation) -> Fold:
        """Return the monoid of that name, which the module around `near` may define.

        Raises
        ------
        Refused
            If nothing does.
        """
        definition = find_monoid(monoid, near) if monoids.is_user_defined(monoid) else None
        if definition is None and monoids.is_user_defined(monoid):
            raise Refused("nothing says what its monoid is")
        return Fold(monoid, element, definition)

    @property
    def in_order(self) -> bool:
        """Whether values are joined in their order alone."""
        return self.definition is not None and self.definition.any_order is None

    @property
    def joins_parts(self) -> bool:
        """Whether a part of a result is made of several parts of what is joined: of tuples by a
        monoid of the program's own, of complex numbers by their product."""
        mixes = is_complex(self.element) and monoid_named(self.monoid).mixes_parts
        return self.definition is not None or mixes

    @property
    def float_monoid(self) -> BuiltinMonoid:
        """The monoid on floats of 32 or 64 bits; one without properties if it is on others."""
        is_float = isinstance(self.element, Float32Type | Float64Type)
        return monoid_named(self.monoid if is_float else None)

    @property
    def types(self) -> list[Attribute]:
        """The types of the parts of a value."""
        return part_types(self.element)

    def identity(self, block: Block, source: HasLocation) -> list[SSAValue]:
        """Append the neutral element, in parts, which stands for `source`."""
        if self.definition is not None:
            return identity_parts(self.definition, block)
        neutral = constant_op(monoids.identity(self.monoid, self.element))
        return [append(block, neutral, source, "identity").results[0]]

    def combine(
        self, block: Block, source: HasLocation, left: Parts, right: Parts
    ) -> list[SSAValue]:
        """Append what joins two values, which stands for `source`."""
        if self.monoid == monoids.ANY:
            return list(right)
        if self.definition is not None:
            return combine_parts(self.definition, left, right, block)
        return [append(block, combine_freely(self.monoid, *left, *right), source).results[0]]
