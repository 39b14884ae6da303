"""The names that emitted programs import, define or use, so that no variable may have them."""

from __future__ import annotations

import keyword

PROGRAM_NAMES = (
    *(
        "Checkpoint",
        "Iterations",
        "batch",
        "broadcast",
        "choose_block_size",
        "cogroup",
        "combine",
        "counted",
        "distribute",
    ),
    *(
        "distribute_rows",
        "element",
        "filled",
        "gather",
        "fold_records",
        "gather_folded",
        "gather_groups",
        "gather_rows",
        "hash_rows",
        "here",
        "index_rows",
    ),
    *(
        "laid_out",
        "with_element",
        "copied",
        "with_layout",
        "interleave",
        "into",
        "joined_axes",
        "inside",
        "keys",
        "local_element",
        "moved",
        "number_rows",
        "on_groups",
        "on_rows",
    ),
    *(
        "on_tiles",
        "partition_count",
        "parts",
        "persisted",
        "extent",
        "float_key",
        "probe_element",
        "probe_local",
        "probe_map",
        "rekey",
        "replicate",
    ),
    *(
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
        "window",
        "wrap",
    ),
)
"""What emitted programs call of `diablo.runtime.program`."""

KERNEL_NAMES = frozenset(
    [
        *keyword.kwlist,
        *(
            "np",
            "sp",
            "rows",
            "SparseTile",
            "arithmetic",
            "special",
            "dot_products",
            "matrix_products",
            "sparse_products",
            "sparse_points",
        ),
        *("scatter", "windows"),
        *("local_element", "probe_local", "slice", "slice_of", "range", "len", "bool", "_"),
    ]
)
"""What kernels use."""

DRIVER_NAMES = frozenset(
    [
        *KERNEL_NAMES,
        *keyword.softkwlist,
        *("sc", "main", "compiled", "LLVM", "UserMonoid"),
        *("block_size", "partitions", "loop", "DistributedArray", "Map", "Rows"),
        *("WantedArray", "WantedMap", "WantedRows", "WantedScalar"),
        *PROGRAM_NAMES,
        *("abs", "float", "int", "max", "min", "round", "print"),
    ]
)
"""What `main` and the top level of a program use."""
