"""Choose how distributed arrays and bags that one operation reads come together.

Works at the tensor_block level, on what `place-arrays` left distributed; the attributes that it
sets are read by `convert-tensor-block-to-spark`.

```mlir
%C = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l)
       ins(%A[d0, d2] : …, %B[d2, d1] : …)             // A: 4000 x 4000, B: sparse, 4000 x 4000
```

gets `{tensor_block.join = "replicate"}`, and a remark that says what each way would take, how long,
in how many tasks, and with how many bytes that are moved; the arithmetic is the same in all:

    replicate: about 1.8 s with 8 of 8 tasks at a time (128 Gflop, 977 MiB moved); it would be …

The ways are those of `distribution_plan.py`, and one more: arrays that are all read along one
reduced dimension can be cut into *strips* along that. Partitions are zipped, no array is shuffled
if its tiles are whole rows, and the parts of the result are summed up by a tree, or by the driver
if they are small; such is the product of two tall matrices, `A.t @ B`. The ways are compared by the
time that they take (`join_costs.py`): bytes that are moved, arithmetic shared by no more tasks than
have work, parts that are combined, and stages. Sizes come from `size_estimates.py`; where one is
not known, tiles go to those of the result if they can, and a remark names the ways. Arrays that lie
alike are not asked about: nothing moves. Of a join of bags either side may be sent whole, if it
surely has few rows; which of them has few when the program runs, `convert-tensor-block-to-spark`
leaves open if the driver will know.

With `force="broadcast"` (or `replicate`, `reduce`, `strips`; of bags `broadcast` or any other) it
is that way wherever it is possible. No choice changes what a program computes, but for the order in
which sums are rounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from diablo.costs import ELEMENT_BYTES, MOST_SENT_BYTES, MOST_WITH_DRIVER
from diablo.diagnostics import CompileError, Diagnostic, size_text
from diablo.dialects import tensor_block
from diablo.dialects.access_maps import picks_dimensions
from diablo.dialects.locations import remark
from diablo.passes.analyses.plans.distribution_plan import JOINS, Plan, Reads, plans
from diablo.passes.analyses.plans.join_costs import Cost, OpSizes, op_sizes
from diablo.passes.analyses.plans.joined_reads import JOIN, STAYS, array_reads, reads_of
from diablo.passes.analyses.plans.size_estimates import has_few_rows
from diablo.passes.analyses.plans.strip_groups import (
    STRIPS,
    folded_dimension,
    mark_strips,
    next_group,
)


@dataclass(frozen=True)
class ChooseJoinPass(ModulePass):
    """Choose how distributed arrays and bags that one operation reads come together."""

    name = "choose-join"
    force: str | None = None
    """The way that is taken wherever it is possible: broadcast, replicate, reduce or strips."""
    tasks: int = 8
    """How many tasks run at a time."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Choose for each op of a function that reads several distributed values."""
        if self.force is not None and self.force not in JOINS:
            ways = ", ".join(JOINS)
            message = f"there is no join {self.force!r}: it is one of {ways}"
            raise CompileError([Diagnostic("error", message, None)])
        groups = count(next_group(op))
        for inner in op.walk():
            if isinstance(inner, tensor_block.JoinOp):
                self._choose_for_bags(inner)
            elif isinstance(inner, tensor_block.IterationOps) and _is_of_driver(inner):
                self._choose_for_arrays(inner, groups)

    def _choose_for_bags(self, op: tensor_block.JoinOp) -> None:
        # With rows that stay without partner each worker would keep all left ones.
        may_send = ["the right side", *(["the left side"] if op.outer is None else [])]
        ways = " or ".join([f"broadcast of {side}" for side in may_send])
        if self.force is not None:
            op.attributes[JOIN] = StringAttr("broadcast" if self.force == "broadcast" else "hash")
        elif has_few_rows(op.right):
            _set(op, "broadcast", 0)
            remark(op, "broadcast of the right side: it has few rows; it could be hash of both")
        elif op.outer is None and has_few_rows(op.left):
            _set(op, "broadcast", 1)
            remark(op, "broadcast of the left side: it has few rows; it could be hash of both")
        elif op.left_keys:
            remark(
                op,
                f"sizes unknown: ways {ways}, hash of both; the program sends a side that it finds"
                " short",
            )

    def _choose_for_arrays(self, op: tensor_block.IterationOps, groups: Iterator[int]) -> None:
        if STRIPS in op.attributes or not all(
            picks_dimensions(map.data) for map in op.indexing_maps
        ):
            return
        arrays = array_reads(op)
        reads = reads_of(op, arrays)
        if len(reads.moved) < 2:
            return
        sizes = op_sizes(op, [array for array, _ in arrays], self.tasks)
        stays = _largest(reads, sizes)
        ways, cut = plans(reads, stays), folded_dimension(op)
        if self.force is not None:
            if self.force == "strips" and cut is not None:
                _set_strips(op, next(groups), cut)
            elif self.force in ways:
                _set(op, self.force, stays)
            return
        names = [*ways, *(["strips"] if cut is not None else [])]
        if len(names) < 2:
            return
        if sizes is None:
            taken = "replicate" if "replicate" in ways else "reduce"
            remark(op, f"sizes unknown: ways {', '.join(names)}; {taken} is taken")
            return
        costs = {name: sizes.cost(plan, reads) for name, plan in ways.items()}
        if "broadcast" in costs and _most_sent(ways["broadcast"], reads, sizes) > MOST_SENT_BYTES:
            del costs["broadcast"]
        if cut is not None and sizes.result <= MOST_WITH_DRIVER * ELEMENT_BYTES:
            costs["strips"] = sizes.cost_in_strips(reads, cut)
        best, *others = sorted(costs, key=lambda name: costs[name].seconds)
        if best == "strips":
            assert cut is not None
            _set_strips(op, next(groups), cut)
        else:
            _set(op, best, stays)
        would = ", ".join(f"{name} {_of_another(costs[name])}" for name in others)
        beside = f"; it would be {would}" if would else ""
        found = costs[best]
        remark(
            op,
            f"{best}: about {_time(found.seconds)} with {found.tasks} of {self.tasks} tasks at a "
            f"time ({_count(sizes.operations)}flop, {size_text(found.moved)} moved){beside}",
        )


def _is_of_driver(op: Operation) -> bool:
    """Return whether an op is distributed itself, and not in the body of one that is."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, func.FuncOp):
        if isinstance(parent, tensor_block.IterationOps):
            return False
        parent = parent.parent_op()
    return True


def _largest(reads: Reads, sizes: OpSizes | None) -> int:
    """Return the array that stays in a broadcast: that of most bytes, else of most dimensions."""
    if sizes is None:
        return max(reads.moved, key=lambda k: (len(reads.dims[k]), -k))
    return max(reads.moved, key=lambda k: (sizes.arrays[k], -k))


def _most_sent(plan: Plan, reads: Reads, sizes: OpSizes) -> int:
    sent = [k for k, how in enumerate(plan.deliveries) if how == "broadcast"]
    return max([sizes.arrays[k] for k in sent if not reads.goes_whole(k)], default=0)


def _set(op: Operation, join: str, stays: int) -> None:
    op.attributes[JOIN] = StringAttr(join)
    if join == "broadcast":
        op.attributes[STAYS] = IntegerAttr(stays, i64)


def _set_strips(op: tensor_block.IterationOps, group: int, cut: int) -> None:
    assert isinstance(op, tensor_block.ReduceOp)
    op.attributes[JOIN] = StringAttr("strips")
    mark_strips(op, group, cut)


def _of_another(cost: Cost) -> str:
    """What a way takes that is not taken; what is computed is the same in all."""
    tasks = "1 task" if cost.tasks == 1 else f"{cost.tasks} tasks"
    return f"{_time(cost.seconds)} ({tasks}, {size_text(cost.moved)})"


def _count(number: float) -> str:
    """A number with the prefix of a unit.

    >>> _count(128e9), _count(5e4), _count(12)
    ('128 G', '50 k', '12 ')
    """
    prefixes = ["P", "T", "G", "M", "k", ""]
    while number >= 1000 and len(prefixes) > 1:
        number /= 1000
        prefixes.pop()
    return f"{number:.3g} {prefixes[-1]}"


def _time(seconds: float) -> str:
    """A time as it is read most easily.

    >>> _time(0.0312), _time(1.93), _time(740.0)
    ('31 ms', '1.9 s', '740 s')
    """
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds:,.0f} s"
