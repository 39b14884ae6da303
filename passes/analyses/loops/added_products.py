"""Analysis: maps that add a product of matrices to an array, or take it off one.

    %p = tensor_block.reduce add … ins(%A[d0, d2], %B[d2, d1]) { a * b }
    %c = tensor_block.map … ins(%R[d0, d1], %p[d0, d1]) { r - 2.0 * p }      -2.0 * A @ B + R

BLAS does that as it makes the product: its `gemm` gives `alpha * A @ B + beta * C`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, Float64Type, NoneAttr
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from diablo.dialects.encodings import as_array, is_sparse
from diablo.dialects.tensor_block import MapOp, ReduceOp, YieldOp
from diablo.passes.analyses.loops.products import is_blas_product
from diablo.passes.analyses.values.affine_values import constant_value, same_value


@dataclass(frozen=True)
class Coefficient:
    """What an element is multiplied by: a finite number, or a value that is the same at all points.

    With a factor, the number is 1.0 or -1.0.
    """

    number: float
    factor: SSAValue | None = None

    @property
    def is_sign(self) -> bool:
        """Return whether it keeps the element as it is, but for its sign."""
        return self.factor is None and abs(self.number) == 1.0

    def negated(self) -> Coefficient:
        """Return it with the other sign."""
        return Coefficient(-self.number, self.factor)


def coefficients(op: MapOp) -> tuple[Coefficient, Coefficient] | None:
    """Return what a map multiplies the elements of two matrices by, of which it gives the sum."""
    if op.offsets or len(op.extents) != 2 or len(op.inputs) != 2 or op.inputs[0] is op.inputs[1]:
        return None
    if any(map.data != AffineMap.identity(2) for map in op.indexing_maps):
        return None
    types = [as_array(value.type) for value in (*op.inputs, op.result)]
    if any(type is None or not isinstance(type.encoding, NoneAttr) for type in types):
        return None
    elements = {type.get_element_type() for type in types if type is not None}
    if len(elements) != 1 or not isinstance(elements.pop(), Float32Type | Float64Type):
        return None
    end = op.body.block.last_op
    assert isinstance(end, YieldOp)
    found = _terms(end.values[0], op)
    first, second = op.body.block.args[-2:]
    if found is None or found.keys() != {first, second}:
        return None
    return found[first], found[second]


_Terms = dict[BlockArgument, Coefficient]
"""What the elements in a sum are multiplied by."""


def _terms(value: SSAValue, op: MapOp) -> _Terms | None:
    """Return the terms of a sum, None if it is none: of each element there is one term at most."""
    if isinstance(value, BlockArgument):
        return {value: Coefficient(1.0)} if value.block is op.body.block else None
    owner = value.owner
    if not isinstance(owner, Operation) or not op.is_ancestor(owner):
        return None
    match owner:
        case arith.NegfOp():
            inner = _terms(owner.operand, op)
            return None if inner is None else _negated(inner)
        case arith.AddfOp() | arith.SubfOp():
            left, right = _terms(owner.lhs, op), _terms(owner.rhs, op)
            if left is None or right is None or left.keys() & right.keys():
                return None
            return left | (_negated(right) if isinstance(owner, arith.SubfOp) else right)
        case arith.MulfOp():
            for factor, other in ((owner.lhs, owner.rhs), (owner.rhs, owner.lhs)):
                inner, by = _terms(other, op), _coefficient(factor, op)
                # A sum that is multiplied would be rounded otherwise.
                if inner is None or len(inner) != 1 or by is None:
                    continue
                ((element, known),) = inner.items()
                if by.is_sign or known.is_sign:
                    sign, scaled = (by, known) if by.is_sign else (known, by)
                    return {element: scaled if sign.number > 0.0 else scaled.negated()}
                # The product of two factors may overflow, or be zero, where what they give is not.
            return None
        case _:
            return None


def _negated(terms: _Terms) -> _Terms:
    return {element: known.negated() for element, known in terms.items()}


def _coefficient(factor: SSAValue, op: MapOp) -> Coefficient | None:
    """Return what multiplies by a value, if it is the same at all points."""
    number = constant_value(factor)
    if isinstance(number, float):
        return Coefficient(number) if isfinite(number) else None
    return None if op.is_ancestor(factor.owner) else Coefficient(1.0, factor)


def is_matrix_product(op: Operation) -> bool:
    """Return whether BLAS multiplies two matrices for `op`, neither of which is sparse."""
    return (
        isinstance(op, ReduceOp)
        and not op.offsets
        and len(op.extents) == 3
        and op.parallel.value.data == 2
        and is_blas_product(op)
        and all(len(map.data.results) == 2 for map in op.indexing_maps)
        and not any(is_sparse(value.type) for value in op.inputs)
    )


@dataclass(frozen=True)
class AddedProduct:
    """A product and the array that it is added to, with what each is multiplied by."""

    product: ReduceOp
    alpha: Coefficient
    other: SSAValue
    beta: Coefficient


def added_product(op: Operation) -> AddedProduct | None:
    """Return the product that a map adds to an array, all of it, if nothing else reads that."""
    if not isinstance(op, MapOp) or (found := coefficients(op)) is None:
        return None
    for number in (1, 0):
        product = op.inputs[number].owner
        if (
            isinstance(product, ReduceOp)
            and is_matrix_product(product)
            and product.parent is op.parent
            and product.result.has_one_use()
            and all(same_value(*pair) for pair in zip(op.extents, product.extents, strict=False))
        ):
            return AddedProduct(product, found[number], op.inputs[1 - number], found[1 - number])
    return None


def is_added_product(op: Operation) -> bool:
    """Return whether `op` is a product that the map which reads it adds to an array."""
    if not isinstance(op, ReduceOp) or not op.result.has_one_use():
        return False
    use = op.result.first_use
    found = None if use is None else added_product(use.operation)
    return found is not None and found.product is op
