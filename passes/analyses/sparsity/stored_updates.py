"""Analysis: which maps change a dense array where sparse ones store elements, and only there?

```mlir
%N = tensor_block.map parallel(d0 < %n, d1 < %n)
    ins(%R[d0 - 1, d1 - 1] : !sparse, %T[d0, d1] : !dense, %T[d0 - 1, d1] : !dense) -> !dense {
^bb0(%i: index, %j: index, %inside: i1, %t: f64, %above: f64):
  %new = scf.if %inside -> (f64) { scf.yield %above : f64 } else { scf.yield %t : f64 }
  tensor_block.yield %new : f64
}
```

Beside the elements that the translated R stores the body gives the element of T at the point. So
a copy of T, or T itself if it dies here, is right at all other points. A result that is zero
beside them needs no such array, unless it is just the dense form of a sparse one.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir.affine import AffineMap

from diablo.dialects.access_maps import linear_indices
from diablo.dialects.encodings import array_type, is_sparse
from diablo.dialects.tensor_block import MapOp
from diablo.passes.analyses.sparsity.stored_points import is_of_numbers, value_beside
from diablo.passes.analyses.values.monoid_identities import implicit_constant
from diablo.passes.analyses.values.partial_evaluation import Same


@dataclass(frozen=True)
class StoredUpdate:
    """The sparse inputs outside of whose elements a dense result is that of input `kept`.

    It is zero there if `kept` is None. Of `kept`, a box is read.
    """

    covering: list[int]
    kept: int | None


def is_translated(map: AffineMap, rank: int) -> bool:
    """Return whether each dimension of the space is one index of the array, shifted or not."""
    indices = linear_indices(map)
    moved = [index.inside.alone for index in indices if index.period is None]
    return len(indices) == rank and set(moved) == set(range(rank))


def is_part(map: AffineMap) -> bool:
    """Return whether an array is read as a box of itself, its dimensions in order."""
    moved = [index.inside.alone for index in linear_indices(map)]
    return is_translated(map, map.num_dims) and moved == list(range(map.num_dims))


def stored_update(op: MapOp) -> StoredUpdate | None:
    """Return what `op` changes, if that is where sparse inputs store elements."""
    rank = len(op.extents)
    if is_sparse(op.result.type) or not is_of_numbers(op):
        return None
    covering = [
        number
        for number, (value, map) in enumerate(zip(op.inputs, op.indexing_maps, strict=True))
        if is_sparse(value.type) and is_translated(map.data, rank)
    ]
    if not covering:
        return None
    for number in covering:
        found = _beside(op, [number])
        if found is not None:
            return found
    return _beside(op, covering) if len(covering) > 1 else None


def _beside(op: MapOp, covering: list[int]) -> StoredUpdate | None:
    """Return what `op` changes if that is where one of these inputs stores an element."""
    rank, end = len(op.extents), op.body.block.last_op
    assert end is not None
    beside = value_beside(op, covering)
    if beside is None:
        return None
    if not isinstance(beside, Same):
        zero = implicit_constant(array_type(op.result).get_element_type())
        copies = any(value in op.body.block.args for value in end.operands)
        return StoredUpdate(covering, None) if beside == zero and not copies else None
    for number, (value, map) in enumerate(zip(op.inputs, op.indexing_maps, strict=True)):
        element = op.body.block.args[rank + number]
        if element is beside.value and not is_sparse(value.type) and is_part(map.data):
            return StoredUpdate(covering, number)
    return None
