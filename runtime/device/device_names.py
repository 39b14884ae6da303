"""What callers call the devices that are to run kernels: `device="gpu:0,1"`, `--device auto`.

| name | devices |
|---|---|
| `cpu` | none |
| `gpu`, `gpu:1` | the first GPU of this machine, or that with a number |
| `gpu:0,1`, `gpu:all` | several, to which the blocks of arrays are dealt out |
| `auto` | the first one if there is one, and for the calls that it repays |

A number may be named twice: then there are two devices with memory and streams of their own on one
GPU.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from diablo.diagnostics import InputError

DeviceName = str
"""Which devices may run kernels."""
DeviceMode = Literal["cpu", "gpu", "auto"]
"""None, some that there have to be, or one if there is one."""


@dataclass(frozen=True)
class NamedDevices:
    """Which devices a name stands for."""

    mode: DeviceMode
    numbers: tuple[int, ...] | None = (0,)
    """Those of the machine; None for all that there are."""

    @property
    def are_several(self) -> bool:
        """Whether arrays are cut into blocks for them."""
        return self.numbers is None or len(self.numbers) > 1


def named_devices(name: str) -> NamedDevices:
    """Return what a name stands for; an `InputError` if it is none."""
    given: Any = name
    if not isinstance(given, str):
        raise InputError(f"device has to be a name, as 'cpu' or 'gpu', and is {given!r}")
    if name == "cpu" or name == "auto":
        return NamedDevices(name)
    kind, colon, numbers = name.partition(":")
    if kind == "gpu":
        if not colon:
            return NamedDevices("gpu")
        if numbers == "all":
            return NamedDevices("gpu", None)
        if re.fullmatch(r"[0-9]+(,[0-9]+)*", numbers):
            return NamedDevices("gpu", tuple(map(int, numbers.split(","))))
    raise InputError(
        f"there is no device {name!r}; there are cpu, gpu and auto, and gpu:1, gpu:0,1 or gpu:all "
        "for GPUs by their numbers"
    )


def parse_device(text: str) -> DeviceName:
    """Return the name that a command line spells.

    Raises
    ------
    ArgumentTypeError
        It is none.
    """
    try:
        named_devices(text)
    except InputError as error:
        from argparse import ArgumentTypeError  # Late: workers parse none.

        raise ArgumentTypeError(str(error)) from None
    return text


def check_one_device(name: str) -> None:
    """Raise an `InputError` if a name stands for several devices, or for none that there is."""
    if named_devices(name).are_several:
        raise InputError(
            f"device {name!r} names several GPUs, which are for programs: lazy arrays and tables "
            "are computed on one"
        )
