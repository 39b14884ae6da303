"""Kernels that a loop of the driver calls, and of which BLAS does all that takes time.

    %y = func.call @kernel_0(%n, %m, %A, %x)         "ik,k->i": a matrix and a vector
    %C = func.call @kernel_1(%n, %m, %l, %A, %B)     "ik,kj->ij": two matrices
    %D = func.call @kernel_2(%n, %m, %l, %A, %B, %R) -2.0 * "ik,kj->ij" + %R
    %E = func.call @kernel_3(%n, %m, %l, %A, %B, %R, %a)    %a * "ik,kj->ij" + %R

A product is written as `numpy.einsum` takes it: `i` and `j` are the dimensions of the result, and
`k` is that along which is summed.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import ComplexType, f32, f64
from xdsl.ir import Attribute, SSAValue

from diablo.dialects.access_maps import picked_dimensions
from diablo.dialects.encodings import is_sparse
from diablo.dialects.tensor_block import ReduceOp
from diablo.kernel_signature import Dimension
from diablo.lowering.kernel_types import element_type, is_tensor
from diablo.lowering.llvm.kernel_loops import tensor_ops
from diablo.lowering.llvm.signature_parts import dimension_of
from diablo.passes.analyses.loops.added_products import Coefficient, added_product
from diablo.passes.analyses.loops.products import is_blas_product
from diablo.passes.analyses.refused import Refused

_NUMBERS: tuple[Attribute, ...] = (f64, f32, ComplexType(f64), ComplexType(f32))
"""The elements that BLAS multiplies."""


@dataclass(frozen=True)
class Factor:
    """What an array is multiplied by: a number, which is a sign if it multiplies an argument."""

    number: float
    argument: int | None = None


@dataclass(frozen=True)
class Added:
    """What a product is added to, the argument `other`: `alpha * product + beta * other`."""

    other: int
    alpha: Factor
    beta: Factor


@dataclass(frozen=True)
class LibraryProduct:
    """A kernel that is a product of the arguments `left` and `right`."""

    left: int
    right: int
    spec: str
    extents: tuple[Dimension, ...]
    """Those of the dimensions of the result, and that along which is summed."""
    added: Added | None = None


def library_product(kernel: func.FuncOp) -> LibraryProduct | None:
    """The product that is all of a kernel, if it is one.

    Raises
    ------
    Refused
        If it is one that cannot be written so.
    """
    ops, end = tensor_ops(kernel), kernel.body.block.last_op
    if not ops or end is None or list(end.operands) != [ops[-1].result]:
        return None
    product, added = ops[0], None
    if len(ops) == 2 and (found := added_product(ops[1])) is not None:
        product = found.product
        if product is not ops[0]:
            return None
        if 0.0 in (found.alpha.number, found.beta.number):
            return None
        other, alpha, beta = found.other, found.alpha, found.beta
        added = Added(_number_of(other, kernel), _factor(alpha, kernel), _factor(beta, kernel))
    elif len(ops) > 1:
        return None
    if not isinstance(product, ReduceOp) or not is_blas_product(product):
        return None
    letters = "ij"[: product.parallel.value.data] + "k"
    if not is_tensor(product.result.type) or len(product.extents) != len(letters):
        return None
    if product.offsets or product.symbols or any(is_sparse(v.type) for v in product.inputs):
        return None
    operands: list[tuple[int, str]] = []
    for value, map in zip(product.inputs, product.indexing_maps, strict=True):
        picked = picked_dimensions(map.data)
        if picked is None or not 1 <= len(set(picked)) == len(picked) <= 2:
            return None
        operands.append((_number_of(value, kernel), "".join(letters[d] for d in picked)))
    if "i" not in operands[0][1]:
        operands.reverse()
    (left, first), (right, second) = operands
    extents = tuple(dimension_of(extent) for extent in product.extents)
    return LibraryProduct(left, right, f"{first},{second}->{letters[:-1]}", extents, added)


def _factor(coefficient: Coefficient, kernel: func.FuncOp) -> Factor:
    factor = coefficient.factor
    if factor is None:
        return Factor(coefficient.number)
    if factor not in kernel.args:
        raise Refused("what a product is multiplied by is computed in its kernel")
    return Factor(coefficient.number, list(kernel.args).index(factor))  # pyright: ignore


def _number_of(value: SSAValue, kernel: func.FuncOp) -> int:
    """The number of the argument that a factor is."""
    if value not in kernel.args:
        raise Refused("a factor of a product is made on the way")
    if element_type(value.type) not in _NUMBERS:
        raise Refused("a factor of a product has elements that BLAS does not take")
    return list(kernel.args).index(value)  # pyright: ignore
