"""Reductions of a comprehension over aligned arrays.

Reads the `comprehension` level, writes `reduce` ops and the maps that prepare their operands.
Where sparse arrays are gone through, the points that they store nothing at are told from the
others (stored_entries.py), or the products are zero there. Under `add`, the value is split
into terms that do not cancel, or that have rounded before they do (sum_of_products.py); for

    b * e * q        summed over j, with e = E[j, i], q = Q[j]

the factor b stays outside, and `reduce add (%E[d1, d0], %Q[d1])` is what remains.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, SSAValue

from diablo.dialects import comprehension, monoids
from diablo.dialects.locations import remark
from diablo.dialects.number_ops import from_integer, subtract
from diablo.dialects.scalar_types import is_inexact
from diablo.lowering.few_points import FEW
from diablo.lowering.tensor_block.arrays.array_operands import Operand
from diablo.lowering.tensor_block.arrays.array_products import Products
from diablo.lowering.tensor_block.arrays.array_query import ArrayQuery
from diablo.lowering.tensor_block.arrays.stored_entries import StoredEntries
from diablo.lowering.tensor_block.arrays.sum_of_products import SumOfProducts, Term
from diablo.lowering.tensor_block.arrays.window_counts import WindowCounts
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter
from diablo.lowering.tensor_block.query.index_conditions import Condition
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.inequalities import inequalities
from diablo.passes.analyses.values.intervals import facts_of
from diablo.passes.analyses.values.linear_forms import known_difference
from diablo.passes.analyses.values.speculation import can_trap

Compute = Callable[[BodyEmitter], SSAValue]
"""Emits a value into the body of the final map."""


class FinalInputs:
    """The inputs of the final map, without duplicates, and the elements they bind."""

    def __init__(self) -> None:
        self.operands: list[Operand] = []
        self.elements: dict[SSAValue, int] = {}
        self._arguments: Sequence[SSAValue] = ()

    def slot(self, operand: Operand) -> int:
        """The number of `operand`, which is added if it is new."""
        if operand not in self.operands:
            self.operands.append(operand)
        return self.operands.index(operand)

    def bind(self, element: SSAValue, operand: Operand) -> None:
        """Make `element` of the comprehension readable in the final map."""
        self.elements[element] = self.slot(operand)

    def enter(self, emitter: BodyEmitter, arguments: Sequence[SSAValue]) -> None:
        """The final map's body starts: `arguments` are its elements, one per operand."""
        self._arguments = arguments
        for element, slot in self.elements.items():
            emitter.environment[element] = arguments[slot]

    def value(self, slot: int) -> SSAValue:
        """The element of an operand in the final map's body."""
        return self._arguments[slot]


class Narrowing(NamedTuple):
    """What leaves a part of the points of the result."""

    conditions: list[Condition]
    guards: list[comprehension.GuardOp]


class Reductions:
    """Plans the reductions of one query over its reduced dimensions."""

    def __init__(self, array: ArrayQuery, final: FinalInputs, fast_math: bool):
        self.array = array
        self.final = final
        self.fast_math = fast_math
        self.counts = WindowCounts(array)
        self.products = Products(array)
        self.stored = StoredEntries(array)

    def plan(self, monoid: str, value: SSAValue) -> Compute:
        """Reduce `value` over the reduced dimensions; say how the final map reads the result."""
        terms = None if any(self._narrowing) else self._terms(monoid, value)
        if terms is None:
            return self.general_reduction(monoid, value)
        try:
            computes = [self._plan_term(term, value.type) for term in terms]
        except Refused:
            if not self.stored:
                raise
            return self.general_reduction(monoid, value)

        def compute(emitter: BodyEmitter) -> SSAValue:
            total = computes[0](emitter)
            if terms[0].sign < 0:
                total = emitter.add(subtract(emitter.zero(value.type), total))
            for term, part in zip(terms[1:], computes[1:], strict=True):
                other = part(emitter)
                total = emitter.add(
                    monoids.combine("add", total, other)
                    if term.sign > 0
                    else subtract(total, other)
                )
            return total

        return compute

    @cached_property
    def _narrowing(self) -> Narrowing:
        """What leaves a part of the only key: beside it nothing has to be reduced.

        Where the part is all but a few points, or there are several keys, so that it may be a
        product of matrices, all is reduced, and the final map tests the conditions.
        """
        if len(self.array.keys) != 1 or self.stored or not self.array.reduced:
            return Narrowing([], [])
        size = self.array.space.dimensions[self.array.keys[0]].size
        conditions = [
            c
            for c in self.array.key_conditions()
            if c.predicate != "eq"
            and c.source is None
            and c.bound is not None
            and not self.array.query.binds(c.bound)
            and not _is_near_an_end(c.bound, size)
        ]
        guards = [
            guard
            for guard in self.array.query.guards
            if self.array.is_outer(guard)
            and inequalities(guard.condition)
            and not self.array.operands_of(self.array.leaves([guard.condition]))
        ]
        return Narrowing(conditions, guards)

    def _terms(self, monoid: str, value: SSAValue) -> list[Term] | None:
        """The products whose sum is reduced, if each can be reduced on its own."""
        if not monoid_named(monoid).is_sum or self.array.guards_inside(value):
            return None
        # A factor that could fail stays in the sum: without rows it is never computed.
        if any(map(can_trap, self.array.slice([value]))):
            return None
        facts = facts_of(guard.condition for guard in self.array.query.guards)
        sum = SumOfProducts(self.array.query.block, facts, self.fast_math)
        terms = sum.terms(value)
        if sum.kept is not None:
            apart = SumOfProducts(self.array.query.block, facts, rounded=True)
            if any(map(self._multiplies_matrices, found := apart.terms(value))):
                sum, terms = apart, found
        if sum.kept is not None:
            remark(sum.kept, "not split: the terms may cancel (use --fast-math)")
        if any(not set(self.stored.elements) <= set(term.factors) for term in terms):
            return None
        return terms if all(map(self._conditions_hold, terms)) else None

    def _multiplies_matrices(self, term: Term) -> bool:
        """Return whether a term is reduced as a product of two matrices."""
        varying = frozenset(self.array.reduced)
        found = [self.array.dependences([factor]) for factor in term.factors]
        rows = [dimensions - varying for dimensions in found if dimensions & varying]
        return len(rows) == 2 and bool(rows[0] - rows[1]) and bool(rows[1] - rows[0])

    def _conditions_hold(self, term: Term) -> bool:
        """Return whether a term is zero where the conditions do not hold, or can be counted."""
        conditions = self.array.reduced_conditions()
        if not conditions:
            return True
        if not self._varies(term):
            return self.counts.can_count(conditions)
        # An element that is read outside of its array is zero; another factor may be infinite.
        varying = {f for f in term.factors if self.array.dependences([f]) & {*self.array.reduced}}
        return all(
            c.source is not None
            and c.source in term.factors
            and (varying == {c.source} or not is_inexact(c.source.type))
            for c in conditions
        )

    def _varies(self, term: Term) -> bool:
        return any(self.array.dependences([f]) & set(self.array.reduced) for f in term.factors)

    def general_reduction(self, monoid: str, value: SSAValue) -> Compute:
        """One `reduce` whose body evaluates guards and value at every point.

        Where sparse arrays are gone through, the points are those that they store.
        """
        self.stored.take()
        inside = self.array.guards_inside(value)
        inside += [guard for guard in self._narrowing.guards if guard not in inside]
        tested = self.array.conditions_inside(value)
        tested += [c for c in self._narrowing.conditions if c not in tested]
        bounds = [c.bound for c in tested if c.bound is not None]
        wanted = [value, *[guard.condition for guard in inside], *bounds, *self.stored.elements]
        leaves = self.array.leaves(wanted)
        operands = self.array.operands_of(leaves)
        dependences = self.array.dependences(wanted).union(
            *[self.array.dimensions_of(c) for c in tested]
        )
        parallel = tuple(d for d in self.array.keys if d in dependences)
        ops = self.array.ordered(wanted, inside)

        def fill(emitter: BodyEmitter, elements: Sequence[SSAValue]) -> SSAValue:
            emitter.environment.update(zip(operands, elements, strict=True))

            def nothing(body: BodyEmitter) -> Sequence[SSAValue]:
                return [body.identity(monoid, value.type, self.array.root)]

            def at_point(body: BodyEmitter) -> Sequence[SSAValue]:
                return self.array.conditional(
                    body,
                    tested,
                    lambda inner: inner.guarded(
                        ops, lambda last: [last.lookup(value)], nothing, [value.type]
                    ),
                    nothing,
                    [value.type],
                )

            stored = self.stored.are_stored(emitter)
            if stored is None:
                return at_point(emitter)[0]
            return emitter.when(stored, at_point, nothing, [value.type])[0]

        result = self.array.reduce(
            monoid, list(operands.values()), parallel, self.array.reduced, value.type, fill
        )
        return self._read(result)

    def _read(self, operand: Operand) -> Compute:
        """Read a reduction's result: an input of the final map, or a driver scalar."""
        if not operand.access:
            return lambda emitter: operand.array
        slot = self.final.slot(operand)
        return lambda emitter: self.final.value(slot)

    def _plan_term(self, term: Term, type: Attribute) -> Compute:
        """Reduce one product: outer factors stay out of the sum, inner ones are contracted."""
        varying = set(self.array.reduced)
        inner = [f for f in term.factors if self.array.dependences([f]) & varying]
        outer = [f for f in term.factors if f not in inner]
        if any(map(self.array.space.is_stored_only, outer)):
            raise Refused("a sparse array is read outside the reduced dimensions")
        for leaf, operand in self.array.operands_of(self.array.leaves(outer)).items():
            self.final.bind(leaf, operand)
        parts: list[Compute] = [lambda e, f=f: self._outer(e, f) for f in outer]
        touched = {d for f in inner for d in self.array.dependences([f])} & varying
        conditions = [] if inner else self.array.reduced_conditions()
        if conditions:
            parts.append(lambda emitter: self.counts.count(emitter, conditions, type))
        else:
            for number in self.array.reduced:
                if number not in touched:
                    parts.append(self._count(number, type))
        if inner:
            reduced = tuple(d for d in self.array.reduced if d in touched)
            parts += [self._read(o) for o in self.products.contract(inner, reduced, type)]

        def compute(emitter: BodyEmitter) -> SSAValue:
            product = parts[0](emitter)
            for part in parts[1:]:
                product = emitter.add(monoids.combine("mul", product, part(emitter)))
            return product

        return compute

    def _outer(self, emitter: BodyEmitter, factor: SSAValue) -> SSAValue:
        emitter.clone(self.array.slice([factor]))
        return emitter.lookup(factor)

    def _count(self, number: int, type: Attribute) -> Compute:
        """The extent of a dimension over which a term is constant, as a number."""
        size = self.array.space.dimensions[number].size
        count = self.array.driver.insert(arith.IndexCastOp(size, _integer(type)))
        if is_inexact(type):
            for op in from_integer(count, type):
                count = self.array.driver.insert(op)
        return lambda emitter: count


def _is_near_an_end(bound: SSAValue, size: SSAValue) -> bool:
    """Return whether few of the numbers below `size` lie between a bound and one of their ends."""
    places = (constant_value(bound), known_difference(size, bound))
    return any(isinstance(place, int) and abs(place) <= FEW for place in places)


def counts_rows(fold: comprehension.ReduceOp, value: SSAValue) -> bool:
    """Return whether a fold of `value` tells how many rows there are, or a multiple of it."""
    constant = constant_value(value)
    return monoid_named(fold.monoid.data).is_sum and constant is not None and constant > 0


def _integer(type: Attribute) -> Attribute:
    return i64 if is_inexact(type) else type
