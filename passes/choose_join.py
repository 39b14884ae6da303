"""Choose how distributed arrays and bags that one operation reads come together.

Works at the tensor_block level, on what `place-arrays` left distributed; the attributes that it
sets are read by `convert-tensor-block-to-spark`.

```mlir
%C = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l)
       ins(%A[d0, d2] : …, %B[d2, d1] : …)             // A: 4000 x 4000, B: sparse, 4000 x 4000
```

gets `{tensor_block.join = "replicate"}`, and a remark that names what each way would move:

    replicate: about 375 MiB are moved; it would be broadcast 387 MiB, reduce 745 MiB

The ways are those of `distribution_plan.py`, compared by the bytes that are sent, collected and
written for a shuffle, stages counted as bytes as well. Sizes come from `size_estimates.py`; where
one is not known, tiles go to those of the result if they can. Arrays that lie alike are not asked
about: nothing moves. Of a join of bags either side may be sent whole, if it surely has few rows;
which of them has few when the program runs, `convert-tensor-block-to-spark` leaves open if the
driver will know.

With `force="broadcast"` (or `replicate`, `reduce`; of bags `broadcast` or any other) it is that way
wherever it is possible. No choice changes what a program computes, but for the order in which sums
are rounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, prod

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from diablo.diagnostics import CompileError, Diagnostic
from diablo.dialects import tensor_block
from diablo.dialects.access_maps import picks_dimensions
from diablo.dialects.locations import remark
from diablo.passes.analyses.plans.distribution_plan import JOINS, Plan, Reads, plans
from diablo.passes.analyses.plans.joined_reads import JOIN, STAYS, array_reads, reads_of
from diablo.passes.analyses.plans.size_estimates import (
    ELEMENT_BYTES,
    extent_number,
    has_few_rows,
    stored_bytes,
)
from diablo.passes.analyses.plans.strip_groups import STRIPS

WORKERS = 8
"""How many tasks are taken to run at a time: where the program is compiled nobody knows."""
STAGE_BYTES = 4 << 20
"""So many bytes are moved in the time that a stage takes to be planned and started."""
MOST_SENT = 1 << 28
"""An array of more bytes is not sent to every worker."""


@dataclass(frozen=True)
class _Sizes:
    """What is known of an op: how long its dimensions are, and how many bytes its arrays take."""

    extents: tuple[int, ...]
    arrays: tuple[int, ...]
    result: int
    collected: bool
    """Whether the driver gets the result, and combines parts of it itself."""

    def tiles(self, d: int) -> int:
        """Return into how many tiles a dimension is cut, if as many as run at a time are made."""
        edge = ceil(max(self.extents) / ceil(WORKERS**0.5))
        return ceil(self.extents[d] / max(1, edge))

    def moved(self, plan: Plan, reads: Reads) -> int:
        """Return about how many bytes a plan moves, with what its stages take."""
        total, stages = 0, 0
        shuffles = "rekey" in plan.deliveries
        for k, how in enumerate(plan.deliveries):
            if how == "broadcast" and not reads.goes_whole(k):
                total += self.arrays[k] * (1 + WORKERS)
                stages += 1
            elif shuffles and how != "broadcast":
                missing = [d for d in plan.key if d not in reads.dims[k]]
                total += self.arrays[k] * prod(map(self.tiles, missing))
        stages += shuffles
        parts = prod(self.tiles(d) for d in plan.key if d >= reads.parallel)
        if 0 < reads.parallel < plan.rank:
            total += self.result * min(parts, WORKERS)
            stages += not self.collected
        return total + stages * STAGE_BYTES


@dataclass(frozen=True)
class ChooseJoinPass(ModulePass):
    """Choose how distributed arrays and bags that one operation reads come together."""

    name = "choose-join"
    force: str | None = None
    """The way that is taken wherever it is possible: broadcast, replicate or reduce."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Choose for each op of a function that reads several distributed values."""
        if self.force is not None and self.force not in JOINS:
            ways = ", ".join(JOINS)
            message = f"there is no join {self.force!r}: it is one of {ways}"
            raise CompileError([Diagnostic("error", message, None)])
        for inner in op.walk():
            if isinstance(inner, tensor_block.JoinOp):
                self._choose_for_bags(inner)
            elif isinstance(inner, tensor_block.IterationOps) and _is_of_driver(inner):
                self._choose_for_arrays(inner)

    def _choose_for_bags(self, op: tensor_block.JoinOp) -> None:
        if self.force is not None:
            op.attributes[JOIN] = StringAttr("broadcast" if self.force == "broadcast" else "hash")
        elif has_few_rows(op.right):
            _set(op, "broadcast", 0)
        elif op.outer is None and has_few_rows(op.left):
            # With rows that stay without partner each worker would keep all left ones.
            _set(op, "broadcast", 1)

    def _choose_for_arrays(self, op: tensor_block.IterationOps) -> None:
        if STRIPS in op.attributes or not all(
            picks_dimensions(map.data) for map in op.indexing_maps
        ):
            return
        arrays = array_reads(op)
        reads = reads_of(op, arrays)
        if len(reads.moved) < 2:
            return
        sizes = _sizes(op, [array for array, _ in arrays])
        stays = _largest(reads, sizes)
        ways = plans(reads, stays)
        if self.force is not None:
            if self.force in ways:
                _set(op, self.force, stays)
            return
        if sizes is None or len(ways) < 2:
            return
        moved = {name: sizes.moved(plan, reads) for name, plan in ways.items()}
        if "broadcast" in moved and _most_sent(ways["broadcast"], reads, sizes) > MOST_SENT:
            del moved["broadcast"]
        best, *others = sorted(moved, key=lambda name: moved[name])
        _set(op, best, stays)
        would = ", ".join(f"{name} {_bytes(moved[name])}" for name in others)
        remark(op, f"{best}: about {_bytes(moved[best])} are moved; it would be {would}")


def _is_of_driver(op: Operation) -> bool:
    """Return whether an op is distributed itself, and not in the body of one that is."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, func.FuncOp):
        if isinstance(parent, tensor_block.IterationOps):
            return False
        parent = parent.parent_op()
    return True


def _sizes(op: tensor_block.IterationOps, arrays: list[SSAValue]) -> _Sizes | None:
    """Return what is known of an op, if all of it is."""
    extents = [extent_number(extent) for extent in op.extents]
    taken = [stored_bytes(array) for array in arrays]
    into = op.into if isinstance(op, tensor_block.ScatterReduceOp) else op.extents
    dims = [extent_number(extent) for extent in into][: len(_result_extents(op))]
    if None in extents or None in taken or None in dims:
        return None
    return _Sizes(
        tuple([n or 0 for n in extents]),
        tuple([n or 0 for n in taken]),
        ELEMENT_BYTES * prod([n or 0 for n in dims]),
        not tensor_block.is_tiled(op.result.type),
    )


def _result_extents(op: tensor_block.IterationOps) -> tuple[SSAValue, ...]:
    match op:
        case tensor_block.ScatterReduceOp():
            return tuple(op.into)
        case tensor_block.ReduceOp():
            return tuple(op.extents[: op.parallel.value.data])
        case _:
            return tuple(op.extents)


def _largest(reads: Reads, sizes: _Sizes | None) -> int:
    """Return the array that stays in a broadcast: that of most bytes, else of most dimensions."""
    if sizes is None:
        return max(reads.moved, key=lambda k: (len(reads.dims[k]), -k))
    return max(reads.moved, key=lambda k: (sizes.arrays[k], -k))


def _most_sent(plan: Plan, reads: Reads, sizes: _Sizes) -> int:
    sent = [k for k, how in enumerate(plan.deliveries) if how == "broadcast"]
    return max([sizes.arrays[k] for k in sent if not reads.goes_whole(k)], default=0)


def _set(op: Operation, join: str, stays: int) -> None:
    op.attributes[JOIN] = StringAttr(join)
    if join == "broadcast":
        op.attributes[STAYS] = IntegerAttr(stays, i64)


def _bytes(count: int) -> str:
    """A number of bytes as it is read most easily.

    >>> _bytes(123), _bytes(6_400_000)
    ('123 bytes', '6.1 MiB')
    """
    if count < 1 << 10:
        return f"{count} bytes"
    unit, size = ("KiB", 1 << 10) if count < 1 << 20 else ("MiB", 1 << 20)
    number = count / size
    return f"{number:.1f} {unit}" if number < 100 else f"{number:,.0f} {unit}"
