"""Rewrites one function from iteration over regions to loops over buffers, op by op."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects import bufferization, func, memref, scf
from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.traits import IsTerminator

from diablo.dialects import sparse_storage
from diablo.dialects.encodings import as_array, is_sparse
from diablo.dialects.multiloop import EmitOp, LoopOp
from diablo.dialects.sparse_storage import LayoutAttr, region_type
from diablo.dialects.sparse_storage.sparse_storage_layout import AUTO
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.kernel_loops import memref_type
from diablo.lowering.loop_functions import replace_body
from diablo.lowering.sparse_storage.argument_layouts import is_split
from diablo.lowering.sparse_storage.buffers import SparseArgument
from diablo.lowering.sparse_storage.emitter import Emitter, Values
from diablo.lowering.sparse_storage.stored_region import StoredRegion
from diablo.passes.analyses.refused import Refused


def argument_layouts(function: func.FuncOp) -> dict[SSAValue, SparseArgument]:
    """The buffers of each sparse argument; raises `Refused` if there are none."""
    found: dict[SSAValue, SparseArgument] = {}
    for argument in function.body.block.args:
        type = as_array(argument.type)
        if type is None or not is_sparse(type):
            continue
        layouts: list[LayoutAttr] = []
        for op in function.body.walk():
            if isinstance(op, sparse_storage.UnpackOp) and op.array is argument:
                layout = region_type(op.region).layout
                if layout not in layouts:
                    layouts.append(layout)
        if len(layouts) > 1:
            raise Refused(f"an argument is unpacked as {layouts[0].text} and as {layouts[1].text}")
        found[argument] = SparseArgument(type, layouts[0] if layouts else AUTO)
        found[argument].check()
    return found


@dataclass
class FunctionConversion:
    """Rewrites a function that `region_functions.check_convertible` accepts, in place.

    The `rules` say what becomes of the ops over regions, and of loops; others are copied. What the
    emits to a generator have come to is carried through the loops and branches around them.
    """

    function: func.FuncOp
    rules: Mapping[type[Operation], Rule]
    plain: bool = False
    """Whether points have one loop for each dimension and nothing else."""
    folded: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """What was emitted to each generator of the loops around here, combined."""
    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    regions: dict[SSAValue, StoredRegion] = field(default_factory=dict[SSAValue, StoredRegion])
    extents: dict[SSAValue, Sequence[SSAValue]] = field(
        default_factory=dict[SSAValue, Sequence[SSAValue]]
    )
    outputs: list[tuple[SSAValue, SSAValue]] = field(
        default_factory=list[tuple[SSAValue, SSAValue]], init=False
    )
    """The scalars that are returned, and where they go."""

    def convert(self) -> None:
        """Replace the body and the type of the function."""
        old, new = self.function.body.block, Block()
        self._arguments(old, new)
        e = Emitter(new, self.function)
        self._ops(old, e)
        replace_body(self.function, new)

    def _arguments(self, old: Block, new: Block) -> None:
        """The buffers that stand for the arguments and for what is made."""

        def add(type: Attribute, hint: str | None) -> SSAValue:
            argument = new.insert_arg(type, len(new.args))
            argument.name_hint = hint
            return argument

        layouts = argument_layouts(self.function)
        assert not isinstance(layouts, str)
        bounds = [argument for argument in old.args if is_split(argument)]
        for argument in old.args:
            if argument in bounds:
                continue
            sparse = layouts.get(argument)
            if sparse is not None:
                prefix = f"{argument.name_hint}_" if argument.name_hint else ""
                buffers = [add(type, prefix + name) for name, type in sparse.arguments()]
                region, values = sparse.region(buffers)
                self.extents[argument] = region.extents
                for use in list(argument.uses):
                    if isinstance(use.operation, sparse_storage.UnpackOp):
                        self.regions[use.operation.region] = region
                        if use.operation.values is not None and values is not None:
                            self.values[use.operation.values] = values
            elif is_tensor(argument.type):
                self.values[argument] = add(memref_type(argument.type), argument.name_hint)
            else:
                self.values[argument] = add(argument.type, argument.name_hint)
        end = old.last_op
        assert isinstance(end, func.ReturnOp)
        for value in end.arguments:
            if not is_tensor(value.type):
                output = add(MemRefType(value.type, []), value.name_hint or "result")
                self.outputs.append((value, output))
                continue
            owner, buffer = value.owner, value
            if isinstance(owner, sparse_storage.PackOp) and owner.values is not None:
                buffer = owner.values
            elif isinstance(owner, bufferization.ToTensorOp):
                buffer = owner.memref
            type = buffer.type
            if is_tensor(type):
                type = memref_type(type)
            self.values[buffer] = add(type, value.name_hint or "result")
        for op in old.ops:
            if isinstance(op, memref.AllocOp) and op.memref not in self.values:
                self.values[op.memref] = add(op.memref.type, op.memref.name_hint)
            elif isinstance(op, LoopOp) and op.is_over_points:
                for made in op.made:
                    if is_tensor(made.type) and made not in self.values:
                        self.values[made] = add(memref_type(made.type), made.name_hint)
        for argument in bounds:
            self.values[argument] = add(argument.type, argument.name_hint)

    def _ops(self, block: Block, e: Emitter) -> None:
        """Append what the ops of `block` become, but for its terminator."""
        source = e.source
        for op in block.ops:
            e.source = op
            rule = self.rules.get(type(op))
            if rule is not None:
                rule(self, op, e)
            elif not op.has_trait(IsTerminator):
                self.copy(op, e)
        e.source = source

    def inline(self, block: Block, arguments: Values, e: Emitter) -> Values:
        """Append the ops of the body of a loop, and return what it yields."""
        for old, new in zip(block.args, arguments, strict=True):
            self.values[old] = new
            if new.name_hint is None or isinstance(new, BlockArgument):
                new.name_hint = old.name_hint
        self._ops(block, e)
        end = block.last_op
        if end is None or not end.has_trait(IsTerminator):
            return []
        return [self.value(value) for value in end.operands]

    def value(self, old: SSAValue) -> SSAValue:
        """Return what stands for a value."""
        return self.values.get(old, old)

    def emitted_in(self, op: Operation) -> list[SSAValue]:
        """The generators of loops around an op that something in it emits to, in their order."""
        found = {inner.generator for inner in op.walk() if isinstance(inner, EmitOp)}
        return [generator for generator in self.folded if generator in found]

    def branch(self, op: scf.IfOp, e: Emitter) -> None:
        """A branch, which gives what its sides emit as well."""
        emitted = self.emitted_in(op)
        before = [self.folded[generator] for generator in emitted]

        def side(region: Region) -> Callable[[Emitter], Values]:
            def write(e: Emitter) -> Values:
                self.folded.update(zip(emitted, before, strict=True))
                given: Values = self.inline(region.block, [], e) if region.blocks else ()
                return [*given, *(self.folded[generator] for generator in emitted)]

            return write

        results = e.branch(self.value(op.cond), side(op.true_region), side(op.false_region))
        self._carry_on(op.results, emitted, results)

    def loop(self, op: scf.ForOp, e: Emitter) -> None:
        """A loop, which carries what is emitted in it as well."""
        emitted, block = self.emitted_in(op), op.body.block
        count = len(op.iter_args)
        carried = [self.value(value) for value in op.iter_args]
        inner = Block(arg_types=[IndexType(), *(value.type for value in carried)])
        for generator in emitted:
            held = inner.insert_arg(self.folded[generator].type, len(inner.args))
            held.name_hint = generator.name_hint
        within = Emitter(inner, op, e)
        before = [self.folded[generator] for generator in emitted]
        self.folded.update(zip(emitted, inner.args[1 + count :], strict=True))
        given = self.inline(block, inner.args[: 1 + count], within)
        totals = [self.folded[generator] for generator in emitted]
        within.put(scf.YieldOp(*given, *totals))
        begin, end, step = (self.value(value) for value in (op.lb, op.ub, op.step))
        made = scf.ForOp(begin, end, step, [*carried, *before], inner)
        made.attributes |= op.attributes
        self._carry_on(op.results, emitted, e.put(made).results)

    def _carry_on(
        self, old: Sequence[SSAValue], emitted: Sequence[SSAValue], results: Sequence[SSAValue]
    ) -> None:
        for before, after in zip(old, results, strict=False):
            after.name_hint = before.name_hint
            self.values[before] = after
        self.folded.update(zip(emitted, results[len(old) :], strict=True))

    def copy(self, op: Operation, e: Emitter) -> None:
        """An op of another level, its regions converted."""
        if isinstance(op, scf.IfOp) and self.emitted_in(op):
            self.branch(op, e)
            return
        if isinstance(op, scf.ForOp) and self.emitted_in(op):
            self.loop(op, e)
            return
        new = op.clone_without_regions(self.values)
        for old_region, region in zip(op.regions, new.regions, strict=True):
            for old_block in old_region.blocks:
                block = Block(arg_types=old_block.arg_types)
                for old, argument in zip(old_block.args, block.args, strict=True):
                    argument.name_hint = old.name_hint
                    self.values[old] = argument
                region.add_block(block)
                inner = Emitter(block, op, e)
                self._ops(old_block, inner)
                end = old_block.last_op
                assert end is not None
                inner.put(end.clone(self.values))
        e.put(new)
        for old, result in zip(op.results, new.results, strict=True):
            result.name_hint = old.name_hint
            self.values[old] = result


Rule = Callable[[FunctionConversion, Any, Emitter], None]
"""Appends what becomes of an op, and notes what stands for its results."""
