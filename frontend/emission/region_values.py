"""What the importer knows of a region: the values of its bounds, and its pattern if it is sparse.

region Tri = (1..n, 1..n) where …
->
RegionValue(dimensions from 1 of extent %n, a sparse Boolean array of %n by %n elements)
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from diablo.dialects.encodings import TilesAttr
from diablo.frontend.checking.index_sets import IndexSet
from diablo.frontend.emission.ir_types import tensor_type

Number = int | SSAValue


@dataclass(frozen=True)
class Dimension:
    """The indices `lower + step*p` for the positions p below `extent`.

    `upper` is a bound of the indices, not always one of them. Of a sparse region the step is 1.
    """

    lower: Number
    upper: Number
    extent: SSAValue
    step: Number = 1

    @property
    def counts_from_zero(self) -> bool:
        """Whether indices and positions are the same."""
        return self.lower == 0 and self.step == 1


@dataclass(frozen=True)
class RegionValue:
    """A region: its dimensions (none for a flood dimension), and where its indices are.

    `pattern` is a sparse Boolean array over the positions of the box, or a variable that
    holds one; a dense region has none.
    """

    dims: tuple[Dimension | None, ...]
    pattern: SSAValue | None = None

    @property
    def stored(self) -> list[Dimension]:
        """The dimensions that an array over the region stores."""
        return [dim for dim in self.dims if dim is not None]


@dataclass(frozen=True)
class Over:
    """What an array is over, and the value that it has where it stores nothing, if not zero."""

    index_set: IndexSet
    region: RegionValue
    fill: SSAValue | None = None


def sparse_type(element: Attribute, rank: int) -> TensorType[Attribute]:
    """The type of an array over a sparse region: of a matrix the rows are dense."""
    return tensor_type(element, rank, TilesAttr(1 if rank == 2 else 0))


def dense_type(element: Attribute, rank: int) -> TensorType[Attribute]:
    """The type of an array over a dense region."""
    return tensor_type(element, rank, TilesAttr(rank))
