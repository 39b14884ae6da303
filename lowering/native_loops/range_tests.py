"""Write the test whether a loop that counts stays inside its arrays, before the loop.

  tensor.extract %A[%j + %k], for %j from %i to %n - 1
=>
  %i, %n and %k are small, and %i + %k and %n - 1 + %k are below the extent of %A, without a sign
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i64
from xdsl.ir import Operation, SSAValue

from diablo.dialects.number_constants import constant_op
from diablo.linear_sums import LinearSum, term
from diablo.lowering.native_loops.loop_counts import SMALL, CountedLoop, PlaceTest
from diablo.passes.analyses.values.linear_forms import LinearForm, write_linear_form

Add = Callable[[Operation], SSAValue]


def write_range_test(
    counted: CountedLoop,
    first: SSAValue,
    value_of: Callable[[SSAValue], SSAValue],
    extent_of: Callable[[PlaceTest], SSAValue],
    add: Add,
) -> tuple[SSAValue, SSAValue]:
    """Write whether all places of a loop are inside; return that, and the last count.

    `value_of` gives what a value from outside is here, an index or an integer of 64 or 128 bits,
    and `extent_of` the extent of an array; `first` is the first count.
    """
    words: dict[SSAValue, SSAValue] = {}
    tests: list[SSAValue] = []

    def number(value: int) -> SSAValue:
        return add(constant_op(IntegerAttr(value, i64)))

    def small(value: SSAValue) -> SSAValue:
        above = add(arith.AddiOp(value, number(SMALL)))
        tests.append(add(arith.CmpiOp(above, number(2 * SMALL), "ult")))
        return value

    def word(value: SSAValue) -> SSAValue:
        """A number from outside as 64 bits."""
        given = value
        if isinstance(given.type, IndexType):
            given = add(arith.IndexCastOp(given, i64))
        if given.type != i64:
            narrow = add(arith.TruncIOp(given, i64))
            wide = add(arith.ExtSIOp(narrow, IntegerType(128)))
            tests.append(add(arith.CmpiOp(wide, given, "eq")))
            given = narrow
        return small(given)

    def written(form: LinearForm, at: LinearSum[SSAValue]) -> SSAValue:
        """The value of a sum where the count is `at`, a sum of words."""
        for value in form.variables:
            if value is not counted.counter and value not in words:
                words[value] = word(value_of(value))
        inside = form.replaced({counted.counter: LinearSum()}).renamed(words.__getitem__)
        total = inside + at * form.factor(counted.counter)
        return write_linear_form(total, add, i64, number)

    begin = word(first)
    last = small(written(counted.last, LinearSum()))
    if abs(counted.step) != 1:
        last = _last_count(counted.step, begin, last, number, add)
    for place in counted.places:
        extent = extent_of(place) if place.limit is None else None
        if extent is not None:
            limit = add(arith.IndexCastOp(extent, i64))
        else:
            assert place.limit is not None
            limit = written(place.limit, LinearSum())
            tests.append(add(arith.CmpiOp(limit, number(0), "sge")))
        varies = counted.counter in place.index.variables
        for end in (term(begin), term(last)) if varies else (LinearSum[SSAValue](),):
            index = written(place.index, end)
            tests.append(add(arith.CmpiOp(index, limit, "ult")))
    return reduce(lambda one, other: add(arith.AndIOp(one, other)), tests), last


def _last_count(
    step: int,
    first: SSAValue,
    limit: SSAValue,
    number: Callable[[int], SSAValue],
    add: Add,
) -> SSAValue:
    """The last number from `first` in steps of more than one that is not behind a limit."""
    low, high = (first, limit) if step > 0 else (limit, first)
    distance = add(arith.SubiOp(high, low))
    distance = add(arith.MaxSIOp(distance, number(0)))
    rest = add(arith.RemUIOp(distance, number(abs(step))))
    whole = add(arith.SubiOp(distance, rest))
    return add((arith.AddiOp if step > 0 else arith.SubiOp)(first, whole))
