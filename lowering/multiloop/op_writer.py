"""How ops are put at the end of a block, each with the place of the op that it stands for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Self

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from diablo.dialects.locations import located
from diablo.dialects.number_constants import constant_op, index_attribute


@dataclass
class OpWriter:
    """Appends ops that stand for `op` to a block."""

    op: Operation
    block: Block = field(default_factory=Block)

    def add(self, made: Operation, hint: str | None = None) -> SSAValue:
        """Append an op with one result; return that."""
        self.put(made)
        made.results[0].name_hint = hint
        return made.results[0]

    def put(self, made: Operation) -> None:
        """Append an op."""
        self.block.add_op(located(made, self.op))

    def index(self, value: int) -> SSAValue:
        """Append a constant index."""
        return self.add(constant_op(index_attribute(value)))

    def inner(self, types: Sequence[Attribute] = ()) -> Self:
        """Return what writes a block of its own, for the same op."""
        return type(self)(self.op, Block(arg_types=types))

    def choose(
        self,
        condition: SSAValue,
        one: Callable[[Self], SSAValue],
        other: Callable[[Self], SSAValue],
    ) -> SSAValue:
        """Append what gives an index under a condition, and what gives one otherwise."""
        then, otherwise = self.inner(), self.inner()
        then.put(scf.YieldOp(one(then)))
        otherwise.put(scf.YieldOp(other(otherwise)))
        choice = scf.IfOp(condition, [IndexType()], Region(then.block), Region(otherwise.block))
        self.put(choice)
        return choice.results[0]

    def branch(self, condition: SSAValue, body: Callable[[Self], None]) -> None:
        """Append what is done under a condition."""
        then = self.inner()
        body(then)
        then.put(scf.YieldOp())
        self.put(scf.IfOp(condition, [], Region(then.block)))
