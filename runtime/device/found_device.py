"""The device of a process: its GPU, or what stands in for one."""

from __future__ import annotations

import os
from functools import cache

from diablo.diagnostics import InputError
from diablo.runtime.device.device import DEVICE, STAND_IN, Device


def find_device() -> Device:
    """The device of this process.

    Raises
    ------
    NoDeviceError
        If there is none.
    """
    return _device(os.environ.get(DEVICE) or "cuda")


@cache
def _device(kind: str) -> Device:
    if kind == STAND_IN:
        from diablo.runtime.device.stand_in import StandIn

        return StandIn()
    if kind != "cuda":
        raise InputError(f"{DEVICE} is {kind!r}, and must be cuda or {STAND_IN}")
    from diablo.runtime.device.cupy_device import CuPyDevice

    return CuPyDevice()
