"""Imports reads of arrays over regions: indices become positions, and nothing stored the fill.

A[i,j]   with A over Tri from (1,1) fill 7.0
->
%a = diablo.load %A[%i - 1, %j - 1];   %in = … %Tri[%i - 1, %j - 1];   arith.select %in, %a, 7.0
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from diablo.diagnostics import Span
from diablo.dialects.comprehension import ProbeOp
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.inclusion import is_within
from diablo.frontend.checking.index_sets import IndexSet
from diablo.frontend.checking.scope import Symbol
from diablo.frontend.emission.emit_values import ValueEmitter
from diablo.frontend.emission.ir_types import Value
from diablo.frontend.emission.region_values import Dimension, Number, Over, RegionValue
from diablo.frontend.parsing import syntax


class RegionElementEmitter(ValueEmitter, ABC):
    """The part of the importer that knows which element of a stored array an index means."""

    def __init__(self, checked: Checked):
        super().__init__(checked)
        # Arrays, and variables that hold one, which are over a region.
        self.over: dict[SSAValue, Over] = {}
        # What the arguments of the functions that are being inlined are over.
        self.given_over: dict[Symbol, Over] = {}
        # The position of an index that a region's generator gave, and in which dimension.
        self.positions: dict[SSAValue, tuple[Dimension, SSAValue]] = {}
        # Indices that are known to be in a region.
        self.inside: list[tuple[tuple[SSAValue, ...], IndexSet]] = []

    @abstractmethod
    def whole(self, array: SSAValue, over: Over) -> SSAValue:
        """An array over a region with its fill value where nothing is stored."""

    @abstractmethod
    def region_value(self, region: IndexSet) -> RegionValue:
        """The value of a region: of a declared one as it was declared."""

    @abstractmethod
    def region_array(self, region: IndexSet) -> SSAValue:
        """A region as a Boolean array over its box."""

    # --- Variables -------------------------------------------------------------------------

    def load(self, value: Value) -> Value:
        """A value, of which the variables are read."""
        loaded = super().load(value)
        if isinstance(value, SSAValue) and isinstance(loaded, SSAValue) and value in self.over:
            self.over[loaded] = self.over[value]
        return loaded

    def emit_name(self, expr: syntax.Name) -> Value:
        """The value of a variable; of an array over a region every element of its box."""
        symbol = self.checked.symbols[expr]
        if symbol.kind == "region":
            assert symbol.region is not None
            return self.region_array(symbol.region)
        return self._whole_value(super().emit_name(expr), self.over_of(expr), expr.span)

    def variable_value(self, name: syntax.NamePattern) -> Value:
        """The value of a variable as a result of the program."""
        value = self.values[self.checked.symbols[name]]
        over = self.over.get(value) if isinstance(value, SSAValue) else None
        return self._whole_value(self.load(value), over, name.span)

    def _whole_value(self, stored: Value, over: Over | None, span: Span) -> Value:
        if over is None or not isinstance(stored, SSAValue):
            return stored
        if over.index_set.has_flood:
            self.unsupported(span, "an array over a flood dimension as a whole is")
        if over.fill is None or over.region.pattern is None:
            return stored
        return self.whole(stored, over)

    def over_of(self, expr: syntax.Expr) -> Over | None:
        """What the array that a name stands for is over."""
        expr = self.resolved(expr)
        if not isinstance(expr, syntax.Name):
            return None
        symbol = self.checked.symbols[expr]
        if symbol in self.given_over:
            return self.given_over[symbol]
        if symbol.kind == "region" and symbol.region is not None:
            return Over(symbol.region, self.region_value(symbol.region))
        value = self.values.get(symbol)
        return self.over.get(value) if isinstance(value, SSAValue) else None

    def stored(self, expr: syntax.Expr) -> SSAValue:
        """What an array over a region stores."""
        expr = self.resolved(expr)
        assert isinstance(expr, syntax.Name)
        symbol = self.checked.symbols[expr]
        if symbol.kind == "region" and symbol.region is not None:
            return self.region_array(symbol.region)
        value = self.load(self.values[symbol])
        assert isinstance(value, SSAValue)
        return value

    # --- Positions -------------------------------------------------------------------------

    def number(self, value: Number) -> SSAValue:
        """A number as an `index`."""
        return self.index_constant(value) if isinstance(value, int) else value

    def plus(self, value: Number, other: Number, sign: int = 1) -> Number:
        """`value + other`, or with the sign -1 `value - other`."""
        if isinstance(value, int) and isinstance(other, int):
            return value + sign * other
        if other == 0:
            return value
        if isinstance(other, int) and other < 0:
            sign, other = -sign, -other
        if value == 0 and sign == 1:
            return other
        op = arith.AddiOp if sign == 1 else arith.SubiOp
        return self.add(op(self.number(value), self.number(other))).result

    def position(self, index: SSAValue, dim: Dimension) -> SSAValue:
        """The position of an index; one outside of the dimension has none in its extent."""
        known = self.positions.get(index)
        if known is not None and (known[0].lower, known[0].step) == (dim.lower, dim.step):
            return known[1]
        moved = self.number(self.plus(index, dim.lower, -1))
        if dim.step == 1:
            return moved
        fits = self.in_step(index, dim.lower, dim.step)
        divided = self.add(arith.DivSIOp(moved, self.number(dim.step))).result
        outside = self.index_constant(-1)
        return self.add(arith.SelectOp(fits, divided, outside)).result

    def index_at(self, position: SSAValue, dim: Dimension) -> SSAValue:
        """The index at a position."""
        if dim.counts_from_zero:
            return position
        index: Number = position
        if dim.step != 1:
            index = self.add(arith.MuliOp(position, self.number(dim.step))).result
        index = self.number(self.plus(index, dim.lower))
        self.positions[index] = dim, position
        return index

    def positions_of(self, expr: syntax.Index, region: RegionValue) -> list[SSAValue]:
        """The positions of the element of an array over a region."""
        keys: list[SSAValue] = []
        for part, dim in zip(expr.indices, region.dims, strict=True):
            if dim is not None:
                assert not isinstance(part, syntax.Slice)
                index = self.emit_index(part)
                with self.at(expr.span):
                    keys.append(self.position(index, dim))
        return keys

    # --- Membership ------------------------------------------------------------------------

    def indices_at(self, positions: Sequence[SSAValue], region: RegionValue) -> list[SSAValue]:
        """The indices at positions."""
        dims = zip(positions, region.stored, strict=True)
        return [self.index_at(position, dim) for position, dim in dims]

    def note_inside(self, indices: Sequence[SSAValue], region: IndexSet) -> None:
        """Note that an index is in a region."""
        self.inside.append((tuple(indices), region))

    def known_inside(self, expr: syntax.Index, region: IndexSet) -> bool:
        """Whether a read is controlled by a region within `region`."""
        names = [part for part in expr.indices if isinstance(part, syntax.Name)]
        if len(names) != len(expr.indices):
            return False
        values = tuple(self.values.get(self.checked.symbols[name]) for name in names)
        return any(index == values and is_within(s, region) for index, s in self.inside)

    def filled(
        self, value: SSAValue, positions: Sequence[SSAValue], over: Over, *, inside: bool
    ) -> SSAValue:
        """What an array has at `positions`, where it stores `value`."""
        pattern = over.region.pattern
        if over.fill is None or pattern is None or inside:
            return value
        chosen = self.chosen(pattern, positions, probe=False)
        return self.add(arith.SelectOp(chosen, value, over.fill)).result

    def chosen(self, pattern: SSAValue, positions: Sequence[SSAValue], *, probe: bool) -> SSAValue:
        """Whether a pattern has `positions`; `probe` if they may be outside of its box."""
        loaded = self.load(pattern)
        assert isinstance(loaded, SSAValue)
        if probe or self.branches_from is not None:
            return self.add(ProbeOp(loaded, positions)).values[0]
        return self.add(tensor.ExtractOp(loaded, positions, i1)).result

    def in_dimension(self, index: SSAValue, dim: Dimension) -> SSAValue:
        """Whether an index is one of a dimension."""
        first = self.add(arith.CmpiOp(index, self.number(dim.lower), "sge")).result
        last = self.add(arith.CmpiOp(index, self.number(dim.upper), "sle")).result
        inside = self.add(arith.AndIOp(first, last)).result
        if dim.step == 1:
            return inside
        return self.add(arith.AndIOp(inside, self.in_step(index, dim.lower, dim.step))).result

    def in_step(self, index: SSAValue, first: Number, step: Number) -> SSAValue:
        """Whether an index is some steps from the first one."""
        moved = self.number(self.plus(index, first, -1))
        rest = self.add(arith.RemSIOp(moved, self.number(step))).result
        return self.add(arith.CmpiOp(rest, self.index_constant(0), "eq")).result
