# Persisted arrays: read by every expression of them, and let go when they are closed.
import tracemalloc
from typing import Any

import numpy as np
import pytest

import diablo.array as da
from diablo.runtime.arrays import memory

SIZE = 1 << 18


def _counted(calls: list[int]) -> Any:
    """An array of ones that notes each time that it is computed."""
    from diablo.array.driver_operations import called

    def made(x: Any) -> Any:
        calls.append(1)
        return x + 1

    source = da.asarray(np.zeros(SIZE))
    return da.Array(called(made, (source.node,), source.shape, source.dtype))


def test_expressions_read_what_is_persisted():
    calls: list[int] = []
    a = _counted(calls)
    before = a * 2
    with a.persist() as kept:
        assert float((kept * 3).sum()) == 3 * SIZE
        assert float(before.sum()) == 2 * SIZE
        assert float(a.max()) == 1
        assert len(calls) == 1
    assert kept.is_closed
    assert not a.is_computed
    assert float((kept + 1).sum()) == 2 * SIZE  # It is computed again.
    assert len(calls) == 2


def _bytes() -> int:
    return tracemalloc.get_traced_memory()[0] + memory.statistics().used


def _persist_and_close(engine: Any) -> tuple[int, int, Any]:
    """Return the bytes taken before it is closed, those after, and a part that is left."""
    a = da.sqrt(da.asarray(np.ones(SIZE)) + 1)
    memory.clear()
    before = _bytes()
    kept = a.persist(engine=engine)
    part = kept[::2].compute()
    float(kept.sum())
    during = _bytes()
    kept.close()
    return during - before, _bytes() - before, part


@pytest.mark.parametrize("engine", [None, "local"])
def test_memory_is_let_go_when_it_is_closed(engine: Any):
    _persist_and_close(engine)  # What is loaded and compiled is taken once.
    tracemalloc.start()
    try:
        during, after, part = _persist_and_close(engine)
    finally:
        tracemalloc.stop()
    assert during >= 8 * SIZE + part.nbytes
    assert part.nbytes <= after < part.nbytes + 200_000  # A view that was computed is a copy.
    assert memory.statistics().waiting == 0
    assert float(part.sum()) == pytest.approx(np.sqrt(2) * SIZE / 2)


def test_it_is_kept_as_long_as_somebody_persists_it():
    calls: list[int] = []
    a = _counted(calls)
    one, other = a.persist(), a.persist()
    one.close()
    one.close()
    assert other.is_computed
    assert float(other.sum()) == SIZE
    other.close()
    assert not a.is_computed
    assert len(calls) == 1


def test_what_was_there_stays():
    x = np.arange(3.0)
    a = da.asarray(x)
    a.persist().close()
    assert a.to_numpy().base is x
    b = (a + 1).compute()
    with b.persist():
        pass
    assert b.is_computed


def test_what_cannot_be_computed_is_not_persisted():
    bad = da.linalg.cholesky(da.asarray(-np.eye(2)))
    with pytest.raises(np.linalg.LinAlgError):
        bad.persist()
    assert not bad.is_computed
    with pytest.raises(np.linalg.LinAlgError):
        bad.to_numpy()


def test_assignments_leave_what_is_persisted():
    a = da.asarray(np.zeros(4)) + 1
    with a.persist() as kept:
        a[0] = 9
        assert kept.tolist() == [1, 1, 1, 1]
        assert a.tolist() == [9, 1, 1, 1]


def _sparse(n: int = 1 << 12) -> Any:
    rng = np.random.default_rng(0)
    shape = (n, 64)
    made = [
        da.sparse((rng.integers(0, [[n], [64]], (2, n)), np.ones(n)), shape=shape) for _ in "ab"
    ]
    return made[0] + made[1]


@pytest.mark.parametrize("part", [slice(None), (slice(None), slice(None, None, 2))])
def test_sparse_arrays_are_kept_until_they_are_closed(part: Any):
    joint = _sparse()[part]
    before = joint * 2
    total = float(_sparse()[part].sum())
    tracemalloc.start()
    try:
        begin = _bytes()
        kept = joint.persist()
        during = _bytes()
        assert kept.is_computed
        assert float(before.sum()) == float((kept * 2).T.sum()) == 2 * total
        kept.close()
        after = _bytes()
    finally:
        tracemalloc.stop()
    assert during - begin >= 8 * kept.nnz
    assert after - begin < 8 * kept.nnz
    assert kept.is_closed


def test_what_is_persisted_is_read_by_functions_of_it(monkeypatch: pytest.MonkeyPatch):
    from diablo.array import sparse_expressions

    joint = _sparse(64)
    before, total = joint * 2 + joint, float(_sparse(64).sum())
    with joint.persist() as kept, joint.persist():
        monkeypatch.setattr(sparse_expressions, "by_patterns", None)  # Nothing is united again.
        assert float(before.sum()) == 3 * total
        kept.close()
        assert joint.is_computed  # Another one persists it.
    assert not joint.is_computed


def test_block_matrices_are_kept_until_they_are_closed():
    import diablo.blocks as blocks

    x = np.arange(240_000.0).reshape(600, 400)
    matrix = (blocks.from_numpy(x, block_size=128) + 1).sparsify_triangle(blocks_only=True)
    product = matrix.T @ matrix
    float(matrix.sum())
    tracemalloc.start()
    try:
        begin = _bytes()
        kept = matrix.persist()
        assert _bytes() - begin >= 8 * 128 * 128
        part = kept[:2, :].to_numpy()
        with matrix.persist():
            kept.close()
            assert matrix.node.stored is not None
        assert _bytes() - begin < part.nbytes + 100_000
    finally:
        tracemalloc.stop()
    assert kept.is_closed
    assert matrix.node.stored is None
    np.testing.assert_array_equal(part, x[:2] + 1)
    np.testing.assert_allclose(product[:1, :1].to_numpy(), ((x[:128, 0] + 1) ** 2).sum())
    stays = (matrix + 1).compute()
    stays.persist().close()
    assert stays.node.stored is not None
