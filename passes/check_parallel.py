"""Warn where a bulk loop differs from the same loop run one iteration after the other.

Works at the diablo level; changes nothing.

```mlir
diablo.for %i = %one to %last {                  // for i = 1, n-1 do V[i] = V[i-1] + 1.0;
  %before = diablo.load %V[%i - 1]               // warning: this reads V[i-1], written by an
  …                                              //          earlier iteration (line 3)
  diablo.store %next, %V[%i]
}
```

A bulk loop executes its statements one after the other, each over all iterations. A statement
therefore reads what statements before it wrote in *all* iterations, and nothing of what it and
those behind it write. Run sequentially, it would read what *earlier* iterations wrote. The pass
asks `passes/analyses/loops/dependences` for iterations in which the two differ. Where that depends
on values of which nothing is known, as in `A[i+h]`, the warning says that it may be so. Ordered
loops run as they stand. Accumulation with a monoid into an element is no dependence on itself.

A shortest path has no cycle, so `D[i,j] min= D[i,k] + D[k,j]` is taken to leave D[i,k] as it is
where j is k: what reads it may come before or behind that. For what a
monoid absorbs, as the maximum with an element in its minimum, no such assumption is needed.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from diablo.diagnostics import Diagnostic, report
from diablo.dialects import diablo
from diablo.dialects.locations import span_of
from diablo.dialects.monoids import operations
from diablo.dialects.predicates import sides_of
from diablo.monoid_table import MONOIDS, BuiltinMonoid, extremum_monoid, monoid_named
from diablo.passes.analyses.loops.dependences import Conflict, Dependences
from diablo.passes.analyses.loops.loop_accesses import (
    Access,
    Loop,
    Write,
    accesses,
    commute,
    line_of,
)
from diablo.passes.analyses.values.affine_values import same_value
from diablo.passes.order_loops import outermost_loops

_BULK = "a `for` over what it writes runs each statement over all iterations before the next one"

_INSTEAD = "use `while` for one after the other, or a loop of its own for each statement"


class _Check:
    """The dependences of one nest, and the warnings about them."""

    def __init__(self, nest: Loop):
        self.found = list(accesses(nest))
        self.dependences = Dependences(nest)
        loops = [op for op in nest.walk() if isinstance(op, Loop)]
        self.sequential = set(loops)
        self.ordered = {loop for loop in loops if loop.ordered is not None}

    def run(self) -> None:
        """Report what differs."""
        if self.sequential == self.ordered:
            return
        writes = [access for access in self.found if isinstance(access.op, Write)]
        for read in self.found:
            if not isinstance(read.op, Write):
                any(self._check_read(read, write) for write in writes if write.overlaps(read))
        for number, second in enumerate(writes):
            self._check_store(second)
            for first in writes[:number]:
                if first.overlaps(second) and not commute(first, second):
                    self._check_writes(first, second)

    def _conflict(self, first: Access, second: Access) -> Conflict | None:
        return self.dependences.differ(first, second, self.sequential, self.ordered)

    # --- Reads -------------------------------------------------------------------------------

    def _check_read(self, read: Access, write: Access) -> bool:
        """Warn if `read` sees another value than in a sequential run."""
        conflict = self._conflict(read, write)
        if conflict is None or self._is_absorbed(conflict, write):
            return False
        line = line_of(write.op)
        if conflict.first_is_earlier:
            when, seen, may = "a later", "the value it leaves", "may write"
        else:
            when, seen = "an earlier", "the value from before the statement"
            may = "may have written"
        if conflict.is_certain:
            message = f"this reads {read.name}, written by {when} iteration{line}: it sees {seen}"
        else:
            message = f"this reads {read.name}, which {when} iteration {may}{line}: it sees {seen}"
        _warn(read, write, message, f"{write.name} is written here", _hint_for_read(read, write))
        return True

    def _is_absorbed(self, conflict: Conflict, write: Access) -> bool:
        """Return whether what is written in the iterations of a conflict is what has been there."""
        combined = _combined(write)
        if combined is None:
            return False
        monoid, value = combined
        if not isinstance(value, _absorbed(monoid)):
            return False
        which = 0 if conflict.first is write else 1
        return any(
            access.op is operand.owner
            and self.dependences.is_the_same(conflict, which, access, write)
            for operand in value.operands
            for access in self.found
        )

    # --- Writes ------------------------------------------------------------------------------

    def _check_writes(self, first: Access, second: Access) -> None:
        """Warn if what stays in an element is not what a sequential run leaves."""
        conflict = self._conflict(first, second)
        if conflict is None:
            return
        other = "written by a later iteration"
        if not conflict.is_certain:
            other = "which a later iteration may write"
        message = (
            f"this writes {second.name}, {other} as well"
            f"{line_of(first.op)}: what is written here comes last"
        )
        _warn(second, first, message, f"{first.name} is written here", f"{_BULK}; {_INSTEAD}")

    def _check_store(self, write: Access) -> None:
        """Warn if an element is assigned in several iterations, whatever its index is."""
        if not isinstance(write.op, diablo.StoreOp) or not write.keys:
            return
        missing = self.dependences.missing(write)
        if missing is None or self._conflict(write, write) is None:
            return
        names = ", ".join((leaf and leaf.name_hint) or "row" for leaf in missing)
        message = (
            f"{write.name} is written for every {names}, and only the last of the values stays"
        )
        hint = "combine the values with +=, min= or max=, or write an element for each"
        report(Diagnostic("warning", message, span_of(write.op), hint))


def _absorbed(monoid: BuiltinMonoid) -> tuple[type[Operation], ...]:
    """Return what leaves an element as it is if it is done before combining it with itself."""
    others = [m for m in MONOIDS.values() if monoid.absorbs(m) or (monoid.extremum and m.is_sum)]
    return tuple(op for other in others for op in operations(other))


def _combined(write: Access) -> tuple[BuiltinMonoid, Operation | Block] | None:
    """The monoid of an update, in whatever way it is written, and what computes its value."""
    op = write.op
    if isinstance(op, diablo.AccumulateOp) and op.leaves is None:
        return monoid_named(op.monoid.data), op.value.owner
    if not isinstance(op, diablo.StoreOp) or op.leaves is not None:
        return None
    value = op.value.owner
    for monoid in MONOIDS.values():
        if monoid.extremum and isinstance(value, operations(monoid)):
            old = [n for n, operand in enumerate(value.operands) if _is_old(operand, op)]
            return (monoid, value.operands[1 - old[0]].owner) if old else None
    branch = op.parent_op()
    if not isinstance(branch, scf.IfOp) or op.parent_region() is not branch.true_region:
        return None
    test = branch.cond.owner
    if not isinstance(test, arith.CmpfOp | arith.CmpiOp):
        return None
    sides = sides_of(test)
    if sides is None:
        return None
    less, greater = sides
    if _is_old(greater, op) and _same(less, op.value):
        return extremum_monoid("<"), value
    if _is_old(less, op) and _same(greater, op.value):
        return extremum_monoid(">"), value
    return None


def _is_old(value: SSAValue, store: diablo.StoreOp) -> bool:
    """Return whether a value is what stands where a store writes."""
    read = value.owner
    return (
        isinstance(read, diablo.LoadOp)
        and read.ref is store.ref
        and len(read.indices) == len(store.indices)
        and all(same_value(a, b) for a, b in zip(read.indices, store.indices, strict=True))
    )


def _same(a: SSAValue, b: SSAValue) -> bool:
    """Return whether two values of one statement are computed in the same way."""
    left, right = a.owner, b.owner
    if a is b or isinstance(left, Block) or isinstance(right, Block):
        return a is b
    if isinstance(left, diablo.LoadOp) and isinstance(right, diablo.LoadOp):
        pairs = zip(left.indices, right.indices, strict=False)
        return left.ref is right.ref and all(same_value(i, j) for i, j in pairs)
    return (
        left.name == right.name
        and left.properties == right.properties
        and not left.regions
        and len(left.operands) == len(right.operands)
        and all(_same(i, j) for i, j in zip(left.operands, right.operands, strict=True))
    )


def _hint_for_read(read: Access, write: Access) -> str:
    """Return how to say what was meant."""
    if isinstance(write.op, diablo.StoreOp):
        return f"{_BULK}; use `while` for one after the other, or write to another array"
    return f"{_BULK}; {_INSTEAD}"


def _warn(access: Access, other: Access, message: str, note: str, hint: str) -> None:
    notes = (Diagnostic("note", note, span_of(other.op)),)
    report(Diagnostic("warning", message, span_of(access.op), hint, notes))


@dataclass(frozen=True)
class CheckParallelPass(ModulePass):
    """Warn where a bulk loop differs from a sequential one."""

    name = "check-parallel"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Check every outermost `for`."""
        for nest in outermost_loops(op):
            _Check(nest).run()
