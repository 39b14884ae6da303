"""Arrays and rows that stay with Spark, for any number of calls.

with diablo.distribute(a, master="local[4]") as A:
    b = program(A=A)            # A is not sent again
    c = other(A=A, B=b)         # and b, a result, is computed once and stays there as well

with diablo.distribute((keys, values)) as rows:
    sums(L=rows)                # neither are the rows of a list

with program.session():         # the same, of all arrays and lists that calls are given
    for x in range(10):
        program(A=a, x=x)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from diablo.costs import FEW_ROWS, MOST_WITH_DRIVER
from diablo.diagnostics import InputError
from diablo.runtime.arrays.elements import without_mask
from diablo.runtime.arrays.scipy_sparse import is_scipy_sparse
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.block_sizes import BlockSize, check_size, size_of_blocks
from diablo.runtime.engines.job_names import naming_for_caller
from diablo.runtime.engines.keeping import keeping, persist_to_end, release_dead
from diablo.runtime.engines.spark_errors import as_run_errors, check_there
from diablo.runtime.io.arguments import Wanted, WantedArray, WantedRows, check_argument
from diablo.runtime.io.frame_arguments import is_spark_frame
from diablo.runtime.io.nested_values import read_array
from diablo.runtime.io.row_kinds import are_rows, row_kind
from diablo.runtime.program.data import choose_block_size, distribute_rows
from diablo.runtime.program.data import distribute as tiles_of
from diablo.runtime.program.entry_tiles import array_of_entries, extents_of
from diablo.runtime.program.given_blocks import array_of_blocks, is_rdd
from diablo.runtime.program.run_main import engine_context
from diablo.runtime.results.result_types import DistributedArray, Map, Rows, RowsOfSpark
from diablo.runtime.rows.batches import Batch
from diablo.runtime.value_kinds import ArrayKind, Kind, codes_of, element_code, kind_of_dtype


def distribute(
    array: Any,
    master: str | None = None,
    block_size: int | None = None,
    shape: Sequence[int] | None = None,
) -> Any:
    """Give an array, or rows, to Spark, which keeps them until they are closed.

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

        Or rows of numbers, Booleans and strings: columns in a tuple or by their names in a
        dictionary, a list of tuples or of strings, a data frame, also one of Spark's, or a
        structured array.
    master
        Spark's master, such as `"local[4]"` (default: that which runs).
    block_size
        The edge of a block in every dimension (default: as many blocks as run at a time, and that
        of the blocks of an RDD). A program without a block size of its own takes that of the
        largest array that it is given so. Workers cut an array in blocks of another size anew in
        each call. Rows have none.
    shape
        The extents of an array of which rows are the entries: the indices, from 0 on, and then the
        value. It is sparse, and entries with equal indices are added, as with SciPy.

    Returns
    -------
    A `DistributedArray`, or `Rows`.

    Raises
    ------
    InputError
        It is no such array, there are no such rows, or an option is wrong.

    Examples
    --------
    >>> program = compile("input A: matrix[Double]; +/[ a | ((i,j),a) <- A ]", engine="auto")
    >>> with distribute(numpy.ones((3, 4)), master="local[2]") as A:
    ...     program(A=A)
    12.0
    """
    if block_size is not None:
        check_size(block_size)
    if isinstance(array, Map):
        if not array.is_with_spark:
            raise InputError("a map of this process is sent in each call; a list of pairs may stay")
        return array.compute()
    if shape is not None or are_rows(array):
        return _rows(array, master, block_size, shape)
    if is_rdd(array):
        return _of_blocks(array, "the RDD", master, block_size)
    if isinstance(array, DistributedArray):
        if array.is_with_spark and block_size in (None, array.block_size):
            return array.compute()
        array = array.to_scipy() if array.is_sparse else array.to_numpy()
    if not is_scipy_sparse(array):
        array = read_array(without_mask(array, "the array"), "the array")
    if array.dtype.kind not in "biufc" or array.ndim == 0:
        raise InputError("an array of numbers or Booleans is wanted, which has dimensions")
    kind = ArrayKind(array.ndim, kind_of_dtype(array.dtype))
    wanted = WantedArray(kind.rank, element_code(kind.element), kind.element)
    tile = check_argument(array, wanted, "array")
    sc = engine_context("spark", master, {})
    dense_rank = tile.dense_rank if isinstance(tile, SparseTile) else tile.ndim
    edge = edge_for(sc, [tile], block_size)
    with keeping(sc) as kept, naming_for_caller(sc):
        rdd = persist_to_end(tiles_of(sc, tile, edge, dense_rank))
        if not kept.in_files:
            rdd.count()
    made = DistributedArray(rdd, tile.shape, dense_rank, wanted.element, edge)
    made.records.stay(kept)
    return made


def _rows(
    value: Any, master: str | None, block_size: int | None, shape: Sequence[int] | None
) -> Rows | DistributedArray:
    """Rows as Spark has them, or the array of which they are the entries."""
    if not are_rows(value):
        raise InputError("a shape is given where rows of indices and a value are")
    if shape is None and block_size is not None:
        raise InputError("a block size is that of an array; rows have none")
    extents = None if shape is None else extents_of(shape)
    if isinstance(value, Rows) and value.is_with_spark:
        rows = value.compute()
    else:
        row = row_kind(value, "the rows")
        wanted = WantedRows(codes_of(row), row)
        rows = hold_rows(check_argument(value, wanted, "the rows", on_spark=True), wanted, master)
    if extents is None:
        return rows
    sc = rows.records.rdd().ctx
    with keeping(sc) as kept, naming_for_caller(sc):
        made = array_of_entries(rows, extents, "the rows", block_size, kept)
    if rows is not value:
        rows.close()
    return made


def hold_rows(batch: Batch | RowsOfSpark, wanted: WantedRows, master: str | None) -> Rows:
    """Rows that `check_argument` has checked as Spark has them, which keeps them."""
    sc = engine_context("spark", master, {})
    with keeping(sc) as kept, naming_for_caller(sc):
        rdd = persist_to_end(distribute_rows(sc, batch, 1))
        with as_run_errors():
            # Columns that are long enough lie in files already, but for those of a data frame.
            if not kept.in_files or isinstance(batch, RowsOfSpark):
                rdd.count()
    rows = Rows(rdd, wanted.columns)
    rows.row = wanted.kind.row
    rows.records.stay(kept)
    return rows


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
    check_there(rdd.ctx, "RDD", name)
    with keeping(rdd.ctx) as kept, naming_for_caller(rdd.ctx):
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
    """The arrays and rows that a program was given in a session, as Spark has them."""

    def __init__(self, master: str | None, block_size: BlockSize):
        self._master = master
        self._edge = block_size
        self._arrays: dict[int, tuple[Any, DistributedArray]] = {}
        self._rows: dict[tuple[int, ...], dict[Kind, tuple[Any, Rows]]] = {}

    def __len__(self) -> int:
        return len(self._arrays) + sum(map(len, self._rows.values()))

    def inputs(self, given: Mapping[str, Any], wanted: Mapping[str, Wanted]) -> dict[str, Any]:
        """The inputs of a call, with arrays and rows that were given before as Spark has them."""
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
        rows = {
            name: self._with_rows(value, kind, name)
            for name, value in given.items()
            if isinstance(kind := wanted.get(name), WantedRows) and _are_many_rows(value)
        }
        return {**given, **blocks, **held, **rows}

    def _distributed(self, value: Any, name: str) -> DistributedArray:
        if id(value) not in self._arrays:
            edge = size_of_blocks(self._edge, name)
            self._arrays[id(value)] = value, distribute(value, self._master, edge)
        return self._arrays[id(value)][1]

    def _with_rows(self, value: Any, wanted: WantedRows, name: str) -> Rows:
        # A tuple of columns is often made for the call.
        same = cast("tuple[Any, ...]", value) if isinstance(value, tuple) else (value,)
        found = self._rows.setdefault(tuple(map(id, same)), {})
        row = wanted.kind.row
        if row not in found:
            checked = check_argument(value, wanted, name, on_spark=True)
            found[row] = value, hold_rows(checked, wanted, self._master)
        return found[row][1]

    def close(self) -> None:
        """Let go of all, but for what a lazy result is made of: that keeps it."""
        self._arrays.clear()
        self._rows.clear()
        release_dead()


def _are_many_rows(value: Any) -> bool:
    """Whether a value is rows of this process, or a data frame of Spark's, that are to be held."""
    if is_spark_frame(value):
        return True
    if isinstance(value, Rows):
        return not value.is_with_spark and len(value) > FEW_ROWS
    if hasattr(value, "program_columns"):  # A lazy table.
        return False
    columns: Any = cast("tuple[Any, ...]", value)[:1] if isinstance(value, tuple) else (value,)
    if isinstance(value, Mapping):
        columns = list(cast("Mapping[Any, Any]", value).values())[:1]
    return any(hasattr(column, "__len__") and len(column) > FEW_ROWS for column in columns)


def _is_worth_it(value: Any, wanted: WantedArray) -> bool:
    """Whether a value is an array of the wanted elements that is worked on where Spark has it."""
    is_large = value.__class__ is np.ndarray and value.size > MOST_WITH_DRIVER
    if not is_large and not is_scipy_sparse(value):
        return False
    if value.ndim != wanted.rank or value.dtype.kind not in "biufc":
        return False
    return kind_of_dtype(value.dtype) == wanted.kind.element
