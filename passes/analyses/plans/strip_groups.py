"""Which ops are computed together in strips, by the attributes that `choose-strips` writes.

    %e = tensor_block.reduce … {tensor_block.strips = array<i64: 0, 0>}      // group 0, by d0
    %g = tensor_block.reduce … {tensor_block.strips = array<i64: 0, 1>}      // group 0, by d1

The second number is the dimension of an op's iteration space that is cut.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import DenseArrayBase, i64
from xdsl.ir import Operation

from diablo.dialects import tensor_block

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


def _marked(op: Operation) -> tuple[int, int] | None:
    marked = op.attributes.get(STRIPS)
    if not isinstance(marked, DenseArrayBase):
        return None
    group, cut = marked.get_values()
    return int(group), int(cut)
