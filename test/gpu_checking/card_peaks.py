"""What a card could do by its clocks, of which measurements are a share.

An H200 moves 4.9e12 bytes each second by the clock and the width of its memory, and does 6.7e13
operations of products of matrices by those of its multiprocessors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from diablo.runtime.device.device import Device
from diablo.runtime.device.stand_in import StandIn

_TRANSFERS = 2
"""How often memory moves its width in a clock."""
_PRODUCTS = {(7, 0): 32, (8, 0): 64, (9, 0): 128}
"""How many products of 64 bits a multiprocessor adds up in a clock, by its compute capability:
with tensor cores from 8.0 on (NVIDIA's papers on the V100, A100 and H100)."""


@dataclass(frozen=True)
class Peaks:
    """Bytes and operations each second; 0 where they are not known."""

    bytes: float = 0.0
    operations: float = 0.0

    def share(self, seconds: float, bytes: int, operations: int) -> float:
        """The share of what is counted: of bytes, or of operations where no bytes are."""
        done, peak = (bytes, self.bytes) if bytes else (operations, self.operations)
        return done / seconds / peak if seconds > 0 and peak > 0 else 0.0


def peaks_of(device: Device) -> Peaks:
    """Return those of a card; nothing is known of what stands in for one."""
    if isinstance(device, StandIn):
        return Peaks()
    cuda: Any = import_module("cupy").cuda
    return peaks_by(cuda.Device().attributes)


def peaks_by(attributes: Mapping[str, Any]) -> Peaks:
    """Return what follows from the attributes of a card, as CUDA names them; clocks are in kHz."""

    def of(name: str) -> float:
        return float(attributes.get(name, 0))

    bytes = _TRANSFERS * 1e3 * of("MemoryClockRate") * of("GlobalMemoryBusWidth") / 8
    capability = int(of("ComputeCapabilityMajor")), int(of("ComputeCapabilityMinor"))
    products = _PRODUCTS.get(capability, 0)
    return Peaks(bytes, 2 * products * 1e3 * of("ClockRate") * of("MultiProcessorCount"))
