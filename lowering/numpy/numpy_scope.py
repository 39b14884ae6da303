"""The Python text of a kernel while it is being written: lines, names, values.

Scalar code (the bodies of `tensor_block` ops, and what stands between them) becomes
expressions here. A value used once is written where it is used; others get a variable. A
conditional in a body becomes a choice between two arrays, and what may fail in a branch is
told the mask of the points that take it:

    %0 = scf.if %c -> (i64) {                  np.where(c, arithmetic.quotient(a, b, where=c), 0)
      %1 = arith.divsi %a, %b : i64
      scf.yield %1 : i64                  =>
    } else {
      scf.yield %zero : i64
    }
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager

from xdsl.dialects import scf, tensor
from xdsl.ir import Block, Operation, SSAValue

from diablo.dialects import multiloop
from diablo.dialects.comprehension import ElementOp, StringOp, UnpackOp
from diablo.dialects.number_constants import ConstantOps
from diablo.lowering.held_variables import HeldVariables
from diablo.lowering.numpy.expressions import (
    Expression,
    Level,
    Points,
    Site,
    place_of,
    tuple_text,
)
from diablo.lowering.numpy.numpy_branches import emit_if
from diablo.lowering.numpy.numpy_lines import broken
from diablo.lowering.numpy.numpy_loops import emit_loop, emit_values
from diablo.lowering.numpy.numpy_scalars import DIVISIONS, spell
from diablo.lowering.numpy.numpy_values import can_fail, implicit_text, probed_element
from diablo.lowering.python_text import comment
from diablo.lowering.reserved_names import KERNEL_NAMES
from diablo.lowering.source_names import name_of
from diablo.lowering.unsupported import unsupported
from diablo.passes.analyses.plans.liveness import Liveness

LONGEST_INLINE = 60


class Scope:
    """The lines written so far, the names taken, and what each SSA value is called."""

    def __init__(
        self,
        taken: AbstractSet[str] = frozenset(),
        liveness: Liveness | None = None,
        source: AbstractSet[str] = frozenset(),
    ) -> None:
        self.lines: list[str] = []
        self.values: dict[SSAValue, Expression] = {}
        self.points = Points()
        """Where the body that is being written is evaluated."""
        self.variables = HeldVariables(liveness)
        """What is let go of where it is used last, if `liveness` is given."""
        self.columns: dict[tuple[Block | None, SSAValue], tuple[list[str], int]] = {}
        """The variables of the columns of a bag that ops of a block have read, `_` for others, and
        how many more columns these were read for."""
        self.list_places: list[str] = []
        """Of which row, or item around it, each item is: for the loops over lists around."""
        self.list_depths: dict[SSAValue, int] = {}
        """In how many loops over lists the loop of each generator is."""
        self._taken = set(KERNEL_NAMES | taken)
        self._source = source
        self._depth = 1
        self._place = ""
        self._released_at = -1

    def line(self, text: str) -> None:
        """Write one line at the current depth."""
        self.lines.append("    " * self._depth + text)

    def statement(self, prefix: str, expression: str) -> None:
        """Write `prefix` and an expression, over several lines if one is not enough."""
        self.lines += broken(prefix, expression, 4 * self._depth)

    def store(self, names: Sequence[str], expression: str, *, is_tuple: bool = False) -> None:
        """Write an assignment to one variable, or to several; a tuple is taken apart."""
        comma = "," if is_tuple and len(names) == 1 else ""
        self.statement(f"{', '.join(names)}{comma} = ", expression)
        self.variables.assign(*names)

    def release(self, live: Iterable[SSAValue]) -> None:
        """Let go of what nobody needs here, where the values `live` are."""
        if text := self.variables.release(live):
            self.line(text)
            self._released_at = len(self.lines)

    def keep_to_the_end(self) -> None:
        """Take back what was just let go of: nothing follows but the end."""
        if self._released_at == len(self.lines):
            self.lines.pop()

    def comment_place(self, op: Operation) -> None:
        """Write where `op` comes from, unless the last comment said so."""
        place = place_of(op).rpartition(":")[0]
        if place and place != self._place:
            self.line(comment(place))
            self._place = place

    @contextmanager
    def indented(self, header: str) -> Generator[None]:
        """Write `header`, then what follows one level deeper, be it nothing."""
        self.line(header)
        count = len(self.lines)
        self._depth += 1
        try:
            yield
            if len(self.lines) == count:
                self.line("pass")
        finally:
            self._depth -= 1

    @contextmanager
    def loop(self, header: str) -> Generator[None]:
        """Write the header of a loop, then its body one level deeper."""
        with self.indented(header), self.variables.repeated():
            yield

    @contextmanager
    def evaluated_at(self, rank: int, shape: str, live: str | None = None) -> Generator[None]:
        """Write what is evaluated at other points than what stands around it."""
        outer, self.points = self.points, Points(rank, shape, live)
        try:
            yield
        finally:
            self.points = outer

    def name(self, hint: str | None, fallback: str = "t") -> str:
        """A fresh Python name like `hint`; without one like `fallback`, which is no source's."""
        base = name_of(hint, fallback, self._source)
        name, count = base, 0
        while name in self._taken:
            count += 1
            name = f"{base}_{count}"
        self._taken.add(name)
        return name

    def assign(self, expression: Expression, hint: str | None, fallback: str = "t") -> Expression:
        """A variable that holds `expression`; the expression itself if it is a name."""
        if expression.text.isidentifier():
            return expression
        name = self.name(hint, fallback)
        self.store([name], expression.text)
        return Expression(name, axes=expression.axes)

    def hold(self, value: SSAValue, expression: Expression, fallback: str = "t") -> Expression:
        """Let a variable hold `value`, which is `expression`; return the variable."""
        held = self.values[value] = self.assign(expression, value.name_hint, fallback)
        self.variables.hold(value, held.text)
        return held

    def bind(
        self, value: SSAValue, expression: Expression, reads: frozenset[str] = frozenset()
    ) -> None:
        """Let `value` be `expression`: in place if that is short and used once.

        `reads` are the variables that it reads, besides the temporaries of the op at hand.
        """
        uses = sum(1 for _ in value.uses)
        if uses > 1 or len(expression.text) > LONGEST_INLINE:
            self.hold(value, expression)
        else:
            self.values[value] = expression
            self.variables.inline(value, reads | self.variables.temporaries)

    def text(self, value: SSAValue) -> str:
        """The expression of `value` as a whole argument."""
        return self.values[value].text

    def scalar(self, op: Operation, mask: str | None) -> None:
        """Write one scalar op, evaluated at the points of `mask` (None: all)."""
        if not any(result.uses for result in op.results):
            return
        operands = [self.values[operand] for operand in op.operands]
        varies = any(operand.axes for operand in operands)
        live = None if varies else self.points.live
        if mask is None and op.name in DIVISIONS:
            mask = live
        count = self.points.shape if self.points.rank == 1 else None
        if mask is not None and can_fail(op):
            self._read_where(op, operands)
            return
        expression = spell(Site(op, operands, mask, count))
        if live is not None and can_fail(op):
            parts = [implicit_text(result.type) for result in op.results]
            nothing = tuple_text(parts) if isinstance(op, ElementOp) else parts[0]
            expression = Expression(f"{expression.text} if {live} else {nothing}", Level.CHOICE)
        if isinstance(op, ConstantOps | StringOp):
            self.values[op.results[0]] = expression
        elif len(op.results) == 1 and not isinstance(op, ElementOp | UnpackOp):
            self.bind(op.results[0], expression, self.variables.read_by(op.operands))
        else:
            self._bind_all(op, expression)

    def _read_where(self, op: Operation, operands: Sequence[Expression]) -> None:
        """Write a read of an array that only some points need, and that others must not fail by."""
        if not isinstance(op, tensor.ExtractOp):
            raise unsupported(op, f"{op.name} may fail, and only some rows need it")
        read = probed_element(op, operands)
        self.bind(op.result, read, self.variables.read_by(op.operands))

    def _bind_all(self, op: Operation, expression: Expression) -> None:
        """Give each result of `op` a variable; `expression` is a tuple of their values."""
        names = [self.name(result.name_hint) if result.uses else "_" for result in op.results]
        self.store(names, expression.text, is_tuple=True)
        for result, name in zip(op.results, names, strict=True):
            self.hold(result, Expression(name, axes=expression.axes))

    def body(self, block: Block, mask: str | None = None) -> list[Expression]:
        """Write a body whose arguments have expressions; return what it yields."""
        for op in block.ops:
            if op is block.last_op:
                return [self.values[operand] for operand in op.operands]
            self.operation(op, mask)
        return []

    def operation(self, op: Operation, mask: str | None = None) -> None:
        """Write one op of a body, a conditional or a scalar one."""
        if isinstance(op, scf.IfOp):
            # What chooses between the branches is read once both are written.
            with self.variables.keeping(self.variables.read_by([op.cond])):
                emit_if(self, op, mask)
        elif isinstance(op, multiloop.LoopOp):
            emit_loop(self, op, mask)
        elif isinstance(op, multiloop.EmitOp):
            emit_values(self, op, mask)
        else:
            self.scalar(op, mask)
        self.release(self.variables.live_after(op))
