"""Turn loops over memrefs into functions of the `llvm` dialect.

Reads functions of scf, arith, math and memref ops without results (what `convert-tensor-block-to-
loops`, `expand-complex` and `expand-functions` write); writes `llvm.func`. A memref argument
becomes a bare pointer that aliases no other, its sizes, and the strides that its type leaves open;
loads and stores become `llvm.getelementptr inbounds`; indices are i64; i1 elements are bytes;
complex ones, which are taken apart and put together at once, two floats. Vectors of floats, of
those loops that are written with them, stay vectors. A `cf.assert` that does not hold ends the
call, without a word: whoever made it has stored what failed. Functions that are declared may be
called with numbers, and with memrefs, of which they get the pointers. Functions with other ops are
left alone.

    func.func @k(%a: memref<?xf64>, %i: index) {     llvm.func @k(%a: !llvm.ptr {llvm.noalias},
      %e = memref.load %a[%i]                                     %size: i64, %i: i64) {
      ...                                       =>     %p = llvm.getelementptr inbounds %a[%i]
                                                       %e = llvm.load %p : !llvm.ptr -> f64
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import cast

from xdsl.context import Context
from xdsl.dialects import arith, cf, complex, func, gpu, llvm, memref, scf, vector
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    ComplexType,
    DenseArrayBase,
    DictionaryAttr,
    FixedBitwidthType,
    IntAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StridedLayoutAttr,
    UnitAttr,
    VectorType,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import SymbolTable
from xdsl.utils.hints import isa

from diablo.dialects.locations import located
from diablo.dialects.multiloop import PrefetchOp, ReadWordOp
from diablo.dialects.scalar_types import is_complex
from diablo.lowering.llvm.convert_scalars_to_llvm import (
    CUTS,
    NO_WRAP,
    WRAPS,
    Builder,
    Conversion,
    conversion_of,
    llvm_type,
)
from diablo.lowering.llvm.convert_vectors_to_llvm import (
    has_float_vectors,
    has_vectors,
    vector_conversion_of,
)
from diablo.passes.analyses.values.scalar_folding import fold


@dataclass(frozen=True)
class Buffer:
    """What a memref argument has become: a pointer, sizes and strides (in elements)."""

    pointer: SSAValue
    element: Attribute
    sizes: Sequence[SSAValue]
    strides: Sequence[SSAValue | int]


_ONE_INDEX = {
    "rawConstantIndices": DenseArrayBase.from_list(i32, [llvm.GEP_USE_SSA_VAL]),
    "noWrapFlags": IntegerAttr(0, i32),
    "inbounds": UnitAttr(),
}
_IS_LESS = {"predicate": IntegerAttr(arith.CMPI_COMPARISON_OPERATIONS.index("slt"), i64)}
_PLAIN = {"ordering": IntegerAttr(0, i64)}
"""Loads and stores that are not atomic."""


@dataclass
class FunctionConversion:
    """Rebuilds one function, op by op, and loops and branches as blocks that jump to each other."""

    function: func.FuncOp | gpu.FuncOp
    bare_pointers: bool
    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    buffers: dict[SSAValue, Buffer] = field(default_factory=dict[SSAValue, Buffer])
    pairs: dict[SSAValue, tuple[SSAValue, SSAValue]] = field(
        default_factory=dict[SSAValue, tuple[SSAValue, SSAValue]]
    )
    """The parts of complex numbers that are loaded, or made to be stored."""
    blocks: list[Block] = field(default_factory=list[Block])
    end: Block | None = None
    """Where assertions go that do not hold."""
    special: Mapping[type[Operation], Callable[..., None]] = field(default_factory=lambda: SPECIAL)
    """What is done with ops that are no arithmetic."""

    def convert(self) -> llvm.FuncOp:
        """Return the function in the llvm dialect."""
        entry, attributes = self._entry()
        self.blocks.append(entry)
        self.block(self.function.body.block, Builder(entry))
        if self.end is not None:
            self.end.add_op(llvm.ReturnOp())
            self.blocks.append(self.end)
        inputs = [argument.type for argument in entry.args]
        return llvm.FuncOp(
            self.function.sym_name,
            llvm.LLVMFunctionType(inputs),
            linkage=llvm.LinkageAttr("external"),
            body=Region(self.blocks),
            other_props={"arg_attrs": ArrayAttr(attributes)},
        )

    def _entry(self) -> tuple[Block, list[DictionaryAttr]]:
        """The first block, its memref arguments taken apart."""
        entry = Block()
        attributes: list[DictionaryAttr] = []

        def add(type: Attribute, hint: str | None, *, pointer: bool = False) -> SSAValue:
            argument = entry.insert_arg(type, len(entry.args))
            argument.name_hint = hint
            attributes.append(DictionaryAttr({"llvm.noalias": UnitAttr()} if pointer else {}))
            return argument

        for old in self.function.body.block.args:
            if not isa(old.type, MemRefType[Attribute]):
                self.values[old] = add(llvm_type(old.type), old.name_hint)
                continue
            pointer = add(llvm.LLVMPointerType(), old.name_hint, pointer=True)
            element = old.type.get_element_type()
            if self.bare_pointers:
                known = [stride for stride in static_strides(old.type) if stride is not None]
                self.buffers[old] = Buffer(pointer, element, (), known)
                continue
            rank = old.type.get_num_dims()
            sizes = [add(i64, f"size{d}") for d in range(rank)]
            strides = [
                add(i64, f"stride{d}") if stride is None else stride
                for d, stride in enumerate(static_strides(old.type))
            ]
            self.buffers[old] = Buffer(pointer, element, sizes, strides)
        return entry, attributes

    def block(self, block: Block, build: Builder) -> tuple[SSAValue, ...]:
        """Convert the ops of a block, and return what its terminator hands on.

        `build` appends to the block of the result that control has reached, after it as before.
        """
        for op in block.ops:
            if isinstance(op, scf.YieldOp | scf.ConditionOp):
                return tuple(self.values[operand] for operand in op.operands)
            before, last = build.block, build.block.last_op
            self._op(op, build)
            added = before.first_op if last is None else last.next_op
            while added is not None:
                added.location = op.location
                added = added.next_op
        return ()

    def new_block(self, arguments: Sequence[SSAValue] = ()) -> Block:
        """Return a block, not yet one of the function, for what has these values so far."""
        block = Block(arg_types=[llvm_type(argument.type) for argument in arguments])
        for old, argument in zip(arguments, block.args, strict=True):
            argument.name_hint = old.name_hint
            self.values[old] = argument
        return block

    def enter(self, block: Block, build: Builder) -> None:
        """Let a block follow those that the function has, and go on there."""
        self.blocks.append(block)
        build.block = block

    def loop_index(self, index: SSAValue, build: Builder) -> None:
        """Add to what a loop begins with at each step."""

    def _op(self, op: Operation, build: Builder) -> None:
        special = self.special.get(type(op))
        if special is not None:
            special(self, op, build)
            return
        operands = [self.values[operand] for operand in op.operands]
        if (known := _computed(op, operands, build)) is not None:
            self.values[op.results[0]] = known
            return
        convert = _conversion_of(op)
        assert convert is not None
        result = convert(op, operands, build)
        if result not in operands:
            result.name_hint = op.results[0].name_hint
        self.values[op.results[0]] = result

    def address(self, array: SSAValue, indices: Sequence[SSAValue], build: Builder) -> SSAValue:
        """A pointer to one element.

        One at a sum that does not wrap around, as `2 * i + 1`, is found from the pointer to its
        row: only so LLVM sees that neighbours along the loop can be read by wide loads.
        """
        buffer = self.buffers[array]
        offset: SSAValue | None = None
        for axis, (old, stride) in enumerate(zip(indices, buffer.strides, strict=True), start=1):
            index = self.values[old]
            if integer_of(index) == 0:
                continue
            if stride != 1:
                by = build.integer(stride) if isinstance(stride, int) else stride
                index = build.create(llvm.MulOp, (index, by), i64, NO_WRAP)
            elif offset is not None and axis == len(indices) and _stays(index):
                row = replace(buffer, pointer=self.pointer_at(buffer, offset, build))
                return self.pointer_at(row, index, build)
            offset = (
                index if offset is None else build.create(llvm.AddOp, (offset, index), i64, NO_WRAP)
            )
        return buffer.pointer if offset is None else self.pointer_at(buffer, offset, build)

    def alignment_of_pair(self, type: ComplexType[AnyFloat]) -> int:
        """How complex numbers lie in memory: as their parts do."""
        return type.element_type.size

    def pointer_at(self, buffer: Buffer, offset: SSAValue, build: Builder) -> SSAValue:
        """A pointer to the element that is so many elements from the first one."""
        return build.create(
            llvm.GEPOp,
            (buffer.pointer, offset),
            buffer.pointer.type,
            {**_ONE_INDEX, "elem_type": stored_type(buffer.element)},
        )


def _stays(index: SSAValue) -> bool:
    """Return whether an index is computed in a loop, and said not to wrap around."""
    op = index.owner
    return isinstance(op, llvm.AddOp | llvm.SubOp | llvm.MulOp) and (
        op.overflowFlags == NO_WRAP["overflowFlags"]
    )


def stored_type(element: Attribute) -> Attribute:
    """The llvm type of an element in memory: Booleans are bytes there."""
    return i8 if element == i1 else llvm_type(element)


def _load(self: FunctionConversion, op: memref.LoadOp, build: Builder) -> None:
    address = self.address(op.memref, op.indices, build)
    if is_complex(op.res.type):
        type = cast("ComplexType[AnyFloat]", op.res.type)
        places = zip(*_places_of_pair(self, address, type, build), strict=True)
        loads = [llvm.LoadOp(place, type.element_type, alignment=by) for place, by in places]
        real, imaginary = map(build.add, loads)
        self.pairs[op.res] = real, imaginary
        return
    if op.res.type == i1:
        byte = build.create(llvm.LoadOp, (address,), i8, _PLAIN)
        value = build.create(llvm.TruncOp, (byte,), i1, CUTS)
    else:
        value = build.create(llvm.LoadOp, (address,), llvm_type(op.res.type), _PLAIN)
    value.name_hint = op.res.name_hint
    self.values[op.res] = value


def _read_word(self: FunctionConversion, op: ReadWordOp, build: Builder) -> None:
    """A read of eight bytes, wherever they lie."""
    address = self.address(op.data, [op.place], build)
    self.values[op.word] = build.add(llvm.LoadOp(address, i64, alignment=1))
    self.values[op.word].name_hint = op.word.name_hint


def _load_vector(self: FunctionConversion, op: vector.LoadOp, build: Builder) -> None:
    """Elements that lie one after the other, wherever the first one is."""
    type = op.result.type
    assert isa(type, VectorType[FixedBitwidthType])
    address = self.address(op.base, op.indices, build)
    load = llvm.LoadOp(address, type, alignment=type.element_type.size)
    self.values[op.result] = build.add(load)
    self.values[op.result].name_hint = op.result.name_hint


def _places_of_pair(
    self: FunctionConversion, address: SSAValue, type: ComplexType[AnyFloat], build: Builder
) -> tuple[tuple[SSAValue, SSAValue], tuple[int, int]]:
    """Where the parts of a complex number lie, and how these are aligned."""
    part = type.element_type
    behind = llvm.GEPOp(address, [1], part, inbounds=True)
    return (address, build.add(behind)), (self.alignment_of_pair(type), part.size)


def _part(number: int) -> Callable[..., None]:
    """One of the two parts of a complex number that is loaded."""

    def convert(self: FunctionConversion, op: complex.ReOp | complex.ImOp, build: Builder) -> None:
        part = self.values[op.result] = self.pairs[op.complex][number]
        part.name_hint = part.name_hint or op.result.name_hint

    return convert


def _create(self: FunctionConversion, op: complex.CreateOp, build: Builder) -> None:
    """Two parts, which are stored one by one."""
    self.pairs[op.complex] = self.values[op.real], self.values[op.imaginary]


def _store_pair(self: FunctionConversion, op: memref.StoreOp, build: Builder) -> None:
    address = self.address(op.memref, op.indices, build)
    type = cast("ComplexType[AnyFloat]", op.value.type)
    places, alignments = _places_of_pair(self, address, type, build)
    for value, place, by in zip(self.pairs[op.value], places, alignments, strict=True):
        build.block.add_op(llvm.StoreOp(value, place, alignment=by))


def _store(self: FunctionConversion, op: memref.StoreOp, build: Builder) -> None:
    if op.value in self.pairs:
        _store_pair(self, op, build)
        return
    value = self.values[op.value]
    if value.type == i1:
        value = build.create(llvm.ZExtOp, (value,), i8)
    address = self.address(op.memref, op.indices, build)
    build.block.add_op(llvm.StoreOp.create(operands=(value, address), properties={**_PLAIN}))


def _prefetch(self: FunctionConversion, op: PrefetchOp, build: Builder) -> None:
    """A read of data that stays in all caches."""
    address = self.address(op.vector, [op.place], build)
    hints = [build.integer(hint, i32) for hint in (0, 3, 1)]
    build.block.add_op(llvm.CallIntrinsicOp("llvm.prefetch.p0", [address, *hints], []))


def _dim(self: FunctionConversion, op: memref.DimOp, build: Builder) -> None:
    axis = op.index.owner
    assert isinstance(axis, ConstantOp)
    assert isinstance(axis.value, IntegerAttr)
    self.values[op.result] = self.buffers[op.source].sizes[axis.value.value.data]


def _for(self: FunctionConversion, op: scf.ForOp, build: Builder) -> None:
    """A loop is a block that compares its index, the body, and a jump back with the next index."""
    bounds = [self.values[value] for value in (op.lb, *op.iter_args)]
    above, step = self.values[op.ub], self.values[op.step]
    head, body, end = self.new_block(op.body.block.args), Block(), Block()
    build.jump(head, bounds)
    self.enter(head, build)
    index, *carried = head.args
    build.branch(build.create(llvm.ICmpOp, (index, above), i1, _IS_LESS), body, end)
    self.enter(body, build)
    self.loop_index(op.body.block.args[0], build)
    results = self.block(op.body.block, build)
    build.jump(head, [build.create(llvm.AddOp, (index, step), index.type, WRAPS), *results])
    self.enter(end, build)
    _set_results(self, op, carried)


def _if(self: FunctionConversion, op: scf.IfOp, build: Builder) -> None:
    """Both ways go on in one block, with what they yield; one alone if it is known which."""
    known = integer_of(self.values[op.cond])
    if known is not None:
        region = op.true_region if known else op.false_region
        results = self.block(region.block, build) if region.first_block is not None else ()
        _set_results(self, op, results)
        return
    then, end = Block(), Block(arg_types=[llvm_type(type) for type in op.result_types])
    otherwise = Block() if op.false_region.first_block is not None else end
    build.branch(self.values[op.cond], then, otherwise)
    for start, region in ((then, op.true_region), (otherwise, op.false_region)):
        if region.first_block is not None:
            self.enter(start, build)
            build.jump(end, self.block(region.block, build))
    self.enter(end, build)
    _set_results(self, op, end.args)


def _while(self: FunctionConversion, op: scf.WhileOp, build: Builder) -> None:
    """A loop whose condition is computed in a block of its own, which hands on the results."""
    given = [self.values[value] for value in op.arguments]
    before = self.new_block(op.before_region.block.args)
    build.jump(before, given)
    self.enter(before, build)
    holds, *handed_on = self.block(op.before_region.block, build)
    after, end = self.new_block(op.after_region.block.args), Block()
    build.branch(holds, after, end, handed_on)
    self.enter(after, build)
    build.jump(before, self.block(op.after_region.block, build))
    self.enter(end, build)
    _set_results(self, op, handed_on)


def _set_results(self: FunctionConversion, op: Operation, results: Sequence[SSAValue]) -> None:
    for old, result in zip(op.results, results, strict=True):
        result.name_hint = result.name_hint or old.name_hint
        self.values[old] = result


def _assert(self: FunctionConversion, op: cf.AssertOp, build: Builder) -> None:
    """Go on where it holds, and else to the end."""
    self.end = self.end or Block()
    rest = Block()
    build.branch(self.values[op.arg], rest, self.end)
    self.enter(rest, build)


def _return(self: FunctionConversion, op: func.ReturnOp, build: Builder) -> None:
    build.block.add_op(llvm.ReturnOp())


def _call(self: FunctionConversion, op: func.CallOp, build: Builder) -> None:
    """A call of a function that is declared, which is given the pointers of buffers alone."""
    arguments = [
        self.buffers[a].pointer if a in self.buffers else self.values[a] for a in op.arguments
    ]
    types = [llvm_type(type) for type in op.result_types]
    call = llvm.CallOp(op.callee, *arguments, return_type=types[0] if types else None)
    build.block.add_op(call)
    if op.results and call.returned is not None:
        call.returned.name_hint = op.results[0].name_hint
        self.values[op.results[0]] = call.returned


def convert_alloca(self: FunctionConversion, op: memref.AllocaOp, build: Builder) -> None:
    """A buffer of a fixed size on the stack."""
    type = op.memref.type
    assert isa(type, MemRefType[Attribute])
    shape = type.get_shape()
    sizes = [build.integer(size) for size in shape]
    strides: list[SSAValue | int] = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    element = type.get_element_type()
    pointer = llvm.AllocaOp(build.integer(prod(shape)), stored_type(element), _alignment(op))
    hint = op.memref.name_hint
    self.buffers[op.memref] = Buffer(build.add(pointer), element, sizes, strides)
    self.buffers[op.memref].pointer.name_hint = hint


def _cast(self: FunctionConversion, op: memref.CastOp, build: Builder) -> None:
    """The same buffer, of which more strides are known."""
    buffer, type = self.buffers[op.source], op.dest.type
    assert isa(type, MemRefType[Attribute])
    known = zip(static_strides(type), buffer.strides, strict=True)
    strides = [given if stride is None else stride for stride, given in known]
    self.buffers[op.dest] = replace(buffer, strides=strides)


def _alignment(op: memref.AllocaOp) -> int:
    return op.alignment.value.data if op.alignment is not None else 16


SPECIAL: dict[type[Operation], Callable[..., None]] = {
    memref.LoadOp: _load,
    memref.StoreOp: _store,
    memref.AllocaOp: convert_alloca,
    memref.CastOp: _cast,
    memref.DimOp: _dim,
    PrefetchOp: _prefetch,
    ReadWordOp: _read_word,
    vector.LoadOp: _load_vector,
    complex.ReOp: _part(0),
    complex.ImOp: _part(1),
    complex.CreateOp: _create,
    scf.ForOp: _for,
    scf.IfOp: _if,
    scf.WhileOp: _while,
    cf.AssertOp: _assert,
    func.ReturnOp: _return,
    func.CallOp: _call,
}
STRUCTURED = frozenset(["scf.for", "scf.if", "scf.yield", "scf.while", "scf.condition"])
_KNOWN = {op.name for op in SPECIAL} | STRUCTURED


def _conversion_of(op: Operation) -> Conversion | None:
    return vector_conversion_of(op) if has_vectors(op) else conversion_of(op)


def _computed(op: Operation, operands: Sequence[SSAValue], build: Builder) -> SSAValue | None:
    """Return what an op on integers gives if that need not be computed, as a sum with zero.

    Constants and sizes of arrays are known here that were not apart before.
    """
    if not isinstance(op, _ON_INTEGERS):
        return None
    left, right = operands
    if left is right and isinstance(op, _EXTREMES):
        return left
    first, second = map(integer_of, operands)
    if first is not None and second is not None:
        folded = fold(op, (first, second))
        return None if folded is None else build.integer(int(folded), llvm_type(op.results[0].type))
    if isinstance(op, arith.CmpiOp):
        return None
    identity = 1 if isinstance(op, arith.MuliOp) else None if isinstance(op, _EXTREMES) else 0
    if identity is None:
        return None
    if second == identity:
        return left
    return right if first == identity and not isinstance(op, arith.SubiOp) else None


_EXTREMES = (arith.MaxSIOp, arith.MaxUIOp, arith.MinSIOp, arith.MinUIOp)
_ON_INTEGERS = (arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.CmpiOp, *_EXTREMES)


def integer_of(value: SSAValue) -> int | None:
    """Return the number that an integer of the llvm dialect is, if it is a constant."""
    op = value.owner
    known = op.value if isinstance(op, llvm.ConstantOp) else None
    return known.value.data if isinstance(known, IntegerAttr) else None


def static_strides(type: MemRefType[Attribute]) -> list[int | None]:
    """The strides of a memref in elements, None where they are known only at run time."""
    if isinstance(type.layout, StridedLayoutAttr):
        return [s.data if isinstance(s, IntAttr) else None for s in type.layout.strides]
    rank = type.get_num_dims()
    return [*[None] * (rank - 1), 1] if rank else []


def is_convertible(function: func.FuncOp, *, bare_pointers: bool = False) -> bool:
    """Return whether every op of a function has a conversion."""
    return (
        len(function.body.blocks) == 1
        and not function.function_type.outputs.data
        and all(op is function or is_known(op) for op in function.walk())
        and (not bare_pointers or all(map(_does_with_pointer, function.args)))
    )


def is_known(op: Operation) -> bool:
    """Return whether an op has a conversion."""
    if isinstance(op, memref.DimOp):
        return isinstance(op.index.owner, ConstantOp)
    if isinstance(op, func.CallOp):
        callee = SymbolTable.lookup_symbol(op, op.callee)
        declared = isinstance(callee, func.FuncOp | llvm.FuncOp) and not callee.body.blocks
        return declared and len(op.results) <= 1
    if isinstance(op, complex.ReOp | complex.ImOp):
        return isinstance(op.complex.owner, memref.LoadOp)
    if isinstance(op, complex.CreateOp):
        return all(isinstance(use.operation, memref.StoreOp) for use in op.complex.uses)
    if isinstance(op, vector.LoadOp):
        type = op.base.type
        assert isa(type, MemRefType[Attribute])
        return has_float_vectors(op) and static_strides(type)[-1:] == [1]
    if op.name in _KNOWN:
        return has_float_vectors(op)
    return _conversion_of(op) is not None


def _does_with_pointer(argument: BlockArgument) -> bool:
    """Return whether no size or stride of an argument is asked for at run time."""
    return not isa(argument.type, MemRefType[Attribute]) or (
        None not in static_strides(argument.type)
        and not any(isinstance(use.operation, memref.DimOp) for use in argument.uses)
    )


@dataclass(frozen=True)
class ConvertKernelToLLVMPass(ModulePass):
    """Turns loops over memrefs into functions of the llvm dialect."""

    name = "convert-kernel-to-llvm"
    bare_pointers: bool = False
    """A memref argument becomes its pointer alone, as callers pass it that know its size; a
    function that asks for a size or has open strides is left alone."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every function that can be; leave the others alone."""
        for function in list(op.ops):
            if not isinstance(function, func.FuncOp) or not is_convertible(
                function, bare_pointers=self.bare_pointers
            ):
                continue
            new = FunctionConversion(function, self.bare_pointers).convert()
            new.location = function.location
            op.body.block.insert_op_before(new, function)
            function.detach()
            function.erase()
        _declare(op)


def _passed_type(type: Attribute) -> Attribute:
    return llvm.LLVMPointerType() if isa(type, MemRefType[Attribute]) else llvm_type(type)


def _declare(module: ModuleOp) -> None:
    """Declare the functions that converted ones call in the `llvm` dialect, too."""
    calls = [op for op in module.walk() if isinstance(op, llvm.CallOp) and op.callee is not None]
    names = {op.callee.string_value() for op in calls if op.callee is not None}
    for function in list(module.ops):
        if isinstance(function, func.FuncOp) and function.sym_name.data in names:
            inputs, outputs = function.function_type.inputs, function.function_type.outputs
            types = [_passed_type(type) for type in inputs]
            result = llvm_type(outputs.data[0]) if outputs.data else None
            type = llvm.LLVMFunctionType(types, result)
            new = llvm.FuncOp(function.sym_name, type, linkage=llvm.LinkageAttr("external"))
            module.body.block.insert_op_before(located(new, function), function)
            Rewriter.erase_op(function)
