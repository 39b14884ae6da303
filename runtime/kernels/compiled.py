"""Kernels that run as machine code, with their NumPy function beside them.

A program wraps a kernel once: one that is printed with the text of its LLVM IR and of its
signature, one that runs beside the compiler with what this says of it.

    kernel_0 = compiled(kernel_0, LLVM["kernel_0"], "f64[1,2] i64 i64 -> f64[1,2] rows 1*2")
    kernel_0 = compiled(kernel_0, LLVM["kernel_0"])

A process compiles a kernel when it has seen enough points to repay that, or as `DIABLO_COMPILE`
says (`compile_mode`). Until then, where llvmlite is missing, or where an argument is not what the
signature wants, the NumPy function is called, which gives the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from struct import error as StructError
from typing import Any

import numpy as np

from diablo.diagnostics import RunError
from diablo.kernel_signature import Signature, Slot
from diablo.runtime.arrays import memory
from diablo.runtime.kernels.builtin_calls import builtin_call
from diablo.runtime.kernels.compiled_sparse import CompiledSparseKernel
from diablo.runtime.kernels.direct_calls import direct_call
from diablo.runtime.kernels.kernel_code import KernelCode
from diablo.runtime.kernels.planned_calls import Allocate, PlannedCall, has_negative_extent
from diablo.runtime.kernels.signature import (
    ELEMENTS,
    Array,
    accept,
    dtype_of,
    joined,
    joined_tables,
    lines_for,
    monoid_of,
    most_pieces,
    parts_of,
    pass_tensor,
)
from diablo.runtime.memory_limit import reserve
from diablo.runtime.monoid_ufuncs import UserMonoid, reduce_all
from diablo.runtime.native.compile_mode import compile_mode
from diablo.runtime.native.machine_code import Entry, machine_code
from diablo.runtime.native.object_calls import BuiltinFunction
from diablo.runtime.native.thread_team import cut, cut_finely, share, thread_count
from diablo.runtime.native.work_seen import worth_compiling
from diablo.sparse_kernel_signature import SparseSignature

WORTH_BUILDING = 1 << 8
"""After how many calls a builtin function is worth the milliseconds that it takes to make it."""


@dataclass
class CompiledKernel:
    """A callable with the arguments of `numpy_function`; picklable."""

    numpy_function: Callable[..., Any]
    code: KernelCode
    signature: Signature
    monoids: Mapping[str, UserMonoid] = field(default_factory=dict[str, UserMonoid])
    _entry: Entry | None = field(default=None, init=False, repr=False)
    _direct: Callable[..., Any] | None = field(default=None, init=False, repr=False)
    _calls: int = field(default=0, init=False, repr=False)
    """How many calls `_direct` has made, until there is a builtin function."""
    builtin: BuiltinFunction | None = field(default=None, init=False, repr=False)
    """Makes small calls: takes an array whose memory may be used, or None, and the arguments."""

    def __getstate__(self) -> dict[str, Any]:
        none = {"_entry": None, "_direct": None, "_calls": 0, "builtin": None}
        return {**self.__dict__, **none}

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel."""
        if self.builtin is not None:
            result = self.builtin(None, *arguments)
            if result is not NotImplemented:
                return result
        if (result := self._call_directly(arguments)) is not NotImplemented:
            return result
        signature = self.signature
        values = accept(signature, arguments)
        if values is None:
            return self.numpy_function(*arguments)
        work = [dimension.of(values) for dimension in signature.work]
        entry = self._entry
        if entry is None:
            entry = self._compile(prod(work) * signature.reads)
            if entry is None:
                _reserve(signature, values)
                return self.numpy_function(*arguments)
            if (result := self._call_directly(arguments)) is not NotImplemented:
                return result
        return self._run(values, work)

    def in_machine_code(self, arguments: Sequence[Any]) -> Any:
        """Return what the machine code gives, which is compiled now if it was not.

        `NotImplemented` where there is none, the arguments are not what the signature says, or an
        extent is negative: the code may not come to what makes that array.
        """
        if self._entry is None:
            self._load()
        if (result := self._call_directly(tuple(arguments))) is not NotImplemented:
            return result
        values = None if self._entry is None else accept(self.signature, arguments)
        if values is None or self._entry is None:
            return NotImplemented
        if has_negative_extent(self.signature.outputs, values):
            return NotImplemented
        return self._run(values, [d.of(values) for d in self.signature.work])

    @property
    def is_compiled(self) -> bool:
        """Whether there is machine code already."""
        return self._entry is not None

    def _call_directly(self, arguments: tuple[Any, ...]) -> Any:
        """Return what the function for this signature does, `NotImplemented` if it is no use."""
        if self._direct is None:
            return NotImplemented
        if self._calls < WORTH_BUILDING:
            self._calls += 1
            if self._calls == WORTH_BUILDING:
                self._build()
        try:
            return self._direct(*arguments)
        except (TypeError, ValueError, OverflowError, StructError):
            return NotImplemented

    def _build(self) -> None:
        """Make the builtin function, if there is one."""
        assert self._entry is not None
        if compile_mode() == "always" and thread_count() > 1:
            return  # All calls are shared.
        self.builtin = builtin_call(self.signature, self._entry)

    def _compile(self, points: int) -> Entry | None:
        """The machine code, once the kernel is worth it and if it can be had."""
        if worth_compiling(self.code.identity, points):
            self._load()
        return self._entry

    def _load(self) -> None:
        self._entry = machine_code(self.code.identity, lambda: self.code.llvm_ir)
        if self._entry is not None:
            self._direct = direct_call(self.signature, self._entry, self.monoids)
            self._calls = WORTH_BUILDING - 1 if compile_mode() == "always" else 0

    def plan(self, arguments: Sequence[Any], empty: Allocate) -> PlannedCall | None:
        """What a call does, with results in memory that `empty` gives, compiled if it was not.

        None where there is no machine code, the arguments are not what the signature says, or an
        extent is negative: whoever plans may make no call.
        """
        if self._entry is None:
            self._load()
        values = None if self._entry is None else accept(self.signature, arguments)
        if values is None or self._entry is None:
            return None
        if has_negative_extent(self.signature.outputs, values):
            return None
        return self._planned(values, [d.of(values) for d in self.signature.work], empty)

    def _run(self, values: Sequence[Any], work: Sequence[int]) -> Any:
        """Allocate the outputs and call the machine code, on threads if the work is large."""
        planned = self._planned(values, work, memory.empty)
        share(planned.entry, planned.ahead, planned.points)
        share(planned.entry, planned.calls, planned.points)
        results = [
            joined_tables(slot, parts, self.monoids)
            if slot.own
            else self._result(slot, joined(slot, parts))
            for slot, parts in zip(self.signature.outputs, planned.outputs, strict=True)
            if not slot.temporary
        ]
        return results[0] if len(results) == 1 else tuple(results)

    def _planned(self, values: Sequence[Any], work: Sequence[int], empty: Allocate) -> PlannedCall:
        signature = self.signature
        assert self._entry is not None
        arguments: list[Any] = []
        planned = PlannedCall(self._entry, slots=signature.outputs)
        for slot, value in zip(signature.arguments, values, strict=True):
            parts = parts_of(slot, value)
            if slot.is_tuple:
                planned.held += parts  # They are copies.
            planned.argument_words.append(len(arguments))
            for part in parts:
                arguments += [part] if slot.dimensions is None else pass_tensor(part)
        planned.points = points = prod(work) * signature.weight
        most = self._most_pieces(values, points)
        if not signature.shared:
            pieces = [()]
        elif signature.makes_parts:
            pieces = cut(work[0], points, most)
        else:
            pieces = cut_finely(work[0], points)
        planned.calls = calls = [list(arguments) for _ in pieces]
        for slot in signature.outputs:
            shape = [d.of(values) for d in slot.dimensions or () if d is not None]
            output: list[Array] = []
            planned.outputs.append(output)
            planned.output_words.append(len(calls[0]))
            if slot.temporary:
                planned.held.append(output)
            for dtype in [ELEMENTS[name].dtype for name in slot.elements]:
                if slot.own:
                    array = np.empty((len(pieces), *shape), dtype)
                    passed = [pass_tensor(array[k]) for k in range(len(pieces))]
                    output.append(array)
                elif slot.is_scanned:
                    passed = [pass_tensor(lines := lines_for(len(pieces), dtype))] * len(pieces)
                    output.append(lines)
                elif slot.monoid:
                    parts = np.empty((len(pieces), 8), dtype)  # A cache line each.
                    passed = [pass_tensor(parts[k, :1])[:1] for k in range(len(pieces))]
                    output.append(parts[:, 0])
                else:
                    array = (memory.empty if slot.temporary else empty)(shape, dtype)
                    output.append(array)
                    passed = [pass_tensor(array)] * len(pieces)
                for call, words in zip(calls, passed, strict=True):
                    call += words
        for call, piece in zip(calls, pieces, strict=True):
            call += piece
        if signature.has_scans:
            planned.ahead = [[*call, k, True] for k, call in enumerate(calls[:-1])]
            for k, call in enumerate(calls):
                call += [k, False]
        return planned

    def _most_pieces(self, values: Sequence[Any], points: int) -> int | None:
        """Into how many pieces the work is cut at most, if each has tables of its own."""
        tables = self.signature.tables
        elements = sum(prod(d.of(values) for d in table if d is not None) for table in tables)
        return most_pieces(points, elements) if tables else None

    def _result(self, slot: Slot, output: Array) -> Any:
        """An array, or a scalar: what was written, or what the pieces of a fold gave combined."""
        if slot.dimensions is not None:
            return output
        if not slot.monoid:
            return output[()]
        return output[0] if len(output) == 1 else reduce_all(monoid_of(slot, self.monoids), output)


def compiled(
    numpy_function: Callable[..., Any],
    code: KernelCode | str,
    signature: str = "",
    monoids: Sequence[UserMonoid] = (),
) -> Callable[..., Any]:
    """Wrap a kernel so that it runs as machine code where that pays.

    Parameters
    ----------
    numpy_function : the kernel in NumPy, called where machine code cannot be
    code : what the compiler says of it, or the text of an LLVM module with one function
    signature : beside a text, what the function takes and gives, see `diablo.kernel_signature`
        and `diablo.sparse_kernel_signature`
    monoids : the program's own that the signature names
    """
    if isinstance(code, str):
        code = KernelCode.from_text(code, signature)
    if isinstance(code.signature, SparseSignature):
        return CompiledSparseKernel(numpy_function, code)
    assert isinstance(code.signature, Signature)
    named = {monoid.name: monoid for monoid in monoids}
    return CompiledKernel(numpy_function, code, code.signature, named)


def _reserve(signature: Signature, values: Sequence[Any]) -> None:
    """Check that there is memory for what NumPy will make."""
    for slot in signature.outputs:
        if slot.dimensions is not None:
            shape = [d.of(values) for d in slot.dimensions if d is not None]
            if min(shape, default=0) < 0:  # As the end of a slice that would leave elements out.
                raise RunError(f"an array cannot have {min(shape)} elements in a dimension")
            reserve(
                prod(shape) * dtype_of(slot).itemsize,
                "an array of {}",
                " x ".join(map(str, shape)),
            )
