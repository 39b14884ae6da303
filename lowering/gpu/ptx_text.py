"""Kernels as PTX, the assembly that NVIDIA's drivers take (`diablo-opt -t ptx`).

LLVM's own back end for NVPTX writes it, which llvmlite brings: neither a GPU nor CUDA is needed.
The text is for the oldest GPUs that are supported, whose drivers and newer ones make machine code
of it, unless another one is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import IO, Any, cast

from xdsl.context import Context
from xdsl.dialects import gpu, llvm
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp
from xdsl.utils.target import Target

from diablo.diagnostics import CompileError, Diagnostic
from diablo.dialects.locations import span_of
from diablo.llvm_pipeline import run_llvm_passes
from diablo.lowering.gpu.convert_gpu_to_nvvm import NARROW, SHARED_SPACE, ConvertGPUToNVVMPass
from diablo.lowering.gpu.kernel_writer import THREADS
from diablo.lowering.llvm.llvm_text import sort_flags

OLDEST = "sm_70"
"""Volta, of 2017: since then the threads of a warp are named that exchange what they have."""
KNOWN = (
    *("sm_70", "sm_72", "sm_75", "sm_80", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_90a"),
    *("sm_100", "sm_100a", "sm_101", "sm_101a", "sm_103", "sm_103a", "sm_110"),
    *("sm_120", "sm_120a", "sm_121"),
)
"""The processors that LLVM writes kernels for, from the oldest on. Of others it says so on stderr,
and goes on as for none."""
_BLOCKS = 4
"""How many blocks a multiprocessor has room for: with 256 threads each, 64 registers for each."""
_LARGE_BLOCKS = 2
"""How many if blocks have more threads than most, as for the memory that they share."""
_BLOCKS_OF_MANY_READS = 2
"""How many if a thread holds so much at a time that it needs more registers."""
_MANY_READS = 4
_MANY_READS_AND_SUMS = 24
"""Where few elements are added up in many ways, sums are held as well."""
_SPACES = {"global": 1, "shared": SHARED_SPACE}
"""The address spaces in which threads combine in memory."""
_FLOATS = {"f32": "float", "f64": "double"}
"""What LLVM calls types of floats."""
_KEEPS = {"max": "sgt", "min": "slt", "umax": "ugt", "umin": "ult"}
"""The steps that may leave an element as it is, and how what is combined with it compares then if
they do not. Threads wait for one another longer than for a look at it."""
_MANY_DIVISIONS = 4
"""Each is a function of the assembler's own, with registers of its own."""
_ALIGNMENT = 16
"""That of memory whose size a launch says."""
_TRIPLE = "nvptx64-nvidia-cuda"
_HINT = "the pass convert-loops-to-gpu makes kernels of loops over memrefs"


def ptx_text(module: ModuleOp, processor: str = OLDEST) -> str:
    """Return the kernels of all `gpu.module`s in the llvm dialect as PTX.

    Raises
    ------
    CompileError
        If there is no kernel, one is of another dialect, or no such processor is known.
    """
    if processor not in KNOWN:
        message = f"there are no kernels for a processor '{processor}'"
        hint = f"the processors known are {', '.join(KNOWN)}"
        raise CompileError([Diagnostic("error", message, None, hint)])
    from llvmlite import binding

    llvm_binding: Any = binding
    text = nvvm_text(module)
    machine = _machine(processor)
    native = llvm_binding.parse_assembly(text)
    native.triple = _TRIPLE
    native.data_layout = str(machine.target_data)
    native.verify()
    options = llvm_binding.create_pipeline_tuning_options(speed_level=3)
    # The assembler knows better how many registers are left.
    options.loop_unrolling = False
    run_llvm_passes(native, machine, options)
    return machine.emit_assembly(native)


def nvvm_text(module: ModuleOp) -> str:
    """Return the kernels of all `gpu.module`s in the llvm dialect as LLVM IR for NVVM."""
    from llvmlite import ir
    from xdsl.backend.llvm.convert import convert_module

    flat = ModuleOp([op.clone() for op in _functions(module)])
    native: Any = convert_module(flat, fallback_target_triple=_TRIPLE)
    sort_flags(native)
    atomics: list[str] = []
    for function in list(native.functions):
        if function.name.startswith("atomic_"):
            atomics.append(_atomic_definition(function.name))
            del native.globals[function.name]
    for op in flat.ops:
        if isinstance(op, llvm.FuncOp) and "nvvm.kernel" in op.attributes:
            kernel = native.globals[op.sym_name.data]
            kernel.calling_convention = "ptx_kernel"
            _limit_threads(native, kernel, op)
        elif isinstance(op, llvm.GlobalOp) and op.addr_space.value.data == SHARED_SPACE:
            shared = native.globals[op.sym_name.data]
            if op.linkage.linkage.data == "external":
                shared.align = _ALIGNMENT
                continue
            shared.initializer = ir.Constant(shared.value_type, cast(Any, ir).Undefined)
    return "\n".join([str(native), *atomics])


def _limit_threads(native: Any, kernel: Any, op: llvm.FuncOp) -> None:
    """Say how many threads a block has, from which the number of registers follows."""
    from llvmlite import ir

    sizes = op.attributes.get("nvvm.maxntid")
    if isinstance(sizes, DenseArrayBase):
        shape = [int(size) for size in sizes.iter_values()]
        facts = {f"maxntid{axis}": size for axis, size in zip("xyz", shape, strict=True)}
        reads = sum(isinstance(inner, llvm.LoadOp) for inner in op.walk())
        sums = sum(isinstance(inner, llvm.FAddOp | llvm.FSubOp) for inner in op.walk())
        divisions = sum(isinstance(inner, llvm.SRemOp | llvm.SDivOp) for inner in op.walk())
        holds_much = (
            reads > _MANY_READS
            or reads + sums > _MANY_READS_AND_SUMS
            or divisions > _MANY_DIVISIONS
        )
        blocks = _BLOCKS_OF_MANY_READS if holds_much else _BLOCKS
        facts["minctasm"] = min(blocks, blocks * THREADS // prod(shape))
        if prod(shape) > THREADS:
            facts["minctasm"] = _LARGE_BLOCKS
        for name, number in facts.items():
            limit = ir.Constant(ir.IntType(32), number)
            fact = native.add_metadata([kernel, name, limit])
            native.add_named_metadata("nvvm.annotations", fact)


def _functions(module: ModuleOp) -> Iterable[llvm.FuncOp | llvm.GlobalOp]:
    found: dict[str, llvm.FuncOp | llvm.GlobalOp] = {}
    for kernels in module.ops:
        if not isinstance(kernels, gpu.ModuleOp):
            continue
        for op in kernels.body.block.ops:
            if not isinstance(op, llvm.FuncOp | llvm.GlobalOp):
                raise CompileError(
                    [Diagnostic("error", f"{op.name} has no PTX", span_of(op), _HINT)]
                )
            found.setdefault(op.sym_name.data, op)
    if not found:
        message = "there is no kernel for a GPU in this module"
        raise CompileError([Diagnostic("error", message, span_of(module), _HINT)])
    return found.values()


def _atomic_definition(name: str) -> str:
    """A function that combines in memory: other threads of the GPU see nothing of its steps.

    It is text, since neither xDSL's dialect `llvm` nor llvmlite's builder has an `atomicrmw` with a
    scope; without one it would be atomic for the whole machine, for which the GPU waits longer.
    """
    _, operation, type, space = name.split("_")
    type = _FLOATS.get(type, type)
    pointer = f"ptr addrspace({_SPACES[space]})"
    scope = "block" if space == "shared" else "device"
    access = f'{pointer} %own syncscope("{scope}") monotonic'
    combine = f'atomicrmw {operation} {pointer} %own, {type} %x syncscope("{scope}") monotonic'
    lines = [
        f'define internal void @"{name}"(ptr %p, {type} %x) alwaysinline {{',
        f"  %own = addrspacecast ptr %p to {pointer}",
    ]
    if operation in _KEEPS:
        # Elements move one way alone, so that what changes nothing now never will.
        lines += [
            f"  %seen = load atomic {type}, {access}, align {int(type[1:]) // 8}",
            f"  %changes = icmp {_KEEPS[operation]} {type} %x, %seen",
            "  br i1 %changes, label %change, label %done",
            "change:",
        ]
    lines += [f"  %old = {combine}"]
    if operation in _KEEPS:
        lines += ["  br label %done", "done:"]
    return "\n".join([*lines, "  ret void", "}"])


@cache
def _machine(processor: str) -> Any:
    from llvmlite import binding

    llvm_binding: Any = binding
    llvm_binding.initialize_all_targets()
    llvm_binding.initialize_all_asmprinters()
    target = llvm_binding.Target.from_triple(_TRIPLE)
    return target.create_target_machine(cpu=processor, opt=3)


@dataclass(frozen=True)
class PTXTarget(Target):
    """Kernels for a GPU as PTX."""

    name = "ptx"
    processor: str = OLDEST
    """The oldest one that is to run them."""
    index_bitwidth: int = NARROW
    """That of places in memory: 32 for buffers of less than 2³¹ elements, 64 for any."""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Write the text."""
        copy = module.clone()
        ConvertGPUToNVVMPass(self.index_bitwidth).apply(ctx, copy)
        output.write(ptx_text(copy, self.processor))
