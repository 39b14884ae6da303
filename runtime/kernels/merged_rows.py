"""Kernels that merge the rows of sparse tiles into a tile with a pattern of its own.

    f64{1}[1,2] f64{1}[1,2] i64 i64 -> f64{1}|@0|@1 rows @0

Threads have rows with equally many entries. Each writes where it would have to if all entries were
stored, and what a later one has written is moved to where the one before it has ended. There is
machine code for tiles in compressed rows with 32-bit indices alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from diablo.runtime.arrays import memory
from diablo.runtime.arrays.patterns.boxes import INT32_MAX
from diablo.runtime.arrays.patterns.compressed_lists import Compressed
from diablo.runtime.arrays.patterns.form_choice import plain
from diablo.runtime.arrays.patterns.pattern import Pattern
from diablo.runtime.arrays.patterns.row_merging import close_up, equal_cuts
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels.kernel_code import KernelCode
from diablo.runtime.kernels.signature import ELEMENTS, Array
from diablo.runtime.kernels.sparse_signature import (
    accept_sparse,
    argument_words,
    passed_values,
    stored_layout,
    vector_words,
)
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native import work_seen
from diablo.runtime.native.machine_code import Entry, machine_code
from diablo.runtime.native.thread_team import share, threads_for
from diablo.sparse_kernel_signature import SparseSignature, SparseSlot

_WASTE = 4
"""One part in so many of a vector may stay unused."""


def may_merge(code: KernelCode) -> bool:
    """Whether a kernel may have a sparse result of several sparse arguments: its own indices."""
    signature = code.signature
    if not isinstance(signature, SparseSignature) or not code.can_specialise:
        return False
    tiles = [slot for slot in signature.arguments if isinstance(slot, SparseSlot)]
    shared = any(slot.like is not None for slot in tiles)
    first, *others = signature.outputs
    sparse = isinstance(first, SparseSlot) and not others
    return sparse and len(tiles) > 1 and (shared or signature.at_points)


@dataclass
class MergingKernel:
    """What merges rows instead of the kernel `of`, compiled once that pays."""

    of: KernelCode
    _code: KernelCode | None = None
    _entry: Entry | None = None
    _refused: bool = False

    def call(self, arguments: Sequence[Any]) -> SparseTile | None:
        """Return the result; None if it has to be computed otherwise."""
        tiles = [value for value in arguments if isinstance(value, SparseTile)]
        patterns = {id(tile.pattern.identity) for tile in tiles}
        # Of tiles that share a pattern the result has that too, mostly.
        if self._refused or len(patterns) < len(tiles) or any(map(stored_layout, tiles)):
            return None
        work = sum(tile.nnz for tile in tiles)
        if self._entry is None and not self._compile(work):
            return None
        code, entry = self._code, self._entry
        assert code is not None
        assert entry is not None
        assert isinstance(code.signature, SparseSignature)
        values = accept_sparse(code.signature, arguments)
        passed = None if values is None else passed_values(code.signature, values)
        if values is None or passed is None:
            return None
        return _run(code.signature, entry, values, passed)

    def _compile(self, work: int) -> bool:
        """Have the machine code, if `work` more makes it worth it; whether there is some."""
        if not work_seen.worth_compiling(("merging", self.of.identity), work):
            return False
        code = self._code = self.of.merging()
        if code is not None:
            self._entry = machine_code(code.identity, lambda: code.llvm_ir)
        self._refused = self._entry is None
        return not self._refused


def _run(
    signature: SparseSignature, entry: Entry, values: Sequence[Any], passed: Sequence[Any]
) -> SparseTile | None:
    """Allocate the vectors of the result and call the machine code for each range of rows."""
    (slot,) = signature.outputs
    assert isinstance(slot, SparseSlot)
    tiles: list[SparseTile] = [values[number] for number in slot.merges]
    starts = [tile.indptr for tile in tiles]
    work = sum(tile.nnz for tile in tiles)
    if work >= INT32_MAX or any(len(own) != len(starts[0]) for own in starts):
        return None  # One that has no dense dimension is a single list.
    cuts = equal_cuts(starts, threads_for(work))
    # An index that all have is one that the first has.
    counted = starts if slot.all else starts[:1]
    places = [sum(int(array[row]) for array in counted) for row in cuts]
    room, dtype = places[-1], ELEMENTS[slot.element].dtype
    reserve(room * (4 + dtype.itemsize), "the entries of {} sparse arrays", len(tiles))
    indices: Array = memory.empty((room,), np.dtype(np.int32))
    elements: Array = memory.empty((room,), dtype)
    ends = np.zeros(len(starts[0]), np.int32)
    words = [word for own in argument_words(signature, values, passed) for word in own]
    for vector in (ends[1:], indices, elements):
        words += vector_words(vector)
    pieces = list(pairwise(cuts))
    share(entry, [(*words, *piece, at) for at, piece in zip(places, pieces, strict=False)], work)
    count = close_up(ends, [indices, elements], places, pieces)
    if count < room - room // _WASTE:
        indices, elements = indices[:count].copy(), elements[:count].copy()
    shape, rank = tiles[0].shape, slot.dense_rank
    form = Compressed(shape, rank, ends, indices[:count])
    few = len(ends) - 1 > count
    stored = plain(form.positions(), shape, rank) if few else form
    return SparseTile(shape, rank, Pattern(shape, stored, rank), elements[:count])
