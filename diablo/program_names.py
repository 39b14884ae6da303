"""The table of what emitted programs call of `diablo.runtime.program`, and of where that is.

    "diablo.runtime.program.tile_scans": ("scan", "scan_tiles")

The package finds its functions by it, and no variable of an emitted program gets their names. A
function more that programs call is a name more here.
"""

from __future__ import annotations

PROGRAM_FUNCTIONS: dict[str, tuple[str, ...]] = {
    "diablo.runtime.arrays.memory": ("copied", "into"),
    "diablo.runtime.engines.keeping": ("persisted", "release"),
    "diablo.runtime.engines.worker_counts": ("counted",),
    "diablo.runtime.program.array_strips": ("gather_strips", "strips", "tiles_to_strips"),
    "diablo.runtime.program.combining": ("combine",),
    "diablo.runtime.program.data": (
        "choose_block_size",
        "distribute",
        "distribute_rows",
        "element",
        "extent",
        "filled",
        "gather",
        "gather_rows",
        "index_rows",
        "local_element",
        "partition_count",
        "probe_element",
        "probe_local",
        "probe_map",
        "require",
        "tiles",
        "with_element",
        "wrap",
    ),
    "diablo.runtime.program.distributed_sorting": ("sort_rows",),
    "diablo.runtime.program.folding": ("fold_records", "gather_folded"),
    "diablo.runtime.program.group_gathering": ("gather_groups",),
    "diablo.runtime.program.interleaving": ("interleave", "joined_axes"),
    "diablo.runtime.program.layouts": ("laid_out", "with_layout"),
    "diablo.runtime.program.loop": ("Iterations", "broadcast"),
    "diablo.runtime.program.row_functions": ("hash_rows", "number_rows", "on_rows", "route"),
    "diablo.runtime.program.row_windows": ("window_rows",),
    "diablo.runtime.program.saved_state": ("Checkpoint",),
    "diablo.runtime.program.script": ("run_as_script",),
    "diablo.runtime.program.sequences": ("sequence",),
    "diablo.runtime.program.shuffle": ("cogroup", "join_groups", "zip_tiles"),
    "diablo.runtime.program.tables": ("float_key", "table"),
    "diablo.runtime.program.tile_functions": (
        "batch",
        "here",
        "keys",
        "moved",
        "on_groups",
        "on_tiles",
        "rekey",
        "replicate",
    ),
    "diablo.runtime.program.tile_placement": ("by_bucket", "by_grid", "tiles_inside"),
    "diablo.runtime.program.tile_scans": ("scan", "scan_tiles"),
    "diablo.runtime.program.tile_slices": ("slice_of", "slices"),
    "diablo.runtime.program.tile_windows": ("parts", "window"),
}

MODULE_OF = {name: module for module, names in PROGRAM_FUNCTIONS.items() for name in names}
"""The module of each function."""
