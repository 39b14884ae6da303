"""Compressed rows looked at by machine code on all threads, before anything reads them.

    largest_index([0, 2, 3], [0, 2, 1])   ->  2
    are_in_order([0, 2, 3], [0, 2, 1])    ->  True
    has_no_zero([7.0, 5.0, 6.0])          ->  True

NumPy takes a pass for each question, which together take longer than a product with a vector does.
Nothing is remembered of a matrix: its vectors are the caller's, who may have written to them since.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.thread_team import cut_finely, share
from diablo.runtime.native.written_loops import repaid_loop

Array = NDArray[Any]

_CONTIGUOUS = attrgetter("flags.c_contiguous")


def largest_index(starts: Array, indices: Array) -> int | None:
    """Return the largest index of compressed rows, as one without a sign.

    None if a start is wrong, or where machine code does not look.

    Parameters
    ----------
    starts : where each row begins, and the last ends: behind as many entries as there are
    indices : of each entry, of the same type
    """
    found = _look("check_rows", starts, indices)
    if found is None:
        return None
    largest, flaws = zip(*found.tolist(), strict=True)
    return None if any(flaws) else max(largest)


def are_in_order(starts: Array, indices: Array) -> bool:
    """Return whether the indices of each row ascend, none of them twice; the starts are sound."""
    found = _look("check_order", starts, indices)
    if found is None:
        descends = np.zeros(len(indices) + 1, np.bool_)
        np.less_equal(indices[1:], indices[:-1], out=descends[1:-1])
        descends[starts] = False  # The first index of a row may be less than the one before.
        return not descends.any()
    descents, at_rows = found.sum(axis=0, dtype=np.uint64).tolist()
    return descents == at_rows


def _look(name: str, starts: Array, indices: Array) -> Array | None:
    """What threads find in their parts of the entries and the rows."""
    count, rows = len(indices), len(starts) - 1
    if starts.dtype != indices.dtype or indices.dtype.kind != "i":
        return None
    entry = _compiled(name, starts, indices)
    if entry is None:
        return None
    pieces = cut_finely(count, count)
    found = np.empty((len(pieces), 2), np.uint64)
    passed = address_of(starts), address_of(indices), count
    calls = [
        (*passed, address_of(own), *piece, rows * k // len(pieces), rows * (k + 1) // len(pieces))
        for k, (own, piece) in enumerate(zip(found, pieces, strict=True))
    ]
    share(entry, calls, count)
    return found


def has_no_zero(values: Array) -> bool:
    """Return whether no number of a vector is zero."""
    entry = _compiled("any_zero", values) if values.dtype.kind == "f" else None
    if entry is None:
        return bool(values.all())
    pieces = cut_finely(len(values), len(values))
    found = np.empty((len(pieces), 1), np.int64)
    calls = [
        (address_of(values), address_of(own), *piece)
        for own, piece in zip(found, pieces, strict=True)
    ]
    share(entry, calls, len(values))
    return not found.any()


def _compiled(name: str, *vectors: Array) -> Entry | None:
    """The machine code of a loop over vectors, once it is worth it, if it takes such."""
    vector = vectors[-1]
    bits = 8 * vector.itemsize
    if bits not in (32, 64) or not vector.dtype.isnative:
        return None
    if not len(vector) or not all(map(_CONTIGUOUS, vectors)):
        return None
    return repaid_loop(len(vector), name, f"i{bits}")
