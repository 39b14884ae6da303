"""The types of elements, which are NumPy's, and what is asked of them.

da.result_type(da.int8, da.float32)    ->    float32
"""

from __future__ import annotations

from typing import Any

import numpy as np

from diablo.array.elementwise_operations import converted
from diablo.array.lazy_array import Array, copied, known, node_of

DType = np.dtype[Any]

bool = np.dtype(np.bool_)
int8 = np.dtype(np.int8)
int16 = np.dtype(np.int16)
int32 = np.dtype(np.int32)
int64 = np.dtype(np.int64)
uint8 = np.dtype(np.uint8)
uint16 = np.dtype(np.uint16)
uint32 = np.dtype(np.uint32)
uint64 = np.dtype(np.uint64)
float32 = np.dtype(np.float32)
float64 = np.dtype(np.float64)
complex64 = np.dtype(np.complex64)
complex128 = np.dtype(np.complex128)

_KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}


def _type_of(value: Any) -> Any:
    return value.dtype if isinstance(value, Array) else value


def astype(x: Array, dtype: Any, /, *, copy: Any = True, device: Any = None) -> Array:
    """Return the elements as others of a type."""
    check_device(device)
    node = known(node_of(x))
    wanted = np.dtype(dtype)
    if node.dtype.kind == "c" and wanted.kind not in "cb":
        raise TypeError(f"complex numbers are no elements of {wanted}; use real or imag")
    return Array(copied(node) if copy and node.dtype == wanted else converted(node, wanted))


def can_cast(from_: Any, to: Any, /) -> Any:
    """Return whether all values of a type are some of another one."""
    return np.can_cast(_type_of(from_), to)


def finfo(type: Any, /) -> Any:
    """Return what is known of a type of floats."""
    found: Any = np.finfo(_type_of(type))
    return FloatInfo(found)


class FloatInfo:
    """What is known of a type of floats, in numbers of Python's."""

    def __init__(self, info: Any):
        self.bits = int(info.bits)
        self.eps = float(info.eps)
        self.max = float(info.max)
        self.min = float(info.min)
        self.smallest_normal = float(info.smallest_normal)
        self.dtype = np.dtype(info.dtype)


def iinfo(type: Any, /) -> Any:
    """Return what is known of a type of integers."""
    return IntegerInfo(np.iinfo(_type_of(type)))


class IntegerInfo:
    """What is known of a type of integers, in numbers of Python's."""

    def __init__(self, info: Any):
        self.bits = int(info.bits)
        self.max = int(info.max)
        self.min = int(info.min)
        self.dtype = np.dtype(info.dtype)


def isdtype(dtype: Any, kind: Any) -> Any:
    """Return whether a type is another one, or of a kind, or one of several."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, each) for each in kind)  # pyright: ignore
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ValueError(
                f"there is no kind of types {kind!r}: it is one of {', '.join(_KINDS)}"
            )
        return np.dtype(dtype).kind in _KINDS[kind]
    return np.dtype(dtype) == kind


def result_type(*arrays_and_dtypes: Any) -> Any:
    """Return the type of an operation on arrays, numbers and elements of types."""
    return np.result_type(*map(_type_of, arrays_and_dtypes))


def check_device(device: Any) -> None:
    """Raise a `ValueError` for a device that there is not."""
    if device not in (None, "cpu"):
        raise ValueError(f"there is no device {device!r}: arrays are on 'cpu'")
