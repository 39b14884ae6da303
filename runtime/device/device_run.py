"""One run of a program with a device: what was decided for each kernel, and why.

    with running(DeviceRun(device, "auto")) as run:
        main(…)
    run.remarks

With `auto` a kernel begins on the processor. What its work would save on the device is added up
over all calls; where that repays to bring the arrays there that a call needs, they go, and stay. So
a program that does much with its arrays goes over after a few calls of it, and one that looks at
them once does not.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast
from weakref import WeakKeyDictionary, ref

import numpy as np

from diablo.diagnostics import Diagnostic, Span
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.device.cost_model import Work, copying
from diablo.runtime.device.device import Array, Device, Raw
from diablo.runtime.device.device_arrays import DeviceArray, DeviceNumber
from diablo.runtime.device.device_code import COLUMNS
from diablo.runtime.device.sliced_matrices import SlicedMatrices
from diablo.runtime.kernels.sparse_signature import layout_of

if TYPE_CHECKING:
    from diablo.runtime.device.dealt_devices import DealtDevices

Mode = Literal["gpu", "auto"]


@dataclass
class DeviceRun:
    """The device, and what this run has there."""

    device: Device
    mode: Mode = "gpu"
    remarks: dict[str, Diagnostic] = field(default_factory=dict[str, Diagnostic])
    has_gone_over: bool = False
    """Whether a kernel ran on the device since that repaid, with `auto`."""
    saved: float = 0.0
    """Seconds that the work so far on the processor would have saved on the device."""
    _refused: tuple[float, float] | None = None
    """What work would have saved, and what the copies for it would have taken, where copies came
    nearest to being repaid."""
    has_columns: bool = False
    """Whether columns, or tiles, have been left on the device, which RDDs may have since then."""
    sliced: SlicedMatrices = field(default_factory=SlicedMatrices)
    dealt: DealtDevices | None = None
    """All devices of the run, if there are several."""
    _peers: WeakKeyDictionary[DeviceArray, DeviceArray] = field(
        default_factory=WeakKeyDictionary[DeviceArray, DeviceArray]
    )
    """Copies of what other devices have."""
    _turned: WeakKeyDictionary[SparseTile, SparseTile] = field(
        default_factory=WeakKeyDictionary[SparseTile, SparseTile]
    )
    _vectors: dict[int, tuple[Any, Raw]] = field(default_factory=dict[int, tuple[Any, Raw]])
    _passed: WeakKeyDictionary[SparseTile, dict[str, Sequence[Array]]] = field(
        default_factory=WeakKeyDictionary[SparseTile, dict[str, Sequence[Array]]]
    )
    """The vectors of a tile that each code was passed."""

    def remark(self, key: str, message: str, span: Span | None) -> None:
        """Say something of a kernel, once."""
        self.remarks.setdefault(key, Diagnostic("remark", message, span))

    def vector(self, array: Array) -> Raw:
        """A vector of a sparse array on the device, copied once while it lives."""
        known = self._vectors.get(id(array))
        if known is not None and known[0]() is array:
            return known[1]
        raw = self.device.copy_in(array)
        self.remember(array, raw)
        return raw

    def remember(self, array: Array, raw: Raw) -> None:
        """Note where a vector is on the device that nothing writes into."""
        key = id(array)
        vectors = self._vectors
        vectors[key] = ref(array, lambda _: vectors.pop(key, None)), raw

    def has_vector(self, array: Array) -> bool:
        """Return whether a vector is on the device."""
        known = self._vectors.get(id(array))
        return known is not None and known[0]() is array

    def pass_tile(self, tile: SparseTile, vectors: Sequence[Array], identity: str) -> list[Any]:
        """Return what a code is passed for a tile: vectors on the device, and extents."""
        if not self.sliced.counts(tile):
            self._passed.setdefault(tile, {})[identity] = vectors
        return [*[self.vector(vector) for vector in vectors], *tile.shape]

    def pass_again(self, tile: Any, identity: str) -> list[Any] | None:
        """The same for a tile that the code was passed before; None if it was not."""
        known = self._passed.get(tile) if isinstance(tile, SparseTile) else None
        vectors = None if known is None else known.get(identity)
        if vectors is None:
            return None
        return [*[self.vector(vector) for vector in vectors], *tile.shape]

    def has(self, value: DeviceArray | SparseTile) -> bool:
        """Return whether something is on the device, as far as is known without a look at it."""
        if isinstance(value, SparseTile):
            return value in self._passed
        return value in self._peers or (value.device is self.device and value.is_on_device)

    def brought(self, value: Any) -> Any:
        """A value as kernels of this device take it: copied here once while it lives."""
        if isinstance(value, DeviceArray) and value.device is not self.device:
            known = self._peers.get(value)
            if known is None:
                known = self._peers[value] = value.moved_to(self.device)
            return known
        if isinstance(value, DeviceNumber):
            return value.moved_to(self.device)
        if isinstance(value, tuple):
            return tuple([self.brought(part) for part in cast("tuple[Any, ...]", value)])
        return value

    def forget(self, array: Array) -> None:
        """Drop the copies of what lies in the memory of an array, which somebody has written to."""
        for key, (known, _) in list(self._vectors.items()):
            held = known()
            if held is None or np.may_share_memory(held, array):
                self._vectors.pop(key, None)

    def forget_vectors(self) -> None:
        """Free what vectors take."""
        self._vectors.clear()
        self._turned.clear()
        self._passed.clear()
        self.sliced.forget()
        self._peers.clear()

    def let_copies_go(self) -> None:
        """Free what is also elsewhere: in this process, or on other devices."""
        self.forget_vectors()
        self.device.let_copies_go()

    def turned(self, tile: SparseTile) -> SparseTile:
        """A sparse matrix in compressed columns, made once while it lives."""
        known = self._turned.get(tile)
        if known is None:
            known = self._turned[tile] = tile.with_layout(layout_of(COLUMNS))
        return known

    def repays(self, work: Work, missing: Sequence[int]) -> bool:
        """Whether a call is the device's, to which arrays of so many bytes have to be copied."""
        if self.mode == "gpu":
            return True
        gain = work.on_processor - work.on_device
        cost = copying(list(missing))
        if self.saved + gain > cost and (gain > 0 or not missing):
            self.has_gone_over = True
            return True
        self.saved += max(gain, 0.0)
        nearest = self._refused
        if nearest is None or cost - self.saved < nearest[1] - nearest[0]:
            self._refused = self.saved, cost
        return False

    def explain_stay(self) -> None:
        """Say why no kernel has gone over, if none has though the device might have run some."""
        if self._refused is None or self.has_gone_over:
            return
        saved, cost = self._refused
        self.remark(
            "all",
            f"the program stays on the processor: the GPU would save {1e3 * saved:.2g} ms of its "
            f"work, and what is to be copied there for that takes {1e3 * cost:.2g} ms",
            None,
        )

    def keeps(self, kernel: str) -> bool:
        """Whether a kernel has gone over, and stays where nothing has to be copied for it."""
        return self.mode == "gpu" or kernel in self.remarks


_CURRENT: ContextVar[DeviceRun | None] = ContextVar("device run", default=None)


def current_run() -> DeviceRun | None:
    """The run of this thread, if it has a device."""
    return _CURRENT.get()


@contextmanager
def running(run: DeviceRun | None) -> Generator[DeviceRun | None]:
    """Let kernels know of a run; with None they are on the processor."""
    token = _CURRENT.set(run)
    try:
        with nullcontext() if run is None else run.device.current():
            yield run
    finally:
        _CURRENT.reset(token)
