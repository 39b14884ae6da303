"""Analysis: what a preceding `cf.assert` lets the compiler take for granted.

```mlir
%same = arith.cmpi eq, %n, %m : index
cf.assert %same, "the arrays have different shapes"
%C = comprehension.build (%n) …          // here, %n and %m are equal
```
"""

from __future__ import annotations

from xdsl.dialects import arith, cf
from xdsl.ir import Operation, SSAValue

from diablo.dialects.predicates import predicate_of
from diablo.passes.analyses.affine_values import same_value


def asserted_equal(a: SSAValue, b: SSAValue, at: Operation) -> bool:
    """Whether an assertion in the block of `at`, before it, says that `a` and `b` are equal."""
    if at.parent is None:
        return False
    for op in at.parent.ops:
        if op is at:
            return False
        if isinstance(op, cf.AssertOp) and _says_equal(op.arg, a, b):
            return True
    return False


def _says_equal(condition: SSAValue, a: SSAValue, b: SSAValue) -> bool:
    match condition.owner:
        case arith.AndIOp(lhs=lhs, rhs=rhs):
            return _says_equal(lhs, a, b) or _says_equal(rhs, a, b)
        case arith.CmpiOp(lhs=lhs, rhs=rhs) as test if predicate_of(test) == "eq":
            return any(
                same_value(a, left) and same_value(b, right)
                for left, right in ((lhs, rhs), (rhs, lhs))
            )
        case _:
            return False
