"""Copies between this process and a GPU through page-locked memory, which several threads fill.

    copies = StagedCopies(cupy.cuda)
    copies.to_device(pointer, array)          each thread takes every n-th piece
    copies.to_host(array, pointer)            all is there when it returns

The bus is several times as fast as one thread copies in memory (on an H200's machine 55 to 8 GB/s),
and memory that is fresh from the system is filled by page faults, which is slower still. So threads
share the work, each with two buffers: one is on its way while it is at the other. To lock the pages
of the array itself instead takes longer than such a copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from threading import Lock
from typing import Any

import numpy as np

from diablo.runtime.native.thread_team import thread_count

Array = np.ndarray[Any, Any]

PIECE = 1 << 22
"""Bytes of a buffer: with those of all threads they fit into caches."""
MOST_THREADS = 16
"""More do not make copies faster."""
_WORTH_SHARING = 4
"""How many pieces there are for each thread at least: to wake one takes as long as to copy some."""
_BUFFERS = 2
"""How many buffers each thread has."""


class StagedCopies:
    """A stream for copies, and the buffers and threads for them; one copy runs at a time.

    Parameters
    ----------
    cuda : CuPy's module of that name
    device : the GPU, in which threads are to work
    """

    def __init__(self, cuda: Any, device: Any):
        self._cuda = cuda
        self._device = device
        self.stream: Any = cuda.Stream(non_blocking=True)
        self._lock = Lock()
        self._lanes: list[_Lane] = []
        self._threads: ThreadPoolExecutor | None = None

    def to_device(self, pointer: Any, array: Array) -> None:
        """Copy the bytes of an array; those of the last pieces may still be on their way."""
        source = array.reshape(-1).view(np.uint8)

        def fill(lane: _Lane, pieces: Iterator[tuple[int, int]]) -> None:
            for begin, size in pieces:
                buffer = lane.next()
                buffer.wait()
                buffer.array[:size] = source[begin : begin + size]
                (pointer + begin).copy_from_host_async(buffer.address, size, self.stream)
                buffer.event = self.stream.record()

        self._shared(fill, len(source))

    def to_host(self, array: Array, pointer: Any) -> None:
        """Copy bytes of the device into a contiguous array."""
        target = array.reshape(-1).view(np.uint8)

        def take(lane: _Lane, pieces: Iterator[tuple[int, int]]) -> None:
            held: list[tuple[int, int, _Buffer]] = []

            def empty() -> None:
                begin, size, buffer = held.pop(0)
                buffer.wait()
                target[begin : begin + size] = buffer.array[:size]

            for begin, size in pieces:
                if len(held) == _BUFFERS:
                    empty()
                buffer = lane.next()
                buffer.wait()
                (pointer + begin).copy_to_host_async(buffer.address, size, self.stream)
                buffer.event = self.stream.record()
                held.append((begin, size, buffer))
            while held:
                empty()

        self._shared(take, len(target))

    def _shared(self, work: Callable[[_Lane, Iterator[tuple[int, int]]], None], size: int) -> None:
        """Let threads work at the pieces of so many bytes, the caller's among them."""
        with self._lock:
            most = min(MOST_THREADS, thread_count())
            count = max(1, min(most, size // (PIECE * _WORTH_SHARING)))
            while len(self._lanes) < count:
                self._lanes.append(_Lane(self._cuda))

            def run(number: int) -> None:
                begins = range(number * PIECE, size, PIECE * count)
                with self._device:
                    work(self._lanes[number], ((b, min(PIECE, size - b)) for b in begins))

            others = [self._pool().submit(run, number) for number in range(1, count)]
            try:
                run(0)
            finally:
                for other in others:
                    other.result()

    def _pool(self) -> ThreadPoolExecutor:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(MOST_THREADS - 1, "copies")
        return self._threads


class _Lane:
    """The buffers of a thread, which take turns."""

    def __init__(self, cuda: Any):
        self._turns = cycle([_Buffer(cuda) for _ in range(_BUFFERS)])

    def next(self) -> _Buffer:
        """The buffer that was used longest ago."""
        return next(self._turns)


class _Buffer:
    """Page-locked memory, and the event after which the copy that uses it is done."""

    def __init__(self, cuda: Any):
        self._memory: Any = cuda.alloc_pinned_memory(PIECE)
        self.address: int = self._memory.ptr
        self.array = np.frombuffer(self._memory, np.uint8, PIECE)
        self.event: Any = None

    def wait(self) -> None:
        """Wait for the copy."""
        if self.event is not None:
            self.event.synchronize()
            self.event = None
