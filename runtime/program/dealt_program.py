"""A program's text with several devices: what its names stand for.

The text is that for Spark, whose arrays are cut into blocks. They are dealt out to the devices, as
partitions are to Spark's workers, and stay there:

    block_size = choose_block_size(…)              at least a block for each device
    x = distribute(sc, x, block_size)              each block is copied when its device wants it
    y = x.map(on_tiles(kernel_0, …))               each on the device that has the block
    w = window(y, …)                               strips go from device to device
    s = fold_records(x.map(on_tiles(kernel_1, …)), 0.0, "add")      looked at when all are launched

What looks at elements in another way is given copies, as it is with one device
(`device_program.py`). One thread for each device launches what it is to do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from diablo.runtime.arrays.tiles import Coordinates, tile_box, tile_coordinates, tile_count
from diablo.runtime.column_types import Code, storage
from diablo.runtime.device.dealt_devices import DealtDevices
from diablo.runtime.device.dealt_kernels import DealtKernel
from diablo.runtime.device.device_arguments import kept
from diablo.runtime.device.device_arrays import DeviceArray, on_host, put_together
from diablo.runtime.device.device_code import DeviceSource
from diablo.runtime.device.device_run import DeviceRun, current_run, running
from diablo.runtime.engines.local import LocalBroadcast, LocalContext
from diablo.runtime.engines.local_rdd import LocalRDD, Partition
from diablo.runtime.monoid_ufuncs import Monoid
from diablo.runtime.program import data
from diablo.runtime.program.combining import combine
from diablo.runtime.program.device_program import DeviceContext, bind_host, without_numbers
from diablo.runtime.program.tile_functions import moved, on_groups, on_tiles
from diablo.runtime.program.tile_placement import by_grid, placement


def bind_dealt(names: dict[str, Any], sources: Mapping[str, DeviceSource]) -> None:
    """Let the names of an emitted program stand for what works with several devices."""
    for name, value in list(names.items()):
        if name in sources:
            names[name] = DealtKernel(value, sources[name])
        elif name in _OWN:
            names[name] = _OWN[name]
        elif name not in _ANYWHERE:
            bind_host(names, name, value)


def main_on_devices(main: Callable[..., Any], dealt: DealtDevices) -> Callable[..., Any]:
    """Return what calls the `main` of a program with several devices."""
    first = dealt.runs[0]

    def call(_: LocalContext, *, block_size: Any, **inputs: Any) -> Any:
        given = {name: kept(first.device, value) for name, value in inputs.items()}
        try:
            with running(first):
                result = main(_context(len(dealt)), **given, block_size=block_size)
            return without_numbers(result)
        finally:
            dealt.forget()
            if any(isinstance(value, DeviceArray) and value.is_lent for value in given.values()):
                dealt.synchronize()

    return call


class DealtContext(DeviceContext):
    """The local engine with a thread for each device, whose arrays are cut into blocks."""

    cuts_arrays = True

    def broadcast(self, value: Any) -> LocalBroadcast[Any]:
        """A value as tasks see it: an array is copied to each device once."""
        run = current_run()
        if isinstance(value, np.ndarray) and run is not None:
            value = kept(run.device, value)
        return LocalBroadcast(value if isinstance(value, DeviceArray) else on_host(value))

    def run(
        self, function: Callable[[Any], Partition], partitions: Sequence[Any]
    ) -> list[Partition]:
        """`function` of each partition; rows of a partition are those of a device."""
        run = current_run()
        if run is None or run.dealt is None:
            return super().run(function, partitions)
        dealt = run.dealt

        def on_own(numbered: tuple[int, Any]) -> Partition:
            # Threads of the engine know of no run.
            with running(run), dealt.owning(numbered[0]):
                return function(numbered[1])

        return super().run(on_own, list(enumerate(partitions)))


@cache
def _context(count: int) -> DealtContext:
    """The local engine of this process with so many devices."""
    return DealtContext(count)


class _Task:
    """A function of a task that calls a kernel, on the device that has what it is called with.

    Parameters
    ----------
    task : the function
    run : that of one of the devices
    counts : how many blocks there are along each dimension of the iteration space
    is_owned : whether it runs where its result belongs, wherever its blocks are
    """

    def __init__(
        self, task: Callable[[Any], Any], run: DeviceRun, counts: Sequence[int], is_owned: bool
    ):
        assert run.dealt is not None
        self._task = task
        self._run = run
        self._dealt = run.dealt
        self._counts = tuple(counts)
        self._is_owned = is_owned

    def __call__(self, record: Any) -> Any:
        owner = self._owner(record[0])
        if not self._is_owned:
            owner = self._dealt.holder(record[1:], owner)
        with self._dealt.owning(owner):
            return self._task(record)

    def _owner(self, key: Coordinates) -> int:
        rank = min(len(key), len(self._counts))
        if not rank:
            return sum(key)  # Of a bucket of rows.
        return _owner(key[:rank], self._counts[:rank], len(self._dealt))


def _owner(coordinates: Coordinates, counts: tuple[int, ...], devices: int) -> int:
    """The number of the device that a block of a grid belongs to."""
    return placement(counts, devices)[1](coordinates)


def _counts(dims: Sequence[int], block_size: int | None) -> tuple[int, ...]:
    return tuple([tile_count(extent, block_size) for extent in dims])


def _on_tiles(
    kernel: Callable[..., Any],
    dims: Sequence[int],
    block_size: int | None,
    *captures: Any,
    **options: Any,
) -> Any:
    """`on_tiles`, each where it is."""
    task = on_tiles(kernel, dims, block_size, *captures, **options)
    return _there(task, _counts(dims, block_size))


def _on_groups(
    kernel: Callable[..., Any],
    groups: Sequence[Any],
    dims: Sequence[int] = (),
    block_size: int | None = None,
    *captures: Any,
    **options: Any,
) -> Any:
    """`on_groups`, each where its blocks are; of products where the result belongs."""
    task = on_groups(kernel, groups, dims, block_size, *captures, **options)
    is_owned = any(isinstance(group, moved) for group in groups)
    return _there(task, _counts(dims, block_size), is_owned=is_owned)


def _there(task: Callable[[Any], Any], counts: Sequence[int], *, is_owned: bool = False) -> Any:
    run = current_run()
    if run is None or run.dealt is None:
        return task
    return _Task(task, run, counts, is_owned)


def _choose_block_size(sc: Any, block_size: Any, *given: Any, **options: Any) -> int | None:
    """`choose_block_size`, which says what is chosen."""
    chosen = data.choose_block_size(sc, block_size, *given, **options)
    run = current_run()
    if block_size is None and chosen is not None and run is not None and run.dealt is not None:
        run.remark(
            f"blocks of {chosen}",
            f"arrays are cut into blocks with an edge of {chosen} for {len(run.dealt)} GPUs",
            None,
        )
    return chosen


def _distribute(
    sc: Any,
    array: Any,
    block_size: int | None,
    dense_rank: int | None = None,
    layout: str | None = None,
) -> Any:
    """`distribute`; blocks are dealt out to devices, which copy them when a kernel wants them."""
    run = current_run()
    assert run is not None
    assert run.dealt is not None
    runs, counts = run.dealt.runs, _counts(array.shape, block_size)
    is_dense = dense_rank is None or dense_rank == array.ndim

    def device_of(key: Coordinates) -> Any:
        return runs[_owner(key, counts, len(runs))].device

    def dealt(record: tuple[Coordinates, Any]) -> tuple[Coordinates, Any]:
        key, tile = record
        return key, kept(device_of(key), tile)

    if isinstance(array, DeviceArray) and array.is_on_device and is_dense and layout is None:
        records: list[Any] = []
        for key in tile_coordinates(array.shape, block_size):
            origins, extents = tile_box(key, array.shape, block_size)
            box = tuple([slice(o, o + e) for o, e in zip(origins, extents, strict=True)])
            device = device_of(key)
            tile = array.cut(box)
            records.append((key, tile if device is tile.device else tile.moved_to(device)))
        return LocalRDD(sc, [records])
    rdd = data.distribute(sc, on_host(array), block_size, dense_rank, layout)
    return LocalRDD(sc, [[dealt(record) for record in part] for part in rdd.partitions])


def _gather(
    rdd: Any,
    dims: Sequence[int],
    block_size: int | None,
    dtype: Code,
    dense_rank: int | None = None,
) -> Any:
    """`gather`; blocks of devices become an array of one of them."""
    if dense_rank is None or dense_rank == len(dims):
        parts: list[tuple[tuple[slice, ...], Any]] = []
        for key, tile in rdd.collect():
            origins, extents = tile_box(key, dims, block_size)
            box = tuple([slice(o, o + e) for o, e in zip(origins, extents, strict=True)])
            parts.append((box, tile))
        whole = put_together(tuple(dims), storage(dtype), parts)
        if whole is not None:
            return whole
    here = data.gather(
        LocalRDD(rdd.ctx, on_host(rdd.partitions)), dims, block_size, dtype, dense_rank
    )
    run = current_run()
    return here if run is None or here.dtype.names else kept(run.device, here)


def _gather_folded(
    rdd: Any,
    monoid: Monoid,
    partitions: int,
    dims: Sequence[int],
    block_size: int | None,
    dtype: Code,
    dense_rank: int | None = None,
) -> Any:
    """`gather_folded`, of blocks that are combined where they are."""
    whole = rdd.reduceByKey(combine(monoid), *by_grid(dims, block_size, partitions))
    return _gather(whole, dims, block_size, dtype, dense_rank)


_ANYWHERE = frozenset(
    {
        "by_grid",
        "cogroup",
        "combine",
        "element",
        "inside",
        "on_rows",
        "partition_count",
        "persisted",
        "probe_element",
        "rekey",
        "replicate",
        "tiles",
        "tiles_inside",
        "window",
        "zip_tiles",
    }
)
"""What brings blocks together and looks at their keys, or works with them wherever they are."""
_OWN: dict[str, Callable[..., Any]] = {
    "choose_block_size": _choose_block_size,
    "distribute": _distribute,
    "gather": _gather,
    "gather_folded": _gather_folded,
    "on_groups": _on_groups,
    "on_tiles": _on_tiles,
}
"""What the program calls with blocks that need not be copied for it."""
