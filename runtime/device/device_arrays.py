"""Arrays and numbers of a program that runs on a device: on it, in this process, or both.

    x = DeviceArray(device, array.shape, array.dtype, host=array)
    x.on_device()        # copied once, when a kernel first asks
    y.on_host()          # copied once, when somebody first looks

They are what kernels give and take. What becomes of them is seen by their last reference: then
the memory of the device is free.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from diablo.runtime.device.device import Array, Box, Device, OutOfDeviceMemoryError, Raw


class OnDevice:
    """What a program has on a device."""

    __slots__ = ()

    def on_host(self) -> Any:
        """The same for functions of this process."""
        raise NotImplementedError


def on_host(value: Any) -> Any:
    """A value of a program as functions of this process take it, whatever it holds."""
    if type(value) is np.ndarray and not value.dtype.hasobject:
        return value
    match value:
        case OnDevice():
            return value.on_host()
        case tuple():
            return tuple([on_host(part) for part in cast("tuple[Any, ...]", value)])
        case list():
            return [on_host(part) for part in cast("list[Any]", value)]
        case np.ndarray() if _holds_arrays(cast("Array", value)):
            held = cast("Array", value)
            copy = np.empty_like(held)
            for index in np.ndindex(*held.shape):
                copy[index] = on_host(held[index])
            return copy
        case _:
            return value


def _holds_arrays(array: Array) -> bool:
    """Return whether an array has arrays as elements, some of which may be on a device."""
    if array.dtype.kind != "O" or not array.size:
        return False
    return isinstance(array.flat[0], np.ndarray | OnDevice)


class DeviceArray(OnDevice):
    """A dense array of numbers, wherever it is; of tuples of numbers, an array of the device for
    each part."""

    __slots__ = ("__weakref__", "_host", "_raw", "device", "dtype", "is_lent", "shape")

    def __init__(
        self,
        device: Device,
        shape: Sequence[int],
        dtype: np.dtype[Any],
        host: Array | None = None,
        raw: Raw | None = None,
    ):
        self.device = device
        self.shape = tuple(shape)
        self.dtype = dtype
        self._host = host
        self._raw = raw
        self.is_lent = False
        """Whether somebody else has the memory, who may write into it later on."""

    def lent(self) -> DeviceArray:
        """The same array for a program that gives back none of it."""
        other = DeviceArray(self.device, self.shape, self.dtype, self._host, self._raw)
        other.is_lent = True
        return other

    @staticmethod
    def here(device: Device, array: Array) -> DeviceArray:
        """An array of this process, which is copied when the device wants it."""
        return DeviceArray(device, array.shape, array.dtype, host=array)

    @staticmethod
    def there(device: Device, raw: Raw) -> DeviceArray:
        """An array of the device, which is copied when this process wants it."""
        return DeviceArray(device, raw.shape, raw.dtype, raw=raw)

    @staticmethod
    def of_parts(device: Device, parts: Sequence[Raw], dtype: np.dtype[Any]) -> DeviceArray:
        """An array of tuples, given what the device has of each part."""
        return DeviceArray(device, parts[0].shape, dtype, raw=tuple(parts))

    @property
    def parts(self) -> tuple[Raw, ...]:
        """The arrays of the device: one, or one for each part of its tuples."""
        raw = self.on_device()
        return raw if self.dtype.names else (raw,)

    def on_device(self) -> Raw:
        """Return its elements on the device."""
        raw = self._raw  # Which another thread may let go of.
        if raw is None:
            host = self._host
            assert host is not None
            self.device.note_copy(self)
            if self.dtype.names:
                parts = [np.ascontiguousarray(host[name]) for name in self.dtype.names]
                raw = tuple([self.device.copy_in(part) for part in parts])
            else:
                raw = self.device.copy_in(host)
            self._raw = raw
        return raw

    @property
    def raw(self) -> Raw | None:
        """Its elements on the device, if that has them."""
        return self._raw

    def on_host(self) -> Array:
        """Return its elements in this process."""
        if self._host is None:
            self.device.note_copy(self)
        if self._host is None and self.dtype.names:
            self._host = np.empty(self.shape, self.dtype)
            for name, part in zip(self.dtype.names, self.parts, strict=True):
                self._host[name] = self.device.copy_out(part)
        elif self._host is None:
            self._host = self.device.copy_out(self._raw)
        return self._host

    def handed_out(self) -> Raw:
        """Return its elements for another library, which knows nothing of our stream.

        Raises
        ------
        TypeError
            If they are tuples, of which the device has the parts.
        """
        if self.dtype.names:
            raise TypeError("an array of tuples is an array for each part on the GPU")
        raw = self.on_device()
        self.device.synchronize()
        return self.device.handed_out(raw)

    @property
    def is_on_device(self) -> bool:
        """Whether the device has it."""
        return self._raw is not None

    @property
    def is_on_host(self) -> bool:
        """Whether this process has it."""
        return self._host is not None

    def moved_to(self, device: Device) -> DeviceArray:
        """The same elements for another device, which copies them if this one has them."""
        if self._raw is None:
            return DeviceArray(device, self.shape, self.dtype, self._host)
        copies = [device.copy_from(self.device, part) for part in self.parts]
        raw = tuple(copies) if self.dtype.names else copies[0]
        return DeviceArray(device, self.shape, self.dtype, self._host, raw)

    def cut(self, box: Box) -> DeviceArray:
        """The elements in a box: where the process has them there, else as a copy on the device."""
        if self._host is not None or self.dtype.names:
            return DeviceArray.here(self.device, self.on_host()[box])
        return DeviceArray.there(self.device, self.device.copied(self._raw, box))

    def rows(self, begin: int, end: int) -> DeviceArray:
        """Some elements along the first dimension, on the device if that has them."""
        if self._raw is None:
            return DeviceArray.here(self.device, self.on_host()[begin:end])
        parts = tuple([part[begin:end] for part in self.parts])
        raw = parts if self.dtype.names else parts[0]
        return DeviceArray(self.device, (end - begin, *self.shape[1:]), self.dtype, raw=raw)

    def leave_device(self) -> None:
        """Free the memory of the device; this process has the elements then."""
        self.on_host()
        self._raw = None

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        """The bytes that the elements take."""
        return self.size * self.dtype.itemsize

    def reshape(self, shape: Sequence[int]) -> DeviceArray:
        """The same elements, wherever they are, in another shape."""
        host = None if self._host is None else self._host.reshape(shape)
        raw: Any = self._raw
        if raw is not None and self.dtype.names:
            raw = tuple([part.reshape(tuple(shape)) for part in raw])
        elif raw is not None:
            raw = raw.reshape(tuple(shape))
        other = DeviceArray(self.device, shape, self.dtype, host, raw)
        other.is_lent = self.is_lent
        return other

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """The elements in a type; where they have it, this array may stand for itself."""
        if not copy and self.dtype == dtype:
            return self
        return self.on_host().astype(dtype)

    def vectors(self) -> list[Array]:
        """The memory of this process that it is in."""
        return [] if self._host is None else [self._host]

    def shares_memory(self, arrays: Sequence[Array]) -> bool:
        """Return whether its elements lie where some arrays, or the caller, have theirs."""
        host = self._host
        if self.is_lent:
            return True
        return host is not None and any(np.may_share_memory(host, other) for other in arrays)

    def detached(self) -> DeviceArray:
        """The same elements in memory of its own."""
        if self._raw is not None and self.dtype.names:
            copies = [self.device.copied(part) for part in self._raw]
            return DeviceArray.of_parts(self.device, copies, self.dtype)
        if self._raw is not None:
            return DeviceArray.there(self.device, self.device.copied(self._raw))
        return DeviceArray.here(self.device, self.on_host().copy())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        array = self.on_host()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def __getitem__(self, index: Any) -> Any:
        return self.on_host()[index]

    def __len__(self) -> int:
        return self.shape[0]

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process has the elements in its own memory."""
        return np.asarray, (self.on_host(),)


def combined(function: Callable[..., Any], a: DeviceArray, b: DeviceArray) -> DeviceArray | None:
    """Two arrays combined element by element where the first one is; None if neither is there.

    `function` is one of NumPy's for two arrays, which gives an array of their type.
    """
    if not (a.is_on_device or b.is_on_device) or a.dtype.names or a.dtype != b.dtype:
        return None
    first, device = (a, a.device) if a.is_on_device else (b, b.device)
    try:
        given = [x if x.device is first.device else x.moved_to(device) for x in (a, b)]
        raw = device.call_library(function, [x.on_device() for x in given])
    except OutOfDeviceMemoryError:
        return None
    return DeviceArray.there(device, raw)


def put_together(
    shape: Sequence[int], dtype: np.dtype[Any], parts: Sequence[tuple[Box, Any]]
) -> DeviceArray | None:
    """An array of zeros with parts in boxes, on the device that has most of them; None if none has.

    It is None as well where a part is something else than an array of the type, or where the device
    has no room.
    """
    arrays = [part for _, part in parts if isinstance(part, DeviceArray) and part.dtype == dtype]
    there = [array for array in arrays if array.is_on_device]
    if not there or len(arrays) < len(parts) or dtype.names:
        return None
    if len(parts) == 1 and there[0].shape == tuple(shape):
        return there[0]
    held: dict[Device, int] = {}
    for array in there:
        held[array.device] = held.get(array.device, 0) + array.nbytes
    device = max(held, key=held.__getitem__)
    try:
        raw = device.zeros(shape, dtype)
        for box, part in parts:
            own = part if part.device is device else part.moved_to(device)
            device.write(raw, box, own.on_device())
    except OutOfDeviceMemoryError:
        return None
    return DeviceArray.there(device, raw)


class DeviceNumber(NDArrayOperatorsMixin, OnDevice):
    """A number that a kernel has left on the device, copied when somebody looks at it."""

    __slots__ = ("_value", "device", "dtype", "raw")

    def __init__(self, device: Device, raw: Raw):
        self.device = device
        self.dtype = raw.dtype
        self.raw = raw
        self._value: Any = None

    def on_host(self) -> Any:
        """The number, of NumPy's type."""
        if self._value is None:
            self._value = self.device.copy_out(self.raw)[()]
        return self._value

    def moved_to(self, device: Device) -> DeviceNumber:
        """The same number for another device."""
        if device is self.device:
            return self
        other = DeviceNumber(device, device.copy_from(self.device, self.raw))
        other._value = self._value
        return other

    @property
    def is_known(self) -> bool:
        """Whether somebody has looked at it."""
        return self._value is not None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self.on_host(), dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        given = [x.on_host() if isinstance(x, DeviceNumber) else x for x in inputs]
        return getattr(ufunc, method)(*given, **options)

    def __float__(self) -> float:
        return float(self.on_host())

    def __complex__(self) -> complex:
        return complex(self.on_host())

    def __int__(self) -> int:
        return int(self.on_host())

    def __bool__(self) -> bool:
        return bool(self.on_host())

    def __repr__(self) -> str:
        return repr(self.on_host())

    def __reduce__(self) -> tuple[Any, ...]:
        return _itself, (self.on_host(),)


def _itself(value: Any) -> Any:
    return value
