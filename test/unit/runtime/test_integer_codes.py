"""Codes and orders of keys of every integer type, those at its limits included."""

from __future__ import annotations

import numpy as np
import pytest

from diablo.runtime.ordering import ascending_order, encode, encode_pair
from diablo.scalar_table import SCALARS

DTYPES = [row.dtype for row in SCALARS if row.is_integer]


@pytest.mark.parametrize("dtype", DTYPES)
def test_codes_stand_for_keys_at_the_limits(dtype: str) -> None:
    limits, rng = np.iinfo(dtype), np.random.default_rng(1)
    middle = limits.max // 2
    for low, high in (
        (limits.max - 5, limits.max),
        (limits.min, limits.min + 5),
        (middle - 3, middle + 3),
        (limits.min, limits.max),
    ):
        keys = rng.integers(low, high, 20, dtype, endpoint=True)
        others = rng.integers(0, 3, 20)
        codes = encode([keys, others])
        assert codes.codes.dtype == np.int64
        known = codes.keys(codes.codes, [keys, others])
        if known is not None:
            assert known[0].dtype == keys.dtype
            np.testing.assert_array_equal(known[0], keys)
            np.testing.assert_array_equal(known[1], others)
        for columns in ([keys], [keys, others]):
            np.testing.assert_array_equal(keys[ascending_order(columns)], np.sort(keys))
        left, right, _ = encode_pair([keys[:10]], [keys[10:]])
        np.testing.assert_array_equal(left[:, None] == right, keys[:10, None] == keys[10:])
