"""Several devices of one process, to which the blocks of a program's arrays are dealt out.

    dealt = DealtDevices(devices)
    with running(dealt.runs[0]):
        with dealt.owning(1):
            C = kernel_0(0, n, A, B)

Each device has a run of its own: what is copied there, and what is known of it. A block belongs to
the device that its place in the grid says, so blocks of arrays that are cut alike are together.
Neighbours are, too: a device has a box of them. A kernel runs where most bytes are of the blocks
that it is called with, and where its result belongs if that says nothing. What is elsewhere is
copied from memory to memory, once while it lives. Nobody waits for that but the kernels that read
it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast

from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.device.device import Device
from diablo.runtime.device.device_arrays import DeviceArray
from diablo.runtime.device.device_run import DeviceRun

_OWNER: ContextVar[int | None] = ContextVar("owner", default=None)


class DealtDevices:
    """The devices of a run.

    Parameters
    ----------
    devices : at least one, of one kind
    """

    def __init__(self, devices: Sequence[Device]):
        first = DeviceRun(devices[0], dealt=self, has_columns=True)
        others = [
            DeviceRun(device, remarks=first.remarks, dealt=self, has_columns=True)
            for device in devices[1:]
        ]
        self.runs = [first, *others]

    def __len__(self) -> int:
        return len(self.runs)

    @contextmanager
    def owning(self, number: int) -> Generator[None]:
        """Have kernels of this thread run on a device, where nothing says otherwise."""
        token = _OWNER.set(number % len(self))
        try:
            yield
        finally:
            _OWNER.reset(token)

    def run_for(self, arguments: Iterable[Any]) -> DeviceRun:
        """The run of the device that is to have a call: the owner, or who has most of it."""
        owner = _OWNER.get()
        if owner is not None:
            return self.runs[owner]
        return self.runs[self.holder(arguments, 0)]

    def holder(self, values: Iterable[Any], owner: int) -> int:
        """The number of the device that has most bytes of some values; of several the owner."""
        held = [0] * len(self)
        for value in _blocks_of(values):
            for number, run in enumerate(self.runs):
                if run.has(value):
                    held[number] += value.nbytes
        most = max(held)
        return owner if held[owner] == most else held.index(most)

    def forget(self) -> None:
        """Free what has been copied to the devices."""
        for run in self.runs:
            run.forget_vectors()

    def synchronize(self) -> None:
        """Wait until all that was launched is done."""
        for run in self.runs:
            run.device.synchronize()


def _blocks_of(values: Iterable[Any]) -> Iterator[DeviceArray | SparseTile]:
    for value in values:
        if isinstance(value, DeviceArray | SparseTile):
            yield value
        elif isinstance(value, tuple | list):
            yield from _blocks_of(cast("Sequence[Any]", value))
