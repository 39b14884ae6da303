"""The elements of a block matrix as a table: row, column and entry.

    Entries(node).to_pandas()    ->    columns i, j, entry

Rows and columns of blocks that are not there are not in the table; elements that are zero in other
blocks are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from diablo.blocks.block_evaluation import HERE, Running, computed_parts
from diablo.blocks.block_graph import BlockNode, rectangles_of

if TYPE_CHECKING:
    import pandas

Columns = dict[str, NDArray[Any]]
NAMES = ("i", "j", "entry")


class Entries:
    """The table of the elements of a matrix, in the order of rows where all blocks are there."""

    def __init__(self, node: BlockNode, running: Running = HERE):
        self._node = node
        self._running = running

    def __len__(self) -> int:
        return sum((b - a) * (d - c) for a, b, c, d in rectangles_of(self._node))

    def __repr__(self) -> str:
        return f"<entries i, j: int64, entry: {self._node.dtype}; {len(self):,} rows>"

    def batches(self) -> Iterator[Columns]:
        """Generate parts of the table, as much of it as is computed at once."""
        for (first, last, left, right), values in computed_parts(self._node, self._running):
            wide = right - left
            yield {
                "i": np.repeat(np.arange(first, last, dtype=np.int64), wide),
                "j": np.tile(np.arange(left, right, dtype=np.int64), last - first),
                "entry": np.ascontiguousarray(values).reshape(-1),
            }

    def to_numpy(self) -> Columns:
        """Return the columns as NumPy's arrays."""
        parts = list(self.batches())
        if len(parts) == 1:
            return parts[0]
        types = (np.dtype(np.int64), np.dtype(np.int64), self._node.dtype)
        return {
            name: np.concatenate([part[name] for part in parts]) if parts else np.zeros(0, dtype)
            for name, dtype in zip(NAMES, types, strict=True)
        }

    def to_arrow(self) -> Any:
        """Return the table as Arrow's, without a copy of what is computed at once."""
        import pyarrow

        arrow: Any = pyarrow
        return arrow.table(self.to_numpy())

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table as one of pandas."""
        import pandas

        return pandas.DataFrame(self.to_numpy())
