"""Inputs that a program returns as they are, more than once."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse

import diablo

V = np.arange(4.0)
PROGRAMS: list[tuple[str, dict[str, Any], tuple[Any, ...]]] = [
    ("input x: vector[Double]; (x,x)", {"x": V}, (V, V)),
    ("input x: vector[Double]; var y = x; (x,y,x.length)", {"x": V}, (V, V, 4)),
    ("input x: vector[Double]; var z = x+1.0; (x,z,x)", {"x": V}, (V, V + 1, V)),
    ("input x: matrix[Double]; (x,x)", {"x": np.eye(3)}, (np.eye(3), np.eye(3))),
    ("input x: matrix[Double]; (x,x)", {"x": sparse.eye_array(3).tocsr()}, (np.eye(3), np.eye(3))),
    ("input x: vector[String]; (x,x)", {"x": ["a", "b"]}, (["a", "b"], ["a", "b"])),
]


@pytest.mark.parametrize("block_size", [None, 1, 2])
@pytest.mark.parametrize(("text", "given", "expected"), PROGRAMS)
def test_an_input_is_returned_more_than_once(
    text: str, given: dict[str, Any], expected: tuple[Any, ...], block_size: int | None
):
    found = diablo.compile(text, block_size=block_size)(**given)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one.to_numpy() if hasattr(one, "to_numpy") else one, other)


@pytest.mark.parametrize("c", [False, True])
def test_a_branch_may_leave_an_input_as_it_is(c: bool):
    text = "input x: vector[Double]; input c: Boolean; var y = x; if (c) y = x+1.0; (x,y)"
    x, y = diablo.compile(text)(x=V, c=c)
    np.testing.assert_array_equal(x, V)
    np.testing.assert_array_equal(y, V + c)


def test_an_array_is_distributed_once_for_two_results():
    program = diablo.compile("input x: vector[Double]; (x,x)")
    program(x=V)
    assert program.ir("spark").count("spark.parallelize") == 1


def _arrays(value: Any) -> list[np.ndarray]:
    """The arrays within lists, tuples and maps of a result."""
    for read in ("to_list", "to_dict"):
        if hasattr(value, read):
            value = getattr(value, read)()
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [array for part in value for array in _arrays(part)]
    return [np.asarray(value)]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("[x]", 1),
        ("[(x,1)]", 2),
        ("[[x],[x,x]]", 3),
        ("map[ (1,x) ]", 1),
        ("[ x | i <- 1..2 ]", 2),
        ("[ y | i <- 1..2, let y = x*1.0 ]", 2),
    ],
)
@pytest.mark.parametrize("x", [V, np.array([5.0])])
def test_arrays_in_lists_are_not_the_callers_own(text: str, count: int, x: np.ndarray):
    given = x.copy()
    found = _arrays(diablo.compile(f"input x: vector[Double]; {text}", engine="local")(x=given))
    assert len(found) == count
    for array in found:
        assert not np.may_share_memory(array, given)
        np.testing.assert_array_equal(array, x if array.ndim else 1)


def test_sparse_arrays_in_lists_are_not_the_callers_own():
    given = sparse.eye_array(3).tocsr()
    (found,) = diablo.compile("input S: matrix[Double]; [S]", engine="local")(S=given).to_list()
    held = found.data if sparse.issparse(found) else np.asarray(found)
    assert not np.may_share_memory(held, given.data)
