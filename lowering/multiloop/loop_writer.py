"""How a loop is put at the end of a block: given a function that writes its body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, BlockArgument, Region, SSAValue

from diablo.dialects import tensor_block
from diablo.dialects.multiloop import GeneratorType, LoopOp
from diablo.dialects.multiloop.multiloop_loops import Source
from diablo.lowering.multiloop.op_writer import OpWriter


@dataclass
class LoopWriter(OpWriter):
    """Appends ops and loops that stand for `op` to a block."""

    def loop(
        self,
        source: Source,
        inputs: Sequence[SSAValue],
        elements: Sequence[tuple[Attribute, str | None]],
        body: Body,
        generator: GeneratorType | None = None,
        columns: Sequence[int] | None = None,
    ) -> LoopOp:
        """Append a loop; `body` is given what the source has and the generator, if it has one."""
        types = [type for type, _ in elements]
        inner = self.inner([*types, *([generator] if generator else [])])
        for argument, (_, hint) in zip(inner.block.args, elements, strict=False):
            argument.name_hint = hint
        arguments = inner.block.args
        if generator is not None:
            arguments[-1].name_hint = "all"
        body(inner, arguments[: len(types)], arguments[len(types) :])
        made = LoopOp(source, inputs, Region(inner.block), columns)
        self.put(made)
        return made

    def inline(self, body: Region, arguments: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """Append copies of the ops of a body; return what it yields."""
        values: dict[SSAValue, SSAValue] = dict(zip(body.block.args, arguments, strict=True))
        end = body.block.last_op
        assert isinstance(end, tensor_block.YieldOp)
        for old, new in zip(body.block.args, arguments, strict=True):
            new.name_hint = new.name_hint or old.name_hint
        for op in body.block.ops:
            if op is not end:
                self.block.add_op(op.clone(values))
        return [values.get(value, value) for value in end.values]


Arguments = Sequence[BlockArgument]
"""Some of a body's arguments."""

Body = Callable[[LoopWriter, Arguments, Arguments], None]
"""Writes a body, given what the source has for an iteration, and the generators."""
