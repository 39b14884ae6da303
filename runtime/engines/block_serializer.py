"""Records of RDDs as bytes, whose long arrays lie in files while a program runs.

SparkContext(serializer=BlockSerializer())

A function that is sent to the workers takes the folder of the running call along, into which they
write what Spark keeps, shuffles and sends to the driver. If somebody counts what is shuffled, the
bytes that Spark has the names of alone are added up as well, and the time that it takes to write
and to read. Without a folder a record is one buffer (`record_buffers.py`).
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Generator, Iterable
from time import thread_time
from typing import Any, cast

import numpy as np
from pyspark.serializers import CPickleSerializer, SpecialLengths

from diablo.runtime.engines.block_store import LEAST_BYTES, Folder, counted
from diablo.runtime.engines.keeping import current_folder
from diablo.runtime.engines.record_buffers import Piece, buffer_pieces, value_of
from diablo.runtime.engines.spark_statistics import (
    Adds,
    crossing_here,
    crossing_in_tasks,
    shuffled_by_name,
)

_WRITERS = ("add_shuffle_key", "write_for_shuffle")
"""The functions that write records for a shuffle: PySpark's own, and that of `partitioning`."""
_LENGTH = struct.Struct("!i")
_MOST_BYTES = 1 << 31
"""So long is no record: the JVM is told its length as an integer."""


class BlockSerializer(CPickleSerializer):
    """Pickles that name files, or buffers with arrays behind a pickle; it reads any pickle."""

    folder: Folder | None = None
    """Where a worker writes; on the driver it is the call that runs which has a folder."""
    shuffled: Any = None
    """The accumulator of the bytes of arrays that a worker shuffles by name."""
    crossing: Any = None
    """The accumulator of the seconds that a worker writes and reads."""

    def __init__(self, in_files: bool = True):
        self.in_files = in_files
        """Whether there are files that all workers see."""

    def __reduce__(self) -> tuple[Any, ...]:
        folder = self.folder or current_folder()
        shuffled = self.shuffled or shuffled_by_name()
        return _for_worker, (self.in_files, folder, shuffled, self.crossing or crossing_in_tasks())

    def dumps(self, obj: Any) -> bytes:
        """The bytes of records."""
        started = 0.0 if self.crossing is None else thread_time()
        folder = self.folder or current_folder()
        if folder is None:
            data = b"".join(buffer_pieces(obj))
        else:
            data, _, in_files = counted(obj, folder)
            if in_files and self.shuffled is not None and _writes_for_shuffle():
                self.shuffled.add(in_files)
        if self.crossing is not None:
            self.crossing.add(thread_time() - started)
        return data

    def loads(self, obj: Piece, encoding: str = "bytes") -> Any:
        """The records of bytes."""
        return value_of(obj)

    def dump_stream(self, iterator: Iterable[Any], stream: Any) -> None:
        """Write records, each behind its length."""
        seconds = self._seconds()
        for value in iterator:
            started = 0.0 if seconds is None else thread_time()
            folder = self.folder or current_folder()
            pieces = buffer_pieces(value) if folder is None else [counted(value, folder)[0]]
            length = sum(map(len, pieces))
            if length >= _MOST_BYTES:
                raise ValueError("can not serialize object larger than 2G")
            stream.write(_LENGTH.pack(length))
            for piece in pieces:
                stream.write(piece)
            if seconds is not None:
                seconds.add(thread_time() - started)

    def load_stream(self, stream: Any) -> Generator[Any]:
        """Read records up to the end of the stream."""
        seconds = self._seconds()
        while True:
            started = 0.0 if seconds is None else thread_time()
            start = stream.read(_LENGTH.size)
            if len(start) < _LENGTH.size:
                return
            (length,) = _LENGTH.unpack(start)
            if length == SpecialLengths.END_OF_DATA_SECTION:
                return
            value = None
            if length != SpecialLengths.NULL:
                data = _read(stream, length)
                if len(data) < length:
                    return
                value = value_of(data)
            if seconds is not None:
                seconds.add(thread_time() - started)
            yield value

    def _seconds(self) -> Adds | None:
        """Return what adds up seconds, if somebody counts them."""
        return self.crossing or crossing_here()


def _read(stream: Any, length: int) -> Piece:
    """Read so many bytes; long ones can be written to, as arrays of their own."""
    if length < LEAST_BYTES:
        return stream.read(length)
    data = memoryview(cast(Any, np.empty(length, np.uint8)))
    done = 0
    while done < length and (count := stream.readinto(data[done:])):
        done += count
    return data[:done]


def _writes_for_shuffle() -> bool:
    """Return whether the caller of `dumps` writes for a shuffle."""
    caller = sys._getframe(2)  # pyright: ignore[reportPrivateUsage]
    return caller.f_code.co_name in _WRITERS


def _for_worker(
    in_files: bool, folder: Folder | None, shuffled: Any, crossing: Any
) -> BlockSerializer:
    made = BlockSerializer(in_files)
    made.folder, made.shuffled, made.crossing = folder, shuffled, crossing
    return made
