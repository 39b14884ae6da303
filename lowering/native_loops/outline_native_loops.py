"""Make functions of the driver's loops over numbers and elements of arrays, for machine code.

    %s = scf.while (%i = %zero, %a = %s0) … {       %s = func.call @loop_0(%zero, %s0, %V)
      %x = tensor.extract %V[%i]              =>
      …                                             func.func private @loop_0(%i, %a, %V) {
    }                                                 %s = scf.while … {
                                                        %x = tensor.extract %V[%i] … }
                                                      func.return %s }

Each iteration is a few instructions, where Python takes microseconds. What the loop carries comes
first, so that it can be handed over at the head of any iteration: Python runs the loop until it has
proved to be long. A loop within a loop is a function of its own for that reason; the machine code
of the outer one has it in itself. A loop that does more stays where it is, and what stands in it is
looked at; so does, with `kernels=false`, one that calls a kernel, which a GPU is to run. A loop
whose state is saved as it runs (`checkpoint-loops`) is cut into strips, which are functions
(`loop_strips.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import arith, func, scf, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from diablo.dialects.comprehension import PutOp
from diablo.dialects.defining_blocks import is_made_inside
from diablo.dialects.encodings import is_sparse
from diablo.dialects.locations import located, remark
from diablo.dialects.number_constants import ConstantOps
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.multiloop.compile_kernel import CompiledKernels
from diablo.lowering.native_loops.called_kernels import called_kernel
from diablo.lowering.native_loops.element_reads import with_element_reads
from diablo.lowering.native_loops.loop_jobs import LoopJobs
from diablo.lowering.native_loops.loop_strips import cut_into_strips, passes_all_on
from diablo.lowering.native_loops.native_loops import Buffers, check_native_loop, stays
from diablo.lowering.outlined_loops import loop_of
from diablo.passes.analyses.refused import Refused
from diablo.passes.checkpoint_loops import CHECKPOINT, CHECKPOINT_STEPS
from diablo.passes.dead_ops import erase_dead

STEPS = 1 << 16
"""How many iterations of a loop come between two looks at the clock: about a millisecond."""
STEPS_WITH_KERNELS = 1 << 8
"""The same where an iteration calls kernels, which go through arrays."""


@dataclass(frozen=True)
class OutlineNativeLoopsPass(ModulePass):
    """Make functions of the driver's loops that become machine code."""

    name = "outline-native-loops"
    kernels: bool = True
    """Whether the loops that become machine code may call kernels."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at the loops of every public function."""
        for function in [o for o in op.ops if isinstance(o, func.FuncOp)]:
            if function.sym_visibility is None and not function.is_declaration:
                _Outlining(op, self.kernels).look_into(function.body)
                # Constants that the loops alone read are theirs now.
                erase_dead(function.body)


@dataclass
class _Outlining:
    module: ModuleOp
    kernels: bool
    number: int = 0
    within: bool = False
    """Whether the loops that are looked at stand in one that is a function already."""
    buffers: Buffers = field(default_factory=lambda: Buffers(views=True))
    """The arrays of that."""
    compiled: CompiledKernels = field(default_factory=CompiledKernels)

    def look_into(self, region: Region) -> None:
        """Make functions of the outermost loops that can be."""
        for op in [op for block in region.blocks for op in block.ops]:
            if isinstance(op, scf.WhileOp) and CHECKPOINT in op.attributes:
                op = self._in_strips(op)
            elif isinstance(op, scf.WhileOp) and self._outline(op):
                continue
            for inner in op.regions:
                self.look_into(inner)

    def _in_strips(self, loop: scf.WhileOp) -> scf.WhileOp:
        """Cut a loop whose state is saved, if its strips can be functions; return that or it."""
        if not passes_all_on(loop):
            return loop
        calls = any(isinstance(op, func.CallOp) for op in loop.walk())
        steps = STEPS_WITH_KERNELS if calls else STEPS
        copy = loop.clone()
        Rewriter.insert_op(copy, InsertPoint.before(loop))
        whole, strip = cut_into_strips(copy, steps)
        if not self._can_be_native(strip):
            Rewriter.erase_op(whole)
            return loop
        whole.attributes[CHECKPOINT] = loop.attributes[CHECKPOINT]
        whole.attributes[CHECKPOINT_STEPS] = IntegerAttr(steps, i64)
        for old, new in zip(loop.results, whole.results, strict=True):
            new.name_hint = old.name_hint
            old.replace_all_uses_with(new)
        Rewriter.erase_op(loop)
        return whole

    def _can_be_native(self, loop: scf.WhileOp) -> bool:
        """Return whether a strip of a loop can be machine code, kernels included.

        Those that are jobs of large arrays may take long: a state is saved between iterations then.
        """
        function, _ = _function_of(loop, self._unused_name(), self.buffers)
        self.module.body.block.add_op(function)
        try:
            self._check(loop, function, jobs=False)
        except Refused:
            return False
        finally:
            Rewriter.erase_op(function)
        return True

    def _check(self, loop: scf.WhileOp, function: func.FuncOp, *, jobs: bool = True) -> None:
        """Raise `Refused` if the function that was made of a loop is not to be machine code."""
        if not _used_types(loop) and not any(isinstance(op, PutOp) for op in loop.walk()):
            raise Refused("nothing reads what it ends with")
        if not self.kernels and any(isinstance(op, func.CallOp) for op in loop.walk()):
            raise Refused("it calls a kernel")
        try:
            check_native_loop(function)
        except Refused as reason:
            if not jobs or not any(called_kernel(op) is not None for op in loop.walk()):
                raise
            try:
                LoopJobs.of(function, self.compiled)
            except Refused as other:
                # What keeps kernels from being jobs is what keeps the loop with Python.
                raise other from reason

    def _outline(self, loop: scf.WhileOp) -> bool:
        """Make a function of a loop, of which elements are read alone; return whether it is one."""
        if (found := with_element_reads(loop)) is None:
            return self._make_function(loop)
        before, copy = found
        Rewriter.insert_op([*before, copy], InsertPoint.before(loop))
        _exchange(loop, copy)
        is_function = self._make_function(copy)
        if not is_function:
            _exchange(copy, loop)
        for op in [loop] if is_function else [copy, *before]:
            Rewriter.erase_op(op)
        return is_function

    def _make_function(self, loop: scf.WhileOp) -> bool:
        function, given = _function_of(loop, self._unused_name(), self.buffers)
        found = loop_of(function)
        assert found is not None
        self.module.body.block.add_op(function)
        try:
            self._check(loop, function)
        except Refused as reason:
            Rewriter.erase_op(function)
            if not self.within:
                remark(loop, f"the loop stays with Python: {reason}")
            return False
        if not self.within:
            remark(loop, "the loop is machine code once it has run a while")
        call = located(func.CallOp(function.sym_name.data, given, _used_types(loop)), loop)
        Rewriter.insert_op(call, InsertPoint.before(loop))
        used = [result for result in loop.results if result.first_use is not None]
        for result, made in zip(used, call.results, strict=True):
            made.name_hint = result.name_hint
            result.replace_all_uses_with(made)
        Rewriter.erase_op(loop)
        before = self.within, self.buffers
        self.within, self.buffers = True, Buffers(views=True)
        self.buffers.note(found)
        for region in found.regions:
            self.look_into(region)
        self.within, self.buffers = before
        return True

    def _unused_name(self) -> str:
        while SymbolTable.lookup_symbol(self.module, StringAttr(f"loop_{self.number}")) is not None:
            self.number += 1
        return f"loop_{self.number}"


def _exchange(old: scf.WhileOp, new: scf.WhileOp) -> None:
    for before, after in zip(old.results, new.results, strict=True):
        before.replace_all_uses_with(after)


def _used_types(loop: scf.WhileOp) -> list[Attribute]:
    return [result.type for result in loop.results if result.first_use is not None]


def _function_of(
    loop: scf.WhileOp, name: str, buffers: Buffers
) -> tuple[func.FuncOp, list[SSAValue]]:
    """A function that does what a loop does, and what it is to be given.

    `buffers` are those of the loop around it: arrays that have one have the same extents.
    """
    captured = _captured(loop)
    # An array that is carried has the same extents always, if these are not carried, too.
    varies = any(isinstance(value.type, IndexType) for value in loop.arguments)
    own = loop.before_region.block.args
    lasting = [k for k, argument in enumerate(own) if not varies or stays(loop, argument)]
    arrays = {
        array
        for value in (*captured, *(loop.arguments[k] for k in lasting))
        if is_tensor(value.type) and not is_sparse(value.type)
        for array in (value, buffers.of(value))
    }
    copied = [value for value in captured if _is_copied(value, arrays, captured)]
    others = [value for value in captured if value not in copied]
    given = [*loop.arguments, *others]
    block = Block(arg_types=[value.type for value in given])
    carried, rest = block.args[: len(loop.arguments)], block.args[len(loop.arguments) :]
    for argument, value in zip(block.args, [*loop.before_region.block.args, *others], strict=True):
        argument.name_hint = value.name_hint
    # What the loop carries is handed over later on: a constant that it begins with is not that.
    values: dict[SSAValue, SSAValue] = dict(zip(others, rest, strict=True))
    sized = {
        array: argument
        for value, argument in (
            *zip(others, rest, strict=True),
            *((loop.arguments[k], carried[k]) for k in lasting),
        )
        if is_tensor(value.type)
        for array in (buffers.of(value), value)
    }
    for value in copied:
        assert isinstance(value.owner, Operation)
        _copy(value.owner, values, sized, block)
    copy = loop.clone(values)
    for number, argument in enumerate(carried):
        copy.operands[number] = argument
    block.add_op(copy)
    results = [copy.results[k] for k, r in enumerate(loop.results) if r.first_use is not None]
    block.add_op(func.ReturnOp(*results))
    types = [value.type for value in given], [value.type for value in results]
    function = func.FuncOp(name, types, Region(block), visibility="private")
    return located(function, loop), given


def _copy(
    op: Operation,
    values: dict[SSAValue, SSAValue],
    sized: Mapping[SSAValue, SSAValue],
    block: Block,
) -> None:
    """Copy a constant, an extent with the number of its dimension, or a cast."""
    if op.results[0] in values:
        return
    if isinstance(op, arith.IndexCastOp) and op.input not in values:
        assert isinstance(op.input.owner, Operation)
        _copy(op.input.owner, values, sized, block)
    if isinstance(op, tensor.DimOp):
        assert isinstance(op.index.owner, Operation)
        _copy(op.index.owner, values, sized, block)
        given = {op.source: sized[op.source]} if op.source in sized else {}
        copy = op.clone({**values, **given})
    else:
        copy = op.clone(values)
    block.add_op(copy)
    values[op.results[0]] = copy.results[0]


def _is_copied(value: SSAValue, arrays: Iterable[SSAValue], captured: Sequence[SSAValue]) -> bool:
    """Return whether a function has a value without being given it.

    So it has constants, the extents of arrays that it is given, and casts of what it has or is
    given.
    """
    op = value.owner
    if isinstance(op, arith.IndexCastOp):
        return op.input in captured
    if isinstance(op, tensor.DimOp):
        return op.source in arrays and isinstance(op.index.owner, ConstantOps)
    return isinstance(op, ConstantOps)


def _captured(loop: scf.WhileOp) -> list[SSAValue]:
    """Return what is read in a loop and was made outside, in the order of the reads."""
    found: dict[SSAValue, None] = {}
    for op in loop.walk():
        if op is loop:
            continue
        for operand in op.operands:
            if not is_made_inside(operand, loop):
                found[operand] = None
    return list(found)
