"""Sums of products of elements: which arrays are multiplied with which, and in what order.

  a * b * c    summed over j and k, with a = A[i, j], b = B[j, k], c = C[k, l]
=>
  %AB = tensor_block.reduce add (%A[d0, d2], %B[d2, d1])
  %R = tensor_block.reduce add (%AB[d0, d2], %C[d2, d1])
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, SSAValue

from diablo.dialects import monoids, tensor_block
from diablo.dialects.locations import remark
from diablo.dialects.scalar_types import is_inexact
from diablo.lowering.tensor_block.arrays.array_operands import Operand, picked
from diablo.lowering.tensor_block.arrays.array_query import ArrayQuery, Fill
from diablo.lowering.tensor_block.arrays.stored_entries import are_stored
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter
from diablo.passes.analyses.refused import Refused


class Products:
    """Sums products of factors over reduced dimensions of one query."""

    def __init__(self, array: ArrayQuery):
        self.array = array

    def contract(
        self, factors: Sequence[SSAValue], reduced: tuple[int, ...], type: Attribute
    ) -> list[Operand]:
        """The sum over `reduced` of the product of `factors`, as a product of operands."""
        groups = self._group_factors(factors)
        aligned = len({dims for dims, _ in groups}) == 1
        computed = any(f not in self.array.space.accesses for f in factors)
        if any(map(self._is_wide, groups)):
            return [self._generic_product(factors, reduced, type)]
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
        arrays = (operands[0].array, self.array.root.results[0])
        if len(operands) == 1 and all(tensor_block.is_sparse(array.type) for array in arrays):
            raise Refused("a sparse result has entries only where rows are")
        return [
            self.array.reduce(
                "add",
                operands,
                tuple(d for d in self.array.keys if d in accessed),
                tuple(d for d in reduced if d in accessed),
                type,
                _product_of_stored if self._meet_at_points(operands, type) else _product,
            )
        ]

    def _meet_at_points(self, operands: Sequence[Operand], type: Attribute) -> bool:
        """Return whether sparse arrays are multiplied element by element, and not as matrices are.

        What one of them stores may be infinite where the other stores nothing; libraries multiply
        matrices only where both store elements.
        """
        if len(operands) < 2 or not is_inexact(type):
            return False
        if not all(tensor_block.is_sparse(operand.array.type) for operand in operands):
            return False
        first, second = (set(operand.dimensions) for operand in operands)
        return first == second or bool(first & second & set(self.array.keys))

    def _is_wide(self, group: tuple[frozenset[int], list[SSAValue]]) -> bool:
        """Whether the product of some factors, as an array, is of higher rank than all others.

        Those are the arrays that it reads and the result: x - c for all pairs of rows of two
        matrices takes more memory than both together, and is not kept.
        """
        dims, factors = group
        if len(factors) == 1 and factors[0] in self.array.space.accesses:
            return False
        read = self.array.operands_of(self.array.leaves(factors)).values()
        ranks = [len(operand.dimensions) for operand in read]
        return len(dims) > max([*ranks, len(self.array.keys)])

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
            raise Refused("a sparse array is summed over a dimension of its own")
        kept = tuple(d for d in operand.dimensions if d not in alone)
        return self.array.reduce(
            "add", [operand], kept, alone, type, lambda emitter, elements: elements[0]
        )

    def _generic_product(
        self, factors: Sequence[SSAValue], reduced: tuple[int, ...], type: Attribute
    ) -> Operand:
        """A product of more than two operands that differ in their dimensions."""
        if any(map(self.array.space.is_stored_only, factors)):
            raise Refused("a sparse array is multiplied with more than one other array")
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


def _product_of_stored(emitter: BodyEmitter, factors: Sequence[SSAValue]) -> SSAValue:
    """The product where all factors are stored, and zero elsewhere."""
    test, type = are_stored(emitter, factors), factors[0].type
    assert test is not None
    return emitter.when(
        test, lambda body: [_product(body, factors)], lambda body: [body.zero(type)], [type]
    )[0]


def _product(emitter: BodyEmitter, factors: Sequence[SSAValue]) -> SSAValue:
    product = factors[0]
    for factor in factors[1:]:
        product = emitter.add(monoids.combine("mul", product, factor))
    return product
