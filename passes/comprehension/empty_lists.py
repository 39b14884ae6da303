"""Rule of `comprehension-normalize` about lists without rows.

```mlir
%none = comprehension.list : !comprehension.bag<i64, f64>
%z = comprehension.build (%n) : tensor<?xf64> {
  %i, %x = comprehension.each %none
  …
}
```

becomes the array of zeros, which nobody has to go through a list for:

```mlir
%z = comprehension.build (%n) : tensor<?xf64> {
  %i = comprehension.range %c0 to %last
  comprehension.yield (%i) %zero
}
```
"""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from diablo.dialects import comprehension
from diablo.dialects.encodings import is_sparse
from diablo.dialects.locations import located
from diablo.dialects.monoids import NumberAttr, domain_of, zero_of
from diablo.dialects.number_constants import constant_op
from diablo.passes.analyses.values.comprehension_structure import roots_in


def fill_empty(module: Operation) -> bool:
    """Turn every dense array of numbers that is built from no rows into an array of zeros."""
    changed = False
    for op in roots_in(module):
        if not isinstance(op, comprehension.BuildOp) or is_sparse(op.result.type):
            continue
        element = op.result.type.get_element_type()
        if domain_of(element) is not None and _runs_over_no_rows(op.body.block):
            _fill(op, zero_of(element))
            changed = True
    return changed


def _runs_over_no_rows(body: Block) -> bool:
    """Return whether a generator of a body runs over a list without rows."""
    return any(
        isinstance(op, comprehension.EachOp) and comprehension.has_no_rows(op.collection)
        for op in body.ops
    )


def _fill(op: comprehension.BuildOp, zero: NumberAttr) -> None:
    """Let every element be `zero`."""
    outside = Builder(InsertPoint.before(op))

    def index(value: int) -> SSAValue:
        number = arith.ConstantOp(IntegerAttr(value, IndexType()))
        return outside.insert(located(number, op)).result

    first, one = index(0), index(1)
    lasts = [outside.insert(located(arith.SubiOp(extent, one), op)).result for extent in op.dims]
    body = Block()
    inside = Builder(InsertPoint.at_end(body))
    indices = [
        inside.insert(located(comprehension.RangeOp(first, last), op)).index for last in lasts
    ]
    element = inside.insert(located(constant_op(zero), op)).result
    inside.insert(located(comprehension.YieldOp(indices, [element]), op))
    op.body.detach_block(0).erase()
    op.body.add_block(body)
