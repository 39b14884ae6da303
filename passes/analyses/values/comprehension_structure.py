"""What comprehensions are made of, and where they are: roots, generators, qualifiers, heads.

%s = comprehension.aggregate add {                 the root
  %i = comprehension.range %0 to %n step %1        a generator
  comprehension.guard %p                           a qualifier, as the generator is
  comprehension.yield %x                           the head
}
"""

from __future__ import annotations

from typing import cast, get_args

from xdsl.ir import Operation, SSAValue

from diablo.dialects import comprehension
from diablo.dialects.defining_blocks import block_of

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


def roots_in(op: Operation) -> list[Root]:
    """The comprehensions in `op`, inner ones first."""
    # To compare classes is faster than to test instances, and all ops of a module are looked at.
    found = [inner for inner in op.walk(region_first=True) if type(inner) in _ROOTS]
    return cast("list[Root]", found)


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
