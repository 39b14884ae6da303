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
from diablo.linear_sums import LinearSum
from diablo.lowering.tensor_block.query.linear_equations import VariableForm
from diablo.lowering.tensor_block.query.query import Generator, Query, compared, index_variables
from diablo.passes.analyses.values.affine_values import same_value
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form

Equality = tuple[SSAValue, SSAValue]
_Form = Callable[[SSAValue], VariableForm | None]


@dataclass(frozen=True)
class WrappedIndex:
    """The index `variable` of an array is the remainder of `sum` by `size`.

    `least`, if any, must not be negative for that, and the size must be positive unless it is
    known to be: `positive`. `said_by` is what says so in the query: a guard, or an equality.
    """

    variable: SSAValue
    sum: VariableForm
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
        sum, by = self.form(value.op.lhs), self.form(value.op.rhs)
        if sum is None or by is None or by.dimensions or variable in sum.dimensions:
            return None
        size = by.outside
        if size.number is not None and size.number <= 0:
            return None
        least = self._limit(sum, low=True)
        if least is None or (least.number is not None and least.number < 0):
            return None
        positive = size.number is not None or self._is_positive(sum, size)
        least = None if _is_natural(least, size) else least
        return WrappedIndex(variable, _reduced(sum, size), size, least, positive, said_by)

    def _limit(self, form: VariableForm, low: bool) -> LinearForm | None:
        """The least (or greatest) value of a form, as far as generators say."""
        total = form.outside
        for variable, factor in form.inside.terms.items():
            limit = self._end(variable, low == (factor > 0))
            if limit is None:
                return None
            total += limit * factor
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

    def _is_positive(self, sum: VariableForm, size: LinearForm) -> bool:
        """Return whether a size is positive wherever an element of the result is computed.

        It is if it is at least as large as what is: the result's dimensions, and the lengths
        of the ranges that start at 0.
        """
        root = self.query.root
        dims = root.dims if isinstance(root, comprehension.BuildOp) else ()
        forms = [form for dim in dims if (form := self.form(dim)) is not None]
        lengths = [form.outside for form in forms if not form.dimensions]
        for variable in sum.dimensions:
            first, last = self._end(variable, True), self._end(variable, False)
            if first is None or last is None or first.number is None or first.number < 0:
                continue
            lengths.append(last + 1)
        return any(_reaches(size, length) for length in lengths)


def _reaches(size: LinearForm, length: LinearForm) -> bool:
    """Return whether a size is positive if a length is."""
    whole, part = _taken_apart(size), _taken_apart(length)
    for value, factor in part.terms.items():
        times, rest = divmod(whole.factor(value), factor)
        if times > 0 and rest == 0:
            excess = (whole - part * times).number
            return excess is not None and excess > -times
    return False


def _taken_apart(form: LinearForm) -> LinearForm:
    """A sum of values from outside, with these as sums of what they are computed from."""
    return form.replaced({value: linear_form(value) for value in form.variables})


def _is_only_compared(variable: SSAValue) -> bool:
    """Return whether a variable has one use, a comparison: nothing else sees its value."""
    uses = list(variable.uses)
    if len(uses) == 1 and isinstance(uses[0].operation, arith.IndexCastOp):
        return _is_only_compared(uses[0].operation.result)
    return len(uses) == 1 and isinstance(uses[0].operation, arith.CmpiOp)


def _turns(form: LinearForm, size: LinearForm) -> int:
    """Return how often a sum has the one value that the size is, but for a constant."""
    base = (size - size.constant).alone
    if base is None:
        return 0
    return next((factor for value, factor in form.terms.items() if same_value(value, base)), 0)


def _rest(form: LinearForm, size: LinearForm) -> LinearForm:
    """The sum less as many turns as it has."""
    turns = size * _turns(form, size)
    # The numbers are the same, but need not be the same SSA values.
    rest = {
        value: factor
        for value, factor in form.terms.items()
        if not any(same_value(value, turn) for turn in turns.variables)
    }
    return LinearSum(rest, form.constant - turns.constant)


def _reduced(sum: VariableForm, size: LinearForm) -> VariableForm:
    """A sum with the same remainder by the size, whose constant is as small as may be."""
    if size.number is None:
        return VariableForm(sum.inside, _rest(sum.outside, size))
    constant = sum.outside.constant % size.number
    if 2 * constant > size.number:
        constant -= size.number
    return VariableForm(sum.inside, LinearSum(sum.outside.terms, constant))


def _is_natural(least: LinearForm, size: LinearForm) -> bool:
    """Whether the remainder of `least` by the size, which is positive, is surely not negative."""
    turns, rest = _turns(least, size), _rest(least, size).number
    if rest is None:
        return False
    # n - 1 is not negative as n is positive; n - 2 is -1 where n is 1, and its remainder 0.
    return rest >= 0 if turns <= 0 else rest >= -2
