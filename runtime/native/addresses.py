"""Where arrays lie in memory, as machine code is told."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray


def address_of(array: NDArray[Any]) -> int:
    """Return where the elements of an array begin, which must live as long as that is used."""
    return array.__array_interface__["data"][0]
