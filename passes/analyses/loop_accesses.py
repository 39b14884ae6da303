"""Analysis: what the statements of a loop nest read and write, and when that is the same.

Works on the diablo level. In

```mlir
diablo.for %i = %one to %last {
  %before = diablo.load %V[%i - 1]
  diablo.store %next, %V[%i]
}
```

the load and the store are *accesses* of `V[i-1]` and `V[i]`, which touch the same element where
the store is one iteration before the load: their *distance* is -1. The subscripts that can be
compared have the form `i + c`; one of another form may be anything. Of a tuple only the leaves
count that are used. A variable that is declared in a loop's body is another one in every
iteration, so that only the loops inside the declaration bear on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects import tensor
from xdsl.dialects.builtin import IntegerAttr, TensorType
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from diablo.dialects import comprehension, diablo
from diablo.dialects.bags import BagType
from diablo.passes.analyses.affine_values import affine_form

Loop = diablo.ForOp | diablo.ForeachOp
Write = diablo.StoreOp | diablo.AccumulateOp | diablo.AccumulatePartsOp


@dataclass(frozen=True)
class Variable:
    """What tells the iterations of a loop apart: an index, or a row's place (no value).

    The step is `None` if it is computed.
    """

    index: SSAValue | None
    step: int | None = 1


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
        """How the source would write the place: `V[i-1]`."""
        owner = self.ref.owner
        name = owner.sym_name.data if isinstance(owner, diablo.VarOp) else "a variable"
        if not self.keys:
            return name
        return f"{name}[{','.join(map(_subscript_text, self.keys))}]"

    def overlaps(self, other: Access) -> bool:
        """Whether both touch the same variable, and of tuples a common leaf."""
        if self.ref is not other.ref:
            return False
        if self.leaves is None or other.leaves is None:
            return True
        return not self.leaves.isdisjoint(other.leaves)


def _subscript_text(subscript: SSAValue) -> str:
    if isinstance(subscript.owner, comprehension.StringOp):
        return f'"{subscript.owner.value.data}"'
    base, offset = affine_form(subscript)
    if base is None:
        return str(offset)
    name = base.name_hint
    if name is None:
        return "…"
    return name if offset == 0 else f"{name}{offset:+d}"


def variables(loop: Loop) -> list[Variable]:
    """The variables of a loop, the slowest first."""
    args = loop.body.block.args
    if isinstance(loop, diablo.ForOp):
        if loop.by is not None:
            return [Variable(args[0], None)]
        return [Variable(args[0], 1 if loop.step is None else loop.step.value.data)]
    collection = loop.collection.type
    if isinstance(collection, TensorType):
        return [Variable(index) for index in args[:-1]]
    if isinstance(collection, BagType) and collection.is_map:
        return [Variable(key) for key in args[: collection.keys.data]]
    return [Variable(None)]


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
                for ref in op.refs:
                    yield _access(nest, op, ref, (), position)
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


# --- Distances ---------------------------------------------------------------------------------


def common_variables(first: Access, second: Access) -> list[Variable]:
    """The variables of the loops around both accesses."""
    shared = [loop for loop in first.loops if loop in second.loops]
    return [variable for loop in shared for variable in variables(loop)]


def distances(write: Access, other: Access) -> list[int | None] | None:
    """Iterations of the write minus that of the other access, where both touch one element.

    One distance per variable, `None` where it may be any; no list if they never do.
    """
    common = common_variables(write, other)
    found: dict[SSAValue, int] = {}
    for mine, theirs in zip(write.keys, other.keys, strict=False):
        (base, offset), (other_base, other_offset) = affine_form(mine), affine_form(theirs)
        if base is not other_base:
            if base is None and _never(other_base, offset - other_offset):
                return None
            if other_base is None and _never(base, other_offset - offset):
                return None
            if _different_strings(base, other_base):
                return None
            continue
        distance = other_offset - offset
        variable = next((v for v in common if v.index is base and base is not None), None)
        if variable is None:
            invariant = base is None or not any(
                base is v.index for loop in write.loops for v in variables(loop)
            )
            if invariant and distance != 0 and not varies(base, write.loops):
                return None
            continue
        assert base is not None
        if variable.step is not None and distance % variable.step:
            return None
        if found.setdefault(base, distance) != distance:
            return None
    return [_iterations(v, None if v.index is None else found.get(v.index)) for v in common]


def _iterations(variable: Variable, distance: int | None) -> int | None:
    """How many iterations lie between two indices."""
    if not distance:
        return distance
    return None if variable.step is None else distance // variable.step


def _different_strings(mine: SSAValue | None, theirs: SSAValue | None) -> bool:
    """Whether two keys are strings that are written out, and not the same."""
    owners = [value.owner for value in (mine, theirs) if value is not None]
    strings = [owner.value.data for owner in owners if isinstance(owner, comprehension.StringOp)]
    return len(strings) == 2 and strings[0] != strings[1]


def _never(index: SSAValue | None, value: int) -> bool:
    """Whether the index of a `for` with constant bounds is never `value`."""
    owner = index.owner if isinstance(index, BlockArgument) else None
    loop = owner.parent_op() if owner is not None else None
    if not isinstance(loop, diablo.ForOp) or loop.by is not None:
        return False
    (low, least), (high, most) = affine_form(loop.lower), affine_form(loop.upper)
    if isinstance(loop.step, IntegerAttr) and loop.step.value.data < 0:
        (low, least), (high, most) = (high, most), (low, least)
    return (low is None and value < least) or (high is None and value > most)


def varies(base: SSAValue | None, loops: Sequence[Loop]) -> bool:
    """Whether `base` is computed inside one of the loops, or is a column of their rows."""
    if base is not None and isinstance(base.owner, comprehension.StringOp):
        return False
    if isinstance(base, BlockArgument):
        return base.block.parent_op() in loops
    if not isinstance(base, OpResult):
        return False
    parent = base.op.parent_op()
    while parent is not None:
        if parent in loops:
            return True
        parent = parent.parent_op()
    return False


def may_be(distances: Sequence[int | None], sign: int) -> bool:
    """Whether the write's iteration may be before (-1) or after (1) the other access's."""
    for distance in distances:
        if distance is None:
            return True
        if distance != 0:
            return (distance > 0) == (sign > 0)
    return False
