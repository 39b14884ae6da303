"""Which generator of a stretch is next: the one that grows the rows least.

Reads the `comprehension` level.

    %i = range %0 to %last             %i, which nothing ties
    %j = range %i to %next      ==>    %j, few for each %i
    %ii, %jj, %d = each %D             %D, looked up at %i and %j
    guard %ii == %i; guard %jj == %j
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.ir import SSAValue

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.bags import BagType
from diablo.lowering.tensor_block.query.query import Generator, generated, index_variables
from diablo.lowering.tensor_block.rows.row_table import RowTable
from diablo.lowering.tensor_block.rows.row_ties import Ties
from diablo.passes.analyses.values.speculation import can_trap


def bound_variables(generators: Iterable[Generator]) -> set[SSAValue]:
    """Return what some generators bind."""
    return {v for generator in generators for v in generated(generator)}


def next_generator(
    generators: Sequence[Generator],
    guards: Sequence[comprehension.GuardOp],
    table: RowTable,
    ties: Ties,
) -> Generator:
    """The one of `generators` to go through next: bound ones first, ranges last."""
    order = _Order(generators, guards, table, ties)
    return min((g for g in generators if order.is_ready(g)), key=order.cost)


class _Order:
    """What is known of the generators that are left."""

    def __init__(
        self,
        generators: Sequence[Generator],
        guards: Sequence[comprehension.GuardOp],
        table: RowTable,
        ties: Ties,
    ):
        self.generators = generators
        self.guards = guards
        self.table = table
        self.ties = ties
        self.variables = bound_variables(generators)
        self.indices = {v for generator in generators for v in index_variables(generator)}
        self.varying = [
            generator.index
            for generator in generators
            if isinstance(generator, comprehension.RangeOp) and self._varies(generator)
        ]

    def _varies(self, range: comprehension.RangeOp) -> bool:
        """Return whether a range is not the same in all rows."""
        ends = self.table.slice(range.operands)
        return bool(ends.missing or ends.columns)

    def cost(self, generator: Generator) -> tuple[int, ...]:
        """Return how late a generator should be gone through."""
        variables = generated(generator)
        known = sum(self.ties.known(v) is not None for v in variables)
        bound = known >= len(index_variables(generator) or variables)
        waits = self._waits(generator)
        if isinstance(generator, comprehension.RangeOp):
            size = 3
        elif isinstance(generator.collection.type, BagType):
            size = 0
        elif tensor_block.is_sparse(generator.collection.type) and generator.full is None:
            size = 1
        else:
            size = 2
            waits = waits or self._is_narrowed(generator)
        return (not bound, waits, not known, size)

    def _waits(self, generator: Generator) -> bool:
        """Return whether a variable is to equal a computed value (`V[i-1]`) that is not there yet.

        An index of an array waits for the element of another one that it is to equal (`V[W[i]]`),
        too, and is looked up then. What may fail is there once all has been gone through that
        stands before it.
        """
        protected = [pair for _, pair in self.ties.protected]
        for pair in (*self.ties.pending, *protected):
            for one, other in (pair, pair[::-1]):
                if self._is_computed(generator, one, other) and (
                    pair in protected or not self.table.available(other)
                ):
                    return True
        return False

    def _is_computed(self, generator: Generator, one: SSAValue, other: SSAValue) -> bool:
        """Return whether `one` is a variable of a generator, and is to equal a computed value."""
        if one not in generated(generator):
            return False
        is_index = one in index_variables(generator)
        return other not in self.variables or (is_index and other not in self.indices)

    def _is_narrowed(self, generator: Generator) -> bool:
        """Whether an index of a dense array is to be in a range that varies (`j = i-1, i+1`).

        Then few of its elements may be wanted, and are looked up once the range has run.
        """
        indices = index_variables(generator)
        return any(
            one in indices and other in self.varying
            for pair in self.ties.pending
            for one, other in (pair, pair[::-1])
        )

    def is_ready(self, generator: Generator) -> bool:
        """Return whether what the generator runs over is there, and may be computed."""
        needed = self.table.slice(generator.operands)
        if needed.missing:
            return False
        if self.table.bag is None and (needed.ops or needed.columns):
            # Nothing is there to compute it from: ends of ranges that do not vary are cheap.
            return generator is self.generators[0]
        if not any(map(can_trap, needed.ops)):
            return True
        earlier = any(other.is_before_in_block(generator) for other in self.generators)
        return not earlier and not any(g.is_before_in_block(generator) for g in self.guards)
