"""Analysis: between which bounds do the indices of a comprehension lie?

```mlir
%i = comprehension.range %zero to %last
%j, %a = comprehension.each %A : tensor<?xf64>
```

`%i` lies between `%zero` and `%last`, `%j` between 0 and the dimension of `%A`, less one.
`is_at_least(a, b)` says whether that, and the arithmetic in between, proves `a >= b`; bounds
may be sums, remainders, and the greater or smaller of two. Numbers are taken to be far from
the limits of 64 bits, as sizes are.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, tensor
from xdsl.dialects import math as math_dialect
from xdsl.dialects.builtin import TensorType
from xdsl.ir import OpResult, SSAValue

from diablo.dialects import comprehension
from diablo.dialects.range_steps import step_of
from diablo.passes.analyses.values.affine_values import constant_value, same_value
from diablo.passes.analyses.values.argument_facts import known_least, size_name
from diablo.passes.analyses.values.dimensions import dimensions
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form

_TRIALS = 64
"""How many sums are looked at for one question, each once."""


def is_at_least(a: LinearForm, b: LinearForm) -> bool:
    """Return whether the index `a` provably is never less than `b`."""
    return _Search().is_natural(a - b)


class _Search:
    """One question: each bound put in the place of an index gives a sum that is no greater."""

    def __init__(self) -> None:
        self.answers: dict[LinearForm, bool] = {}
        """Of sums that were looked at: bounds of several indices lead to one sum in any order."""
        self._bounds: dict[tuple[SSAValue, bool], Sequence[LinearForm]] = {}
        self._rooms: dict[SSAValue, Sequence[LinearForm]] = {}

    def is_natural(self, form: LinearForm) -> bool:
        """Return whether `form` provably is never negative."""
        form = _simplified(form)
        if form.number is not None:
            return form.number >= 0
        if form not in self.answers:
            if len(self.answers) == _TRIALS:
                return False
            self.answers[form] = False  # Nothing is proved by itself.
            self.answers[form] = self._follows(form)
        return self.answers[form]

    def _follows(self, form: LinearForm) -> bool:
        """Return whether bounds of a variable of `form` prove that it is never negative."""
        for value, factor in form.terms.items():
            # What is one of several is each of them in turn.
            if (cases := _extremes(value, greatest=factor < 0)) is not None:
                rest = form.without(value)
                return all(self.is_natural(rest + case * factor) for case in cases)
        return any(
            self.is_natural(form.without(value) + bound * factor)
            for value, factor in form.terms.items()
            for bound in self.bounds(value, lower=factor > 0)
        ) or any(self.is_natural(form - room) for room in self.rooms(form))

    def bounds(self, value: SSAValue, *, lower: bool) -> Sequence[LinearForm]:
        """Numbers that `value` is never less than, or never greater than."""
        if isinstance(value.owner, arith.RemSIOp):
            # What is known of its dividend depends on the sums that are being looked at.
            return self._remainder(value.owner, lower=lower)
        key = (value, lower)
        if key not in self._bounds:
            self._bounds[key] = _bounds(value, lower=lower)
        return self._bounds[key]

    def rooms(self, form: LinearForm) -> list[LinearForm]:
        """Sums that are not negative since the ranges of indices in `form` are not empty."""
        rooms: list[LinearForm] = []
        for value in form.terms:
            if value not in self._rooms:
                self._rooms[value] = _rooms(value)
            rooms += self._rooms[value]
        return rooms

    def _remainder(self, op: arith.RemSIOp, *, lower: bool) -> Sequence[LinearForm]:
        dividend, last = linear_form(op.lhs), linear_form(op.rhs) - 1
        if lower:
            return (LinearForm(),) if self.is_natural(dividend) else ()
        # The rows exist, so that the range of an index in the dividend is not empty.
        rooms = [LinearForm(), *self.rooms(dividend)]
        return (last,) if any(self.is_natural(last - room) for room in rooms) else ()


def _rooms(value: SSAValue) -> Sequence[LinearForm]:
    """Sums that are not negative since the range of an index is not empty.

    Numbers are none of them: without one, a sum is only the more easily proved.
    """
    rooms: Sequence[LinearForm] = ()
    match value.owner:
        case comprehension.RangeOp() as range if range.step is None:
            rooms = (linear_form(range.upper) - linear_form(range.lower),)
        case comprehension.EachOp():
            rooms = _bounds(value, lower=False)
        case _:
            pass
    return [room for room in rooms if room.terms]


def _simplified(form: LinearForm) -> LinearForm:
    """`form` with terms that hold the same number joined."""
    kept: list[SSAValue] = []

    def same(value: SSAValue) -> SSAValue:
        for other in kept:
            if same_value(other, value):
                return other
        kept.append(value)
        return value

    return form.renamed(same)


def extremes(value: SSAValue) -> tuple[Sequence[LinearForm], bool] | None:
    """Return what `value` is the greatest (true) or the smallest (false) of."""
    match value.owner:
        case arith.MaxSIOp(lhs=lhs, rhs=rhs):
            return (linear_form(lhs), linear_form(rhs)), True
        case arith.MinSIOp(lhs=lhs, rhs=rhs):
            return (linear_form(lhs), linear_form(rhs)), False
        case math_dialect.AbsIOp() as absolute:
            form = linear_form(absolute.operand)
            return (form, -form), True
        case _:
            return None


def _extremes(value: SSAValue, *, greatest: bool) -> Sequence[LinearForm] | None:
    """Return what `value` is the greatest of, or the smallest."""
    found = extremes(value)
    return found[0] if found is not None and found[1] == greatest else None


def _bounds(value: SSAValue, *, lower: bool) -> Sequence[LinearForm]:
    """Numbers that an index variable is never less than, or never greater than."""
    if not isinstance(value, OpResult):
        least = known_least(value) if lower else None
        return () if least is None else (LinearForm(constant=least),)
    match value.op:
        case comprehension.RangeOp() as range:
            step = step_of(range)
            return (linear_form(range.lower if lower == (step > 0) else range.upper),)
        case comprehension.EachOp() as each:
            array = each.collection
            if not isinstance(array.type, TensorType) or value is each.elements[-1]:
                return ()
            if lower:
                return (LinearForm(),)
            extent = dimensions(array)[value.index]
            return () if extent is None else (linear_form(extent) - 1,)
        case tensor.DimOp(source=source, index=index) if lower:
            axis = constant_value(index)
            named = isinstance(axis, int) and size_name(source, axis) is not None
            return (LinearForm(constant=int(named)),)
        case math_dialect.AbsIOp() if lower:
            return (LinearForm(), *(_extremes(value, greatest=True) or ()))
        case _:
            return _extremes(value, greatest=lower) or ()
