"""Operations on column batches, as compiled kernels call them.

A batch is a tuple of columns of equal length: NumPy arrays, `Lists` where rows hold lists, and
`Strings` where there are many. The operations live in modules of their own (`batches`,
`grouping`, `joins`, `nesting`, `row_arrays`, …); this one gathers them under the name that emitted
programs use:

    rows.group_reduce(rows.lookup(edges, ranks, [0]), 1, ["add"])
"""

from diablo.runtime.monoid_ufuncs import Column
from diablo.runtime.rows import strings
from diablo.runtime.rows.batches import (
    Batch,
    columns,
    concat,
    concat_rows,
    empty,
    expand,
    extend,
    filter,
    fold,
    index_range,
    length,
    project,
    take,
)
from diablo.runtime.rows.choice import scatter, where
from diablo.runtime.rows.columns import cell, constant_rows, full
from diablo.runtime.rows.grouping import group_reduce
from diablo.runtime.rows.hashing import hash_values
from diablo.runtime.rows.joins import join
from diablo.runtime.rows.lists import Lists
from diablo.runtime.rows.maps import probe_map, probe_maps, update
from diablo.runtime.rows.nesting import (
    elements_at,
    group,
    list_elements,
    list_lengths,
    list_reduce,
    literal_lists,
    number,
    unnest,
)
from diablo.runtime.rows.pair_joins import ChosenPairs
from diablo.runtime.rows.row_arrays import (
    array_entries,
    build_arrays,
    extents,
    extract,
    extract_one,
    probe,
    probe_one,
)
from diablo.runtime.rows.row_totals import (
    accumulate,
    accumulate_block,
    accumulate_items,
    accumulate_pairs,
    blocks,
    collect_items,
    list_places,
    pairs,
    range_lists,
)
from diablo.runtime.rows.sorting import sort, sort_lists
from diablo.runtime.rows.tile_rows import from_rows, lookup, to_rows
from diablo.runtime.rows.tuples import pack, unpack
from diablo.runtime.rows.windowing import window

__all__ = [
    "Batch",
    "ChosenPairs",
    "Column",
    "Lists",
    "accumulate",
    "accumulate_block",
    "accumulate_items",
    "accumulate_pairs",
    "array_entries",
    "blocks",
    "build_arrays",
    "cell",
    "collect_items",
    "columns",
    "concat",
    "concat_rows",
    "constant_rows",
    "elements_at",
    "empty",
    "expand",
    "extend",
    "extents",
    "extract",
    "extract_one",
    "filter",
    "fold",
    "from_rows",
    "full",
    "group",
    "group_reduce",
    "hash_values",
    "index_range",
    "join",
    "length",
    "list_elements",
    "list_lengths",
    "list_places",
    "list_reduce",
    "literal_lists",
    "lookup",
    "number",
    "pack",
    "pairs",
    "probe",
    "probe_map",
    "probe_maps",
    "probe_one",
    "project",
    "range_lists",
    "scatter",
    "sort",
    "sort_lists",
    "strings",
    "take",
    "to_rows",
    "unnest",
    "unpack",
    "update",
    "where",
    "window",
]
