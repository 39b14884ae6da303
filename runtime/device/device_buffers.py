"""An array in the memory of a GPU, as launches need it: what they are passed is written once.

    x = DeviceBuffer(memory, (5, 3), np.dtype("f8"))
    x.words              # its address, 5, 3

An array of CuPy's does more, and takes several times as long to be made and to be looked at, of
which a loop of small kernels would consist then.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np


class DeviceBuffer:
    """A C-order array of a GPU.

    Parameters
    ----------
    memory : where it begins, with an address `ptr`; holds the memory as long as it lives
    shape : the extents
    dtype : the type of the elements
    """

    __slots__ = ("dtype", "memory", "shape", "size", "words")

    def __init__(self, memory: Any, shape: tuple[int, ...], dtype: np.dtype[Any]):
        self.memory = memory
        self.shape = shape
        self.dtype = dtype
        self.size = prod(shape)
        self.words: tuple[int, ...] = (memory.ptr, *shape)
        """What kernels are passed: the address and the extents."""

    @property
    def nbytes(self) -> int:
        """The bytes that the elements take."""
        return self.size * self.dtype.itemsize

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "data": (self.memory.ptr, False),
            "shape": self.shape,
            "typestr": self.dtype.str,
            "version": 3,
        }

    def reshape(self, shape: tuple[int, ...]) -> DeviceBuffer:
        """The same elements in another shape."""
        return DeviceBuffer(self.memory, shape, self.dtype)

    def __getitem__(self, index: slice) -> DeviceBuffer:
        """A part of the first dimension, where it is."""
        begin, end, step = index.indices(self.shape[0])
        assert step == 1, "elements of the device that lie apart"
        rest = self.shape[1:]
        memory = self.memory
        if begin:
            memory = memory + begin * prod(rest) * self.dtype.itemsize
        return DeviceBuffer(memory, (max(0, end - begin), *rest), self.dtype)
