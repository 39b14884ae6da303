"""The device of a process: its GPU, or what stands in for one."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Literal

from diablo.diagnostics import Diagnostic, InputError
from diablo.runtime.device.device import DEVICE, STAND_IN, Device, NoDeviceError
from diablo.runtime.device.device_run import DeviceRun


def begin_run(
    name: Literal["cpu", "gpu", "auto"], report: Callable[[Diagnostic], None]
) -> DeviceRun | None:
    """Return what a run does with a device, None if there is none, which is reported.

    Raises
    ------
    NoDeviceError
        If there is no device, but one is wanted.
    """
    if name == "cpu":
        return None
    try:
        return DeviceRun(find_device(), name)
    except NoDeviceError as error:
        if name == "gpu":
            raise
        why = str(error).removeprefix("device 'gpu': ")
        report(Diagnostic("remark", f"the program runs on the processor: {why}", None))
        return None


def find_device(number: int = 0) -> Device:
    """The device of this process; of several the one that has a number, which goes round.

    Raises
    ------
    NoDeviceError
        If there is none.
    """
    if is_stand_in():
        number = 0  # There is one.
    return _device(os.environ.get(DEVICE) or "cuda", number)


def is_stand_in() -> bool:
    """Return whether this processor stands in for a device."""
    return os.environ.get(DEVICE) == STAND_IN


@cache
def _device(kind: str, number: int) -> Device:
    if kind == STAND_IN:
        from diablo.runtime.device.stand_in import StandIn

        return StandIn()
    if kind != "cuda":
        raise InputError(f"{DEVICE} is {kind!r}, and must be cuda or {STAND_IN}")
    from diablo.runtime.device.cupy_device import CuPyDevice

    return CuPyDevice(number)
