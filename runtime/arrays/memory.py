"""Memory for large arrays, kept when they die and given to the next ones.

    a = empty((256, 256, 256), np.float64)
    del a                                       # its memory waits
    b = empty((256, 256, 256), np.float64)      # and is used again

Memory that is fresh from the system is filled by page faults, at a fifth of the speed of memory
that was used before. What waits is bounded, and goes back to the system when nothing has asked
for memory for a while.

A kernel may also compute in the memory of an argument that dies with the call:

    c = into(b, kernel, n, b, d)                # the next array of b's shape is b itself
"""

from __future__ import annotations

import os
import sys
import threading
from bisect import bisect_left, insort
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from time import monotonic, sleep
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.memory_limit import reserve, when_short
from diablo.runtime.native.addresses import address_of

SMALLEST = 1 << 18
"""Bytes below which the allocator of the C library keeps memory well enough itself."""
LARGEST_WASTE = 8
"""One part in so many of a block may stay unused."""
MOST_WAITING = 1 << 32
"""Bytes that wait at most."""
IDLE = 5.0
"""Seconds without a request after which what waits is let go."""
_INTEGER = np.dtype(np.int64)
_NUMBERS = 1 << 14
"""How many integers are written at a time, from as many that stay near the processor."""

_Block = NDArray[np.uint8]


@dataclass
class Statistics:
    """Bytes in use by large arrays, waiting, and the most that both were together."""

    used: int = 0
    waiting: int = 0
    peak: int = 0
    fresh: int = 0
    """How many blocks came from the system."""
    reused: int = 0
    in_place: int = 0
    """How many arrays took the place of another."""


class _Owner:
    """What an array of the pool has as its base: gives the block back when the last one dies."""

    __slots__ = ("__array_interface__", "block", "pool")

    def __init__(self, pool: Pool, block: _Block, shape: tuple[int, ...], dtype: np.dtype[Any]):
        self.pool = pool
        self.block = block
        self.__array_interface__ = {
            "data": (address_of(block), False),
            "shape": shape,
            "typestr": dtype.str,
            "version": 3,
        }

    def __del__(self) -> None:
        self.pool.give(self.block)


class _Waiting:
    """The blocks that wait: the smallest of those that are large enough, and the oldest of all."""

    def __init__(self) -> None:
        self._oldest_first: dict[int, _Block] = {}
        self._of_size: dict[int, list[_Block]] = {}
        self._sizes: list[int] = []
        """Those of which there are blocks, ascending."""

    def __len__(self) -> int:
        return len(self._oldest_first)

    def add(self, block: _Block) -> None:
        """Have a block wait."""
        self._oldest_first[id(block)] = block
        alike = self._of_size.get(block.nbytes)
        if alike is None:
            alike = self._of_size[block.nbytes] = []
            insort(self._sizes, block.nbytes)
        alike.append(block)

    def fitting(self, least: int, most: int) -> _Block | None:
        """Take out the smallest block with so many bytes, of several the one that came last."""
        place = bisect_left(self._sizes, least)
        if place == len(self._sizes) or self._sizes[place] > most:
            return None
        block = self._of_size[self._sizes[place]].pop()
        self._forget(block)
        return block

    def oldest(self) -> _Block:
        """Take out the block that has waited the longest."""
        block = next(iter(self._oldest_first.values()))
        alike = self._of_size[block.nbytes]
        del alike[0]  # In a size too the oldest is the first.
        self._forget(block)
        return block

    def _forget(self, block: _Block) -> None:
        del self._oldest_first[id(block)]
        if not self._of_size[block.nbytes]:
            del self._of_size[block.nbytes]
            del self._sizes[bisect_left(self._sizes, block.nbytes)]


class Pool:
    """Blocks of memory that wait for the next array.

    Arrays die wherever the interpreter finds them dead: inside of `take`, and at its end, when
    threads cannot be started and those that hold a lock may be gone. So to give a block back
    waits for nothing.
    """

    def __init__(self, most_waiting: int = MOST_WAITING, idle: float = IDLE):
        self.most_waiting = most_waiting
        self.idle = idle
        self._statistics = Statistics()
        self._lock = threading.Lock()
        self._given: deque[_Block] = deque()
        self._blocks = _Waiting()
        self._asked = 0.0
        self._watched = False

    @property
    def statistics(self) -> Statistics:
        """The counts so far."""
        with self._lock:
            self._collect()
        return self._statistics

    @statistics.setter
    def statistics(self, counts: Statistics) -> None:
        self._statistics = counts

    def note_in_place(self) -> None:
        """Count an array that has taken the place of another."""
        self._statistics.in_place += 1

    def empty(self, shape: Sequence[int], dtype: np.dtype[Any]) -> NDArray[Any]:
        """A C-order array of any content."""
        dims = tuple(shape)
        size = prod(dims) * dtype.itemsize
        if size < SMALLEST or dtype.hasobject or sys.is_finalizing():
            return np.empty(dims, dtype)
        return self._array(self.take(size, _shown(dims)), dims, dtype)

    def empty_or_zeros(
        self, shape: Sequence[int], dtype: np.dtype[Any]
    ) -> tuple[NDArray[Any], bool]:
        """A C-order array of any content, or of zeros; whether it is of zeros."""
        dims = tuple(shape)
        size = prod(dims) * dtype.itemsize
        if size < SMALLEST or dtype.hasobject or sys.is_finalizing():
            return np.zeros(dims, dtype), True
        block = self._waiting(size)
        is_zero = block is None
        if block is None:
            block = self._fresh(size, _shown(dims), np.zeros)
        return self._array(block, dims, dtype), is_zero

    def take(self, size: int, shape: str = "bytes") -> _Block:
        """A block of at least `size` bytes, for an array of some shape."""
        block = self._waiting(size)
        return self._fresh(size, shape, np.empty) if block is None else block

    def _array(self, block: _Block, dims: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
        """Return an array in a block."""
        array = np.asarray(_Owner(self, block, dims, dtype))
        # The interface names a record's bytes, not its fields.
        return array if dtype.names is None else array.view(dtype)

    def _waiting(self, size: int) -> _Block | None:
        """Return a block of about `size` bytes that waits, if there is one."""
        with self._lock:
            self._collect()
            block = self._blocks.fitting(size, size + size // LARGEST_WASTE)
            if block is None:
                return None
            self._statistics.waiting -= block.nbytes
            self._statistics.reused += 1
            return self._counted(block)

    def _fresh(self, size: int, shape: str, make: Callable[..., _Block]) -> _Block:
        """Return a block from the system, which `make` asks for."""
        # Not under the lock: what is short of memory lets go of the blocks that wait here.
        reserve(size, "an array of {}", shape)
        block = make(size, np.uint8)
        with self._lock:
            self._statistics.fresh += 1
            return self._counted(block)

    def _counted(self, block: _Block) -> _Block:
        """Count a block as used; whoever looks after idle blocks sees it from now on."""
        self._asked = monotonic()
        self._watch()
        counts = self._statistics
        counts.used += block.nbytes
        counts.peak = max(counts.peak, counts.used + counts.waiting)
        return block

    def give(self, block: _Block) -> None:
        """A block that no array uses any more."""
        self._given.append(block)
        if self._lock.acquire(blocking=False):
            try:
                self._collect()
            finally:
                self._lock.release()

    def clear(self) -> None:
        """Let go of what waits."""
        with self._lock:
            self._collect()
            self._let_go()

    def _collect(self) -> None:
        """Have the blocks that were given back wait; the oldest make room."""
        counts = self._statistics
        while self._given:
            block = self._given.popleft()
            counts.used -= block.nbytes
            while self._blocks and counts.waiting + block.nbytes > self.most_waiting:
                counts.waiting -= self._blocks.oldest().nbytes
            if block.nbytes <= self.most_waiting:
                self._blocks.add(block)
                counts.waiting += block.nbytes

    def _let_go(self) -> None:
        self._blocks = _Waiting()
        self._statistics.waiting = 0

    def _watch(self) -> None:
        """See now and then whether anything has been asked for, while there are blocks."""
        if self._watched:
            return
        try:
            threading.Thread(target=self._look, name="memory", daemon=True).start()
        except RuntimeError:  # The interpreter ends, or the system has no more threads.
            return
        self._watched = True

    def _look(self) -> None:
        while True:
            with self._lock:
                self._collect()
                left = self._asked + self.idle - monotonic()
                if left <= 0:
                    self._let_go()
                    left = self.idle
                    if not self._statistics.used:
                        self._watched = False
                        return
            sleep(left)


def _shown(dims: Sequence[int]) -> str:
    return " x ".join(map(str, dims))


class _Offer(threading.local):
    """The array whose memory the next one in this thread may take."""

    array: NDArray[Any] | None = None


_pool = Pool()
_offered = _Offer()


def _after_fork() -> None:
    """A child process has none of its parent's threads, nor their locks."""
    global _pool
    _pool = Pool()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def empty(shape: Sequence[int], dtype: np.dtype[Any]) -> NDArray[Any]:
    """A C-order array of any content, in the memory that `into` offers if it fits."""
    array = _offered.array
    if array is None:
        if prod(shape) * dtype.itemsize < SMALLEST:
            return np.empty(shape, dtype)
    elif array.dtype == dtype and is_split(array.shape, tuple(shape)):
        _offered.array = None
        _pool.note_in_place()
        return array if array.ndim == len(shape) else array.reshape(shape)
    return _pool.empty(shape, dtype)


def apart(shape: Sequence[int], dtype: np.dtype[Any]) -> NDArray[Any]:
    """A C-order array of any content that is none of the operands, whatever `into` offers."""
    return _pool.empty(shape, dtype)


def empty_or_zeros(shape: Sequence[int], dtype: np.dtype[Any]) -> tuple[NDArray[Any], bool]:
    """A C-order array that is none of the operands, and whether it is of zeros or of anything."""
    return _pool.empty_or_zeros(shape, dtype)


def copied(array: NDArray[Any]) -> NDArray[Any]:
    """A C-order copy of an array, or the array itself if `into` offers its memory."""
    if array is _offered.array:
        _offered.array = None
        _pool.note_in_place()
        return array
    copy = _pool.empty(array.shape, array.dtype)
    copy[...] = array
    return copy


def is_offered(array: NDArray[Any]) -> bool:
    """Return whether `copied` gives the array itself: `into` offers its memory."""
    return array is _offered.array


def taken(array: NDArray[Any], positions: NDArray[Any]) -> NDArray[Any]:
    """The elements of a vector at positions, all of which it has."""
    if len(positions) * array.itemsize < SMALLEST or array.dtype.hasobject:
        return array.take(positions)
    # With a mode for those that are outside, NumPy writes to where it is told at once.
    return array.take(positions, out=apart(positions.shape, array.dtype), mode="wrap")


def numbers(count: int, dtype: np.dtype[Any] = _INTEGER) -> NDArray[Any]:
    """The integers from 0 to before `count`, in memory that was used before where there is such.

    NumPy's `arange` takes fresh memory, and most of its time for many is spent on that.
    """
    if count * dtype.itemsize < SMALLEST:
        return np.arange(count, dtype=dtype)
    out = apart((count,), dtype)
    first = np.arange(min(count, _NUMBERS), dtype=dtype)
    for begin in range(0, count, _NUMBERS):
        part = out[begin : begin + _NUMBERS]
        np.add(first[: len(part)], begin, out=part)
    return out


def is_split(whole: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Return whether the dimensions of `shape` are those of `whole`, some of them taken apart."""
    if whole == shape:
        return True
    left = list(shape)
    for extent in whole:
        made = 1
        while left and made < extent:
            made *= left.pop(0)
        if made != extent:
            return False
    return prod(left) == 1


def into(array: Any, kernel: Callable[..., Any], *arguments: Any) -> Any:
    """`kernel(*arguments)`, whose result may take the memory of `array`.

    Nothing else needs `array`, and the kernel reads its elements only where it writes. What is
    no array with memory of its own, or has another shape than the result, is left alone.
    """
    builtin = getattr(kernel, "builtin", None)
    if builtin is not None:
        result = builtin(array, *arguments)
        if result is not NotImplemented:
            if result is array:
                _pool.note_in_place()
            return result
    fits = isinstance(array, np.ndarray) and array.flags.carray
    _offered.array = array if fits else None
    try:
        return kernel(*arguments)
    finally:
        _offered.array = None


def statistics() -> Statistics:
    """The counts of the arrays of this process so far."""
    return _pool.statistics


def _give_back() -> None:
    _pool.clear()


when_short(_give_back)


def clear() -> None:
    """Let go of what waits, and count anew."""
    _pool.clear()
    used = _pool.statistics.used
    _pool.statistics = Statistics(used=used, peak=used)
