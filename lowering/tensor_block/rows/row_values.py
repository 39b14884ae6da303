"""What a value of a row is computed by, and which ops cannot stand in the body of a row op.

Reads the `comprehension` level; writes nothing but tests of equality. Most ops are computed
row by row in the body of an `extend`. Those that need other rows or collections from outside
have to become columns first; these are *whole* ops here:

    %s = comprehension.aggregate add …      a nested comprehension
    %m, %f = comprehension.probe %M[%k]     a read of a map, or of an array from outside
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import scf, tensor
from xdsl.ir import Attribute, Block, Operation, SSAValue

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.comprehension import BagType
from diablo.dialects.defining_blocks import is_made_inside
from diablo.dialects.encodings import as_array
from diablo.lowering.unsupported import unsupported
from diablo.passes.analyses.values.comprehension_structure import Qualifier, Root


def is_collection(type: Attribute) -> bool:
    """Return whether a value of `type` is a bag, a map or an array."""
    return isinstance(type, BagType) or as_array(type) is not None


def inner_ops(op: Operation) -> Iterator[Operation]:
    """`op` and the ops in its regions, but not those in the bodies of comprehensions."""
    yield op
    if isinstance(op, Root):
        return
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                yield from inner_ops(inner)


def numbered_list(value: SSAValue) -> SSAValue | None:
    """Return the list whose rows a value numbers; None if it does not."""
    owner = value.owner
    return owner.bag if isinstance(owner, tensor_block.NumberOp) else None


def operands_of(op: Operation) -> list[SSAValue]:
    """Return what `op` and the ops in its regions use from outside of it."""
    return list(
        dict.fromkeys(
            operand
            for inner in op.walk()
            for operand in inner.operands
            if not is_made_inside(operand, op)
        )
    )


def is_whole(op: Operation, root: Operation) -> bool:
    """Whether `op` cannot be computed in the body of a row op under the comprehension `root`."""
    match op:
        case comprehension.ProbeOp():
            is_map = isinstance(op.collection.type, BagType)
            return is_map or not is_made_inside(op.collection, root)
        case tensor.ExtractOp():
            return not is_made_inside(op.tensor, root)
        case _:
            return isinstance(op, Root)


@dataclass
class Slice:
    """What some values are computed by."""

    ops: list[Operation] = field(default_factory=list[Operation])
    """In an order in which each op finds what it needs."""
    columns: set[SSAValue] = field(default_factory=set[SSAValue])
    missing: set[SSAValue] = field(default_factory=set[SSAValue])
    """What is neither a column nor can be computed from columns."""
    collections: list[SSAValue] = field(default_factory=list[SSAValue])
    """The bags and arrays from outside of the comprehension that are used."""
    outside: set[SSAValue] = field(default_factory=set[SSAValue])
    """All that is used from outside of the comprehension."""


def slice_of(values: Sequence[SSAValue], columns: Container[SSAValue], root: Operation) -> Slice:
    """Return what `values`, defined in `root`, are computed by from `columns`."""
    result = Slice()
    seen: set[Operation] = set()

    def visit(value: SSAValue) -> None:
        owner = value.owner
        if value in columns:
            result.columns.add(value)
        elif not is_made_inside(value, root):
            result.outside.add(value)
            if is_collection(value.type) and value not in result.collections:
                result.collections.append(value)
        elif isinstance(owner, Block | Qualifier) or is_whole(owner, root):
            result.missing.add(value)
        elif owner not in seen:
            seen.add(owner)
            visit_op(owner)
            result.ops.append(owner)

    def visit_op(op: Operation) -> None:
        for inner in inner_ops(op):
            if inner is not op and is_whole(inner, root):
                for needed in inner.results:
                    visit(needed)
                continue
            for operand in inner.operands:
                if operand in columns or not is_made_inside(operand, op):
                    visit(operand)

    for value in values:
        visit(value)
    return result


def path_to(op: Operation, top: Operation) -> list[tuple[SSAValue, bool]]:
    """The conditions under which `op`, in a region of `top`, is reached; outer ones first."""
    path: list[tuple[SSAValue, bool]] = []
    while op is not top:
        region, parent = op.parent_region(), op.parent_op()
        if not isinstance(parent, scf.IfOp):
            raise unsupported(op, "this cannot be evaluated in a loop inside a comprehension")
        path.insert(0, (parent.cond, region is parent.true_region))
        op = parent
    return path
