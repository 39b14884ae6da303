"""Where a map computes something: the box of its iteration space that its body tests for.

    scf.if (1 <= %i && %i < %n - 1) { (a + b) / 2 } else { 0 }

has the bounds `%i >= 1` and `%i < %n - 1`; outside of them the result is 0. Kernels go through
the box without asking again.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.predicates import MIRRORED, predicate_of
from diablo.dialects.tensor_block import MapOp
from diablo.passes.analyses.values.affine_values import affine_form, same_value

_LOWER = {"sge": 0, "sgt": 1}
_UPPER = {"slt": 0, "sle": 1}


@dataclass(frozen=True)
class Bound:
    """`index >= value + shift` (lower) or `index < value + shift`, along a dimension."""

    dimension: int
    lower: bool
    value: SSAValue | None
    shift: int


def read_bounds(condition: SSAValue, block: Block, rank: int) -> list[Bound] | None:
    """The bounds that `condition` is the conjunction of, or `None` if it is anything else."""
    if not isinstance(condition, OpResult):
        return None
    match condition.op:
        case arith.AndIOp(lhs=lhs, rhs=rhs):
            left, right = read_bounds(lhs, block, rank), read_bounds(rhs, block, rank)
            return None if left is None or right is None else [*left, *right]
        case arith.CmpiOp() as test:
            predicate = predicate_of(test)
            if predicate not in MIRRORED:
                return None
            mirrored = MIRRORED[predicate]
            return _bounds(test.lhs, predicate, test.rhs, block, rank) or _bounds(
                test.rhs, mirrored, test.lhs, block, rank
            )
        case _:
            return None


def _bounds(
    index: SSAValue, predicate: str, limit: SSAValue, block: Block, rank: int
) -> list[Bound] | None:
    base, offset = affine_form(index)
    if not isinstance(base, BlockArgument) or base.block is not block or base.index >= rank:
        return None
    value, shift = affine_form(limit)
    if value is not None and _is_inside(value, block):
        return None
    shift -= offset
    bounds: list[Bound] = []
    if predicate in _LOWER or predicate == "eq":
        bounds.append(Bound(base.index, True, value, shift + _LOWER.get(predicate, 0)))
    if predicate in _UPPER or predicate == "eq":
        bounds.append(Bound(base.index, False, value, shift + _UPPER.get(predicate, 1)))
    return bounds


def _is_inside(value: SSAValue, block: Block) -> bool:
    owner = value.owner
    place = owner if isinstance(owner, Block) else owner.parent
    while place is not None:
        if place is block:
            return True
        place = place.parent_block()
    return False


@dataclass
class Domain:
    """A body that computes `value`, in the innermost of `blocks`, within `bounds`."""

    bounds: list[Bound]
    blocks: list[Block]
    value: SSAValue
    otherwise: SSAValue

    def needed(self) -> list[Operation]:
        """The ops that the value inside the box needs, in order."""
        needed: set[Operation] = set()
        work = [self.value]
        while work:
            value = work.pop()
            if not isinstance(value, OpResult):
                continue
            op: Operation | None = value.op
            while op is not None and op.parent not in self.blocks:
                op = op.parent_op()
            if op is not None and op not in needed:
                needed.add(op)
                work += [operand for inner in op.walk() for operand in inner.operands]
        return [op for block in self.blocks for op in block.ops if op in needed]


def find_domain(op: MapOp) -> Domain | None:
    """The box outside of which the body of `op` yields one and the same simple value."""
    if not op.inputs:
        return None  # What reads nothing is computed as fast as the box is found.
    body = op.body.block
    rank = len(op.extents)
    end = body.last_op
    assert end is not None
    domain = Domain([], [body], end.operands[0], end.operands[0])
    while isinstance(domain.value, OpResult) and isinstance(domain.value.op, scf.IfOp):
        choice = domain.value.op
        if len(choice.results) != 1 or choice.parent is not domain.blocks[-1]:
            break
        bounds = read_bounds(choice.cond, body, rank)
        then, other = choice.true_region.block, choice.false_region.block
        if bounds is None or then.last_op is None or other.last_op is None:
            break
        otherwise = other.last_op.operands[0]
        if not _is_simple(otherwise, body) or any(
            not isinstance(o, scf.YieldOp | ConstantOps) for o in other.ops
        ):
            break
        if domain.bounds and not same_value(otherwise, domain.otherwise):
            break
        domain.bounds += bounds
        domain.blocks.append(then)
        domain.value, domain.otherwise = then.last_op.operands[0], otherwise
    return domain if domain.bounds else None


def _is_simple(value: SSAValue, body: Block) -> bool:
    """Return whether a value is a constant, an element of an input, or comes from outside."""
    if isinstance(value, OpResult):
        return isinstance(value.op, ConstantOps) or not _is_inside(value, body)
    return True
