"""How long each kernel of a program takes on the device, by marks before and behind its launches.

    with watched(device) as times:
        program(…)
    times.found()          # the longest first

Marks are a little apart where the device waits for the next launch, so the least time of a small
kernel says more than the sum.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from diablo.runtime.device.device import Device, Launch
from diablo.runtime.device.device_code import DeviceCode

_LONGEST = 20
"""How many kernels are told of."""


@dataclass(frozen=True)
class KernelTime:
    """The launches of one kernel with one grid."""

    name: str
    grid: tuple[int, ...]
    launches: int
    seconds: float
    """Of all of them together."""
    least: float
    """Seconds of the shortest."""

    def __str__(self) -> str:
        grid = " x ".join(map(str, self.grid))
        return (
            f"{self.seconds * 1e3:9.3f} ms {self.launches:5d} x, least {self.least * 1e6:9.1f} us: "
            f"{self.name}, {grid} blocks"
        )


class KernelTimes:
    """Marks before and behind each launch."""

    def __init__(self, device: Device):
        self._device = device
        self._marks: dict[tuple[str, str, tuple[int, ...]], list[tuple[Any, Any]]] = {}

    def wrapped(self, code: DeviceCode, launch: Launch) -> Launch:
        """Return what launches as `launch` does, between marks."""
        device, marks = self._device, self._marks

        def marked(
            number: int, grid: Sequence[int], block: Sequence[int], arguments: Sequence[Any]
        ) -> None:
            begin = device.mark()
            launch(number, grid, block, arguments)
            key = code.kernels[number].name, code.identity, tuple(grid)
            marks.setdefault(key, []).append((begin, device.mark()))

        return marked

    def found(self) -> tuple[KernelTime, ...]:
        """Return the times of the kernels that took longest."""
        self._device.synchronize()
        times: list[KernelTime] = []
        for (name, _, grid), marks in self._marks.items():
            each = [self._device.seconds_between(begin, end) for begin, end in marks]
            times.append(KernelTime(name, grid, len(each), sum(each), min(each)))
        return tuple(sorted(times, key=lambda time: -time.seconds)[:_LONGEST])


@contextmanager
def watched(device: Device) -> Generator[KernelTimes]:
    """Have the launches of a device timed until the block ends."""
    times = KernelTimes(device)
    device.wrap_launches(times.wrapped)
    try:
        yield times
    finally:
        device.wrap_launches(None)
