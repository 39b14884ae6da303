# Lazy arrays made of where their elements are: functions of indices, random numbers, windows.
from typing import Any

import numpy as np
import pytest

import diablo.array as da

ENGINES: list[Any] = [{}, {"engine": "local"}, {"engine": "local", "block_size": 3}]


@pytest.mark.parametrize("options", ENGINES)
def test_functions_of_indices(options: Any):
    made = da.from_function(lambda i, j: da.sin(i) * j + 1, (7, 9)).compute(**options)
    np.testing.assert_allclose(
        made.to_numpy(), np.fromfunction(lambda i, j: np.sin(i) * j + 1, (7, 9))
    )
    assert da.from_function(lambda i: 2, (3,), dtype=da.float32).dtype == np.float32
    with pytest.raises(ValueError, match="cannot be broadcast"):
        da.from_function(lambda i: da.ones(4), (3,))


def test_indices_take_no_room():
    text = da.explain(da.sum(da.arange(1000) * da.eye(1000)[3]), level="tensor_block")
    assert text.count("tensor_block.reduce") == 1
    assert "tensor_block.map" not in text
    triangle = da.explain(da.sum(da.tril(da.asarray(np.ones((9, 9))))), level="tensor_block")
    assert "tensor_block.map" not in triangle


@pytest.mark.parametrize("options", ENGINES)
@pytest.mark.parametrize("shape", [(4, 6), (6, 4), (1, 3), (0, 3)])
@pytest.mark.parametrize("k", [0, 2, -1])
def test_triangles_and_diagonals(shape: tuple[int, int], k: int, options: Any):
    x = np.random.default_rng(1).random(shape)
    lazy = [da.tril(da.asarray(x), k=k), da.triu(da.asarray(x), k=k), da.eye(*shape, k=k)]
    da.compute(*lazy, **options)
    for found, expected in zip(
        lazy, (np.tril(x, k), np.triu(x, k), np.eye(*shape, k=k)), strict=True
    ):
        np.testing.assert_array_equal(found.to_numpy(), expected)


@pytest.mark.parametrize("given", [(5,), (2, 9, 3), (9, 2, -2), (0.0, 1.0, 0.1), (-3, 3), (0,)])
@pytest.mark.parametrize("dtype", [None, "float32", "int32", "int8", "complex64"])
def test_ranges(given: Any, dtype: Any):
    numbers: Any = np.arange
    expected = numbers(*given, dtype=dtype)
    for options in ENGINES[:2]:
        found = da.arange(*given, dtype=dtype).compute(**options).to_numpy()
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: rng.random((7, 11)),
        lambda rng: rng.normal(2.0, [1.0, 3.0], size=(5, 2)),
        lambda rng: rng.uniform(-1, 1, (4, 4)),
        lambda rng: rng.exponential(2.0, 20),
        lambda rng: rng.integers(3, 9, (6, 6)),
    ],
)
def test_random_numbers_are_those_of_seed_and_place(draw: Any):
    whole = draw(da.random.default_rng(5)).to_numpy()
    for options in ENGINES:
        again = draw(da.random.default_rng(5)).compute(**options).to_numpy()
        np.testing.assert_allclose(again, whole, rtol=1e-12)
    part = draw(da.random.default_rng(5))[::-2]
    np.testing.assert_allclose(part.to_numpy(), whole[::-2], rtol=1e-12)
    assert not np.array_equal(draw(da.random.default_rng(6)).to_numpy(), whole)


def test_each_call_has_other_random_numbers():
    rng = da.random.default_rng(1)
    one, other = rng.random(1000), rng.random(1000)
    assert abs(np.corrcoef(one.to_numpy(), other.to_numpy())[0, 1]) < 0.1
    assert 0.45 < float(one.mean()) < 0.55
    assert sorted(rng.permutation(9).tolist()) == list(range(9))
    with pytest.raises(ValueError, match="integers to choose among"):
        rng.integers(5, 5)


@pytest.mark.parametrize("options", ENGINES)
def test_windows(options: Any):
    x = np.random.default_rng(2).random((6, 5))
    a = da.asarray(x)
    moved = np.full_like(x, 7)
    moved[1:, :-2] = x[:-1, 2:]
    for lazy, expected in (
        (da.translate(a, (1, -2), fill_value=7), moved),
        (da.pad(a, ((1, 0), (0, 2))), np.pad(x, ((1, 0), (0, 2)))),
        (da.pad(da.exp(a), 1, fill_value=-1), np.pad(np.exp(x), 1, constant_values=-1)),
        (da.translate(a, (9, 0)), np.zeros_like(x)),
        (da.sum(da.translate(a, (0, 1)) * a, axis=1), (x[:, :-1] * x[:, 1:]).sum(axis=1)),
        (da.translate(a, (-2, 0))[5, 0], np.asarray(0.0)),
        (da.pad(a[:, :1], ((0, 0), (1, 1))), np.pad(x[:, :1], ((0, 0), (1, 1)))),
        (da.pad(a + 1, ((0, 3), (0, 0)))[5:, 0], np.pad(x + 1, ((0, 3), (0, 0)))[5:, 0]),
    ):
        np.testing.assert_allclose(lazy.compute(**options).to_numpy(), expected)
    with pytest.raises(ValueError, match="3 numbers are given for 2 axes"):
        da.translate(a, (1, 2, 3))
    with pytest.raises(ValueError, match="not negative"):
        da.pad(a, -1)


def test_windows_are_read_through():
    a = da.asarray(np.ones((20, 30)))
    text = da.explain(da.sum(da.translate(a, (1, 0)) * a), level="tensor_block")
    assert text.count("tensor_block.reduce") == 1
    assert "tensor_block.map" not in text


def test_parts_put_together_again_are_views():
    x = np.random.default_rng(3).random((6, 5, 4))
    a = da.asarray(x)
    for axis in range(3):
        parts = da.unstack(a, axis=axis)
        for to in range(3):
            found = da.stack(parts, axis=to).to_numpy()
            assert np.shares_memory(found, x)
            np.testing.assert_array_equal(found, np.moveaxis(x, axis, to))
        pieces = da.split(a, [1, 3], axis=axis)
        assert np.shares_memory(da.concat(pieces, axis=axis).to_numpy(), x)
    for lazy, expected in (
        (da.concat([a[:2], a[3:]]), np.concatenate([x[:2], x[3:]])),
        (da.stack([a[0], a[0]]), np.stack([x[0], x[0]])),
        (da.stack([a[0], a[1], a[3]]), np.stack([x[0], x[1], x[3]])),
        (da.concat([a[:2], a[:2]]), np.concatenate([x[:2], x[:2]])),
    ):
        np.testing.assert_array_equal(lazy.to_numpy(), expected)
        assert not np.shares_memory(lazy.to_numpy(), x)
    with pytest.raises(ValueError, match="4 equal parts"):
        da.split(a, 4)
