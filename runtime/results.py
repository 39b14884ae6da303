"""What a program hands to its caller: arrays and lists that may still be distributed.

Nothing is brought to the caller before it is looked at; then it is kept.

    ranks = program(G=edges, N=4)      # DistributedArray
    ranks.shape                        # (4,), costs nothing
    ranks.to_numpy()                   # collects
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from diablo.runtime.arrays.scipy_sparse import scipy_of_tile
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tiles import Tile, assemble
from diablo.runtime.engines.spark_errors import as_run_errors
from diablo.runtime.rows.batches import Batch, concat, length

Array = NDArray[Any]


class DistributedArray:
    """An array in tiles: an RDD of (coordinates, tile).

    `rdd` is PySpark's or the local engine's. NumPy functions take it as an array.
    """

    def __init__(
        self,
        rdd: Any,
        dims: Sequence[int],
        dense_rank: int,
        dtype: DTypeLike,
        block_size: int | None = None,
        name: str | None = None,
    ):
        self._rdd = rdd
        self.shape = tuple([int(d) for d in dims])
        self.dense_rank = dense_rank
        self.dtype = np.dtype(dtype)
        self.block_size = block_size
        self.name = name

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def is_sparse(self) -> bool:
        """Whether it is stored with sparse dimensions."""
        return self.dense_rank < self.ndim

    @cached_property
    def _whole(self) -> Tile:
        with as_run_errors():
            tiles = self._rdd.collect()
        return assemble(tiles, self.shape, self.block_size, self.dense_rank, self.dtype)

    def collect(self) -> Tile:
        """The whole as it is stored: a NumPy array or a `SparseTile`."""
        return self._whole

    @cached_property
    def _dense(self) -> Array:
        whole = self._whole
        return whole.toarray() if isinstance(whole, SparseTile) else whole

    def to_numpy(self) -> Array:
        """The whole as a NumPy array."""
        return self._dense

    def to_scipy(self) -> Any:
        """The whole as a SciPy sparse array: CSR if it has two dimensions, else COO."""
        return scipy_of_tile(self._whole)

    def to_rdd(self) -> Any:
        """The RDD of (tile coordinates, tile)."""
        return self._rdd

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Array:
        array = self.to_numpy()
        if dtype is not None and array.dtype != dtype:
            if copy is False:
                raise ValueError("another element type needs a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of an array without dimensions")
        return self.shape[0]

    def __getitem__(self, index: Any) -> Any:
        return self.to_numpy()[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_numpy())

    def __repr__(self) -> str:
        whole = self._whole
        return _show_entries(whole) if isinstance(whole, SparseTile) else repr(whole)

    def __str__(self) -> str:
        whole = self._whole
        return _show_entries(whole) if isinstance(whole, SparseTile) else str(whole)


class Rows:
    """A list of rows: an RDD of column batches with the given column types."""

    def __init__(self, rdd: Any, dtypes: Sequence[DTypeLike], name: str | None = None):
        self._rdd = rdd
        self.dtypes = tuple([np.dtype(dtype) for dtype in dtypes])
        self.name = name

    @cached_property
    def _batch(self) -> Batch:
        with as_run_errors():
            batches = self._rdd.collect()
        return concat(batches, self.dtypes)

    def to_numpy(self) -> Batch:
        """One array per column."""
        return self._batch

    def to_rdd(self) -> Any:
        """The RDD of column batches."""
        return self._rdd

    def to_list(self) -> list[Any]:
        """The rows as tuples of Python scalars, or as scalars if there is one column."""
        columns = [column.tolist() for column in self._batch]
        return columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_list())

    def __len__(self) -> int:
        return length(self._batch)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self.to_list()[index]
        row = tuple([column[index].item() for column in self._batch])
        return row[0] if len(row) == 1 else row

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Rows):
            return self.to_list() == other.to_list()
        return isinstance(other, list) and self.to_list() == other

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        count = len(self)
        threshold, edge = 1000, 3
        if count <= threshold:
            return repr(self.to_list())
        head = [repr(self[i]) for i in range(edge)]
        tail = [repr(self[i]) for i in range(count - edge, count)]
        return f"[{', '.join([*head, '...', *tail])}]"


def _show_entries(tile: SparseTile) -> str:
    """The stored entries one a line, the middle left out as NumPy does with long arrays."""
    count = tile.nnz
    threshold, edge = 1000, 3
    shown = range(count)
    if count > threshold:
        shown = [*range(edge), *range(count - edge, count)]
    columns = [column[list(shown)].tolist() for column in (*tile.coordinates(), tile.values)]
    extents = " x ".join(map(str, tile.shape))
    stored = "1 entry" if count == 1 else f"{count} entries"
    lines = [f"{extents} sparse array, {stored}"]
    for position, (*index, value) in enumerate(zip(*columns, strict=True)):
        if count > threshold and position == edge:
            lines.append("  ...")
        lines.append(f"  [{', '.join(map(str, index))}]  {value}")
    return "\n".join(lines)
