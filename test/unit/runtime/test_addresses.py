"""Where arrays lie in memory: what is read of them is what NumPy says."""

import numpy as np
import pytest

from diablo.runtime.arrays import memory
from diablo.runtime.native import addresses
from diablo.runtime.native.addresses import address_of


@pytest.mark.parametrize("is_read", [True, False])
def test_addresses_are_those_that_numpy_says(is_read: bool, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(addresses, "_IS_READ", is_read)
    whole = np.arange(24.0).reshape(4, 6)
    frozen = np.frombuffer(b"some bytes", np.uint8)
    pooled = memory.empty((1 << 16,), np.dtype(np.float64))
    given = [whole, whole[1:, 2:], whole[::-1], whole.T, whole[:0], np.array(3.0), frozen, pooled]
    for array in [*given, np.ma.array(whole, mask=whole > 3).data, np.zeros(2, "i4,f8")]:
        assert address_of(array) == array.__array_interface__["data"][0]
