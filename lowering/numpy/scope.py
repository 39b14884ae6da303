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

import keyword
import re
from collections.abc import Generator
from contextlib import contextmanager

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation, SSAValue

from diablo.lowering.numpy.expressions import Expression, Level, place_of
from diablo.lowering.numpy.lines import broken
from diablo.lowering.numpy.scalars import DIVISIONS, Site, spell

LONGEST_INLINE = 60
RESERVED = frozenset(
    ["np", "sp", "rows", "SparseTile", "arithmetic", "slice", "range", "len", "bool", "_"]
)


class Scope:
    """The lines written so far, the names taken, and what each SSA value is called."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.values: dict[SSAValue, Expression] = {}
        self.live: str | None = None
        """Whether a body is evaluated at all: of a body over rows, whether there are rows."""
        self._taken = set(RESERVED) | set(keyword.kwlist)
        self._depth = 1
        self._place = ""

    def line(self, text: str) -> None:
        """Write one line at the current depth."""
        self.lines.append("    " * self._depth + text)

    def statement(self, prefix: str, expression: str) -> None:
        """Write `prefix` and an expression, over several lines if one is not enough."""
        self.lines += broken(prefix, expression, 4 * self._depth)

    def comment_place(self, op: Operation) -> None:
        """Write where `op` comes from, unless the last comment said so."""
        place = place_of(op).rpartition(":")[0]
        if place and place != self._place:
            self.line(f"# {place}")
            self._place = place

    @contextmanager
    def indented(self, header: str) -> Generator[None]:
        """Write `header`, then what follows one level deeper."""
        self.line(header)
        self._depth += 1
        yield
        self._depth -= 1

    def name(self, hint: str | None) -> str:
        """A fresh Python name like `hint`."""
        base = re.sub(r"\W", "_", hint or "t")
        base = base if not base[0].isdigit() else f"t{base}"
        name, count = base, 0
        while name in self._taken:
            count += 1
            name = f"{base}_{count}"
        self._taken.add(name)
        return name

    def assign(self, expression: Expression, hint: str | None) -> Expression:
        """A variable that holds `expression`; the expression itself if it is a name."""
        if expression.text.isidentifier():
            return expression
        name = self.name(hint)
        self.statement(f"{name} = ", expression.text)
        return Expression(name, axes=expression.axes)

    def bind(self, value: SSAValue, expression: Expression) -> None:
        """Let `value` be `expression`: in place if that is short and used once."""
        uses = sum(1 for _ in value.uses)
        if uses > 1 or len(expression.text) > LONGEST_INLINE:
            expression = self.assign(expression, value.name_hint)
        self.values[value] = expression

    def text(self, value: SSAValue) -> str:
        """The expression of `value` as a whole argument."""
        return self.values[value].text

    def scalar(self, op: Operation, mask: str | None) -> None:
        """Write one scalar op, evaluated at the points of `mask` (None: all)."""
        if not any(result.uses for result in op.results):
            return
        operands = [self.values[operand] for operand in op.operands]
        if mask is None and op.name in DIVISIONS and not any(o.axes for o in operands):
            mask = self.live
        expression = spell(Site(op, operands, mask))
        if isinstance(op, arith.ConstantOp):
            self.values[op.result] = expression
        else:
            self.bind(op.results[0], expression)

    def body(self, block: Block, mask: str | None = None) -> list[Expression]:
        """Write a body whose arguments have expressions; return what it yields."""
        for op in block.ops:
            if op is block.last_op:
                return [self.values[operand] for operand in op.operands]
            if isinstance(op, scf.IfOp):
                self._choice(op, mask)
            else:
                self.scalar(op, mask)
        return []

    def _choice(self, op: scf.IfOp, mask: str | None) -> None:
        if not op.results:
            return
        condition = self.values[op.cond]
        masks: list[str | None] = [None, None]
        if any(inner.name in DIVISIONS for inner in op.walk()):
            condition = self.assign(condition, op.cond.name_hint or "live")
            no = f"np.logical_not({condition.text})"
            masks = [condition.text, no]
            if mask is not None:
                masks = [f"np.logical_and({mask}, {own})" for own in masks]
            for k, region in enumerate(op.regions):
                divisions = sum(inner.name in DIVISIONS for inner in region.walk())
                text = masks[k]
                if divisions > 1 and text is not None:
                    masks[k] = self.assign(Expression(text), "live").text
        elif len(op.results) > 1:
            condition = self.assign(condition, op.cond.name_hint or "condition")
        then = self.body(op.true_region.block, masks[0])
        otherwise = self.body(op.false_region.block, masks[1])
        for result, yes, no in zip(op.results, then, otherwise, strict=True):
            axes = condition.axes | yes.axes | no.axes
            if axes:
                text = f"np.where({condition.text}, {yes.text}, {no.text})"
                chosen = Expression(text, axes=axes)
            else:
                text = f"{yes.at(Level.NOT)} if {condition.at(Level.NOT)} else {no.at(Level.NOT)}"
                chosen = Expression(text, Level.CHOICE)
            if result.uses:
                self.bind(result, chosen)
