"""Kernels that run as machine code, with their NumPy function beside them.

An emitted program wraps a kernel once:

    kernel_0 = compiled(kernel_0, IR, "f64[1,2] i64 i64 -> f64[1,2] rows 1*2")

What travels to a worker is the LLVM IR's text; each process compiles it once, on the first
call. Where llvmlite is missing, or an argument is not what the signature wants, the NumPy
function is called instead, which gives the same values.

Signatures
----------
Arguments come first, then `->` and the outputs, then how threads may share the work.

* `f64`, `i64`, `f32`, `i1`: a scalar. `f64[1,2]`: a tensor of rank 2 of which as much is read
  as arguments 1 and 2 say. A dimension is the number of an index argument, `0.1` (dimension 1
  of argument 0), `=5` (the constant) or `?` (read by no one).
* Outputs are spelled alike; `f64()` is a scalar result, `~f64[1]` a temporary.
* `rows 1*2`: the call may be cut along dimension 1, the work is 1 times 2 points.
  `fold add 1*2`: so it may, and the parts of the scalar result are added.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any, cast

import numpy as np

from diablo.runtime.machine_code import Entry, machine_code

DTYPES = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "i1": np.bool_}
C_TYPES: dict[str, Any] = {
    "f64": ctypes.c_double,
    "f32": ctypes.c_float,
    "i64": ctypes.c_int64,
    "i1": ctypes.c_bool,
}
SCALARS: dict[str, Callable[[Any], Any]] = {"f64": float, "f32": float, "i64": int, "i1": bool}
UFUNCS: dict[str, Any] = {
    "add": np.add,
    "mul": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.logical_and,
    "or": np.logical_or,
}
WORTH_SHARING = 1 << 18
"""From how many points on the work is shared by threads."""

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Slot:
    """One argument or output: its element type, and its dimensions if it is a tensor."""

    element: str
    dimensions: tuple[str, ...] | None = None
    temporary: bool = False


@dataclass(frozen=True)
class Signature:
    """What a compiled kernel takes and gives; the text form is in the module's docstring."""

    arguments: tuple[Slot, ...]
    outputs: tuple[Slot, ...]
    split: tuple[str, ...] = ()
    monoid: str | None = None

    @staticmethod
    def parse(text: str) -> Signature:
        """Read the text form."""
        left, _, right = text.partition("->")
        clause = re.search(r"\b(rows|fold (\w+)) (\S+)$", right)
        split, monoid = (), None
        if clause is not None:
            monoid, split = clause[2], tuple(clause[3].split("*"))
            right = right[: clause.start()]
        arguments = tuple(_slot(word) for word in left.split())
        return Signature(arguments, tuple(_slot(word) for word in right.split()), split, monoid)


def _slot(word: str) -> Slot:
    match = re.fullmatch(r"(~?)(\w+)(\[(.*)\]|\(\))?", word)
    if match is None or match[2] not in DTYPES:
        raise ValueError(f"'{word}' is no argument of a compiled kernel")
    dimensions = None
    if match[4] is not None:
        dimensions = tuple(match[4].split(",")) if match[4] else ()
    return Slot(match[2], dimensions, bool(match[1]))


def thread_count() -> int:
    """How many threads a kernel may use: `OMP_NUM_THREADS`, which Spark sets, or all cores."""
    given = os.environ.get("OMP_NUM_THREADS", "")
    return int(given) if given.isdigit() and int(given) else (os.cpu_count() or 1)


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(thread_count(), thread_name_prefix="kernel")


def _dimension(dimension: str, values: Sequence[Any]) -> int:
    if dimension.startswith("="):
        return int(dimension[1:])
    argument, _, axis = dimension.partition(".")
    value = values[int(argument)]
    return int(value.shape[int(axis)]) if axis else int(value)


@dataclass
class CompiledKernel:
    """A callable with the arguments of `numpy_function`; picklable."""

    numpy_function: Callable[..., Any]
    llvm_ir: str
    signature_text: str
    _entry: Entry | None = field(default=None, init=False, repr=False)
    _signature: Signature | None = field(default=None, init=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_entry": None, "_signature": None}

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel."""
        if self._signature is None:
            self._signature = Signature.parse(self.signature_text)
        signature = self._signature
        values = _accept(signature, arguments)
        if values is None:
            return self.numpy_function(*arguments)
        if self._entry is None:
            self._entry = machine_code(self.llvm_ir, _c_types(signature))
            if self._entry is None:
                return self.numpy_function(*arguments)
        return _run(signature, self._entry, values)


def compiled(
    numpy_function: Callable[..., Any], llvm_ir: str, signature: str
) -> Callable[..., Any]:
    """Wrap a kernel so that it runs as machine code where it can.

    Parameters
    ----------
    numpy_function : the kernel in NumPy, called where machine code cannot be
    llvm_ir : the text of an LLVM module with one function
    signature : what the function takes and gives, see the module's docstring
    """
    return CompiledKernel(numpy_function, llvm_ir, signature)


def _accept(signature: Signature, arguments: Sequence[Any]) -> list[Any] | None:
    """The arguments as machine code takes them, or None if it does not."""
    if len(arguments) != len(signature.arguments):
        return None
    values: list[Any] = []
    for slot, value in zip(signature.arguments, arguments, strict=True):
        taken = _scalar(slot, value) if slot.dimensions is None else _tensor(slot, value)
        if taken is None:
            return None
        values.append(taken)
    for slot, value in zip(signature.arguments, values, strict=True):
        for axis, dimension in enumerate(slot.dimensions or ()):
            if dimension != "?" and value.shape[axis] < _dimension(dimension, values):
                return None  # NumPy says what is wrong with the shapes.
    return values


def _scalar(slot: Slot, value: Any) -> Any:
    try:
        return SCALARS[slot.element](value)
    except (TypeError, ValueError, OverflowError):
        return None


def _tensor(slot: Slot, value: Any) -> Array | None:
    dtype = np.dtype(DTYPES[slot.element])
    if not isinstance(value, np.ndarray):
        return None
    array = cast("Array", value)
    if array.ndim != len(slot.dimensions or ()) or array.dtype != dtype:
        return None
    item = array.itemsize
    scattered = array.ndim > 0 and array.shape[-1] > 1 and array.strides[-1] != item
    if scattered or any(stride % item for stride in array.strides) or not array.flags.aligned:
        return np.ascontiguousarray(array)
    return array


def _c_types(signature: Signature) -> list[Any]:
    types: list[Any] = []
    for slot in signature.arguments:
        types += [C_TYPES[slot.element]] if slot.dimensions is None else _tensor_types(slot)
    for slot in signature.outputs:
        types += _tensor_types(slot)
    return types + [ctypes.c_int64] * (2 if signature.split else 0)


def _tensor_types(slot: Slot) -> list[Any]:
    rank = len(slot.dimensions or ())
    return [ctypes.c_void_p, *[ctypes.c_int64] * (rank + max(0, rank - 1))]


def _pass_tensor(array: Array) -> list[int]:
    """Pointer, sizes, and the strides of all dimensions but the last, in elements."""
    strides = [stride // array.itemsize for stride in array.strides[:-1]]
    return [array.__array_interface__["data"][0], *array.shape, *strides]


def _run(signature: Signature, entry: Entry, values: Sequence[Any]) -> Any:
    """Allocate the outputs and call the machine code, on threads if the work is large."""
    arguments: list[Any] = []
    for slot, value in zip(signature.arguments, values, strict=True):
        arguments += [value] if slot.dimensions is None else _pass_tensor(value)
    outputs = [
        np.empty([_dimension(d, values) for d in slot.dimensions or ()], DTYPES[slot.element])
        for slot in signature.outputs
    ]
    if not signature.split:
        entry(*arguments, *(x for output in outputs for x in _pass_tensor(output)))
        return _results(signature, outputs)
    extents = [_dimension(d, values) for d in signature.split]
    pieces = _pieces(extents)
    if signature.monoid is None:
        arguments += [x for output in outputs for x in _pass_tensor(output)]
        _share([lambda r=r: entry(*arguments, *r) for r in pieces])
        return _results(signature, outputs)
    parts = np.empty((len(pieces), 8), outputs[0].dtype)  # One cache line each.
    _share(
        [
            lambda k=k, r=r: entry(*arguments, parts[k : k + 1].__array_interface__["data"][0], *r)
            for k, r in enumerate(pieces)
        ]
    )
    return UFUNCS[signature.monoid].reduce(parts[:, 0])


def _pieces(extents: Sequence[int]) -> list[tuple[int, int]]:
    """The ranges of the first dimension that the threads compute."""
    points = 1
    for extent in extents:
        points *= extent
    threads = thread_count() if points >= WORTH_SHARING else 1
    count = max(1, min(threads, extents[0]))
    cuts = [extents[0] * k // count for k in range(count + 1)]
    return list(pairwise(cuts))


def _share(calls: Sequence[Callable[[], Any]]) -> None:
    """Make all calls: the first here, the others on the pool."""
    waiting = [] if len(calls) == 1 else [_pool().submit(call) for call in calls[1:]]
    calls[0]()
    for future in waiting:
        future.result()


def _results(signature: Signature, outputs: Sequence[Array]) -> Any:
    results = [
        output[()] if slot.dimensions is None else output
        for slot, output in zip(signature.outputs, outputs, strict=True)
        if not slot.temporary
    ]
    return results[0] if len(results) == 1 else tuple(results)
