# What functions of sparse arrays take of memory: as much as what is stored, whatever the shape.
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import diablo.array as da
from diablo.array.elementwise_operations import ELEMENTWISE
from diablo.array.sparse_namespace import LINALG, NAMESPACE

LONG = 10**9
MOST = 1 << 25


def _few(*shape: int, dtype: Any = float) -> Any:
    rng = np.random.default_rng(1)
    places = np.stack([rng.integers(0, extent, 8) for extent in shape])
    return da.sparse((places, np.arange(1, 9).astype(dtype)), shape=shape)


S, T = _few(LONG, LONG), _few(LONG, LONG).T
VECTOR, CUBE = _few(LONG), _few(10**6, 10**6, 10**6)

FOLDS = ("sum", "prod", "max", "min", "any", "all", "mean", "argmax", "argmin", "count_nonzero")
SPREADS = ("std", "var", "nanstd", "nanvar")
NAN_FOLDS = ("nansum", "nanprod", "nanmax", "nanmin", "nanmean")
SUBSCRIPTS = (
    "ij,jk->ik",
    "ij,ij->i",
    "ij,kj->ik",
    "ij->ji",
    "ij->",
    "ii->i",
    "ij,jk->",
    "ij,ik->jk",
)

CALLS: dict[str, list[Callable[[Any], Any]]] = {
    **{
        name: [
            lambda f: f(S, axis=0),
            lambda f: f(S, axis=1),
            lambda f: f(S + 1),
            lambda f: f(CUBE, axis=1),
        ]
        for name in (*FOLDS, *SPREADS, *NAN_FOLDS, "nanargmax", "nanargmin")
    },
    "nanreduce": [lambda f: f(S, np.add, axis=0)],
    "reduce": [lambda f: f(S, np.add, axis=0)],
    "nonzero": [lambda f: f(S)[0]],
    "argwhere": [lambda f: f(S)],
    "astype": [lambda f: f(S, np.float32)],
    "broadcast_arrays": [lambda f: f(S, 2)[1]],
    "broadcast_to": [lambda f: f(_few(1, 8, 1), (1, 8, 8))],
    "can_cast": [lambda f: f(S, np.float32)],
    "clip": [lambda f: f(S, 0, 2), lambda f: f(S, 1, 2)],
    "concat": [lambda f: f([S, T]), lambda f: f([S, T], axis=1), lambda f: f([S, T], axis=None)],
    "diagonal": [lambda f: f(S), lambda f: f(S, offset=-7)],
    "diagonalize": [lambda f: f(VECTOR)],
    "diff": [lambda f: f(S), lambda f: f(S, axis=0, n=2)],
    "dot": [lambda f: f(S, T), lambda f: f(S, VECTOR)],
    "einsum": [
        *[lambda f, e=e: f(e, *[S, T][: 1 + e.count(",")]) for e in SUBSCRIPTS],
        lambda f: f("i,ij->ij", VECTOR, S),
        lambda f: f("ijk,ijk->i", CUBE, CUBE),
    ],
    "expand_dims": [lambda f: f(S, axis=1)],
    "flip": [lambda f: f(S), lambda f: f(S, axis=0)],
    "isneginf": [lambda f: f(S)],
    "isposinf": [lambda f: f(S)],
    "kron": [lambda f: f(CUBE[0, : 10**4, : 10**4], CUBE[1, : 10**5, : 10**4])],
    **{name: [lambda f: f(S)] for name in ("empty_like", "ones_like", "zeros_like")},
    "full_like": [lambda f: f(S, 3)],
    "matmul": [
        lambda f: f(S, T),
        lambda f: f(S, S.T),
        lambda f: f(VECTOR, S),
        lambda f: f(S, VECTOR),
        lambda f: f(_few(100, 10**5, 10**5), _few(100, 10**5, 10**5)),
    ],
    "matrix_transpose": [lambda f: f(CUBE) + 0],
    "moveaxis": [lambda f: f(CUBE, 0, 2)],
    "outer": [lambda f: f(VECTOR, VECTOR)],
    "pad": [lambda f: f(S, 2)],
    "permute_dims": [lambda f: f(CUBE, (2, 0, 1))],
    "transpose": [lambda f: f(CUBE, (2, 0, 1))],
    "pow": [lambda f: f(S, 2)],
    "repeat": [lambda f: f(S, 3, axis=0), lambda f: f(S, 3, axis=1)],
    "reshape": [lambda f: f(S, (LONG**2,)), lambda f: f(CUBE, (10**3, 10**3, -1))],
    "result_type": [lambda f: f(S, T)],
    "roll": [lambda f: f(S, 3), lambda f: f(S, (3, 4), axis=(0, 1))],
    "round": [lambda f: f(S)],
    "sort": [lambda f: f(S, axis=0), lambda f: f(S, descending=True)],
    "split": [lambda f: f(S, 10)[3], lambda f: f(S, 10, axis=1)[3]],
    "squeeze": [lambda f: f(S[None], axis=0)],
    "stack": [lambda f: f([S, T]), lambda f: f([S, T], axis=2)],
    "take": [lambda f, k=k: f(S, np.asarray([1, 5]), axis=k) for k in (0, 1)],
    "tensordot": [
        lambda f: f(S, T, axes=((0,), (1,))),
        lambda f: f(S, T, axes=2),
        lambda f: f(VECTOR, VECTOR, axes=0),
    ],
    "tile": [lambda f: f(S, (2, 3)), lambda f: f(S, 3)],
    "trace": [lambda f: f(S)],
    "tril": [lambda f: f(S), lambda f: f(CUBE)],
    "triu": [lambda f: f(S, k=5)],
    "unique_counts": [lambda f: f(S)[0]],
    "unique_values": [lambda f: f(S)],
    "unstack": [lambda f: f(_few(100, LONG))[3]],
    "vecdot": [lambda f: f(S, T), lambda f: f(S, T, axis=0)],
    "where": [lambda f: f(S > 0, S, T), lambda f: f(S > 1, S, 0)],
    "vector_norm": [
        lambda f: f(S, axis=1),
        lambda f: f(S, axis=0, ord=1),
        lambda f: f(S, ord=np.inf),
        lambda f: f(S, axis=0, ord=0),
    ],
    "matrix_norm": [lambda f, o=o: f(S, ord=o) for o in ("fro", 1, np.inf, -1)],
}

PLACES: dict[str, Callable[[], Any]] = {
    "a row": lambda: S[3],
    "a column": lambda: S[:, 3],
    "steps": lambda: S[::2, ::-3],
    "from on": lambda: S[5:, 7:],
    "rows": lambda: S[[1, 2]],
    "columns": lambda: S[:, [1, 2]],
    "elements": lambda: S[[1, 2], [3, 4]],
    "a mask": lambda: S[S > 2],
    "the first of all rows": lambda: next(iter(S)),
    "a new axis": lambda: S[:, None],
    "of a cube": lambda: CUBE[:, [1, 2], [3, 4]],
    "rows that are repeated": lambda: S * VECTOR + VECTOR[:, None] * T,
    "a chain": lambda: ((S + T) * S - T.T).sum(axis=1),
}


def _peak(call: Callable[[], Any]) -> int:
    """Return how many bytes more there were at most."""
    tracemalloc.start()
    try:
        found = call()
        if isinstance(found, da.SparseArray):
            found.compute()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_every_function_is_looked_at():
    assert {*NAMESPACE, *LINALG} - {*CALLS} == set()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", {**NAMESPACE, **LINALG})
def test_functions_take_no_more_than_what_is_stored(name: str):
    function = NAMESPACE.get(name) or LINALG[name]
    peaks = [_peak(lambda call=call: call(function)) for call in CALLS[name]]
    assert max(peaks) < MOST


UFUNCS = [
    name for name in ELEMENTWISE if isinstance(getattr(np, name), np.ufunc) and name != "isnat"
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", UFUNCS)
def test_functions_of_elements_take_no_more_than_what_is_stored(name: str):
    function = getattr(np, name)
    for dtypes in ((float, float), (np.int64, np.int64), (float, np.int64)):
        try:
            function(*[np.ones(1, dtype) for dtype in dtypes[: function.nin]])
        except TypeError:  # It has no elements of that type.
            continue
        given = [_few(LONG, LONG, dtype=dtype) for dtype in dtypes[: function.nin]]
        given = [given[0], *[each.T for each in given[1:]]]
        assert _peak(partial(function, *given)) < MOST
        return
    pytest.fail("it has no elements of any type")


@pytest.mark.parametrize("name", PLACES)
def test_places_take_no_more_than_what_is_stored(name: str):
    assert _peak(PLACES[name]) < MOST
