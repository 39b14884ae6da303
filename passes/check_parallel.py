"""Warn where a bulk loop differs from the same loop run one iteration after the other.

Works at the diablo level; changes nothing.

```mlir
diablo.for %i = %one to %last {                  // for i = 1, n-1 do V[i] = V[i-1] + 1.0;
  %before = diablo.load %V[%i - 1]               // warning: this reads V[i-1], written by an
  …                                              //          earlier iteration (line 3)
  diablo.store %next, %V[%i]
}
```

A `for` executes its statements one after the other, each over all iterations. A statement
therefore reads what statements before it wrote in *all* iterations, and nothing of what it and
those behind it write. Run sequentially, it would read what *earlier* iterations wrote. The pass
compares the two by the classical dependence tests on affine subscripts `i + c` (Allen and
Kennedy, Optimizing Compilers for Modern Architectures, chapters 2 and 3); a subscript of
another form may be anything. Accumulation with a monoid into an element is no dependence on
itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from diablo.diagnostics import Diagnostic, report
from diablo.dialects import diablo
from diablo.dialects.locations import span_of
from diablo.passes.analyses.affine_values import affine_form

Loop = diablo.ForOp | diablo.ForeachOp
Write = diablo.StoreOp | diablo.AccumulateOp

_BULK = "a `for` runs each statement over all iterations before the next one; `while` is sequential"


@dataclass(frozen=True)
class Variable:
    """What tells the iterations of a loop apart: an index, or a row's place (no value)."""

    index: SSAValue | None
    step: int = 1


@dataclass(frozen=True)
class Access:
    """A read or write of a variable or of an element, inside a nest of loops."""

    op: diablo.LoadOp | Write
    position: int
    loops: tuple[Loop, ...]

    @property
    def name(self) -> str:
        """How the source would write the place: `V[i-1]`."""
        owner = self.op.ref.owner
        name = owner.sym_name.data if isinstance(owner, diablo.VarOp) else "a variable"
        if not self.op.indices:
            return name
        return f"{name}[{','.join(_subscript_text(i) for i in self.op.indices)}]"


def _subscript_text(subscript: SSAValue) -> str:
    base, offset = affine_form(subscript)
    if base is None:
        return str(offset)
    name = base.name_hint
    if name is None:
        return "…"
    return name if offset == 0 else f"{name}{offset:+d}"


def _variables(loop: Loop) -> list[Variable]:
    """The variables of a loop, the slowest first."""
    if isinstance(loop, diablo.ForOp):
        step = 1 if loop.step is None else loop.step.value.data
        return [Variable(loop.body.block.args[0], step)]
    if isinstance(loop.collection.type, TensorType):
        return [Variable(index) for index in loop.body.block.args[:-1]]
    return [Variable(None)]


def _common(first: Access, second: Access) -> list[Variable]:
    """The variables of the loops around both accesses."""
    shared = [loop for loop in first.loops if loop in second.loops]
    return [variable for loop in shared for variable in _variables(loop)]


def _distances(write: Access, other: Access, common: Sequence[Variable]) -> list[int | None] | None:
    """Iterations of the write minus that of the other access, where both touch one element.

    One distance per variable, `None` where it may be any; no list if they never do.
    """
    found: dict[SSAValue, int] = {}
    for mine, theirs in zip(write.op.indices, other.op.indices, strict=False):
        (base, offset), (other_base, other_offset) = affine_form(mine), affine_form(theirs)
        if base is not other_base:
            if base is None and _never(other_base, offset - other_offset):
                return None
            if other_base is None and _never(base, other_offset - offset):
                return None
            continue
        distance = other_offset - offset
        variable = next((v for v in common if v.index is base and base is not None), None)
        if variable is None:
            invariant = base is None or not any(
                base is v.index for loop in write.loops for v in _variables(loop)
            )
            if invariant and distance != 0 and not _varies(base, write.loops):
                return None
            continue
        assert base is not None
        if distance % variable.step or found.setdefault(base, distance) != distance:
            return None
    steps = [None if v.index is None else found.get(v.index) for v in common]
    return [None if d is None else d // v.step for d, v in zip(steps, common, strict=True)]


def _never(index: SSAValue | None, value: int) -> bool:
    """Whether the index of a `for` with constant bounds is never `value`."""
    owner = index.owner if isinstance(index, BlockArgument) else None
    loop = owner.parent_op() if owner is not None else None
    if not isinstance(loop, diablo.ForOp):
        return False
    (low, least), (high, most) = affine_form(loop.lower), affine_form(loop.upper)
    if loop.step is not None and loop.step.value.data < 0:
        (low, least), (high, most) = (high, most), (low, least)
    return (low is None and value < least) or (high is None and value > most)


def _varies(base: SSAValue | None, loops: Sequence[Loop]) -> bool:
    """Whether `base` is computed inside one of the loops."""
    if not isinstance(base, OpResult):
        return False
    parent = base.op.parent_op()
    while parent is not None:
        if parent in loops:
            return True
        parent = parent.parent_op()
    return False


def _may_be(distances: Sequence[int | None], sign: int) -> bool:
    """Whether the write's iteration may be before (-1) or after (1) the other access's."""
    for distance in distances:
        if distance is None:
            return True
        if distance != 0:
            return (distance > 0) == (sign > 0)
    return False


def _accesses(nest: Loop) -> Iterator[Access]:
    """The accesses in a nest, in program order, of variables declared outside it."""
    for position, op in enumerate(nest.walk()):
        if not isinstance(op, diablo.LoadOp | diablo.StoreOp | diablo.AccumulateOp):
            continue
        if isinstance(op.ref.owner, Operation) and nest.is_ancestor(op.ref.owner):
            continue
        loops: list[Loop] = []
        parent = op.parent_op()
        while parent is not None and parent is not nest.parent_op():
            if isinstance(parent, Loop):
                loops.insert(0, parent)
            parent = parent.parent_op()
        yield Access(op, position, tuple(loops))


def _line(op: Operation) -> str:
    span = span_of(op)
    return "" if span is None else f" (line {span.line})"


def _warn(access: Access, other: Access, message: str, note: str) -> None:
    notes = (Diagnostic("note", note, span_of(other.op)),)
    report(Diagnostic("warning", message, span_of(access.op), _BULK, notes))


def _check_read(read: Access, write: Access) -> bool:
    """Warn if `read` sees another value than in a sequential run."""
    common = _common(read, write)
    distances = _distances(write, read, common)
    if distances is None:
        return False
    if read.position < write.position:
        sign, when, seen = -1, "an earlier", "the value from before the statement"
    else:
        sign, when, seen = 1, "a later", "the value it leaves"
    if not _may_be(distances, sign):
        return False
    message = (
        f"this reads {read.name}, written by {when} iteration{_line(write.op)}: it sees {seen}"
    )
    _warn(read, write, message, f"{write.name} is written here")
    return True


def _check_writes(first: Access, second: Access) -> None:
    """Warn if what stays in an element is not what a sequential run leaves."""
    if isinstance(first.op, diablo.AccumulateOp) and isinstance(second.op, diablo.AccumulateOp):
        return
    distances = _distances(first, second, _common(first, second))
    if distances is not None and _may_be(distances, 1):
        message = (
            f"this writes {second.name}, written by a later iteration as well"
            f"{_line(first.op)}: what is written here comes last"
        )
        _warn(second, first, message, f"{first.name} is written here")


def _check_store(write: Access) -> None:
    """Warn if an element is assigned in several iterations."""
    if not isinstance(write.op, diablo.StoreOp) or not write.op.indices:
        return
    bases = [affine_form(index)[0] for index in write.op.indices]
    variables = [v for loop in write.loops for v in _variables(loop)]
    if any(base not in [v.index for v in variables] and base is not None for base in bases):
        return  # a computed subscript: it may be different in each iteration
    missing = [v for v in variables if v.index is None or v.index not in bases]
    if missing:
        names = ", ".join((v.index and v.index.name_hint) or "the rows" for v in missing)
        message = f"{write.name} is written for every {names}, and only one of the values stays"
        report(Diagnostic("warning", message, span_of(write.op)))


def check_nest(nest: Loop) -> None:
    """Report the dependences of one outermost loop."""
    accesses = list(_accesses(nest))
    writes = [a for a in accesses if isinstance(a.op, Write)]
    for read in accesses:
        if isinstance(read.op, diablo.LoadOp):
            of_same = (w for w in writes if w.op.ref is read.op.ref)
            any(_check_read(read, write) for write in of_same)
    for number, second in enumerate(writes):
        _check_store(second)
        for first in writes[:number]:
            if first.op.ref is second.op.ref:
                _check_writes(first, second)


@dataclass(frozen=True)
class CheckParallelPass(ModulePass):
    """Warn where a bulk loop differs from a sequential one."""

    name = "check-parallel"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Check every outermost `for`."""
        for nest in [o for o in op.walk() if isinstance(o, Loop)]:
            parent = nest.parent_op()
            while parent is not None and not isinstance(parent, Loop):
                parent = parent.parent_op()
            if parent is None:
                check_nest(nest)
