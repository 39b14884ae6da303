"""What emitted programs call, gathered under one name.

    from diablo.runtime.program import choose_block_size, distribute, on_tiles, rekey

The parts are `program_data` (to and from the workers), `program_tiles` and `program_rows`
(functions for RDD operations), `program_loop` (what loops keep) and `program_script` (the
command line of a program).
"""

from diablo.runtime.combine import combine
from diablo.runtime.program_data import (
    choose_block_size,
    distribute,
    distribute_rows,
    element,
    gather,
    gather_rows,
    index_rows,
    local_element,
    partition_count,
    require,
    tiles,
    wrap,
)
from diablo.runtime.program_loop import Iterations
from diablo.runtime.program_rows import hash_rows, on_rows, route
from diablo.runtime.program_script import run_as_script
from diablo.runtime.program_shuffle import cogroup
from diablo.runtime.program_tiles import (
    batch,
    here,
    inside,
    keys,
    moved,
    on_groups,
    on_tiles,
    rekey,
)

__all__ = [
    "Iterations",
    "batch",
    "choose_block_size",
    "cogroup",
    "combine",
    "distribute",
    "distribute_rows",
    "element",
    "gather",
    "gather_rows",
    "hash_rows",
    "here",
    "index_rows",
    "inside",
    "keys",
    "local_element",
    "moved",
    "on_groups",
    "on_rows",
    "on_tiles",
    "partition_count",
    "rekey",
    "require",
    "route",
    "run_as_script",
    "tiles",
    "wrap",
]
