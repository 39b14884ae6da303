"""What the sparse arrays of a program hold, as calls find out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from diablo.runtime.arrays.holdings import Holding, Watched, note
from diablo.runtime.arrays.sparse_tile import SparseTile


def stored_entries(values: Mapping[str, Any]) -> dict[str, int]:
    """The number of entries of each input that is a sparse array."""
    return {name: value.nnz for name, value in values.items() if isinstance(value, SparseTile)}


def note_inputs(values: Mapping[str, Any], holdings: dict[str, Holding]) -> None:
    """Note what the sparse inputs hold, after a run also what it made of them."""
    for name, value in values.items():
        if isinstance(value, SparseTile):
            note(value, name, holdings)


def watch_kernels(
    made: Mapping[str, Sequence[str | None]],
    namespace: dict[str, Any],
    holdings: dict[str, Holding],
) -> None:
    """Let the kernels of an emitted program note what the sparse arrays that they make hold.

    `made` has the names of these, for each kernel.
    """
    for kernel, names in made.items():
        if kernel in namespace:
            namespace[kernel] = Watched(namespace[kernel], names, holdings)
