"""What is derived from a pattern: kept with it, or lent to who asks.

Vectors of an order, links and directories are kept: a program that asks once asks again, and all
arrays of the pattern use them. What takes more than the pattern itself (positions in 64 bits), or
is a pattern of its own, is lent: whoever asks while somebody has it gets the same, and it goes
with the last who has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast
from weakref import WeakValueDictionary

import numpy as np

from diablo.runtime.arrays.patterns.boxes import Array
from diablo.runtime.arrays.patterns.directories import HashDirectory
from diablo.runtime.arrays.patterns.form import Form
from diablo.runtime.arrays.patterns.orders import Turned

T = TypeVar("T")


class Derived:
    """Things by key. Threads may derive the same thing twice; one of them is taken."""

    __slots__ = ("_kept", "_lent")

    def __init__(self) -> None:
        self._kept: dict[Any, Any] = {}
        self._lent: WeakValueDictionary[Any, Any] | None = None

    def keep(self, key: Any, derive: Callable[[], T]) -> T:
        """Return what is known as `key`, derived if it is not there, and kept."""
        found = self._kept.get(key)
        return self._kept.setdefault(key, derive()) if found is None else found

    def kept(self, key: Any) -> Any:
        """Return what is kept as `key`, None if nothing is."""
        return self._kept.get(key)

    def __contains__(self, key: Any) -> bool:
        return key in self._kept

    def lend(self, key: Any, derive: Callable[[], T]) -> T:
        """Return what is known as `key`, derived unless somebody has it."""
        if self._lent is None:
            self._lent = WeakValueDictionary()
        found = self._lent.get(key)
        return self._lent.setdefault(key, derive()) if found is None else found

    def forget(self) -> None:
        """Drop what is kept."""
        self._kept.clear()

    def vectors(self) -> Iterator[Array]:
        """The vectors of what is kept."""
        for value in list(self._kept.values()):
            if isinstance(value, np.ndarray):
                yield cast(Array, value)
            elif isinstance(value, Turned):
                yield from value.vectors()
            elif isinstance(value, Form):
                yield from value.vectors().values()
            elif isinstance(value, HashDirectory):
                yield value.table
