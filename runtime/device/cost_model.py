"""What a kernel costs here and on a device, and what it costs to bring its arrays there.

The figures are round ones, of a server's processor, a GPU of the last years and the PCIe bus
between them. Only their ratios matter, and of these the order of magnitude. Work is counted, not
measured, so that equal runs take equal ways.
"""

from __future__ import annotations

from dataclasses import dataclass

PCIE = 1e10
"""Bytes each second between this process and the device."""
COPY = 1e-5
"""Seconds that a copy takes however short it is."""
LAUNCH = 1e-5
"""Seconds that a call of a kernel takes however little it does."""
PROCESSOR = 2e10
"""Bytes each second that the processor goes through."""
DEVICE = 1e12
"""Bytes each second that the device goes through."""
PROCESSOR_POINTS = 4e9
"""Simple points each second on the processor."""
DEVICE_POINTS = 5e11
"""The same on the device."""
PROCESSOR_PRODUCTS = 5e10
"""Terms each second of a product of matrices on the processor."""
DEVICE_PRODUCTS = 5e12
"""The same on the device."""


@dataclass(frozen=True)
class Work:
    """What a call of a kernel does: bytes read and written, points, terms of a product."""

    bytes: int
    points: int
    terms: int = 0

    @property
    def on_processor(self) -> float:
        """Seconds on the processor."""
        return max(
            self.bytes / PROCESSOR, self.points / PROCESSOR_POINTS, self.terms / PROCESSOR_PRODUCTS
        )

    @property
    def on_device(self) -> float:
        """Seconds on the device."""
        return LAUNCH + max(
            self.bytes / DEVICE, self.points / DEVICE_POINTS, self.terms / DEVICE_PRODUCTS
        )


def copying(sizes: list[int]) -> float:
    """Seconds that it takes to copy arrays of some bytes each."""
    return sum(COPY + size / PCIE for size in sizes)
