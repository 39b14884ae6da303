"""What a device can do: memory, copies, launches. CuPy's GPUs do, and what stands in for them.

    device = find_device()
    x = device.copy_in(array)
    run = device.loaded(code)
    run(0, (blocks, 1, 1), (32, 8, 1), (n, x))
    device.copy_out(x)

Nobody else calls CuPy. Arrays of a device are what its library has, of which the rest of the
runtime knows their shape, their type, and that they can be sliced.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from diablo.diagnostics import InputError
from diablo.runtime.device.device_code import DeviceCode, LaunchedKernel

Array = np.ndarray[Any, Any]
Raw = Any
"""An array in the memory of a device."""
Launch = Callable[[int, Sequence[int], Sequence[int], Sequence[Any]], None]
"""Runs the kernel of a number, with the sizes of the grid and of its blocks."""

DEVICE = "DIABLO_DEVICE"
STAND_IN = "stand-in"


class NoDeviceError(InputError):
    """There is no GPU that could be used; the message says what is missing."""


class OutOfDeviceMemoryError(Exception):
    """The memory of the device does not suffice."""


@dataclass
class Traffic:
    """What a device was asked to do so far."""

    copies_in: int = 0
    bytes_in: int = 0
    copies_out: int = 0
    bytes_out: int = 0
    launches: int = 0
    library_calls: int = 0
    waits: int = 0
    """How often somebody waited until all was done."""


class Device(ABC):
    """A device with memory of its own."""

    name: str
    """What its maker calls it."""

    def __init__(self) -> None:
        self.traffic = Traffic()

    @abstractmethod
    def empty(self, shape: Sequence[int], dtype: np.dtype[Any]) -> Raw:
        """A C-order array of any content; an `OutOfDeviceMemoryError` if it does not fit."""

    @abstractmethod
    def zeros(self, shape: Sequence[int], dtype: np.dtype[Any]) -> Raw:
        """A C-order array of zeros."""

    @abstractmethod
    def copied(self, raw: Raw) -> Raw:
        """A C-order copy of an array of the device."""

    @abstractmethod
    def copy_in(self, array: Array) -> Raw:
        """An array of the device with the elements of one of this process."""

    @abstractmethod
    def copy_out(self, raw: Raw) -> Array:
        """An array of this process with the elements of one of the device."""

    @abstractmethod
    def adopted(self, value: Any) -> Raw | None:
        """The array of the device that another library has there, None if it is elsewhere."""

    @abstractmethod
    def loaded(self, code: DeviceCode) -> Launch:
        """Return what launches the kernels of a code, which are loaded."""

    @abstractmethod
    def call_library(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Any:
        """Return what a function gives that calls NumPy's functions on arrays of the device."""

    @abstractmethod
    def sparse_product(
        self, starts: Raw, indices: Raw, values: Raw, shape: tuple[int, ...], vector: Raw
    ) -> Raw:
        """The product of a matrix in compressed rows with a vector, by the device's library."""

    @abstractmethod
    def synchronize(self) -> None:
        """Wait until all that was launched is done."""

    @property
    @abstractmethod
    def live_bytes(self) -> int:
        """How many bytes of its memory are in use by arrays."""

    @property
    @abstractmethod
    def total_bytes(self) -> int:
        """How much memory it has."""


def words(kernel: LaunchedKernel, arguments: Sequence[Any], address: Callable[[Raw], int]) -> Any:
    """Return what a kernel is passed for arguments, with types: addresses, sizes, numbers."""
    for parameter, value in zip(kernel.parameters, arguments, strict=True):
        if isinstance(parameter, str):
            yield parameter, value
            continue
        rank, *axes = parameter
        yield "ptr", address(value)
        item = value.dtype.itemsize
        for extent in value.shape[:rank]:
            yield "i64", extent
        for axis in axes:
            yield "i64", value.strides[axis] // item
