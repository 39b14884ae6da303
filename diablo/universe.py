"""What diablo adds to xDSL: dialects, passes and targets, all of them imported late.

The three tables are read without importing what they name, so that a tool starts fast and
`diablo-opt --list-passes` can print every line. Stock `xdsl-opt` finds `XDSL_PLUGIN`
through the entry point group `xdsl.universe`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import XDSL_UNIVERSE, Universe
from xdsl.utils.target import Target

T = TypeVar("T")


@dataclass(frozen=True)
class Entry:
    """Where a dialect, pass or target is defined, and what it is in one line."""

    module: str
    attribute: str
    summary: str
    nested: bool = False
    """Whether a pass looks at nothing outside of the op it is given, as `func.func(…)` asks."""

    def load(self) -> Any:
        """Import the module and return the class or object."""
        from importlib import import_module

        return getattr(import_module(self.module), self.attribute)


DIALECTS: dict[str, Entry] = {
    "diablo": Entry(
        "diablo.dialects.diablo", "Diablo", "source level: mutable variables and bulk loops"
    ),
    "comprehension": Entry(
        "diablo.dialects.comprehension", "Comprehension", "monoid comprehensions over values"
    ),
    "tensor_block": Entry(
        "diablo.dialects.tensor_block", "TensorBlock", "whole-array algebra over tiled tensors"
    ),
    "multiloop": Entry(
        "diablo.dialects.multiloop",
        "Multiloop",
        "loops over rows and ranges, and what becomes of the values that they emit",
    ),
    "spark": Entry("diablo.dialects.spark", "Spark", "RDD operations between tiles"),
    "sparse_storage": Entry(
        "diablo.dialects.sparse_storage",
        "SparseStorage",
        "iteration over the index sets of sparse arrays",
    ),
    "simt": Entry("diablo.dialects.simt", "Simt", "what the threads of a GPU do together"),
}

PASSES: dict[str, Entry] = {
    "canonicalize": Entry(
        "diablo.passes.canonicalize",
        "CanonicalizePass",
        "fold ops, apply the rules that their classes name, and drop dead ones",
        nested=True,
    ),
    "cse": Entry(
        "diablo.passes.cse",
        "CommonSubexpressionEliminationPass",
        "let equal ops be computed once",
        nested=True,
    ),
    "scan-loops": Entry(
        "diablo.passes.scan_loops",
        "ScanLoopsPass",
        "let a loop that reads what it has added up so far add that up anew",
    ),
    "order-loops": Entry(
        "diablo.passes.order_loops",
        "OrderLoopsPass",
        "run loops in order where that matters, and all others at once",
    ),
    "check-parallel": Entry(
        "diablo.passes.check_parallel",
        "CheckParallelPass",
        "warn where a bulk loop differs from the same loop run sequentially",
        nested=True,
    ),
    "tabulate-writes": Entry(
        "diablo.passes.comprehension.tabulate_writes",
        "TabulateWritesPass",
        "let loops that run in order write to maps and arrays by way of hash tables",
    ),
    "keep-last": Entry(
        "diablo.passes.comprehension.keep_last",
        "KeepLastPass",
        "say which of several rows with one index or key is kept: the last one",
    ),
    "check-indices": Entry(
        "diablo.passes.check_indices",
        "CheckIndicesPass",
        "warn where an index is given several values, of which the last is kept",
        nested=True,
    ),
    "convert-diablo-to-comprehension": Entry(
        "diablo.lowering.comprehension.convert_diablo_to_comprehension",
        "ConvertDiabloToComprehensionPass",
        "turn variables into values and bulk loops into comprehensions",
    ),
    "expand-random": Entry(
        "diablo.passes.comprehension.expand_random",
        "ExpandRandomPass",
        "compute random numbers from the seed and the indices",
        nested=True,
    ),
    "expand-reads": Entry(
        "diablo.passes.comprehension.expand_reads",
        "ExpandReadsPass",
        "turn element reads into generators and guards",
        nested=True,
    ),
    "comprehension-normalize": Entry(
        "diablo.passes.comprehension.comprehension_normalize",
        "ComprehensionNormalizePass",
        "flatten comprehensions and bring guards, groups and reads to one form",
        nested=True,
    ),
    "move-guards": Entry(
        "diablo.passes.comprehension.move_guards",
        "MoveGuardsPass",
        "test each condition as soon as its variables are bound",
        nested=True,
    ),
    "eliminate-ranges": Entry(
        "diablo.passes.comprehension.eliminate_ranges",
        "EliminateRangesPass",
        "compute the index of a range that an equality determines",
        nested=True,
    ),
    "merge-generators": Entry(
        "diablo.passes.comprehension.merge_generators",
        "MergeGeneratorsPass",
        "let one generator do for two that are at the same index",
        nested=True,
    ),
    "unique-keys": Entry(
        "diablo.passes.comprehension.unique_keys",
        "UniqueKeysPass",
        "drop a group_by whose groups are known beforehand",
        nested=True,
    ),
    "infer-sparsity": Entry(
        "diablo.passes.comprehension.infer_sparsity",
        "InferSparsityPass",
        "skip implicit values where they cannot change the result",
        nested=True,
    ),
    "slice-generators": Entry(
        "diablo.passes.comprehension.slice_generators",
        "SliceGeneratorsPass",
        "read slices of sparse arrays where indices are fixed",
        nested=True,
    ),
    "drop-copies": Entry(
        "diablo.passes.comprehension.drop_copies",
        "DropCopiesPass",
        "take an array itself where a comprehension only copies it",
        nested=True,
    ),
    "share-comprehensions": Entry(
        "diablo.passes.comprehension.share_comprehensions",
        "ShareComprehensionsPass",
        "compute equal comprehensions once",
        nested=True,
    ),
    "fuse-comprehensions": Entry(
        "diablo.passes.comprehension.fuse_comprehensions",
        "FuseComprehensionsPass",
        "run once over what several comprehensions run over",
        nested=True,
    ),
    "fuse-producers": Entry(
        "diablo.passes.comprehension.fuse_producers",
        "FuseProducersPass",
        "compute the elements of an array where they are read",
        nested=True,
    ),
    "scan-prefixes": Entry(
        "diablo.passes.comprehension.scan_prefixes",
        "ScanPrefixesPass",
        "compute what is folded up to each index, or from it on, by one scan",
        nested=True,
    ),
    "unnest-aggregates": Entry(
        "diablo.passes.comprehension.unnest_aggregates",
        "UnnestAggregatesPass",
        "compute the sums that a comprehension needs at each of its indices as one array",
        nested=True,
    ),
    "narrow-ranges": Entry(
        "diablo.passes.comprehension.narrow_ranges",
        "NarrowRangesPass",
        "let ranges run only where tests of their index can hold",
        nested=True,
    ),
    "prune-columns": Entry(
        "diablo.passes.comprehension.prune_columns",
        "PruneColumnsPass",
        "drop the columns of lists that nothing reads",
        nested=True,
    ),
    "prune-regions": Entry(
        "diablo.passes.comprehension.prune_regions",
        "PruneRegionsPass",
        "leave out generators over regions that others stay within anyway",
        nested=True,
    ),
    "nest-updates": Entry(
        "diablo.passes.comprehension.nest_updates",
        "NestUpdatesPass",
        "fold what an entry of a sparse array is updated by before the update",
    ),
    "unroll-windows": Entry(
        "diablo.passes.comprehension.unroll_windows",
        "UnrollWindowsPass",
        "write sums over small windows out",
        nested=True,
    ),
    "split-sparse-terms": Entry(
        "diablo.passes.comprehension.split_sparse_terms",
        "SplitSparseTermsPass",
        "add the terms that a sparse array contributes to a dense one where it stores elements",
        nested=True,
    ),
    "guard-zeros": Entry(
        "diablo.passes.comprehension.guard_zeros",
        "GuardZerosPass",
        "let products with the zeros of sparse arrays be zero where all indices are visited",
        nested=True,
    ),
    "fuse-elementwise": Entry(
        "diablo.passes.fuse_elementwise",
        "FuseElementwisePass",
        "fuse elementwise operations into the elementwise operations that use them",
        nested=True,
    ),
    "lift-elementwise": Entry(
        "diablo.passes.lift_elementwise",
        "LiftElementwisePass",
        "compute what a contraction computes of one operand before it",
        nested=True,
    ),
    "hoist-reductions": Entry(
        "diablo.passes.hoist_reductions",
        "HoistReductionsPass",
        "make sums over arrays that a loop does not change before it",
        nested=True,
    ),
    "mask-products": Entry(
        "diablo.passes.mask_products",
        "MaskProductsPass",
        "compute products of sparse matrices only where what reads them looks at them",
        nested=True,
    ),
    "widen-sums": Entry(
        "diablo.passes.widen_sums",
        "WidenSumsPass",
        "add up floats of 32 bits in 64, and round the sums",
    ),
    "simplify-sorts": Entry(
        "diablo.passes.simplify_sorts",
        "SimplifySortsPass",
        "look for the first rows alone where rows are sorted and cut, and sort by fewer keys",
    ),
    "narrow-rows": Entry(
        "diablo.passes.narrow_rows",
        "NarrowRowsPass",
        "drop the columns of rows that nothing reads before rows are multiplied or moved",
        nested=True,
    ),
    "bound-rows": Entry(
        "diablo.passes.bound_rows",
        "BoundRowsPass",
        "note at joins and ranges how many of their rows can matter in the end, if not all do",
        nested=True,
    ),
    "fuse-rows": Entry(
        "diablo.passes.fuse_rows",
        "FuseRowsPass",
        "make one operation on rows of two that follow one another",
        nested=True,
    ),
    "sink-into-branches": Entry(
        "diablo.passes.sink_into_branches",
        "SinkIntoBranchesPass",
        "compute in an arm of a branch what that arm alone reads",
    ),
    "prune-control-flow": Entry(
        "diablo.passes.prune_control_flow",
        "PruneControlFlowPass",
        "drop what branches give and loops carry that nothing reads, or that another value is",
        nested=True,
    ),
    "flatten-groups": Entry(
        "diablo.passes.comprehension.flatten_groups",
        "FlattenGroupsPass",
        "group by all keys at once where each group is grouped again",
        nested=True,
    ),
    "hoist-invariants": Entry(
        "diablo.passes.comprehension.hoist_invariants",
        "HoistInvariantsPass",
        "move what does not vary out of comprehensions",
        nested=True,
    ),
    "resolve-dimensions": Entry(
        "diablo.passes.resolve_dimensions",
        "ResolveDimensionsPass",
        "replace the dimensions of arrays by the values they were made with",
        nested=True,
    ),
    "simplify-scalars": Entry(
        "diablo.passes.simplify_scalars",
        "SimplifyScalarsPass",
        "replace scalars that are known without being computed, and drop what always holds",
    ),
    "convert-comprehension-to-tensor-block": Entry(
        "diablo.lowering.tensor_block.convert_comprehension_to_tensor_block",
        "ConvertComprehensionToTensorBlockPass",
        "turn comprehensions into whole-array and row operations",
    ),
    "infer-lattice-uses": Entry(
        "diablo.passes.layouts.infer_lattice_uses",
        "InferLatticeUsesPass",
        "find out what is asked of the index sets of sparse arrays",
    ),
    "choose-layouts": Entry(
        "diablo.passes.layouts.choose_layouts",
        "ChooseLayoutsPass",
        "choose what is stored of the index sets of sparse arrays",
    ),
    "place-loops": Entry(
        "diablo.passes.comprehension.place_loops",
        "PlaceLoopsPass",
        "bring arrays to the driver that a loop in order changes in part",
    ),
    "place-arrays": Entry(
        "diablo.passes.place_arrays",
        "PlaceArraysPass",
        "leave arrays with the driver that are small beside others, or made of its own",
    ),
    "choose-strips": Entry(
        "diablo.passes.choose_strips",
        "ChooseStripsPass",
        "compute operations over the same rows together, in one job",
    ),
    "choose-join": Entry(
        "diablo.passes.choose_join",
        "ChooseJoinPass",
        "choose how distributed arrays and bags that one operation reads come together",
    ),
    "convert-tensor-block-to-spark": Entry(
        "diablo.lowering.spark.convert_tensor_block_to_spark",
        "ConvertTensorBlockToSparkPass",
        "distribute whole-array operations as RDD operations and kernels",
    ),
    "merge-arguments": Entry(
        "diablo.passes.merge_arguments",
        "MergeArgumentsPass",
        "give kernels once what all calls give them twice",
    ),
    "accumulate-products": Entry(
        "diablo.passes.accumulate_products",
        "AccumulateProductsPass",
        "let BLAS add products of matrices to arrays as it makes them",
    ),
    "merge-kernel-calls": Entry(
        "diablo.passes.merge_kernel_calls",
        "MergeKernelCallsPass",
        "make one kernel of several over the same points of the driver's arrays",
    ),
    "share-kernels": Entry(
        "diablo.passes.share_kernels",
        "ShareKernelsPass",
        "make one kernel of those that differ in names and numbers",
    ),
    "hoist-loop-invariants": Entry(
        "diablo.passes.hoist_loop_invariants",
        "HoistLoopInvariantsPass",
        "move what is the same in each iteration of a driver loop out of it",
    ),
    "collect-together": Entry(
        "diablo.passes.collect_together",
        "CollectTogetherPass",
        "bring columns that are computed of the same rows to the driver in one job",
    ),
    "fold-together": Entry(
        "diablo.passes.fold_together",
        "FoldTogetherPass",
        "fold the same rows, or tiles, to several numbers in one job",
    ),
    "collect-groups": Entry(
        "diablo.passes.collect_groups",
        "CollectGroupsPass",
        "let the driver bring groups together that it alone reads, if they are few",
    ),
    "persist-reused": Entry(
        "diablo.passes.persist_reused",
        "PersistReusedPass",
        "keep the RDDs that would otherwise be computed again",
    ),
    "release-kept": Entry(
        "diablo.passes.release_kept",
        "ReleaseKeptPass",
        "let go of what Spark keeps once nothing needs it any more",
    ),
    "elide-shuffles": Entry(
        "diablo.passes.elide_shuffles",
        "ElideShufflesPass",
        "let tiles that lie alike meet where they are, and move others once",
    ),
    "choose-block-size": Entry(
        "diablo.passes.choose_block_size",
        "ChooseBlockSizePass",
        "give arrays whose tiles never meet blocks of a size of their own",
    ),
    "number-kernels": Entry(
        "diablo.passes.number_kernels",
        "NumberKernelsPass",
        "number the kernels in the order of their first use",
    ),
    "unroll-loops": Entry(
        "diablo.passes.unroll_loops",
        "UnrollLoopsPass",
        "write out loops of few iterations that step through an array of arrays",
    ),
    "forward-elements": Entry(
        "diablo.passes.forward_elements",
        "ForwardElementsPass",
        "let what was put into an array of arrays stand for what is read of it",
    ),
    "read-elements": Entry(
        "diablo.passes.read_elements",
        "ReadElementsPass",
        "read elements of the driver's arrays before kernels that write to the arrays",
    ),
    "read-slices": Entry(
        "diablo.passes.read_slices",
        "ReadSlicesPass",
        "read slices of the driver's arrays before kernels that write to the arrays",
    ),
    "write-elements": Entry(
        "diablo.passes.write_elements",
        "WriteElementsPass",
        "write single elements of the driver's arrays in loops as such",
    ),
    "checkpoint-loops": Entry(
        "diablo.passes.checkpoint_loops",
        "CheckpointLoopsPass",
        "have the state of the driver's outermost loops saved as they run",
    ),
    "update-in-place": Entry(
        "diablo.passes.update_in_place",
        "UpdateInPlacePass",
        "compute arrays of the driver in the memory of others that die with it",
    ),
    "sink-scalars": Entry(
        "diablo.passes.sink_scalars",
        "SinkScalarsPass",
        "compute numbers that come of kernels in the kernels that take them",
    ),
    "outline-native-loops": Entry(
        "diablo.lowering.native_loops.outline_native_loops",
        "OutlineNativeLoopsPass",
        "make functions of the driver's loops over numbers and elements, for machine code",
    ),
    "convert-native-loops": Entry(
        "diablo.lowering.native_loops.convert_native_loops",
        "ConvertNativeLoopsPass",
        "turn outlined loops of the driver into loops over memrefs",
    ),
    "fuse-multiloops": Entry(
        "diablo.passes.fuse_multiloops",
        "FuseMultiloopsPass",
        "fuse loops with the loops that make their rows, and loops over one source",
        nested=True,
    ),
    "convert-tensor-block-to-multiloop": Entry(
        "diablo.lowering.multiloop.convert_tensor_block_to_multiloop",
        "ConvertTensorBlockToMultiloopPass",
        "turn ops over the rows of local bags into loops that emit rows",
        nested=True,
    ),
    "encode-columns": Entry(
        "diablo.lowering.multiloop.encode_columns",
        "EncodeColumnsPass",
        "let numbers stand for what loops over rows only move, group by, or look for",
    ),
    "convert-multiloop-to-loops": Entry(
        "diablo.lowering.multiloop.convert_multiloop_to_loops",
        "ConvertMultiloopToLoopsPass",
        "turn loops with generators into loops over buffers",
    ),
    "convert-multiloop-to-parallel-loops": Entry(
        "diablo.lowering.gpu.convert_multiloop_to_parallel_loops",
        "ConvertMultiloopToParallelLoopsPass",
        "turn loops with generators into loops whose iterations threads can share",
    ),
    "convert-tensor-block-to-sparse-storage": Entry(
        "diablo.lowering.sparse_storage.convert_tensor_block_to_sparse_storage",
        "ConvertTensorBlockToSparseStoragePass",
        "let kernels over sparse tiles run over what these store",
    ),
    "expand-complex": Entry(
        "diablo.lowering.llvm.expand_complex",
        "ExpandComplexPass",
        "write complex numbers in loops out as pairs of floats",
    ),
    "expand-functions": Entry(
        "diablo.lowering.llvm.expand_functions",
        "ExpandFunctionsPass",
        "write functions on numbers in loops out as straight-line code",
    ),
    "convert-kernel-to-llvm": Entry(
        "diablo.lowering.llvm.convert_kernel_to_llvm",
        "ConvertKernelToLLVMPass",
        "turn loops over memrefs into functions of the llvm dialect",
    ),
    "split-complex-sums": Entry(
        "diablo.lowering.gpu.split_complex_sums",
        "SplitComplexSumsPass",
        "let what adds complex numbers at computed places add their parts",
    ),
    "widen-entry-sums": Entry(
        "diablo.lowering.gpu.widen_entry_sums",
        "WidenEntrySumsPass",
        "add up floats of 32 bits in 64 where a loop goes through the entries of a row",
    ),
    "convert-loops-to-gpu": Entry(
        "diablo.lowering.gpu.convert_loops_to_gpu",
        "ConvertLoopsToGPUPass",
        "turn loops over memrefs into kernels for a GPU and their launches",
    ),
    "convert-gpu-to-loops": Entry(
        "diablo.lowering.gpu.convert_gpu_to_loops",
        "ConvertGPUToLoopsPass",
        "turn kernels for a GPU and their launches back into loops",
    ),
    "convert-gpu-to-nvvm": Entry(
        "diablo.lowering.gpu.convert_gpu_to_nvvm",
        "ConvertGPUToNVVMPass",
        "turn kernels for a GPU into functions of the llvm dialect for NVIDIA's GPUs",
    ),
}

TARGETS: dict[str, Entry] = {
    "pyspark": Entry("diablo.targets", "PySparkTarget", "a readable PySpark program"),
    "numpy": Entry("diablo.lowering.numpy.target", "NumPyTarget", "the kernels as NumPy functions"),
    "llvm-ir": Entry(
        "diablo.lowering.llvm.llvm_text",
        "LLVMTextTarget",
        "functions of the llvm dialect as LLVM IR for any machine",
    ),
    "ptx": Entry("diablo.lowering.gpu.ptx_text", "PTXTarget", "kernels for a GPU as PTX"),
}


def _dialect(entry: Entry) -> Callable[[], Dialect]:
    return entry.load


def _pass(entry: Entry) -> Callable[[], type[ModulePass]]:
    return entry.load


def _target(entry: Entry) -> Callable[[], type[Target]]:
    return entry.load


def _others(ours: Mapping[str, T], known: Mapping[str, T]) -> dict[str, T]:
    """Return what has a name that is not known yet."""
    return {name: entry for name, entry in ours.items() if name not in known}


DIABLO_UNIVERSE = Universe(
    all_dialects={name: _dialect(entry) for name, entry in DIALECTS.items()},
    all_passes={name: _pass(entry) for name, entry in PASSES.items()},
    all_targets={name: _target(entry) for name, entry in TARGETS.items()},
)
"""What `diablo-opt` knows besides xDSL's universe; of two passes with one name it takes ours."""

XDSL_PLUGIN = Universe(
    all_dialects=_others(DIABLO_UNIVERSE.all_dialects, XDSL_UNIVERSE.all_dialects),
    all_passes=_others(DIABLO_UNIVERSE.all_passes, XDSL_UNIVERSE.all_passes),
    all_targets=_others(DIABLO_UNIVERSE.all_targets, XDSL_UNIVERSE.all_targets),
)
"""The universe that the entry point names: `xdsl-opt` refuses to start if two have one name."""
