"""Calls of machine code that cost little more than the call: one Python function per signature.

A kernel on a few thousand elements takes a microsecond, and looking at what it is given in
loops over its signature takes ten. For

    i64 f64[0] f64 -> f64[0] rows 0

the text of a function is written that looks at just these arguments:

    def call(a0, a1, a2):
        a0 = int(a0)
        a2 = float(a2)
        if not (type(a1) is ndarray and a1.dtype is t1 and a1.ndim == 1 and (a1.flags.carray …)):
            return NotImplemented
        points = a0
        if not (points > 0 and a1.shape[0] >= a0):
            return NotImplemented
        o0 = empty((a0,), u0)
        if points < limit:
            run(pack(a0, word_at(id(a1) + 16).value, …, a2, word_at(id(o0) + 16).value, …, 0, a0))
            return o0
        calls = []
        for k, (begin, end) in enumerate(cut(a0, points)):
            calls.append((a0, word_at(id(a1) + 16).value, …, a2, …, begin, end))
        share(entry, calls, points)
        return o0

What is scanned is folded before, piece by piece, by calls that say so. What it cannot do, it leaves
to the general way: arrays of another layout, and work on nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from diablo.kernel_signature import Dimension, Signature, Slot
from diablo.runtime.arrays import memory
from diablo.runtime.kernels.signature import (
    ELEMENTS,
    Array,
    joined,
    joined_tables,
    lines_for,
    monoid_of,
    most_pieces,
)
from diablo.runtime.monoid_ufuncs import UserMonoid, reduce_all
from diablo.runtime.native.addresses import ADDRESS_NAMES, address_text
from diablo.runtime.native.compile_mode import compile_mode
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.thread_team import WORTH_SHARING, cut, cut_finely, share
from diablo.scalar_table import BY_ELEMENT


def direct_call(
    signature: Signature,
    entry: Entry,
    monoids: Mapping[str, UserMonoid] = MappingProxyType({}),
) -> Callable[..., Any] | None:
    """A function that makes a call, which threads share if it is large.

    There is none for arguments that are tuples, whose parts are copied first.

    It returns `NotImplemented` where it cannot, or raises a `TypeError`, `ValueError`,
    `OverflowError` or `struct.error`.
    """
    if any(slot.is_tuple for slot in signature.arguments):
        return None
    names: dict[str, Any] = {
        **ADDRESS_NAMES,
        "cut": cut,
        "cut_finely": cut_finely,
        "empty": memory.empty,
        "entry": entry,
        "lines": lines_for,
        "limit": 0 if compile_mode() == "always" else WORTH_SHARING,
        "most": most_pieces,
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
        dense_argument(k, slot, names, lines, tests, passed)
    work = [extent_text(dimension) for dimension in signature.work]
    sizes = ["points > 0"]
    for k, slot in enumerate(signature.arguments):
        sizes += [
            f"a{k}.shape[{axis}] >= {extent_text(dimension)}"
            for axis, dimension in enumerate(slot.dimensions or ())
            if dimension is not None
        ]
    refuse = "if not ({}):\n        return NotImplemented"
    lines += [refuse.format(test) for test in tests]
    lines.append(f"points = {' * '.join([*work, str(signature.weight)])}")
    lines += [refuse.format(test) for test in sizes]
    lines += _call(signature, passed, work, names, monoids)
    body = "".join(f"    {line}\n" for line in lines)
    exec(f"def call({', '.join(parameters)}):\n{body}", names)
    return names["call"]


def dense_argument(
    k: int,
    slot: Slot,
    names: dict[str, Any],
    lines: list[str],
    tests: list[str],
    passed: list[str],
) -> None:
    """Write how a number, or an array, is looked at and passed as argument `k`."""
    if slot.dimensions is None:
        lines.append(f"a{k} = {BY_ELEMENT[slot.element].python.__name__}(a{k})")
        passed += [f"a{k}.real", f"a{k}.imag"] if slot.is_complex else [f"a{k}"]
        if slot.positive:
            tests.append(f"a{k} > 0")
        return
    names[f"t{k}"] = ELEMENTS[slot.element].dtype
    tests.append(
        f"type(a{k}) is ndarray and a{k}.dtype is t{k} and a{k}.ndim == {len(slot.dimensions)}"
        f" and (a{k}.flags.carray or a{k}.flags.c_contiguous and a{k}.flags.aligned)"
    )
    passed += passed_text(f"a{k}", slot)


def _call(
    signature: Signature,
    arguments: list[str],
    work: list[str],
    names: dict[str, Any],
    monoids: Mapping[str, UserMonoid],
) -> list[str]:
    """The lines that make the outputs and the call, in one piece or in several."""
    arrays: list[str] = []
    alone: list[str] = []  # Scalars of one piece,
    parts: list[str] = []  # and those of several, to be combined.
    passed, passed_parts = list(arguments), list(arguments)
    results: list[str] = []
    combined: list[str] = []
    for k, slot in enumerate(signature.outputs):
        columns = [f"o{k}_{n}" for n in range(len(slot.elements))] if slot.is_tuple else [f"o{k}"]
        for name, element in zip(columns, slot.elements, strict=True):
            dtype = names[f"u_{name}"] = ELEMENTS[element].dtype
            if slot.dimensions is not None and slot.own:
                shape = "".join(f"{extent_text(d)}, " for d in slot.dimensions if d is not None)
                alone.append(f"{name} = new((1, {shape}), u_{name})")
                parts.append(f"{name} = new((len(ranges), {shape}), u_{name})")
                parts.append(f"p_{name} = {address_text(name)}")
                first, *sizes = passed_text(name, slot)
                passed += [first, *sizes]
                passed_parts += [f"p_{name} + {name}[0].nbytes * k", *sizes]
            elif slot.dimensions is not None:
                shape = "".join(f"{extent_text(d)}, " for d in slot.dimensions if d is not None)
                arrays.append(f"{name} = empty(({shape}), u_{name})")
                passed += passed_text(name, slot)
                passed_parts += passed_text(name, slot)
            elif slot.is_scanned:
                parts.append(f"{name} = lines(len(ranges), u_{name})")
                passed += ["0", "0"]  # One piece begins with nothing, and leaves nothing.
                passed_parts += [address_text(name), f"{name}.size"]
            else:
                alone.append(f"{name} = new((), u_{name})")
                # Each part has a cache line of its own.
                parts.append(f"{name} = new((len(ranges), 8), u_{name})")
                parts.append(f"p_{name} = {address_text(name)}")
                passed.append(address_text(name))
                passed_parts.append(f"p_{name} + {8 * dtype.itemsize} * k")
        names[f"join{k}"] = partial(_joined, slot)
        whole = f"join{k}({', '.join(columns)})" if slot.is_tuple else columns[0]
        result = part = whole if slot.dimensions else f"{whole}[()]"
        if slot.own and not slot.temporary:
            names[f"tables{k}"] = partial(_tables, slot, monoids)
            result = part = f"tables{k}({', '.join(columns)})"
        if slot.is_scanned:
            continue
        if slot.dimensions is None:
            part = f"{whole}[0, 0]"
            if slot.monoid:
                names[f"combine{k}"] = partial(reduce_all, monoid_of(slot, monoids))
                part = f"combine{k}({whole}[:, 0])"
        if not slot.temporary:
            results.append(result)
            combined.append(part)
    if not signature.shared:
        run = f"run(pack({', '.join(passed)}))"
        return [*arrays, *alone, run, f"return {', '.join(results)}"]
    scans = signature.has_scans
    run = f"run(pack({', '.join([*passed, '0', work[0], *(['0', '0'] if scans else [])])}))"
    call = ", ".join([*passed_parts, "begin", "end", *(["k"] if scans else [])])
    # A comprehension would make the arguments variables of two functions, which are slower.
    return [
        *arrays,
        "if points < limit:",
        *[f"    {line}" for line in (*alone, run, f"return {', '.join(results)}")],
        f"ranges = cut({work[0]}, points{_most(signature)})"
        if signature.makes_parts
        else f"ranges = cut_finely({work[0]}, points)",
        *parts,
        "calls = []",
        *(["ahead = []"] if scans else []),
        "for k, (begin, end) in enumerate(ranges):",
        f"    calls.append(({call}{', 0' if scans else ''}))",
        *([f"    ahead.append(({call}, 1))", "share(entry, ahead[:-1], points)"] if scans else []),
        "share(entry, calls, points)",
        f"return {', '.join(combined)}",
    ]


def _most(signature: Signature) -> str:
    """Into how many pieces work is cut at most, as an argument, if each makes tables."""
    if not signature.tables:
        return ""
    sizes = [
        " * ".join([extent_text(d) for d in table if d is not None] or ["1"])
        for table in signature.tables
    ]
    return f", most(points, {' + '.join(sizes)})"


def _tables(slot: Slot, own: Mapping[str, UserMonoid], *parts: Array) -> Array:
    return joined_tables(slot, parts, own)


def _joined(slot: Slot, *parts: Array) -> Array:
    return joined(slot, parts)


def passed_text(name: str, slot: Slot) -> list[str]:
    """Return what machine code is given for a contiguous tensor: address, sizes, strides."""
    rank = len(slot.dimensions or ())
    offset = int(slot.own)  # The first axis is that of the pieces.
    sizes = [f"{name}.shape[{axis + offset}]" for axis in range(rank)]
    strides = [" * ".join(sizes[axis + 1 :]) for axis in range(rank - 1)]
    return [address_text(name), *sizes, *strides]


def extent_text(dimension: Dimension) -> str:
    """An extent, given the arguments."""
    if dimension.constant is not None:
        return str(dimension.constant)
    axis = dimension.axis
    return f"a{dimension.argument}" if axis is None else f"a{dimension.argument}.shape[{axis}]"
