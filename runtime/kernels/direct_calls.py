"""Calls of machine code that cost little more than the call: one Python function per signature.

A kernel on a few thousand elements takes a microsecond, and looking at what it is given in
loops over its signature takes ten. For

    i64 f64[0] f64 -> f64[0] rows 0

the text of a function is written that looks at just these arguments:

    def call(a0, a1, a2):
        a0 = int(a0)
        a2 = float(a2)
        if not (type(a1) is ndarray and a1.dtype is t1 and a1.ndim == 1 and a1.flags.carray):
            return NotImplemented
        if not (a1.shape[0] >= a0 and 0 < a0 < limit):
            return NotImplemented
        o0 = empty((a0,), u0)
        run(pack(a0, address(first(a1)), *a1.shape, a2, address(first(o0)), *o0.shape, 0, a0))
        return o0

What it cannot do, it leaves to the general way: arrays of another layout, empty ones, those
that nothing may write to, and work that threads should share.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from diablo.runtime.arrays import memory
from diablo.runtime.kernels.machine_code import Entry
from diablo.runtime.kernels.signature import Dimension, Signature, Slot

_CONVERSIONS = {"f64": "float", "f32": "float", "i64": "int", "i1": "bool"}


def direct_call(signature: Signature, entry: Entry, limit: int) -> Callable[..., Any]:
    """A function that makes a call of fewer than `limit` points in one piece.

    It returns `NotImplemented` where it cannot, or raises a `TypeError`, `ValueError`,
    `OverflowError` or `struct.error`.
    """
    names: dict[str, Any] = {
        "address": ctypes.addressof,
        "empty": memory.empty,
        "first": ctypes.c_char.from_buffer,
        "limit": limit,
        "ndarray": np.ndarray,
        "pack": entry.pack,
        "run": entry.run,
    }
    parameters = [f"a{k}" for k in range(len(signature.arguments))]
    lines: list[str] = []
    tests: list[str] = []
    passed: list[str] = []
    for k, slot in enumerate(signature.arguments):
        if slot.dimensions is None:
            lines.append(f"a{k} = {_CONVERSIONS[slot.element]}(a{k})")
            passed.append(f"a{k}")
            continue
        names[f"t{k}"] = slot.dtype
        tests.append(
            f"type(a{k}) is ndarray and a{k}.dtype is t{k} and a{k}.ndim == {len(slot.dimensions)}"
            f" and a{k}.flags.carray"
        )
        passed += _passed(f"a{k}", slot)
    work = [_text(dimension) for dimension in signature.work]
    sizes = [f"0 < {' * '.join(work) or '1'} < limit"]
    for k, slot in enumerate(signature.arguments):
        sizes += [
            f"a{k}.shape[{axis}] >= {_text(dimension)}"
            for axis, dimension in enumerate(slot.dimensions or ())
            if dimension is not None
        ]
    lines += [f"if not ({test}):\n        return NotImplemented" for test in (*tests, *sizes)]
    results: list[str] = []
    for k, slot in enumerate(signature.outputs):
        names[f"u{k}"] = slot.dtype
        shape = "".join(f"{_text(d)}, " for d in slot.dimensions or () if d is not None)
        lines.append(f"o{k} = empty(({shape}), u{k})")
        passed += _passed(f"o{k}", slot)
        if not slot.temporary:
            results.append(f"o{k}" if slot.dimensions else f"o{k}[()]")
    if signature.shared:
        passed += ["0", work[0]]
    lines += [f"run(pack({', '.join(passed)}))", f"return {', '.join(results)}"]
    body = "".join(f"    {line}\n" for line in lines)
    exec(f"def call({', '.join(parameters)}):\n{body}", names)
    return names["call"]


def _passed(name: str, slot: Slot) -> list[str]:
    """What machine code is given for a contiguous tensor: address, sizes, strides."""
    rank = len(slot.dimensions or ())
    sizes = [f"{name}.shape[{axis}]" for axis in range(rank)]
    strides = [" * ".join(sizes[axis + 1 :]) for axis in range(rank - 1)]
    return [f"address(first({name}))", *sizes, *strides]


def _text(dimension: Dimension) -> str:
    """An extent, given the arguments."""
    if dimension.constant is not None:
        return str(dimension.constant)
    axis = dimension.axis
    return f"a{dimension.argument}" if axis is None else f"a{dimension.argument}.shape[{axis}]"
