"""What is said of a loop that is to be dealt out to threads, by whoever writes it.

`diablo.dialects.simt` exports it. Two are attributes of an `scf.for`, where the loop alone does
not show what they say, one of a function:

* `simt.folds`: by which monoids the values that it carries are folded, whatever its body does with
  them. One of the program's own folds as many values as its tuples have parts.
* `simt.fast_atomics`: floats may be added in memory in the order in which threads come;
* `simt.apart`: what iterations store is apart, as no two of them store at one place, and none
  reads what another one stores.

```mlir
%n = "test.op"() : () -> index
%x, %r = "test.op"() : () -> (memref<?xf64>, memref<?xf64>)
%zero = arith.constant 0 : index
%one = arith.constant 1 : index
%count = scf.for %i = %zero to %n step %one iter_args(%at = %zero) -> (index) {
  %e = memref.load %x[%i] : memref<?xf64>
  %positive = arith.cmpf ogt, %e, %e : f64
  %next = scf.if %positive -> (index) {
    memref.store %e, %r[%at] : memref<?xf64>
    %more = arith.addi %at, %one : index
    scf.yield %more : index
  } else {
    scf.yield %at : index
  }
  scf.yield %next : index
} {simt.folds = ["add"], simt.apart}
```
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.dialects.scf import ForOp, IfOp
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

_FOLDS = "simt.folds"
_APART = "simt.apart"
_FAST = "simt.fast_atomics"


def say_folds(loop: ForOp | IfOp, monoids: Sequence[str]) -> None:
    """Note by which monoids a loop folds what it carries, or a branch what it stores."""
    loop.attributes[_FOLDS] = ArrayAttr([StringAttr(name) for name in monoids])


def said_folds(loop: ForOp | IfOp) -> Sequence[str] | None:
    """Return by which monoids a loop folds what it carries, or a branch what it stores, if that is
    said."""
    said = loop.attributes.get(_FOLDS)
    return [name.data for name in said] if isa(said, ArrayAttr[StringAttr]) else None


def allow_fast_atomics(function: FuncOp) -> None:
    """Note that floats may be added in memory in the order in which threads come."""
    function.attributes[_FAST] = UnitAttr()


def allows_fast_atomics(op: Operation) -> bool:
    """Return whether the function around an op says so."""
    while (around := op.parent_op()) is not None and not isinstance(op, FuncOp):
        op = around
    return _FAST in op.attributes


def say_apart(loop: Operation) -> None:
    """Note that what the iterations of a loop store is apart."""
    loop.attributes[_APART] = UnitAttr()


def is_said_apart(loop: ForOp) -> bool:
    """Return whether it is said that what the iterations of a loop store is apart."""
    found: Attribute | None = loop.attributes.get(_APART)
    return found is not None
