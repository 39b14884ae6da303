"""Analysis: values of a row or an iteration as sums, with what is known of their parts.

(i+1) % 5        i + 1 - 5*q        and  -5 < i + 1 - 5*q < 5
n / 2            q             and  n >= 0, 0 <= n - 2*q < 2,  or  n < 0, -2 < n - 2*q <= 0
(i+1) % n        i + 1 - n*q
i*m + j          i*m + j            where i*m is a variable of its own (`strides`)

Quotients and remainders by constants, or by numbers that do not vary, and multiples of such numbers
are sums as well; whatever else is computed is a *leaf*, which has a name. What is named, and
in which rows or iterations a leaf is the same, those know who ask: `dependences` of loops,
`repeated_keys` of comprehensions.
"""

from __future__ import annotations

from collections.abc import Hashable, Set
from dataclasses import dataclass, field
from typing import Protocol

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, i64
from xdsl.ir import SSAValue

from diablo.dialects.predicates import OPPOSITE, predicate_of, sum_of_order
from diablo.linear_sums import LinearSum, term
from diablo.passes.analyses.loops.integer_systems import Sum, System
from diablo.passes.analyses.loops.strides import Multiple
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.argument_facts import known_extent, size_name

DEPTH = 48
"""How deep the ops are looked at that compute a value."""


@dataclass(frozen=True)
class Leaf:
    """A value that is no sum of others.

    It is the same in two rows or iterations that agree in all that it `varies_in`, unless it is
    not `stable`: then it may be anything in each.
    """

    key: Hashable
    varies_in: frozenset[Hashable]
    stable: bool = True


LeafSum = LinearSum[Leaf]


def argument_extent(array: SSAValue, axis: int) -> LeafSum | None:
    """A dimension of an input, if it is known or has a name."""
    extent = known_extent(array, axis)
    if extent is not None:
        return LeafSum(constant=extent)
    size = size_name(array, axis)
    return None if size is None else term(Leaf(("size", size), frozenset()))


class Leaves(Protocol):
    """What sums are made of."""

    def leaf(self, value: SSAValue, depth: int) -> Leaf:
        """A value that is no sum: its key is that of all values computed in the same way."""
        ...

    def extent(self, collection: SSAValue, axis: int) -> LeafSum:
        """A dimension of an array."""
        ...

    def definition(self, value: SSAValue) -> SSAValue | None:
        """Return another value that a value is surely equal to."""
        ...


@dataclass
class Facts:
    """What holds: sums that are zero, not negative, or not zero.

    Of `either`, the sums of one of the two are not negative.
    """

    zero: list[LeafSum] = field(default_factory=list[LeafSum])
    natural: list[LeafSum] = field(default_factory=list[LeafSum])
    different: list[LeafSum] = field(default_factory=list[LeafSum])
    either: list[tuple[list[LeafSum], list[LeafSum]]] = field(
        default_factory=list[tuple[list[LeafSum], list[LeafSum]]]
    )


@dataclass(frozen=True)
class IntegerSums:
    """Values as sums of leaves."""

    leaves: Leaves
    _sums: dict[SSAValue, tuple[LeafSum, Facts]] = field(
        default_factory=dict[SSAValue, tuple[LeafSum, Facts]]
    )

    def known(self, value: SSAValue, facts: Facts) -> LeafSum:
        """A value as a sum; what is known of its parts is added to the facts."""
        total, own = self.sum(value)
        facts.zero += own.zero
        facts.natural += own.natural
        facts.either += own.either
        return total

    def sum(self, value: SSAValue) -> tuple[LeafSum, Facts]:
        """A value as a sum, with what is known of its parts."""
        found = self._sums.get(value)
        if found is None:
            facts = Facts()
            total = self._linear(value, facts, DEPTH)
            found = self._sums[value] = total, facts
        return found

    def condition(self, value: SSAValue, facts: Facts, *, holds: bool) -> None:
        """Add what a test says of integers, if it holds or if it fails."""
        match value.owner:
            case arith.AndIOp(lhs=lhs, rhs=rhs) if holds:
                self.condition(lhs, facts, holds=True)
                self.condition(rhs, facts, holds=True)
            case arith.OrIOp(lhs=lhs, rhs=rhs) if not holds:
                self.condition(lhs, facts, holds=False)
                self.condition(rhs, facts, holds=False)
            case arith.XOrIOp(lhs=lhs, rhs=rhs) if constant_value(rhs) == 1:
                self.condition(lhs, facts, holds=not holds)
            case arith.CmpiOp() as test if test.lhs.type in (IndexType(), i64):
                left, right = self.known(test.lhs, facts), self.known(test.rhs, facts)
                predicate = predicate_of(test)
                said = predicate if holds else OPPOSITE[predicate]
                if said == "eq":
                    facts.zero.append(left - right)
                elif said == "ne":
                    facts.different.append(left - right)
                elif (natural := sum_of_order(said, left, right)) is not None:
                    facts.natural.append(natural)
            case _:
                pass

    def _linear(self, value: SSAValue, facts: Facts, depth: int) -> LeafSum:
        if value.type not in (IndexType(), i64) or depth == 0:
            return term(self.leaves.leaf(value, depth))

        def part(operand: SSAValue) -> LeafSum:
            return self._linear(operand, facts, depth - 1)

        constant = constant_value(value)
        if isinstance(constant, int):
            return LeafSum(constant=constant)
        match value.owner:
            case arith.IndexCastOp(input=inner):
                return part(inner)
            case arith.AddiOp(lhs=lhs, rhs=rhs):
                return part(lhs) + part(rhs)
            case arith.SubiOp(lhs=lhs, rhs=rhs):
                return part(lhs) - part(rhs)
            case arith.MuliOp(lhs=lhs, rhs=rhs):
                left, right = part(lhs), part(rhs)
                if left.number is not None:
                    return right * left.number
                if right.number is not None:
                    return left * right.number
                one, other = _stride(left), _stride(right)
                # Of two strides always the same one is that of their product.
                if other is None or (one is not None and hash(one) > hash(other)):
                    left, other = right, one
                if other is not None:
                    return _multiple(left, other)
            case arith.RemSIOp() | arith.DivSIOp():
                divided = self._divided(value.owner, part(value.owner.lhs), facts, depth)
                if divided is not None:
                    return divided
            case tensor.DimOp(source=source, index=axis) if isinstance(
                number := constant_value(axis), int
            ):
                return self.leaves.extent(source, number)
            case _:
                definition = self.leaves.definition(value)
                if definition is not None:
                    return part(definition)
        return term(self.leaves.leaf(value, depth))

    def _divided(
        self, op: arith.RemSIOp | arith.DivSIOp, dividend: LeafSum, facts: Facts, depth: int
    ) -> LeafSum | None:
        """A quotient or a remainder, of which the sum is `dividend`."""
        leaf = self.leaves.leaf(op.result, depth)
        quotient = term(Leaf(("quotient", leaf.key), leaf.varies_in, leaf.stable))
        divisor = self._linear(op.rhs, facts, depth - 1)
        count = divisor.number
        if count is not None and count > 0:
            rest = dividend - quotient * count
            facts.natural += [rest + (count - 1), (count - 1) - rest]
            # What is left has the sign of what is divided.
            facts.either.append(([dividend, rest], [-dividend - 1, -rest]))
        elif (stride := _stride(divisor)) is not None:
            rest = dividend - _multiple(quotient, stride)
        else:
            return None
        return rest if isinstance(op, arith.RemSIOp) else quotient


class TwoRows:
    """The variables of two rows or iterations: one for both where a value does not vary."""

    def __init__(self, agreeing: Set[Hashable]):
        self.agreeing = agreeing

    def value(self, leaf: Leaf, number: int) -> Sum:
        """A leaf in one of the two."""
        return term(self._name(leaf, number))

    def _name(self, leaf: Leaf, number: int) -> Hashable:
        if isinstance(leaf.key, Multiple):
            assert isinstance(leaf.key.of, Leaf)
            assert isinstance(leaf.key.stride, Leaf)
            return Multiple(self._name(leaf.key.of, number), self._name(leaf.key.stride, number))
        if leaf.stable and leaf.varies_in <= self.agreeing:
            return leaf.key
        return (leaf.key, number)

    def of(self, total: LeafSum, number: int) -> Sum:
        """A sum of leaves in one of the two."""
        return total.renamed(lambda leaf: self._name(leaf, number))

    def choices(self, facts: Facts, number: int) -> list[list[list[Sum]]]:
        """The alternatives in one of the two: of each the sums of one choice are not negative."""
        apart = [self.of(total, number) for total in facts.different]
        return [[[total * sign - 1] for sign in (-1, 1)] for total in apart] + [
            [[self.of(total, number) for total in choice] for choice in either]
            for either in facts.either
        ]

    def holding(self, facts: Facts, number: int, system: System) -> System:
        """The system in which facts hold in one of the two, but for the alternatives."""
        system = system.and_zero(*(self.of(total, number) for total in facts.zero))
        return system.and_natural(*(self.of(total, number) for total in facts.natural))


def _stride(total: LeafSum) -> Leaf | None:
    """The value that a sum is, if it is a single one that is the same everywhere."""
    leaf = total.alone
    return None if leaf is None or leaf.varies_in or not leaf.stable else leaf


def _multiple(total: LeafSum, stride: Leaf) -> LeafSum:
    """A sum times a stride."""

    def product(leaf: Leaf) -> Leaf:
        return Leaf(Multiple(leaf, stride), leaf.varies_in, leaf.stable)

    return term(stride, total.constant) + (total - total.constant).renamed(product)
