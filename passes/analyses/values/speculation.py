"""Analysis: which operations may be moved, duplicated or dropped freely.

An operation is *pure* if it has no effect but its results. It *can trap* if it fails for
some operands (an integer division by zero, a read outside an array or a list, a string that is
no number): such an operation may never move above a guard, which could be there to protect it.
"""

from __future__ import annotations

from typing import cast, get_args

from xdsl.dialects import arith, cf, tensor
from xdsl.dialects import math as math_dialect
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator

from diablo.dialects import comprehension, monoids, multiloop
from diablo.dialects.defining_blocks import block_of
from diablo.dialects.effects import has_no_effect
from diablo.dialects.multiloop.multiloop_generators import folds_of
from diablo.dialects.string_functions import STRING_FUNCTIONS
from diablo.passes.analyses.values.affine_values import constant_value

Generator = comprehension.EachOp | comprehension.RangeOp
"""The ops of a comprehension that run what follows them any number of times."""

Qualifier = Generator | comprehension.GuardOp | comprehension.GroupByOp
"""The ops of a comprehension that decide how often what follows them runs."""

Root = (
    comprehension.BuildOp
    | comprehension.MergeOp
    | comprehension.CollectOp
    | comprehension.AggregateOp
)
"""The ops whose body is a comprehension."""

_ROOTS = frozenset[type[Operation]](get_args(Root))

DIVISIONS = (
    arith.DivSIOp,
    arith.DivUIOp,
    arith.RemSIOp,
    arith.RemUIOp,
    arith.FloorDivSIOp,
    arith.CeilDivSIOp,
    arith.CeilDivUIOp,
)
"""The divisions of integers, which fail if their second operand is zero."""


def roots_in(op: Operation) -> list[Root]:
    """The comprehensions in `op`, inner ones first."""
    # To compare classes is faster than to test instances, and all ops of a module are looked at.
    found = [inner for inner in op.walk(region_first=True) if type(inner) in _ROOTS]
    return cast("list[Root]", found)


def can_trap(op: Operation) -> bool:
    """Return whether `op`, or an op in one of its regions, fails for some operands."""
    return any(_fails(inner) for inner in op.walk())


def _fails(op: Operation) -> bool:
    match op:
        case _ if isinstance(op, DIVISIONS):
            return not constant_value(op.operands[1])
        case math_dialect.IPowIOp():
            exponent = constant_value(op.rhs)
            return exponent is None or exponent < 0
        case tensor.ExtractOp() | cf.AssertOp() | comprehension.ElementOp():
            return True
        case comprehension.StringCallOp():
            function = STRING_FUNCTIONS.get(op.function.data)
            return function is None or function.can_fail
        case _:
            return _folds_with_a_trap(op)


def _folds_with_a_trap(op: Operation) -> bool:
    """Return whether `op` folds with a monoid of the program's own whose body can trap."""
    definitions = [
        monoids.find_definition(name, op)
        for name in _monoids_of(op)
        if monoids.is_user_defined(name)
    ]
    return any(definition is None or can_trap(definition) for definition in definitions)


def _monoids_of(op: Operation) -> list[str]:
    """The names of the monoids that `op` folds with."""
    if isinstance(op, multiloop.LoopOp):
        types = [
            type for type in op.body.block.arg_types if isinstance(type, multiloop.GeneratorType)
        ]
        return [name for type in types for name, _ in folds_of(type)]
    monoid = op.properties.get("monoid")
    return [monoid.data] if isinstance(monoid, StringAttr) else []


def is_pure(op: Operation) -> bool:
    """Return whether `op` only computes its results (it may trap)."""
    if isinstance(op, Qualifier | comprehension.MonoidOp) or op.has_trait(IsTerminator):
        return False
    if isinstance(op, Root):
        return True
    if has_no_effect(op):
        return True
    return bool(op.regions) and all(
        is_pure(inner) or inner.has_trait(IsTerminator)
        for region in op.regions
        for block in region.blocks
        for inner in block.ops
    )


def used_values(op: Operation) -> list[SSAValue]:
    """The values that `op` and the ops in its regions use and that are made outside of it."""
    if not op.regions:
        return list(op.operands)
    return [
        operand
        for inner in op.walk()
        for operand in inner.operands
        if not op.is_ancestor(operand.owner) or operand.owner is op
    ]


def is_of_a_row(value: SSAValue) -> bool:
    """Return whether `value` is made in a comprehension, so that each row has its own."""
    block = block_of(value)
    while block is not None:
        parent = block.parent_op()
        if isinstance(parent, Root):
            return True
        block = None if parent is None else parent.parent
    return False


def head_of(root: Root) -> comprehension.YieldOp:
    """Return the row that a comprehension yields."""
    head = root.body.block.last_op
    assert isinstance(head, comprehension.YieldOp)
    return head
