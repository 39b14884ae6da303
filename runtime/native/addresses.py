"""Where arrays lie in memory, as machine code is told."""

from __future__ import annotations

import sys
from ctypes import c_size_t
from typing import Any

import numpy as np
from numpy.typing import NDArray

_BEHIND_HEAD = object.__basicsize__
"""Where an array has the address of its elements: behind what every object begins with.

That is part of NumPy's C interface (`PyArrayObject_fields`), by which all extensions read it.
"""
_word_at = c_size_t.from_address


def address_of(array: NDArray[Any]) -> int:
    """Return where the elements of an array begin, which must live as long as that is used."""
    if _IS_READ:
        return _word_at(id(array) + _BEHIND_HEAD).value
    return array.__array_interface__["data"][0]


def address_text(name: str) -> str:
    """Return what says in Python where the array `name` begins, with what `ADDRESS_NAMES` has."""
    if _IS_READ:
        return f"word_at(id({name}) + {_BEHIND_HEAD}).value"
    return f'{name}.__array_interface__["data"][0]'


ADDRESS_NAMES = {"word_at": _word_at}


def _can_be_read() -> bool:
    """Return whether the address is where it should be: NumPy takes longer to say it."""
    probe = np.zeros(4)[1:]
    there = sys.implementation.name == "cpython" and type(probe).__basicsize__ > _BEHIND_HEAD
    said = probe.__array_interface__["data"][0]
    return there and _word_at(id(probe) + _BEHIND_HEAD).value == said


_IS_READ = _can_be_read()
