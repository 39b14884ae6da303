"""Analysis: does a sparse array store elements only where another one does?

```mlir
%A0 = comprehension.build (%n, %n) : !sparse { … }          // no rows
%A = comprehension.merge %A0 : !sparse {
  %i, %j, %r = comprehension.each %R : !region              // the stored elements of %R
  …
  comprehension.yield (%i, %j) %v
}
```

`lies_within(%A, %R)`: all that was ever written to `%A` was at an index of `%R`, directly or by
way of an array that lies within `%R` itself. Arrays keep that through branches and loops. An
array is a region to others by what it stores; zeros are not stored. What lies within one side of a
union lies within it (`passes/analyses/sparsity/held_arrays.py`).

`arrays_written_at(root)`: those at whose stored elements alone one comprehension writes: `%R`
above, and an array that is probed, `if (R[i,j]) A[i,j] = v`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from diablo.dialects import comprehension
from diablo.dialects.encodings import as_array
from diablo.dialects.monoids import is_user_defined
from diablo.dialects.tensor_block import is_sparse
from diablo.passes.analyses.sparsity.held_arrays import elements_at_keys, held_arrays
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.determined_values import segments_of
from diablo.passes.analyses.values.index_equalities import IndexEqualities
from diablo.passes.analyses.values.monoid_identities import implicit_constant


def lies_within(array: SSAValue, region: SSAValue) -> bool:
    """Return whether `array` provably stores no element where `region` stores none."""
    return _Within(region).holds(array)


def is_stored_only(each: comprehension.EachOp) -> bool:
    """Return whether a generator runs over the stored elements of a sparse array."""
    return (
        as_array(each.collection.type) is not None
        and each.full is None
        and is_sparse(each.collection.type)
    )


class _Within:
    """One query: what lies within `region`."""

    def __init__(self, region: SSAValue):
        self.held = held_arrays(region)
        self.assumed: set[SSAValue] = set()
        """Arrays that loops carry, of which it is to be shown that each iteration keeps them."""

    def holds(self, array: SSAValue) -> bool:
        """Return whether `array` lies within the region, given what is assumed."""
        if array in self.held or array in self.assumed:
            return True
        if as_array(array.type) is None or not is_sparse(array.type):
            return False
        if isinstance(array, BlockArgument):
            return self._of_argument(array)
        assert isinstance(array, OpResult)
        return self._of_result(array)

    def _of_result(self, array: OpResult) -> bool:
        op = array.op
        match op:
            case comprehension.BuildOp():
                return self._writes_inside(op)
            case comprehension.MergeOp():
                return self.holds(op.dest) and self._writes_inside(op)
            case scf.IfOp():
                ends = [region.block.last_op for region in op.regions if region.blocks]
                return all(e is not None and self.holds(e.operands[array.index]) for e in ends)
            case scf.WhileOp():
                return self._leaves(op, array.index)
            case _:
                return False

    def _leaves(self, loop: scf.WhileOp, position: int) -> bool:
        """Whether what a loop hands on, to its body and behind it, lies within the region."""
        end = loop.before_region.block.last_op
        return isinstance(end, scf.ConditionOp) and self.holds(end.args[position])

    def _of_argument(self, array: BlockArgument) -> bool:
        loop = array.block.parent_op()
        if not isinstance(loop, scf.WhileOp):
            return False
        if array.block is not loop.before_region.block:
            return self._leaves(loop, array.index)
        end = loop.after_region.block.last_op
        assert end is not None
        self.assumed.add(array)
        if self.holds(loop.arguments[array.index]) and self.holds(end.operands[array.index]):
            return True
        self.assumed.discard(array)
        return False

    def _writes_inside(self, root: comprehension.BuildOp | comprehension.MergeOp) -> bool:
        """Return whether `root` writes nothing but zeros outside of the region."""
        head = root.body.block.last_op
        assert isinstance(head, comprehension.YieldOp)
        value = head.values[0]
        written = constant_value(value)
        own = root.properties.get("monoid")
        combined = isinstance(own, StringAttr) and is_user_defined(own.data)
        if not combined and written is not None and written == implicit_constant(value.type):
            return True
        if any(map(_has_no_rows, root.body.block.ops)):
            return True
        if any(map(self.holds, arrays_written_at(root))):
            return True
        return not combined and self._is_zero_outside(value, elements_at_keys(root.body.block))

    def _is_zero_outside(
        self, value: SSAValue, elements: Mapping[SSAValue, comprehension.EachOp]
    ) -> bool:
        """Return whether a value that is written is zero where the region stores nothing."""
        if isinstance(value.owner, arith.OrIOp):
            return all(self._is_zero_outside(side, elements) for side in value.owner.operands)
        return value in elements and self.holds(elements[value].collection)


def _has_no_rows(op: Operation) -> bool:
    """Return whether an op lets a comprehension have no rows."""
    match op:
        case comprehension.GuardOp(condition=condition):
            return constant_value(condition) == 0
        case comprehension.EachOp(collection=collection):
            return comprehension.has_no_rows(collection)
        case _:
            return False


def arrays_written_at(
    root: comprehension.BuildOp | comprehension.MergeOp,
) -> Iterator[SSAValue]:
    """The arrays at whose stored elements alone `root` writes, at the same indices."""
    head = root.body.block.last_op
    assert isinstance(head, comprehension.YieldOp)
    keys: list[SSAValue] = list(head.keys)
    for segment in reversed(segments_of(root.body.block)):
        guards = [op for op in segment if isinstance(op, comprehension.GuardOp)]
        equalities = IndexEqualities(guards)
        for op in segment:
            indices = _indices_where_stored(op, guards)
            if len(indices) == len(keys) > 0 and all(map(equalities.equal, indices, keys)):
                yield op.operands[0]
        group = segment[0] if segment else None
        if not isinstance(group, comprehension.GroupByOp):
            return
        pairs = list(zip(group.group_keys, group.keys, strict=True))
        before = [
            next((old for new, old in pairs if equalities.equal(new, key)), None) for key in keys
        ]
        keys = [key for key in before if key is not None]
        if len(keys) < len(before):
            return


def _indices_where_stored(
    op: Operation, guards: Sequence[comprehension.GuardOp]
) -> Sequence[SSAValue]:
    """The indices at which an op finds the first of its operands to store an element."""
    match op:
        case comprehension.EachOp() if as_array(op.collection.type) is not None:
            *indices, element = op.elements
            stored = is_stored_only(op) or any(guard.condition is element for guard in guards)
            return indices if stored else ()
        case comprehension.ProbeOp() if as_array(op.collection.type) is not None:
            tested = any(guard.condition is op.values[0] for guard in guards)
            return op.keys if tested else ()
        case _:
            return ()
