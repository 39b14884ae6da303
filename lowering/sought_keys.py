"""Which key is sought where a program ends unless it is there."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from diablo.dialects import comprehension, spark


def sought_key(condition: SSAValue) -> Sequence[SSAValue]:
    """The key that a read seeks if `condition` holds where it finds something, or is not reached.

    %found of a probe   or   arith.ori %elsewhere, %found
    """
    owner = condition.owner
    tests = owner.operands if isinstance(owner, arith.OrIOp) else [condition]
    for test in tests:
        probe = test.owner
        if (
            isinstance(probe, comprehension.ProbeOp | spark.ProbeOp | comprehension.FindOp)
            and test is probe.found
        ):
            return probe.keys
    return ()
