# Kernels for a GPU, run on the CPU: from text to something that can be called.
from dataclasses import replace
from hashlib import sha256
from typing import Any, Literal

import numpy as np
from kernel_oracle import parse_kernel
from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, gpu, math, memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from diablo.dialects.comprehension import Comprehension, MonoidOp
from diablo.dialects.simt import Simt
from diablo.kernel_signature import Signature
from diablo.lowering.gpu.compile_device_kernel import with_launches
from diablo.lowering.gpu.convert_gpu_to_loops import ConvertGPUToLoopsPass
from diablo.lowering.gpu.convert_loops_to_gpu import ConvertLoopsToGPUPass
from diablo.lowering.gpu.split_complex_sums import SplitComplexSumsPass
from diablo.lowering.llvm.convert_kernel_to_llvm import ConvertKernelToLLVMPass
from diablo.lowering.llvm.expand_complex import ExpandComplexPass
from diablo.lowering.llvm.expand_functions import ExpandFunctionsPass
from diablo.lowering.llvm.llvm_text import llvm_text
from diablo.lowering.multiloop.compile_kernel import compile_kernel
from diablo.lowering.multiloop.convert_multiloop_to_loops import ConvertMultiloopToLoopsPass
from diablo.lowering.multiloop.convert_tensor_block_to_multiloop import (
    ConvertTensorBlockToMultiloopPass,
)
from diablo.lowering.sparse_storage.convert_tensor_block_to_sparse_storage import (
    ConvertTensorBlockToSparseStoragePass,
)
from diablo.runtime.kernels.compiled import compiled
from diablo.runtime.kernels.signature import ELEMENTS, pass_tensor
from diablo.runtime.native.machine_code import machine_code

Order = Literal["ascending", "descending"]
ORDERS: tuple[Order, ...] = ("ascending", "descending")


def no_fallback(*_: Any) -> Any:
    raise AssertionError("fell back to NumPy")


def gpu_module(text: str) -> ModuleOp:
    """A kernel as kernels of the gpu level and a function that launches them."""
    module = parse_kernel(text).parent_op()
    assert isinstance(module, ModuleOp)
    context = Context()
    ConvertTensorBlockToSparseStoragePass(exact=True, plain=True).apply(context, module)
    SplitComplexSumsPass().apply(context, module)
    ConvertTensorBlockToMultiloopPass(points=True).apply(context, module)
    ConvertMultiloopToLoopsPass(plain=True).apply(context, module)
    ExpandComplexPass().apply(context, module)
    ExpandFunctionsPass().apply(context, module)
    ConvertLoopsToGPUPass().apply(context, module)
    for monoid in [op for op in module.ops if isinstance(op, MonoidOp)]:
        monoid.detach()
        monoid.erase()
    module.verify()
    return module


def is_on_gpu(module: ModuleOp) -> bool:
    return any(isinstance(op, gpu.ModuleOp) for op in module.ops)


def on_cpu(module: ModuleOp, order: Order) -> str:
    """The LLVM IR of a module of the gpu level whose threads run in an order."""
    module = module.clone()
    ConvertGPUToLoopsPass(order).apply(Context(), module)
    module.verify()
    assert not is_on_gpu(module)
    ConvertKernelToLLVMPass().apply(Context(), module)
    assert not any(isinstance(op, func.FuncOp) for op in module.ops)
    return llvm_text(module)


def whole(signature: Any) -> Any:
    """The signature of a kernel that no threads share."""
    outputs = tuple(
        replace(slot, monoid="") if hasattr(slot, "monoid") else slot for slot in signature.outputs
    )
    return replace(signature, outputs=outputs, shared=False)


def callable_on_cpu(text: str, order: Order = "ascending", module: ModuleOp | None = None) -> Any:
    """Return what a kernel does with the threads of a GPU, as a function."""
    native = compile_kernel(parse_kernel(text))
    module = module if module is not None else gpu_module(text)
    assert is_on_gpu(module)
    return compiled(no_fallback, on_cpu(module, order), str(whole(native.signature)))


def launched_on_cpu(text: str, order: Order = "ascending") -> Any:
    """Return what loops over buffers do with threads of a GPU, as a function of arrays.

    Memory that they take on the way is this process's, and what they return is returned.
    """
    context = Context()
    for dialect in (builtin.Builtin, arith.Arith, scf.Scf, func.Func, memref.MemRef, math.Math):
        context.load_dialect(dialect)
    for dialect in (Simt, Comprehension):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    loops = module.body.block.last_op
    assert isinstance(loops, func.FuncOp)
    kernel = with_launches(Context(), loops, Signature((), (), ()))
    entries: list[Any] = []
    for number, (identity, write) in enumerate(kernel.loops(order)):
        entry = machine_code(f"{identity} {order} {number}", write, quick=True)
        assert entry is not None
        entries.append(entry)
    names: dict[str, Any] = {}
    exec(kernel.launches, names)

    def launch(number: int, grid: Any, block: Any, given: Any) -> None:
        _, parameters = kernel.kernels[number]
        words: list[Any] = []
        for parameter, value in zip(parameters, given, strict=True):
            if isinstance(parameter, str):
                words.append(value)
                continue
            _, *axes = parameter
            words += [value.ctypes.data, *value.shape]
            words += [value.strides[axis] // value.itemsize for axis in axes]
        entries[number](*grid, *words)

    def empty(shape: Any, element: str) -> Any:
        return np.full(shape, 77, ELEMENTS[element].dtype)

    def look(raw: Any) -> Any:
        return raw.item()

    def run(*given: Any) -> Any:
        return names["launches"](launch, empty, look, *given)

    return run


def loops_on_cpu(text: str, order: Order = "ascending") -> Any:
    """Return what loops over buffers do with threads of a GPU, as a function of arrays."""
    context = Context()
    for dialect in (builtin.Builtin, arith.Arith, scf.Scf, func.Func, memref.MemRef):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    ConvertLoopsToGPUPass().apply(Context(), module)
    assert is_on_gpu(module)
    module.verify()
    native = on_cpu(module, order)
    entry = machine_code(sha256(native.encode()).hexdigest(), lambda: native, quick=True)
    assert entry is not None

    def run(*arguments: Any) -> None:
        words: list[Any] = []
        for argument in arguments:
            words += pass_tensor(argument) if isinstance(argument, np.ndarray) else [argument]
        entry(*words)

    return run
