"""Direct calls of kernels on sparse tiles: what they take, what they pass, what they leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

from diablo.runtime.arrays.patterns.boxes import Array
from diablo.runtime.arrays.patterns.layout import parse
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels.direct_sparse_calls import direct_sparse_call
from diablo.runtime.native.machine_code import Entry
from diablo.sparse_kernel_signature import SparseSignature

ADDING = "i64 f64{0;coordinates;;32}[0,0] f64[0,0] -> f64[0,0]=@2 whole @1"


class Recorder:
    """Takes the place of machine code."""

    def __init__(self, calls: list[tuple[Any, ...]]):
        self.run = calls.append

    def pack(self, *arguments: Any) -> tuple[Any, ...]:
        return arguments


def caller(text: str, calls: list[tuple[Any, ...]]) -> Callable[..., Any] | None:
    return direct_sparse_call(SparseSignature.parse(text), cast("Entry", Recorder(calls)))


def tile(form: str, dtype: str = "float64", size: int = 3) -> SparseTile:
    array: Array = np.zeros((size, size), np.dtype(dtype))
    array[0, 1] = array[2, 2] = 1
    return SparseTile.from_dense(array, 0).with_layout(parse(f"form = {form}, width = 32"))


def test_vectors_extents_and_a_copy_are_passed():
    calls: list[tuple[Any, ...]] = []
    call = caller(ADDING, calls)
    assert call is not None
    points, table = tile("coordinates"), np.ones((3, 3))
    result = call(np.int64(3), points, table)
    assert result is not table
    assert result.tolist() == table.tolist()
    (passed,) = calls
    flat = points.pattern.form.vectors()["flat"]
    vectors = (flat.ctypes.data, 2, points.elements.ctypes.data, 2)
    assert passed[:7] == (3, *vectors, 3, 3)
    assert passed[7:11] == (table.ctypes.data, 3, 3, 3)
    assert passed[11:] == (result.ctypes.data, 3, 3, 3)


@pytest.mark.parametrize(
    "arguments",
    [
        (3, tile("compressed"), np.ones((3, 3))),
        (3, tile("coordinates", "float32"), np.ones((3, 3))),
        (3, tile("coordinates", size=4), np.ones((3, 3))),
        (3, np.ones((3, 3)), np.ones((3, 3))),
        (3, tile("coordinates"), np.ones((2, 3))),
        (3, tile("coordinates"), np.ones((3, 3)).T[::-1]),
    ],
    ids=["layout", "type", "extent", "dense", "short", "strides"],
)
def test_other_arguments_are_left_to_the_general_way(arguments: tuple[Any, ...]):
    calls: list[tuple[Any, ...]] = []
    call = caller(ADDING, calls)
    assert call is not None
    assert call(*arguments) is NotImplemented
    assert not calls


@pytest.mark.parametrize(
    "text",
    [
        "f64{1}[1,2] f64[2] i64 i64 -> f64[2]=0 rows @0",
        "f64{1}[1,2] i64 i64 -> f64{1}@0 whole @0",
        "f64{1}[1,2] i64 i64 -> f64(add) whole @0",
    ],
    ids=["shared", "sparse", "number"],
)
def test_kernels_of_other_kinds_have_none(text: str):
    assert caller(text, []) is None
