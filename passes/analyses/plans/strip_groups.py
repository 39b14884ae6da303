"""Which ops are computed together in strips, by the attributes that `choose-strips` writes.

    %e = tensor_block.reduce … {tensor_block.strips = array<i64: 0, 0>}      // group 0, by d0
    %g = tensor_block.reduce … {tensor_block.strips = array<i64: 0, 1>}      // group 0, by d1

The second number is the dimension of an op's iteration space that is cut. `choose-join` writes them
of single ops.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Operation, SSAValue

from diablo.dialects import tensor_block
from diablo.dialects.access_maps import picked_dimensions
from diablo.dialects.bags import BagType
from diablo.dialects.encodings import is_sparse, is_tiled
from diablo.passes.analyses.plans.size_estimates import extent_number, extent_numbers
from diablo.passes.analyses.values.affine_values import same_value
from diablo.passes.analyses.values.dimensions import dimensions
from diablo.passes.analyses.values.free_values import free_values

STRIPS = "tensor_block.strips"
StripOp = tensor_block.MapOp | tensor_block.ReduceOp


@dataclass(frozen=True)
class Strip:
    """An op that is computed in strips, and the dimension of its iteration space that is cut."""

    op: StripOp
    cut: int

    @property
    def parallel(self) -> int:
        """How many dimensions of the iteration space are the result's."""
        return self.op.iterator_types.count("parallel")

    @property
    def axis(self) -> int | None:
        """The axis along which the result is cut; none, where strips are combined to it."""
        return self.cut if self.cut < self.parallel else None


def folded_dimension(op: Operation) -> int | None:
    """Return the reduced dimension along which all distributed arrays of a fold can be cut.

    What is made of a strip of each is then a part of the whole result. None, if there is no such
    dimension; of several it is the longest, as far as that is known.
    """
    if not isinstance(op, tensor_block.ReduceOp) or op.symbols or is_sparse(op.result.type):
        return None
    parallel, rank = op.parallel.value.data, len(op.extents)
    if parallel == 0:
        return None
    if any(isinstance(v.type, BagType) or is_tiled(v.type) for v in free_values([op.body])):
        return None
    found = [d for d in range(parallel, rank) if _cuts_all(op, d)]
    return max(found, key=lambda d: extent_number(op.extents[d]) or 0, default=None)


def _cuts_all(op: tensor_block.ReduceOp, cut: int) -> bool:
    """Return whether the arrays of an op, as long as it iterates, are cut along a dimension.

    One is at least: vectors that go along another one are sent whole.
    """
    is_cut = False
    for value, map in zip(op.inputs, op.indexing_maps, strict=True):
        picked = picked_dimensions(map.data)
        if picked is None or picked.count(cut) > 1:
            return False
        if not is_tiled(value.type):
            continue
        if is_sparse(value.type):
            return False
        if cut not in picked and len(picked) > 1:
            return False  # Each task would need the whole of it.
        is_cut = is_cut or cut in picked
        if not all(_is_as_long(op, value, axis, d) for axis, d in enumerate(picked)):
            return False
    return is_cut


def _is_as_long(op: tensor_block.ReduceOp, array: SSAValue, axis: int, dimension: int) -> bool:
    """Return whether an axis of an array is surely as long as a dimension of an op."""
    extent, own = op.extents[dimension], dimensions(array)[axis]
    if own is not None and same_value(own, extent):
        return True
    known = extent_number(extent)
    return known is not None and known == extent_numbers(array)[axis]


def mark_strips(op: StripOp, group: int, cut: int) -> None:
    """Write that an op is one of a group, and which dimension of it is cut."""
    op.attributes[STRIPS] = DenseArrayBase.from_list(i64, [group, cut])


def strip_group(op: Operation) -> list[Strip]:
    """Return the ops that are computed with one, in their order; none, if it is not in strips."""
    group, block = _marked(op), op.parent
    if group is None or block is None:
        return []
    found = [(other, _marked(other)) for other in block.ops]
    return [
        Strip(other, marked[1])
        for other, marked in found
        if marked is not None and marked[0] == group[0] and isinstance(other, StripOp)
    ]


def next_group(module: Operation) -> int:
    """Return a number that no group of a module has."""
    marked = [found[0] for op in module.walk() if (found := _marked(op)) is not None]
    return 1 + max(marked, default=-1)


def _marked(op: Operation) -> tuple[int, int] | None:
    marked = op.attributes.get(STRIPS)
    if not isinstance(marked, DenseArrayBase):
        return None
    group, cut = marked.get_values()
    return int(group), int(cut)
