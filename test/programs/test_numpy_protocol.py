"""Lazy arrays under NumPy's functions and methods: with all options they do what NumPy's do.

A case is a few statements with `m`, which makes an array, and `x`, some numbers; what it leaves in
`r` is compared, and the class of the error if there is one.
"""

import copy
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import diablo.array as da

X = np.array([1.0, 2.0, 3.0, 4.0])

OPTIONS = """
a = m(x); np.multiply(a, 2, out=a, where=a > 2.5); r = a
r = np.add.reduce(m(x), where=m(x) > 1.5)
o = np.zeros(4); np.divide(1, m(x), out=o, where=m(x) > 1); r = o
o = m(x); np.sqrt(m(x), out=o, where=x > 2.5); r = o
o = m([1, 2, 3]); np.add(o, 0.5, out=o)
o = m([1, 2, 3]); o += 0.5
o, p = m(x), m(x); np.modf(m(x) / 3, out=(o, p)); r = o, p
o, p = m(x), m(x); np.divmod(m(x), 2, out=(o, p)); r = o, p
o = m(0.0); np.sum(m(x), out=o); r = o
o = m(0.0); m(x).sum(out=o); r = o
o = m(x); np.cumsum(m(x), out=o); r = o
o = m(x); p = np.add(m(x), 1, out=o); r = o, p is o
o = m(np.zeros((2, 4))); r = np.add(m(x), 1, out=o)
o = m(np.zeros((3, 4))); r = np.add(m(np.ones((2, 4))), 1, out=o)
o = np.zeros(4); np.sin(m(x), out=o); r = o
o = m(np.zeros((2, 2))); np.matmul(m(np.eye(2)), m(np.eye(2)), out=o); r = o
o = m(np.zeros(8)); np.concatenate([m(x), m(x)], out=o); r = o
a = m(x); np.clip(a, 1.5, 2.5, out=a); r = a
r = np.mean(m(x), out=m(0.0))
r = np.add(m(x), m(x), dtype="f4"), np.add(m(x), 1, where=np.array([True] * 4))
r = np.mean(m(x), where=m(x) > 2), np.std(m(x), where=x > 2), np.max(m(x), initial=9)
r = np.add.reduce(m(3.0)), np.add.reduce(m(np.ones((2, 3)))), np.add.reduce(m(x), axis=None)
r = np.add.accumulate(m(x)), np.multiply.outer(m(x), m(x)), np.add.reduceat(m(x), [0, 2])
r = np.ldexp(m(x), 2), np.frexp(m(x))[1]
r = np.frexp(m(x))
o = np.zeros(()); p = np.sum(m(x), out=o); r = o, p is o
o = np.zeros(4); np.add(m(x), 1, out=o); np.cumsum(m(x), out=o); r = o
o = np.zeros(4); np.sum(m(np.ones((2, 4))), axis=0, out=o); r = o
o = m(np.zeros(4)); np.sum(m(np.ones((2, 4))), 0, None, o); r = o
o = m(np.zeros(4)); m(np.ones((2, 4))).sum(0, None, o); m(x).clip(2, 3, o); r = o
o = m(np.zeros(4)); np.round(m(x) / 3, 1, o); r = o
o = m(np.zeros((2, 2))); np.dot(m(np.eye(2)), m(np.eye(2)), o); r = o
"""
WRITERS = """
a = m(np.eye(3)); np.fill_diagonal(a, 5); r = a
a = m(x); np.copyto(a, 7, where=x > 2); r = a
a = m(x); np.put(a, [0, 1], [9, 8]); r = a
a = m(x); np.place(a, a > 2, [9, 8]); r = a
a = m(x); np.putmask(a, a > 2, [9, 8, 7, 6]); r = a
a = m(x); np.put_along_axis(a, np.array([1]), 9, 0); r = a
a = m(x); np.add.at(a, [0, 0], 1); r = a
a = m(x); np.copyto(dst=a, src=1); r = a
a = m(np.eye(3)); np.fill_diagonal(a=a, val=5); r = a
a = m([1.0, np.nan]); np.nan_to_num(a, copy=False); r = a
a = m([3.0, 1.0, 2.0]); a.sort(); r = a
a = m([3.0, 1.0, 2.0]); a.fill(3); r = a
a = m([3.0, 1.0, 2.0]); a.put([0], [7]); a.partition(1); r = a
"""
METHODS = """
a = m(x) / 3; r = a.round(), a.round(2), a.round(decimals=1), a.round(-1), a.take(3)
r = m([15, 25]).round(-1), m([1 + 2.55j]).round(1), m(x).round(400)
np.pad(m([1, 2]), 1, constant_values=np.nan)
a = m(x); r = a.mean(dtype="f4"), a.std(0, None, None, 1), a.sum(where=a > 2)
a = m(np.arange(6.0).reshape(2, 3)); r = a.reshape((3, 2), order="F"), a.ravel("F"), a.flatten("F")
a = m(np.eye(2)); r = a.astype("f4", order="F", casting="same_kind"), a.max(initial=9, where=a > 9)
a = m(np.eye(2)); r = a.copy("C"), a.T.flatten(), a.itemsize, [*a.flat]
a = m([3.0, 1.0, 2.0]); r = a.argsort(), a.argpartition(1), a.compress([True, False, True])
a = m([3.0, 1.0, 2.0]); r = a.searchsorted(2.5), a.repeat(2), a.conjugate(), a.dot(a)
a = m(np.eye(3)); r = a.diagonal(), a.trace(), a.swapaxes(0, 1), a.squeeze(), a.clip(max=0.5)
a = m(np.eye(3)); r = a.cumsum(axis=0), a.cumprod(), a.argmin(axis=1), a.prod(), a.var(ddof=1)
r = np.frombuffer(m(x).tobytes())
r = m([1, 0, 2]).choose([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
a = m(np.ones((2, 3, 4))); r = a.transpose(2, 0, 1), a.transpose((1, 0, 2)), a.transpose(None)
m(x).sum(axis="x")
m(x).reshape(3)
m(x).resize_all()
"""
OPERANDS = """
a = m(np.array([1, 2, 3], "u1")); r = a == 300, a < 300, a > -1, a != 300, 300 > a, a == 2
a = m(np.array([1, 2, 3])); r = a < 2**63, a > -(2**70), np.equal(a, 2**64)
a = m(np.array([1, 2, 3], "u1")); r = a + 300
a = m(x); r = a == [1, 2, 3, 4], a + [1, 2, 3, 4], a * (1, 2, 3, 4), [1, 2, 3, 4] - a
a = m(x); r = (1, 2, 3, 4) ** a, a @ [1, 2, 3, 4], [1, 1, 1, 1] @ a, a < [2, 2, 2, 2]
r = [type(v) for v in m(x)] == [np.float64] * 4, [v for v in m(x)], [v for v in m(np.eye(2))][0]
"""
PLACES = """
a = m([1.0, 2.0, 3.0]); a[1] = [2.0]
a = m(np.zeros((2, 3))); a[1, 1] = m(np.array([3.0]))
a = m(np.zeros((2, 3))); a[1, 1, ...] = m(np.array([3.0])); r = a
a = m([1.0, 2.0, 3.0]); a[0:2] = [1, 2, 3]
a = m([1.0, 2.0, 3.0]); a[[0, 5]] = 1
a = m([1.0, 2.0, 3.0]); a[m([0, -4])] = 1
a = m(np.zeros((2, 3))); a[:, [0, 3]] = 1
a = m(np.zeros((2, 3))); a[[0, 1], [1, 2]] = [1, 2]; a[:, [0, 2]] = [[1], [2]]; a[..., 0] = 9; r = a
a = m(np.zeros((2, 3))); a[[0, 1], [1, 2]] = [1, 2, 3]
a = m(x); a[x > 2] = [1, 2, 3]
a = m(x); a[a > 2] = [1, 2]; r = a
a = m(np.zeros((1, 4))); a[..., [5]] = 1
a = m(np.zeros((1, 4))); a[..., [2]] = 1; a[None, :, [3]] = 2; r = a
a = m(np.zeros((2, 3))); a[[0, 1], [False, True, False]] = 1; r = a
a = m(np.zeros((2, 3))); a[[0, 1, 1], [False, True, True]] = 1
a = m(np.zeros((2, 3))); a[np.ones((2, 3), bool)] = np.ones((2, 3))
a = m(np.zeros((2, 3))); a[[True, False], :] = np.ones((2, 3))
"""
CASES = [
    line
    for text in (OPTIONS, WRITERS, METHODS, OPERANDS, PLACES)
    for line in text.split("\n")
    if line
]


@pytest.mark.parametrize("case", CASES)
def test_they_do_what_numpys_do(case: str):
    def lazy(value: Any) -> da.Array:
        return da.asarray(np.array(value))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected, found = outcome(case, np.array), outcome(case, lazy)
    if isinstance(expected, Exception):
        assert isinstance(found, Exception), found
        kinds = {type(expected), *type(expected).__mro__}
        assert type(found) in kinds - {Exception, BaseException, object}, found
        return
    assert not isinstance(found, Exception), found
    for one, other in zip(expected, found, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(other, one, rtol=1e-14)


def outcome(case: str, make: Callable[..., Any]) -> list[np.ndarray] | Exception:
    """Return the arrays that a case leaves, or its error."""
    names: dict[str, Any] = {"np": np, "x": X.copy(), "m": make}
    try:
        exec("; ".join(case.split("; ")), names)
        results: Any = names.get("r", ())
        several: list[Any] = [*results] if isinstance(results, list | tuple) else [results]
        return [np.asarray(result) for result in several]
    except Exception as error:
        return error


COPIES: list[Callable[[Any], Any]] = [
    lambda a: a.copy(),
    lambda a: da.asarray(a, copy=True),
    np.copy,
    copy.copy,
    copy.deepcopy,
]


@pytest.mark.parametrize("copies", COPIES)
def test_a_copy_stays_when_the_original_changes(copies: Callable[[Any], Any]):
    x = X.copy()
    a = da.asarray(x)
    parts = [a, a[::-1], da.reshape(a, (2, 2)).T, a[None, 1:]]
    expected = [part.to_numpy().copy() for part in parts]
    found = [copies(part) for part in [a, a[::-1], da.reshape(a, (2, 2)).T, a[None, 1:]]]
    x[:] = 7
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one.to_numpy(), other)


def test_an_assignment_that_is_refused_changes_nothing():
    a = da.asarray(X.copy())
    for place, value in [(1, [2.0]), ([0, 5], 1), (slice(2), [1, 2, 3]), (X > 2, [1, 2, 3])]:
        with pytest.raises((IndexError, ValueError)):
            a[place] = value
    np.testing.assert_array_equal(a.to_numpy(), X)


def test_functions_write_in_place_where_nobody_else_looks():
    a: Any = da.asarray(X) + 0
    np.put(a, [0], 5)  # from here on the memory is its own

    def memory() -> int:
        return a.to_numpy().__array_interface__["data"][0]

    place = memory()
    for write in (
        lambda: np.put(a, [1], 7),
        lambda: np.add.at(a, [0, 0], 1),
        lambda: np.put(a, [2], a[1]),
        lambda: a.fill(2),
    ):
        write()
        assert memory() == place
    np.testing.assert_array_equal(a.to_numpy(), [2, 2, 2, 2])

    seen, waits, view = a.to_numpy(), a * 10, np.asarray(a)[1:]
    np.put(a, [0], 9)
    assert memory() != place
    np.testing.assert_array_equal(seen, [2, 2, 2, 2])
    np.testing.assert_array_equal(view, [2, 2, 2])
    np.testing.assert_array_equal(waits.to_numpy(), [20, 20, 20, 20])
    place = memory()
    np.copyto(a, a[::-1])  # which reads what it writes to
    np.testing.assert_array_equal(a.to_numpy(), [2, 2, 2, 9])
    with a.persist():
        np.put(a, [0], 1)
        np.testing.assert_array_equal(a.to_numpy(), [1, 2, 2, 9])


def test_functions_that_write_do_not_write_to_what_others_have():
    x = X.copy()
    a: Any = da.asarray(x)
    b: Any = da.asarray(np.eye(2))
    waits = a + 1
    np.add.at(a, [0], 5)
    np.negative(a, out=a)
    np.fill_diagonal(b, 3)
    assert float(b[1, 1]) == 3
    np.testing.assert_array_equal(a.to_numpy(), [-6, -2, -3, -4])
    np.testing.assert_array_equal(waits.to_numpy(), X + 1)
    np.testing.assert_array_equal(x, X)
