"""Analysis: how much work is in a plan, a module at the spark level?

```mlir
%r = func.call @kernel_0(%n, %u)               // 1 func.call
func.func private @kernel_0(%n, %u) {
  map d0 < %n {                                // 1 tensor_block.map, 1 loop of any length
    %t = arith.cmpi slt, %j, %m                // 1 arith.cmpi
```

Two plans of one program can be told apart by it: one that does no more of anything than another
is as good. What costs nothing next to a kernel is not counted: scalars of the driver, index
arithmetic, which is done once per call or row, tests for the box that a kernel goes through, and
powers that are products or roots.
A loop of the driver that is no machine code counts twice. An inner loop over a known number of few
points is written out in machine code, so loops of any other length count. What a kernel reads at
each point counts alike where it is found by the indices and where it is at a place that is
computed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from xdsl.dialects import arith, cf, func, math, scf, tensor
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator

from diablo.dialects import comprehension
from diablo.dialects.number_constants import ConstantOps, is_arithmetic
from diablo.dialects.sparse_storage import LayoutAttr
from diablo.dialects.tensor_block import IterationOps, MapOp, ReduceOp
from diablo.lowering.few_points import FEW
from diablo.lowering.outlined_loops import called_loop, loop_of
from diablo.passes.analyses.loops.body_domains import find_bounds
from diablo.passes.analyses.loops.products import is_product
from diablo.passes.analyses.values.affine_values import constant_value

Work = Counter[str]
"""How often a plan has each kind of operation."""

_READ = "element that is read"

TESTS = (arith.CmpiOp, arith.AndIOp, arith.OrIOp, arith.SelectOp, scf.IfOp)
"""Tests of numbers, and what goes by them: they cost some percent of what a kernel reads.

What is computed or read where they hold counts by itself.
"""

_FREE = (
    ConstantOps
    | arith.AddiOp
    | arith.IndexCastOp
    | arith.MuliOp
    | arith.SubiOp
    | comprehension.StringOp
    | func.FuncOp
    | tensor.DimOp
)


def plan_work(module: ModuleOp) -> Work:
    """Return how much of everything there is in a module at the spark level."""
    work = Work()
    for top in module.ops:
        is_kernel = isinstance(top, func.FuncOp) and top.sym_visibility is not None
        is_loop = isinstance(top, func.FuncOp) and loop_of(top) is not None
        is_kernel = is_kernel and not is_loop
        free = _box_tests(top) if is_kernel else set[Operation]()
        for op in top.walk():
            if isinstance(op, _FREE) or op.has_trait(IsTerminator) or op in free:
                continue
            if not is_kernel and (is_arithmetic(op) or isinstance(op, cf.AssertOp)):
                continue
            if called_loop(op) is not None:
                continue
            if isinstance(op, scf.WhileOp) and not is_loop:
                work["loop of Python's"] += 1
            if not (is_kernel and _is_simple_power(op)):
                work[_words(op)] += 1
            if is_kernel and isinstance(op, IterationOps):
                work["loop of any length"] += _long_loops(op.extents)
                work[_READ] += len(op.inputs)
    return +work


def more_work(plan: Work, other: Work) -> Work:
    """Return what a plan does more of than another one, other than testing numbers.

    A plan for one value knows where its tests hold, and leaves them out; to compile for the value
    takes tens of milliseconds, in which a kernel tests some 10**8 points.
    """
    more = plan - other
    for op in TESTS:
        del more[op.name]
    return more


def _is_simple_power(op: Operation) -> bool:
    """Return whether machine code has products, quotients or a root for a power."""
    exponent = constant_value(op.operands[1]) if isinstance(op, math.PowFOp) else None
    return exponent is not None and abs(exponent) <= 2 and float(2 * exponent).is_integer()


def _long_loops(extents: Sequence[SSAValue]) -> int:
    """Return how many loops of a nest are not written out; the nest as a whole never is."""
    numbers = [constant_value(extent) for extent in extents]
    few = sum(isinstance(number, int) and 0 < number <= FEW for number in numbers)
    return len(numbers) - few or len(numbers)


def _box_tests(kernel: Operation) -> set[Operation]:
    """The tests of a kernel for the boxes that it goes through."""
    tests: set[Operation] = set()
    for op in kernel.walk():
        domain = find_bounds(op) if isinstance(op, MapOp) else None
        choices = [] if domain is None else [block.parent_op() for block in domain.blocks[1:]]
        waiting = [choice.operands[0] for choice in choices if choice is not None]
        while waiting:
            test = waiting.pop().owner
            if isinstance(test, arith.AndIOp | arith.CmpiOp):
                tests.add(test)
                waiting += test.operands
    return tests


def _words(op: Operation) -> str:
    """The name of an op, how it stores what it makes, and whether it is a cheap one of its name."""
    if isinstance(op, tensor.ExtractOp):
        return _READ
    marks = [
        name if isinstance(value, UnitAttr) else f"{name} = {value}"
        for name, value in sorted({**op.attributes, **op.properties}.items())
        if isinstance(value, UnitAttr | LayoutAttr)
    ]
    if isinstance(op, ReduceOp) and is_product(op):
        marks.append("of a product")
    return " ".join([op.name, *marks])
