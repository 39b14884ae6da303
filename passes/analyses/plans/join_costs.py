"""Analysis: what each way takes in which the arrays that an op reads can meet.

    sizes = op_sizes(op, arrays)               # None, if something is not known
    sizes.cost(plan, reads)                    ->  Cost(seconds=1.93, moved=384000000, tasks=4)
    sizes.cost_in_strips(reads, 2).seconds     ->  0.29

Four things take time: bytes that are collected, sent and written for a shuffle, by as many tasks as
have some; the arithmetic, by as many as there are keys, if no more run at a time than that; parts
of the result that are combined; and stages. The rates are those of `costs.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2, prod

from xdsl.ir import SSAValue

from diablo import costs
from diablo.dialects import tensor_block
from diablo.dialects.access_maps import picked_dimensions
from diablo.passes.analyses.loops.products import is_product
from diablo.passes.analyses.plans.distribution_plan import Plan, Reads
from diablo.passes.analyses.plans.size_estimates import (
    ELEMENT_BYTES,
    extent_number,
    stored_bytes,
    stored_share,
)


@dataclass(frozen=True)
class Cost:
    """What a way takes."""

    seconds: float
    moved: int
    """How many bytes are collected, sent and written for shuffles."""
    tasks: int
    """How many tasks share the arithmetic."""


@dataclass(frozen=True)
class OpSizes:
    """What is known of an op: how long its dimensions are, and how many bytes its arrays take."""

    extents: tuple[int, ...]
    arrays: tuple[int, ...]
    """How many bytes each array takes that is read."""
    dims: tuple[tuple[int, ...], ...]
    """The extents of these, and of the result."""
    result: int
    collected: bool
    """Whether the driver gets the result, and combines parts of it itself."""
    computing: float
    """How many seconds one core computes."""
    operations: float
    """How many additions and multiplications that are."""
    tasks: int
    """How many tasks run at a time."""

    @property
    def edge(self) -> int:
        """The edge of the tiles, which all arrays have that meet."""
        return costs.common_edge([(dims, prod(dims)) for dims in self.dims], self.tasks)

    def tiles(self, d: int) -> int:
        """Return into how many tiles a dimension is cut."""
        return max(1, ceil(self.extents[d] / self.edge))

    def cost(self, plan: Plan, reads: Reads) -> Cost:
        """Return about what a plan takes."""
        at_once = min(self.tasks, self._keys(plan, reads))
        total, moved = self.computing / at_once, 0
        shuffles = "rekey" in plan.deliveries
        stages = 1 + shuffles
        for k, how in enumerate(plan.deliveries):
            if how == "broadcast" and not reads.goes_whole(k):
                sent = 2 * self.arrays[k]  # To the driver, and from it.
                total, moved = total + sent / costs.CROSSING_BYTES, moved + sent
                stages += 1
            elif shuffles and how != "broadcast":
                # A partition gets a tile once, however many of its keys need it.
                missing = prod(self.tiles(d) for d in plan.key if d not in reads.dims[k])
                sent = self.arrays[k] * min(missing, self.tasks)
                total, moved = total + sent / costs.SHUFFLED_BYTES / at_once, moved + sent
        if 0 < reads.parallel < plan.rank:
            parts = min(prod(self.tiles(d) for d in plan.key if d >= reads.parallel), at_once)
            sent = self.result * parts
            moved += sent
            if self.collected and sent <= costs.MOST_COMBINED_BYTES:
                total += sent / costs.CROSSING_BYTES
            else:
                tiles = prod(map(self.tiles, range(reads.parallel)))
                total += sent / costs.SHUFFLED_BYTES / min(tiles, self.tasks)
                stages += 1
        return Cost(total + stages * costs.STAGE_SECONDS, moved, at_once)

    def cost_in_strips(self, reads: Reads, cut: int) -> Cost:
        """Return about what it takes with strips of all arrays along a reduced dimension.

        The tiles of an array are its strips where they have all that lies along its other axes.
        """
        at_once = min(self.tasks, self.tiles(cut))
        total, moved = self.computing / at_once, 0
        stages = 1
        for k in reads.moved:
            if any(self.tiles(d) > 1 for d in reads.dims[k] if d != cut):
                total += self.arrays[k] / costs.SHUFFLED_BYTES / at_once
                moved += self.arrays[k]
                stages += 1
        if self.result * at_once > costs.MOST_COMBINED_BYTES:
            # A tree: half as many have a part after each round.
            rounds = ceil(log2(max(2, at_once)))
            total += rounds * self.result / costs.SHUFFLED_BYTES
            stages += rounds
            total += self.result / costs.CROSSING_BYTES
            moved += at_once * self.result  # All parts but one, and their sum.
        else:
            total += at_once * self.result / costs.CROSSING_BYTES
            moved += at_once * self.result
        if not self.collected:
            total += self.result / costs.CROSSING_BYTES
            moved += self.result
            stages += 1
        return Cost(total + stages * costs.STAGE_SECONDS, moved, at_once)

    def _keys(self, plan: Plan, reads: Reads) -> int:
        """Return how many tasks can share the work: as many as there are tiles that stay, or keys.

        A tile that is worked on where it is, once for each of other dimensions, stays in its task.
        """
        staying = [k for k, how in enumerate(plan.deliveries) if how == "replicate"]
        dims = reads.dims[staying[0]] if staying else plan.key
        return max(1, prod(map(self.tiles, dims)))


def op_sizes(
    op: tensor_block.IterationOps, arrays: Sequence[SSAValue], tasks: int
) -> OpSizes | None:
    """Return what is known of an op that reads some arrays, if all of it is."""
    extents = [extent_number(extent) for extent in op.extents]
    taken = [stored_bytes(array) for array in arrays]
    into = op.into if isinstance(op, tensor_block.ScatterReduceOp) else op.extents
    dims = [extent_number(extent) for extent in into][: _result_rank(op)]
    if None in extents or None in taken or None in dims:
        return None
    known = tuple([n or 0 for n in extents])
    result = tuple([n or 0 for n in dims])
    read = [tuple(picked_dimensions(map.data) or ()) for map in op.indexing_maps]
    return OpSizes(
        known,
        tuple([n or 0 for n in taken]),
        (result, *[tuple([known[d] for d in dims]) for dims in read]),
        ELEMENT_BYTES * prod(result),
        not tensor_block.is_tiled(op.result.type),
        *_computing(op, known, arrays),
        tasks,
    )


def _computing(
    op: tensor_block.IterationOps, extents: Sequence[int], arrays: Sequence[SSAValue]
) -> tuple[float, float]:
    """Return how many seconds a core computes, and what: of sparse arrays what is stored alone."""
    sparse = [array for array in arrays if tensor_block.is_sparse(array.type)]
    stored = min([1.0, *[stored_share(array) for array in sparse]])
    is_fast = isinstance(op, tensor_block.ReduceOp) and not sparse and is_product(op)
    rate = costs.PRODUCT_OPERATIONS if is_fast else costs.OPERATIONS
    operations = 2 * prod(extents) * stored
    return operations / rate, operations


def _result_rank(op: tensor_block.IterationOps) -> int:
    match op:
        case tensor_block.ScatterReduceOp():
            return len(op.into)
        case tensor_block.ReduceOp():
            return op.parallel.value.data
        case _:
            return len(op.extents)
