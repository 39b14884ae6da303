"""Calls of machine code on sparse tiles that cost little more than the call.

As `direct_calls`, for kernels that give dense arrays and whose work is not shared, as of

    i64 f64{0;coordinates;;32}[0,0] f64[0,0] -> f64[0,0]=@2 whole @1

which adds a few entries to a table. The text of a function is written that looks at just these
arguments:

    def call(a0, a1, a2):
        a0 = int(a0)
        if not (type(a1) is tile and a1.dense_rank == 0 and … and layout(a1) == l1):
            return NotImplemented
        …
        v1 = vectors(s1, a1)
        o0 = begin('@2', (a0, a1, a2,), (a0, a0,), u0)
        run(pack(a0, *words(v1), *a1.shape, word_at(id(a2) + 16).value, …))
        return o0

What it cannot do, it leaves to the general way: tiles in another layout than that of the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from diablo.kernel_signature import Slot
from diablo.runtime.arrays import memory
from diablo.runtime.arrays.cleared import zeros
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels.direct_calls import dense_argument, extent_text, passed_text
from diablo.runtime.kernels.signature import ELEMENTS, Array
from diablo.runtime.kernels.sparse_signature import stored_layout, vector_words, vectors_of
from diablo.runtime.native.addresses import ADDRESS_NAMES
from diablo.runtime.native.machine_code import Entry
from diablo.sparse_kernel_signature import SparseSignature, SparseSlot


def direct_sparse_call(signature: SparseSignature, entry: Entry) -> Callable[..., Any] | None:
    """A function that makes a call, for tiles in the layouts of the signature; None for others.

    It returns `NotImplemented` where it cannot, or raises a `TypeError`, `ValueError`,
    `OverflowError` or `struct.error`.
    """
    if signature.shared or not all(map(_is_whole, signature.outputs)):
        return None
    if any(not isinstance(s, SparseSlot) and s.is_tuple for s in signature.arguments):
        return None
    names: dict[str, Any] = {
        **ADDRESS_NAMES,
        "begin": begin,
        "layout": stored_layout,
        "ndarray": np.ndarray,
        "pack": entry.pack,
        "run": entry.run,
        "tile": SparseTile,
        "vectors": vectors_of,
        "words": _words,
    }
    lines: list[str] = []
    tests: list[str] = []
    sizes: list[str] = []
    vectors: list[str] = []
    passed: list[str] = []
    for k, slot in enumerate(signature.arguments):
        least = ">="
        if isinstance(slot, SparseSlot):
            if slot.like is not None:
                return None
            least = "=="
            names |= {f"s{k}": slot, f"l{k}": slot.layout, f"t{k}": ELEMENTS[slot.element].dtype}
            tests.append(
                f"type(a{k}) is tile and a{k}.dense_rank == {slot.dense_rank}"
                f" and len(a{k}.shape) == {len(slot.dimensions)}"
                f" and a{k}.elements.dtype is t{k} and layout(a{k}) == l{k}"
            )
            vectors += [f"v{k} = vectors(s{k}, a{k})", f"if v{k} is None:"]
            vectors.append("    return NotImplemented")
            passed += [f"*words(v{k})", f"*a{k}.shape"]
        else:
            dense_argument(k, slot, names, lines, tests, passed)
        sizes += [
            f"a{k}.shape[{axis}] {least} {extent_text(dimension)}"
            for axis, dimension in enumerate(slot.dimensions or ())
            if dimension is not None
        ]
    for test in (*tests, *sizes):
        lines += [f"if not ({test}):", "    return NotImplemented"]
    lines += vectors
    parameters = "".join(f"a{k}, " for k in range(len(signature.arguments)))
    results: list[str] = []
    for k, (slot, how) in enumerate(zip(signature.outputs, signature.beginnings, strict=True)):
        assert isinstance(slot, Slot)
        shape = "".join(f"{extent_text(d)}, " for d in slot.dimensions or () if d is not None)
        names[f"u{k}"] = ELEMENTS[slot.element].dtype
        lines.append(f"o{k} = begin({how!r}, ({parameters}), ({shape}), u{k})")
        passed += passed_text(f"o{k}", slot)
        if not slot.temporary:
            results.append(f"o{k}")
    lines += [f"run(pack({', '.join(passed)}))", f"return {', '.join(results)}"]
    body = "".join(f"    {line}\n" for line in lines)
    exec(f"def call({parameters}):\n{body}", names)
    return names["call"]


def begin(
    beginning: str, values: Sequence[Any], shape: Sequence[int], dtype: np.dtype[Any]
) -> Array:
    """A dense output as the machine code wants it."""
    if beginning == "0":
        return zeros(shape, dtype)
    if not beginning:
        return memory.empty(shape, dtype)
    array: Array = values[int(beginning.removeprefix("@"))]
    if array.shape != tuple(shape):
        array = array[tuple([slice(extent) for extent in shape])]
    return memory.copied(array)


def _is_whole(slot: Slot | SparseSlot) -> bool:
    """Return whether an output is one dense array."""
    if isinstance(slot, SparseSlot) or slot.dimensions is None:
        return False
    return not (slot.is_tuple or slot.own)


def _words(vectors: Sequence[Array]) -> list[int]:
    return [word for vector in vectors for word in vector_words(vector)]
