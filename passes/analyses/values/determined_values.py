"""Analysis: which values of a row does a key determine?

Two rows that agree in the key then agree in these values as well. The index of an array, or
the key of a map, determines the element; what is computed without randomness from determined
values is determined; and an equality guard carries over from one side to the other. A key
that determines the variables of every generator is *unique*: no two rows have it.

```mlir
%i, %j, %a = comprehension.each %A : tensor<?x?xf64>
%jj, %b = comprehension.each %B : tensor<?xf64>
comprehension.guard %same                       // %jj == %j
```

The key `(%i, %j)` determines all five values; `%i` alone determines nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Block, Operation, SSAValue

from diablo.dialects import comprehension
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.index_equalities import equated
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form


def identity_columns(generator: Operation) -> Sequence[SSAValue] | None:
    """The variables that no two rows of a generator or group_by share; `None` if there are none."""
    match generator:
        case comprehension.RangeOp():
            return (generator.index,)
        case comprehension.GroupByOp():
            return tuple(generator.group_keys)
        case comprehension.EachOp():
            type = generator.collection.type
            if isinstance(type, TensorType):
                return tuple(generator.elements)[:-1]
            if isinstance(type, comprehension.BagType) and type.is_map:
                return tuple(generator.elements)[: type.keys.data]
            return None
        case _:
            return ()


def is_generator(op: Operation) -> bool:
    """Return whether `op` binds the variables of a row."""
    return isinstance(op, comprehension.EachOp | comprehension.RangeOp | comprehension.GroupByOp)


def segments_of(block: Block) -> list[list[Operation]]:
    """The ops of a body, cut where groups are made; a group_by begins a segment."""
    segments: list[list[Operation]] = [[]]
    for op in block.ops:
        if isinstance(op, comprehension.GroupByOp):
            segments.append([])
        segments[-1].append(op)
    return segments


class DeterminedValues:
    """The values that `keys` determine in the rows that `ops` make, in any order of the ops."""

    def __init__(self, ops: Sequence[Operation], keys: Iterable[SSAValue]):
        self.ops = ops
        self.made = {result for op in ops for result in op.results}
        self.values: set[SSAValue] = set()
        self.sums: list[LinearForm] = []
        """Sums that are determined."""
        self.rows: set[Operation] = set()
        """Generators over lists of which one row at most agrees with what is determined."""
        for key in keys:
            self.add(key)
        self._close()

    def has(self, value: SSAValue) -> bool:
        """Return whether `value` is determined, be it that it is the same in all rows."""
        return value in self.values or value not in self.made

    def unique(self) -> bool:
        """Return whether every generator is determined: no two rows have the same key."""
        return all(
            all(map(self.has, columns)) if columns is not None else op in self.rows
            for op in self.ops
            if is_generator(op)
            for columns in [identity_columns(op)]
        )

    def close(self) -> None:
        """Find all values that those which are determined determine."""
        self._close()

    def add(self, value: SSAValue) -> bool:
        """Note that `value` is determined, and what it is computed from one to one."""
        if self.has(value):
            return False
        self.values.add(value)
        match value.owner:
            case comprehension.PackOp() as pack:
                for part in pack.parts:
                    self.add(part)
            case _:
                self.sums.append(linear_form(value))
        return True

    def _add_all(self, values: Iterable[SSAValue]) -> bool:
        size = len(self.values)
        for value in values:
            self.add(value)
        return len(self.values) > size

    def _solve(self, zero: LinearForm) -> bool:
        """Given that a sum is determined, so is the one term that was not."""
        unknown = [value for value in zero.terms if not self.has(value)]
        return len(unknown) == 1 and self.add(unknown[0])

    def _close(self) -> None:
        changed = True
        while changed:
            changed = False
            for form in tuple(self.sums):
                changed |= self._solve(form)
            for op in self.ops:
                if isinstance(op, comprehension.GuardOp):
                    changed |= self._guard(op)
                elif is_generator(op):
                    if self._binds_one_row(op):
                        changed |= self._add_all(op.results)
                elif all(map(self.has, used_values(op))):
                    changed |= self._add_all(op.results)

    def _binds_one_row(self, generator: Operation) -> bool:
        """Return whether what a generator binds is determined by variables that are."""
        columns = identity_columns(generator)
        if columns is None or not all(map(self.has, columns)):
            return False
        return not isinstance(generator, comprehension.EachOp) or self.has(generator.collection)

    def _guard(self, guard: comprehension.GuardOp) -> bool:
        sides = equated(guard.condition)
        if sides is None:
            return False
        left, right = map(linear_form, sides)
        return self._equate(*sides) or self._solve(left - right)

    def _equate(self, a: SSAValue, b: SSAValue) -> bool:
        if self.has(a) == self.has(b):
            return False
        return self.add(b) if self.has(a) else self.add(a)
