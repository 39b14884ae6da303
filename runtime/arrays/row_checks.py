"""Compressed rows looked at by machine code on all threads, before anything reads them.

    look_at_rows([0, 2, 3], [0, 2, 1])   ->  Rows(largest=2, in_order=True)
    has_no_zero([7.0, 5.0, 6.0])         ->  True

NumPy takes a pass for each question, which together take longer than a product with a vector does.
Nothing is remembered of a matrix: its vectors are the caller's, who may have written to them since.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.thread_team import cut_finely, share
from diablo.runtime.native.written_loops import repaid_loop

Array = NDArray[Any]

_CONTIGUOUS = attrgetter("flags.c_contiguous")


class Rows(NamedTuple):
    """What is known of compressed rows whose starts are sound."""

    largest: int
    """The largest index, as one without a sign."""
    in_order: bool
    """Whether the indices of each row ascend, none of them twice."""


def look_at_rows(starts: Array, indices: Array) -> Rows | None:
    """Return what is found; None if a start is wrong, or where machine code does not look.

    Parameters
    ----------
    starts : where each row begins, and the last ends: behind as many entries as there are
    indices : of each entry, of the same type
    """
    count, rows = len(indices), len(starts) - 1
    if starts.dtype != indices.dtype or indices.dtype.kind != "i":
        return None
    entry = _compiled("check_rows", starts, indices)
    if entry is None:
        return None
    pieces = cut_finely(count, count)
    found = np.empty((len(pieces), 4), np.uint64)
    passed = address_of(starts), address_of(indices), count
    calls = [
        (*passed, address_of(own), *piece, rows * k // len(pieces), rows * (k + 1) // len(pieces))
        for k, (own, piece) in enumerate(zip(found, pieces, strict=True))
    ]
    share(entry, calls, count)
    largest, descents, row_descents, flaws = zip(*found.tolist(), strict=True)
    return None if any(flaws) else Rows(max(largest), sum(descents) == sum(row_descents))


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
