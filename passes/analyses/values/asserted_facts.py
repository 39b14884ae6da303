"""Analysis: what a preceding `cf.assert` lets the compiler take for granted.

```mlir
%same = arith.cmpi eq, %n, %m : index
cf.assert %same, "the arrays have different shapes"
%C = comprehension.build (%n) …          // here, %n and %m are equal
```
"""

from __future__ import annotations

from itertools import permutations

from xdsl.dialects import arith, cf
from xdsl.ir import Operation, SSAValue

from diablo.passes.analyses.values.affine_values import same_value
from diablo.passes.analyses.values.index_equalities import equated_integers


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
    test = condition.owner
    if isinstance(test, arith.AndIOp):
        return _says_equal(test.lhs, a, b) or _says_equal(test.rhs, a, b)
    sides = equated_integers(condition)
    return sides is not None and any(
        same_value(a, left) and same_value(b, right) for left, right in permutations(sides)
    )
