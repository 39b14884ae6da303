"""Emits ops of a comprehension into the scalar bodies of `tensor_block` ops.

Reads the `comprehension` level, writes the bodies of the `tensor_block` level. A guard
becomes an `scf.if` around everything after it, so that what it protects is never evaluated
where it fails:

    comprehension.guard %c          %r = scf.if %c -> (f64) {
    %v = arith.divf %a, %b    ==>     %v = arith.divf %a, %b
    comprehension.yield (%i) %v       scf.yield %v
                                    } else { scf.yield %zero }
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import (
    IndexType,
    IntegerAttr,
    LocationAttr,
    TupleType,
    UnknownLoc,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension, monoids, tensor_block
from diablo.dialects.comprehension.comprehension_monoids import find_monoid
from diablo.dialects.monoids import zero_of
from diablo.dialects.number_constants import ConstantOps, constant_op
from diablo.passes.analyses.values.comprehension_structure import Root
from diablo.passes.analyses.values.monoid_identities import identity_ops

Environment = dict[SSAValue, SSAValue]
Finish = Callable[["BodyEmitter"], Sequence[SSAValue]]


class Driver:
    """Inserts ops before a comprehension root; what has no location gets the root's.

    `whole` says that the program runs in one process, where every array is one tile.
    """

    def __init__(self, root: Operation, *, whole: bool = False):
        self.root = root
        self.whole = whole
        self.inserted: list[Operation] = []
        self.extents: dict[SSAValue, Sequence[SSAValue]] = {}
        """Arrays to their extents, once these have been asked for (`driver_dimensions`)."""

    def insert(self, op: Operation) -> SSAValue:
        """Insert `op`; return its first result."""
        for inner in op.walk():
            if isinstance(inner.location, UnknownLoc):
                inner.location = self.root.location
        Rewriter.insert_op(op, InsertPoint.before(self.root))
        self.inserted.append(op)
        return op.results[0]

    def index(self, value: int) -> SSAValue:
        """A constant of type `index`."""
        return self.insert(arith.ConstantOp(IntegerAttr(value, IndexType())))


class BodyEmitter:
    """Appends ops to a block, mapping the comprehension's values to the body's."""

    def __init__(
        self,
        block: Block,
        environment: Environment,
        location: LocationAttr,
        indices: Mapping[int, SSAValue] | None = None,
    ):
        self.block = block
        self.environment = environment
        self.location = location
        self.indices: dict[int, SSAValue] = dict(indices or {})
        """The indices of the point, by the number of their dimension."""

    def add(self, op: Operation) -> SSAValue:
        """Append `op`; return its first result."""
        op.location = self.location
        self.block.add_op(op)
        return op.results[0]

    def constant(self, attribute: monoids.NumberAttr) -> SSAValue:
        """Append a constant."""
        return self.add(constant_op(attribute))

    def zero(self, type: Attribute) -> SSAValue:
        """The implicit value of `type`: 0, 0.0, false, an empty string or list, tuples of these."""
        match type:
            case TupleType():
                return self.add(comprehension.PackOp([self.zero(part) for part in type.types]))
            case comprehension.StringType():
                return self.add(comprehension.StringOp(""))
            case comprehension.BagType():
                return self.add(comprehension.ListOp([], type))
            case _:
                return self.constant(zero_of(type))

    def identity(self, monoid: str, type: Attribute, near: Operation) -> SSAValue:
        """The neutral element of a monoid, which the module around `near` may define."""
        value: SSAValue | None = None
        for op in identity_ops(monoid, type, near):
            value = self.add(op)
        assert value is not None
        return value

    def combine(self, monoid: str, left: SSAValue, right: SSAValue, near: Operation) -> SSAValue:
        """Return two values joined by a monoid, which the module around `near` may define."""
        if not monoids.is_user_defined(monoid):
            return self.add(monoids.combine(monoid, left, right))
        definition = find_monoid(monoid, near)
        assert definition is not None
        body = definition.body.block
        copies: Environment = dict(zip(body.args, (left, right), strict=True))
        for op in body.ops:
            if op is not body.last_op:
                self.block.add_op(op.clone(copies))
        assert body.last_op is not None
        result = body.last_op.operands[0]
        return copies.get(result, result)

    def lookup(self, value: SSAValue) -> SSAValue:
        """Return what `value` of the comprehension is in this body."""
        return self.environment.get(value, value)

    def clone(self, ops: Sequence[Operation]) -> None:
        """Append copies of `ops` that are not in the environment yet.

        A constant of the comprehension that they use comes with them, wherever it stands.
        """
        for op in ops:
            if op.results and all(result in self.environment for result in op.results):
                continue
            for operand in (operand for inner in op.walk() for operand in inner.operands):
                if _is_constant_of_comprehension(operand) and operand not in self.environment:
                    assert isinstance(operand.owner, Operation)
                    self.block.add_op(operand.owner.clone(self.environment))
            copy = op.clone(self.environment)
            self.block.add_op(copy)

    def when(
        self,
        condition: SSAValue,
        then: Finish,
        otherwise: Finish,
        types: Sequence[Attribute],
    ) -> Sequence[SSAValue]:
        """An `scf.if` with results; both branches see this body's environment."""
        regions: list[Region] = []
        for finish in (then, otherwise):
            block = Block()
            branch = BodyEmitter(block, dict(self.environment), self.location, self.indices)
            branch.terminate(finish(branch))
            regions.append(Region(block))
        op = scf.IfOp(condition, list(types), regions[0], regions[1])
        self.add(op)
        return tuple(op.results)

    def terminate(self, values: Sequence[SSAValue]) -> None:
        """End an `scf` branch."""
        op = scf.YieldOp(*values)
        op.location = self.location
        self.block.add_op(op)

    def guarded(
        self,
        ops: Sequence[Operation],
        finish: Finish,
        otherwise: Finish,
        types: Sequence[Attribute],
    ) -> Sequence[SSAValue]:
        """Append `ops` in order, nesting what follows a guard in an `scf.if`, then `finish`."""
        for position, op in enumerate(ops):
            if isinstance(op, comprehension.GuardOp):
                rest = ops[position + 1 :]
                return self.when(
                    self.lookup(op.condition),
                    lambda branch, rest=rest: branch.guarded(rest, finish, otherwise, types),
                    otherwise,
                    types,
                )
            self.clone([op])
        return finish(self)


def _is_constant_of_comprehension(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, ConstantOps | comprehension.StringOp) and isinstance(
        owner.parent_op(), Root
    )


def scalar_body(
    argument_types: Sequence[Attribute],
    location: LocationAttr,
    fill: Callable[[BodyEmitter, Sequence[SSAValue]], Sequence[SSAValue]],
) -> Region:
    """A region of one block whose `tensor_block.yield` returns what `fill` computes."""
    block = Block(arg_types=argument_types)
    emitter = BodyEmitter(block, {}, location)
    values = fill(emitter, block.args)
    end = tensor_block.YieldOp(*values)
    end.location = location
    block.add_op(end)
    return Region(block)
