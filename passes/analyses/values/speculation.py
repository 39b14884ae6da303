"""Analysis: which operations may be moved, duplicated or dropped freely.

An operation is *pure* if it has no effect but its results. It *can trap* if it fails for
some operands (an integer division by zero, a read outside an array or a list, a string that is
no number): such an operation may never move above a guard, which could be there to protect it.
"""

from __future__ import annotations

from xdsl.dialects import arith, cf, tensor
from xdsl.dialects import math as math_dialect
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation
from xdsl.traits import IsTerminator

from diablo.dialects import comprehension, monoids, multiloop
from diablo.dialects.effects import has_no_effect
from diablo.dialects.multiloop.multiloop_generators import folds_of
from diablo.dialects.number_constants import UnsignedOp
from diablo.dialects.string_functions import STRING_FUNCTIONS
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.comprehension_structure import Qualifier, Root

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


def can_trap(op: Operation) -> bool:
    """Return whether `op`, or an op in one of its regions, fails for some operands."""
    return any(_fails(inner) for inner in op.walk())


_LITTLE = (
    comprehension.PackOp,
    comprehension.UnpackOp,
    math_dialect.AbsFOp,
    math_dialect.AbsIOp,
    UnsignedOp,
)


def is_little(op: Operation) -> bool:
    """Return whether to compute `op` again is as good as to read what it gives."""
    if isinstance(op, _LITTLE):
        return True
    return op.dialect_name() == "arith" and not isinstance(op, arith.DivfOp) and not can_trap(op)


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
