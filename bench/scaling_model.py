"""How long an iteration takes on a cluster of any size, simulated tile by tile.

    cluster = Cluster(machines=100, cores=16, rates=Rates(…))
    pagerank(cluster, nodes=10**8, edges=10**9).seconds

What a program asks of Spark is taken from its plan: which tiles there are is computed by the
runtime's own `choose_block_size`, and which partition gets which of them by its `placement`, so
uneven partitions show. A partition belongs to a machine, in turn. A step lasts as
long as its slowest core, then its busiest link; the driver hands tasks out one after the other.
Nothing overlaps, nothing fails, and no machine is slower than another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, log2, prod
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablo.costs import (
    LARGEST_TILE,
    MOST_COMBINED_BYTES,
    MOST_WITH_DRIVER,
    common_edge,
    largest_edge,
)
from diablo.runtime.program import choose_block_size
from diablo.runtime.program.tile_placement import placement

Bytes = NDArray[np.float64]
WORD = 8
ENTRY = 12
"""Bytes of an entry of a sparse matrix: a number, and where it is in its row of a tile."""


@dataclass(frozen=True)
class Rates:
    """What a core, a link and the driver do in a second."""

    flops: float
    """Floating-point operations of a core in a product of matrices."""
    stream: float
    """Bytes of a dense matrix that a core multiplies with a vector."""
    entries: float
    """Stored entries of a sparse matrix that a core multiplies with a vector."""
    crossing: float
    """Bytes that a core takes from a Python worker to Spark."""
    reading: float
    """Bytes that a core takes from Spark, which keeps them, to a Python worker."""
    shuffling: float
    """Bytes that a core takes from a worker through the files of a shuffle to another worker."""
    task: float
    """Seconds of a core for a task that does nothing."""
    launch: float
    """Seconds of the driver for each task."""
    job: float
    """Seconds of the driver for each job."""
    link: float = 1.25e9
    """Bytes that a link takes each way: 10 Gbit/s."""


@dataclass(frozen=True)
class Cluster:
    """Machines that are all alike, and the driver on one of its own."""

    machines: int
    cores: int
    rates: Rates

    @property
    def parallelism(self) -> int:
        """How many partitions Spark chooses."""
        return max(2, self.slots)

    @property
    def slots(self) -> int:
        """How many tasks run at a time."""
        return self.machines * self.cores

    def busiest(self, partitions: NDArray[np.int64], load: Bytes) -> float:
        """The load of the core that has most, if a partition is one's, in turn."""
        return float(np.bincount(partitions % self.slots, load, self.slots).max())

    def block_size(self, **arrays: Sequence[Sequence[int]]) -> int:
        """The edge of the blocks that a program has there."""
        driver: Any = SimpleNamespace(defaultParallelism=self.parallelism)
        return choose_block_size(driver, None, **arrays)

    def edge_for(self, stored: Mapping[tuple[int, ...], int]) -> int:
        """The edge of the blocks of arrays that meet, of whose extents it is known how many
        elements they store, as `choose_block_size` knows it of a sparse array that the driver has.
        """
        limits = [
            largest_edge(dims, LARGEST_TILE * prod(dims) // count) for dims, count in stored.items()
        ]
        known = [limit for limit in limits if limit is not None]
        return max(1, min([common_edge(stored.items(), self.parallelism), *known]))

    def machine_of(self, partitions: NDArray[np.int64]) -> NDArray[np.int64]:
        """The machine of each partition."""
        return partitions % self.machines

    def partitions_of(self, *counts: int) -> NDArray[np.int64]:
        """The partition of each tile of a grid, in the order of rows."""
        _, grid = placement(counts, self.parallelism)
        return np.array([grid(key) for key in np.ndindex(*counts)], np.int64)

    def tasks(self, *counts: int) -> int:
        """In how many partitions the tiles of a grid lie."""
        return min(prod(counts), self.parallelism)


@dataclass
class Estimate:
    """What an iteration takes: seconds by what they are for, and the bytes of the busiest link."""

    cluster: Cluster
    parts: dict[str, float] = field(default_factory=lambda: dict.fromkeys(PARTS, 0.0))
    shuffled: float = 0.0
    """Bytes that tasks write for others, on all machines."""
    gathered: float = 0.0
    """Bytes that come to the driver."""
    sent: float = 0.0
    """Bytes that the driver sends to all machines: of one copy."""
    busiest: float = 0.0
    """Bytes over the busiest link, one way."""

    @property
    def seconds(self) -> float:
        """How long the iteration lasts."""
        return sum(self.parts.values())

    @property
    def limit(self) -> str:
        """What takes longest."""
        return max(self.parts, key=lambda part: self.parts[part])

    def job(self, *stages: int) -> None:
        """A job with stages of so many tasks."""
        rates, cores = self.cluster.rates, self.cluster.slots
        self.parts["driver"] += rates.job
        for tasks in stages:
            self.parts["driver"] += rates.launch * tasks
            self.parts["tasks"] += rates.task * ceil(tasks / cores)

    def work(self, seconds: NDArray[np.float64], partitions: NDArray[np.int64]) -> None:
        """Work on tiles: a core does all those of its partition."""
        self.parts["work"] += self.cluster.busiest(partitions, seconds)

    def read(self, partitions: NDArray[np.int64], sizes: Bytes) -> None:
        """What Spark keeps of an input, which workers are given as bytes in each job."""
        self.parts["crossing"] += (
            self.cluster.busiest(partitions, sizes) / self.cluster.rates.reading
        )

    def keep(self, partitions: NDArray[np.int64], sizes: Bytes) -> None:
        """A result that workers hand to Spark."""
        self.parts["crossing"] += (
            self.cluster.busiest(partitions, sizes) / self.cluster.rates.crossing
        )

    def shuffle(
        self, source: NDArray[np.int64], target: NDArray[np.int64], size: Bytes | float
    ) -> None:
        """Bytes from partitions to partitions; those within a machine do not use its link."""
        sizes = np.broadcast_to(np.asarray(size, np.float64), source.shape)
        cluster, rates = self.cluster, self.cluster.rates
        self.shuffled += float(sizes.sum())
        for ends in (source, target):
            self.parts["crossing"] += cluster.busiest(ends, sizes) / rates.shuffling / 2
        start, end = cluster.machine_of(source), cluster.machine_of(target)
        crossing = np.where(start == end, 0.0, sizes)
        out = np.bincount(start, crossing, cluster.machines)
        into = np.bincount(end, crossing, cluster.machines)
        self._over_links(float(max(out.max(), into.max())))

    def gather(self, size: float) -> None:
        """Bytes to the driver, over its link and into its Python."""
        self.gathered += size
        self.parts["crossing"] += size / self.cluster.rates.reading
        self._over_links(size)

    def broadcast(self, size: float) -> None:
        """Bytes to all machines, which hand on what they have: Spark's torrent of 4 MB pieces.

        Each worker process reads all of it: the cores of a machine do that side by side.
        """
        self.sent += size
        pieces = max(1.0, size / 4e6)
        rounds = (pieces + log2(max(1, self.cluster.machines))) / pieces
        self.parts["crossing"] += 2 * size / self.cluster.rates.crossing
        self._over_links(size * rounds)

    def _over_links(self, size: float) -> None:
        self.busiest += size
        self.parts["links"] += size / self.cluster.rates.link


PARTS = ("work", "crossing", "links", "driver", "tasks")


def product(cluster: Cluster, n: int) -> Estimate:
    """The product of two dense matrices of n x n, which lie where the driver has put them."""
    made = Estimate(cluster)
    edge = cluster.block_size(dense=[(n, n), (n, n), (n, n)])
    blocks = -(-n // edge)
    tiles, count = blocks * blocks, cluster.tasks(blocks, blocks)
    # All three matrices have one grid, and A[i, k] and B[k, j] go to all tiles C[i, j]: once to
    # each partition that has a tile of row i, or of column j.
    held = cluster.partitions_of(blocks, blocks).reshape(blocks, blocks)
    lines = [*held, *held.T]
    places = [np.unique(line) for line in lines]
    pairs = list(zip(lines, places, strict=True))
    source = np.concatenate([np.repeat(line, len(ends)) for line, ends in pairs])
    target = np.concatenate([np.tile(ends, len(line)) for line, ends in pairs])
    size = np.full(tiles, WORD * (n / blocks) ** 2)
    made.read(held.ravel(), 2 * size)
    made.shuffle(source, target, size[0])
    made.keep(held.ravel(), size)
    made.work(np.full(tiles, 2 * n**3 / tiles / cluster.rates.flops), held.ravel())
    made.job(count, count, count)
    return made


def pagerank(cluster: Cluster, nodes: int, edges: int) -> Estimate:
    """An iteration of PageRank: a sparse matrix in tiles times a vector.

    A short vector is the driver's, to whom the sums of each partition come; a long one is
    distributed, comes to the driver, and is sent to all.
    """
    made = Estimate(cluster)
    is_short = nodes <= MOST_WITH_DRIVER
    edge = cluster.edge_for({(nodes,): nodes, (nodes, nodes): edges})
    blocks = -(-nodes // edge)
    held, tasks = cluster.partitions_of(blocks, blocks), cluster.tasks(blocks, blocks)
    if not is_short:
        made.gather(WORD * nodes)
    made.broadcast(WORD * nodes)
    made.read(held, np.full(len(held), ENTRY * edges / len(held)))
    made.work(np.full(len(held), edges / len(held) / cluster.rates.entries), held)
    # A partition adds up what its tiles give for the same columns before it sends that.
    columns = np.tile(np.arange(blocks), blocks)
    size = WORD * nodes / blocks
    if is_short and cluster.parallelism * WORD * nodes <= MOST_COMBINED_BYTES:
        made.gather(len(np.unique(held * blocks + columns)) * size)
        made.job(tasks)
        return made
    _combined(made, held, columns, blocks, size)
    if is_short:
        made.gather(WORD * nodes)
    made.job(tasks, cluster.tasks(blocks))
    return made


def regression(cluster: Cluster, rows: int, columns: int) -> Estimate:
    """A step of gradient descent: a dense matrix times a vector, and its transpose times one.

    Both are done with a strip of rows in one task, which has a part of each sum.
    """
    made = Estimate(cluster)
    edge = cluster.block_size(dense=[(rows,)], strips=[(rows, columns)])
    strips = -(-rows // edge)
    held, count = cluster.partitions_of(strips), cluster.tasks(strips)
    made.broadcast(WORD * columns)
    made.read(held, np.full(strips, WORD * rows * (columns + 1) / strips))
    made.work(np.full(strips, 2 * WORD * rows * columns / strips / cluster.rates.stream), held)
    made.gather(count * WORD * columns)
    made.job(count)
    return made


def _combined(
    made: Estimate, held: NDArray[np.int64], keys: NDArray[np.int64], count: int, size: float
) -> None:
    """Sums by key, which partitions begin for themselves."""
    ends = made.cluster.partitions_of(count)
    sent = np.unique(held * count + keys)
    made.shuffle(sent // count, ends[sent % count], size)
