"""Kernels of a program that a device runs, with what runs them on the processor beside them.

    kernel_0 = DeviceKernel(kernel_0, source)
    y = kernel_0(n, x)             # a DeviceArray, which nobody has waited for
    z = into(y, kernel_0, n, y)    # in the memory of y

A call goes to the processor where there is no code, where the arguments are not what it takes, or
where the device has no room even for a part of its rows at a time; its arrays are copied then, and
are as good as before. Numbers that a
kernel folds stay on the device as well, and kernels that take them read them there.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import cached_property
from typing import Any, cast

import numpy as np

from diablo.diagnostics import OutOfMemory, size_text
from diablo.kernel_signature import Slot
from diablo.row_kernel_signature import RowSignature
from diablo.runtime.arrays.memory import into
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.device.call_pieces import call_in_pieces
from diablo.runtime.device.cost_model import Work
from diablo.runtime.device.device import Array, Device, OutOfDeviceMemoryError
from diablo.runtime.device.device_arguments import accepted, kept_all, passed_vectors, work_of
from diablo.runtime.device.device_arrays import DeviceArray, DeviceNumber, OnDevice, on_host
from diablo.runtime.device.device_code import DeviceCode, DeviceSource, launches_of
from diablo.runtime.device.device_launches import launched
from diablo.runtime.device.device_rows import accepted_rows, rows_on_device, work_of_rows
from diablo.runtime.device.device_run import DeviceRun, current_run, running
from diablo.runtime.device.direct_launches import DirectLaunches, direct_launches
from diablo.runtime.device.long_rows import cut_rows, factors_of, has_long_row, with_factors
from diablo.runtime.device.sliced_matrices import again_in_slices
from diablo.runtime.kernels.signature import dtype_of
from diablo.runtime.kernels.sparse_signature import stored_layout
from diablo.sparse_kernel_signature import SparseSignature


class DeviceKernel(OnDevice):
    """A kernel as a program calls it.

    Parameters
    ----------
    on_processor : the kernel as this process runs it otherwise
    source : what becomes of it on a device
    """

    def __init__(self, on_processor: Callable[..., Any], source: DeviceSource):
        self.on_processor = on_processor
        self.source = source
        self._direct: dict[str, DirectLaunches | None] = {}
        """What makes calls of a code as they were made before, the last one first."""

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel."""
        return self.into(None, arguments)

    def into(self, array: Any, arguments: Sequence[Any]) -> Any:
        """Run the kernel, whose result may take the memory of an array that dies with it."""
        run = current_run()
        if run is None:
            return self.here(*arguments)
        result, is_short = NotImplemented, False
        if not self.source.refusal:
            place = array if array is not None and self._takes_no_memory else None
            try:
                given: Sequence[Any] = arguments
                if run.dealt is not None:
                    given = [run.brought(value) for value in arguments]
                result = self._directly(run, place, given)
                if result is NotImplemented:
                    result = self._on_device(run, place, given)
            except OutOfDeviceMemoryError:
                is_short = True  # The error holds what the call did as long as it is handled.
            if is_short:
                given = ()
                with _telling_of(run.device):
                    result = self._with_less_memory(run, place, arguments)
        if result is not NotImplemented:
            return result
        with _telling_of(run.device) if is_short else nullcontext():
            given = [on_host(value) for value in arguments]
            offered = on_host(array)
            with running(None):
                made = into(offered, self.on_processor, *given)
        if isinstance(offered, np.ndarray):
            run.forget(cast("Array", offered))
        # Columns go on as what the device may have, though it has none yet.
        run.has_columns = run.has_columns or self._is_over_rows
        return kept_all(run.device, made)

    def on_host(self) -> Any:
        """The kernel as functions of this process call it: one over rows runs there all the same,
        and what it makes stays there."""
        run = current_run()
        if run is None or not self._is_over_rows:
            return self.here

        def call(*arguments: Any) -> Any:
            # Tasks may be run by other threads.
            with running(run):
                return self(*arguments)

        return call

    def here(self, *arguments: Any) -> Any:
        """Run the kernel on the processor; what it gives is this process's."""
        with running(None):
            return self.on_processor(*[on_host(value) for value in arguments])

    @cached_property
    def _is_over_rows(self) -> bool:
        code = None if self.source.refusal else self.source.code()
        return code is not None and isinstance(code.signature, RowSignature)

    @cached_property
    def _takes_no_memory(self) -> bool:
        """Whether a call cannot run out of memory once it has written something, and so can be
        made again after it has."""
        code = self.source.code()
        return code is not None and "empty(" not in code.launches

    def _with_less_memory(self, run: DeviceRun, array: Any, arguments: Sequence[Any]) -> Any:
        """Try again without what is also elsewhere, then a part of the rows at a time."""
        run.let_copies_go()
        with suppress(OutOfDeviceMemoryError):
            return self._on_device(run, array, [run.brought(v) for v in arguments])
        run.let_copies_go()
        why = ", and its work cannot be cut by rows"
        try:
            found = self._in_pieces(run, arguments)
        except OutOfDeviceMemoryError as error:
            found, why = None, f" ({error})"
        if found is None:
            run.let_copies_go()
            self._remark_memory(run, "on the processor", why)
            return NotImplemented
        result, count = found
        self._remark_memory(run, f"in {count} pieces", "")
        return result

    def _remark_memory(self, run: DeviceRun, how: str, why: str) -> None:
        device = run.device
        message = (
            f"'{self.source.name}' runs {how}: the device has {size_text(device.total_bytes)}, of "
            f"which {size_text(device.live_bytes)} are in use{why}"
        )
        run.remark(f"{self.source.name} memory", message, self.source.span)

    def _in_pieces(self, run: DeviceRun, arguments: Sequence[Any]) -> tuple[Any, int] | None:
        """Make a call in pieces, and return in how many; None if its work cannot be cut."""
        code = self.source.code()
        if code is None or code.cut is None:
            return None
        values = accepted(run.device, code.on_arrays, [run.brought(v) for v in arguments])
        code = None if values is None else self._for_values(run, code, values)
        if values is None or code is None or code.turned:
            return None
        signature = code.on_arrays
        if isinstance(signature, SparseSignature) and any("@" in b for b in signature.beginnings):
            return None

        def call(into: Any, given: Sequence[Any]) -> Any:
            passed = passed_vectors(signature, given)
            return (
                NotImplemented if passed is None else self._called(run, code, into, given, passed)
            )

        return call_in_pieces(run, code, call, values)

    def _directly(self, run: DeviceRun, array: Any, arguments: Sequence[Any]) -> Any:
        """Make a call as calls with such arguments were made before."""
        if run.keeps(self.source.name):
            for call in self._direct.values():
                if call is not None:
                    result = call(run, array, *arguments)
                    if result is not NotImplemented:
                        return result
        return NotImplemented

    def _on_device(self, run: DeviceRun, array: Any, arguments: Sequence[Any]) -> Any:
        code = self.source.code()
        if code is None:
            return NotImplemented
        if isinstance(code.signature, RowSignature):
            return self._rows_on_device(run, code, arguments)
        values = accepted(run.device, code.on_arrays, list(map(run.brought, arguments)))
        if values is None:
            return NotImplemented
        code = self._for_values(run, code, values)
        if code is None:
            return NotImplemented
        passed = passed_vectors(code.on_arrays, values)
        if passed is None:
            return NotImplemented
        if run.mode == "auto" and not self._repays(run, *work_of(run, code, values, passed)):
            return NotImplemented
        if code.identity not in self._direct and not code.is_library:
            resident = [k for k, value in enumerate(values) if isinstance(value, DeviceNumber)]
            self._direct = {code.identity: direct_launches(code, resident), **self._direct}
        return self._called(run, code, array, values, passed)

    def _called(
        self,
        run: DeviceRun,
        code: DeviceCode,
        array: Any,
        values: Sequence[Any],
        passed: Sequence[Any],
    ) -> Any:
        """Make a call with arguments that the code takes."""
        if code.is_library:
            return self._by_library(run, code, values)
        factors = factors_of(code, values)
        if factors is not None and has_long_row(factors[0]):
            product = _by_parts(run, code, array, values, *factors)
            return launched(run, code, array, values, passed) if product is None else product
        product = None if factors is None else run.sliced.multiply(run, code, *factors)
        if product is not None:
            name = f"{code.identity} in slices"
            if code.sliced is not None and name not in self._direct:
                # Another thread may be looking at it.
                self._direct = {**self._direct, name: again_in_slices(code)}
            return product
        return launched(run, code, array, values, passed)

    def _repays(self, run: DeviceRun, work: Work, missing: Sequence[int]) -> bool:
        """Return whether a call is the device's, and say so if it is."""
        if not run.repays(work, missing):
            return False
        run.remark(
            self.source.name,
            f"'{self.source.name}' runs on the GPU from here on: {_bytes(sum(missing))} to "
            f"copy, {work.on_processor * 1e3:.2g} ms of work here and "
            f"{work.on_device * 1e3:.2g} ms there",
            self.source.span,
        )
        return True

    def _rows_on_device(self, run: DeviceRun, code: DeviceCode, arguments: Sequence[Any]) -> Any:
        """Run a kernel over rows, whose columns are wherever they are."""
        given: list[Any] = [
            v if isinstance(v, tuple | DeviceArray) else on_host(v) for v in arguments
        ]
        encoded = accepted_rows(code, given)
        if encoded is None:
            return NotImplemented
        if run.mode == "auto" and not self._repays(run, *work_of_rows(run, code, encoded)):
            return NotImplemented
        return rows_on_device(run, code, encoded, launches_of(code.launches))

    def _for_values(self, run: DeviceRun, code: DeviceCode, values: list[Any]) -> DeviceCode | None:
        """The code for the layouts of sparse arguments, or for numbers that are on the device."""
        if code.turned:
            values[:] = [run.turned(v) if isinstance(v, SparseTile) else v for v in values]
            return code
        tiles = [value for value in values if isinstance(value, SparseTile)]
        if tiles:
            return self.source.code(tuple(stored_layout(tile) for tile in tiles))
        resident = tuple(k for k, value in enumerate(values) if isinstance(value, DeviceNumber))
        return self.source.code((), resident) if resident else code

    def _by_library(self, run: DeviceRun, code: DeviceCode, values: Sequence[Any]) -> Any:
        """A product that the kernel's NumPy function makes of arrays of the device."""
        given = [v.on_device() if isinstance(v, DeviceArray) else on_host(v) for v in values]
        function = getattr(self.on_processor, "numpy_function", self.on_processor)
        with running(None):
            raw = run.device.call_library(function, given)
        (slot,) = code.on_arrays.outputs
        assert raw.dtype == dtype_of(cast(Slot, slot))
        return DeviceArray.there(run.device, raw)


def _by_parts(
    run: DeviceRun,
    code: DeviceCode,
    into: Any,
    values: Sequence[Any],
    tile: SparseTile,
    vector: DeviceArray,
) -> Any:
    """The product of a matrix with a long row; None where its extents are those of the code."""
    matrices = cut_rows(tile)
    for matrix in matrices:
        place = into if matrix is matrices[-1] else None
        given = with_factors(code, values, matrix, vector)
        passed = None if given is None else passed_vectors(code.on_arrays, given)
        if given is None or passed is None:
            return None
        vector = launched(run, code, place, given, passed)
    return vector


@contextmanager
def _telling_of(device: Device) -> Generator[None]:
    """Say what the device has where this process has no room either."""
    try:
        yield
    except (MemoryError, OutOfMemory) as error:
        message = (
            f"{error or 'out of memory'}; the device has {size_text(device.total_bytes)}, of which "
            f"{size_text(device.live_bytes)} are in use"
        )
        needed, left = getattr(error, "needed", None), getattr(error, "left", None)
        raise OutOfMemory(message, needed, left) from None


def _bytes(count: int) -> str:
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} bytes"
