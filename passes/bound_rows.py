"""Note at joins and ranges how many of their rows can matter in the end, if not all do.

Works at the tensor_block level. Rows that are folded, grouped or tested afterwards are no result
themselves, and to make many more of them than come out is a waste that is worth a warning before
they are made (`runtime/rows/row_counts.py`):

```mlir
%1 = tensor_block.join %A[], %B[] : bag<i64, f64>, bag<i64, f64> -> bag<i64, f64, i64, f64>
%2 = tensor_block.project %1[0, 3] : bag<i64, f64, i64, f64> -> bag<i64, f64>
%3 = tensor_block.group_reduce %2 keys 1 monoids(add) : bag<i64, f64>
```

becomes, since the groups have keys of `%A`,

```mlir
%1 = tensor_block.join %A[], %B[] at_most "left" : bag<i64, f64>, bag<i64, f64> -> …
```

`at_most` says how many rows come of all these: `one`, as many as the `left` or the `right` side
has, as many as `both` have, or a number: the elements of an array of known extents that
the rows fill. Groups by keys of both sides may be as many as there are pairs, and the rows of a
list are what was asked for: nothing is noted there. Of tests, those count that few pairs pass: an
equality, or two comparisons, as of a band. Most pairs pass `i != j`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.bag_folds import BagFold
from diablo.dialects.bags import bag_columns
from diablo.dialects.predicates import predicate_of
from diablo.passes.analyses.values.affine_values import known_index

Sides = frozenset[str]
"""The sides of a join that a value depends on."""

_NONE: Sides = frozenset()
_LEFT: Sides = frozenset({"left"})
_BOTH: Sides = frozenset({"left", "right"})
_NAMES = {_NONE: "one", _LEFT: "left", frozenset({"right"}): "right", _BOTH: "both"}
_MOST = 2**63 - 1
_FEW_PASS = 2
"""The weight of tests that few pairs pass."""
_UNEQUAL = ("ne", "one", "une")
_ORDERS = ("lt", "le", "gt", "ge")


@dataclass(frozen=True)
class _Bound:
    """As many rows as some sides have, and so many more; `at_most` has words for one of them."""

    sides: Sides
    more: int = 0

    def __add__(self, other: _Bound) -> _Bound:
        return _Bound(self.sides | other.sides, self.more + other.more)

    def attribute(self) -> StringAttr | IntegerAttr | None:
        """Return what `at_most` says; nothing for a number beside sides."""
        if not self.more:
            return StringAttr(_NAMES[self.sides])
        return None if self.sides else IntegerAttr(min(self.more, _MOST), i64)


def _bound(rows: SSAValue, columns: Sequence[Sides], tested: int = 0) -> _Bound | None:
    """Return what bounds the rows that come of a bag with these columns; none if nothing does.

    `tested` is the weight of the tests that the rows have passed.
    """
    bound = _Bound(_NONE)
    for use in rows.uses:
        found = _bound_of_use(use.operation, rows, columns, tested)
        if found is None:
            return None
        bound += found
    return bound


def _bound_of_use(
    op: Operation, rows: SSAValue, columns: Sequence[Sides], tested: int
) -> _Bound | None:
    match op:
        case BagFold():
            return _Bound(_NONE)
        case tensor_block.GroupReduceOp():
            keys = op.keys.value.data
            return _of_groups(op.result, columns[:keys], len(columns))
        case tensor_block.FromBagOp() if rows is op.bag:
            rank = len(columns) - 1
            sides = _union(columns[:rank])
            return _elements(op) if sides == _BOTH else _Bound(sides)
        case tensor_block.FilterOp() if rows is op.bag:
            tested += _tested(op.body.block, columns)
            return _Bound(_BOTH) if tested >= _FEW_PASS else _bound(op.result, columns, tested)
        case tensor_block.ProjectOp():
            return _bound(op.result, [columns[c] for c in op.columns.get_values()], tested)
        case tensor_block.ExtendOp() if rows is op.bag:
            return _bound(op.result, [*columns, *_yielded(op.body.block, columns)], tested)
        case tensor_block.ExpandOp() if rows is op.bag:
            return _bound(op.result, [*columns, _union(_yielded(op.body.block, columns))], tested)
        case tensor_block.LookupOp() if rows is op.bag:
            read = _union([columns[c] for c in op.columns.get_values()])
            more = len(bag_columns(op.result)) - len(columns)
            return _bound(op.result, [*columns, *[read] * more], tested)
        case tensor_block.NumberOp():
            return _bound(op.result, [*columns, _BOTH], tested)
        case tensor_block.JoinOp():
            other = [_BOTH] * (len(bag_columns(op.result)) - len(columns))
            joined = [*columns, *other] if rows is op.left else [*other, *columns]
            return None if op.left is op.right else _bound(op.result, joined, tested)
        case _:
            return None


def _elements(op: tensor_block.FromBagOp) -> _Bound | None:
    """The elements of the array to which rows are added, if their number is known."""
    extents = [known_index(extent) for extent in op.extents]
    known = [max(extent, 0) for extent in extents if extent is not None]
    return _Bound(_NONE, prod(known)) if len(known) == len(extents) else None


def _of_groups(groups: SSAValue, keys: Sequence[Sides], width: int) -> _Bound | None:
    """Return how many groups there are; those by keys of both sides may be folded on."""
    sides = _union(keys)
    if sides != _BOTH:
        return _Bound(sides)
    return _bound(groups, [*keys, *[_BOTH] * (width - len(keys))])


def _union(columns: Sequence[Sides]) -> Sides:
    return _NONE.union(*columns)


def _yielded(block: Block, columns: Sequence[Sides]) -> list[Sides]:
    """Return what the values depend on that a body yields."""
    end = block.last_op
    assert isinstance(end, tensor_block.YieldOp)
    return [_sides(value, block, columns) for value in end.values]


def _sides(value: SSAValue, block: Block, columns: Sequence[Sides]) -> Sides:
    """The sides that a value in the body over these columns depends on."""
    found: Sides = _NONE
    waiting, seen = [value], set[SSAValue]()
    while waiting:
        value = waiting.pop()
        if value in seen:
            continue
        seen.add(value)
        if isinstance(value, BlockArgument):
            found |= columns[value.index] if value.block is block else _NONE
        elif isinstance(value.owner, Operation) and block.is_ancestor(value.owner):
            waiting += [operand for op in value.owner.walk() for operand in op.operands]
    return found


def _tested(block: Block, columns: Sequence[Sides]) -> int:
    """The weight of the test that a body yields."""
    end = block.last_op
    assert isinstance(end, tensor_block.YieldOp)
    return _weight(end.values[0], block, columns)


def _weight(condition: SSAValue, block: Block, columns: Sequence[Sides]) -> int:
    """`_FEW_PASS` for a condition that few pairs fulfil, 1 for one that half may, 0 for others."""
    match condition.owner:
        case arith.AndIOp() as op:
            return _weight(op.lhs, block, columns) + _weight(op.rhs, block, columns)
        case arith.OrIOp() as op:
            return min(_weight(op.lhs, block, columns), _weight(op.rhs, block, columns))
        case arith.CmpiOp() | arith.CmpfOp() as op:
            return _weight_of(predicate_of(op))
        case comprehension.StringCallOp() as op:
            return _weight_of(op.function.data)
        case arith.ConstantOp() | arith.XOrIOp() | Block():
            return 0
        case _:
            return _FEW_PASS if _sides(condition, block, columns) == _BOTH else 0


def _weight_of(predicate: str) -> int:
    if predicate in _UNEQUAL:
        return 0
    return 1 if predicate.lstrip("osu") in _ORDERS else _FEW_PASS


@dataclass(frozen=True)
class BoundRowsPass(ModulePass):
    """Note at joins and ranges how many of their rows can matter in the end, if not all do."""

    name = "bound-rows"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Set `at_most` where it is known."""
        for inner in op.walk():
            match inner:
                case tensor_block.JoinOp():
                    width = len(bag_columns(inner.left))
                    right = len(bag_columns(inner.result)) - width
                    columns = [_LEFT] * width + [_BOTH - _LEFT] * right
                case tensor_block.ExpandOp():
                    width = len(bag_columns(inner.bag))
                    columns = [*[_LEFT] * width, _BOTH]
                case _:
                    continue
            bound = _bound(inner.result, columns)
            if bound is not None:
                inner.at_most = bound.attribute()
