"""Analysis: what the statements of a loop nest read and write.

Works on the diablo level. In

```mlir
diablo.for %i = %one to %last {
  %before = diablo.load %V[%i - 1]
  diablo.store %next, %V[%i]
}
```

the load and the store are *accesses* of `V[i-1]` and `V[i]`. Of a tuple only the leaves count
that are used. A variable that is declared in a loop's body is another one in every iteration, so
that only the loops inside the declaration bear on it. When two accesses touch the same element
is asked of `dependences`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects import tensor
from xdsl.ir import Operation, SSAValue

from diablo.dialects import comprehension, diablo
from diablo.dialects.locations import span_of
from diablo.passes.analyses.loops.subscript_text import subscript_text

Loop = diablo.ForOp | diablo.ForeachOp
Write = diablo.StoreOp | diablo.AccumulateOp | diablo.AccumulatePartsOp


@dataclass(frozen=True)
class Access:
    """A read or write of a variable or of an element, inside a nest of loops.

    `leaves` are those of a tuple that are touched, if not all are.
    """

    op: Operation
    ref: SSAValue
    keys: tuple[SSAValue, ...]
    position: int
    loops: tuple[Loop, ...]
    leaves: frozenset[int] | None = None

    @property
    def name(self) -> str:
        """How the source writes the place: `V[i-1]`."""
        owner = self.ref.owner
        name = owner.sym_name.data if isinstance(owner, diablo.VarOp) else "a variable"
        if not self.keys:
            return name
        return f"{name}[{','.join(map(subscript_text, self.keys))}]"

    def overlaps(self, other: Access) -> bool:
        """Return whether both touch the same variable, and of tuples a common leaf."""
        if self.ref is not other.ref:
            return False
        if self.leaves is None or other.leaves is None:
            return True
        return not self.leaves.isdisjoint(other.leaves)


def commute(first: Access, second: Access) -> bool:
    """Return whether it does not matter which of two accesses comes first, whatever they touch.

    So it is of two reads, and of two values that are combined with one monoid.
    """
    writes = [access.op for access in (first, second) if isinstance(access.op, Write)]
    if len(writes) < 2:
        return not writes
    if any(isinstance(op, diablo.StoreOp) for op in writes):
        return False
    monoids = {op.monoid.data for op in writes if not isinstance(op, diablo.StoreOp)}
    return len(monoids) == 1 and first.leaves == second.leaves


def line_of(op: Operation) -> str:
    """Return where an op stands, as messages say it: ` (line 7)`."""
    span = span_of(op)
    return "" if span is None else f" (line {span.line})"


def written_refs(op: Write) -> list[SSAValue]:
    """The variables that `op` writes."""
    return op.variables if isinstance(op, diablo.AccumulatePartsOp) else [op.ref]


# --- The accesses of a nest --------------------------------------------------------------------


def accesses(nest: Loop) -> Iterator[Access]:
    """The accesses in a nest, in program order."""
    order = {op: position for position, op in enumerate(nest.walk())}
    for op, position in order.items():
        match op:
            case diablo.LoadOp() if op.indices:
                yield _access(nest, op, op.ref, op.indices, position, _leaves_used(op.result))
            case diablo.LoadOp():
                yield from _loaded(nest, op, order)
            case diablo.StoreOp() | diablo.AccumulateOp():
                written = None
                if op.leaves is not None:
                    first, count = op.leaves
                    written = frozenset(range(first, first + count))
                yield _access(nest, op, op.ref, op.indices, position, written)
            case diablo.AccumulatePartsOp():
                for ref, leaf in zip(op.refs, op.leaves, strict=True):
                    written = None if leaf is None else frozenset([leaf])
                    yield _access(nest, op, ref, op.indices, position, written)
            case _:
                pass


def _loaded(nest: Loop, op: diablo.LoadOp, order: dict[Operation, int]) -> Iterator[Access]:
    """The reads of a whole variable, of which perhaps only elements are used."""
    users = [use.operation for use in op.result.uses]
    for user in users:
        keys: Sequence[SSAValue] = ()
        leaves: frozenset[int] | None = None
        if isinstance(user, tensor.ExtractOp) and user.tensor is op.result:
            keys, leaves = user.indices, _leaves_used(user.result)
        elif isinstance(user, comprehension.ProbeOp) and user.collection is op.result:
            keys, leaves = user.keys, _leaves_used(user.values[0])
        elif isinstance(user, tensor.DimOp):
            continue
        position = order.get(user, order[op])
        yield _access(nest, user if keys else op, op.ref, keys, position, leaves)


def _leaves_used(value: SSAValue) -> frozenset[int] | None:
    """The leaves of a tuple that are used, if it is only taken apart."""
    users = [use.operation for use in value.uses]
    if len(users) == 1 and isinstance(users[0], diablo.RequireOp):
        return _leaves_used(users[0].result)
    if not users or not all(isinstance(user, comprehension.UnpackOp) for user in users):
        return None
    return frozenset(
        number for user in users for number, part in enumerate(user.results) if list(part.uses)
    )


def _access(
    nest: Loop,
    op: Operation,
    ref: SSAValue,
    keys: Sequence[SSAValue],
    position: int,
    leaves: frozenset[int] | None = None,
) -> Access:
    declaration = ref.owner.parent_op() if isinstance(ref.owner, Operation) else None
    loops: list[Loop] = []
    parent = op.parent_op()
    while parent is not None and parent is not nest.parent_op() and parent is not declaration:
        if isinstance(parent, Loop):
            loops.insert(0, parent)
        parent = parent.parent_op()
    return Access(op, ref, tuple(keys), position, tuple(loops), leaves)
