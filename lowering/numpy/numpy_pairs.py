"""Innermost loops in the bodies of row ops over strings and lists: columns of one dimension.

    %n = multiloop.loop rows(%W) -> i64 {           total = np.full(len(q), 0, np.int64)
    ^bb0(%w: string, %t: !…reduce<add : i64>):      for first, last, begin, end in rows.blocks(…):
      %p = string_call "substring" (%q, 0, 2)           p = rows.strings.substring(q[first:last], …)
      %is = string_call "starts_with" (%w, %p)  =>      is_ = rows.strings.of_all_pairs(…, w, p)
      scf.if %is {                                      kept = np.flatnonzero(is_)
        multiloop.emit %t(%one)                         row, step = np.divmod(kept, end - begin)
      }                                                 total = rows.accumulate_pairs(total, row, …)
    }

Pairs of a row and an iteration are gone through some at a time. What hangs on one of the two alone
is computed once for it; behind a condition there are the pairs alone for which it holds, so that
what may fail does so for these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

from xdsl.dialects import scf
from xdsl.dialects.builtin import TupleType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from diablo.dialects import comprehension, multiloop, tensor_block
from diablo.dialects.bags import BagType
from diablo.dialects.string_functions import StringType
from diablo.lowering.numpy.expressions import Expression, Level
from diablo.lowering.numpy.numpy_monoids import monoid_text
from diablo.lowering.python_text import string_literal
from diablo.passes.analyses.values.free_values import free_values
from diablo.passes.analyses.values.speculation import can_trap

if TYPE_CHECKING:
    from diablo.lowering.numpy.numpy_scope import Scope

_POINTS = frozenset([0])


def needs_pairs(op: multiloop.LoopOp) -> bool:
    """Return whether something in the body of a loop is a string or a list, or has such parts."""
    return any(
        _has_one_dimension(value.type)
        for inner in op.body.walk()
        for value in (*inner.operands, *inner.results)
    )


def _has_one_dimension(type: Attribute) -> bool:
    """Return whether only columns of one dimension hold values of a type."""
    if isinstance(type, TupleType):
        return any(map(_has_one_dimension, type.types))
    return isinstance(type, StringType | BagType)


OF_ALL_PAIRS = frozenset(
    ["eq", "ne", "lt", "le", "gt", "ge", "contains", "starts_with", "ends_with"]
)
"""The functions of two strings of which there is a loop over all pairs."""


class _At(Enum):
    """What a value is computed for."""

    ONCE = auto()
    ROWS = auto()
    STEPS = auto()
    PAIRS = auto()


@dataclass
class PairLoop:
    """Writes the body of a loop, of which each block of pairs has `rows` and `steps`.

    `first`, …, `end` are the variables of where these begin and end.
    """

    scope: Scope
    first: str
    last: str
    begin: str
    end: str
    chosen: str | None = None
    """The variable of the numbers of the rows that take part, if not all do."""
    count: str = "0"
    at: dict[SSAValue, _At] = field(default_factory=dict[SSAValue, _At])
    numbers: tuple[str, str] | None = None
    """The variables of the row and of the iteration of each pair, within the block."""
    spread: dict[SSAValue, Expression] = field(default_factory=dict[SSAValue, Expression])
    """What values are for each of the pairs at hand."""
    guarded: bool = False

    def prepare(self, op: multiloop.LoopOp, count: str) -> None:
        """Let strings of rows be columns without objects, for `count` iterations of each row."""
        self.count = count
        values = self.scope.values
        for value in free_values([op.body]):
            if values[value].axes:
                text = self.column(value.type, values[value].text, value.name_hint)
                values[value] = Expression(text, axes=_POINTS)

    def column(self, type: Attribute, whole: str, hint: str | None) -> str:
        """The variable of a column from which values are taken for each pair."""
        if isinstance(type, StringType):
            whole = f"rows.strings.column({whole}, {self._rows} * {self.count})"
        return self.scope.assign(Expression(whole), hint, "column").text

    @property
    def _rows(self) -> str:
        """How many rows take part."""
        return self.scope.points.shape if self.chosen is None else f"len({self.chosen})"

    def header(self, count: str) -> str:
        """The header of the loop over blocks, of `count` iterations for each row."""
        names = f"{self.first}, {self.last}, {self.begin}, {self.end}"
        return f"for {names} in rows.blocks({self._rows}, {count}):"

    def write(self, op: multiloop.LoopOp, elements: Mapping[SSAValue, Expression]) -> None:
        """Write the body, of which `elements` has what each iteration begins with."""
        self._take_rows(op)
        self.scope.values.update(elements)
        self.at.update(dict.fromkeys(elements, _At.STEPS))
        self._body(op.body.block)

    def write_ranges(self, op: multiloop.LoopOp, lower: Expression, counts: str) -> None:
        """Write the body of a loop over a range of each row's own, from `lower` on."""
        self._take_rows(op)
        row, step = self._pairs()
        place = f"{self.begin} + {step}"
        own = self._of_rows(Expression(counts)).text
        self._narrow(f"{place} < {own}[{row}]")
        row, step = self.numbers or ("", "")
        first = f"{self._of_rows(lower).text}[{row}]" if lower.axes else lower.at(Level.SUM)
        number = Expression(f"{first} + {self.begin} + {step}", Level.SUM, _POINTS)
        (index,) = op.elements
        self.scope.values[index] = self.scope.assign(number, index.name_hint, "i")
        self.spread[index] = self.scope.values[index]
        self.at[index] = _At.PAIRS
        self.guarded = True
        self._body(op.body.block)

    def write_test(
        self,
        block: Block,
        of_rows: Mapping[SSAValue, Expression],
        of_steps: Mapping[SSAValue, Expression],
    ) -> tuple[str, str]:
        """Write the body of a filter; return the variables of the row and the step of what passes.

        The arguments are those of a row, and those of an iteration.
        """
        for values, at in ((of_rows, _At.ROWS), (of_steps, _At.STEPS)):
            for value, expression in values.items():
                self.scope.values[value] = self.scope.assign(expression, value.name_hint, "part")
                self.at[value] = at
        self._body(block)
        end = block.last_op
        assert end is not None
        test = self._of_pairs(end.operands[0])
        if not test.axes:
            test = Expression(f"np.broadcast_to({test.text}, {self._count(_At.PAIRS)})")
        self._narrow(test.text)
        assert self.numbers is not None
        return self.numbers

    def _take_rows(self, op: multiloop.LoopOp) -> None:
        """Let the values of rows that the body uses be those of the block."""
        values = self.scope.values
        for value in free_values([op.body]):
            if values[value].axes:
                part = self._of_rows(values[value])
                values[value] = self.scope.assign(part, value.name_hint, "part")
                self.at[value] = _At.ROWS

    def _of_rows(self, whole: Expression) -> Expression:
        """The part of a column that has the rows of the block."""
        text = whole.at(Level.ATOM) + ("" if self.chosen is None else f"[{self.chosen}]")
        return Expression(f"{text}[{self.first}:{self.last}]", axes=_POINTS)

    # ---- where values are computed -------------------------------------------------

    def _name(self, text: str, fallback: str) -> str:
        return self.scope.assign(Expression(text), None, fallback).text

    def _pairs(self) -> tuple[str, str]:
        if self.numbers is None:
            row, step = (self.scope.name(None, name) for name in ("row", "step"))
            counts = f"{self.last} - {self.first}, {self.end} - {self.begin}"
            self.scope.store([row, step], f"rows.pairs({counts})")
            self.numbers = row, step
        return self.numbers

    def _where(self, values: Sequence[SSAValue]) -> _At:
        found = {self.at.get(value, _At.ONCE) for value in values} - {_At.ONCE}
        if len(found) > 1:
            return _At.PAIRS
        return found.pop() if found else _At.ONCE

    def _of_pairs(self, value: SSAValue) -> Expression:
        """What a value is for each of the pairs at hand."""
        at = self.at.get(value, _At.ONCE)
        whole = self.scope.values[value]
        if at is _At.ONCE:
            return whole
        found = self.spread.get(value)
        if found is None:
            if at is _At.PAIRS:
                return whole
            number = self._pairs()[0 if at is _At.ROWS else 1]
            text = f"{whole.at(Level.ATOM)}[{number}]"
            found = Expression(text, axes=_POINTS)
        found = self.scope.assign(found, value.name_hint, "part")
        self.spread[value] = found
        return found

    def _count(self, at: _At) -> str:
        match at:
            case _At.STEPS:
                return f"{self.end} - {self.begin}"
            case _At.PAIRS:
                return f"len({self._pairs()[0]})"
            case _:
                return f"{self.last} - {self.first}"

    # ---- what is done in an iteration ----------------------------------------------

    def _body(self, block: Block) -> None:
        for op in block.ops:
            if isinstance(op, scf.YieldOp | tensor_block.YieldOp):
                continue
            if isinstance(op, multiloop.EmitOp):
                self._emit(op)
            elif isinstance(op, scf.IfOp) and not op.results:
                self._guarded(op)
            else:
                self._compute(op)

    def _compares_all(self, op: Operation) -> bool:
        """Write a function that compares a string of each row with one of each iteration."""
        if not isinstance(op, comprehension.StringCallOp) or self.guarded:
            return False
        if op.function.data not in OF_ALL_PAIRS:
            return False
        sides = [self.at.get(value, _At.ONCE) for value in op.arguments]
        if set(sides) != {_At.ROWS, _At.STEPS}:
            return False
        texts = [self.scope.values[value].text for value in op.arguments]
        first = sides[0] is _At.ROWS
        arguments = [string_literal(op.function.data), *texts, f"rows_first={first}"]
        made = Expression(f"rows.strings.of_all_pairs({', '.join(arguments)})", axes=_POINTS)
        result = self.scope.hold(op.result, made, "live")
        self.at[op.result], self.spread[op.result] = _At.PAIRS, result
        return True

    def _compute(self, op: Operation) -> None:
        if self._compares_all(op):
            return
        needed = [*op.operands, *free_values(op.regions)]
        at = self._where(needed)
        if self.guarded and can_trap(op):
            at = _At.PAIRS
        scope = self.scope
        if at is not _At.PAIRS:
            with scope.evaluated_at(1, self._count(at)):
                scope.operation(op)
        else:
            count = self._count(at)
            outside = {value: scope.values[value] for value in needed}
            scope.values.update({value: self._of_pairs(value) for value in needed})
            with scope.evaluated_at(1, count, f"{count} > 0" if self.guarded else None):
                scope.operation(op)
            scope.values.update(outside)
        for result in op.results:
            if result in scope.values:
                expression = scope.values[result]
                self.at[result] = at if expression.axes else _At.ONCE
                if self.at[result] is _At.PAIRS:
                    self.spread[result] = expression

    def _guarded(self, op: scf.IfOp) -> None:
        """Write a conditional that emits to the loop: each side for the pairs that take it."""
        scope = self.scope
        is_same = self.at.get(op.cond, _At.ONCE) is _At.ONCE
        for region, negated in zip(op.regions, (False, True), strict=True):
            if not region.blocks or len(region.block.ops) < 2:
                continue
            before = self.numbers, self.spread, self.guarded
            self.spread, self.guarded = dict(self.spread), True
            if is_same:
                condition = scope.values[op.cond].at(Level.NOT)
                with scope.indented(f"if {'not ' * negated}{condition}:"):
                    self._body(region.block)
            else:
                test = self._of_pairs(op.cond).text
                self._narrow(f"np.logical_not({test})" if negated else test)
                self._body(region.block)
            self.numbers, self.spread, self.guarded = before

    def _narrow(self, condition: str) -> None:
        """Leave the pairs for which a condition holds."""
        kept = self._name(f"np.flatnonzero({condition})", "kept")
        if self.numbers is None:
            names = self.scope.name(None, "row"), self.scope.name(None, "step")
            self.scope.store(names, f"np.divmod({kept}, {self.end} - {self.begin})")
        else:
            row, step = self.numbers
            names = self._name(f"{row}[{kept}]", "row"), self._name(f"{step}[{kept}]", "step")
        self.numbers = names
        self.spread = {
            value: Expression(f"{held.at(Level.ATOM)}[{kept}]", axes=_POINTS)
            for value, held in self.spread.items()
            if self.at.get(value) is _At.PAIRS
        }

    def _emit(self, op: multiloop.EmitOp) -> None:
        type = op.generator.type
        assert isinstance(type, multiloop.ReduceType)
        total, monoid = self.scope.values[op.generator].text, monoid_text(type.monoid.data)
        value = op.values[0]
        if self.numbers is None and not self.guarded:
            self._emit_all(total, value, monoid)
            return
        given = self._of_pairs(value).text
        place = f"{self.first} + {self._pairs()[0]}"
        if self.chosen is not None:
            place = f"{self.chosen}[{place}]"
        text = f"rows.accumulate_pairs({total}, {place}, {given}, {monoid})"
        self.scope.store([total], text)

    def _emit_all(self, total: str, value: SSAValue, monoid: str) -> None:
        """Combine the values of all pairs of a block into the totals of its rows."""
        shape = f"({self.last} - {self.first}, {self.end} - {self.begin})"
        whole = self.scope.values[value].at(Level.ATOM)
        match self.at.get(value, _At.ONCE):
            case _At.ROWS:
                given = f"{whole}[:, None]"
            case _At.PAIRS:
                given = f"{whole}.reshape({shape})"
            case _:
                given = self.scope.values[value].text
        place = f"slice({self.first}, {self.last})"
        if self.chosen is not None:
            place = f"{self.chosen}[{self.first}:{self.last}]"
        text = f"rows.accumulate_block({total}, {place}, {given}, {monoid}, {shape})"
        self.scope.store([total], text)
