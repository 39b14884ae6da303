"""Turn kernels of the `gpu` dialect into functions of the `llvm` dialect for NVIDIA's GPUs.

Reads the `gpu.func`s of every `gpu.module`; writes `llvm.func`s in their place, marked
`nvvm.kernel`, with the intrinsics of NVVM for the numbers of threads and blocks, barriers and
shuffles. Arguments, loads, stores and arithmetic become what `convert-kernel-to-llvm` makes of
them. A number of 64 bits is shuffled in two halves; a buffer that threads share is a global of its
own; to combine in memory a function is called that `ptx_text` knows.

How far an element is from the first one of its buffer is computed in 32 bits, or in as many as
`index-bitwidth` says where buffers have more than two to the power of 31.

    %lane = gpu.thread_id x            %0 = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"()
    gpu.barrier                     => llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.…"(%zero)
    simt.atomic add %x, %h[%i]         llvm.call @atomic_add_i64_global(%p, %x)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import func, gpu, llvm, memref
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    FixedBitwidthType,
    IntAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    UnitAttr,
    f32,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from diablo.diagnostics import CompileError, Diagnostic
from diablo.dialects.locations import remark
from diablo.dialects.simt import AtomicOp, ShuffleXorOp, atomic_operation, is_shared
from diablo.lowering.llvm.convert_kernel_to_llvm import (
    SPECIAL,
    Buffer,
    FunctionConversion,
    convert_alloca,
    integer_of,
    is_known,
    stored_type,
)
from diablo.lowering.llvm.convert_scalars_to_llvm import Builder

SHARED_SPACE = 3
"""The address space of NVVM for what the threads of a block share."""
_SHARED_POINTER = llvm.LLVMPointerType(IntAttr(SHARED_SPACE))
MOST_SHARED = 48 << 10
"""How many bytes the threads of a block share at most where a launch does not ask for them."""
_ALL_LANES = -1
_LAST_LANE = 31
NARROW = 32
"""How many bits are computed of how far an element is from the first one, where buffers have less
than `MOST_ELEMENTS` (`device_code.py`): a GPU needs several instructions and registers for more."""
WIDE = 64
"""How many where they may have any number of elements."""


@dataclass
class KernelConversion(FunctionConversion):
    """Rebuilds a kernel; `added` collects the globals and functions that it needs."""

    index_bitwidth: int = NARROW

    def __post_init__(self) -> None:
        self.special = _SPECIAL
        self.added: dict[str, llvm.FuncOp | llvm.GlobalOp] = {}

    def alignment_of_pair(self, type: ComplexType[AnyFloat]) -> int:
        """Complex numbers lie at multiples of their size, so that one is loaded at once."""
        return type.size

    def loop_index(self, index: SSAValue, build: Builder) -> None:
        """Let LLVM not know that the indices of loops go on by steps.

        It would keep a pointer for each element that a loop loads, and add to all of them, so that
        no address need be computed. Of additions a GPU has plenty; what a thread keeps in
        registers is paid with threads, of which many have to wait for memory at the same time.
        """
        if index.uses:
            hidden = llvm.InlineAsmOp("mov.b64 $0, $1;", "=l,l", [self.values[index]], [i64])
            build.block.add_op(hidden)
            assert hidden.res is not None
            hidden.res.name_hint = index.name_hint
            self.values[index] = hidden.res

    def address(self, array: SSAValue, indices: Sequence[SSAValue], build: Builder) -> SSAValue:
        """A pointer to one element.

        Where buffers have few elements, it is enough to know the lower half of how far it is from
        the first one, whatever the indices amount to on the way.
        """
        if self.index_bitwidth != NARROW:
            return super().address(array, indices, build)
        buffer = self.buffers[array]
        offset: SSAValue | None = None
        for old, stride in zip(indices, buffer.strides, strict=True):
            if integer_of(self.values[old]) == 0:
                continue
            index = build.add(llvm.TruncOp(self.values[old], i32))
            if isinstance(stride, int):
                if stride != 1:
                    index = build.add(llvm.MulOp(index, build.integer(stride, i32)))
            else:
                index = build.add(llvm.MulOp(index, build.add(llvm.TruncOp(stride, i32))))
            offset = index if offset is None else build.add(llvm.AddOp(offset, index))
        if offset is None:
            return buffer.pointer
        return self.pointer_at(buffer, build.add(llvm.ZExtOp(offset, i64)), build)


def _number(registers: str) -> Callable[..., None]:
    def convert(self: KernelConversion, op: Operation, build: Builder) -> None:
        dimension = op.properties["dimension"]
        assert isinstance(dimension, gpu.DimensionAttr)
        name = f"llvm.nvvm.read.ptx.sreg.{registers}.{dimension.data}"
        number = build.add(llvm.CallIntrinsicOp(name, [], [i32]))
        self.values[op.results[0]] = build.add(llvm.ZExtOp(number, i64))
        self.values[op.results[0]].name_hint = op.results[0].name_hint

    return convert


def _barrier(self: KernelConversion, op: gpu.BarrierOp, build: Builder) -> None:
    name = "llvm.nvvm.barrier.cta.sync.aligned.all"
    build.block.add_op(llvm.CallIntrinsicOp(name, [build.integer(0, i32)], []))


def _shuffle(self: KernelConversion, op: ShuffleXorOp, build: Builder) -> None:
    value = self.values[op.value]
    type = value.type
    assert isinstance(type, FixedBitwidthType)
    bits = type.size * 8 if isinstance(type, AnyFloat) else type.bitwidth
    mask = op.mask.value.data
    if isinstance(type, AnyFloat):
        value = build.add(llvm.BitcastOp(value, IntegerType(bits)))
    if bits == 64:
        low = _exchange(build.add(llvm.TruncOp(value, i32)), mask, build)
        half = build.integer(32)
        above = build.add(llvm.TruncOp(build.add(llvm.LShrOp(value, half)), i32))
        high = _exchange(above, mask, build)
        upper = build.add(llvm.ShlOp(build.add(llvm.ZExtOp(high, i64)), half))
        value = build.add(llvm.OrOp(upper, build.add(llvm.ZExtOp(low, i64))))
    elif bits == 32:
        value = _exchange(value, mask, build)
    else:
        wide = _exchange(build.add(llvm.ZExtOp(value, i32)), mask, build)
        value = build.add(llvm.TruncOp(wide, IntegerType(bits)))
    if isinstance(type, AnyFloat):
        value = build.add(llvm.BitcastOp(value, type))
    self.values[op.result] = value


def _exchange(value: SSAValue, mask: int, build: Builder) -> SSAValue:
    """Return what the partner of a thread has, of 32 bits; all threads of the warp take part."""
    numbers = [build.integer(number, i32) for number in (_ALL_LANES, mask, _LAST_LANE)]
    everyone, partner, last = numbers
    name = "llvm.nvvm.shfl.sync.bfly.i32"
    return build.add(llvm.CallIntrinsicOp(name, [everyone, value, partner, last], [i32]))


def _atomic(self: KernelConversion, op: AtomicOp, build: Builder) -> None:
    value = self.values[op.value]
    if value.type == i1:
        value = build.add(llvm.ZExtOp(value, IntegerType(8)))
    # Each has a name, or LLVM would join both ways of a branch to one whose space is unknown.
    space = "shared" if is_shared(op.memref.type) else "global"
    name = f"atomic_{atomic_operation(op.monoid.data, op.value.type)}_{value.type}_{space}"
    address = self.address(op.memref, op.indices, build)
    type = llvm.LLVMFunctionType([llvm.LLVMPointerType(), value.type])
    self.added[name] = llvm.FuncOp(name, type, linkage=llvm.LinkageAttr("external"))
    build.block.add_op(llvm.CallOp(name, address, value))


def _alloca(self: KernelConversion, op: memref.AllocaOp, build: Builder) -> None:
    """A buffer that threads share is a global; any other is on the stack of a thread."""
    type = op.memref.type
    assert isa(type, MemRefType[Attribute])
    if not is_shared(type):
        convert_alloca(self, op, build)
        return
    shape = type.get_shape()
    element = stored_type(type.get_element_type())
    name = f"{self.function.sym_name.data}_shared_{len(self.added)}"
    is_large = is_large_shared(type)
    # How large one is that is for a launch to say is not said here.
    array = llvm.LLVMArrayType(IntAttr(0 if is_large else prod(shape)), element)
    linkage = "external" if is_large else "internal"
    self.added[name] = llvm.GlobalOp(array, name, linkage, addr_space=SHARED_SPACE)
    shared = build.add(llvm.AddressOfOp(name, _SHARED_POINTER))
    # LLVM sees through this, so that loads and stores are of the space all the same. It takes any
    # suffix, and who makes the text one type for each name.
    cast = f"llvm.nvvm.ptr.shared.to.gen.p0.p3.{element}x{array.size.data}"
    pointer = build.add(llvm.CallIntrinsicOp(cast, [shared], [llvm.LLVMPointerType()]))
    pointer.name_hint = op.memref.name_hint
    sizes = [build.integer(size) for size in shape]
    strides = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    self.buffers[op.memref] = Buffer(pointer, type.get_element_type(), sizes, strides)


def _load(self: KernelConversion, op: memref.LoadOp, build: Builder) -> None:
    """Let what is read once not take the place of what is read again: LLVM has no such loads."""
    if not op.nontemporal.value.data:
        SPECIAL[memref.LoadOp](self, op, build)
        return
    type = stored_type(op.res.type)
    kind, register = _REGISTERS[type]
    address = self.address(op.memref, op.indices, build)
    text = f"{{ .reg .u64 place; cvta.to.global.u64 place, $1; ld.global.cs.{kind} $0, [place]; }}"
    load = llvm.InlineAsmOp(text, f"={register},l", [address], [type])
    build.block.add_op(load)
    assert load.res is not None
    load.res.name_hint = op.res.name_hint
    self.values[op.res] = load.res


_REGISTERS: Mapping[Attribute, tuple[str, str]] = {
    f32: ("f32", "f"),
    f64: ("f64", "d"),
    i32: ("b32", "r"),
    i64: ("b64", "l"),
}
"""What PTX calls types that are read once, and the registers that hold them."""


def is_large_shared(type: Attribute) -> bool:
    """Return whether a buffer that threads share is so large that its size is for a launch to say,
    as that of one buffer may be."""
    return is_shared(type) and shared_bytes(type) > MOST_SHARED


def shared_bytes(type: Attribute) -> int:
    """Return how many bytes a buffer has that threads share."""
    assert isa(type, MemRefType[Attribute])
    element = stored_type(type.get_element_type())
    assert isinstance(element, FixedBitwidthType)
    return prod(type.get_shape()) * element.size


_SPECIAL: Mapping[type[Operation], Callable[..., None]] = {
    **SPECIAL,
    gpu.ThreadIdOp: _number("tid"),
    gpu.BlockIdOp: _number("ctaid"),
    gpu.BlockDimOp: _number("ntid"),
    gpu.GridDimOp: _number("nctaid"),
    gpu.BarrierOp: _barrier,
    ShuffleXorOp: _shuffle,
    AtomicOp: _atomic,
    memref.AllocaOp: _alloca,
    memref.LoadOp: _load,
    gpu.ReturnOp: SPECIAL[func.ReturnOp],
}


def unknown_op(kernel: gpu.FuncOp) -> Operation | None:
    """The first op of a kernel that has no form in the llvm dialect, if there is one."""
    for op in kernel.walk():
        known = type(op) in _SPECIAL or isinstance(op, gpu.FuncOp) or is_known(op)
        if not known:
            return op
    return None


def convert_kernel(kernel: gpu.FuncOp, index_bitwidth: int) -> list[llvm.FuncOp | llvm.GlobalOp]:
    """Return what a kernel becomes: the globals and functions that it needs, and the function."""
    conversion = KernelConversion(kernel, False, index_bitwidth=index_bitwidth)
    made = conversion.convert()
    made.location = kernel.location
    made.attributes["nvvm.kernel"] = UnitAttr()
    if kernel.known_block_size is not None:
        made.attributes["nvvm.maxntid"] = kernel.known_block_size
    return [*conversion.added.values(), made]


@dataclass(frozen=True)
class ConvertGPUToNVVMPass(ModulePass):
    """Turns kernels of the gpu dialect into functions of the llvm dialect."""

    name = "convert-gpu-to-nvvm"
    index_bitwidth: int = 32
    """Of how many bits is how far elements are from the first one of their buffer: 32 or 64."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert the kernels of every module whose ops are known; leave the others alone.

        Raises
        ------
        CompileError
            If indices are of another width than those of a GPU.
        """
        if self.index_bitwidth not in (NARROW, WIDE):
            message = f"there are no indices of {self.index_bitwidth} bits"
            hint = f"they are of {NARROW} or of {WIDE} bits"
            raise CompileError([Diagnostic("error", message, None, hint)])
        for module in op.ops:
            if not isinstance(module, gpu.ModuleOp):
                continue
            kernels = [op for op in module.body.block.ops if isinstance(op, gpu.FuncOp)]
            unknown = [found for k in kernels if (found := unknown_op(k)) is not None]
            if unknown:
                remark(
                    unknown[0],
                    f"the kernels of '{module.sym_name.data}' stay as they are: "
                    f"{unknown[0].name} is no instruction of a GPU",
                )
                continue
            known: set[str] = set()
            for kernel in kernels:
                for made in convert_kernel(kernel, self.index_bitwidth):
                    if made.sym_name.data not in known:
                        module.body.block.insert_op_before(made, kernel)
                    known.add(made.sym_name.data)
                kernel.detach()
                kernel.erase()
