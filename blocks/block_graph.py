"""The graph of block matrices: a node for each operation, which computes any part of itself.

    contraction.part(range(0, 512), range(512, 1024))    ->    a lazy array of 512 x 512 elements

A node knows its shape, its type and which of its blocks are there. Its elements are asked for by
rows and columns, and it asks its operands for those that it needs, down to arrays and files: what
nobody asks for is neither computed nor read. A part is an expression of lazy arrays, which the
compiler makes few kernels of. Nothing recurses: a node that needs a part yields what it needs.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

import diablo.array as da
from diablo.blocks.block_grids import (
    Grid,
    Indices,
    Rectangle,
    block_count,
    blocks_of,
    combined,
    composed,
    elements_of,
    key_of,
    positions,
    rectangles,
    regridded,
    segments,
    simplified,
    strips,
    touched,
)
from diablo.blocks.block_intervals import Intervals
from diablo.blocks.scalar_expressions import (
    evaluated,
    fold_type,
    parameters_of,
    type_of,
    vanishes,
)
from diablo.blocks.traced_scalars import Aggregate, Scalar

Lazy = Any
"""A lazy array of two dimensions."""
Request = tuple["BlockNode", Indices, Indices]
Part = Generator[Request, Lazy, Lazy]

MOST_AT_ONCE = 1 << 24
"""How many elements are computed at once, at most, of what does not lie in memory."""

_FEW = 1 << 16
"""How many elements are computed at once, at least."""


class BlockNode:
    """A matrix in blocks that is computed part by part."""

    shape: tuple[int, int]
    dtype: np.dtype[Any]
    block_size: int
    grid: Grid | None = None
    """Which blocks are there: 0 for those that are not, none if all are, and alike."""
    is_outside: bool = False
    """Whether parts are read, or made, when they are asked for: all of it may not fit in memory."""
    at_once: int | None = None
    """How many elements are best computed at once where nobody needs all of them together."""
    stored: list[tuple[Rectangle, NDArray[Any]]] | None = None
    """What has been computed of it: the elements of its rectangles."""
    holders: int = 0
    """How many persist these; none if they are there anyway."""

    @property
    def grid_shape(self) -> tuple[int, int]:
        """How many blocks there are below and beside each other."""
        rows, columns = self.shape
        return block_count(rows, self.block_size), block_count(columns, self.block_size)

    def part(self, rows: Indices, columns: Indices) -> Part:
        """Compute some rows and columns, of which no block is missing."""
        raise NotImplementedError


# ---- computing parts -----------------------------------------------------------------


def part_of(root: BlockNode, rows: Indices, columns: Indices) -> Lazy:
    """Return some rows and columns of a matrix as a lazy array."""
    known: dict[Any, Lazy] = {}
    first = (root, rows, columns)
    stack: list[tuple[Any, Part]] = [(_key(first), _asked(*first))]
    answer: Any = None
    while stack:
        key, running = stack[-1]
        try:
            request = running.send(answer)
        except StopIteration as end:
            answer = known[key] = end.value
            stack.pop()
            continue
        wanted = _key(request)
        answer = known.get(wanted)
        if answer is None:
            stack.append((wanted, _asked(*request)))
    return answer


def _key(request: Request) -> Any:
    node, rows, columns = request
    return id(node), key_of(rows), key_of(columns)


def _asked(node: BlockNode, rows: Indices, columns: Indices) -> Part:
    """Compute a part in which blocks may be missing."""
    if node.stored is not None:
        return _of_stored(node, rows, columns)
        yield
    grid = node.grid
    if grid is None or not len(rows) or not len(columns):
        return (yield from node.part(rows, columns))
    size = node.block_size
    up = touched(rows, size, grid.shape[0])
    across = touched(columns, size, grid.shape[1])
    there = grid[up][:, across] != 0
    if there.all():
        return (yield from node.part(rows, columns))
    if not there.any():
        return da.zeros((len(rows), len(columns)), dtype=node.dtype)
    found = yield from node.part(rows, columns)
    mask = (grid != 0)[np.ix_(blocks_of(rows, size), blocks_of(columns, size))]
    return da.where(da.asarray(mask), found, da.zeros((), dtype=node.dtype))


def _of_stored(node: BlockNode, rows: Indices, columns: Indices) -> Lazy:
    assert node.stored is not None
    if len(node.stored) == 1 and node.stored[0][1].shape == node.shape:
        return chosen(da.asarray(node.stored[0][1]), rows, columns)
    result = np.zeros((len(rows), len(columns)), node.dtype)
    up, across = positions(rows), positions(columns)
    for (first, last, left, right), values in node.stored:
        at = np.flatnonzero((up >= first) & (up < last))
        beside = np.flatnonzero((across >= left) & (across < right))
        if len(at) and len(beside):
            if len(at) == len(up) and len(beside) == len(across):
                return chosen(da.asarray(values), _moved(rows, -first), _moved(columns, -left))
            picked = values[np.ix_(up[at] - first, across[beside] - left)]
            result[np.ix_(at, beside)] = picked
    return da.asarray(result)


def _moved(indices: Indices, distance: int) -> Indices:
    if isinstance(indices, range):
        return range(indices.start + distance, indices.stop + distance, indices.step)
    return indices + distance


def chosen(array: Lazy, rows: Indices, columns: Indices) -> Lazy:
    """Return some rows and columns of a lazy array."""
    whole = [range(extent) for extent in array.shape]
    if isinstance(rows, range) and isinstance(columns, range):
        if rows == whole[0] and columns == whole[1]:
            return array
        return array[_slice(rows), _slice(columns)]
    value = array.node.value
    if value is not None:
        return da.asarray(value[np.ix_(positions(rows), positions(columns))])
    if not isinstance(rows, range) or rows != whole[0]:
        array = da.take(array, da.asarray(positions(rows)), axis=0)
    if not isinstance(columns, range) or columns != whole[1]:
        array = da.take(array, da.asarray(positions(columns)), axis=1)
    return array


def _slice(places: range) -> slice:
    if not places:
        return slice(0, 0)
    behind = places[-1] + places.step
    return slice(places.start, behind if behind >= 0 else None, places.step)


def rectangles_of(node: BlockNode, *, most: int | None = None) -> Iterator[Rectangle]:
    """Generate the rows and columns of rectangles that make up what is there of a matrix.

    What does not lie in memory is cut, so that a rectangle has at most `most` elements, if it can.
    """
    found = rectangles(node.grid, node.grid_shape)
    pieces: Iterator[Rectangle] = iter(found)
    if node.is_outside:
        most = min(most or MOST_AT_ONCE, MOST_AT_ONCE)
    if most is not None:
        pieces = strips(found, node.block_size, node.shape, most)
    for piece in pieces:
        yield elements_of(piece, node.block_size, node.shape)


def _ranges(rectangle: Rectangle) -> tuple[range, range]:
    first, last, left, right = rectangle
    return range(first, last), range(left, right)


# ---- what is there -------------------------------------------------------------------


class ArrayNode(BlockNode):
    """An array of two dimensions, lazy or not."""

    def __init__(self, array: Lazy, block_size: int):
        self.array = array
        self.shape = array.shape
        self.dtype = array.dtype
        self.block_size = block_size

    def part(self, rows: Indices, columns: Indices) -> Part:
        """Choose them."""
        return chosen(self.array, rows, columns)
        yield


class BlockSource(Protocol):
    """What has blocks, or makes them, when they are asked for."""

    shape: tuple[int, int]
    dtype: np.dtype[Any]
    block_size: int
    grid: Grid | None

    def block(self, row: int, column: int) -> NDArray[Any]:
        """Return a block, which nobody writes to."""
        ...


class SourceNode(BlockNode):
    """The blocks of a source: files, or what makes each of them alone."""

    is_outside = True

    def __init__(self, source: BlockSource):
        self.source = source
        self.shape = source.shape
        self.dtype = source.dtype
        self.block_size = source.block_size
        self.grid = source.grid
        # A block is read where it lies, several are put together.
        self.at_once = max(self.block_size * self.block_size, _FEW)

    def part(self, rows: Indices, columns: Indices) -> Part:
        """Ask the source for the blocks that have some of them."""
        return da.asarray(self._gathered(rows, columns))
        yield

    def _gathered(self, rows: Indices, columns: Indices) -> NDArray[Any]:
        size = self.block_size
        up, across = blocks_of(rows, size), blocks_of(columns, size)
        lines, places = np.unique(up).tolist(), np.unique(across).tolist()
        if len(lines) == 1 and len(places) == 1:
            block = self.source.block(lines[0], places[0])
            inner = _moved(rows, -lines[0] * size), _moved(columns, -places[0] * size)
            if isinstance(rows, range) and isinstance(columns, range):
                return block[_slice(inner[0]), _slice(inner[1])]  # pyright: ignore
            return block[np.ix_(positions(inner[0]), positions(inner[1]))]
        made = np.empty if self.grid is None else np.zeros
        result = made((len(rows), len(columns)), self.dtype)
        left = [(column, *_of_block(columns, across, column, size)) for column in places]
        for line in lines:
            at, inner = _of_block(rows, up, line, size)
            for column, beside, within in left:
                if self.grid is None or self.grid[line, column]:
                    block = self.source.block(line, column)
                    if isinstance(at, slice) and isinstance(beside, slice):
                        result[at, beside] = block[inner, within]
                    else:
                        target = np.ix_(_listed(at, len(rows)), _listed(beside, len(columns)))
                        own = _listed(inner, block.shape[0]), _listed(within, block.shape[1])
                        result[target] = block[np.ix_(*own)]
        return result


def _of_block(indices: Indices, blocks: NDArray[np.int64], block: int, size: int) -> Any:
    """Return where the indices of a block stand, and where they are in it: slices, if they can."""
    at = np.flatnonzero(blocks == block)
    if isinstance(indices, range) and indices.step > 0:
        start, stop = int(at[0]), int(at[-1]) + 1
        inner = _moved(indices[start:stop], -block * size)
        assert isinstance(inner, range)
        return slice(start, stop), _slice(inner)
    return at, positions(indices)[at] - block * size


def _listed(places: Any, extent: int) -> NDArray[np.int64]:
    return np.arange(extent)[places] if isinstance(places, slice) else places


# ---- places --------------------------------------------------------------------------


class TransposedNode(BlockNode):
    """Rows as columns."""

    def __init__(self, source: BlockNode):
        self.source = source
        self.shape = source.shape[1], source.shape[0]
        self.dtype = source.dtype
        self.block_size = source.block_size
        self.grid = None if source.grid is None else np.ascontiguousarray(source.grid.T)
        self.is_outside = source.is_outside
        self.at_once = source.at_once

    def part(self, rows: Indices, columns: Indices) -> Part:
        """Transpose what is there."""
        found = yield self.source, columns, rows
        return found.T


class SelectedNode(BlockNode):
    """Some rows and columns of a matrix, in some order."""

    def __init__(self, source: BlockNode, rows: Indices, columns: Indices):
        self.source = source
        self.rows = rows
        self.columns = columns
        self.shape = len(rows), len(columns)
        self.dtype = source.dtype
        self.block_size = source.block_size
        size = source.block_size
        self.grid = regridded(source.grid, rows, columns, size, size)
        self.is_outside = source.is_outside
        self.at_once = source.at_once

    def part(self, rows: Indices, columns: Indices) -> Part:
        """Choose among those that are chosen."""
        return (yield self.source, composed(self.rows, rows), composed(self.columns, columns))


class IntervalsNode(BlockNode):
    """A matrix that is zero outside of an interval of each row."""

    def __init__(self, source: BlockNode, intervals: Intervals, *, blocks_only: bool):
        self.source = source
        self.intervals = intervals
        self.blocks_only = blocks_only
        self.shape = source.shape
        self.dtype = source.dtype
        self.block_size = source.block_size
        self.is_outside = source.is_outside
        self.at_once = source.at_once
        kept = intervals.grid(self.shape[1], self.block_size)
        if blocks_only:
            kept = np.minimum(kept, 1)
        self.grid = _kept(source.grid, kept)

    def part(self, rows: Indices, columns: Indices) -> Part:
        """Let what is outside be zero."""
        found = yield self.source, rows, columns
        if self.blocks_only or self.intervals.keeps_all(rows, columns):
            return found
        at, first, behind = self.intervals.mask(rows, columns)
        return da.where((at >= first) & (at < behind), found, da.zeros((), dtype=self.dtype))


class BlocksNode(BlockNode):
    """Some of the blocks of a matrix."""

    def __init__(self, source: BlockNode, kept: Grid):
        self.source = source
        self.shape = source.shape
        self.dtype = source.dtype
        self.block_size = source.block_size
        self.is_outside = source.is_outside
        self.at_once = source.at_once
        self.grid = _kept(source.grid, kept)

    def part(self, rows: Indices, columns: Indices) -> Part:
        """Pass it on."""
        return (yield self.source, rows, columns)


class DensifiedNode(BlockNode):
    """A matrix with blocks of zeros for those that are not there."""

    def __init__(self, source: BlockNode):
        self.source = source
        self.shape = source.shape
        self.dtype = source.dtype
        self.block_size = source.block_size
        self.is_outside = source.is_outside
        self.at_once = source.at_once

    def part(self, rows: Indices, columns: Indices) -> Part:
        """Pass it on: who asks for blocks that are not there is given zeros."""
        return (yield self.source, rows, columns)


def _kept(grid: Grid | None, kept: Grid) -> Grid | None:
    """Return the grid of the blocks of another one that are kept."""
    if not kept.size:
        return None
    if grid is None:
        # One without blocks is no matrix of which all are there.
        return simplified(kept)
    numbers, _ = combined([grid, kept], (kept.shape[0], kept.shape[1]))
    return np.where((grid != 0) & (kept != 0), numbers + 1, 0)


# ---- elements ------------------------------------------------------------------------


class MapNode(BlockNode):
    """A function of the elements of matrices at one place; one of extent 1 is repeated.

    Parameters
    ----------
    result : what is computed, of the parameters `names` and of `i` and `j`, the place
    """

    def __init__(self, result: Any, operands: Mapping[str, BlockNode], shape: tuple[int, int]):
        self.result = result
        used = parameters_of(result)
        self.operands = {name: node for name, node in operands.items() if name in used}
        self.shape = shape
        self.block_size = next(iter(operands.values())).block_size
        types = {name: node.dtype for name, node in self.operands.items()}
        self.dtype = type_of(result, {**types, "i": np.dtype(np.int64), "j": np.dtype(np.int64)})
        self.is_outside = any(node.is_outside for node in self.operands.values())
        outside = [node for node in self.operands.values() if node.is_outside]
        self.at_once = max([node.at_once or MOST_AT_ONCE for node in outside], default=None)
        self.grid = self._grid()

    def _grid(self) -> Grid | None:
        grids = [self._aligned(node) for node in self.operands.values()]
        if not grids or all(grid is None for grid in grids) or 0 in self.shape:
            return None
        numbers, states = combined(grids, self.grid_shape)
        names = list(self.operands)
        seen: dict[frozenset[str], bool] = {}
        is_there: list[bool] = []
        for state in states:
            absent = frozenset(name for name, here in zip(names, state, strict=True) if not here)
            if absent not in seen:
                seen[absent] = bool(absent) and vanishes(self.result, absent)
            is_there.append(not seen[absent])
        return simplified(np.where(np.asarray(is_there)[numbers], numbers + 1, 0))

    def _aligned(self, node: BlockNode) -> Grid | None:
        """Return the grid of an operand in the blocks of the result."""
        if node.grid is None:
            return None
        grid = node.grid
        if node.block_size != self.block_size:
            rows, columns = (range(extent) for extent in node.shape)
            found = regridded(grid, rows, columns, node.block_size, self.block_size)
            if found is None:
                return None
            grid = found
        return np.broadcast_to(grid, self.grid_shape)

    def part(self, rows: Indices, columns: Indices) -> Part:
        """Compute the function of lazy arrays."""
        values: dict[str, Any] = {
            "i": da.asarray(positions(rows)[:, None]),
            "j": da.asarray(positions(columns)[None, :]),
        }
        for name, node in self.operands.items():
            up = range(1) if node.shape[0] != self.shape[0] else rows
            across = range(1) if node.shape[1] != self.shape[1] else columns
            values[name] = yield node, up, across
        found = evaluated(self.result, values)
        return _shaped(found, (len(rows), len(columns)), self.dtype)


def _shaped(found: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Lazy:
    """Return what an expression gives as an array of a shape: a number is repeated."""
    array = da.asarray(found) if isinstance(found, da.Array) else da.asarray(found, dtype=dtype)
    if array.dtype != dtype:
        array = da.astype(array, dtype)
    return array if array.shape == shape else da.broadcast_to(array, shape)


# ---- folds ---------------------------------------------------------------------------


class SumNode(BlockNode):
    """The sums of the columns (axis 0), of the rows (axis 1), or of all elements (none)."""

    def __init__(self, source: BlockNode, axis: int | None):
        self.source = source
        self.axes = (0, 1) if axis is None else (axis,)
        rows, columns = source.shape
        self.shape = 1 if 0 in self.axes else rows, 1 if 1 in self.axes else columns
        self.dtype = fold_type("sum", source.dtype)
        self.block_size = source.block_size
        self.is_outside = False
        if source.grid is not None:
            kept = np.any(source.grid != 0, axis=self.axes, keepdims=True)
            self.grid = simplified(kept.astype(np.int64))

    def part(self, rows: Indices, columns: Indices) -> Part:
        """Add up: at once what lies in memory, else one rectangle after the other."""
        up = range(self.source.shape[0]) if 0 in self.axes else rows
        across = range(self.source.shape[1]) if 1 in self.axes else columns
        is_large = len(up) * len(across) > (self.source.at_once or MOST_AT_ONCE)
        if self.source.grid is not None or (self.source.is_outside and is_large):
            found = da.asarray(self._piecewise(SelectedNode(self.source, up, across)))
        else:
            given = yield self.source, up, across
            found = da.sum(given, axis=self.axes, keepdims=True)
        # Who asks for the one row may ask for it several times.
        return da.broadcast_to(found, (len(rows), len(columns)))

    def _piecewise(self, source: BlockNode) -> NDArray[Any]:
        rows, columns = source.shape
        total = np.zeros(
            (1 if 0 in self.axes else rows, 1 if 1 in self.axes else columns), self.dtype
        )
        for rectangle in rectangles_of(source, most=source.at_once):
            first, last, left, right = rectangle
            values = da.sum(part_of(source, *_ranges(rectangle)), axis=self.axes, keepdims=True)
            up = slice(None) if 0 in self.axes else slice(first, last)
            across = slice(None) if 1 in self.axes else slice(left, right)
            total[up, across] += values.to_numpy()
        return total


class ContractionNode(BlockNode):
    """The elements of rows of one matrix and columns of another that meet, folded.

    Parameters
    ----------
    result : what is computed of aggregates, and of `i` and `j`; these of `l`, `r`, `i`, `j` and `k`
    """

    def __init__(self, result: Any, left: BlockNode, right: BlockNode):
        self.result = result
        self.left = left
        self.right = right
        self.shape = left.shape[0], right.shape[1]
        self.block_size = left.block_size
        index = np.dtype(np.int64)
        types = {"l": left.dtype, "r": right.dtype, "i": index, "j": index, "k": index}
        self.dtype = type_of(result, types)
        self.is_outside = left.is_outside or right.is_outside
        self._is_sum = isinstance(result, Aggregate) and result.is_sum
        self._left_decides = self._is_sum and vanishes(result.operands[0], frozenset("l"))
        self._right_decides = self._is_sum and vanishes(result.operands[0], frozenset("r"))
        self._factors = self._kept_factors()
        self.grid = self._grid()

    def _grid(self) -> Grid | None:
        """Return which blocks have terms, alike where these are in the same blocks."""
        left, right = self._factors
        if (left is None and right is None) or 0 in self.grid_shape:
            return None
        inner = block_count(self.left.shape[1], self.block_size)
        high, wide = self.grid_shape
        one = np.ones((high, inner), np.float32) if left is None else left
        other = np.ones((inner, wide), np.float32) if right is None else right
        _, up = np.unique(one, axis=0, return_inverse=True)
        _, across = np.unique(other, axis=1, return_inverse=True)
        alike = up.reshape(-1)[:, None] * (across.max() + 1) + across.reshape(-1)[None, :] + 1
        return simplified(np.where(one @ other != 0, alike, 0))

    def _kept_factors(self) -> tuple[Any, Any]:
        """Return which blocks of the two may have terms that are not zero, none where all may."""
        found: list[Any] = []
        for node, decides in ((self.left, self._left_decides), (self.right, self._right_decides)):
            grid = node.grid if decides else None
            if grid is not None and node.block_size != self.block_size:
                rows, columns = (range(extent) for extent in node.shape)
                grid = regridded(grid, rows, columns, node.block_size, self.block_size)
            found.append(None if grid is None else (grid != 0).astype(np.float32))
        return found[0], found[1]

    def part(self, rows: Indices, columns: Indices) -> Part:
        """Contract, leaving out what is not there; piece by piece what does not lie in memory."""
        runs = self._terms(rows, columns)
        shape = (len(rows), len(columns))
        if not self._is_sum:
            return (yield from self._contracted(rows, columns, range(self.left.shape[1])))
        total: Any = None
        if self.is_outside and len(runs) > 1:
            for run in runs:
                piece = yield from self._contracted(rows, columns, run)
                values = piece.to_numpy()
                total = values.copy() if total is None else np.add(total, values, out=total)
        else:
            for run in runs:
                piece = yield from self._contracted(rows, columns, run)
                total = piece if total is None else total + piece
        return da.zeros(shape, dtype=self.dtype) if total is None else da.asarray(total)

    def _terms(self, rows: Indices, columns: Indices) -> list[range]:
        """Return the runs of places at which terms may be other than zero."""
        size, extent = self.block_size, self.left.shape[1]
        there = np.ones(block_count(extent, size), np.bool_)
        left, right = self._factors
        if left is not None:
            there &= np.any(left[touched(rows, size, left.shape[0])] != 0, axis=0)
        if right is not None:
            there &= np.any(right[:, touched(columns, size, right.shape[1])] != 0, axis=1)
        most = len(there)
        if self.is_outside:
            most = max(1, MOST_AT_ONCE // (size * max(1, len(rows), len(columns))))
        return [
            range(first * size, min(extent, min(last, first + most) * size))
            for start, last in segments(there)
            for first in range(start, last, most)
        ]

    def _contracted(self, rows: Indices, columns: Indices, places: range) -> Part:
        left = yield self.left, rows, places
        right = yield self.right, places, columns
        index = positions(rows), positions(columns), positions(places)

        def at(axis: int, rank: int, part: int) -> Any:
            shown: list[Any] = [None] * rank
            shown[axis] = slice(None)
            return da.asarray(index[part][tuple(shown)])

        def fold(node: Aggregate) -> Any:
            (inner,) = node.operands
            product = _factors_of(inner) if node.is_sum else None
            if product is not None:
                one, other = product
                factors = (
                    evaluated(one, {"l": left, "i": at(0, 2, 0), "k": at(1, 2, 2)}),
                    evaluated(other, {"r": right, "j": at(1, 2, 1), "k": at(0, 2, 2)}),
                )
                dtype = np.result_type(*[factor.dtype for factor in factors])
                if fold_type("sum", dtype) == dtype:
                    return factors[0] @ factors[1]
            values = {
                "l": left[:, None, :],
                "r": right.T[None, :, :],
                "i": at(0, 3, 0),
                "j": at(1, 3, 1),
                "k": at(2, 3, 2),
            }
            terms = evaluated(inner, values)
            if not isinstance(terms, da.Array):
                terms = da.asarray(terms)
            shape = (*((1, 1, 1)[terms.ndim :]), *terms.shape)
            assert node.apply is not None
            if terms.ndim < 3 or shape[2] != len(places):
                terms = da.broadcast_to(terms, (*shape[:2], len(places)))
            return node.apply(terms, axis=2)

        place = {"i": at(0, 2, 0), "j": at(1, 2, 1)}
        found = evaluated(self.result, place, fold)
        return _shaped(found, (len(rows), len(columns)), self.dtype)


def _factors_of(inner: Any) -> tuple[Scalar, Scalar] | None:
    """Return the factors of a product of which one is of the rows, and one of the columns."""
    if not isinstance(inner, Scalar) or inner.name != "multiply":
        return None
    one, other = inner.operands
    of_one, of_other = parameters_of(one), parameters_of(other)
    if of_one <= {"l", "i", "k"} and of_other <= {"r", "j", "k"}:
        pair = one, other
    elif of_other <= {"l", "i", "k"} and of_one <= {"r", "j", "k"}:
        pair = other, one
    else:
        return None
    names = parameters_of(pair[0]), parameters_of(pair[1])
    return pair if "l" in names[0] and "r" in names[1] else None
