# What is computed less of: slices of products and folds, and folds of one number.
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import diablo.array as da
from diablo.array.expression_graph import Node, pending
from diablo.array.fold_operations import Contraction, Fold
from diablo.array.graph_rewrites import rewritten

X = np.random.default_rng(0).integers(-4, 5, (20, 30)).astype(np.float64)


def _combined(*arrays: Any) -> list[Any]:
    """Return the shapes of the products and folds that are computed for arrays."""
    roots: list[Node] = [array.node for array in arrays]
    order = rewritten(pending(roots), roots)
    return [node.shape for node in order if isinstance(node.operation, Contraction | Fold)]


SLICES: list[tuple[Callable[[Any], Any], tuple[int, ...]]] = [
    (lambda a: (a.T @ a)[:5, :4], (5, 4)),
    (lambda a: (a.T @ a)[3], (1, 30)),
    (lambda a: (a.T @ a)[2, -1], (1, 1)),
    (lambda a: (2 * (a.T @ a) + 1)[::-7, 3:5], (29, 2)),
    (lambda a: (a.T @ a).T[3:4, None, 20:], (10, 1)),
    (lambda a: (a @ a.T)[5:9][:, :2], (4, 20)),
    (lambda a: a.sum(axis=0)[4:6], (2,)),
    (lambda a: a.max(axis=1, keepdims=True)[3:5], (2, 1)),
]


@pytest.mark.parametrize("number", range(len(SLICES)))
def test_slices_are_those_of_operands(number: int):
    function, shape = SLICES[number]
    assert _combined(function(da.asarray(X))) == [shape]
    np.testing.assert_allclose(function(da.asarray(X)).to_numpy(), function(X))


def test_a_product_that_others_look_at_stays_whole():
    a = da.asarray(X)
    whole = a.T @ a
    part = whole[:5, :5]
    assert _combined(part, whole) == [(30, 30)]
    assert _combined(part + whole.sum()) == [(30, 30), ()]
    da.compute(whole, part)
    np.testing.assert_allclose(part.to_numpy(), (X.T @ X)[:5, :5])
    with (a @ a.T).persist() as kept:
        assert _combined(kept[:2, :2]) == []


def test_what_is_computed_anyway_is_read_as_it_is():
    a = da.asarray(X)
    shared = da.exp(a)
    part = (shared.T @ shared)[:3, :3]
    np.testing.assert_allclose(part.to_numpy(), (np.exp(X).T @ np.exp(X))[:3, :3])
    ordered = (da.sort(a, axis=0).T @ a)[:3, 1:2]
    np.testing.assert_allclose(ordered.to_numpy(), (np.sort(X, axis=0).T @ X)[:3, 1:2])


def test_folds_of_one_number():
    zeros, ones = da.zeros((10**6, 10**6)), da.ones((10**6, 10**6), dtype=da.int8)
    for array, expected in (
        (zeros.sum(), 0.0),
        ((zeros + 2).mean(), 2.0),
        (da.var(zeros * 3 + 1), 0.0),
        (da.max(zeros - 1), -1.0),
        (da.prod(ones), 1),
        (da.sum(ones), 10**12),
        (da.sum(ones, dtype=da.int8), 0),
        (da.all(zeros == 0), True),
        (da.sum(zeros + 1, axis=0)[7], 1e6),
        (da.sum(da.flip((zeros + 1).T)[::2, 1:]), 500_000 * 999_999.0),
        (da.sum(zeros + complex(np.inf, 1)), complex(np.inf, 1e12)),
        (da.prod(da.full((10**12 + 1,), 1j)), 1j),
        (da.sum(da.full((2**40, 2**40), 3, dtype=da.uint64)), 0),
        (da.prod(da.full((2**40, 2**40), -1, dtype=da.int16)), 1),
        (da.sum(da.full((2**40, 2**40), 0.5)), 2.0**79),
    ):
        assert array.to_numpy() == expected
    # Of few elements, of different ones, and of none there is no formula.
    assert _combined(da.ones((3, 3)).sum()) == [()]
    assert _combined((da.ones((300, 300)) * da.arange(300.0)).sum()) == [()]
    assert float(da.ones((0, 10**6)).sum()) == 0
