"""Records as buffers, of which their arrays are a part."""

from __future__ import annotations

import pickle
from io import BytesIO
from typing import Any

import numpy as np
import pytest

from diablo.runtime.engines.block_serializer import BlockSerializer
from diablo.runtime.engines.block_store import LEAST_BYTES
from diablo.runtime.engines.record_buffers import buffer_pieces, value_of

LONG = np.arange(LEAST_BYTES, dtype=np.float64)


def test_long_arrays_are_not_copied():
    record = [((0, 1), LONG.reshape(-1, 256).T, np.arange(3), "tile")]
    pieces = buffer_pieces(record)
    memory = [piece for piece in pieces if isinstance(piece, memoryview)]
    assert [np.shares_memory(np.frombuffer(piece), LONG) for piece in memory] == [True]
    data = bytearray(b"".join(pieces))
    ((key, tile, few, text),) = value_of(data)
    assert (key, few.tolist(), text) == ((0, 1), [0, 1, 2], "tile")
    np.testing.assert_array_equal(tile, record[0][1])
    assert np.shares_memory(tile, np.frombuffer(data, np.uint8))
    assert tile.flags.writeable
    assert tile.flags.aligned


def test_several_arrays_lie_at_aligned_places():
    record = (LONG[1:], LONG.astype(np.int8), LONG.astype(np.complex64))
    data = np.empty(sum(map(len, buffer_pieces(record))), np.uint8)
    data[:] = np.frombuffer(b"".join(buffer_pieces(record)), np.uint8)
    for found, expected in zip(value_of(memoryview(data)), record, strict=True):
        np.testing.assert_array_equal(found, expected)
        assert found.dtype == expected.dtype
        assert (found.ctypes.data - data.ctypes.data) % 64 == 0


@pytest.mark.parametrize("record", [None, [("a", 1.5)], np.arange(4), np.array(["a", None])])
def test_what_has_no_long_array_is_a_pickle(record: Any):
    (data,) = buffer_pieces(record)
    assert repr(pickle.loads(data)) == repr(value_of(data)) == repr(record)


def test_streams_of_records():
    """What is written is read again, one by one, up to the end; a plain pickle is read as well."""
    serializer = BlockSerializer(in_files=False)
    records = [LONG, (1, "a"), [LONG[:5], LONG + 1]]
    stream = BytesIO()
    serializer.dump_stream(iter(records), stream)
    plain = pickle.dumps(LONG)
    stream.write(len(plain).to_bytes(4, "big") + plain)
    stream.seek(0)
    found = list(serializer.load_stream(stream))
    assert len(found) == 4
    for array, expected in ((found[0], LONG), (found[2][1], LONG + 1), (found[3], LONG)):
        np.testing.assert_array_equal(array, expected)
    assert found[1] == (1, "a")
    np.testing.assert_array_equal(serializer.loads(serializer.dumps(LONG)), LONG)


def test_a_stream_ends_where_it_is_cut():
    serializer = BlockSerializer(in_files=False)
    stream = BytesIO()
    serializer.dump_stream([1, LONG], stream)
    for length in (len(stream.getvalue()) - 1, 2):
        assert list(serializer.load_stream(BytesIO(stream.getvalue()[:length]))) in ([1], [])
