"""Kernels over sparse tiles that run as machine code, with their NumPy function beside them.

    kernel_3 = compiled(kernel_3, IR, "f64{1}[1,2] i64 i64 f64[2] -> f64[1] rows @0 of 1*2")

As `compiled.CompiledKernel`, but what counts as work are stored entries, and threads share the
rows so that each has about equally many of them. Where NumPy would compute at every point,
stored or not, a kernel is worth compiling as soon as these are many. Machine code searches for the
indices of one sparse array in another: of arrays that share a pattern NumPy reads the values as
they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np

from diablo.runtime.arrays import memory
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels import compiled
from diablo.runtime.kernels.deferred_text import DeferredText, digest
from diablo.runtime.kernels.machine_code import Entry, machine_code
from diablo.runtime.kernels.signature import ELEMENTS, Array, Slot
from diablo.runtime.kernels.sparse_signature import SparseSignature, SparseSlot, vector_words
from diablo.runtime.kernels.thread_team import share, threads_for
from diablo.runtime.monoids import UFUNCS


@dataclass
class CompiledSparseKernel:
    """A callable with the arguments of `numpy_function`; picklable."""

    numpy_function: Callable[..., Any]
    llvm_ir: str | DeferredText
    signature_text: str
    _signature: SparseSignature | None = field(default=None, init=False, repr=False)
    _entry: Entry | None = field(default=None, init=False, repr=False)
    _key: str = field(default="", init=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_signature": None, "_entry": None, "_key": ""}

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel."""
        signature = self._signature
        if signature is None:
            signature = self._signature = SparseSignature.parse(self.signature_text)
        values = signature.accept(arguments)
        if values is None:
            return self.numpy_function(*arguments)
        source: SparseTile = values[signature.source]
        if signature.at_points and _shares_pattern(source, values):
            return self.numpy_function(*arguments)
        work = source.nnz * prod(dimension.of(values) for dimension in signature.factors)
        space = [dimension.of(values) for dimension in signature.space]
        entry = self._entry or self._compile(signature, prod(space) if space else work)
        if entry is None:
            return self.numpy_function(*arguments)
        pieces = _pieces(source, work) if signature.shared else [()]
        return _run(signature, entry, values, pieces, work)

    def _compile(self, signature: SparseSignature, work: int) -> Entry | None:
        """The machine code, once the kernel is worth it and if it can be had."""
        key = self._key = self._key or digest(self.llvm_ir)
        if compiled.worth_compiling(key, work):
            self._entry = machine_code(key, str(self.llvm_ir))
        return self._entry


def _run(
    signature: SparseSignature,
    entry: Entry,
    values: Sequence[Any],
    pieces: Sequence[tuple[int, ...]],
    work: int,
) -> Any:
    """Allocate the outputs and call the machine code for each piece."""
    arguments: list[Any] = []
    vectors: list[Array] = []  # Must outlive the calls, which see only where they lie.
    for slot, value in zip(signature.arguments, values, strict=True):
        if isinstance(slot, SparseSlot):
            own = slot.vectors(value)
            vectors += own
            arguments += [word for vector in own for word in vector_words(vector)]
            arguments += value.shape
        elif slot.dimensions is None:
            arguments.append(value)
        else:
            arguments += compiled.pass_tensor(value)
    calls = [list(arguments) for _ in pieces]
    outputs: list[Array] = []
    for slot, beginning in zip(signature.outputs, signature.beginnings, strict=True):
        if isinstance(slot, SparseSlot):
            output = np.empty(values[slot.over or 0].nnz, ELEMENTS[slot.element].dtype)
            passed = [vector_words(output)] * len(pieces)
        elif slot.monoid:
            parts = np.empty((len(pieces), 8), slot.dtype)  # A cache line each.
            passed = [compiled.pass_tensor(parts[k, :1])[:1] for k in range(len(pieces))]
            output = parts[:, 0]
        else:
            shape = [d.of(values) for d in slot.dimensions or () if d is not None]
            output = _begin(beginning, values, shape, slot.dtype)
            passed = [compiled.pass_tensor(output)] * len(pieces)
        outputs.append(output)
        for call, words in zip(calls, passed, strict=True):
            call += words
    share(entry, [[*call, *piece] for call, piece in zip(calls, pieces, strict=True)], work)
    results = [
        _result(slot, output, values)
        for slot, output in zip(signature.outputs, outputs, strict=True)
        if isinstance(slot, SparseSlot) or not slot.temporary
    ]
    return results[0] if len(results) == 1 else tuple(results)


def _begin(
    beginning: str, values: Sequence[Any], shape: Sequence[int], dtype: np.dtype[Any]
) -> Array:
    """A dense output as the machine code wants it."""
    if beginning == "0":
        return np.zeros(shape, dtype)
    if not beginning:
        return np.empty(shape, dtype)
    array: Array = values[int(beginning.removeprefix("@"))]
    if array.shape != tuple(shape):
        array = array[tuple([slice(extent) for extent in shape])]
    return memory.copied(array)


def _result(slot: Slot | SparseSlot, output: Array, values: Sequence[Any]) -> Any:
    """A result as the NumPy function returns it."""
    if isinstance(slot, SparseSlot):
        pattern = values[slot.over or 0].pattern
        return SparseTile.on_pattern(pattern, output, slot.dense_rank)
    if slot.dimensions is not None:
        return output
    if not slot.monoid:
        return output[()]
    return output[0] if len(output) == 1 else UFUNCS[slot.monoid].reduce(output)


def _shares_pattern(source: SparseTile, values: Sequence[Any]) -> bool:
    """Whether another argument has the pattern of `source`: then NumPy need not look at indices."""
    others = (v for v in values if isinstance(v, SparseTile) and v is not source)
    return any(other.pattern.identity is source.pattern.identity for other in others)


def _pieces(tile: SparseTile, work: int) -> list[tuple[int, int]]:
    """The ranges of first indices, of about equally many entries, that the threads compute."""
    count = threads_for(work)
    rows = tile.shape[0]
    if count == 1 or rows < 2:
        return [(0, rows)]
    # Of several dense dimensions the first is cut.
    starts = tile.indptr[:: prod(tile.shape[1 : tile.dense_rank])]
    wanted = np.array([tile.nnz * k // count for k in range(1, count)], starts.dtype)
    cuts = np.minimum(np.searchsorted(starts, wanted), rows).tolist()
    return list(pairwise([0, *cuts, rows]))
