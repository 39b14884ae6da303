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
        points = a0
        if not (points > 0 and a1.shape[0] >= a0):
            return NotImplemented
        o0 = empty((a0,), u0)
        if points < limit:
            run(pack(a0, address(first(a1)), *a1.shape, a2, address(first(o0)), *o0.shape, 0, a0))
            return o0
        calls = []
        for k, (begin, end) in enumerate(cut(a0, points)):
            calls.append((a0, address(first(a1)), *a1.shape, a2, …, begin, end))
        share(entry, calls, points)
        return o0

What it cannot do, it leaves to the general way: arrays of another layout, empty ones, and those
that nothing may write to.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from diablo.kernel_signature import Dimension, Signature, Slot
from diablo.runtime.arrays import memory
from diablo.runtime.kernels.signature import ELEMENTS
from diablo.runtime.monoid_ufuncs import reduce_all
from diablo.runtime.native.compile_mode import compile_mode
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.thread_team import WORTH_SHARING, cut, share
from diablo.scalar_table import BY_ELEMENT


def direct_call(signature: Signature, entry: Entry) -> Callable[..., Any]:
    """A function that makes a call, which threads share if it is large.

    It returns `NotImplemented` where it cannot, or raises a `TypeError`, `ValueError`,
    `OverflowError` or `struct.error`.
    """
    names: dict[str, Any] = {
        "address": ctypes.addressof,
        "cut": cut,
        "empty": memory.empty,
        "entry": entry,
        "first": ctypes.c_char.from_buffer,
        "limit": 0 if compile_mode() == "always" else WORTH_SHARING,
        "ndarray": np.ndarray,
        "new": np.empty,
        "pack": entry.pack,
        "run": entry.run,
        "share": share,
    }
    parameters = [f"a{k}" for k in range(len(signature.arguments))]
    lines: list[str] = []
    tests: list[str] = []
    passed: list[str] = []
    for k, slot in enumerate(signature.arguments):
        if slot.dimensions is None:
            lines.append(f"a{k} = {BY_ELEMENT[slot.element].python.__name__}(a{k})")
            passed.append(f"a{k}")
            if slot.positive:
                tests.append(f"a{k} > 0")
            continue
        names[f"t{k}"] = ELEMENTS[slot.element].dtype
        tests.append(
            f"type(a{k}) is ndarray and a{k}.dtype is t{k} and a{k}.ndim == {len(slot.dimensions)}"
            f" and a{k}.flags.carray"
        )
        passed += _passed(f"a{k}", slot)
    work = [_text(dimension) for dimension in signature.work]
    sizes = ["points > 0"]
    for k, slot in enumerate(signature.arguments):
        sizes += [
            f"a{k}.shape[{axis}] >= {_text(dimension)}"
            for axis, dimension in enumerate(slot.dimensions or ())
            if dimension is not None
        ]
    refuse = "if not ({}):\n        return NotImplemented"
    lines += [refuse.format(test) for test in tests]
    lines.append(f"points = {' * '.join([*work, str(signature.weight)])}")
    lines += [refuse.format(test) for test in sizes]
    lines += _call(signature, passed, work, names)
    body = "".join(f"    {line}\n" for line in lines)
    exec(f"def call({', '.join(parameters)}):\n{body}", names)
    return names["call"]


def _call(
    signature: Signature, arguments: list[str], work: list[str], names: dict[str, Any]
) -> list[str]:
    """The lines that make the outputs and the call, in one piece or in several."""
    arrays: list[str] = []
    alone: list[str] = []  # Scalars of one piece,
    parts: list[str] = []  # and those of several, to be combined.
    passed, passed_parts = list(arguments), list(arguments)
    results: list[str] = []
    combined: list[str] = []
    for k, slot in enumerate(signature.outputs):
        dtype = names[f"u{k}"] = ELEMENTS[slot.element].dtype
        if slot.dimensions is not None:
            shape = "".join(f"{_text(d)}, " for d in slot.dimensions if d is not None)
            arrays.append(f"o{k} = empty(({shape}), u{k})")
            passed += _passed(f"o{k}", slot)
            passed_parts += _passed(f"o{k}", slot)
            result = part = f"o{k}" if slot.dimensions else f"o{k}[()]"
        else:
            alone.append(f"o{k} = new((), u{k})")
            # Each part has a cache line of its own.
            parts += [f"o{k} = new((len(ranges), 8), u{k})", f"p{k} = address(first(o{k}))"]
            passed.append(f"address(first(o{k}))")
            passed_parts.append(f"p{k} + {8 * dtype.itemsize} * k")
            result, part = f"o{k}[()]", f"o{k}[0, 0]"
            if slot.monoid:
                names[f"combine{k}"] = partial(reduce_all, slot.monoid)
                part = f"combine{k}(o{k}[:, 0])"
        if not slot.temporary:
            results.append(result)
            combined.append(part)
    if not signature.shared:
        run = f"run(pack({', '.join(passed)}))"
        return [*arrays, *alone, run, f"return {', '.join(results)}"]
    run = f"run(pack({', '.join([*passed, '0', work[0]])}))"
    call = f"({', '.join([*passed_parts, 'begin', 'end'])})"
    # A comprehension would make the arguments variables of two functions, which are slower.
    return [
        *arrays,
        "if points < limit:",
        *[f"    {line}" for line in (*alone, run, f"return {', '.join(results)}")],
        f"ranges = cut({work[0]}, points)",
        *parts,
        "calls = []",
        "for k, (begin, end) in enumerate(ranges):",
        f"    calls.append({call})",
        "share(entry, calls, points)",
        f"return {', '.join(combined)}",
    ]


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
