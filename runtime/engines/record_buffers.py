"""A record as one buffer, of which the arrays of the record are read without being copied.

    pieces = buffer_pieces((coordinates, tile))    # to be written one behind the other
    value_of(b"".join(pieces))                     # a tuple again, whose tile is in the buffer

Pickled by itself an array is copied into the pickle, and out of it. Here long arrays lie behind the
pickle (out of band, protocol 5), where they are when the buffer has been read: what is written is
the memory of the array, and what is read is an array of the buffer. A record without long arrays
is a pickle as any other, which a buffer is told from by its first byte.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Sequence
from typing import Any

from diablo.runtime.engines.block_store import pickled_apart

_MARK = b"\0ARRAYS\0"
"""What a buffer begins with; a pickle begins with another byte."""
_COUNT = struct.Struct("<Q")
_ALIGNMENT = 64

Piece = bytes | memoryview


def buffer_pieces(value: Any) -> Sequence[Piece]:
    """Return the parts of a record's buffer: a pickle, and the memory of its long arrays."""
    head, arrays = pickled_apart(value)
    if not arrays:
        return [head]
    lengths = [len(head), *[array.nbytes for array in arrays]]
    start = b"".join([_MARK, *map(_COUNT.pack, (len(lengths), *lengths))])
    pieces: list[Piece] = [start]
    end = len(start)
    for part in (head, *arrays):
        pieces += [bytes(-end % _ALIGNMENT), part]
        end += -end % _ALIGNMENT + len(part)
    return pieces


def value_of(data: Piece) -> Any:
    """Return the record of a buffer, or of a pickle, whose arrays are as writable as it is."""
    buffer = memoryview(data)
    if bytes(buffer[: len(_MARK)]) != _MARK:
        return pickle.loads(buffer)
    first = len(_MARK) + _COUNT.size
    (count,) = _COUNT.unpack(buffer[len(_MARK) : first])
    end = first + count * _COUNT.size
    lengths = [length for (length,) in _COUNT.iter_unpack(buffer[first:end])]
    parts: list[memoryview] = []
    for length in lengths:
        end += -end % _ALIGNMENT
        parts.append(buffer[end : end + length])
        end += length
    head, *arrays = parts
    return pickle.loads(head, buffers=arrays)
