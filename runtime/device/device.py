"""What a device can do: memory, copies, launches. CuPy's GPUs do, and what stands in for them.

    device = find_device()
    x = device.copy_in(array)
    run = device.loaded(code)
    run(0, (blocks, 1, 1), (32, 8, 1), (n, x))
    device.copy_out(x)

Nobody else calls CuPy. Of an array of a device the rest of the runtime knows its shape, its type,
how kernels are passed it, that it has other shapes as well, and that `[m:n]` is a part of its first
dimension.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any
from weakref import WeakSet

import numpy as np

from diablo.diagnostics import InputError
from diablo.runtime.device.device_code import MOST_ELEMENTS, DeviceCode, LaunchedKernel
from diablo.runtime.forking import fork_safe_lock
from diablo.runtime.kernels.signature import ELEMENTS

Array = np.ndarray[Any, Any]
Raw = Any
"""An array in the memory of a device."""
Box = tuple[slice, ...]
"""For each dimension from where to before where."""
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
    peer_copies: int = 0
    peer_bytes: int = 0
    """What came from other devices."""
    waits: int = 0
    """How often somebody waited until all was done."""


class Device(ABC):
    """A device with memory of its own."""

    name: str
    """What its maker calls it."""

    def __init__(self) -> None:
        self.traffic = Traffic()
        self._also_here: WeakSet[Any] = WeakSet()
        self._noting = fork_safe_lock()
        self._launches: dict[str, Launch] = {}
        self._wrap: Callable[[DeviceCode, Launch], Launch] | None = None

    def current(self) -> AbstractContextManager[None]:
        """Let this thread work with the device, so that no call has to see to that."""
        return nullcontext()

    def note_copy(self, array: Any) -> None:
        """Note an array that the process has as well (`DeviceArray`)."""
        with self._noting:
            self._also_here.add(array)

    def let_copies_go(self) -> None:
        """Free the memory of what the process has as well."""
        with self._noting:
            arrays = list(self._also_here)
            self._also_here.clear()
        for array in arrays:
            array.leave_device()

    def scratch(self, shape: Sequence[int], element: str) -> Raw:
        """An array of any content of an element type of kernels, for their launches."""
        return self.empty(shape, ELEMENTS[element].dtype)

    def look(self, raw: Raw) -> Any:
        """The number that an array without dimensions has, which is waited for."""
        return self.copy_out(raw).item()

    @abstractmethod
    def empty(self, shape: Sequence[int], dtype: np.dtype[Any]) -> Raw:
        """A C-order array of any content; an `OutOfDeviceMemoryError` if it does not fit."""

    @abstractmethod
    def zeros(self, shape: Sequence[int], dtype: np.dtype[Any]) -> Raw:
        """A C-order array of zeros."""

    @abstractmethod
    def copied(self, raw: Raw, box: Box | None = None) -> Raw:
        """A C-order copy of an array of the device, or of the elements in a box."""

    @abstractmethod
    def write(self, raw: Raw, box: Box, part: Raw) -> None:
        """Write the elements of one array of the device into a box of another."""

    @abstractmethod
    def copy_from(self, peer: Device, raw: Raw) -> Raw:
        """An array of this device with the elements of one of a device of the same kind.

        Kernels that are launched here from now on wait for it; nobody else does.
        """

    @abstractmethod
    def copy_in(self, array: Array) -> Raw:
        """An array of the device with the elements of one of this process."""

    @abstractmethod
    def copy_out(self, raw: Raw) -> Array:
        """An array of this process with the elements of one of the device."""

    @abstractmethod
    def handed_out(self, raw: Raw) -> Any:
        """The array as the device's library has it."""

    @abstractmethod
    def adopted(self, value: Any) -> Raw | None:
        """The array of the device that another library has there, None if it is elsewhere."""

    def loaded(self, code: DeviceCode) -> Launch:
        """Return what launches the kernels of a code, which are loaded once."""
        launch = self._launches.get(code.identity)
        if launch is None:
            launch = self._load(code)
            if self._wrap is not None:
                launch = self._wrap(code, launch)
            self._launches[code.identity] = launch
        return launch

    @abstractmethod
    def _load(self, code: DeviceCode) -> Launch:
        """Load the kernels of a code, and return what launches them."""

    def wrap_launches(self, wrap: Callable[[DeviceCode, Launch], Launch] | None) -> None:
        """Let launches be what `wrap` makes of them from now on; with None be themselves."""
        self._wrap = wrap
        self._launches.clear()

    @abstractmethod
    def mark(self) -> Any:
        """A mark behind what was launched so far."""

    @abstractmethod
    def seconds_between(self, begin: Any, end: Any) -> float:
        """The time from one mark to another, both of which the device has passed."""

    def call_library(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Raw:
        """Return what a function gives that calls NumPy's functions on arrays of the library's."""
        (result,) = self.computed(lambda *given: [function(*given)], arguments)
        return result

    @abstractmethod
    def computed(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Sequence[Raw]:
        """The same for a function that gives several arrays."""

    @abstractmethod
    def sparse_product(
        self, starts: Raw, indices: Raw, values: Raw, shape: tuple[int, ...]
    ) -> Callable[[Any], Any]:
        """Return what multiplies a matrix in compressed rows with a vector of the library's.

        For measurements: products of programs are kernels of ours, whose bits are the same in each
        run.
        """

    @abstractmethod
    def synchronize(self) -> None:
        """Wait until all that was launched is done."""

    @property
    @abstractmethod
    def shared_bytes(self) -> int:
        """How many bytes the threads of a block may share where a launch asks for them."""

    @property
    @abstractmethod
    def live_bytes(self) -> int:
        """How many bytes of its memory are in use by arrays."""

    @property
    @abstractmethod
    def total_bytes(self) -> int:
        """How much memory it has."""


def word_types(kernel: LaunchedKernel) -> list[str]:
    """The types of the words that a kernel is passed: addresses (`ptr`), sizes, numbers."""
    types: list[str] = []
    for parameter in kernel.parameters:
        if isinstance(parameter, str):
            types.append(parameter)
        else:
            rank, *axes = parameter
            types += ["ptr", *["i64"] * (rank + len(axes))]
    return types


def is_wide(kernel: LaunchedKernel) -> Callable[..., bool]:
    """Return what tells whether a buffer of a launch has `MOST_ELEMENTS` or more."""
    buffers = [
        f"a{k}.size" for k, each in enumerate(kernel.parameters) if not isinstance(each, str)
    ]
    parameters = ", ".join(f"a{k}" for k in range(len(kernel.parameters)))
    test = f"({' | '.join(buffers)}) >= {MOST_ELEMENTS}" if buffers else "False"
    names: dict[str, Any] = {}
    exec(f"def wide({parameters}):\n    return {test}", names)
    return names["wide"]


def words_of(kernel: LaunchedKernel) -> Callable[..., tuple[Any, ...]]:
    """Return what gives the words of a kernel for its arguments.

    A kernel of a number, a matrix of which it is passed the stride too, and a number in memory has

        def words(a0, a1, a2):
            return a0, *a1.words, a1.shape[1], *a2.words,

    where an array, which is contiguous, has its address and its extents as `words`.
    """
    passed: list[str] = []
    for k, parameter in enumerate(kernel.parameters):
        if isinstance(parameter, str):
            passed.append(f"a{k}")
            continue
        rank, *axes = parameter
        passed.append(f"*a{k}.words")
        for axis in axes:
            inner = [f"a{k}.shape[{number}]" for number in range(axis + 1, rank)]
            passed.append(" * ".join(inner) or "1")
    parameters = ", ".join(f"a{k}" for k in range(len(kernel.parameters)))
    names: dict[str, Any] = {}
    exec(f"def words({parameters}):\n    return {', '.join([*passed, ''])}", names)
    return names["words"]
