"""Analysis: may a comprehension skip the elements that a sparse array does not store?

Such an element is the implicit value, zero. The body is evaluated with the element set to
zero and everything else unknown, but for constants: `0 * x` is 0, `0 && x` is false, a
branch on a known condition is that branch. The row is superfluous if a guard is then false,
or if what it adds to the result is nothing: the identity of the monoid, or the implicit
value of an array that is built.

`0 * x` counts as 0 whatever `x` is: the language gives no meaning to an implicit value
times NaN or infinity, and takes a zero of either sign for the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from diablo.dialects import comprehension, monoids
from diablo.passes.interpreter.scalar_evaluation import EvaluationError, Number, evaluate, to_type

Known = dict[SSAValue, Number]
"""The values that are the same number in every row under consideration."""

_ANNIHILATORS: Mapping[type[Operation], Number] = {
    arith.MulfOp: 0,
    arith.MuliOp: 0,
    arith.AndIOp: 0,
}
"""The operand that alone decides the result of an operation (and is the result)."""


def _monoid_identity(monoid: str, type: Attribute) -> Number | None:
    if not monoids.accepts(monoid, type):
        return None
    return to_type(monoids.identity(monoid, type).value.data, type)


def _evaluate_branches(op: scf.IfOp, known: Known) -> list[Number | None]:
    """The results of a conditional: of the branch taken, or what both branches agree on."""
    condition = known.get(op.cond)
    regions = [r for r in op.regions if r.blocks]
    if condition is not None:
        regions = [op.true_region if condition else op.false_region]
    found: list[list[Number | None]] = []
    for region in regions:
        scope = dict(known)
        end = region.block.last_op
        assert end is not None
        for inner in region.block.ops:
            if inner is not end:
                evaluate_known(inner, scope)
        found.append([scope.get(value) for value in end.operands])
    return [
        values[0] if all(value == values[0] for value in values) else None
        for values in zip(*found, strict=True)
    ]


def evaluate_known(op: Operation, known: Known) -> None:
    """Add to `known` the results of `op` that are decided."""
    results: list[Number | None]
    if isinstance(op, scf.IfOp):
        results = _evaluate_branches(op, known)
    elif isinstance(op, comprehension.AggregateOp):
        results = [_evaluate_aggregate(op, known)]
    elif len(op.results) == 1 and not op.regions:
        results = [_evaluate_scalar(op, known)]
    else:
        return
    for result, value in zip(op.results, results, strict=True):
        if value is not None:
            known[result] = value


def _evaluate_scalar(op: Operation, known: Known) -> Number | None:
    operands = [known.get(operand) for operand in op.operands]
    decided = [operand for operand in operands if operand is not None]
    if len(decided) == len(operands):
        try:
            return evaluate(op, decided)
        except EvaluationError:
            return None
    if isinstance(op, arith.SelectOp):
        if operands[0] is not None:
            return operands[1] if operands[0] else operands[2]
        return operands[1] if operands[1] == operands[2] else None
    if isinstance(op, arith.OrIOp):
        return True if True in decided and op.result.type == i1 else None
    annihilator = _ANNIHILATORS.get(type(op))
    if annihilator is not None and annihilator in decided:
        return to_type(annihilator, op.results[0].type)
    return None


def _evaluate_aggregate(op: comprehension.AggregateOp, known: Known) -> Number | None:
    """The identity if every row of a nested aggregate yields it (or none gets so far)."""
    neutral = _monoid_identity(op.monoid.data, op.result.type)
    if neutral is None:
        return None
    head = op.body.block.last_op
    assert isinstance(head, comprehension.YieldOp)
    walk = _Walk(dict(known))
    if not walk.run(list(op.body.block.ops)):
        return neutral
    return neutral if walk.known.get(head.values[0]) == neutral else None


@dataclass
class _Walk:
    """The evaluation of the ops of a body, one after the other."""

    known: Known = field(default_factory=dict[SSAValue, Number])

    def run(self, ops: list[Operation]) -> bool:
        """Evaluate `ops`; false if a guard drops the row on the way."""
        for op in ops:
            match op:
                case comprehension.GuardOp():
                    if self.known.get(op.condition) == 0:
                        return False
                case comprehension.GroupByOp():
                    if not self._group(op):
                        raise _Observable
                case comprehension.EachOp() | comprehension.RangeOp():
                    pass
                case _:
                    evaluate_known(op, self.known)
        return True

    def _group(self, op: comprehension.GroupByOp) -> bool:
        """Go on with a group in which all rows are superfluous; false if one is observed.

        Folding the value of a row must give the identity, so that a group with other rows
        does not notice its absence.
        """
        after: Known = {k: v for k, v in self.known.items() if _is_constant(k)}
        for key, group_key in zip(op.keys, op.group_keys, strict=True):
            if key in self.known:
                after[group_key] = self.known[key]
        for value, bag in zip(op.values, op.bags, strict=True):
            for use in bag.uses:
                fold = use.operation
                if not isinstance(fold, comprehension.ReduceOp):
                    return False
                neutral = _monoid_identity(fold.monoid.data, fold.result.type)
                if neutral is None or self.known.get(value) != neutral:
                    return False
                after[fold.result] = neutral
        self.known = after
        return True


class _Observable(Exception):
    """The absence of the row would show."""


def _is_constant(value: SSAValue) -> bool:
    return isinstance(value.owner, arith.ConstantOp)


def _constants_outside(block: Block) -> Known:
    """The constants that the ops of `block` use from outside."""
    known: Known = {}
    for op in block.walk():
        for operand in op.operands:
            owner = operand.owner
            if isinstance(owner, arith.ConstantOp):
                value = evaluate(owner, ())
                if value is not None:
                    known[operand] = value
    return known


def _adds_nothing(root: Operation, known: Known) -> str | None:
    """Why a row with the `known` values leaves the result of `root` as it is, or `None`."""
    head = root.regions[0].block.last_op
    assert isinstance(head, comprehension.YieldOp)
    value = known.get(head.values[0]) if head.values else None
    match root:
        case comprehension.BuildOp():
            if value == 0:
                return "the value is then zero, which is implicit in the result"
        case comprehension.MergeOp() if root.monoid is not None:
            neutral = _monoid_identity(root.monoid.data, head.values[0].type)
            if value is not None and value == neutral:
                return f"the value is then the identity of {root.monoid.data}"
        case comprehension.AggregateOp():
            neutral = _monoid_identity(root.monoid.data, head.values[0].type)
            if value is not None and value == neutral:
                return f"the value is then the identity of {root.monoid.data}"
        case _:
            pass
    return None


def superfluous_when_implicit(each: comprehension.EachOp) -> str | None:
    """Why the rows of `each` with an implicit element may be skipped; `None` if they may not."""
    block = each.parent
    root = each.parent_op()
    if block is None or root is None:
        return None
    element = each.elements[-1]
    known = _constants_outside(block)
    known[element] = to_type(0, element.type)
    ops = list(block.ops)
    walk = _Walk(known)
    try:
        if not walk.run(ops[ops.index(each) + 1 : -1]):
            return "a guard is then false"
    except _Observable:
        return None
    return _adds_nothing(root, walk.known)
