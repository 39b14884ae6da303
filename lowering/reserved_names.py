"""The names that emitted programs import, define or use, so that no variable may have them."""

from __future__ import annotations

import keyword

from diablo.program_names import MODULE_OF

_KERNEL_MODULES = (
    "arithmetic",
    "dot_products",
    "matrix_products",
    "scatter",
    "sparse_points",
    "sparse_products",
    "window_products",
    "windows",
)

IMPORTS = {
    "diablo.runtime": ("rows",),
    "diablo.runtime.arrays.tiles": ("SparseTile",),
    "diablo.runtime.device.worker_kernels": ("on_gpus",),
    "diablo.runtime.io.arguments": ("WantedArray", "WantedMap", "WantedRows", "WantedScalar"),
    "diablo.runtime.io.kind_texts": ("wanted",),
    "diablo.runtime.kernels": _KERNEL_MODULES,
    "diablo.runtime.kernels.compiled": ("compiled",),
    "diablo.runtime.monoid_ufuncs": ("UserMonoid",),
    "diablo.runtime.program": tuple(sorted(MODULE_OF)),
    "diablo.runtime.program.compiled_loops": ("compiled_loop",),
    "diablo.runtime.program.native_loop": ("loop_code",),
    "diablo.runtime.program.loop_steps": ("LoopJobs",),
    "diablo.runtime.results": ("DistributedArray", "Map", "Rows"),
    "diablo.runtime.rows.compiled_rows": ("compiled_rows",),
}
"""What emitted programs import of the runtime, if they use it."""

KERNEL_NAMES = frozenset(
    [
        *keyword.kwlist,
        *("np", "sp", "special", "rows", "SparseTile", *_KERNEL_MODULES),
        *("local_element", "probe_local", "scan", "slice", "slice_of", "range", "len", "bool", "_"),
    ]
)
"""What kernels use."""

DRIVER_NAMES = frozenset(
    [
        *KERNEL_NAMES,
        *keyword.softkwlist,
        *("sc", "main", "LLVM", "PTX", "LAUNCHES", "block_size", "partitions", "loop"),
        *[name for names in IMPORTS.values() for name in names],
        *("abs", "float", "int", "max", "min", "round", "print"),
    ]
)
"""What `main` and the top level of a program use."""
