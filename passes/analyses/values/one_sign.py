"""Analysis: which sums do not cancel?

```mlir
%p = arith.mulf %x, %x : f64
%q = math.absf %y : f64
%s = arith.addf %p, %q : f64      // both are zero or above: %s is as large as either
```

A sum of floats of one sign has a small relative error however it is computed: term by term, in
any order, multiplied out or not. Where signs differ, the terms may be large and the sum small;
what is computed from the terms apart then has their errors, not its own.
"""

from __future__ import annotations

from xdsl.dialects import arith

from diablo.passes.analyses.values.intervals import Facts, interval


def is_of_one_sign(op: arith.AddfOp | arith.SubfOp, facts: Facts) -> bool:
    """Return whether the terms of a sum or difference are never of different signs."""
    left, right = interval(op.lhs, facts), interval(op.rhs, facts)
    if isinstance(op, arith.SubfOp):
        return (left.low >= 0 and right.high <= 0) or (left.high <= 0 and right.low >= 0)
    return (left.low >= 0 and right.low >= 0) or (left.high <= 0 and right.high <= 0)
