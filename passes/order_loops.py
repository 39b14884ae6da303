"""Settle which loops run in order: ordered ones where that may matter, and no others.

Works at the diablo level.

```mlir
diablo.for ordered %k = %zero to %last {
  %a = diablo.load %A[%i, %k]
  diablo.accumulate add %a, %s          // a sum: the loop becomes a bulk one
}
diablo.for ordered %k = %zero to %last {
  diablo.for %i = %zero to %last {
    diablo.accumulate add %w, %V[%i]
    %v = diablo.load %V[%i]
    diablo.store %v, %W[%i]             // W gets what V has in the last iteration: stays ordered
  }
}
```

An ordered loop becomes a bulk loop if that makes no difference: if there are no two iterations of
which one reads or assigns what the other writes, and which come in the other order then
(`passes/analyses/loops/dependences`). Sums may be taken in any order. Where the first of equal
values is kept, the rows of a list have to stay in order.

A bulk loop becomes an ordered one if it makes no difference either and is the only way to run
it: if a loop in it runs in order and changes a variable that each iteration has for itself, or
goes another way in each. So does a loop in an ordered one that writes elements by a step which that
one computes, as the sieve of Eratosthenes has it: its elements are written where they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import cf, scf
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from diablo.diagnostics import Diagnostic, report
from diablo.dialects import diablo
from diablo.dialects.bags import sorted_columns
from diablo.dialects.comprehension import BagType
from diablo.dialects.defining_blocks import is_made_inside
from diablo.dialects.locations import span_of
from diablo.passes.analyses.loops.dependences import Dependences
from diablo.passes.analyses.loops.loop_accesses import (
    Access,
    Loop,
    Write,
    accesses,
    commute,
    line_of,
    written_refs,
)


@dataclass(frozen=True)
class OrderLoopsPass(ModulePass):
    """Run loops in order where that matters."""

    name = "order-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Settle the order of every nest."""
        for nest in outermost_loops(op):
            if any(_is_ordered(loop) for loop in _loops(nest)):
                _Nest(nest).settle()


def becomes_bulk(loop: Loop) -> bool:
    """Settle the order of a nest that is looked at for a trial; return whether it has none."""
    _Nest(loop, silent=True).settle()
    return not _is_ordered(loop)


def outermost_loops(module: Operation) -> list[Loop]:
    """The loops that stand in no other one."""
    found: list[Loop] = []
    for op in module.walk():
        if isinstance(op, Loop):
            parent = op.parent_op()
            while parent is not None and not isinstance(parent, Loop):
                parent = parent.parent_op()
            if parent is None:
                found.append(op)
    return found


def _loops(nest: Loop) -> list[Loop]:
    return [op for op in nest.walk() if isinstance(op, Loop)]


def has_order(loop: Loop) -> bool:
    """Return whether there is an order in which to go through what a loop does."""
    if not isinstance(loop, diablo.ForeachOp) or loop.sorted is None:
        return True
    type = loop.collection.type
    return isinstance(type, BagType) and bool(sorted_columns(type, loop.sorted))


def _chooses_by_order(loop: Loop, op: Operation) -> bool:
    """Return whether which of equal values `op` keeps tells if a loop over rows runs in order.

    Rows without an index are told apart by what belongs to their values, where they are looked at
    together, but one that comes later is not taken for what is there already.
    """
    if not isinstance(loop, diablo.ForeachOp) or not isinstance(op, diablo.AccumulatePartsOp):
        return False
    return isinstance(loop.collection.type, BagType) and bool(op.starts)


def _is_ordered(loop: Loop) -> bool:
    return loop.ordered is not None


class _Nest:
    """The loops of one nest."""

    def __init__(self, nest: Loop, *, silent: bool = False):
        self.nest = nest
        self.silent = silent
        self.dependences = Dependences(nest)
        self.accesses = list(accesses(nest))
        self.ordered = {loop for loop in _loops(nest) if _is_ordered(loop)}

    def settle(self) -> None:
        """Make ordered loops bulk ones, the innermost first, and then bulk loops ordered ones."""
        for loop in reversed(_loops(self.nest)):
            if loop in self.ordered:
                self._relax(loop)
        for loop in _loops(self.nest):
            if loop in self.ordered or not has_order(loop):
                continue
            if self._must_be_ordered(loop):
                self._tighten(loop, "one in it takes steps that differ between iterations")
            elif self._had_better_be_ordered(loop):
                self._tighten(loop, "it goes by a step that is another one each time")

    def _relax(self, loop: Loop) -> None:
        reason = self._needs_order(loop)
        if reason is not None:
            self._remark(loop, f"this loop runs in order: {reason}")
            return
        self.ordered.discard(loop)
        loop.ordered = None

    def _needs_order(self, loop: Loop) -> str | None:
        """Why the iterations of an ordered loop must follow each other, if they must."""
        for op in loop.body.walk():
            match op:
                case scf.WhileOp():
                    return f"there is a `while` in it{line_of(op)}"
                case cf.AssertOp():
                    return "what is done in it is checked in each iteration"
                case diablo.ForOp() | diablo.ForeachOp() if op in self.ordered:
                    return f"a loop in it does{line_of(op)}"
                case diablo.AccumulatePartsOp() if _chooses_by_order(loop, op):
                    return f"of equal values the first or last row is kept{line_of(op)}"
                case diablo.StoreOp() if not op.indices and not _declared_in(op.ref, loop):
                    name = self._access_of(op).name
                    return f"{name} is assigned in each iteration{line_of(op)}"
                case _:
                    pass
        less = self.ordered - {loop}
        for first, second in self._pairs(loop):
            conflict = self.dependences.differ(first, second, self.ordered, less)
            if conflict is not None:
                if first is second:
                    return f"{first.name} is assigned in several iterations{line_of(first.op)}"
                reads = first if not isinstance(first.op, Write) else second
                writes = second if reads is first else first
                verb = "written" if isinstance(reads.op, Write) else "read"
                be = "is" if conflict.is_certain else "may be"
                return (
                    f"{writes.name}{line_of(writes.op)} {be} {verb} as {reads.name} in another"
                    f" iteration{line_of(reads.op)}"
                )
        return None

    def _remark(self, loop: Loop, message: str) -> None:
        if not self.silent:
            report(Diagnostic("remark", message, span_of(loop)))

    def _access_of(self, op: Operation) -> Access:
        return next(access for access in self.accesses if access.op is op)

    def _pairs(self, loop: Loop) -> Sequence[tuple[Access, Access]]:
        """The pairs of accesses in a loop of which the order may matter, in that of the text."""
        inside = [access for access in self.accesses if loop in access.loops]
        return [
            (first, second)
            for number, second in enumerate(inside)
            for first in inside[: number + 1]
            if first.overlaps(second) and not commute(first, second)
        ]

    def _must_be_ordered(self, loop: Loop) -> bool:
        """Return whether an ordered loop in a bulk one takes other steps in each of its iterations.

        So it does where it changes a variable of the iteration, goes by a step that is computed,
        or through rows that are found in the iteration.
        """
        for inner in _loops(loop):
            if inner not in self.ordered or inner is loop:
                continue
            if isinstance(inner, diablo.ForOp):
                own_rows = inner.by is not None
            else:
                own_rows = _is_made_in(inner.collection, loop)
            if own_rows or any(
                _declared_between(ref, loop, inner) for op in inner.walk() for ref in _refs(op)
            ):
                return True
        return False

    def _had_better_be_ordered(self, loop: Loop) -> bool:
        """Return whether a loop in an ordered one writes elements by a step that that computes.

        As a bulk loop it makes rows of them, each with its index; in order it writes where they
        are, by the machine code of the loop around it.
        """
        if not isinstance(loop, diablo.ForOp) or loop.by is None or len(_loops(loop)) > 1:
            return False
        outer = loop.parent_op()
        while outer is not None and outer not in self.ordered:
            outer = outer.parent_op()
        if not isinstance(outer, Loop) or not _is_made_in(loop.by, outer):
            return False
        written = [op for op in loop.walk() if isinstance(op, Write)]
        return all(isinstance(op, diablo.StoreOp | diablo.AccumulateOp) for op in written)

    def _tighten(self, loop: Loop, reason: str) -> None:
        more = self.ordered | {loop}
        if any(_chooses_by_order(loop, op) for op in loop.body.walk()):
            return
        for first, second in self._pairs(loop):
            if self.dependences.differ(first, second, more, self.ordered) is not None:
                return
        self.ordered.add(loop)
        loop.ordered = UnitAttr()
        self._remark(loop, f"this loop runs in order: {reason}")


def _refs(op: Operation) -> list[SSAValue]:
    return written_refs(op) if isinstance(op, Write) else []


def _declared_in(ref: SSAValue, loop: Loop) -> bool:
    return isinstance(ref.owner, Operation) and is_made_inside(ref, loop)


def _declared_between(ref: SSAValue, outer: Loop, inner: Loop) -> bool:
    """Return whether a variable is declared in the body of `outer`, but not in that of `inner`."""
    return _declared_in(ref, outer) and not _declared_in(ref, inner)


def _is_made_in(value: SSAValue, loop: Loop) -> bool:
    """Return whether a value is made in a loop, and is not that of a variable from outside."""
    owner = value.owner
    if isinstance(owner, diablo.LoadOp) and not owner.indices and not _declared_in(owner.ref, loop):
        return False
    return is_made_inside(value, loop)
