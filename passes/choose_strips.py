"""Compute operations over the same rows together where these are, in one job.

Works at the tensor_block level, on what `place-arrays` left distributed; the attributes that it
sets are read by `convert-tensor-block-to-spark`.

```mlir
scf.while … {                                                   // X: 400000 x 50, with the workers
  %p = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
         ins(%X[d0, d1], %w[d1]) -> tensor<?xf64>               // X @ w
  %e = tensor_block.map parallel(d0 < %n) ins(%p[d0], %y[d0])   //       - y
  %g = tensor_block.reduce add parallel(d0 < %m) reduced(d1 < %n)
         ins(%X[d1, d0], %e[d1]) -> tensor<?xf64>               // X.t @ (X @ w - y)
```

get `{tensor_block.strips = array<i64: 0, …>}`: the number of their group, and the dimension of each
that is cut, here `d0`, `d0` and `d1`. Apart, they would be two jobs: the driver would put %p
together, and send %e to the same rows that %p comes from. Together, workers have strips of X, each
of whole rows, and a strip of %e is made where it is needed; what is left are parts of %g, which
the driver adds up.

An operation joins a group if it takes one row, or column, of its arrays for each of the group's:
what it reads at the dimension that is cut is in the strip, and all else that it reads the driver
has before, who sends it. It makes a strip of its result, or, if that dimension is reduced, a part
of it. All that leaves the group has to be the driver's.

A group is worth it where an operation folds what another one has folded of tiles before. To cut an
array into strips moves it once. So the array has to be one that the loop around does not change;
without a loop, one so tall that its tiles are whole rows already.

With `force` groups are made wherever that is possible, of a single operation also.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator

from diablo.costs import LEAST_STRIP_ROWS, MOST_IN_STRIP_ROW, soonest_edge
from diablo.dialects import tensor_block
from diablo.dialects.access_maps import picked_dimensions
from diablo.dialects.bags import BagType
from diablo.dialects.effects import has_no_effect
from diablo.dialects.encodings import as_array, is_sparse, is_tiled
from diablo.dialects.locations import remark
from diablo.passes.analyses.loops.trip_counts import loops_around
from diablo.passes.analyses.plans.size_estimates import (
    element_count,
    extent_number,
    extent_numbers,
)
from diablo.passes.analyses.plans.strip_groups import STRIPS, Strip, StripOp, mark_strips
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.all_values import source_name
from diablo.passes.analyses.values.free_values import free_values, used_values


@dataclass
class _Group:
    """Ops of a block that are computed in strips, as far as they are found."""

    block: Block
    rows: int
    """How long the axes are that are cut."""
    inputs: dict[SSAValue, int]
    """The distributed arrays that are read, and along which axis each is cut."""
    apart: set[Operation]
    """Ops that may not be in it."""
    ops: dict[Operation, int] = field(default_factory=dict[Operation, int])
    """The dimension of each that is cut."""
    made: dict[SSAValue, int | None] = field(default_factory=dict[SSAValue, "int | None"])
    """Along which axis each result is cut: none, where strips are combined to it."""
    behind: set[Operation] = field(default_factory=set[Operation])
    """The other ops of the block that need results of these."""

    def grow(self) -> None:
        """Add the ops of the block that go through the strips."""
        for op in self.block.ops:
            if op in self.ops or op.has_trait(IsTerminator):
                continue
            saved = dict(self.inputs), dict(self.ops), dict(self.made), set(self.behind)
            try:
                self._add(op, self._cut_of(op))
                self._find_behind()
            except Refused:
                self.inputs, self.ops, self.made, self.behind = saved
                if self._needs_group(op):
                    self.behind.add(op)
                    if not has_no_effect(op):
                        break  # What follows may rely on what it does.

    def _cut_of(self, op: Operation) -> int:
        """Return the dimension at which an op goes along the strips of what it reads."""
        if not isinstance(op, StripOp):
            raise Refused("it does not iterate")
        known = {**self.inputs, **self.made}
        found = {
            picked[axis]
            for value, map in zip(op.inputs, op.indexing_maps, strict=True)
            if (axis := known.get(value)) is not None
            and (picked := picked_dimensions(map.data)) is not None
        }
        if len(found) != 1:
            raise Refused("it reads no strips, or several for one of its own")
        return found.pop()

    def _add(self, op: Operation, cut: int) -> None:
        """Add an op with what makes the distributed arrays that it reads. Raises `Refused`."""
        if op in self.ops:
            if self.ops[op] != cut:
                raise Refused("it is cut along another dimension")
            return
        if not isinstance(op, StripOp) or op.parent is not self.block:
            raise Refused("it is not one to be computed in strips")
        if op in self.apart or STRIPS in op.attributes:
            raise Refused("it is computed in another way")
        if is_sparse(op.result.type) or op.symbols:
            raise Refused("its result is sparse, or it reads beside the point")
        if extent_number(op.extents[cut]) != self.rows:
            raise Refused("it has not as many rows")
        for value in free_values([op.body]):
            if self._is_of_group(value) or isinstance(value.type, BagType) or is_tiled(value.type):
                raise Refused("it needs the whole of something that workers have parts of")
        for value, map in zip(op.inputs, op.indexing_maps, strict=True):
            picked = picked_dimensions(map.data)
            if picked is None or picked.count(cut) > 1:
                raise Refused("it reads an array in another way than along its axes")
            self._read(value, picked.index(cut) if cut in picked else None)
        self.ops[op] = cut
        self.made[op.result] = Strip(op, cut).axis

    def _read(self, value: SSAValue, axis: int | None) -> None:
        """Let an array be read in strips along an axis, or as a whole. Raises `Refused`."""
        if value in self.made:
            if axis is None or self.made[value] != axis:
                raise Refused("it needs other strips than its own")
        elif self._is_of_group(value):
            raise Refused("it needs what the driver makes of other results")
        elif axis is not None and is_tiled(value.type):
            self._take(value, axis)
        elif is_tiled(value.type) and not _is_vector(value):
            raise Refused("it needs the whole of a distributed array")

    def _take(self, value: SSAValue, axis: int) -> None:
        """Let a distributed array be read along an axis. Raises `Refused` if it cannot be."""
        if is_sparse(value.type):
            raise Refused("a sparse array is not cut into strips")
        if value in self.inputs:
            if self.inputs[value] != axis:
                raise Refused("an array would be cut along several axes")
        elif _is_given(value, self.block):
            if extent_numbers(value)[axis] != self.rows:
                raise Refused("an array has not as many rows")
            self.inputs[value] = axis
        elif isinstance(value.owner, Operation):
            self._add(value.owner, axis)
        else:
            raise Refused("each iteration has another array")

    def _is_of_group(self, value: SSAValue) -> bool:
        owner = value.owner
        return isinstance(owner, Operation) and (owner in self.ops or owner in self.behind)

    def _needs_group(self, op: Operation) -> bool:
        return any(map(self._is_of_group, used_values(op)))

    def _find_behind(self) -> None:
        """Find the ops that need the group. Raises `Refused` if one of the group needs them."""
        self.behind = set()
        for op in self.block.ops:
            if op not in self.ops and not op.has_trait(IsTerminator) and self._needs_group(op):
                self.behind.add(op)
        if any(value.owner in self.behind for op in self.ops for value in used_values(op)):
            raise Refused("something between two of its ops needs the first")
        last = self.in_order()[-1]
        if any(op.is_before_in_block(last) and not has_no_effect(op) for op in self.behind):
            raise Refused("what has an effect between two of its ops needs the first")

    # -- What becomes of it ----------------------------------------------------------------

    def results(self) -> list[Operation]:
        """The ops whose results are needed outside, in the order of the block."""
        return [op for op in self.in_order() if self._leaves(op)]

    def in_order(self) -> list[Operation]:
        """The ops in the order of the block."""
        return [op for op in self.block.ops if op in self.ops]

    def _leaves(self, op: Operation) -> bool:
        users = [_in_block(use.operation, self.block) for use in op.results[0].uses]
        return any(user not in self.ops for user in users)

    def reads_tiles(self, op: Operation) -> bool:
        """Return whether an op reads what lies with the workers."""
        assert isinstance(op, StripOp)
        return any(is_tiled(value.type) for value in op.inputs)

    def _folds_tiles(self, op: Operation) -> bool:
        return isinstance(op, tensor_block.ReduceOp) and self.reads_tiles(op)

    def saved(self) -> int:
        """Return how many folds of tiles need what another one has folded before."""
        folded = set[Operation]()
        count = 0
        for op in self.in_order():
            behind = bool(_makers(op) & folded)
            folds = self._folds_tiles(op)
            count += folds and behind
            if behind or folds:
                folded.add(op)
        return count

    def trim(self) -> None:
        """Leave out what the driver computes of results that it gets anyway."""
        needed = {
            op
            for op in self.ops
            if self.reads_tiles(op)
            or self.made[op.results[0]] is None
            or is_tiled(op.results[0].type)
        }
        for op in reversed(self.in_order()):
            if op in needed:
                needed |= _makers(op)
        for op in list(self.ops):
            if op not in needed:
                del self.ops[op]
                del self.made[op.results[0]]
        read = {value for op in self.ops for value in op.operands}
        self.inputs = {value: axis for value, axis in self.inputs.items() if value in read}
        if self.ops:
            self._find_behind()

    def fits(self, tasks: int) -> bool:
        """Return whether there are strips enough, and none has too long rows."""
        arrays = [*self.inputs, *[v for v in self.made if is_tiled(v.type)]]
        counts = [element_count(array) for array in arrays]
        return self.rows >= LEAST_STRIP_ROWS * tasks and all(
            count is not None and count <= self.rows * MOST_IN_STRIP_ROW for count in counts
        )


def _is_vector(value: SSAValue) -> bool:
    """Return whether an array has one dimension: beside a matrix it is sent to all workers."""
    array = as_array(value.type)
    return array is not None and array.get_num_dims() == 1


def _makers(op: Operation) -> set[Operation]:
    """Return the ops that make what an op uses."""
    owners = {value.owner for value in used_values(op)}
    return {owner for owner in owners if isinstance(owner, Operation)}


def _in_block(op: Operation, block: Block) -> Operation | None:
    """Return the op of a block that is, or holds, another one."""
    while op.parent is not block:
        parent = op.parent_op()
        if parent is None:
            return None
        op = parent
    return op


def _is_given(value: SSAValue, block: Block) -> bool:
    """Return whether an array is the same in each iteration of the loop around, or an argument."""
    owner = value.owner
    loops = loops_around(block)
    return not loops[0].is_ancestor(owner) if loops else isinstance(owner, Block)


def _is_tall(value: SSAValue, axis: int, tasks: int) -> bool:
    """Return whether tiles of an array have whole rows anyway, where so many tasks run at a time.

    Rows are what lies along all axes but the one that is cut.
    """
    known = [extent for extent in extent_numbers(value) if extent is not None]
    others = [extent for other, extent in enumerate(known) if other != axis]
    edge = soonest_edge(tuple(known), tasks)
    return len(known) == len(extent_numbers(value)) and all(extent <= edge for extent in others)


@dataclass(frozen=True)
class ChooseStripsPass(ModulePass):
    """Compute operations over the same rows together, in one job."""

    name = "choose-strips"
    force: bool = False
    """Make groups wherever that is possible."""
    tasks: int = 8
    """How many tasks run at a time."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at the blocks of every function, of the loops in it first."""
        number = 0
        kept: dict[Operation, str] = {}
        for function in op.ops:
            if not isinstance(function, func.FuncOp) or function.is_declaration:
                continue
            if function.sym_visibility is not None and function.sym_visibility.data == "private":
                continue
            for block in list(_blocks(function)):
                while (group := self._best(block, kept)) is not None:
                    _mark(group, number)
                    number += 1
        for last, reason in kept.items():
            if STRIPS not in last.attributes:
                remark(last, f"this is a job of its own: {reason}")

    def _best(self, block: Block, kept: dict[Operation, str]) -> _Group | None:
        """Return the group of a block that saves most, if there is one.

        Of those that are not worth it, `kept` has the last op, with the reason.
        """
        best, most = None, (0, 0)
        for base in dict.fromkeys(_arrays_read(block)):
            for axis, rows in enumerate(extent_numbers(base)):
                if rows is None:
                    continue
                group = self._group(block, base, axis, rows)
                reason = None if group is None or self.force else _why_not(group, self.tasks)
                if group is not None and reason is not None:
                    kept[group.in_order()[-1]] = reason
                elif group is not None and (group.saved() + self.force, rows) > most:
                    best, most = group, (group.saved() + self.force, rows)
        return best

    def _group(self, block: Block, base: SSAValue, axis: int, rows: int) -> _Group | None:
        apart = set[Operation]()
        while True:
            group = _Group(block, rows, {base: axis}, apart)
            group.grow()
            leaving = [op for op in group.results() if is_tiled(op.results[0].type)]
            if not leaving or self.force:
                break
            apart |= set(leaving)
        group.trim()
        return group if group.ops and (self.force or group.saved()) else None


def _why_not(group: _Group, tasks: int) -> str | None:
    """Return why a group is not worth it, if it is not."""
    if not group.fits(tasks):
        return f"{group.rows} rows are too few, or too long, for strips of whole rows"
    once = not loops_around(group.block)
    if once and not all(_is_tall(value, axis, tasks) for value, axis in group.inputs.items()):
        return "to cut an array into strips would move it, for this once"
    return None


def _blocks(function: func.FuncOp) -> Iterator[Block]:
    """Yield the blocks of ops that are distributed themselves, inner ones first."""

    def within(op: Operation) -> Iterator[Block]:
        for region in op.regions:
            for block in region.blocks:
                for inner in block.ops:
                    if isinstance(inner, scf.WhileOp | scf.IfOp):
                        yield from within(inner)
                yield block

    yield from within(function)


def _arrays_read(block: Block) -> Iterator[SSAValue]:
    """Yield the distributed arrays of which an op of a block might read rows."""
    for op in block.ops:
        if isinstance(op, StripOp) and STRIPS not in op.attributes:
            for value in op.inputs:
                if is_tiled(value.type) and not is_sparse(value.type) and _is_given(value, block):
                    yield value


def _mark(group: _Group, number: int) -> None:
    """Bring the ops of a group together, before what needs them."""
    *others, last = group.in_order()
    after: Operation = last
    between = [op for op in group.block.ops if op in group.behind]
    for op in between:
        if op.is_before_in_block(last):
            op.detach()
            Rewriter.insert_op(op, InsertPoint.after(after))
            after = op
    for op in others:
        op.detach()
        Rewriter.insert_op(op, InsertPoint.before(last))
    for op, cut in group.ops.items():
        assert isinstance(op, StripOp)
        mark_strips(op, number, cut)
    names = [name for value in group.inputs if (name := source_name(value)) is not None]
    of = ", ".join(names) or "arrays"
    remark(
        last,
        f"{len(group.ops)} operations over the same {group.rows} rows of {of} are one job: the"
        " workers have strips of whole rows",
    )
