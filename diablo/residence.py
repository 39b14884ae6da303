"""Arrays that stay with Spark, for any number of calls.

with diablo.distribute(a, master="local[4]") as A:
    b = program(A=A)            # A is not sent again
    c = other(A=A, B=b)         # and b, a result, is computed once and stays there as well

with program.session():         # the same, of all arrays that calls are given
    for x in range(10):
        program(A=a, x=x)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from diablo.costs import MOST_WITH_DRIVER
from diablo.diagnostics import InputError
from diablo.runtime.arrays.scipy_sparse import is_scipy_sparse
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.block_sizes import BlockSize, check_size, size_of_blocks
from diablo.runtime.engines.keeping import keeping, persist
from diablo.runtime.io.arguments import Wanted, WantedArray, check_argument
from diablo.runtime.program.data import choose_block_size
from diablo.runtime.program.data import distribute as tiles_of
from diablo.runtime.program.given_blocks import array_of_blocks, is_rdd
from diablo.runtime.program.run_main import engine_context
from diablo.runtime.results.result_types import DistributedArray
from diablo.runtime.value_kinds import ArrayKind, element_code, kind_of


def distribute(
    array: Any, master: str | None = None, block_size: int | None = None
) -> DistributedArray:
    """Give an array to Spark, which keeps it until it is closed.

    Programs on Spark that are given the result work on it where it is. Dense arrays of up to 2**20
    elements are an exception: they are sent where they are read. It may be closed by `close()`, or
    by the end of a `with` that it stands in.

    Parameters
    ----------
    array
        A NumPy array or a SciPy sparse array of numbers or Booleans, or the result of a program. It
        may be changed or deleted afterwards. Or an RDD of Spark's, of pairs of a position, with an
        integer for each dimension, and a block that is such an array: blocks of one edge, but for
        those at the ends, stay where they are, and workers cut others anew.
    master
        Spark's master, such as `"local[4]"` (default: that which runs).
    block_size
        The edge of a block in every dimension (default: as many blocks as run at a time, and that
        of the blocks of an RDD). A program without a block size of its own takes that of the
        largest array that it is given so. Workers cut an array in blocks of another size anew in
        each call.

    Raises
    ------
    InputError
        It is not such an array, or an option is wrong.

    Examples
    --------
    >>> program = compile("input A: matrix[Double]; +/[ a | ((i,j),a) <- A ]", engine="auto")
    >>> with distribute(numpy.ones((3, 4)), master="local[2]") as A:
    ...     program(A=A)
    12.0
    """
    if block_size is not None:
        check_size(block_size)
    if is_rdd(array):
        return _of_blocks(array, "the RDD", master, block_size)
    if isinstance(array, DistributedArray):
        if array.is_with_spark and block_size in (None, array.block_size):
            return array.compute()
        array = array.to_scipy() if array.is_sparse else array.to_numpy()
    if not is_scipy_sparse(array):
        array = np.asarray(array)
    if array.dtype.kind not in "biufc" or array.ndim == 0:
        raise InputError("an array of numbers or Booleans is wanted, which has dimensions")
    kind = ArrayKind(array.ndim, kind_of(array.dtype))
    wanted = WantedArray(kind.rank, element_code(kind.element), kind.element)
    tile = check_argument(array, wanted, "array")
    sc = engine_context("spark", master, {})
    dense_rank = tile.dense_rank if isinstance(tile, SparseTile) else tile.ndim
    edge = edge_for(sc, [tile], block_size)
    with keeping(sc) as kept:
        rdd = persist(tiles_of(sc, tile, edge, dense_rank))
        if not kept.in_files:
            rdd.count()
    made = DistributedArray(rdd, tile.shape, dense_rank, wanted.element, edge)
    made.records.stay(kept)
    return made


def rdd_of(
    array: np.ndarray[Any, Any] | DistributedArray, master: str | None, block_size: int | None
) -> Any:
    """Return the RDD of the tiles of an array, in blocks of that size if one is given."""
    sc = engine_context("spark", master, {})
    if block_size is None:
        has_edge = isinstance(array, DistributedArray)
        block_size = array.block_size if has_edge else edge_for(sc, [array], None)
    return tiles_of(sc, array, block_size)


def _of_blocks(rdd: Any, name: str, master: str | None, block_size: int | None) -> DistributedArray:
    """The array that the blocks of an RDD make up."""
    if master is not None and rdd.ctx.master != master:
        raise InputError(f"{name} is with Spark on {rdd.ctx.master}, and not on {master}")
    with keeping(rdd.ctx) as kept:
        return array_of_blocks(rdd, name, block_size, kept)


def with_blocks(
    given: Mapping[str, Any],
    wanted: Mapping[str, Wanted],
    master: str | None,
    block_size: BlockSize,
) -> Mapping[str, Any]:
    """The inputs of a call, where an RDD of blocks is the array that they make up."""
    made = {
        name: _of_blocks(rdd, name, master, size_of_blocks(block_size, name))
        for name, rdd in _rdds_of_blocks(given, wanted).items()
    }
    return {**given, **made} if made else given


def _rdds_of_blocks(given: Mapping[str, Any], wanted: Mapping[str, Wanted]) -> dict[str, Any]:
    """The inputs of a call that are RDDs where arrays are wanted."""
    return {
        name: value
        for name, value in given.items()
        if is_rdd(value) and isinstance(wanted.get(name), WantedArray)
    }


def edge_for(sc: Any, arrays: list[Any], block_size: int | None) -> int | None:
    """The edge of the tiles of arrays that one program is given."""
    shapes: dict[bool, list[tuple[int, ...]]] = {True: [], False: []}
    for array in arrays:
        shapes[type(array) is np.ndarray].append(array.shape)
    return choose_block_size(sc, block_size, dense=shapes[True], sparse=shapes[False])


class Held:
    """The arrays that a program was given in a session, as Spark has them."""

    def __init__(self, master: str | None, block_size: BlockSize):
        self._master = master
        self._edge = block_size
        self._arrays: dict[int, tuple[Any, DistributedArray]] = {}

    def inputs(self, given: Mapping[str, Any], wanted: Mapping[str, Wanted]) -> dict[str, Any]:
        """The inputs of a call, with arrays that were given before as Spark has them."""
        kept = {
            name: value
            for name, value in given.items()
            if isinstance(kind := wanted.get(name), WantedArray) and _is_worth_it(value, kind)
        }
        blocks = {
            name: self._distributed(rdd, name)
            for name, rdd in _rdds_of_blocks(given, wanted).items()
        }
        if kept and self._edge is None:
            sc = engine_context("spark", self._master, {})
            self._edge = edge_for(sc, list(kept.values()), None)
        held = {name: self._distributed(value, name) for name, value in kept.items()}
        return {**given, **blocks, **held}

    def _distributed(self, value: Any, name: str) -> DistributedArray:
        if id(value) not in self._arrays:
            edge = size_of_blocks(self._edge, name)
            self._arrays[id(value)] = value, distribute(value, self._master, edge)
        return self._arrays[id(value)][1]

    def close(self) -> None:
        """Let go of all."""
        for _, array in self._arrays.values():
            array.close()
        self._arrays.clear()


def _is_worth_it(value: Any, wanted: WantedArray) -> bool:
    """Whether a value is an array of the wanted elements that is worked on where Spark has it."""
    is_large = value.__class__ is np.ndarray and value.size > MOST_WITH_DRIVER
    if not is_large and not is_scipy_sparse(value):
        return False
    if value.ndim != wanted.rank or value.dtype.kind not in "biufc":
        return False
    return kind_of(value.dtype) == wanted.kind.element
