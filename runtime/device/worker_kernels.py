"""Kernels that tasks of Spark call, with the GPU of the worker that runs them.

    names["kernel_0"] = WorkerKernel(kernel_0, source, "gpu")   # in the driver
    kernel_0(0, 0, n, m, A, B)                  # in a task: there, and copied back

What travels is the processor's kernel, the text of its PTX, and what launches it, so that a worker
needs CuPy and a driver, and no compiler. Tiles come to a task in its own memory and leave it so:
each call copies what it takes and what it makes. With `auto` it does where that repays.

A worker takes the GPU that Spark has given to the task (`spark.task.resource.gpu.amount`); where
Spark knows of none, tasks take those of the machine in turn. One that has none says so once, and
its kernels run on the processor.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any

from diablo.diagnostics import Span
from diablo.kernel_signature import Signature
from diablo.row_kernel_signature import RowSignature
from diablo.runtime.device.device import Device, NoDeviceError
from diablo.runtime.device.device_arrays import on_host
from diablo.runtime.device.device_code import (
    DeviceCode,
    DeviceSource,
    LaunchedKernel,
    Parameter,
    Specialisation,
)
from diablo.runtime.device.device_kernels import DeviceKernel
from diablo.runtime.device.device_run import DeviceRun, Mode, running
from diablo.runtime.device.found_device import find_device, is_stand_in
from diablo.runtime.kernels.kernel_code import read_signature
from diablo.sparse_kernel_signature import SparseSignature


def bind_workers(names: dict[str, Any], sources: Mapping[str, DeviceSource], mode: Mode) -> None:
    """Let the kernels of an emitted program stand for what runs on the devices of workers."""
    for name, source in sources.items():
        if name in names and not source.refusal:
            names[name] = WorkerKernel(names[name], source, mode)


def on_gpus(
    on_processor: Callable[..., Any],
    ptx: str,
    launches: str,
    signature: str,
    kernels: Sequence[tuple[str, tuple[Parameter, ...]]],
    *,
    multiplies: bool = False,
) -> Callable[..., Any]:
    """Return a kernel that tasks run on the GPUs of their workers where that repays.

    Parameters
    ----------
    on_processor : the kernel as a process without a GPU runs it
    ptx : the text of its kernels there; that of a library has none
    launches : the text of the function that launches them
    signature : what it takes and gives
    kernels : the name of each of those kernels, and the types of its parameters
    multiplies : whether it is the product of a sparse matrix and a vector
    """
    if is_stand_in():
        return on_processor  # Which does not run PTX.
    known = read_signature(signature)
    assert isinstance(known, Signature | SparseSignature | RowSignature)
    launched = tuple([LaunchedKernel(name, tuple(types)) for name, types in kernels])
    identity = sha256(f"{ptx}\0{launches}".encode()).hexdigest()
    text, loops = _Text(ptx), _Loops(())
    code = DeviceCode(identity, known, launches, launched, text, loops, multiplies)
    name = getattr(getattr(on_processor, "numpy_function", on_processor), "__name__", "kernel")
    return _received(on_processor, name, None, code, "auto")


class WorkerKernel:
    """A kernel as tasks call it, with the arguments of the processor's; picklable.

    Parameters
    ----------
    on_processor : the kernel as a process without a device runs it
    source : what becomes of it on a device
    mode : whether a device runs all calls, or those that repay it
    """

    def __init__(self, on_processor: Callable[..., Any], source: DeviceSource, mode: Mode):
        self.numpy_function = on_processor
        self.source = source
        self._mode: Mode = mode
        self._kernel = DeviceKernel(on_processor, source)

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel: outside of tasks on the processor."""
        number = place_of_task()
        device = None if number is None else worker_device(number)
        if device is None:
            return self.numpy_function(*arguments)
        with running(DeviceRun(device, self._mode)):
            return on_host(self._kernel(*arguments))

    def __reduce__(self) -> tuple[Any, ...]:
        source = self.source
        code = source.code()
        if code is None:
            return _same, (self.numpy_function,)
        parts = source.name, source.span, _as_text(code), self._mode
        return _received, (self.numpy_function, *parts)


def _same(kernel: Callable[..., Any]) -> Callable[..., Any]:
    return kernel


def _received(
    on_processor: Callable[..., Any], name: str, span: Span | None, code: DeviceCode, mode: Mode
) -> WorkerKernel:
    """The kernel in a worker, which has the code for no layouts of sparse arguments."""

    def only(wanted: Specialisation) -> DeviceCode | None:
        return code if wanted.is_plain else None

    return WorkerKernel(on_processor, DeviceSource(name, span, "", only), mode)


@dataclass(frozen=True)
class _Text:
    """A text that need not be written any more, for buffers of any size."""

    text: str

    def __call__(self, index_bitwidth: int = 64) -> str:
        return self.text


@dataclass(frozen=True)
class _Loops:
    """What stands in for the kernels of a device."""

    loops: Sequence[tuple[str, _Text]]

    def __call__(self) -> Sequence[tuple[str, _Text]]:
        return self.loops


def _as_text(code: DeviceCode) -> DeviceCode:
    """The code with all that a worker needs written out."""
    loops = [(name, _Text(write())) for name, write in code.loops()] if is_stand_in() else []
    ptx = "" if loops or code.is_library else code.write_ptx(64)
    return replace(code, write_ptx=_Text(ptx), loops=_Loops(loops))


def place_of_task() -> int | None:
    """The number of the GPU that the task of this thread is to use; None outside of tasks."""
    spark: Any = sys.modules.get("pyspark")
    task = None if spark is None else spark.TaskContext.get()
    if task is None:
        return None
    given = task.resources().get("gpu")
    if given is not None and given.addresses:
        address = str(given.addresses[0])
        if address.isdecimal():
            return int(address)
        say_once(f"tasks take the GPUs of this machine in turn: Spark's GPU {address} is no number")
    return task.partitionId()


@cache
def worker_device(number: int) -> Device | None:
    """A device of this worker, in turn where the number is greater than they are many."""
    try:
        return find_device(number)
    except NoDeviceError as error:
        say_once(f"this worker runs kernels on the processor: {error}")
        return None


@lru_cache(maxsize=1024)
def say_once(message: str) -> None:
    """Write a line to the log of the worker, once."""
    sys.stderr.write(f"diablo: {message}\n")  # In one piece: workers share it.
    sys.stderr.flush()
