"""Indices of arrays that wrap around: what is read at `(i + n - 1) % n`.

Reads the `comprehension` level; writes driver-level index arithmetic. In

    %i = range 0 to n - 1; %j, %a = each %A full; guard %j == (%i + n - 1) rem n

%A is read at `(i - 1) mod n`: a remainder that is never negative, by which sums may be reduced.
The language's `%` is that where what it divides is not negative; what is not known of that
becomes an assumption, as does that %A has `n` elements there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.ir import OpResult, SSAValue

from diablo.dialects import comprehension
from diablo.lowering.tensor_block.linear_equations import LinearForm
from diablo.lowering.tensor_block.query import Generator, Query, compared, index_variables
from diablo.passes.analyses import linear_forms
from diablo.passes.analyses.affine_values import same_value

Equality = tuple[SSAValue, SSAValue]
_Form = Callable[[SSAValue], LinearForm | None]


@dataclass(frozen=True)
class WrappedIndex:
    """The index `variable` of an array is the remainder of `sum` by `size`.

    `least`, if any, must not be negative for that, and the size must be positive unless it is
    known to be: `positive`. `said_by` is what says so in the query: a guard, or an equality.
    """

    variable: SSAValue
    sum: LinearForm
    size: LinearForm
    least: LinearForm | None
    positive: bool
    said_by: comprehension.GuardOp | Equality


class WrappedIndices:
    """Finds the wrapped indices of a query; `form` says what a value is a sum of."""

    def __init__(self, query: Query, form: _Form):
        self.query = query
        self.form = form
        self._generators: dict[SSAValue, Generator] = {
            variable: generator
            for generator in query.generators
            for variable in index_variables(generator)
        }

    def found(self) -> list[WrappedIndex]:
        """The wrapped indices."""
        said = [(sides, guard) for guard in self.query.guards if (sides := compared(guard))]
        either = [*said, *((sides, sides) for sides in self.query.equalities)]
        wrapped = [
            self._wrapped(left, right, by) or self._wrapped(right, left, by)
            for (left, right), by in either
        ]
        return [index for index in wrapped if index is not None]

    def _wrapped(
        self, variable: SSAValue, value: SSAValue, said_by: comprehension.GuardOp | Equality
    ) -> WrappedIndex | None:
        generator = self._generators.get(variable)
        if not isinstance(generator, comprehension.EachOp) or not _is_only_compared(variable):
            return None
        if not isinstance(value, OpResult) or not isinstance(value.op, arith.RemSIOp):
            return None
        sum, size = self.form(value.op.lhs), self.form(value.op.rhs)
        if sum is None or size is None or size.terms or variable in sum.variables:
            return None
        if not size.symbols and size.constant <= 0:
            return None
        least = self._limit(sum, low=True)
        if least is None or (not least.symbols and least.constant < 0):
            return None
        positive = not size.symbols or self._is_positive(sum, size)
        least = None if _is_natural(least, size) else least
        return WrappedIndex(variable, _reduced(sum, size), size, least, positive, said_by)

    def _limit(self, form: LinearForm, low: bool) -> LinearForm | None:
        """The least (or greatest) value of a form, as far as generators say."""
        total = LinearForm((), form.symbols, form.constant)
        for variable, factor in form.terms:
            limit = self._end(variable, low == (factor > 0))
            if limit is None:
                return None
            total = total.plus(limit.scaled(factor))
        return total

    def _end(self, variable: SSAValue, low: bool) -> LinearForm | None:
        """The first (or last) index that a variable takes."""
        generator = self._generators[variable]
        if isinstance(generator, comprehension.EachOp):
            return LinearForm() if low else None
        if generator.step is not None and generator.step.value.data <= 0:
            return None
        bound = self.form(generator.lower if low else generator.upper)
        return None if bound is None else self._limit(bound, low)

    def _is_positive(self, sum: LinearForm, size: LinearForm) -> bool:
        """Whether a size is positive wherever an element of the result is computed.

        It is if it is at least as large as what is: the result's dimensions, and the lengths
        of the ranges that start at 0.
        """
        root = self.query.root
        dims = root.dims if isinstance(root, comprehension.BuildOp) else ()
        lengths = [self.form(dim) for dim in dims]
        for variable in sum.variables:
            first, last = self._end(variable, True), self._end(variable, False)
            if first is None or last is None or first.symbols or first.constant < 0:
                continue
            lengths.append(last.plus(LinearForm(constant=1)))
        return any(length is not None and _reaches(size, length) for length in lengths)


def _reaches(size: LinearForm, length: LinearForm) -> bool:
    """Whether a size is positive if a length is."""
    if length.terms:
        return False
    whole, part = _taken_apart(size), _taken_apart(length)
    for value, factor in part.terms.items():
        times, rest = divmod(whole.terms.get(value, 0), factor)
        if times > 0 and rest == 0:
            excess = (whole - part.times(times)).number
            return excess is not None and excess > -times
    return False


def _taken_apart(form: LinearForm) -> linear_forms.LinearForm:
    """A form without variables, with its symbols as sums of what they are computed from."""
    total = linear_forms.LinearForm(constant=form.constant)
    for symbol, factor in form.symbols:
        total += linear_forms.linear_form(symbol).times(factor)
    return total


def _is_only_compared(variable: SSAValue) -> bool:
    """Whether a variable has one use, a comparison: nothing else sees its value."""
    uses = list(variable.uses)
    if len(uses) == 1 and isinstance(uses[0].operation, arith.IndexCastOp):
        return _is_only_compared(uses[0].operation.result)
    return len(uses) == 1 and isinstance(uses[0].operation, arith.CmpiOp)


def _turns(form: LinearForm, size: LinearForm) -> int:
    """How often a form has the one symbol of the size."""
    if len(size.symbols) != 1 or size.symbols[0][1] != 1:
        return 0
    base = size.symbols[0][0]
    return next((factor for symbol, factor in form.symbols if same_value(symbol, base)), 0)


def _rest(form: LinearForm, size: LinearForm) -> LinearForm:
    """The form less as many turns as it has."""
    turns = size.scaled(_turns(form, size))
    # The symbols are the same values, but need not be the same SSA values.
    symbols = tuple(
        (s, f) for s, f in form.symbols if not any(same_value(s, t) for t, _ in turns.symbols)
    )
    return LinearForm(form.terms, symbols, form.constant - turns.constant)


def _reduced(sum: LinearForm, size: LinearForm) -> LinearForm:
    """A sum with the same remainder by the size, whose constant is as small as may be."""
    if size.symbols:
        return _rest(sum, size)
    constant = sum.constant % size.constant
    if 2 * constant > size.constant:
        constant -= size.constant
    return LinearForm(sum.terms, sum.symbols, constant)


def _is_natural(least: LinearForm, size: LinearForm) -> bool:
    """Whether the remainder of `least` by the size, which is positive, is surely not negative."""
    turns, rest = _turns(least, size), _rest(least, size)
    if rest.terms or rest.symbols:
        return False
    # n - 1 is not negative as n is positive; n - 2 is -1 where n is 1, and its remainder 0.
    return rest.constant >= 0 if turns <= 0 else rest.constant >= -2
