"""The structure of one comprehension, as the conversion to `tensor_block` reads it.

Reads the `comprehension` level; writes nothing. A comprehension root such as

    comprehension.build (%n) {
      %i, %j, %a = comprehension.each %A          generators
      comprehension.guard %positive                guards
      %g, %as = comprehension.group_by keys(%i) values(%a)
      %s = comprehension.reduce add %as            after the group-by
      comprehension.yield (%g) %s                  head
    }

becomes a `Query`: its generators, its guards apart from the equalities between variables,
the group-by, what follows it, and the head.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from diablo.dialects import comprehension
from diablo.dialects.defining_blocks import is_made_in
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.affine_values import underlying
from diablo.passes.analyses.values.comprehension_structure import Root
from diablo.passes.analyses.values.index_equalities import equated_integers
from diablo.passes.analyses.values.speculation import can_trap

Generator = comprehension.EachOp | comprehension.RangeOp


STORED_ONLY = "only the stored entries of a sparse array take part"
"""Why a map that would visit all points is refused."""


class ComputedKey(Refused):
    """The result is indexed by something else than the indices of arrays and ranges."""


def generated(generator: Generator) -> Sequence[SSAValue]:
    """The variables that a generator binds."""
    if isinstance(generator, comprehension.RangeOp):
        return (generator.index,)
    return tuple(generator.elements)


def index_variables(generator: Generator) -> Sequence[SSAValue]:
    """The variables that a generator binds to indices of an array or a range."""
    if isinstance(generator, comprehension.RangeOp):
        return (generator.index,)
    if isinstance(generator.collection.type, TensorType):
        return tuple(generator.elements)[:-1]
    return ()


def tensor_type(value: SSAValue) -> TensorType[Attribute]:
    """The type of an array value."""
    return cast("TensorType[Attribute]", value.type)


@dataclass
class Query:
    """A comprehension taken apart. `lets` are the pure ops and guards before the group-by."""

    root: Root
    generators: list[Generator] = field(default_factory=list[Generator])
    lets: list[Operation] = field(default_factory=list[Operation])
    equalities: list[tuple[SSAValue, SSAValue]] = field(
        default_factory=list[tuple[SSAValue, SSAValue]]
    )
    group: comprehension.GroupByOp | None = None
    after: list[Operation] = field(default_factory=list[Operation])

    @property
    def block(self) -> Block:
        """The comprehension's one block."""
        return self.root.body.block

    @property
    def head(self) -> comprehension.YieldOp:
        """The row that the comprehension yields."""
        last = self.block.last_op
        assert isinstance(last, comprehension.YieldOp)
        return last

    @property
    def guards(self) -> list[comprehension.GuardOp]:
        """The guards before the group-by that are not equalities between variables."""
        return [op for op in self.lets if isinstance(op, comprehension.GuardOp)]

    def variables(self) -> set[SSAValue]:
        """All that the generators bind."""
        return {value for generator in self.generators for value in generated(generator)}

    def binds(self, value: SSAValue) -> bool:
        """Return whether `value` is computed inside the comprehension."""
        return is_made_in(value, self.block)


def compared(guard: comprehension.GuardOp) -> tuple[SSAValue, SSAValue] | None:
    """The two values that a guard says are equal, if it says that."""
    sides = equated_integers(guard.condition)
    return None if sides is None else (underlying(sides[0]), underlying(sides[1]))


def read_query(root: Root) -> Query:
    """Take `root` apart. Raises `Refused` for a second group-by."""
    query = Query(root)
    for op in root.body.block.ops:
        if isinstance(op, comprehension.YieldOp):
            break
        if any(isinstance(inner, Root) for inner in op.walk()):
            raise Refused("it contains another comprehension")
        if isinstance(op, comprehension.LastOp):
            raise Refused("several rows may have one index, of which the last one is kept")
        if query.group is not None:
            if isinstance(op, comprehension.GroupByOp | comprehension.EachOp):
                raise Refused("a generator or a second group-by follows the group-by")
            query.after.append(op)
        elif isinstance(op, comprehension.EachOp | comprehension.RangeOp):
            query.generators.append(op)
        elif isinstance(op, comprehension.GroupByOp):
            query.group = op
        else:
            query.lets.append(op)
    # An equality that ties a variable is a join. It may be applied before anything else,
    # unless computing its other side could trap where an earlier guard protects it.
    variables = query.variables()
    for guard in query.guards:
        sides = compared(guard)
        if sides is None or not (sides[0] in variables or sides[1] in variables):
            continue
        if not any(can_trap(op) for op in backward_slice(sides, query.block)):
            query.equalities.append(sides)
            query.lets.remove(guard)
    return query


def backward_slice(values: Iterable[SSAValue], block: Block) -> set[Operation]:
    """The ops of `block` that `values` need, nested uses included."""
    needed: set[Operation] = set()
    work = list(values)
    while work:
        value = work.pop()
        if not isinstance(value, OpResult):
            continue
        op: Operation | None = value.op
        while op is not None and op.parent is not block:
            op = op.parent_op()
        if op is None or op in needed or isinstance(op, Generator):
            continue
        if isinstance(op, comprehension.GroupByOp):
            continue
        needed.add(op)
        for inner in op.walk():
            work.extend(inner.operands)
    return needed
