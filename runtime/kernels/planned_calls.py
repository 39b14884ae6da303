"""What the call of a compiled kernel does, before it is done: once, or again for other memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from diablo.kernel_signature import Slot
from diablo.runtime.kernels.signature import Array
from diablo.runtime.native.machine_code import Entry
from diablo.sparse_kernel_signature import SparseSlot

Allocate = Callable[[Sequence[int], np.dtype[Any]], Array]
"""Gives the memory of a result."""


@dataclass
class PlannedCall:
    """The pieces that threads share, whose words are those of machine code."""

    entry: Entry
    calls: list[list[Any]] = field(default_factory=list[list[Any]])
    """The words of each piece."""
    points: int = 0
    """How much work it is."""
    slots: Sequence[Slot | SparseSlot] = ()
    """The outputs, as signatures have them."""
    outputs: list[list[Array]] = field(default_factory=list[list[Array]])
    """Of each output its parts; of a number what each piece gives."""
    argument_words: list[int] = field(default_factory=list[int])
    """The number of the first word of each argument: of an array its address."""
    output_words: list[int] = field(default_factory=list[int])
    """The number of the first word of each output."""
    lasts: bool = True
    """Whether another call for the same arguments would have the same words."""
    held: list[Any] = field(default_factory=list[Any])
    """What has to live until the last call, besides arguments and results."""
    ahead: list[list[Any]] = field(default_factory=list[list[Any]])
    """Those of calls that are made before all pieces."""


def has_negative_extent(slots: Sequence[Slot | SparseSlot], values: Sequence[Any]) -> bool:
    """Whether an array that a call makes cannot be, so that the call must not be made."""
    dense = (slot for slot in slots if isinstance(slot, Slot))
    return any(d.of(values) < 0 for slot in dense for d in slot.dimensions or () if d is not None)
