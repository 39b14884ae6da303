# Programs on the stand-in for a GPU: what they copy, launch, and leave in its memory.
from collections.abc import Generator
from dataclasses import replace
from typing import Any

import pytest

import diablo
from diablo.api import Program
from diablo.diagnostics import Diagnostic
from diablo.runtime.device import device as device_module
from diablo.runtime.device.device import Traffic
from diablo.runtime.device.found_device import find_device
from diablo.runtime.device.stand_in import StandIn


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Generator[StandIn]:
    """The stand-in as the device of this process, which has done nothing."""
    monkeypatch.setenv(device_module.DEVICE, device_module.STAND_IN)
    found = find_device()
    assert isinstance(found, StandIn)
    found.traffic = Traffic()
    found.peak = found.used
    yield found
    found.limit = None


def since(device: StandIn, before: Traffic) -> dict[str, int]:
    """Return what a device has done since it was counted."""
    return {name: count - vars(before)[name] for name, count in vars(device.traffic).items()}


def counted(device: StandIn) -> Traffic:
    return replace(device.traffic)


def on_gpu(text: str, said: list[Diagnostic] | None = None, **options: Any) -> Program:
    """A program whose kernels a GPU runs, and what is said of it."""
    options = {"device": "gpu", **options}
    return Program(text, listener=(said if said is not None else []).append, **options)


def on_cpu(text: str) -> Program:
    return diablo.compile(text)
