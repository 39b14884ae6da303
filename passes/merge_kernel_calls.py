"""Make one kernel of several that run over the same points of the driver's arrays.

Works at the spark level.

```mlir
%z = func.call @kernel_0(%n, %z0, %p, %a)
%r = func.call @kernel_1(%n, %r0, %q, %a)
%rho = func.call @kernel_2(%n, %r, %r)
  ==>
%z, %r, %rho = func.call @kernel_0_1_2(%n, %z0, %p, %a, %r0, %q)
```

where each kernel is a `map`, a fold over all of the points or a scan of a vector: what one makes,
the next reads while it is at hand, and a call of a kernel costs as much as thousands of points.
With `strips`, kernels that fold for each row, or add rows up by place, are merged with others over
the same rows, which take turns at strips of them:

```mlir
%d = func.call @least_of_each_row(%n, %k, %x, %c)
%s = func.call @add_up_by_place(%n, %d, %m)
  ==>
%s = func.call @kernel_0_1(%n, %k, %x, %c, %m)
```

What nothing else reads is then never whole in memory. Kernels are
left apart where something between them needs the result of the first, but for kernels that
the second needs and that can run in the same loop, and for arithmetic and
checks that may come later, and where one needs all of what another makes: a fold, or elements
beside the point. What is scanned threads compute twice, so that it is left apart if that is more
than a little. A kernel of which nobody reads anything goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import cf, func
from xdsl.dialects.builtin import IndexType, ModuleOp, SymbolRefAttr, TensorType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from diablo.dialects.comprehension import PackOp, UnpackOp
from diablo.dialects.comprehension.comprehension_monoids import monoids_used
from diablo.dialects.locations import located, named, remark
from diablo.dialects.number_constants import ConstantOps, is_arithmetic
from diablo.dialects.tensor_block import IterationOp, ScanOp
from diablo.passes.analyses.loops.common_rows import goes_by_rows, is_nested, row_dimensions
from diablo.passes.analyses.loops.one_loop import (
    is_pointwise,
    is_scanned_along,
    run_in_one_loop,
)
from diablo.passes.analyses.plans.call_targets import kernel_called
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.affine_values import same_value
from diablo.passes.analyses.values.speculation import can_trap

MOST_TWICE = 16
"""How many operations are computed twice rather than written and read again."""
MOST_BETWEEN = 6
"""How many kernels may lie between two and be merged with them at once."""
MOST_ARRAYS = 12
"""How many arrays one kernel reads and writes: beyond, the processor loses track of them."""


def _kernel(call: func.CallOp, strips: bool) -> func.FuncOp | None:
    """The kernel that is called, if all that it does is one or more ops over points, or rows."""
    kernel = kernel_called(call)
    if kernel is None:
        return None
    simple = ConstantOps | func.ReturnOp
    ops = kernel.body.block.ops
    if any(map(can_trap, monoids_used(kernel))):
        return None  # NumPy would fold with these, and do all that is merged with them.
    if all(
        isinstance(op, simple)
        or is_pointwise(op)
        or is_scanned_along(op)
        or (strips and goes_by_rows(op))
        for op in ops
    ):
        return kernel
    return None


def _share_rows(loops: Sequence[Operation]) -> bool:
    """Return whether ops have rows in common, for which some of them fold, or add up by place."""
    shared = row_dimensions(loops) is not None
    return shared and any(goes_by_rows(op) and is_nested(op) for op in loops)


def _loops(block: Block) -> list[Operation]:
    return [op for op in block.ops if isinstance(op, IterationOp | ScanOp)]


def _is_array(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType)


def _arrays_met(calls: Sequence[func.CallOp]) -> int:
    """Return how many arrays one kernel for several calls would read and write."""
    made = {result for call in calls for result in call.results}
    read = {operand for call in calls for operand in call.arguments} - made
    used = {r for r in made if any(use.operation not in calls for use in r.uses)}
    return sum(map(_is_array, (*read, *used)))


@dataclass
class MergedCalls:
    """The kernel of several calls, in order, as it is being made."""

    calls: Sequence[func.CallOp]
    kernels: Sequence[func.FuncOp]
    strips: bool

    def __post_init__(self) -> None:
        self.operands: list[SSAValue] = []
        self.results: list[SSAValue] = []
        """The results of the calls, as the merged call gives them."""
        self.block = Block()
        inside: dict[SSAValue, SSAValue] = {}
        returned: dict[SSAValue, SSAValue] = {}
        for call, kernel in zip(self.calls, self.kernels, strict=True):
            mapping: dict[SSAValue, SSAValue] = {}
            for operand, argument in zip(call.arguments, kernel.body.block.args, strict=True):
                mapping[argument] = self._argument(operand, argument, inside)
            for op in kernel.body.block.ops:
                if not isinstance(op, func.ReturnOp):
                    self.block.add_op(op.clone(mapping))
                    continue
                for result, value in zip(call.results, op.arguments, strict=True):
                    returned[result] = inside[result] = mapping[value]
        # Arrays in the order in which they are made, then scalars.
        used = [result for result in returned if self._is_read(result)]
        self.results = [r for r in used if _is_array(r)] + [r for r in used if not _is_array(r)]
        self.block.add_op(func.ReturnOp(*[returned[result] for result in self.results]))

    def _argument(
        self, operand: SSAValue, like: SSAValue, inside: dict[SSAValue, SSAValue]
    ) -> SSAValue:
        """Return what an operand is in the kernel: an argument, or what an earlier call makes."""
        if operand not in inside and isinstance(operand.type, IndexType):
            alike = [value for value in inside if value.type == operand.type]
            same = next((value for value in alike if same_value(value, operand)), operand)
            if same is not operand:
                inside[operand] = inside[same]
        if operand not in inside:
            inside[operand] = self.block.insert_arg(like.type, len(self.block.args))
            inside[operand].name_hint = like.name_hint
            self.operands.append(operand)
        return inside[operand]

    def _is_read(self, result: SSAValue) -> bool:
        """Return whether anything but the calls uses a result."""
        return any(use.operation not in self.calls for use in result.uses)

    def check(self) -> None:
        """Raise `Refused` if the calls are better left apart."""
        loops = _loops(self.block)
        if not run_in_one_loop(loops) and not (self.strips and _share_rows(loops)):
            raise Refused("they do not take turns at the same points")
        scans = [op for op in loops if isinstance(op, ScanOp)]
        if not _is_little(scans, loops):
            raise Refused("what is scanned would be computed twice")
        # The kernels know what the monoids are that the program defines.
        if scans and len(scans) < len(loops) and any(map(can_trap, self.kernels)):
            raise Refused("what may fail would be done without machine code beside a scan")

    def replace(self) -> func.CallOp:
        """Put the call in the place of the last; the kernel has the names of all."""
        kernel, *others = self.kernels
        last = self.calls[-1]
        numbers = [other.sym_name.data.removeprefix("kernel_") for other in others]
        name = _free_name("_".join([kernel.sym_name.data, *numbers]), kernel)
        types = [argument.type for argument in self.block.args]
        results = [result.type for result in self.results]
        new = func.FuncOp(name, (types, results), Region(self.block), visibility="private")
        Rewriter.insert_op(located(new, kernel), InsertPoint.before(kernel))
        call = func.CallOp(name, self.operands, results)
        Rewriter.insert_op(located(call, last), InsertPoint.before(last))
        for old, result in zip(self.results, call.results, strict=True):
            named(result, old)
            old.replace_all_uses_with(result)
        for old in reversed(self.calls):
            Rewriter.erase_op(old)
        for old in dict.fromkeys(self.kernels):
            if not _is_called(old):
                Rewriter.erase_op(old)
        return call


def _free_name(name: str, near: func.FuncOp) -> str:
    """Return a name that no function beside `near` has: the same kernels may be called again."""
    module = near.parent_op()
    assert module is not None
    free, number = name, 1
    while SymbolTable.lookup_symbol(module, free) is not None:
        number += 1
        free = f"{name}_{number}"
    return free


def _is_little(scans: Sequence[ScanOp], loops: Sequence[Operation]) -> bool:
    """Return whether what a kernel makes for its scans is few operations, and no function."""
    wanted = {scan.array for scan in scans}
    count = 0
    for op in reversed(loops):
        if isinstance(op, IterationOp) and op.results[0] in wanted:
            wanted |= {*op.operands}
            free = ConstantOps | PackOp | UnpackOp
            ops = [inner for inner in op.body.walk() if not isinstance(inner, free)]
            count += len(ops) - 1
            if not all(inner.name.startswith(("arith.", "tensor_block.yield")) for inner in ops):
                return False
    return count <= MOST_TWICE


def _is_called(kernel: func.FuncOp) -> bool:
    """Return whether anything still names a kernel."""
    module = kernel.parent_op()
    assert module is not None
    name = SymbolRefAttr(kernel.sym_name.data)
    return any(name in op.properties.values() for op in module.walk())


def _is_idle(call: func.CallOp, kernel: func.FuncOp) -> bool:
    """Return whether nobody reads what a kernel gives, and nobody sees whether it fails."""
    return not any(result.uses for result in call.results) and not can_trap(kernel)


def postpone_uses(calls: Sequence[func.CallOp]) -> bool:
    """Let nothing between calls of a block use a result of one of them.

    Scalar arithmetic goes behind the last, and so does a check, unless a later call could fail
    before it. False, and nothing has moved, if anything else uses a result, or if one of the calls
    needs what is computed.
    """
    *_, later = calls
    made: set[SSAValue] = set()
    computed: set[SSAValue] = set()
    uses: list[Operation] = []
    between: Operation | None = calls[0]
    while between is not None and between is not later:
        if between in calls:
            made.update(between.results)
        elif any(o in made or o in computed for inner in between.walk() for o in inner.operands):
            if not all(_may_come_later(between, call) for call in calls):
                return False
            uses.append(between)
            computed.update(between.results)
        between = between.next_op
    if any(operand in computed for call in calls for operand in call.operands):
        return False
    for op in reversed(uses):
        op.detach()
        Rewriter.insert_op(op, InsertPoint.after(later))
    return True


def _may_come_later(op: Operation, call: func.CallOp) -> bool:
    """Return whether it makes no difference if a call goes before `op`."""
    if isinstance(op, PackOp | UnpackOp):
        return True
    if isinstance(op, cf.AssertOp):
        kernel = SymbolTable.lookup_symbol(call, call.callee)
        return kernel is not None and not can_trap(kernel)
    return is_arithmetic(op) and not can_trap(op)


class _Needs:
    """Which kernels an op needs, and which of them by way of others, which cannot come elsewhere.

    Those are a product of BLAS's, or a root of what one kernel folds for the other. Each kernel is
    a bit. All ops of a block are noted in order, so that a call is compared with
    those before it in a time that does not grow with what lies between.
    """

    def __init__(self) -> None:
        self._bits: dict[Operation, int] = {}
        self._needed: dict[Operation, int] = {}
        """The kernels that what an op computes needs."""
        self._barred: dict[Operation, int] = {}
        """Those of them that it needs by way of others than kernels."""

    def note(self, op: Operation, *, is_kernel: bool) -> None:
        """Note the next op of the block."""
        needed, barred = 0, 0
        for inner in op.walk():
            for operand in inner.operands:
                owner = operand.owner
                if isinstance(owner, Operation) and owner in self._needed:
                    needed |= self._needed[owner] | self._bits.get(owner, 0)
                    barred |= self._barred[owner]
        if is_kernel:
            self._bits[op] = 1 << len(self._bits)
        else:
            barred = needed
        self._needed[op], self._barred[op] = needed, barred

    def merged(self, call: func.CallOp, calls: Sequence[func.CallOp]) -> None:
        """Note that a call has taken the place of several."""
        for known in (self._bits, self._needed, self._barred):
            known[call] = 0
            for old in calls:
                known[call] |= known[old]
        self._needed[call] &= ~self._bits[call]

    def part(self, candidate: func.CallOp, call: func.CallOp) -> bool:
        """Return whether a kernel has to be done before something else that a later call needs."""
        return bool(self._bits[candidate] & self._barred[call])

    def between(
        self, first: func.CallOp, last: func.CallOp, calls: Iterable[func.CallOp]
    ) -> list[func.CallOp] | None:
        """Return the calls that need what `first` makes, and that `last` needs; None if many.

        Of many, those next to each other would have been merged before.
        """
        bit, needed = self._bits[first], self._needed[last]
        found: list[func.CallOp] = []
        if bit & needed:
            for call in calls:
                if self._needed[call] & bit and self._bits[call] & needed:
                    found.append(call)
                    if len(found) > MOST_BETWEEN:
                        return None
        return found


def _merge(
    call: func.CallOp,
    kernel: func.FuncOp,
    earlier: dict[func.CallOp, func.FuncOp],
    needs: _Needs,
    strips: bool,
) -> func.CallOp | None:
    """Merge a call with the nearest before it that it can be merged with."""
    for candidate in reversed(earlier):
        is_apart = needs.part(candidate, call)
        between = [] if is_apart or not strips else needs.between(candidate, call, earlier)
        if between is None:
            continue
        calls = [candidate, *between, call]
        if is_apart or not postpone_uses(calls):
            if set(candidate.results) & set(call.arguments):
                remark(call, "a kernel is left apart from one before it, which is needed earlier")
            continue
        if _arrays_met(calls) > MOST_ARRAYS:
            _remark_apart(call, "they would read and write too many arrays")
            continue
        merged = MergedCalls(calls, [*(earlier[each] for each in calls[:-1]), kernel], strips)
        try:
            merged.check()
        except Refused as why:
            _remark_apart(call, str(why))
            merged.block.erase()
            continue
        remark(call, f"{len(_loops(merged.block))} operations run in one loop")
        for old in calls[:-1]:
            del earlier[old]
        new = merged.replace()
        needs.merged(new, calls)
        return new
    return None


def _remark_apart(call: func.CallOp, reason: str) -> None:
    remark(call, f"a kernel is left apart from one before it: {reason}")


def _merge_block(block: Block, strips: bool) -> None:
    kernels: dict[func.CallOp, func.FuncOp] = {}
    needs = _Needs()
    for op in list(block.ops):
        call = op if isinstance(op, func.CallOp) else None
        kernel = None if call is None else _kernel(call, strips)
        if call is not None and kernel is not None and _is_idle(call, kernel):
            Rewriter.erase_op(call)
            if not _is_called(kernel):
                Rewriter.erase_op(kernel)
            continue
        needs.note(op, is_kernel=kernel is not None)
        while call is not None and kernel is not None:
            merged = _merge(call, kernel, kernels, needs, strips)
            if merged is None:
                kernels[call] = kernel
            call = merged
            kernel = None if call is None else _kernel(call, strips)


@dataclass(frozen=True)
class MergeKernelCallsPass(ModulePass):
    """Make one kernel of several that run over the same points of the driver's arrays."""

    name = "merge-kernel-calls"
    strips: bool = False
    """Let ops that fold for each row, or by place, take turns at strips of their rows."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Merge the calls of every block."""
        blocks = [
            block for inner in op.walk() for region in inner.regions for block in region.blocks
        ]
        for block in blocks:
            if any(isinstance(inner, func.CallOp) for inner in block.ops):
                _merge_block(block, self.strips)
