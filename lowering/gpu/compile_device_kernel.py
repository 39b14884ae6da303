"""Compiles kernels for a device: from `tensor_block` ops to launches, PTX, and loops that do the
same on the processor.

    compile_device_kernel(…)  =>  DeviceKernel("kernel_0", "f64[1,2] i64 i64 -> f64[1,2] whole 1*2",
                                               "def launches(launch, empty, …", …)

A product of dense matrices is left to a library. Everything else is a kernel of ours or refused
with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from xdsl.context import Context
from xdsl.dialects import arith, func, gpu, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    SymbolRefAttr,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.hints import isa

from diablo.dialects.access_maps import picked_dimensions
from diablo.dialects.comprehension.comprehension_monoids import monoids_used
from diablo.dialects.encodings import is_sparse
from diablo.dialects.scalar_types import is_complex, is_inexact, scalar_of
from diablo.dialects.simt import SlicedProductOp, allow_fast_atomics
from diablo.dialects.tensor_block import IterationOps, ReduceOp, ScatterReduceOp
from diablo.kernel_signature import Signature
from diablo.lowering.gpu.convert_gpu_to_loops import ConvertGPUToLoopsPass, Order
from diablo.lowering.gpu.convert_gpu_to_nvvm import (
    NARROW,
    ConvertGPUToNVVMPass,
    is_large_shared,
    shared_bytes,
    unknown_op,
)
from diablo.lowering.gpu.convert_loops_to_gpu import convert_function
from diablo.lowering.gpu.convert_multiloop_to_parallel_loops import convert_rows
from diablo.lowering.gpu.launch_text import launch_text
from diablo.lowering.gpu.ptx_text import ptx_text
from diablo.lowering.gpu.sliced_products import SLICING_THREADS, WINDOW_BYTES
from diablo.lowering.gpu.split_complex_sums import SplitComplexSumsPass
from diablo.lowering.gpu.widen_entry_sums import widen_entry_sums
from diablo.lowering.kernel_types import element_type, has_generators
from diablo.lowering.llvm.convert_kernel_to_llvm import ConvertKernelToLLVMPass, static_strides
from diablo.lowering.llvm.expand_complex import ExpandComplexPass, check_expandable
from diablo.lowering.llvm.expand_functions import ExpandFunctionsPass
from diablo.lowering.llvm.kernel_loops import convert_function as convert_kernel
from diablo.lowering.llvm.kernel_loops import tensor_ops
from diablo.lowering.llvm.kernel_to_llvm import dense_signature
from diablo.lowering.llvm.llvm_text import llvm_text
from diablo.lowering.loops_over_points import put_fused_loops
from diablo.lowering.multiloop.compile_row_kernel import find_row_loop
from diablo.lowering.outlined_loops import loop_of
from diablo.lowering.sparse_storage.compile_sparse_kernel import sparse_signature
from diablo.lowering.sparse_storage.convert_tensor_block_to_sparse_storage import (
    ConvertTensorBlockToSparseStoragePass,
)
from diablo.lowering.sparse_storage.region_functions import convert_functions
from diablo.passes.analyses.loops.products import is_blas_product, is_product
from diablo.passes.analyses.plans.kernel_identity import kernel_identity
from diablo.passes.analyses.refused import Refused
from diablo.passes.comprehension.expand_random import ExpandRandomPass
from diablo.passes.cse import CommonSubexpressionEliminationPass
from diablo.row_kernel_signature import OWN, RowSignature
from diablo.sparse_kernel_signature import SparseSignature

Parameter = str | tuple[int, ...]
"""The type of a number, or of a buffer its rank and the axes whose strides are passed."""


@dataclass(frozen=True)
class DeviceKernel:
    """A kernel of a program as kernels of a device; without any it is a library's product."""

    signature: Signature | SparseSignature | RowSignature
    launches: str = ""
    module: ModuleOp | None = None
    multiplies: bool = False
    """Whether it is the product of a sparse matrix and a vector."""

    @cached_property
    def kernels(self) -> Sequence[tuple[str, tuple[Parameter, ...]]]:
        """The names of its kernels, and what each takes."""
        return [(k.sym_name.data, tuple(map(_parameter, k.body.block.args))) for k in self._funcs]

    @cached_property
    def shared(self) -> Sequence[int]:
        """How many bytes a launch of each kernel asks for, which the threads of a block share."""
        return [sum(shared_bytes(type) for type in _large_shared(k)) for k in self._funcs]

    @property
    def _funcs(self) -> Sequence[gpu.FuncOp]:
        return [] if self.module is None else kernels_of(self.module)

    def write_ptx(self, index_bitwidth: int = NARROW) -> str:
        """Write the kernels as PTX, for buffers of as many elements as such an index reaches."""
        assert self.module is not None
        copy = self.module.clone()
        ConvertGPUToNVVMPass(index_bitwidth).apply(Context(), copy)
        return ptx_text(copy)

    def loops(self, order: Order = "ascending") -> Sequence[tuple[str, Callable[[], str]]]:
        """Return for each kernel what tells it from those that do something else.

        Beside it is what writes the LLVM IR of what its blocks and threads do, one by one, in an
        order.
        """
        return [(kernel_identity(k), partial(_loops_text, k, order)) for k in self._funcs]


def compile_device_kernel(
    function: func.FuncOp, resident: Sequence[int] = (), *, fast_atomics: bool = False
) -> DeviceKernel:
    """Return what a device runs for a kernel.

    Parameters
    ----------
    function : the kernel, which is left as it is
    resident : the numbers of the arguments that are numbers in the memory of the device
    fast_atomics : whether floats may be added in memory in the order in which threads come

    Raises
    ------
    Refused
        If it does not run there.
    """
    if loop_of(function) is not None:
        raise Refused("it is a loop whose iterations follow one another")
    if has_generators(function):
        return _compile_rows(function, fast_atomics=fast_atomics)
    sparse = any(is_sparse(argument.type) for argument in function.args)
    context = Context()
    copy = function.clone()
    module = ModuleOp([copy, *[monoid.clone() for monoid in monoids_used(function)]])
    ExpandRandomPass().apply(context, module)
    if not sparse:
        SplitComplexSumsPass().apply(context, module)
    if any(isinstance(op, ScatterReduceOp) and _is_of_complex(op) for op in tensor_ops(copy)):
        raise Refused("complex numbers are multiplied at places that are computed")
    multiplies = sparse and is_matrix_times_vector(copy)
    is_library = not sparse and is_matrix_product(copy)
    if not sparse:
        put_fused_loops(module, copy, plain=True)
    signature = _whole(
        sparse_signature(copy, products=True)
        if sparse
        else dense_signature(copy, products=True, plain=True)
    )
    if is_library:
        return DeviceKernel(signature)
    if sparse:
        ConvertTensorBlockToSparseStoragePass(exact=True, plain=True).apply(context, module)
        convert_functions(module, plain=True)
    else:
        convert_kernel(copy, split=False, plain=True)
    launching = module.body.block.first_op
    assert isinstance(launching, func.FuncOp)
    read_from_memory(launching, _places(signature, resident))
    check_expandable(launching)
    ExpandComplexPass().apply(context, module)
    ExpandFunctionsPass().apply(context, module)
    widen_entry_sums(launching)
    if fast_atomics:
        allow_fast_atomics(launching)
    return with_launches(context, launching, signature, multiplies=multiplies)


@dataclass(frozen=True)
class SlicedProductKernel:
    """What multiplies sparse matrices in slices with vectors."""

    kernel: DeviceKernel
    most: int
    """How many columns a window has at most."""
    threads: int = SLICING_THREADS
    """How many threads a block has."""


def compile_sliced_product(element: AnyFloat) -> SlicedProductKernel:
    """Return what multiplies a sparse matrix in slices with a vector.

    Parameters
    ----------
    element : the type of all elements
    """
    line, table = (MemRefType(element, [DYNAMIC_INDEX]), MemRefType(i32, [DYNAMIC_INDEX] * 2))
    places = MemRefType(i32, [DYNAMIC_INDEX])
    types = [table, table, places, line, line, *[IndexType()] * 3, line]
    block = Block(arg_types=types)
    *given, result = block.args
    most = WINDOW_BYTES // element.size - 1
    block.add_ops([SlicedProductOp([*given[:5], result], given[5:], most), func.ReturnOp()])
    name = f"sliced_product_{element}"
    loops = func.FuncOp(name, FunctionType.from_lists(types, []), Region(block))
    ModuleOp([loops])
    return SlicedProductKernel(with_launches(Context(), loops, Signature((), (), ())), most)


def _compile_rows(function: func.FuncOp, *, fast_atomics: bool) -> DeviceKernel:
    """Return what a device runs for a kernel over rows, or one with scans."""
    context = Context()
    module = ModuleOp([function.clone(), *[m.clone() for m in monoids_used(function)]])
    ExpandRandomPass().apply(context, module)
    rows, signature = find_row_loop(context, module)
    if any(OWN in output.monoids for output in signature.outputs):
        raise Refused("a monoid of groups is the program's own")
    if any(output.kind == "vector" and len(output.values) > 1 for output in signature.outputs):
        raise Refused("it makes an array of tuples")
    convert_rows(rows)
    ExpandComplexPass().apply(context, module)
    ExpandFunctionsPass().apply(context, module)
    if fast_atomics:
        allow_fast_atomics(rows)
    return with_launches(context, rows, signature)


def with_launches(
    context: Context,
    loops: func.FuncOp,
    signature: Signature | SparseSignature | RowSignature,
    *,
    multiplies: bool = False,
) -> DeviceKernel:
    """Make kernels of loops, which stand beside the monoids that the program defines."""
    kernels = convert_function(loops)
    loops.detach()
    made = ModuleOp([kernels, loops])
    CommonSubexpressionEliminationPass().apply(context, made)
    unknown = [op for kernel in kernels_of(made) if (op := unknown_op(kernel)) is not None]
    if unknown:
        raise Refused(f"{unknown[0].name} is no instruction of a GPU")
    numbers = {kernel.sym_name.data: number for number, kernel in enumerate(kernels_of(made))}
    return DeviceKernel(signature, launch_text(loops, numbers), made, multiplies)


def _is_of_complex(op: IterationOps) -> bool:
    return is_complex(element_type(op.result.type))


def _places(signature: Signature | SparseSignature, numbers: Sequence[int]) -> Sequence[int]:
    """Return which arguments of the loops some arguments are: those before them may be tuples."""
    if not numbers:
        return numbers
    assert isinstance(signature, Signature)
    parts = [len(slot.elements) for slot in signature.arguments]
    return [sum(parts[:number]) for number in numbers]


def _whole(signature: Signature | SparseSignature) -> Signature | SparseSignature:
    """The signature of a kernel whose work is not cut for the threads of a processor."""
    outputs = tuple(
        replace(slot, monoid="", own=False) if hasattr(slot, "monoid") else slot  # pyright: ignore
        for slot in signature.outputs
    )
    return replace(signature, outputs=outputs, shared=False)


def is_matrix_product(function: func.FuncOp) -> bool:
    """Whether a kernel is one product of matrices, which has far more terms than elements."""
    ops = tensor_ops(function)
    if len(ops) != 1 or not isinstance(ops[0], ReduceOp) or not is_blas_product(ops[0]):
        return False
    kept = {*range(ops[0].parallel.value.data)}
    return all(kept & {*(picked_dimensions(map.data) or ())} for map in ops[0].indexing_maps)


def is_matrix_times_vector(function: func.FuncOp) -> bool:
    """Return whether a kernel is the product of a whole sparse matrix and a vector."""
    ops = [op for op in function.body.block.ops if op.name.startswith("tensor_block.")]
    if len(ops) != 1 or not isinstance(ops[0], ReduceOp) or not is_product(ops[0]):
        return False
    picked = {
        is_sparse(value.type): tuple(picked_dimensions(map.data) or ())
        for value, map in zip(ops[0].inputs, ops[0].indexing_maps, strict=True)
    }
    return picked == {True: (0, 1), False: (1,)}


def read_from_memory(function: func.FuncOp, numbers: Sequence[int]) -> None:
    """Let arguments that are no integers be buffers of one element, read where it begins."""
    block = function.body.block
    for number in numbers:
        argument = block.args[number]
        assert is_inexact(argument.type)
        first = block.first_op
        assert first is not None
        buffer = block.insert_arg(MemRefType(argument.type, []), number)
        buffer.name_hint = argument.name_hint
        load = memref.LoadOp.get(buffer, [])
        load.location = function.location
        block.insert_op_before(load, first)
        load.res.name_hint = argument.name_hint
        argument.replace_all_uses_with(load.res)
        block.erase_arg(argument)
    function.function_type = FunctionType.from_lists([a.type for a in block.args], [])


def kernels_of(module: ModuleOp) -> Sequence[gpu.FuncOp]:
    """Return the kernels of all `gpu.module`s, in their order."""
    return [
        kernel
        for inner in module.ops
        if isinstance(inner, gpu.ModuleOp)
        for kernel in inner.body.block.ops
        if isinstance(kernel, gpu.FuncOp)
    ]


def _large_shared(kernel: gpu.FuncOp) -> Sequence[Attribute]:
    """Return the types of buffers of a kernel whose size a launch says."""
    made = [op.memref.type for op in kernel.walk() if isinstance(op, memref.AllocaOp)]
    return [type for type in made if is_large_shared(type)]


def _parameter(argument: SSAValue) -> Parameter:
    """Return how an argument of a kernel is passed."""
    type = argument.type
    if isa(type, MemRefType[Attribute]):
        axes = [axis for axis, stride in enumerate(static_strides(type)) if stride is None]
        return (type.get_num_dims(), *axes)
    if isinstance(type, IndexType):
        return "i64"
    scalar = scalar_of(type)
    assert scalar is not None
    return scalar.element


def _loops_text(kernel: gpu.FuncOp, order: Order) -> str:
    """The LLVM IR of a function that runs one kernel, given the size of its grid first."""
    within = kernel.parent_op()
    assert isinstance(within, gpu.ModuleOp)
    types = [argument.type for argument in kernel.body.block.args]
    block = Block(arg_types=[*[IndexType()] * 3, *types])
    shape = [int(size) for size in kernel.known_block_size.iter_values()]  # pyright: ignore
    sizes = [arith.ConstantOp(IntegerAttr(size, IndexType())) for size in shape]
    launch = gpu.LaunchFuncOp(
        SymbolRefAttr(within.sym_name, [kernel.sym_name]),
        block.args[:3],
        [size.result for size in sizes],
        kernelOperands=block.args[3:],
    )
    ops: list[Operation] = [*sizes, launch, func.ReturnOp()]
    block.add_ops(ops)
    type = FunctionType.from_lists([argument.type for argument in block.args], [])
    function = func.FuncOp("kernel_loops", type, Region(block))
    only = gpu.ModuleOp.build(
        properties={"sym_name": within.sym_name}, regions=[Region(Block([kernel.clone()]))]
    )
    alone = ModuleOp([only, function])
    ConvertGPUToLoopsPass(order).apply(Context(), alone)
    if any(isinstance(op, gpu.ModuleOp) for op in alone.ops):
        raise Refused("a kernel cannot be run one thread after the other")
    ConvertKernelToLLVMPass().apply(Context(), alone)
    return llvm_text(alone)
