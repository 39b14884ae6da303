"""When kernels over sparse tiles become machine code."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import diablo
from diablo.runtime.kernels import compiled_sparse
from diablo.runtime.native import work_seen

TEXT = """
input S: matrix[Double]; input x: vector[Double];
tensor*(S.rows)[ (i, +/[ S[i,j]*x[j] | j <- 0..S.cols-1, j != i ]) | i <- 0..S.rows-1 ]
"""


def test_stored_elements_repay_compiling_sooner_than_points(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """NumPy takes longer for a stored element than for a point of a dense array."""
    monkeypatch.setenv("DIABLO_COMPILE", "auto")
    compiled: list[str] = []
    machine_code = compiled_sparse.machine_code

    def noted(identity: str, text: Any) -> Any:
        compiled.append(identity)
        return machine_code(identity, text)

    monkeypatch.setattr(compiled_sparse, "machine_code", noted)
    n = 1 << 10
    stored = work_seen.WORTH_COMPILING // compiled_sparse.COST // 2
    generator = np.random.default_rng(1)
    places = generator.choice(n * n, stored, replace=False)
    at = tuple(part.astype(np.int32) for part in np.divmod(places, n))
    S = scipy.sparse.csr_array((generator.random(stored), at), shape=(n, n))
    x = generator.random(n)
    program = diablo.compile(TEXT)
    wanted = S @ x - S.diagonal() * x
    seen: list[int] = []
    for _ in range(3):
        np.testing.assert_allclose(program(S=S, x=x).to_numpy(), wanted)
        seen.append(len(compiled))
    assert seen == [0, 1, 1]
