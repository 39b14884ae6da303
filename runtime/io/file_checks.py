"""What is looked at in a file before it is read: the sizes it claims, bytes that break readers.

A file that says it holds more than it does, or more than there is memory for, is refused with the
sizes. All raise `ValueError` with one sentence.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import zipfile
from collections.abc import Mapping
from math import prod
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.available_memory import available_memory, check_memory

_LARGEST_HEADER = 10_000
_BANNER = re.compile(
    rb"%%MatrixMarket\s+matrix\s+(coordinate|array)\s+(real|double|integer|unsigned-integer|complex"
    rb"|pattern)\s+(general|symmetric|skew-symmetric|hermitian)\s*",
    re.IGNORECASE,
)
_NO_NUMBER = re.compile(rb"[^0-9a-zA-Z+\-.\s]")


def read_array(file: IO[bytes], size: int, name: str) -> NDArray[Any]:
    """The array of an `.npy` file, of which `size` bytes are left to read."""
    version = np.lib.format.read_magic(file)
    readers = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    if version not in readers:
        raise ValueError(f"{name} is of version {version[0]}.{version[1]} of NumPy's format")
    shape, fortran, dtype = readers[version](file, max_header_size=_LARGEST_HEADER)
    if dtype.hasobject:
        raise ValueError(f"{name} holds Python's objects, which are not read from files")
    if min(shape, default=0) < 0 or (dtype.itemsize == 0 and prod(shape) > 0):
        raise ValueError(f"{name} says that it has the shape {shape} and type {dtype}")
    count = prod(shape)
    needed = count * dtype.itemsize
    if needed > size:
        raise ValueError(f"{name} says that it holds {needed} bytes, and there are {size} at most")
    data = file.read(needed)
    if len(data) != needed:
        raise ValueError(f"{name} says that it holds {needed} bytes, and there are {len(data)}")
    array = np.frombuffer(bytearray(data), dtype, count)
    return array.reshape(shape[::-1]).T if fortran else array.reshape(shape)


def read_archive(path: str) -> Mapping[str, NDArray[Any]]:
    """The arrays of an `.npz` file, by name."""
    arrays: dict[str, NDArray[Any]] = {}
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        check_memory(sum(member.file_size for member in members), "what it expands to")
        for member in members:
            name = member.filename.removesuffix(".npy")
            if name in arrays:
                raise ValueError(f"it holds two arrays {name!r}")
            with archive.open(member) as file:
                arrays[name] = read_array(file, member.file_size, repr(name))
    return arrays


def read_bytes(path: str) -> bytes:
    """The bytes of a file, plain or compressed; what it expands to must fit in memory."""
    with open_bytes(path) as file:
        return file.read()


def open_bytes(path: str) -> IO[bytes]:
    """A file, plain or compressed, that raises `ValueError` where it expands beyond memory."""
    opener = OPENERS.get(os.path.splitext(path)[1].lower())
    if opener is None:
        return open(path, "rb")
    return io.BufferedReader(_Bounded(opener(path, "rb"), available_memory() // 2))


class _Bounded(io.RawIOBase):
    """What a compressed file expands to, up to a number of bytes."""

    def __init__(self, file: IO[bytes], most: int):
        super().__init__()
        self._file = file
        self._most = most

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """It is, slowly."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place, as files do."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """The place of the next byte."""
        return self._file.tell()

    def readinto(self, buffer: Any) -> int:
        """Fill `buffer` as far as there are bytes; return how many."""
        data = self._file.read(len(buffer))
        if self._file.tell() > self._most:
            raise ValueError(
                f"it expands to more than {self._most / 2**30:.1f} GiB, half of the free memory"
            )
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
"""How compressed files are opened."""


def check_matrix_market(data: bytes) -> None:
    """That the text of a Matrix Market file is one that SciPy's reader can be given."""
    first, _, rest = data.partition(b"\n")
    banner = _BANNER.fullmatch(first)
    if banner is None:
        raise ValueError("it does not begin with a banner such as %%MatrixMarket matrix …")
    line, place = 2, 0
    while place < len(rest):
        end = rest.find(b"\n", place)
        end = len(rest) if end < 0 else end
        text = rest[place:end].strip()
        if text and not text.startswith(b"%"):
            break
        line, place = line + 1, end + 1
    else:
        raise ValueError("it does not say how large the matrix is")
    wanted = 3 if banner[1].lower() == b"coordinate" else 2
    sizes = text.split()
    if len(sizes) != wanted or not all(re.fullmatch(rb"[0-9]{1,18}", size) for size in sizes):
        shown = text[:60].decode("ascii", "replace")
        raise ValueError(f"line {line}: {shown!r} where {wanted} sizes are wanted")
    body = rest[end:]
    wrong = _NO_NUMBER.search(body)
    if wrong is not None:
        line += body.count(b"\n", 0, wrong.start())
        raise ValueError(f"line {line}: the byte 0x{wrong[0][0]:02x} is no part of a number")
    rows, columns, *count = map(int, sizes)
    lines = body.count(b"\n")
    if count:
        if count[0] > lines:
            raise ValueError(f"it says that it has {count[0]} entries, in {lines} lines at most")
    elif banner[3].lower() == b"general":
        if rows * columns > len(body):
            raise ValueError(f"it says that it has {rows} x {columns} elements, in {lines} lines")
    elif rows != columns or rows * (rows - 1) // 2 > len(body):
        raise ValueError(f"it says that it has {rows} x {columns} elements, in {lines} lines")
