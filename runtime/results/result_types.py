"""What a program hands to its caller: arrays, lists and maps that may still be distributed.

Nothing is brought to the caller before it is looked at; then it is kept.

    ranks = program(G=edges, N=4)      # DistributedArray
    ranks.shape                        # (4,), costs nothing
    ranks.to_numpy()                   # collects
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cache, cached_property
from importlib import import_module
from math import prod
from typing import Any, Self, cast

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import DTypeLike, NDArray

from diablo.costs import MOST_WITH_DRIVER
from diablo.diagnostics import InputError
from diablo.runtime.arrays.given_tile import stored
from diablo.runtime.arrays.scipy_sparse import scipy_of_tile
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tiles import Tile, assemble, split
from diablo.runtime.block_sizes import BlockSize, SizesByName, size_of_blocks
from diablo.runtime.column_types import OBJECT, Code, storage, zeros
from diablo.runtime.device.device_arrays import DeviceArray, on_host
from diablo.runtime.engines.keeping import Kept
from diablo.runtime.engines.lazy_records import LazyRecords, local_records
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.engines.local_rdd import LocalRDD
from diablo.runtime.engines.worker_counts import WorkerCounts
from diablo.runtime.ordering import ascending_order
from diablo.runtime.results.python_values import (
    is_as_callers_see_it,
    named_columns,
    python_array,
    python_dtype,
    python_items,
    python_values,
)
from diablo.runtime.results.result_tables import array_table, html_table, shown
from diablo.runtime.results.spark_frames import frame_of
from diablo.runtime.rows.batches import Batch, concat, length, take
from diablo.runtime.rows.string_column import plain_column
from diablo.runtime.rows.tuples import unpack
from diablo.runtime.value_kinds import (
    ArrayKind,
    Kind,
    ListKind,
    MapKind,
    ScalarKind,
    TupleKind,
    code_of_kind,
    element_code,
    field_paths,
    has_names,
    is_character,
    kind_of,
    leaves,
    row_of,
)

Array = NDArray[Any]

_SHOWN_WHOLE = 100_000
"""How many elements a result on Spark may have to be collected for its `repr`."""


class _Lazy:
    """What is collected when it is looked at."""

    records: LazyRecords

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k not in _DERIVED}

    def to_rdd(self) -> Any:
        """The RDD: of (tile coordinates, tile), or of column batches."""
        return self.records.rdd()

    def compute(self) -> Self:
        """Have Spark compute all of it and keep it there, until it is closed; returns it.

        A program that is given an array that Spark has works on it where it is. In this process
        everything is computed already.
        """
        self.records.compute()
        return self

    def close(self) -> None:
        """Let go of what Spark keeps for it: it cannot be looked at any more.

        What a lazy result is still to be computed of stays until that is collected, or closed.
        """
        self.records.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @property
    def _unseen(self) -> str | None:
        """Why nothing can be shown of it; None if its elements can."""
        is_gone = self.records.is_closed and not _DERIVED & self.__dict__.keys()
        return "closed" if is_gone else None

    def is_one(self, holds: Callable[[Any], bool]) -> bool:
        """Return whether there is one tile or batch, in this process, of which something holds."""
        record = self.records.only_here
        return record is not None and holds(record)

    def over(self, function: Callable[[Any], Any]) -> Self:
        """The same with `function` of its tiles or batches, if they are in this process."""
        if self.records.on_spark is not None:
            return self
        other = copy(self)
        other.records = LazyRecords(self.records.rdd().map(function))
        return other


_DERIVED = frozenset({"_whole", "_dense", "_batch", "_items"})
"""What is made of the records, and is not sent along with them."""


def _copied_here(rdd: Any) -> Any:
    """An RDD whose records this process has, without those of a device."""
    return LocalRDD(rdd.context, on_host(rdd.partitions)) if isinstance(rdd, LocalRDD) else rdd


class DistributedArray(_Lazy, NDArrayOperatorsMixin):
    """An array, dense or sparse, in tiles: an RDD of (coordinates, tile).

    `rdd` is PySpark's or the local engine's. NumPy's functions and operators take it as an array,
    and it has the methods of one (`sum`, `T`, …), which work on `to_numpy()`.
    """

    def __init__(
        self,
        rdd: Any,
        dims: Sequence[int],
        dense_rank: int,
        dtype: Code,
        block_size: int | None = None,
        name: str | None = None,
    ):
        self.records = LazyRecords(rdd)
        self.shape = tuple([int(d) for d in dims])
        self.dense_rank = dense_rank
        self.code = dtype
        self.block_size = block_size
        self.tile_edge = block_size
        """The edge of the tiles of `to_rdd`, where the array is one tile until then."""
        self.name = name

    def to_rdd(self) -> Any:
        """The RDD of (tile coordinates, tile), in tiles of the size that the caller wanted."""
        rdd = _copied_here(super().to_rdd())
        if self.block_size is not None or self.tile_edge is None:
            return rdd
        ((_, whole),) = rdd.collect()
        return rdd.ctx.parallelize(split(whole, self.tile_edge))

    @staticmethod
    def of_tile(tile: Tile, element: Code) -> DistributedArray:
        """An array that is in this process as a whole."""
        rdd = LocalContext().parallelize([((0,) * tile.ndim, tile)])
        dense_rank = tile.dense_rank if isinstance(tile, SparseTile) else tile.ndim
        return DistributedArray(rdd, tile.shape, dense_rank, element)

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        if "_whole" in self.__dict__:  # Which the caller may have written into.
            state["records"] = local_records(list(split(self._whole, self.block_size)))
        return state

    @property
    def is_with_spark(self) -> bool:
        """Whether programs on Spark can take it where it is: nobody has written into it."""
        is_there = self.records.on_spark is not None
        return is_there and (self.records.stays or "_whole" not in self.__dict__)

    def tiles_on(self, context: Any, block_size: int | None) -> Any:
        """The RDD of its tiles, if they are of that size and with that context already."""
        rdd = self.records.on_spark if self.is_with_spark else None
        fits = rdd is not None and rdd.ctx is context and self.block_size == block_size
        return self.records.rdd() if fits else None

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of an element, with the fields of records."""
        return python_dtype(self.element)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements, stored or not."""
        return prod(self.shape)

    @property
    def nnz(self) -> int:
        """How many elements are stored."""
        whole = self._whole
        return whole.nnz if isinstance(whole, SparseTile) else self.size

    @property
    def is_sparse(self) -> bool:
        """Whether it is stored with sparse dimensions."""
        return self.dense_rank < self.ndim

    @cached_property
    def _whole(self) -> Tile:
        if (here := self._made_here()) is not None:
            return here
        tiles = on_host(self.records.collect())
        with self.records.as_in_the_run():
            whole = assemble(tiles, self.shape, self.block_size, self.dense_rank, self.code)
        if self.records.stays and isinstance(whole, np.ndarray):
            whole.flags.writeable = False  # Or it would not be what Spark has.
        block_size = self.block_size
        self.records.collected(lambda: split(whole, block_size))
        return whole

    def _made_here(self) -> Array | None:
        """The whole, if it is one dense tile of this process already."""
        record = None if self.is_sparse else self.records.only
        tile: object = None if record is None else record[1]
        if not isinstance(tile, np.ndarray):
            return None
        array = cast(Array, tile)
        fits = array.shape == self.shape and array.dtype == storage(self.code)
        return array if fits and array.dtype.kind != "O" else None

    def collect(self) -> Tile:
        """The whole as it is stored: a NumPy array or a `SparseTile`."""
        return self._whole

    @cached_property
    def element(self) -> Kind:
        """The kind of an element."""
        return kind_of(self.code)

    @cached_property
    def _dense(self) -> Array:
        whole = self._whole
        if isinstance(whole, np.ndarray) and is_as_callers_see_it(self.element):
            return whole
        with self.records.as_in_the_run():
            if isinstance(whole, SparseTile) and not whole.nnz:
                whole = zeros(self.shape, self.code)
            return python_array(ArrayKind(self.ndim, self.element), whole)

    @property
    def on_device(self) -> DeviceArray | None:
        """The array as a device has it, if it is there and the caller has not looked at it."""
        if self.records.on_spark is not None or "_whole" in self.__dict__ or self.is_sparse:
            return None
        records = self.records.rdd().collect()
        tile = records[0][1] if len(records) == 1 else None
        return tile if isinstance(tile, DeviceArray) and tile.is_on_device else None

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Where the elements are in the memory of a GPU; no attribute if they are not there."""
        there = self.on_device
        if there is None or there.dtype.names:
            raise AttributeError("the result is no array of numbers in the memory of a GPU")
        return there.handed_out().__cuda_array_interface__

    def __dlpack__(self, **options: Any) -> Any:
        """The elements for another library, where they are."""
        there = self.on_device
        return (self.to_numpy() if there is None else there.handed_out()).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return where the elements are."""
        there = self.on_device
        return (self.to_numpy() if there is None else there.handed_out()).__dlpack_device__()

    def to_cupy(self) -> Any:
        """The whole as an array of CuPy: that which kernels have left there, or a copy.

        Raises
        ------
        InputError
            Where there is no CuPy, or no GPU.
        """
        there = self.on_device
        if there is not None:
            return there.handed_out()
        from diablo.runtime.device.found_device import find_device

        device = find_device()
        raw = device.copy_in(self.to_numpy())
        device.synchronize()
        return device.handed_out(raw)

    def to_numpy(self) -> Array:
        """The whole as a NumPy array.

        Records are structured, with their fields, and so are tuples, with the fields f0, f1, …;
        strings, lists and arrays are objects, characters strings of one.
        """
        return self._dense

    def to_pandas(self) -> Any:
        """A vector of records or tuples as a data frame of their fields, other arrays as theirs.

        Raises
        ------
        ImportError
            Where pandas is not installed.
        """
        pandas = _pandas()
        if self.dtype.names is None:
            return pandas.DataFrame(self.to_numpy())
        if self.ndim != 1:
            raise TypeError(f"a data frame of {self.element} has one dimension, not {self.ndim}")
        row = cast(TupleKind, self.element)
        dense = self._whole.toarray() if isinstance(self._whole, SparseTile) else self._whole
        return pandas.DataFrame(named_columns(row, unpack(dense, element_code(row))))

    def to_scipy(self) -> Any:
        """The whole as a SciPy sparse array: CSR if it has two dimensions, else COO."""
        if self.dtype.kind not in "biufc" or is_character(self.element):
            raise TypeError("a SciPy array holds numbers; use to_numpy()")
        return scipy_of_tile(self._whole)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Array:
        array = self.to_numpy()
        if dtype is not None and array.dtype != dtype:
            if copy is False:
                raise ValueError("another element type needs a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of an array without dimensions")
        return self.shape[0]

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        given = [_numpy_of(x) for x in inputs]
        outputs: tuple[Any, ...] = options.get("out", ())
        if any(isinstance(out, DistributedArray) for out in outputs):
            options["out"] = tuple(
                [out._writable() if isinstance(out, DistributedArray) else out for out in outputs]
            )
        result = getattr(ufunc, method)(*given, **options)
        return outputs[0] if len(outputs) == 1 else result

    def __eq__(self, other: object) -> Any:
        """Compare as NumPy's arrays do, which compare records field by field."""
        return self.to_numpy() == _numpy_of(other)

    def __ne__(self, other: object) -> Any:
        return self.to_numpy() != _numpy_of(other)

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(np.ndarray, name):
            raise AttributeError(f"a result has no attribute {name!r}")
        return getattr(self.to_numpy(), name)

    def __getitem__(self, index: Any) -> Any:
        return self.to_numpy()[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._writable()[index] = value

    def _writable(self) -> Array:
        if self.is_sparse:
            raise TypeError("a sparse result is not written into; write into its to_numpy()")
        return self.to_numpy()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_numpy())

    def __bool__(self) -> bool:
        return bool(self.to_numpy())

    def __repr__(self) -> str:
        return self._shown(repr)

    def __str__(self) -> str:
        return self._shown(str)

    def _shown(self, text: Callable[[Any], str]) -> str:
        if (why := self._unseen) is not None:
            return f"<{self._title}, {why}>"
        whole = self._whole
        if not isinstance(whole, SparseTile):
            return text(self._dense)
        return _show_entries(whole, self._stored_values(whole))

    def _stored_values(self, tile: SparseTile) -> Array:
        return python_array(ArrayKind(1, self.element), tile.values)

    def _repr_html_(self) -> str:
        if (why := self._unseen) is not None:
            return html_table(f"{self._title}, {why}", None, [])
        if isinstance(self._whole, SparseTile):
            tile = self._whole
            columns = [*tile.coordinates(), self._stored_values(tile)]
            rows = [k if k is None else [c[k] for c in columns] for k in shown(tile.nnz)]
            header = [*[f"d{d}" for d in range(self.ndim)], "value"]
            return html_table(f"{self._title}, {_entries(tile.nnz)}", header, rows)
        dense = self._dense
        return array_table(self._title, self.shape, lambda index: dense[index])

    @property
    def _unseen(self) -> str | None:
        here = self.records.on_spark is None or "_whole" in self.__dict__
        is_cheap = here or self.size <= _SHOWN_WHOLE
        return super()._unseen or (None if is_cheap else "not collected yet")

    @property
    def _title(self) -> str:
        kind = "sparse array" if self.is_sparse else "array"
        element = self.dtype if self.dtype.names is None else self.element
        return f"{' x '.join(map(str, self.shape))} {kind} of {element}"


class _Batches(_Lazy):
    """Rows, of a list or a map: an RDD of column batches with the given column types."""

    def __init__(self, rdd: Any, codes: Sequence[Code], name: str | None = None):
        self.records = LazyRecords(rdd)
        self.codes = tuple(codes)
        self.name = name

    def to_rdd(self) -> Any:
        """The RDD of batches, whose columns are in this process."""
        rdd = super().to_rdd()
        return rdd if self.is_with_spark else rdd.map(on_host)

    @cached_property
    def _batch(self) -> Batch:
        batches = on_host(self.records.collect())
        with self.records.as_in_the_run():
            batch = concat(batches, self.codes)
        self.records.collected(lambda: [batch])
        return batch

    @property
    def is_with_spark(self) -> bool:
        """Whether programs on Spark can take the rows where they are."""
        return self.records.on_spark is not None

    def to_spark(self) -> Any:
        """The rows as a data frame of Spark's, if Spark has them: workers make it.

        The columns are those of `to_pandas()`, named `_1`, `_2`, … where they have no names; the
        key of a map that is a tuple has a column for each part, `key._1`, `key._2`, …

        Raises
        ------
        InputError
            The rows are in this process, or hold more than numbers, Booleans and strings.
        """
        if not self.is_with_spark:
            raise InputError("the rows are in this process: `createDataFrame` takes `to_pandas()`")
        codes, names = self.flat_columns()
        return frame_of(self.records.rdd().map(self.flat), codes, names)

    def flat_columns(self) -> tuple[Sequence[Code], Sequence[str]]:
        """The types and the names of the columns of `flat`."""
        return self.codes, [f"_{k + 1}" for k in range(len(self.codes))]

    @property
    def flat(self) -> Callable[[Batch], Batch]:
        """What makes the columns of a data frame of those of a batch."""
        return tuple

    def batches_on(self, context: Any) -> Any:
        """The RDD of batches, if it is with that context."""
        rdd = self.records.on_spark
        return self.records.rdd() if rdd is not None and rdd.ctx is context else None

    @property
    def batch(self) -> Batch:
        """The columns as programs have them, strings in bytes where they are many."""
        return self._batch

    def to_numpy(self) -> Batch:
        """One column per scalar of a row: a NumPy array, or `Lists` where it is a list."""
        return tuple(map(plain_column, self._batch))

    def __len__(self) -> int:
        return length(self._batch)


class Rows(_Batches):
    """A list of rows. `row` says what a row is: by default a tuple of the columns."""

    def count(self) -> int:
        """Return how many rows there are; those that are with Spark stay there."""
        if "_batch" in self.__dict__ or not self.is_with_spark:
            return len(self)
        records = self.compute().records
        with records.as_in_the_run():
            return int(records.rdd().map(length).sum())

    def with_columns(self, places: Sequence[int]) -> Rows:
        """Return some columns, of rows that stay where they are."""
        if list(places) == list(range(len(self.codes))):
            return self
        codes = [self.codes[k] for k in places]
        return self.converted(_Chosen(places), codes, row_of(codes))

    def converted(
        self, function: Callable[[Batch], Batch], codes: Sequence[Code], row: Kind
    ) -> Rows:
        """Return rows of other columns, which a function makes of each batch where it is."""
        made = Rows(self.compute().records.rdd().map(function), codes, self.name)
        made.row = row
        kept = Kept()
        self.records.lend_to(kept)
        made.records.needs(kept)
        return made

    @cached_property
    def row(self) -> Kind:
        """The kind of a row."""
        return row_of(self.codes)

    def to_pandas(self) -> Any:
        """The rows as a data frame: a column per field of a record, or per part of a tuple.

        The fields of a record within a record have columns of their own, `outer.inner`.

        Raises
        ------
        ImportError
            Where pandas is not installed.
        """
        pandas = _pandas()
        row = self.row
        if not isinstance(row, TupleKind):
            return pandas.DataFrame({0: python_values(row, self._batch)})
        return pandas.DataFrame(named_columns(row, self._batch))

    def flat_columns(self) -> tuple[Sequence[Code], Sequence[str]]:
        """The types and the names of the columns of `flat`."""
        return self.codes, column_names(self.row)

    def _repr_html_(self) -> str:
        if (why := self._unseen) is not None:
            return html_table(f"{ListKind(self.row)}, {why}", None, [])
        names = self.row.names if isinstance(self.row, TupleKind) else None
        rows = [_cells(None if k is None else (self[k],)) for k in shown(len(self))]
        return html_table(f"list of {len(self)}", names, rows)

    def to_list(self) -> list[Any]:
        """The rows as Python values: scalars, tuples, named tuples for records, lists, …"""
        return python_values(self.row, self._batch)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_list())

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return python_values(self.row, [column[index] for column in self._batch])
        try:
            place = range(len(self))[index]
        except IndexError:
            rows = "1 row" if len(self) == 1 else f"{len(self)} rows"
            raise IndexError(f"the list of {rows} has none at index {index}") from None
        except TypeError:
            found = type(index).__name__
            raise TypeError(f"a list is indexed by integers and slices, not by {found}") from None
        return self[place : place + 1][0]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Rows):
            return self.to_list() == other.to_list()
        return isinstance(other, list) and self.to_list() == other

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        if (why := self._unseen) is not None:
            return f"<{ListKind(self.row)}, {why}>"
        return f"[{', '.join(_elided(self, repr))}]"


class Map(_Batches, Mapping[Any, Any]):
    """A map: rows of key columns and one column of values; read as a dictionary is."""

    def __init__(self, rdd: Any, codes: Sequence[Code], keys: int, name: str | None = None):
        super().__init__(rdd, codes, name)
        self._keys = keys

    @cached_property
    def _batch(self) -> Batch:
        """The rows in the order of their keys, however they were distributed."""
        batch = super()._batch
        order = ascending_order(batch[: self._keys])
        return batch if order is None else take(batch, order)

    @cached_property
    def kind(self) -> MapKind:
        """The kinds of keys and values."""
        return cast(MapKind, kind_of(("map", self._keys, *self.codes)))

    def flat_columns(self) -> tuple[Sequence[Code], Sequence[str]]:
        """The types and the names of the columns of `flat`."""
        keys, value = self.kind.key, self.kind.value
        outer = [f"key.{n}" for n in column_names(keys)] if self._keys > 1 else ["key"]
        if not isinstance(value, TupleKind):
            return self.codes, [*outer, "value"]
        is_named = value.names is not None and "key" not in value.names
        inner = value.names or [f"_{k + 1}" for k in range(len(value.items))]
        names = inner if is_named else [f"value.{name}" for name in inner]
        codes = [code_of_kind(item) for item in value.items]
        return [*self.codes[: self._keys], *codes], [*outer, *names]

    @property
    def flat(self) -> Callable[[Batch], Batch]:
        """What makes the columns of a data frame of those of a batch."""
        return _Unpacked(code_of_kind(self.kind.value))

    @cached_property
    def _items(self) -> dict[Any, Any]:
        return dict(python_items(self.kind, self._batch))

    def _repr_html_(self) -> str:
        if (why := self._unseen) is not None:
            return html_table(f"{self.kind}, {why}", None, [])
        pairs = list(self._items.items())
        rows = [None if k is None else pairs[k] for k in shown(len(pairs))]
        return html_table(f"map of {len(pairs)}", ["key", "value"], rows)

    def to_dict(self) -> dict[Any, Any]:
        """The map as a dictionary of Python values."""
        return dict(self._items)

    def to_pandas(self) -> Any:
        """The pairs as a data frame with the columns `key` and `value`.

        The fields of a record that is a value have columns of their own instead, by their names,
        and `value.name` where one of them is `key`; those of a key are `key.name`.

        Raises
        ------
        ImportError
            Where pandas is not installed.
        """
        pandas = _pandas()
        keys, value = self.kind.key, self.kind.value
        columns = (*self._batch[: self._keys], *unpack(self._batch[-1], code_of_kind(value)))
        if isinstance(value, TupleKind) and value.names is not None and "key" not in value.names:
            row = TupleKind((keys, *value.items), ("key", *value.names))
        else:
            row = TupleKind((keys, value), ("key", "value"))
        return pandas.DataFrame(named_columns(row, columns))

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Array:
        """The pairs as an array of objects with a row for each: its key and its value."""
        if copy is False:
            raise ValueError("an array of the pairs of a map is a copy")
        pairs = np.empty((len(self), 2), OBJECT)
        for place, (key, value) in enumerate(self._items.items()):
            pairs[place, 0], pairs[place, 1] = key, value
        return pairs if dtype is None else pairs.astype(dtype)

    def __getitem__(self, key: Any) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return length(self._batch)

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        if (why := self._unseen) is not None:
            return f"<{self.kind}, {why}>"
        pairs = list(self._items.items())
        return f"{{{', '.join(_elided(pairs, lambda pair: f'{pair[0]!r}: {pair[1]!r}'))}}}"


class _Chosen:
    """Some columns of a batch."""

    def __init__(self, places: Sequence[int]):
        self._places = tuple(places)

    def __call__(self, batch: Batch) -> Batch:
        return tuple([batch[k] for k in self._places])


class _Unpacked:
    """The columns of a map, those of the parts of its value apart."""

    def __init__(self, code: Code):
        self._code = code

    def __call__(self, batch: Batch) -> Batch:
        return (*batch[:-1], *unpack(batch[-1], self._code))


class RowsOfSpark(Sequence[Any]):
    """The columns of rows, or of a map, that Spark has, as programs take them.

    They are collected if one is looked at. A program that distributes them takes the batches where
    they are.
    """

    def __init__(self, rows: Rows | Map):
        self._rows = rows

    @property
    def records(self) -> LazyRecords:
        """The records of the rows, or of the map."""
        return self._rows.records

    @property
    def codes(self) -> tuple[Code, ...]:
        """The types of the columns."""
        return self._rows.codes

    def batches_on(self, context: Any) -> Any:
        """The RDD of batches, if it is one of that context."""
        return self._rows.batches_on(context)

    @property
    def is_with_spark(self) -> bool:
        """Whether programs on Spark can take them where they are."""
        return self._rows.is_with_spark

    def __len__(self) -> int:
        return len(self._rows.codes)

    def __getitem__(self, index: Any) -> Any:
        return self._rows.batch[index]

    def __add__(self, other: Batch) -> Batch:
        return (*self._rows.batch, *other)

    def __radd__(self, other: Batch) -> Batch:
        return (*other, *self._rows.batch)


def column_names(row: Kind) -> list[str]:
    """Return what the columns of rows are called: as their fields, or `_1`, `_2`, …"""
    if isinstance(row, TupleKind) and has_names(row):
        return list(field_paths(row))
    return [f"_{k + 1}" for k, _ in enumerate(leaves(row))]


def _numpy_of(value: object) -> Any:
    return value.to_numpy() if isinstance(value, DistributedArray) else value


def _pandas() -> Any:
    try:
        return import_module("pandas")  # Slow to import, and optional.
    except ImportError as error:
        raise ImportError("to_pandas needs pandas: pip install pandas") from error


def rows_of(value: Any) -> int:
    """Return how many rows, or elements that are stored, an input has."""
    if isinstance(value, tuple):
        columns = cast("tuple[Any, ...]", value)
        return len(columns[0]) if columns and hasattr(columns[0], "__len__") else 1
    if isinstance(value, SparseTile):
        return stored(value).pattern.count
    return int(getattr(value, "size", 1))


def is_large_with_spark(value: Any) -> bool:
    """Return whether a value is a dense array of numbers that Spark has, and the driver needs not.

    Small ones are with the driver where they are read.
    """
    if not isinstance(value, DistributedArray) or not value.is_with_spark or value.is_sparse:
        return False
    is_plain = isinstance(value.element, ScalarKind) and value.dtype.kind in "biufc"
    return is_plain and value.size > MOST_WITH_DRIVER


def held_by_spark(values: Iterable[Any]) -> list[DistributedArray | Rows | RowsOfSpark]:
    """The arrays and lists among values that are with Spark."""
    kinds = DistributedArray | Rows | RowsOfSpark
    # Whether it is one of these kinds takes longer to find out, and most are NumPy's.
    held = [value for value in values if getattr(value, "is_with_spark", False)]
    return [value for value in held if isinstance(value, kinds)]


def edges_of_held(inputs: Mapping[str, Any]) -> dict[str, int] | None:
    """The edges of the tiles of the arrays that Spark has, from the largest one on."""
    held = [
        (array.size, name, array.block_size)
        for name, array in inputs.items()
        if isinstance(array, DistributedArray) and held_by_spark([array])
    ]
    if not held:
        return None
    ordered = sorted(held, key=lambda found: -found[0])
    return {name: edge for _, name, edge in ordered if edge is not None} or None


def cut_when_asked(results: Any, block_size: BlockSize) -> None:
    """Have arrays that are one tile give tiles of the size that the caller of a program wants."""
    for part in cast("tuple[Any, ...]", results) if isinstance(results, tuple) else (results,):
        if isinstance(part, DistributedArray) and part.block_size is None:
            part.tile_edge = size_of_blocks(block_size, part.name)
            if part.tile_edge is not None and isinstance(block_size, SizesByName):
                block_size.note([part.name or ""])


def recompute_when_lost(results: Any, again: Callable[[], Any]) -> None:
    """Have lazy results whose blocks are lost computed by doing the call again, once for all."""

    @cache
    def once() -> Sequence[Any]:
        return _parts_of(again())

    for place, part in enumerate(_parts_of(results)):
        if isinstance(part, DistributedArray | _Batches) and part.records.on_spark is not None:
            part.records.again = lambda place=place: once()[place].records


def show_sources(results: Any, sources: dict[str, str]) -> None:
    """Let what fails when lazy results are looked at show the line of the program."""
    for part in _parts_of(results):
        if isinstance(part, DistributedArray | _Batches) and part.records.on_spark is not None:
            part.records.sources = sources


def _parts_of(results: Any) -> Sequence[Any]:
    return cast("tuple[Any, ...]", results) if isinstance(results, tuple) else (results,)


def leave_to_results(
    kept: Kept, results: Any, workers: WorkerCounts | None = None, line: int | None = None
) -> None:
    """Let go of what a call kept on Spark, but for what its lazy results are computed from.

    What workers count while these are collected is told of then; what fails then is of `line`.
    """
    parts = cast("tuple[Any, ...]", results) if isinstance(results, tuple) else (results,)
    lazy = [p.records for p in parts if isinstance(p, DistributedArray | _Batches)]
    lazy = [records for records in lazy if records.on_spark is not None]
    kept.leave_to([records.on_spark for records in lazy])
    for records in lazy:
        records.needs(kept, None if workers is None else workers.tell)
        records.line = line


def _cells(row: tuple[Any] | None) -> Sequence[Any] | None:
    """The cells that show a row, which is a tuple or one value."""
    if row is None:
        return None
    return cast("tuple[Any, ...]", row[0]) if isinstance(row[0], tuple) else row


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def _elided(rows: Any, show: Callable[[Any], str]) -> list[str]:
    """The texts of all rows, or of the first and the last if there are many."""
    count = len(rows)
    threshold, edge = 1000, 3
    if count <= threshold:
        return [show(row) for row in rows]
    head, tail = rows[:edge], rows[count - edge :]
    return [*map(show, head), "...", *map(show, tail)]


def _show_entries(tile: SparseTile, values: Array) -> str:
    """The stored entries one a line, the middle left out as NumPy does with long arrays."""
    count = tile.nnz
    threshold, edge = 1000, 3
    shown = range(count)
    if count > threshold:
        shown = [*range(edge), *range(count - edge, count)]
    columns = [column[list(shown)].tolist() for column in (*tile.coordinates(), values)]
    extents = " x ".join(map(str, tile.shape))
    lines = [f"{extents} sparse array, {_entries(count)}"]
    for position, (*index, value) in enumerate(zip(*columns, strict=True)):
        if count > threshold and position == edge:
            lines.append("  ...")
        lines.append(f"  [{', '.join(map(str, index))}]  {value}")
    return "\n".join(lines)
