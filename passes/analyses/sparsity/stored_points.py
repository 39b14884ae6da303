"""Analysis: where must a map with a sparse result be computed?

```mlir
%C = tensor_block.map parallel(d0 < %n, d1 < %m)
    ins(%A[d0, d1] : !sparse, %B[d1, d0] : !sparse, %v[d1] : !dense) -> !sparse {
^bb0(%i: index, %j: index, %a: f64, %b: f64, %x: f64):
  %bx = arith.mulf %b, %x : f64
  %c = arith.addf %a, %bx : f64
  tensor_block.yield %c : f64
}
```

Where neither A nor the transposed B stores an element the body gives zero, whatever the
indices and %x are; zeros are not stored. So the points at which one of them stores an element
are enough.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i1
from xdsl.ir.affine import AffineMap

from diablo.dialects import monoids
from diablo.dialects.access_maps import picks_dimensions
from diablo.dialects.encodings import array_type, is_sparse
from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.tensor_block import IterationOps, MapOp
from diablo.passes.analyses.values.monoid_identities import implicit_constant
from diablo.passes.analyses.values.partial_evaluation import Fact, Known, evaluate_op, fact_of
from diablo.passes.analyses.values.scalar_folding import fold


def stored_points(op: MapOp) -> list[int]:
    """The sparse inputs outside of whose stored elements the result of `op` is zero.

    None of them can be left out. Where one of several would do, it is a region of the source, or
    else one that is read at the point itself. There are none if the whole space must be computed.
    """
    if not is_sparse(op.result.type) or not is_of_numbers(op):
        return []
    rank = len(op.extents)
    covering = [
        number
        for number, (value, map) in enumerate(zip(op.inputs, op.indexing_maps, strict=True))
        if is_sparse(value.type) and len(map.data.results) == rank and picks_dimensions(map.data)
    ]
    if not covering or not _is_zero_beside(op, covering):
        return []
    for number in sorted(covering, key=lambda number: _worth(op, number)):
        others = [other for other in covering if other != number]
        if others and _is_zero_beside(op, others):
            covering = others
    return covering


def is_of_numbers(op: MapOp) -> bool:
    """Return whether all elements that a map reads and makes are numbers or Booleans."""
    return all(
        monoids.domain_of(array_type(value).get_element_type()) is not None
        for value in (*op.inputs, op.result)
    )


def _worth(op: MapOp, number: int) -> tuple[bool, bool, int]:
    """Return how much one would have the points of an input rather than those of others."""
    boolean = array_type(op.inputs[number]).get_element_type() == i1
    return (
        boolean,
        op.indexing_maps.data[number].data == AffineMap.identity(len(op.extents)),
        -number,
    )


def _is_zero_beside(op: MapOp, inputs: list[int]) -> bool:
    """Return whether the body gives zero where all of these `inputs` are zero."""
    fact = value_beside(op, inputs)
    return fact is not None and fact == implicit_constant(array_type(op.result).get_element_type())


def gives_nothing(op: MapOp) -> bool:
    """Return whether the result of `op` is zero everywhere, whatever its inputs store."""
    return _is_zero_beside(op, [])


def value_beside(op: IterationOps, inputs: Sequence[int]) -> Fact | None:
    """Return what the body yields at a point at which none of these `inputs` stores an element.

    It is `None` if an input has no implicit value that is known.
    """
    body = op.body.block
    known: Known = {}
    for inner in body.walk():
        for operand in inner.operands:
            if isinstance(operand.owner, ConstantOps):
                value = fold(operand.owner, ())
                if value is not None:
                    known[operand] = value
    for number in inputs:
        element = body.args[len(op.extents) + number]
        implicit = implicit_constant(element.type)
        if implicit is None:
            return None
        known[element] = implicit
    end = body.last_op
    assert end is not None
    for inner in body.ops:
        if inner is not end:
            evaluate_op(inner, known, {})
    return fact_of(end.operands[-1], known)
