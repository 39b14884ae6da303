"""Groups of rows by hand, in NumPy: the answer that databases and programs are compared with.

groups = Groups([id2, id4])
Table([*groups.keys, groups.sum(v1), groups.mean(v3)])
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

_MOST_PLACES = 10_000_000


class Groups:
    """Which group each row is in, and what each group's rows amount to."""

    def __init__(self, keys: Sequence[np.ndarray]):
        coded = [self._coded(key) for key in keys]
        sizes = [len(names) for names, _ in coded]
        places = np.zeros(len(keys[0]), np.int64)
        for size, (_, codes) in zip(sizes, coded, strict=True):
            places = places * size + codes
        if prod(sizes) <= _MOST_PLACES:
            counts = np.bincount(places, minlength=prod(sizes))
            found = np.flatnonzero(counts)
            self.count = counts[found]
            self.place = (np.cumsum(counts > 0) - 1)[places]
        else:
            found, self.place, self.count = np.unique(
                places, return_inverse=True, return_counts=True
            )
        self.keys: list[np.ndarray] = []
        for size, (names, _) in zip(sizes[::-1], coded[::-1], strict=True):
            found, codes = np.divmod(found, size)
            self.keys.insert(0, names[codes])
        self._order: np.ndarray | None = None

    @staticmethod
    def _coded(key: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if key.dtype.kind == "i" and key.min(initial=0) >= 0:
            most = int(key.max(initial=0)) + 1
            if most <= max(len(key), 1000):
                return np.arange(most), key
        return np.unique(key, return_inverse=True)

    def sum(self, values: np.ndarray) -> np.ndarray:
        sums = np.bincount(self.place, values, len(self.count))
        return sums.astype(np.int64) if values.dtype.kind == "i" else sums

    def mean(self, values: np.ndarray) -> np.ndarray:
        return self.sum(values) / self.count

    def max(self, values: np.ndarray) -> np.ndarray:
        return self._reduced(np.maximum, values)

    def min(self, values: np.ndarray) -> np.ndarray:
        return self._reduced(np.minimum, values)

    def median(self, values: np.ndarray) -> np.ndarray:
        ordered = values[np.lexsort((values, self.place))]
        starts = self._starts
        return (ordered[starts + (self.count - 1) // 2] + ordered[starts + self.count // 2]) / 2

    def deviation(self, values: np.ndarray) -> np.ndarray:
        """The standard deviations of samples: NaN of a group of one row."""
        apart = values - self.mean(values)[self.place]
        with np.errstate(invalid="ignore"):
            return np.sqrt(self.sum(apart * apart) / (self.count - 1))

    def largest(self, values: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
        """The largest values of each group, `count` or all, and which group each is of."""
        order = np.lexsort((-values, self.place))
        of = self.place[order]
        kept = np.arange(len(of)) - self._starts[of] < count
        return of[kept], values[order[kept]]

    @property
    def _starts(self) -> np.ndarray:
        return np.cumsum(self.count) - self.count

    def _reduced(self, function: np.ufunc, values: np.ndarray) -> np.ndarray:
        if self._order is None:
            self._order = np.argsort(self.place, kind="stable")
        return function.reduceat(values[self._order], self._starts)
