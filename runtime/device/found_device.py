"""The devices of a process: its GPUs, or what stands in for them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from functools import cache

from diablo.diagnostics import Diagnostic, InputError
from diablo.runtime.device.dealt_devices import DealtDevices
from diablo.runtime.device.device import DEVICE, STAND_IN, Device, NoDeviceError
from diablo.runtime.device.device_names import DeviceName, named_devices
from diablo.runtime.device.device_run import DeviceRun


def begin_run(name: DeviceName, report: Callable[[Diagnostic], None]) -> DeviceRun | None:
    """Return what a run does with a device, None if there is none, which is reported.

    That of several devices is the run of the first one, which knows of the others.

    Raises
    ------
    NoDeviceError
        If there is no device, but one is wanted.
    """
    named = named_devices(name)
    if named.mode == "cpu":
        return None
    try:
        devices = find_devices(name)
    except NoDeviceError as error:
        if named.mode == "gpu":
            raise
        why = str(error).removeprefix("device 'gpu': ")
        report(Diagnostic("remark", f"the program runs on the processor: {why}", None))
        return None
    if named.are_several:
        return DealtDevices(devices).runs[0]
    return DeviceRun(devices[0], named.mode)


def find_devices(name: DeviceName) -> list[Device]:
    """The devices that a name stands for.

    Raises
    ------
    NoDeviceError
        If one of them is not there.
    """
    numbers = named_devices(name).numbers
    count = device_count()
    if numbers is None:
        numbers = tuple(range(count))
    for number in numbers:
        if number >= count:
            have = "there is one, gpu:0" if count == 1 else f"the last is gpu:{count - 1}"
            raise NoDeviceError(f"device {name!r}: there is no GPU {number}: {have}")
    before: Counter[int] = Counter()
    found: list[Device] = []
    for number in numbers:
        found.append(_device(_kind(), number, before[number]))
        before[number] += 1
    return found


def find_device(number: int = 0) -> Device:
    """The device of this process; of several the one that has a number, which goes round.

    Raises
    ------
    NoDeviceError
        If there is none.
    """
    return _device(_kind(), number % device_count(), 0)


def device_count() -> int:
    """Return how many devices this machine has.

    Raises
    ------
    NoDeviceError
        If there is none.
    """
    kind = _kind()
    if kind == STAND_IN:
        return int((os.environ.get(DEVICE) or "").partition(":")[2] or 1)
    from diablo.runtime.device.cupy_device import gpu_count

    return gpu_count()


def is_stand_in() -> bool:
    """Return whether this processor stands in for a device."""
    return (os.environ.get(DEVICE) or "").partition(":")[0] == STAND_IN


def _kind() -> str:
    """Return the kind of the devices that there are, `cuda` or `stand-in`."""
    text = os.environ.get(DEVICE) or "cuda"
    kind, colon, count = text.partition(":")
    if kind == STAND_IN and (not colon or (count.isdecimal() and int(count))):
        return kind
    if text != "cuda":
        raise InputError(
            f"{DEVICE} is {text!r}, and must be cuda or {STAND_IN}, or {STAND_IN}:2 for two of them"
        )
    return text


@cache
def _device(kind: str, number: int, before: int) -> Device:
    """A device, by its number and how many others of that number have been named before."""
    if kind == STAND_IN:
        from diablo.runtime.device.stand_in import StandIn

        return StandIn()
    from diablo.runtime.device.cupy_device import CuPyDevice

    return CuPyDevice(number)
