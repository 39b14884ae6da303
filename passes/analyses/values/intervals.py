"""Analysis: between which numbers does a value lie?

```mlir
%s = math.absf %x : f64            // from 0 on
%t = arith.addf %s, %one : f64     // from 1 on
```

Also what guards say is used: behind `guard %x > 0`, `%x` lies above 0. A float may be NaN
besides. Integers wrap around: where a result may leave its 64 bits, nothing is known of it. Only
of indices of arrays and ranges less is assumed: those that begin below 2**60 end there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf, isinf, isnan, nextafter

from xdsl.dialects import arith, scf, tensor
from xdsl.dialects import math as math_dialect
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, i1
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from diablo.dialects import comprehension
from diablo.dialects.comprehension.function_ops import overload_of
from diablo.dialects.functions.function_values import value_at
from diablo.dialects.functions.number_ranges import ANYTHING, NOT_NEGATIVE, Interval
from diablo.dialects.functions.scalar_functions import Overload
from diablo.dialects.predicates import GREATER, LESS, MIRRORED, predicate_of, symbol_of
from diablo.dialects.range_steps import step_of
from diablo.dialects.scalar_types import is_unsigned
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.argument_facts import known_least, size_name

_DEPTH = 12


_LONGEST = 1 << 60
"""No array and no range is longer."""
SIZE = Interval(0, _LONGEST)
"""What the extents of arrays, and the indices of their elements, lie between."""
Facts = Mapping[SSAValue, Interval]
"""What is known of some values from elsewhere."""


def _add(a: Interval, b: Interval) -> Interval:
    low, high = a.low + b.low, a.high + b.high
    return ANYTHING if isnan(low) or isnan(high) else Interval(low, high)


def _negate(a: Interval) -> Interval:
    return Interval(-a.high, -a.low)


def _multiply_integers(a: Interval, b: Interval) -> Interval:
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Interval(min(corners), max(corners))


def _multiply(a: Interval, b: Interval) -> Interval:
    if a.low < 0 and a.high <= 0:
        return _negate(_multiply(_negate(a), b))
    if b.low < 0 and b.high <= 0:
        return _negate(_multiply(a, _negate(b)))
    if a.low < 0 or b.low < 0:
        return ANYTHING
    return Interval(a.low * b.low if a.low and b.low else 0)


_UNARY: Mapping[type[Operation], Callable[[Interval], Interval]] = {
    arith.NegfOp: _negate,
    arith.SIToFPOp: lambda a: a,
    arith.IndexCastOp: lambda a: a,
    arith.ExtSIOp: lambda a: a,
    arith.ExtFOp: lambda a: a,
    arith.TruncFOp: lambda a: a,
    arith.ExtUIOp: lambda _: NOT_NEGATIVE,
    arith.UIToFPOp: lambda _: NOT_NEGATIVE,
}

_BINARY: Mapping[type[Operation], Callable[[Interval, Interval], Interval]] = {
    arith.AddfOp: _add,
    arith.AddiOp: _add,
    arith.SubfOp: lambda a, b: _add(a, _negate(b)),
    arith.SubiOp: lambda a, b: _add(a, _negate(b)),
    arith.MulfOp: _multiply,
    arith.MuliOp: _multiply_integers,
    arith.DivfOp: lambda a, b: NOT_NEGATIVE if a.low >= 0 and b.low >= 0 else ANYTHING,
}


def type_limits(type: Attribute) -> Interval:
    """Return what the numbers of a type lie between."""
    match type:
        case IndexType():
            width = 64
        case IntegerType():
            width = type.bitwidth
            if is_unsigned(type):
                return Interval(0, (1 << width) - 1)
        case _:
            return ANYTHING
    # A truth value is 0 or 1 here, and -1 where its sign is extended.
    return Interval(-(1 << width - 1), (1 << width - 1) - (width > 1))


_WRAPPING = (
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.IndexCastOp,
    math_dialect.AbsIOp,
)
"""The ops whose results may leave their type."""


def interval(value: SSAValue, facts: Facts, depth: int = _DEPTH) -> Interval:
    """Return between which numbers `value` lies, given some `facts`."""
    constant = constant_value(value)
    if constant is not None:
        return Interval(constant, constant) if constant == constant else ANYTHING
    limits = type_limits(value.type)
    found = facts.get(value, ANYTHING) & limits
    if not isinstance(value, OpResult):
        least = known_least(value)
        return found if least is None else found & Interval(least, inf)
    if depth == 0:
        return found
    computed = _computed(value, facts, depth - 1)
    wraps = isinstance(value.op, _WRAPPING) and computed not in limits
    return found if wraps else found & computed


def may_wrap(value: OpResult, facts: Facts) -> bool:
    """Whether the sum, product or magnitude of integers that `value` is may leave its type."""
    return _computed(value, facts, _DEPTH) not in type_limits(value.type)


def _computed(value: OpResult, facts: Facts, depth: int) -> Interval:
    op = value.op
    if (unary := _UNARY.get(type(op))) is not None:
        return unary(interval(op.operands[0], facts, depth))
    if (binary := _BINARY.get(type(op))) is not None:
        a, b = op.operands
        if a is b and isinstance(op, arith.MulfOp):
            return NOT_NEGATIVE
        return binary(interval(a, facts, depth), interval(b, facts, depth))
    overload = overload_of(op)
    if overload is not None:
        return _called(overload, [interval(operand, facts, depth) for operand in op.operands])
    match op:
        case comprehension.RandomOp():
            return Interval(0, 1)
        case tensor.DimOp(source=source, index=index):
            axis = constant_value(index)
            named = isinstance(axis, int) and size_name(source, axis) is not None
            return Interval(1, _LONGEST) if named else SIZE
        case comprehension.LengthOp():
            return SIZE
        case comprehension.SequenceOp() if value is op.count:
            return SIZE
        case comprehension.EachOp() if value is not op.elements[-1]:
            of_array = not isinstance(op.collection.type, comprehension.BagType)
            return SIZE if of_array else ANYTHING
        case comprehension.RangeOp():
            step = step_of(op)
            low, high = (op.lower, op.upper) if step > 0 else (op.upper, op.lower)
            first, last = interval(low, facts, depth).low, interval(high, facts, depth).high
            return Interval(first, last if first > _LONGEST else min(last, _LONGEST))
        case comprehension.ReduceOp():
            return _folded(op, facts, depth)
        case arith.SelectOp():
            return interval(op.lhs, facts, depth) | interval(op.rhs, facts, depth)
        case scf.IfOp():
            ends = [r.block.last_op for r in op.regions if r.blocks]
            found = [interval(e.operands[value.index], facts, depth) for e in ends if e is not None]
            return found[0] | found[1] if len(found) == 2 else ANYTHING
        case _:
            return ANYTHING


def _called(overload: Overload, arguments: list[Interval]) -> Interval:
    """Return where the values of a function lie, by what its row says of it."""
    if overload.bounds is not None:
        return overload.range & overload.bounds(*arguments)
    if overload.monotone is None:
        return overload.range
    (argument,) = arguments
    inside = argument & overload.domain
    if inside.low > inside.high:
        return overload.range  # It is NaN, of which bounds say nothing.
    first, last = (float(value_at(overload, float(end))) for end in (inside.low, inside.high))
    if overload.monotone == "decreasing":
        first, last = last, first
    return overload.range & Interval(_less(first), -_less(-last))


def _less(number: float) -> float:
    """Below any value that is computed for a number; zero and infinity are exact."""
    return number - abs(number) * 2.0**-48 if number and not isinf(number) else number


def _folded(op: comprehension.ReduceOp, facts: Facts, depth: int) -> Interval:
    """The fold of a group, which has a row at least."""
    group = op.bag.owner
    if not isinstance(group, comprehension.GroupByOp):
        return ANYTHING
    bags: list[SSAValue] = list(group.bags)
    of_rows = interval(group.bag_values[bags.index(op.bag)][0], facts, depth)
    monoid = monoid_named(op.monoid.data)
    if monoid.extremum:
        return of_rows
    if monoid.keeps_sign and of_rows.low >= 0 and isinstance(op.result.type, AnyFloat):
        return NOT_NEGATIVE
    return ANYTHING


def decided(test: arith.CmpiOp, facts: Facts) -> bool | None:
    """Return what an order of integers with a sign is where their bounds decide it."""
    predicate = predicate_of(test)
    if predicate not in {*LESS, *GREATER} or test.lhs.type == i1:
        return None
    if any(map(_may_pass_the_limits, test.operands)):
        return None
    # a < b, a <= b, or one of them mirrored.
    a, b = interval(test.lhs, facts), interval(test.rhs, facts)
    if predicate in GREATER:
        a, b, predicate = b, a, MIRRORED[predicate]
    strict = predicate == "slt"
    if a.high < b.low or (not strict and a.high <= b.low):
        return True
    if a.low > b.high or (strict and a.low >= b.high):
        return False
    return None


def _may_pass_the_limits(value: SSAValue) -> bool:
    """Return whether a value counts a loop, which may end behind the greatest of all numbers."""
    return isinstance(value, BlockArgument) and isinstance(value.block.parent_op(), scf.WhileOp)


def facts_of(conditions: Iterable[SSAValue]) -> dict[SSAValue, Interval]:
    """Return what can be said of values where all of some conditions hold."""
    facts: dict[SSAValue, Interval] = {}
    for condition in _parts_of(conditions):
        match condition.owner:
            case arith.CmpiOp() as test:
                order, above = symbol_of(test), _after_integer
            case arith.CmpfOp() as test:
                order, above = symbol_of(test), _after_float
            case _:
                continue
        less, greater = (test.lhs, test.rhs) if "<" in order else (test.rhs, test.lhs)
        pairs = [(less, greater)] if order not in ("", "!=") else []
        if order == "==":
            pairs.append((greater, less))
        for low, high in pairs:
            least, most = interval(low, facts).low, interval(high, facts).high
            if order in ("<", ">"):
                least, most = above(least), -above(-most)
            facts[high] = facts.get(high, ANYTHING) & Interval(low=least)
            facts[low] = facts.get(low, ANYTHING) & Interval(high=most)
    return facts


def _parts_of(conditions: Iterable[SSAValue]) -> Iterator[SSAValue]:
    """The conditions, and instead of one that two others hold these."""
    for condition in conditions:
        if isinstance(condition.owner, arith.AndIOp):
            yield from _parts_of(condition.owner.operands)
        else:
            yield condition


def _after_integer(number: float) -> float:
    return number + 1


def _after_float(number: float) -> float:
    return nextafter(number, inf)
