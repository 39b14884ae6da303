"""What emitted programs call, gathered under one name.

    from diablo.runtime.program import choose_block_size, distribute, on_tiles, rekey

The parts are `data` (to and from the workers), `tile_functions` and `row_functions` (functions
for RDD operations), `windows` (tiles with the borders of others), `shuffle`, `combining` and
`folding`, `sequences` (rows that a loop goes through in order), `tables` (what such a loop writes
to), `loop` (what loops keep), `saved_state` (what they leave on the disk) and `script` (the command
line of a program).
"""

from diablo.runtime.arrays.memory import copied, into
from diablo.runtime.engines.keeping import persisted
from diablo.runtime.engines.worker_counts import counted
from diablo.runtime.program.combining import combine
from diablo.runtime.program.data import (
    choose_block_size,
    distribute,
    distribute_rows,
    element,
    extent,
    filled,
    gather,
    gather_rows,
    index_rows,
    local_element,
    partition_count,
    probe_element,
    probe_local,
    probe_map,
    require,
    tiles,
    with_element,
    wrap,
)
from diablo.runtime.program.distributed_sorting import sort_rows
from diablo.runtime.program.folding import fold_records, gather_folded
from diablo.runtime.program.group_gathering import gather_groups
from diablo.runtime.program.interleaving import interleave, joined_axes
from diablo.runtime.program.layouts import laid_out, with_layout
from diablo.runtime.program.loop import Iterations, broadcast
from diablo.runtime.program.row_functions import hash_rows, number_rows, on_rows, route
from diablo.runtime.program.saved_state import Checkpoint
from diablo.runtime.program.script import run_as_script
from diablo.runtime.program.sequences import sequence
from diablo.runtime.program.shuffle import cogroup, join_groups
from diablo.runtime.program.tables import float_key, table
from diablo.runtime.program.tile_functions import (
    batch,
    here,
    keys,
    moved,
    on_groups,
    on_tiles,
    rekey,
    replicate,
)
from diablo.runtime.program.tile_placement import tiles_inside
from diablo.runtime.program.tile_scans import scan, scan_tiles
from diablo.runtime.program.tile_slices import slice_of, slices
from diablo.runtime.program.tile_windows import parts, window

__all__ = [
    "Checkpoint",
    "Iterations",
    "batch",
    "broadcast",
    "choose_block_size",
    "cogroup",
    "combine",
    "copied",
    "counted",
    "distribute",
    "distribute_rows",
    "element",
    "extent",
    "filled",
    "float_key",
    "fold_records",
    "gather",
    "gather_folded",
    "gather_groups",
    "gather_rows",
    "hash_rows",
    "here",
    "index_rows",
    "interleave",
    "into",
    "join_groups",
    "joined_axes",
    "keys",
    "laid_out",
    "local_element",
    "moved",
    "number_rows",
    "on_groups",
    "on_rows",
    "on_tiles",
    "partition_count",
    "parts",
    "persisted",
    "probe_element",
    "probe_local",
    "probe_map",
    "rekey",
    "replicate",
    "require",
    "route",
    "run_as_script",
    "scan",
    "scan_tiles",
    "sequence",
    "slice_of",
    "slices",
    "sort_rows",
    "table",
    "tiles",
    "tiles_inside",
    "window",
    "with_element",
    "with_layout",
    "wrap",
]
