"""A program's text with a device: what its names stand for.

The text is that of any run. Its kernels are called with arrays that may be on the device; all else
that it calls takes what this process has, and is given that:

    y = kernel_0(n, x)                     on the device
    z = into(y, kernel_1, n, y)            on the device, in the memory of y
    R = with_element(R, (k,), z)           a reference to z, wherever that is
    e = local_element(z, (3,))             z is copied, unless it is here
    return DistributedArray(distribute(sc, z, …), …)    copied when somebody looks at it

Rows that a kernel has left on the device go from one kernel to the next through RDDs of this
process, whose other tasks are given copies of their columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, update_wrapper
from inspect import isclass, isfunction
from types import ModuleType
from typing import Any, TypeGuard, cast

import numpy as np

from diablo.runtime.arrays import memory
from diablo.runtime.device.device import Array
from diablo.runtime.device.device_arguments import kept
from diablo.runtime.device.device_arrays import DeviceArray, DeviceNumber, on_host
from diablo.runtime.device.device_code import DeviceSource
from diablo.runtime.device.device_kernels import DeviceKernel
from diablo.runtime.device.device_run import DeviceRun, current_run, running
from diablo.runtime.engines.keeping import persisted
from diablo.runtime.engines.local import LocalBroadcast, LocalContext
from diablo.runtime.engines.local_rdd import LocalRDD
from diablo.runtime.engines.worker_counts import counted
from diablo.runtime.program import data
from diablo.runtime.program.folding import fold_records
from diablo.runtime.program.interleaving import joined_axes
from diablo.runtime.program.row_functions import hash_rows, on_rows, route
from diablo.runtime.program.shuffle import cogroup, join_groups
from diablo.runtime.program.tile_functions import on_groups

_RUNTIME = "diablo.runtime."
_TASKS = ("diablo.runtime.program.", "diablo.runtime.engines.")


def bind_device(names: dict[str, Any], sources: Mapping[str, DeviceSource]) -> None:
    """Let the names of an emitted program stand for what works with a device as well."""
    for name, value in list(names.items()):
        if name in sources:
            names[name] = DeviceKernel(value, sources[name])
        elif name in _OWN:
            names[name] = _OWN[name]
        else:
            bind_host(names, name, value)


def bind_host(names: dict[str, Any], name: str, value: Any) -> None:
    """Let a name of the runtime stand for what is given copies of what is on devices."""
    if isinstance(value, ModuleType) and value.__name__.startswith(_RUNTIME):
        names[name] = _OnHost(value)
    elif _is_called(value) and value.__module__.startswith(_RUNTIME):
        names[name] = _on_host(value)


def main_on_device(main: Callable[..., Any], run: DeviceRun) -> Callable[..., Any]:
    """Return what calls the `main` of a program with a device.

    Arrays that it returns are wherever they are; numbers are in this process.
    """

    def call(_: LocalContext, *, block_size: int | None, **inputs: Any) -> Any:
        given = {name: kept(run.device, value) for name, value in inputs.items()}
        try:
            with running(run):
                result = main(_device_context(), **given, block_size=block_size)
            return without_numbers(result)
        finally:
            run.explain_stay()
            run.forget_vectors()
            if any(isinstance(value, DeviceArray) and value.is_lent for value in given.values()):
                # Its owner may write into it, or free it, when the call is over.
                run.device.synchronize()

    return call


def without_numbers(result: Any) -> Any:
    """The results of a program, of which numbers are in this process."""
    if isinstance(result, tuple):
        return tuple([without_numbers(part) for part in result])  # pyright: ignore
    is_tuples = isinstance(result, DeviceArray) and bool(result.dtype.names)
    return result.on_host() if is_tuples or isinstance(result, DeviceNumber) else result


class DeviceContext(LocalContext):
    """The local engine, whose tasks see arrays of this process."""

    def parallelize(self, c: Iterable[Any], numSlices: int | None = None) -> LocalRDD:
        """Records as tasks see them."""
        return super().parallelize([on_host(record) for record in c], numSlices)

    def broadcast(self, value: Any) -> LocalBroadcast[Any]:
        """A value as tasks see it."""
        return super().broadcast(on_host(value))


@cache
def _device_context() -> DeviceContext:
    """The local engine of this process with a device."""
    return DeviceContext()


class _OnHost:
    """A module of the runtime, whose functions are given what this process has."""

    def __init__(self, module: ModuleType):
        self._module = module

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._module, name)
        if _is_called(value):
            value = _on_host(value)
        setattr(self, name, value)
        return value


def _is_called(value: Any) -> TypeGuard[Callable[..., Any]]:
    """Return whether something is a function, or a class whose objects are functions of tasks."""
    return isfunction(value) or (isclass(value) and value.__module__.startswith(_TASKS))


def _on_host(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is given what this process has, as are functions of tasks that it returns."""
    may_pass_on = function in _PASS_COLUMNS_ON

    def call(*arguments: Any, **options: Any) -> Any:
        run = current_run()
        # With several devices rows are routed to buckets, by their columns.
        passes_on = may_pass_on and (run is None or run.dealt is None)
        has_columns = run is not None and run.has_columns and not passes_on

        def here(value: Any) -> Any:
            if has_columns and isinstance(value, tuple):
                return tuple([here(part) for part in cast("tuple[Any, ...]", value)])
            if has_columns and isinstance(value, LocalRDD):
                return LocalRDD(value.context, [on_host(part) for part in value.partitions])
            return on_host(value)

        given = [here(value) for value in arguments]
        result: Any = function(*given, **{key: here(value) for key, value in options.items()})
        if run is not None and not passes_on and isclass(function) and callable(result):
            return _Task(result, run)
        # Tuples are what monoids of the program's own join, with functions of this process.
        if run is None or _is_of_tuples(result):
            return result
        return kept(run.device, result)

    return update_wrapper(call, function, updated=())


class _Task:
    """A function of a task, which is given what this process has of rows and arrays."""

    def __init__(self, task: Callable[..., Any], run: DeviceRun):
        self._task = task
        self._run = run

    def __call__(self, *arguments: Any) -> Any:
        if not self._run.has_columns:
            return self._task(*arguments)
        given = [
            map(on_host, cast("Iterator[Any]", value))
            if isinstance(value, Iterator)
            else on_host(value)
            for value in arguments
        ]
        return self._task(*given)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._task, name)


def _is_of_tuples(value: Any) -> bool:
    return isinstance(value, np.ndarray) and bool(cast("Array", value).dtype.names)


def _into(array: Any, function: Callable[..., Any], *arguments: Any) -> Any:
    """`into`, in the memory of the device if the kernel runs there."""
    if isinstance(function, DeviceKernel):
        return function.into(array, arguments)
    if function is _with_element and _holds_arrays(array):
        return memory.into(array, data.with_element, *arguments)
    return _host_into(array, getattr(function, "__wrapped__", function), *arguments)


def _with_element(array: Any, index: tuple[int, ...], element: Any) -> Any:
    """`with_element`; an array of arrays has references to these, wherever they are."""
    if _holds_arrays(array):
        return data.with_element(array, index, element)
    return _host_with_element(array, index, element)


def _local_element(array: Any, index: tuple[int, ...], at: str = "") -> Any:
    """`local_element`; of an array of arrays, wherever these are."""
    if _holds_arrays(array):
        return data.local_element(array, index, at)
    return _host_local_element(array, index, at)


def _copied(array: Any) -> Any:
    """`copied`."""
    return memory.copied(array) if _holds_arrays(array) else _host_copied(array)


def _distribute(
    sc: Any,
    array: Any,
    block_size: int | None,
    dense_rank: int | None = None,
    layout: str | None = None,
) -> Any:
    """`distribute`; what is one tile is copied when somebody looks at it."""
    whole = dense_rank is None or dense_rank == array.ndim
    if isinstance(array, DeviceArray) and whole and block_size is None and layout is None:
        return LocalRDD(sc, [[((0,) * array.ndim, array)]])
    return data.distribute(sc, on_host(array), block_size, dense_rank, layout)


def _holds_arrays(array: Any) -> bool:
    return isinstance(array, np.ndarray) and cast("Array", array).dtype.kind == "O"


_PASS_COLUMNS_ON: frozenset[Callable[..., Any]] = frozenset(
    (cogroup, counted, fold_records, hash_rows, join_groups, on_groups, on_rows, persisted, route)
)
"""What brings rows together and hands them to kernels, and looks at none of their columns."""
_host_into = _on_host(memory.into)
_host_with_element = _on_host(data.with_element)
_host_local_element = _on_host(data.local_element)
_host_copied = _on_host(memory.copied)
_OWN: dict[str, Callable[..., Any]] = {
    "copied": _copied,
    "distribute": _distribute,
    "filled": data.filled,
    "into": _into,
    "joined_axes": joined_axes,
    "local_element": _local_element,
    "with_element": _with_element,
}
"""What the program calls with arrays that need not be copied for it."""
