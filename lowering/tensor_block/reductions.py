"""Reductions of a comprehension over aligned arrays.

Reads the `comprehension` level, writes `reduce` and `contract` ops and the maps that prepare
their operands. Under `add`, the value is split into terms (sum_of_products.py); for

    b * e * q        summed over j, with e = E[j, i], q = Q[j]

the factor b stays outside, and `contract add (%E[d1, d0], %Q[d1])` is what remains.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, i64
from xdsl.ir import Attribute, Operation, SSAValue

from diablo.dialects import monoids, tensor_block
from diablo.dialects.locations import remark
from diablo.lowering.tensor_block.array_query import ArrayQuery, Fill, Operand, picked
from diablo.lowering.tensor_block.body_emitter import BodyEmitter
from diablo.lowering.tensor_block.query import Unrecognised
from diablo.lowering.tensor_block.sum_of_products import Term, sum_of_products
from diablo.lowering.tensor_block.window_counts import WindowCounts
from diablo.passes.analyses.speculation import can_trap

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


class Reductions:
    """Plans the reductions of one query over its reduced dimensions."""

    def __init__(self, array: ArrayQuery, final: FinalInputs):
        self.array = array
        self.final = final
        self.counts = WindowCounts(array)

    def plan(self, monoid: str, value: SSAValue) -> Compute:
        """Reduce `value` over the reduced dimensions; say how the final map reads the result."""
        stored = set(filter(self.array.space.is_stored_only, self.array.space.accesses))
        terms = self._terms(monoid, value)
        if terms is None:
            if stored:
                raise Unrecognised("only the stored entries of a sparse array take part")
            return self.general_reduction(monoid, value)
        if any(not stored <= set(term.factors) for term in terms):
            raise Unrecognised("only the stored entries of a sparse array take part")
        computes = [self._plan_term(term, value.type) for term in terms]

        def compute(emitter: BodyEmitter) -> SSAValue:
            total = computes[0](emitter)
            if terms[0].sign < 0:
                total = emitter.add(_subtract(emitter.zero(value.type), total))
            for term, part in zip(terms[1:], computes[1:], strict=True):
                other = part(emitter)
                total = emitter.add(
                    monoids.combine("add", total, other)
                    if term.sign > 0
                    else _subtract(total, other)
                )
            return total

        return compute

    def _terms(self, monoid: str, value: SSAValue) -> list[Term] | None:
        """The products whose sum is reduced, if each can be reduced on its own."""
        if monoid != "add" or self.array.guards_inside(value):
            return None
        # A factor that could fail stays in the sum: without rows it is never computed.
        if any(map(can_trap, self.array.slice([value]))):
            return None
        terms = sum_of_products(value, self.array.query.block)
        return terms if all(map(self._conditions_hold, terms)) else None

    def _conditions_hold(self, term: Term) -> bool:
        """Whether a term is zero where the conditions do not hold, or can be counted."""
        conditions = self.array.reduced_conditions()
        if not conditions:
            return True
        if not self._varies(term):
            return self.counts.can_count(conditions)
        # An element that is read outside of its array is zero.
        return all(c.source in term.factors for c in conditions)

    def _varies(self, term: Term) -> bool:
        return any(self.array.dependences([f]) & set(self.array.reduced) for f in term.factors)

    def general_reduction(self, monoid: str, value: SSAValue) -> Compute:
        """One `reduce` whose body evaluates guards and value at every point."""
        inside = self.array.guards_inside(value)
        tested = self.array.reduced_conditions()
        bounds = [c.bound for c in tested if c.bound is not None]
        wanted = [value, *[guard.condition for guard in inside], *bounds]
        leaves = self.array.leaves(wanted)
        operands = self.array.operands_of(leaves)
        dependences = self.array.dependences(wanted).union(
            *[self.array.dimensions_of(c) for c in tested]
        )
        parallel = tuple(d for d in self.array.keys if d in dependences)
        ops = self.array.ordered(wanted, inside)

        def fill(emitter: BodyEmitter, elements: Sequence[SSAValue]) -> SSAValue:
            emitter.environment.update(zip(operands, elements, strict=True))
            (result,) = self.array.conditional(
                emitter,
                tested,
                lambda body: body.guarded(
                    ops,
                    lambda inner: [inner.lookup(value)],
                    lambda inner: [inner.identity(monoid, value.type)],
                    [value.type],
                ),
                lambda body: [body.identity(monoid, value.type)],
                [value.type],
            )
            return result

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
            raise Unrecognised("a sparse array is read outside the reduced dimensions")
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
            parts += [self._read(o) for o in self._contract(inner, reduced, type)]

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
        if isinstance(type, AnyFloat):
            count = self.array.driver.insert(arith.SIToFPOp(count, type))
        return lambda emitter: count

    def _contract(
        self, factors: Sequence[SSAValue], reduced: tuple[int, ...], type: Attribute
    ) -> list[Operand]:
        """The sum over `reduced` of the product of `factors`, as a product of operands."""
        groups = self._group_factors(factors)
        aligned = len({dims for dims, _ in groups}) == 1
        computed = any(f not in self.array.space.accesses for f in factors)
        if len(groups) > 2 and (chain := self._chain(groups, reduced, type)) is not None:
            operands, reduced = chain
        elif len(groups) > 2 or (aligned and computed and len(groups) == 2):
            return [self._generic_product(factors, reduced, type)]
        else:
            operands = [self._operand(dims, members, type) for dims, members in groups]
        if len(operands) == 2:
            operands = [
                self._sum_out(operand, other, reduced, type)
                for operand, other in (operands, reversed(operands))
            ]
            if not set(reduced) & set(operands[0].dimensions) & set(operands[1].dimensions):
                return operands
        accessed = {d for o in operands for d in o.dimensions}
        if len(operands) == 1 and tensor_block.is_sparse(operands[0].array.type):
            raise Unrecognised("a reduction of a sparse array alone runs over its rows")
        return [
            self.array.reduce(
                "add",
                operands,
                tuple(d for d in self.array.keys if d in accessed),
                tuple(d for d in reduced if d in accessed),
                type,
                _product,
            )
        ]

    def _chain(
        self,
        groups: Sequence[tuple[frozenset[int], list[SSAValue]]],
        reduced: tuple[int, ...],
        type: Attribute,
    ) -> tuple[list[Operand], tuple[int, ...]] | None:
        """A chain of products, two at a time, until two operands are left.

        Two go together that share a reduced dimension which no other has, if their product is
        of no higher rank than they are; of `A B C` these are A and B, then their product and C.
        """
        left = [dims for dims, _ in groups]
        steps: list[tuple[int, int, tuple[int, ...]]] = []
        while len(left) > 2:
            step = _next_product(left, reduced)
            if step is None:
                return None
            one, other, summed = step
            steps.append(step)
            left[one] = (left[one] | left[other]) - set(summed)
            del left[other]
        operands = [self._operand(dims, members, type) for dims, members in groups]
        for one, other, summed in steps:
            pair = [operands[one], operands[other]]
            kept = tuple(
                sorted(
                    {d for o in pair for d in o.dimensions} - set(summed),
                    key=lambda d: (d not in pair[0].dimensions, d),
                )
            )
            operands[one] = self.array.reduce("add", pair, kept, summed, type, _product)
            del operands[other]
        done = {d for _, _, summed in steps for d in summed}
        message = "a chain of products: two at a time"
        remark(self.array.root, message)
        return operands, tuple(d for d in reduced if d not in done)

    def _group_factors(
        self, factors: Sequence[SSAValue]
    ) -> list[tuple[frozenset[int], list[SSAValue]]]:
        """The operands of a product, two if it can be, each with the dimensions it varies with.

        While there are more than two, an operand that varies with a subset of another's
        dimensions joins it, unless one of them is a sparse array (which is kept whole).
        """
        groups = [(self.array.dependences([factor]), [factor]) for factor in factors]
        groups.sort(key=lambda g: len(g[0]))
        while len(groups) > 2:
            merged = False
            for small in groups:
                large = next(
                    (
                        g
                        for g in groups
                        if g is not small
                        and small[0] <= g[0]
                        and not any(map(self._is_sparse, (*g[1], *small[1])))
                    ),
                    None,
                )
                if large is not None:
                    large[1].extend(small[1])
                    groups.remove(small)
                    merged = True
                    break
            if not merged:
                break
        return groups

    def _is_sparse(self, factor: SSAValue) -> bool:
        generator = self.array.space.generator_of.get(factor)
        return generator is not None and tensor_block.is_sparse(generator.collection.type)

    def _product_of(self, factors: Sequence[SSAValue]) -> tuple[list[Operand], Fill]:
        """The arrays that the product of `factors` reads, and how a body computes it."""
        operands = self.array.operands_of(self.array.leaves(factors))

        def fill(emitter: BodyEmitter, elements: Sequence[SSAValue]) -> SSAValue:
            emitter.environment.update(zip(operands, elements, strict=True))
            emitter.clone(self.array.slice(factors))
            return _product(emitter, [emitter.lookup(f) for f in factors])

        return list(operands.values()), fill

    def _operand(
        self, dims: frozenset[int], factors: Sequence[SSAValue], type: Attribute
    ) -> Operand:
        """The product of `factors` as an array: the array itself if it is one."""
        if len(factors) == 1 and factors[0] in self.array.space.accesses:
            return self.array.operand_of(factors[0])
        access = tuple(sorted(dims))
        arrays, fill = self._product_of(factors)

        result_type = self.array.intermediate_type(type, len(access))
        return Operand(self.array.map(arrays, access, result_type, fill), picked(access))

    def _sum_out(
        self, operand: Operand, other: Operand, reduced: tuple[int, ...], type: Attribute
    ) -> Operand:
        """Sum `operand` over the reduced dimensions that `other` does not vary with."""
        alone = tuple(d for d in reduced if d in operand.dimensions and d not in other.dimensions)
        if not alone:
            return operand
        if tensor_block.is_sparse(operand.array.type):
            raise Unrecognised("a sparse array is summed over a dimension of its own")
        kept = tuple(d for d in operand.dimensions if d not in alone)
        return self.array.reduce(
            "add", [operand], kept, alone, type, lambda emitter, elements: elements[0]
        )

    def _generic_product(
        self, factors: Sequence[SSAValue], reduced: tuple[int, ...], type: Attribute
    ) -> Operand:
        """A product of more than two operands that differ in their dimensions."""
        if any(map(self.array.space.is_stored_only, factors)):
            raise Unrecognised("a sparse array is multiplied with more than one other array")
        arrays, fill = self._product_of(factors)
        parallel = tuple(d for d in self.array.keys if d in self.array.dependences(factors))

        return self.array.reduce("add", arrays, parallel, reduced, type, fill)


def _next_product(
    operands: Sequence[frozenset[int]], reduced: tuple[int, ...]
) -> tuple[int, int, tuple[int, ...]] | None:
    """Two operands to multiply, and the dimensions that are summed then; the least rank first."""
    found: list[tuple[int, int, int, tuple[int, ...]]] = []
    for other in range(len(operands)):
        for one in range(other):
            rest = frozenset[int]().union(
                *[dims for k, dims in enumerate(operands) if k not in (one, other)]
            )
            shared = operands[one] & operands[other]
            summed = tuple(d for d in reduced if d in shared and d not in rest)
            rank = len((operands[one] | operands[other]) - set(summed))
            if summed and rank <= max(len(operands[one]), len(operands[other])):
                found.append((rank, one, other, summed))
    if not found:
        return None
    _, one, other, summed = min(found)
    return one, other, summed


def _integer(type: Attribute) -> Attribute:
    return i64 if isinstance(type, AnyFloat) else type


def _subtract(lhs: SSAValue, rhs: SSAValue) -> Operation:
    return arith.SubfOp(lhs, rhs) if isinstance(lhs.type, AnyFloat) else arith.SubiOp(lhs, rhs)


def _product(emitter: BodyEmitter, factors: Sequence[SSAValue]) -> SSAValue:
    product = factors[0]
    for factor in factors[1:]:
        product = emitter.add(monoids.combine("mul", product, factor))
    return product
