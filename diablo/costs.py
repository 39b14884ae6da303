"""What work on Spark costs, and how large things are that are kept, sent and collected.

What decides where arrays lie, how they meet and how they are cut asks this module, the compiler as
well as the running program. Costs are seconds: how long a core takes, or the driver.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import ceil, prod

# -- Rates -------------------------------------------------------------------------------------
# Estimates for one machine; docs/scaling.md has those that were measured.

PRODUCT_OPERATIONS = 3.7e10
"""How many additions and multiplications a core does in a second where BLAS does them."""
OPERATIONS = 7e8
"""How many it does elsewhere, with an element each."""
SHUFFLED_BYTES = 1e8
"""How many bytes a core writes for a shuffle, and reads of it, in a second."""
CROSSING_BYTES = 3.7e8
"""How many bytes go from the workers to the driver in a second, or back."""
STAGE_SECONDS = 0.03
"""How long a stage takes that does nothing: it is planned, its tasks are sent and answered."""

TASKS = 8
"""How many tasks are taken to run at a time where nobody knows."""

# -- Sizes -------------------------------------------------------------------------------------

MOST_WITH_DRIVER = 1 << 20
"""How many elements an array has at most that the driver has itself though it could be with the
workers: 8 MB of doubles."""
FEW_ROWS = 10_000
"""How many rows a bag may have that is sent to every worker rather than hashed, or stays with the
driver if nothing else reads it."""
MOST_SENT = 1 << 26
"""How many elements an array has at most of which every worker is sent all, to go through them for
each of its rows: half a gigabyte of doubles. Otherwise there is a row for each pair."""
ELEMENT_BYTES = 8
"""What an element is taken for where its type is not looked at."""
MOST_SENT_BYTES = 1 << 28
"""An array, or a side of a join, of more bytes is not sent to every worker."""
FEW_SENT_BYTES = 1 << 20
"""So many are sent to every batch of what is of unknown size."""
MOST_IN_TASK = 1 << 26
"""How many bytes of an input travel with a task, which is one message: Spark refuses 128 MB by
default, and the heap of an executor holds all of it. More goes with several, and is shuffled."""
MOST_TO_SHUFFLE = MOST_IN_TASK // 4
"""How many bytes of an input travel with a task that only writes them for a shuffle. While it runs
the heap of the executor has them up to four times: as the message, as the records that are read of
it, as what the worker answers, and as what is written; so they are a fourth of `MOST_IN_TASK`."""
LEAST_SENT_ONCE = 1 << 20
"""How many bytes of an input a task has at least for what is kept of it to be behind a shuffle:
from there on it takes longer to send them with each job, at some 3e8 bytes/s, than two tasks once.
"""
MOST_TOGETHER = 1 << 24
"""How many bytes of records a task writes for a shuffle together: more waits in the worker's memory
for nothing, and the heap of an executor has what is one value of Spark's several times."""
MOST_COMBINED_BYTES = 1 << 25
"""How many bytes the driver collects to combine them itself: about what it receives while a stage
starts. More the workers combine among themselves."""

MOST_UNCUT_BYTES = 1 << 28
"""How many bytes the iterations of a loop may keep until their lineage is cut: a cut costs a job,
which is less than to keep more."""

SMALL_RATIO = 16
"""An array is small, and the driver's, beside one that has at least so many times its elements."""
FEW_ELEMENTS, FEW_RATIO = 1 << 15, 4
"""So many elements travel in the time that a task takes to start: they are few beside an array that
has at least so many times as many."""
LEAST_DISTRIBUTED = 1 << 14
"""Where no array has so many elements, nothing takes long, and none is small beside another."""
MOST_DRIVER_POINTS = 1 << 22
"""For how many points the driver computes itself what workers could share: about 6 ms, a fifth of
a stage, at `OPERATIONS`."""

LARGEST_TILE = 1 << 24
"""How many elements a dense tile has at most by default: 128 MB of doubles."""
LATER_TILE = 1 << 20
"""How many elements a tile has of an array whose extents are not known when it is chosen."""
LEAST_STRIP_ROWS = 4
"""How many rows an array has at least for each task that it is cut into strips for: with fewer,
there are no strips for all."""
MOST_IN_STRIP_ROW = 1 << 20
"""How many elements of an array a row has at most that a strip holds whole: 8 MB of doubles."""


@lru_cache
def soonest_edge(dims: tuple[int, ...], tasks: int) -> int:
    """Return the edge with which all tiles of an array are done soonest, where so many run at once.

    Larger tiles are taken where smaller ones are done no more than a tenth sooner: three for two
    workers take as long as two, and a tall matrix is cut into as many as there are workers.
    """
    longest = max([1, *dims])
    most = 2 * ceil(tasks ** (1 / max(1, len(dims)))) + tasks
    edges = [ceil(longest / count) for count in range(1, most + 1)]
    soonest = min(rounds_of_elements(dims, edge, tasks) for edge in edges)
    return next(edge for edge in edges if rounds_of_elements(dims, edge, tasks) <= 1.1 * soonest)


def common_edge(arrays: Iterable[tuple[Sequence[int], int]], tasks: int) -> int:
    """Return one edge for tiles of arrays that meet, of their extents and how much they store.

    It is the largest that one of them asks for, so that there are few tiles; but where the array
    with most elements would be done a tenth later than it could be, as a matrix beside a far longer
    vector, it is the edge of that.
    """
    found = [(tuple(dims), stored) for dims, stored in arrays]
    if not found:
        return 1
    wanted = max(soonest_edge(dims, tasks) for dims, _ in found)
    most, _ = max(found, key=lambda array: array[1])
    own = soonest_edge(most, tasks)
    is_later = rounds_of_elements(most, wanted, tasks) > 1.1 * rounds_of_elements(most, own, tasks)
    return own if is_later else wanted


def rounds_of_elements(dims: Sequence[int], edge: int, tasks: int) -> int:
    """Return how many elements the task has that is done last, if tiles have an edge."""
    rounds = ceil(prod(max(1, ceil(extent / edge)) for extent in dims) / tasks)
    return rounds * prod(max(1, min(extent, edge)) for extent in dims)


def largest_edge(dims: Sequence[int], elements: int = LARGEST_TILE) -> int | None:
    """The largest block size with which no tile has more than so many elements.

    None, if the whole has no more: what is smaller than a tile is no reason for smaller ones.
    """
    ordered = sorted(dims)
    for done, extent in enumerate(ordered):
        edge = int(elements ** (1 / (len(ordered) - done)) + 1e-9)
        if edge < extent:
            return max(1, edge)
        elements //= max(1, extent)
    return None
