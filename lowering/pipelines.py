"""The named pipelines: from the source level to each level below it.

Each name may be used like a pass (`diablo-opt -p diablo-to-spark`); a later pipeline
contains the earlier ones. The texts have the spelling of `--pass-pipeline`, without the
`builtin.module(...)` around them. An option of a pipeline, as in `diablo-to-gpu{fast-atomics}`, is
given to those of its passes that have it.
"""

from __future__ import annotations

_CLEAN = "canonicalize,cse"
"""The first leaves nothing dead, and of what the second replaces nothing else is needed."""

_TO_VALUES = (
    "scan-loops,order-loops,check-parallel,check-indices,convert-diablo-to-comprehension,expand-reads,"
    f"{_CLEAN}"
)

_TO_COMPREHENSION = f"{_TO_VALUES},place-loops,tabulate-writes{{dense=true}},keep-last"

_TO_WHOLE_COMPREHENSION = f"{_TO_VALUES},tabulate-writes,keep-last"
"""Elements of arrays that stay with the driver are written where the arrays are."""

_OPTIMISE = (
    "resolve-dimensions,comprehension-normalize,flatten-groups,nest-updates,unroll-windows,scan-prefixes,eliminate-ranges,merge-generators,"
    "unique-keys,unnest-aggregates,fuse-producers,comprehension-normalize,share-comprehensions,"
    "fuse-comprehensions,prune-columns,narrow-ranges,move-guards,prune-regions,infer-sparsity,"
    "split-sparse-terms,guard-zeros,prune-regions,hoist-invariants,slice-generators,drop-copies,"
    "resolve-dimensions,"
    f"{_CLEAN}"
)
"""The optimiser of the comprehension level: each pass may be left out."""

_OPTIMISE_WHOLE = _OPTIMISE.replace("hoist-invariants", "hoist-invariants{elements=true}")
"""The same where arrays are the driver's, of which to read an element is little."""

_FUSE = f"resolve-dimensions,{_CLEAN},widen-sums,fuse-elementwise,lift-elementwise"

_LAY_OUT = f"narrow-rows,{_CLEAN},bound-rows,infer-lattice-uses,choose-layouts"

_FINISH_TENSOR_BLOCK = f"{_FUSE},hoist-reductions,prune-control-flow,simplify-sorts,{_LAY_OUT}"

_FUSE_WHOLE = (
    f"resolve-dimensions,{_CLEAN},widen-sums,fuse-elementwise{{whole=true}},lift-elementwise"
)

_FINISH_WHOLE = (
    f"{_FUSE_WHOLE},mask-products,hoist-reductions,prune-control-flow,"
    f"simplify-sorts{{whole=true}},{_LAY_OUT}"
)

_SETTLE = f"fuse-rows,prune-control-flow,sink-into-branches,hoist-loop-invariants,{_CLEAN}"
"""What the driver and its kernels do, each thing where it is needed."""

_KNOWN = "simplify-scalars,fold-together,cse,prune-control-flow"
"""What these find to be one value, or one job, and `cse` makes one, the last carries once."""

_FINISH_SPARK = (
    f"place-arrays,choose-strips,choose-join,convert-tensor-block-to-spark,{_SETTLE},read-elements,write-elements,"
    f"{_KNOWN},collect-together,collect-groups,merge-kernel-calls,read-slices,share-kernels,"
    "persist-reused,elide-shuffles,choose-block-size,release-kept,number-kernels,update-in-place,"
    "outline-native-loops"
)

_CALL_KERNELS = (
    f"convert-tensor-block-to-spark{{whole=true}},{_SETTLE},unroll-loops,forward-elements"
)

_WRITE = f"write-elements,{_KNOWN}"

_KEEP = "persist-reused,number-kernels,update-in-place"

_SHARE_KERNELS = f"share-kernels,{_KEEP}"

_FINISH_LOCAL = (
    f"{_CALL_KERNELS},read-elements,{_WRITE},accumulate-products,merge-kernel-calls{{strips=true}},"
    f"read-slices,{_SHARE_KERNELS},"
    "outline-native-loops"
)

_TO_TENSOR_BLOCK = (
    f"{_TO_COMPREHENSION},{_OPTIMISE},convert-comprehension-to-tensor-block,{_FINISH_TENSOR_BLOCK}"
)

_TO_SPARK = f"{_TO_TENSOR_BLOCK},{_FINISH_SPARK}"

_TO_WHOLE = (
    f"{_TO_WHOLE_COMPREHENSION},{_OPTIMISE_WHOLE},convert-comprehension-to-tensor-block{{whole=true}},"
    f"{_FINISH_WHOLE}"
)

_TO_LOCAL = f"{_TO_WHOLE},{_FINISH_LOCAL}"
"""For one process, where every array is one tile."""

_FINISH_DEVICE = (
    f"{_CALL_KERNELS},{_WRITE},merge-kernel-calls,read-slices,share-kernels,"
    f"merge-arguments,{_KEEP},"
    "outline-native-loops{kernels=false},sink-scalars"
)

_TO_DEVICE = f"{_TO_WHOLE},{_FINISH_DEVICE}"
"""For one process with a GPU, which is to run the kernels: these as they are."""

_TO_KERNELS = (
    f"{_TO_SPARK},expand-random,convert-tensor-block-to-multiloop{{points=true}},fuse-multiloops,"
    "convert-multiloop-to-loops,expand-complex,expand-functions,"
    "convert-kernel-to-llvm"
)

_TO_GPU = (
    f"{_TO_DEVICE},expand-random,convert-tensor-block-to-sparse-storage{{exact=true plain=true}},"
    "split-complex-sums,convert-tensor-block-to-multiloop{points=true},"
    "fuse-multiloops{plain=true},"
    "convert-multiloop-to-loops{plain=true},"
    "convert-tensor-block-to-multiloop,fuse-multiloops,encode-columns,"
    "convert-multiloop-to-parallel-loops,expand-complex,expand-functions,widen-entry-sums,"
    f"convert-loops-to-gpu,{_CLEAN}"
)
"""For one process with a GPU: the kernels that it can run."""

PIPELINES: dict[str, str] = {
    "diablo-to-comprehension": _TO_COMPREHENSION,
    "diablo-to-tensor-block": _TO_TENSOR_BLOCK,
    "diablo-to-spark": _TO_SPARK,
    "diablo-to-local": _TO_LOCAL,
    "tensor-block-to-spark": f"{_FINISH_TENSOR_BLOCK},{_FINISH_SPARK}",
    "tensor-block-to-local": f"{_FINISH_WHOLE},{_FINISH_LOCAL}",
    "tensor-block-to-device": f"{_FINISH_WHOLE},{_FINISH_DEVICE}",
    "diablo-to-kernels": _TO_KERNELS,
    "diablo-to-device": _TO_DEVICE,
    "diablo-to-gpu": _TO_GPU,
    "diablo-to-nvvm": f"{_TO_GPU},convert-gpu-to-nvvm",
}
"""What each named pipeline stands for."""

PIPELINE_OPTIONS = ("fast-math", "fast-atomics", "index-bitwidth", "report", "summary", "tasks")
"""The options of passes that pipelines take: what others decide follows from the pipeline."""
