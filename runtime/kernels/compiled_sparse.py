"""Kernels over sparse tiles that run as machine code, with their NumPy function beside them.

    kernel_3 = compiled(kernel_3, IR, "f64{1}[1,2] i64 i64 f64[2] -> f64[1] rows @0 of 1*2")

As `compiled.CompiledKernel`, but what counts as work are stored entries, and threads share the
rows so that each has about equally many of them. Where NumPy would compute at every point,
stored or not, a kernel is worth compiling as soon as these are many. Machine code searches for the
indices of one sparse array in another: of arrays that share a pattern NumPy reads the values as
they are.

The text is for tiles that are compressed by rows, with 32-bit indices. For others the kernel is
compiled anew for just their layouts, once for each, where the compiler is in the process
(`KernelCode.for_layouts`). Elsewhere rows are derived if NumPy would make tiles dense.

A sum or a product of sparse tiles that store elements at different indices has a pattern of its
own. There the compiler, if it is in the process, is asked for a kernel that merges their rows
(`KernelCode.merging`, `merged_rows.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod
from struct import error as StructError
from typing import Any, cast

import numpy as np

from diablo.kernel_signature import Slot
from diablo.runtime.arrays import memory
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels.direct_sparse_calls import begin, direct_sparse_call
from diablo.runtime.kernels.kernel_code import KernelCode, Layouts
from diablo.runtime.kernels.merged_rows import MergingKernel, may_merge
from diablo.runtime.kernels.planned_calls import Allocate, PlannedCall, has_negative_extent
from diablo.runtime.kernels.signature import ELEMENTS, Array, pass_tensor
from diablo.runtime.kernels.sparse_signature import (
    accept_sparse,
    argument_words,
    may_derive_rows,
    order_of,
    passed_values,
    stored_layout,
    vector_words,
)
from diablo.runtime.monoid_ufuncs import reduce_all
from diablo.runtime.native import work_seen
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.compile_mode import compile_mode
from diablo.runtime.native.machine_code import Entry, machine_code
from diablo.runtime.native.thread_team import share, threads_for
from diablo.sparse_kernel_signature import SparseSignature, SparseSlot

COST = 8
"""What a stored element costs NumPy, in simple points: others are looked for at its indices.

It takes some 35 nanoseconds, where a simple point takes 1 to 4.
"""
SPECIALISING = 4
"""How many times the work that repays compiling repays the compiler's own work before it."""


@dataclass
class _Code:
    """A kernel for tiles of given layouts."""

    code: KernelCode
    _entry: Entry | None = None
    direct: Callable[..., Any] | None = None
    """Makes a call at once, where it can."""

    @property
    def signature(self) -> SparseSignature:
        """The arguments and results."""
        assert isinstance(self.code.signature, SparseSignature)
        return self.code.signature

    def entry(self, work: int) -> Entry | None:
        """The machine code, once the kernel is worth it and if it can be had."""
        if self._entry is None and work_seen.worth_compiling(self.code.identity, work):
            self._entry = machine_code(self.code.identity, lambda: self.code.llvm_ir)
            if self._entry is not None:
                self.direct = direct_sparse_call(self.signature, self._entry)
        return self._entry


@dataclass
class CompiledSparseKernel:
    """A callable with the arguments of `numpy_function`; picklable."""

    numpy_function: Callable[..., Any]
    code: KernelCode
    _codes: dict[Layouts, _Code | None] = field(
        default_factory=dict[Layouts, "_Code | None"], init=False, repr=False
    )
    _by_rows: _Code = field(init=False, repr=False)
    _direct: Callable[..., Any] | None = field(default=None, init=False, repr=False)
    """What makes a call for tiles in the layouts of the last one."""
    _merging: MergingKernel | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._by_rows = _Code(self.code)
        self._merging = MergingKernel(self.code) if may_merge(self.code) else None

    def __reduce__(self) -> tuple[Any, ...]:
        return CompiledSparseKernel, (self.numpy_function, self.code)

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel."""
        if self._direct is not None:
            try:
                if (result := self._direct(*arguments)) is not NotImplemented:
                    return result
            except (TypeError, ValueError, OverflowError, StructError):
                pass
        by_rows = self._by_rows
        signature = by_rows.signature
        values = accept_sparse(signature, arguments)
        if self._merging is not None and (values is None or signature.at_points):
            merged = self._merging.call(arguments)
            if merged is not None:
                return merged
        if values is None:
            return self.numpy_function(*arguments)
        tile: SparseTile = values[signature.source]
        if signature.at_points and _shares_pattern(tile, values) and compile_mode() != "always":
            return self.numpy_function(*arguments)
        work = _work(signature, values)
        space = [dimension.of(values) for dimension in signature.space]
        code = self._code_for(values, prod(space) if space else COST * work)
        passed = None if code is None else passed_values(code.signature, values)
        if code is None or passed is None:
            return self.numpy_function(*arguments)
        self._direct = code.direct
        planned = _planned(code, values, passed, work, memory.empty)
        share(planned.entry, planned.calls, work)
        return _results(code.signature, planned.outputs, values)

    def plan(self, arguments: Sequence[Any], empty: Allocate) -> PlannedCall | None:
        """What a call does, with results in memory that `empty` gives, compiled if it was not.

        None where there is no machine code for these arguments, an extent is negative, or each call
        begins with something else than an output of any content.
        """
        values = accept_sparse(self._by_rows.signature, arguments)
        if values is None:
            return None
        code = self._code_for(values, work_seen.WORTH_COMPILING * SPECIALISING)
        passed = None if code is None else passed_values(code.signature, values)
        if code is None or passed is None:
            return None
        if has_negative_extent(code.signature.outputs, values):
            return None
        for slot, beginning in zip(code.signature.outputs, code.signature.beginnings, strict=True):
            of_result = isinstance(slot, SparseSlot) or slot.own or slot.is_tuple
            kept = beginning.startswith("@") and memory.is_offered(values[int(beginning[1:])])
            if of_result or (beginning and not kept):
                return None
        planned = _planned(code, values, passed, _work(code.signature, values), empty)
        again = passed_values(code.signature, values)
        planned.lasts = again is not None and all(map(_are_same, passed, again))
        return planned

    def _code_for(self, values: Sequence[Any], points: int) -> _Code | None:
        """The kernel for these tiles, compiled; None if there is none or it does not pay yet."""
        layouts = tuple(stored_layout(v) for v in values if isinstance(v, SparseTile))
        code = self._by_rows if not any(layouts) else self._specialised(layouts, points)
        if code is None:
            return None
        if code is self._by_rows and any(layouts) and not may_derive_rows(code.signature, values):
            return None
        return None if code.entry(points) is None else code

    def _specialised(self, layouts: Layouts, points: int) -> _Code | None:
        """The kernel for these layouts, that for rows if there is none; None until it pays."""
        if layouts not in self._codes:
            found: KernelCode | None = None
            if self.code.can_specialise:
                key = ("specialised", self.code.identity, layouts)
                if not work_seen.worth_compiling(key, points // SPECIALISING):
                    return None
                found = self.code.for_layouts(layouts)
            self._codes[layouts] = None if found is None else _Code(found)
        return self._codes[layouts] or self._by_rows


def _are_same(passed: Any, again: Any) -> bool:
    """Whether the vectors of a sparse tile are those that it has, and no copies."""
    if not isinstance(passed, list):
        return True
    pairs = zip(cast("list[Array]", passed), cast("list[Array]", again), strict=True)
    return all(address_of(a) == address_of(b) for a, b in pairs)


def _work(signature: SparseSignature, values: Sequence[Any]) -> int:
    """How much a call does: what is computed at the entries."""
    tile: SparseTile = values[signature.source]
    return tile.nnz * prod(dimension.of(values) for dimension in signature.factors)


def _planned(
    code: _Code, values: Sequence[Any], passed: Sequence[Any], work: int, empty: Allocate
) -> PlannedCall:
    """Allocate the outputs, and say what is computed for each piece.

    `passed` are the `values`, of sparse tiles their vectors.
    """
    signature = code.signature
    entry = code.entry(work)
    assert entry is not None
    planned = PlannedCall(entry, points=work, slots=signature.outputs)
    planned.held += [own for own in passed if isinstance(own, list)]
    pieces = _pieces(values[signature.source], signature, work)
    arguments: list[Any] = []
    for words in argument_words(signature, values, passed):
        planned.argument_words.append(len(arguments))
        arguments += words
    planned.calls = calls = [list(arguments) for _ in pieces]
    for slot, beginning in zip(signature.outputs, signature.beginnings, strict=True):
        planned.output_words.append(len(calls[0]))
        if isinstance(slot, SparseSlot):
            output = empty([values[slot.over or 0].nnz], ELEMENTS[slot.element].dtype)
            words_of = [vector_words(output)] * len(pieces)
        elif slot.monoid:
            parts = np.empty((len(pieces), 8), ELEMENTS[slot.element].dtype)  # A cache line each.
            words_of = [pass_tensor(parts[k, :1])[:1] for k in range(len(pieces))]
            output = parts[:, 0]
        else:
            shape = [d.of(values) for d in slot.dimensions or () if d is not None]
            dtype = ELEMENTS[slot.element].dtype
            anew = memory.empty if slot.temporary or slot.dimensions is None else empty
            output = begin(beginning, values, shape, dtype) if beginning else anew(shape, dtype)
            if slot.temporary:
                planned.held.append(output)
            words_of = [pass_tensor(output)] * len(pieces)
        planned.outputs.append([output])
        for call, words in zip(calls, words_of, strict=True):
            call += words
    for call, piece in zip(calls, pieces, strict=True):
        call += piece
    return planned


def _results(
    signature: SparseSignature, outputs: Sequence[Sequence[Array]], values: Sequence[Any]
) -> Any:
    """What the kernel gives, as the NumPy function returns it."""
    results = [
        _result(slot, output, values)
        for slot, (output,) in zip(signature.outputs, outputs, strict=True)
        if isinstance(slot, SparseSlot) or not slot.temporary
    ]
    return results[0] if len(results) == 1 else tuple(results)


def _result(slot: Slot | SparseSlot, output: Array, values: Sequence[Any]) -> Any:
    """A result as the NumPy function returns it."""
    if isinstance(slot, SparseSlot):
        pattern = values[slot.over or 0].pattern
        return SparseTile.on_pattern(pattern, output, slot.dense_rank)
    if slot.dimensions is not None:
        return output
    if not slot.monoid:
        return output[()]
    return output[0] if len(output) == 1 else reduce_all(slot.monoid, output)


def _shares_pattern(source: SparseTile, values: Sequence[Any]) -> bool:
    """Return whether another argument has the pattern of `source`, or one of which that is a part.

    Then NumPy need not look at indices.
    """
    own = source.pattern
    others = (v.pattern for v in values if isinstance(v, SparseTile) and v is not source)
    return any(
        other.identity is own.identity or own.entries_in(other) is not None for other in others
    )


def _pieces(tile: SparseTile, signature: SparseSignature, work: int) -> list[tuple[int, ...]]:
    """The ranges that the threads compute, of about equally many entries.

    They are of the first indices in the order in which the tile is passed; one empty range if
    the work cannot be cut.
    """
    if not signature.shared:
        return [()]
    slot = signature.arguments[signature.source]
    assert isinstance(slot, SparseSlot)
    extent = tile.shape[order_of(slot)[0]]
    count = threads_for(work)
    if count == 1 or extent < 2 or not tile.nnz:
        return [(0, extent)]
    wanted = np.array([tile.nnz * k // count for k in range(1, count)], np.int64)
    if slot.layout is None:
        # Of several dense dimensions the first is cut.
        starts = tile.indptr[:: prod(tile.shape[1 : tile.dense_rank])]
        cuts = np.searchsorted(starts, wanted.astype(starts.dtype))
    else:
        cuts = tile.pattern.form.positions_of(wanted) // (tile.size // extent)
    return list(pairwise([0, *np.minimum(cuts, extent).tolist(), extent]))
