"""Arrays of which a dimension is made of two of another's, in tiles of any size."""

from __future__ import annotations

import numpy as np
import pytest

from diablo.runtime.engines.local import LocalContext
from diablo.runtime.program import distribute, gather, interleave, joined_axes


@pytest.mark.parametrize("block_size", [None, 1, 2, 3, 7])
def test_interleave(block_size: int | None) -> None:
    a = np.arange(5 * 3 * 4 * 2).reshape(5, 3, 4, 2).astype(float)
    with LocalContext(2) as sc:
        b = interleave(distribute(sc, a, block_size), (3, 2), (15, 8), block_size, 2)
        whole = gather(b, (15, 8), block_size, np.float64)
        c = interleave(distribute(sc, a[..., 0], block_size), (3, 1), (15, 4), block_size, 2)
        part = gather(c, (15, 4), block_size, np.float64)
    np.testing.assert_array_equal(whole, a.reshape(15, 8))
    np.testing.assert_array_equal(part, a[..., 0].reshape(15, 4))


def test_joined_axes() -> None:
    a = np.arange(24).reshape(2, 3, 4)
    np.testing.assert_array_equal(joined_axes(a, (2, 1)), a.reshape(6, 4))
