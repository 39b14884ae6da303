"""Where an op computes something: the part of its iteration space that its body tests for.

    scf.if (1 <= %i && %i < %n - 1) { (a + b) / 2 } else { 0 }

has the bounds `%i >= 1` and `%i < %n - 1`; outside of them the result is 0. Kernels go through
the part within without asking again. A box, as this, has a range of indices along each dimension;
other bounds are on sums of multiples of indices, as `2 * %i < %n` and `%i - %j >= 1`; what is
compared with the greater or the less of two values may be within two bounds. Of a fold
what is left out is the identity of its monoid, and a place may be left out too, as in `%j != %i`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from diablo.dialects.defining_blocks import is_made_in
from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.predicates import GREATER, LESS, MIRRORED, predicate_of
from diablo.linear_sums import LinearSum
from diablo.passes.analyses.loops.iterations import Iterated, Iteration, iteration_of
from diablo.passes.analyses.values.affine_values import affine_form, constant_value, same_value
from diablo.passes.analyses.values.linear_forms import linear_form
from diablo.passes.analyses.values.monoid_identities import identity_constant

FEW_INDICES = 16
"""A loop over so many indices at most is not cut where a fold leaves out what its body tests."""

Form = LinearSum[int]
"""A sum of multiples of the dimensions, by their numbers."""


@dataclass(frozen=True)
class Bound:
    """`form >= value + shift` (lower) or `form < value + shift`."""

    form: Form
    lower: bool
    value: SSAValue | None
    shift: int

    @property
    def dimension(self) -> int | None:
        """The dimension that is bounded, if the form is one."""
        return self.form.alone

    @property
    def dimensions(self) -> frozenset[int]:
        """The dimensions that are in the form."""
        return frozenset(self.form.variables)


@dataclass(frozen=True)
class Hole:
    """`form != value + shift`."""

    form: Form
    value: SSAValue | None
    shift: int


def read_bounds(condition: SSAValue, block: Block, rank: int) -> list[Bound | Hole] | None:
    """The bounds that `condition` is the conjunction of, or `None` if it is anything else."""
    if not isinstance(condition, OpResult):
        return None
    match condition.op:
        case arith.AndIOp(lhs=lhs, rhs=rhs):
            left, right = read_bounds(lhs, block, rank), read_bounds(rhs, block, rank)
            return None if left is None or right is None else [*left, *right]
        case arith.CmpiOp() as test:
            predicate = predicate_of(test)
            if predicate not in {"eq", "ne", *LESS, *GREATER}:
                return None
            return _bounds(test.lhs, predicate, test.rhs, block, rank)
        case _:
            return None


def _bounds(
    left: SSAValue, predicate: str, right: SSAValue, block: Block, rank: int
) -> list[Bound | Hole] | None:
    for one, other, order in ((left, right, predicate), (right, left, MIRRORED[predicate])):
        # What is at least the greater of two is at least either.
        extremum = arith.MaxSIOp if order in GREATER else arith.MinSIOp if order in LESS else None
        if extremum is not None and isinstance(op := other.owner, extremum):
            either = [_bounds(one, order, side, block, rank) for side in op.operands]
            return None if None in either else [bound for part in either for bound in part or ()]
    one, other = _side(left, block, rank), _side(right, block, rank)
    if one is None or other is None:
        return None
    if one.value is not None:
        one, other, predicate = other, one, MIRRORED[predicate]
    form = one.form - other.form
    # What comes from outside may be any number: added to an index, it might wrap around.
    if one.value is not None or (other.value is not None and other.form.terms):
        return None
    if not form.terms:
        return None
    value, shift = other.value, -form.constant
    form -= form.constant
    bounds: list[Bound | Hole] = []
    if predicate == "ne":
        return [Hole(form, value, shift)]
    if predicate in GREATER or predicate == "eq":
        bounds.append(_normal(form, True, value, shift + GREATER.get(predicate, 0)))
    if predicate in LESS or predicate == "eq":
        bounds.append(_normal(form, False, value, shift + 1 - LESS.get(predicate, 0)))
    return bounds


def _normal(form: Form, lower: bool, value: SSAValue | None, shift: int) -> Bound:
    """Return a bound; of a multiple of one dimension that a number bounds, the dimension's."""
    if value is None and len(form.terms) == 1:
        ((dimension, factor),) = form.terms.items()
        if factor < 0:  # -f * i >= s  is  f * i < 1 - s
            lower, factor, shift = not lower, -factor, 1 - shift
        # f * i >= s  is  i >= s / f, rounded up, and  f * i < s  is  i < s / f, rounded up.
        return Bound(Form({dimension: 1}), lower, None, -(-shift // factor))
    return Bound(form, lower, value, shift)


@dataclass(frozen=True)
class _Side:
    """A side of a comparison: a sum of indices and a value from outside, if there is one."""

    form: Form
    value: SSAValue | None = None


def _side(value: SSAValue, block: Block, rank: int) -> _Side | None:
    if not is_made_in(value, block):
        base, offset = affine_form(value)
        if base is None or not is_made_in(base, block):
            return _Side(Form(constant=offset), base)
    form = linear_form(value)
    terms: dict[int, int] = {}
    for variable, factor in form.terms.items():
        if not isinstance(variable, BlockArgument) or variable.block is not block:
            return None
        if variable.index >= rank:
            return None
        terms[variable.index] = factor
    return _Side(Form(terms, form.constant))


@dataclass
class Domain:
    """A body that computes `value`, in the innermost of `blocks`, within `bounds`.

    Places in one of `holes`, which only folds have, are not within.
    """

    bounds: list[Bound]
    holes: list[Hole]
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


def find_domain(op: Iterated) -> Domain | None:
    """The box outside of which the body of `op` yields one and the same simple value."""
    domain = find_bounds(op)
    if domain is None or any(bound.dimension is None for bound in domain.bounds):
        return None
    return domain


def find_bounds(op: Iterated) -> Domain | None:
    """The bounds outside of which the body of `op` yields one and the same simple value."""
    op = iteration_of(op)
    if not op.inputs:
        return None  # What reads nothing is computed as fast as the box is found.
    domain = _walk(op, [])
    return domain if domain.bounds else None


def find_folded(op: Iterated, innermost: int) -> Domain | None:
    """The bounds outside of which a fold takes nothing but the identity of its monoid.

    The loop over the dimension `innermost` is the one that may be cut: there is a bound or a hole
    along it, one hole at most, and more than few indices.
    """
    op = iteration_of(op)
    size = constant_value(op.extents[innermost])
    if isinstance(size, int) and size <= FEW_INDICES:
        return None
    domain = _walk(op, [innermost])
    along = [bound for bound in [*domain.bounds, *domain.holes] if bound.form.factor(innermost)]
    return domain if along else None


def folded_domain(op: Iterated) -> Domain:
    """The bounds outside of which a fold takes nothing but the identity, if there are any."""
    return _walk(iteration_of(op), [])


def _walk(op: Iteration, cut: Sequence[int]) -> Domain:
    """Read the tests of a body from the outermost in; holes along the dimensions `cut` alone."""
    body = op.body.block
    rank = len(op.extents)
    value = op.values[0]
    domain = Domain([], [], [body], value, value)
    while isinstance(domain.value, OpResult) and isinstance(domain.value.op, scf.IfOp):
        choice = domain.value.op
        if len(choice.results) != 1 or choice.parent is not domain.blocks[-1]:
            break
        found = read_bounds(choice.cond, body, rank)
        then, other = choice.true_region.block, choice.false_region.block
        if found is None or then.last_op is None or other.last_op is None:
            break
        holes = [bound for bound in found if isinstance(bound, Hole)]
        if len(domain.holes) + len(holes) > len(cut) or any(
            abs(hole.form.factor(d)) != 1 for hole in holes for d in cut
        ):
            break
        otherwise = other.last_op.operands[0]
        if any(not isinstance(o, scf.YieldOp | ConstantOps) for o in other.ops):
            break
        if op.kind == "fold":
            # What begins with 0.0 is never -0.0, which 0.0 would change.
            neutral = identity_constant(op.monoid, otherwise.type, op.origin)
            if neutral is None or constant_value(otherwise) != neutral:
                break
        elif not _is_simple(otherwise, body) or (
            domain.bounds and not same_value(otherwise, domain.otherwise)
        ):
            break
        domain.bounds += [bound for bound in found if isinstance(bound, Bound)]
        domain.holes += holes
        domain.blocks.append(then)
        domain.value, domain.otherwise = then.last_op.operands[0], otherwise
    return domain


def _is_simple(value: SSAValue, body: Block) -> bool:
    """Return whether a value is a constant, an element of an input, or comes from outside."""
    if isinstance(value, OpResult):
        return isinstance(value.op, ConstantOps) or not is_made_in(value, body)
    return True
