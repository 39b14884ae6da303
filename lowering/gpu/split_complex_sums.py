"""Let what adds complex numbers at computed places add their parts, each in an array of its own.

    %h = tensor_block.scatter_reduce add … into(%n) ins(%z[d0]) -> tensor<?xcomplex<f64>> {…}

becomes

    %x = tensor_block.scatter_reduce add … into(%n) ins(%z[d0]) -> tensor<?xf64> { … complex.re … }
    %y = tensor_block.scatter_reduce add … into(%n) ins(%z[d0]) -> tensor<?xf64> { … complex.im … }
    %h = tensor_block.map parallel(d0 < %n) ins(%x[d0], %y[d0]) -> tensor<?xcomplex<f64>> {
      … complex.create …
    }

Threads of a GPU meet at such places, where memory combines no pair of floats in one step, but sums
of floats have ways of their own (`convert-loops-to-gpu`). Other monoids are left alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import complex
from xdsl.dialects.builtin import ComplexType, IndexType, ModuleOp, TensorType
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects.complex_numbers import part_type
from diablo.dialects.locations import located, named
from diablo.dialects.scalar_types import is_complex
from diablo.dialects.tensor_block import MapOp, ScatterReduceOp, YieldOp
from diablo.lowering.kernel_types import is_tensor
from diablo.monoid_table import monoid_named


def split_complex_sums(op: ScatterReduceOp) -> None:
    """Replace an op that adds complex numbers by one for each part."""
    type = op.result.type
    assert is_tensor(type)
    element = type.get_element_type()
    part = part_type(element)
    of_parts = TensorType(part, type.get_shape(), type.encoding)
    sums = [_sum_of_parts(op, take, of_parts) for take in (complex.ReOp, complex.ImOp)]
    rank = type.get_num_dims()
    block = Block(arg_types=[*[IndexType()] * rank, part, part])
    real, imaginary = block.args[rank:]
    whole = complex.CreateOp(real, imaginary, ComplexType(part))
    block.add_ops([located(whole, op), located(YieldOp(whole.complex), op)])
    maps = [AffineMap.identity(rank)] * 2
    joined = MapOp([each.result for each in sums], list(op.into), maps, Region(block), type)
    Rewriter.insert_op([*sums, located(joined, op)], InsertPoint.before(op))
    named(joined.result, op.result)
    op.result.replace_all_uses_with(joined.result)
    Rewriter.erase_op(op)


def _sum_of_parts(
    op: ScatterReduceOp, take: type[complex.ReOp | complex.ImOp], type: Attribute
) -> ScatterReduceOp:
    """The sum of one part of what an op adds."""
    body = op.body.clone()
    end = body.block.last_op
    assert isinstance(end, YieldOp)
    place, value = list[SSAValue](end.operands[:-1]), end.operands[-1]
    part = located(take(value), op)
    Rewriter.insert_op(part, InsertPoint.before(end))
    Rewriter.replace_op(end, located(YieldOp(*place, part.result), end), [])
    made = ScatterReduceOp(
        op.monoid.data,
        list(op.inputs),
        list(op.extents),
        list(op.into),
        [map.data for map in op.indexing_maps],
        body,
        type,
        list(op.offsets),
        list(op.symbols),
    )
    return located(made, op)


@dataclass(frozen=True)
class SplitComplexSumsPass(ModulePass):
    """Lets what adds complex numbers at computed places add their parts."""

    name = "split-complex-sums"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Split the sums of all dense arrays."""
        for inner in list(op.walk()):
            if isinstance(inner, ScatterReduceOp) and monoid_named(inner.monoid.data).is_sum:
                type = inner.result.type
                if is_tensor(type) and is_complex(type.get_element_type()):
                    split_complex_sums(inner)
