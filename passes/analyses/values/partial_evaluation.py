"""Analysis: what a row computes when some of its values are known.

Besides numbers, strings and tuples, a value may be known to be the *same* as another one:
`x + 0` is `x`, the greater of `x` and something below it is `x`, a tuple is that of its parts.
The facts about operators are two tables, of operands that decide the result alone and of
operands that leave the other one as it is; `0 * x` counts as 0 whatever `x` is, and infinity
plus `x` as infinity, for the language gives no meaning to an implicit value or a fill that
meets NaN or an infinity, and takes a zero of either sign for the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from xdsl.dialects import arith, complex, scf
from xdsl.dialects.builtin import AnyFloat, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from diablo.dialects import comprehension, monoids
from diablo.dialects.comprehension.comprehension_monoids import find_monoid
from diablo.dialects.functions.number_ranges import Interval
from diablo.dialects.predicates import predicate_of, symbol_of
from diablo.dialects.scalar_types import is_unsigned
from diablo.passes.analyses.values.intervals import Facts, interval
from diablo.passes.analyses.values.monoid_identities import arith_type, identity_constant
from diablo.passes.analyses.values.scalar_folding import Number, fold, number_of_type


@dataclass(frozen=True)
class Same:
    """Equal to a value of which nothing else is known."""

    value: SSAValue


Fact = Number | str | tuple[Any, ...] | Same
"""What is known of a value; of a tuple, a fact for each part."""

Known = dict[SSAValue, Fact]
"""What is known of values in every row under consideration."""

_ANNIHILATORS: Mapping[type[Operation], tuple[Number, ...]] = {
    arith.MulfOp: (0,),
    complex.MulOp: (0,),
    arith.MuliOp: (0,),
    arith.AndIOp: (0,),
    arith.AddfOp: (inf, -inf),
    arith.MinimumfOp: (-inf,),
    arith.MaximumfOp: (inf,),
}
"""The operands that alone decide the result of an operation (and are the result)."""

_IDENTITIES: Mapping[type[Operation], Number] = {
    arith.AddfOp: 0,
    arith.AddiOp: 0,
    complex.AddOp: 0,
    arith.MulfOp: 1,
    complex.MulOp: 1,
    arith.MuliOp: 1,
    arith.OrIOp: 0,
    arith.XOrIOp: 0,
    arith.AndIOp: -1,
    arith.MinimumfOp: inf,
    arith.MaximumfOp: -inf,
}
"""The operand that leaves the other one as it is, on either side."""

_EXTREMA = (
    arith.MaximumfOp,
    arith.MinimumfOp,
    arith.MaxSIOp,
    arith.MinSIOp,
    arith.MaxUIOp,
    arith.MinUIOp,
)

_RIGHT_IDENTITIES: Mapping[type[Operation], Number] = {
    arith.SubfOp: 0,
    arith.SubiOp: 0,
    complex.SubOp: 0,
    arith.DivfOp: 1,
    complex.DivOp: 1,
    arith.DivSIOp: 1,
    arith.DivUIOp: 1,
}
"""The right operand that leaves the left one as it is."""


def fact_of(value: SSAValue, known: Known) -> Fact:
    """Return what is known of `value`: at the least that it is itself."""
    return known.get(value, Same(value))


def _number(fact: Fact) -> Number | None:
    return fact if isinstance(fact, bool | int | float) else None


def evaluate_op(op: Operation, known: Known, facts: Facts) -> None:
    """Add to `known` what can be said of the results of `op`."""
    match op:
        case scf.IfOp():
            results = _evaluate_branches(op, known, facts)
        case comprehension.AggregateOp():
            results = [_evaluate_aggregate(op, known, facts)]
        case comprehension.StringOp():
            results = [op.value.data]
        case comprehension.StringCallOp() if op.function.data in ("eq", "ne"):
            a, b = (fact_of(argument, known) for argument in op.arguments)
            decided = isinstance(a, str) and isinstance(b, str)
            results = [(a == b) == (op.function.data == "eq") if decided else None]
        case comprehension.PackOp():
            results = [tuple(fact_of(part, known) for part in op.parts)]
        case comprehension.UnpackOp():
            fact = fact_of(op.tuple, known)
            results = list(fact) if isinstance(fact, tuple) else [None] * len(op.parts)
        case arith.SelectOp():
            results = [_evaluate_select(op, known)]
        case _ if len(op.results) == 1 and not op.regions:
            results = [_evaluate_scalar(op, known, facts)]
        case _:
            return
    for result, fact in zip(op.results, results, strict=True):
        if fact is not None:
            known[result] = fact


def _evaluate_select(op: arith.SelectOp, known: Known) -> Fact | None:
    condition = _number(fact_of(op.cond, known))
    left, right = fact_of(op.lhs, known), fact_of(op.rhs, known)
    if condition is not None:
        return left if condition else right
    return left if left == right else None


def _evaluate_branches(op: scf.IfOp, known: Known, facts: Facts) -> list[Fact | None]:
    """The results of a conditional: of the branch taken, or what both branches agree on."""
    if not op.results:
        return []  # One branch may have no block at all.
    condition = _number(fact_of(op.cond, known))
    regions = [r for r in op.regions if r.blocks]
    if condition is not None:
        regions = [op.true_region if condition else op.false_region]
    found: list[list[Fact]] = []
    for region in regions:
        scope = dict(known)
        end = region.block.last_op
        assert end is not None
        for inner in region.block.ops:
            if inner is not end:
                evaluate_op(inner, scope, facts)
        found.append([fact_of(value, scope) for value in end.operands])
    return [
        values[0] if all(value == values[0] for value in values) else None
        for values in zip(*found, strict=True)
    ]


def _evaluate_scalar(op: Operation, known: Known, facts: Facts) -> Fact | None:
    operands = [fact_of(operand, known) for operand in op.operands]
    numbers = [_number(operand) for operand in operands]
    if isinstance(op, arith.MulfOp | complex.MulOp) and 0 in numbers:
        return number_of_type(0, op.result.type)  # Also if the other one is infinite.
    decided = [number for number in numbers if number is not None]
    if len(decided) == len(operands):
        return fold(op, decided)
    result = op.results[0].type
    if len(operands) != 2 or not arith_type(result):
        return None
    kind = type(op)
    for table, sides in ((_IDENTITIES, (0, 1)), (_RIGHT_IDENTITIES, (1,))):
        neutral = table.get(kind)
        for side in sides:
            if neutral is not None and _is(numbers[side], neutral, result):
                return operands[1 - side]
    for annihilator in _ANNIHILATORS.get(kind, ()):
        if any(_is(number, annihilator, result) for number in decided):
            return number_of_type(annihilator, result)
    if isinstance(op, arith.OrIOp) and result == i1 and True in decided:
        return True
    return _by_bounds(op, operands, facts)


def _is(number: Number | None, wanted: Number, type: Attribute) -> bool:
    if number is None:
        return False
    return number == number_of_type(wanted, type)


def _bounds(fact: Fact, facts: Facts) -> Interval:
    if isinstance(fact, Same):
        return interval(fact.value, facts)
    number = _number(fact)
    return Interval() if number is None else Interval(number, number)


def _by_bounds(op: Operation, operands: list[Fact], facts: Facts) -> Fact | None:
    """Return what bounds of the operands decide: comparisons, `min`, `max`, zero over something."""
    a, b = (_bounds(operand, facts) for operand in operands)
    match op:
        case arith.MaxUIOp() | arith.MinUIOp() if not is_unsigned(op.result.type):
            return None  # Of bounds with a sign nothing follows.
        case _ if isinstance(op, _EXTREMA):
            if isinstance(op, arith.MinimumfOp | arith.MinSIOp | arith.MinUIOp):
                a, b = b, a
            # The greatest of a number and NaN is NaN.
            of_integers = not isinstance(op.results[0].type, AnyFloat)
            exact = [of_integers or _number(fact) is not None for fact in operands]
            if a.low >= b.high and exact[1]:
                return operands[0]
            return operands[1] if b.low >= a.high and exact[0] else None
        case arith.DivfOp() | arith.DivSIOp() | arith.DivUIOp():
            nonzero = b.low > 0 or b.high < 0
            return number_of_type(0, op.results[0].type) if operands[0] == 0 and nonzero else None
        case arith.CmpiOp():
            return _compared(symbol_of(op), a, b)
        case arith.CmpfOp():
            # With a NaN the ordered predicates are false, so only that can be said of them.
            ordered = predicate_of(op).startswith("o")
            return False if ordered and _compared(symbol_of(op), a, b) is False else None
        case _:
            return None


def _compared(test: str, a: Interval, b: Interval) -> bool | None:
    """Return what a comparison of numbers in two intervals always says."""
    match test:
        case "<":
            return True if a.high < b.low else False if a.low >= b.high else None
        case "<=":
            return True if a.high <= b.low else False if a.low > b.high else None
        case ">":
            return _compared("<", b, a)
        case ">=":
            return _compared("<=", b, a)
        case "==":
            return False if a.high < b.low or b.high < a.low else None
        case "!=":
            return True if a.high < b.low or b.high < a.low else None
        case _:
            return None


def is_neutral(monoid: str, fact: Fact | None, type: Attribute, near: Operation) -> bool:
    """Return whether combining with a value leaves every other one as it is.

    It is the identity, or the body of a monoid of the program's own gives back the other
    value for it.
    """
    if fact is None or isinstance(fact, Same):
        return False
    if fact == identity_constant(monoid, type, near):
        return True
    definition = find_monoid(monoid, near) if monoids.is_user_defined(monoid) else None
    if definition is None:
        return False
    body = definition.body.block
    return all(_gives_back(body, ours, other, fact) for ours, other in ((0, 1), (1, 0)))


def _gives_back(body: Block, ours: int, other: int, fact: Fact) -> bool:
    """Return whether the body of a monoid yields its argument `other` if `ours` is `fact`."""
    known: Known = {body.args[ours]: fact}
    left = body.args[other]
    for op in body.ops:
        if isinstance(op, comprehension.UnpackOp) and op.tuple is left:
            continue
        evaluate_op(op, known, {})
    end = body.last_op
    assert end is not None
    result = fact_of(end.operands[0], known)
    if result == Same(left):
        return True
    parts = [op.parts for op in body.ops if isinstance(op, comprehension.UnpackOp)]
    return isinstance(result, tuple) and any(
        result == tuple(Same(part) for part in unpacked)
        for unpacked in parts
        if unpacked and unpacked[0].owner.operands[0] is left  # pyright: ignore
    )


def _evaluate_aggregate(op: comprehension.AggregateOp, known: Known, facts: Facts) -> Fact | None:
    """The identity if every row of a nested aggregate yields it (or none gets so far)."""
    monoid, type = op.monoid.data, op.result.type
    identity = identity_constant(monoid, type, op)
    scope = dict(known)
    for inner in op.body.block.ops:
        match inner:
            case comprehension.GuardOp():
                if fact_of(inner.condition, scope) == 0:
                    return identity
            case comprehension.GroupByOp():
                return None
            case comprehension.YieldOp():
                fact = fact_of(inner.values[0], scope)
                return identity if fact == identity and not isinstance(fact, Same) else None
            case _:
                evaluate_op(inner, scope, facts)
    return None
