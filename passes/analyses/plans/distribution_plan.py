"""How an op over an iteration space is spread over Spark: the plan, apart from its making.

The iteration space is cut into tiles, each named by its coordinates, the key. A plan says
which iteration dimensions the key of the work has, in which order, and how every input
gets there:

* `tile`       the input's own tiles already have that key;
* `rekey`      its tiles are copied to the keys that need them (group-by-join);
* `replicate`  its tiles are copied along dimensions that it has not, where they are;
* `broadcast`  every worker holds the whole of it: it is small beside another input.

With inputs A(i,k) and B(k,j) of a matrix product the key is (i,j): A's tile (i,k) goes to
all (i,*), B's tile (k,j) to all (*,j). With E(j,i) and a vector Q(j) the key is (j,i), E
stays where it is, Q is broadcast, and the partial results are reduced by key (i).

With a thin matrix Q(i,k) of the driver the key is (j,i,k): E's tile (j,i) is worked on where it
is, once for each k, and the partial results, which are thin as well, are reduced by key (j,k).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Delivery = Literal["tile", "rekey", "replicate", "broadcast"]
JOINS = ("broadcast", "replicate", "reduce", "strips")
"""The names of the ways in which arrays that lie differently can meet: `plans` has those that bring
tiles together, and `folded_dimension` says whether there are strips of them that do."""


@dataclass(frozen=True)
class Plan:
    """Where the work is done: `order` lists all iteration dimensions, the key's `rank` first."""

    order: tuple[int, ...]
    rank: int
    deliveries: tuple[Delivery, ...]

    @property
    def remark(self) -> str:
        """The cost of the plan, and why it was chosen."""
        if "replicate" in self.deliveries:
            return "tiles are worked on where they are, and parts of the result are combined"
        copied = self.deliveries.count("rekey")
        if copied:
            moved = "one input is" if copied == 1 else f"{copied} inputs are"
            return (
                f"tiles of {moved} copied to where they are needed: no input has the tiles that"
                " the result is made of"
            )
        if "broadcast" in self.deliveries and "tile" in self.deliveries:
            return "a vector is sent to every worker, so that the larger arrays need not move"
        if self.deliveries.count("tile") > 1:
            return "tiles of equal coordinates meet: nothing is copied"
        return "every tile is worked on where it is"

    @property
    def key(self) -> tuple[int, ...]:
        """The iteration dimensions of the key."""
        return self.order[: self.rank]

    def to_keys(self, parallel: int) -> list[int] | None:
        """The positions of the result's dimensions in the key, unless they are the key."""
        positions = [self.key.index(d) for d in range(parallel)]
        return None if positions == list(range(self.rank)) else positions


def is_permutation(dims: Sequence[int], rank: int) -> bool:
    """Return whether `dims` has every iteration dimension once."""
    return sorted(dims) == list(range(rank))


@dataclass(frozen=True)
class Reads:
    """What an op over an iteration space reads, each array once.

    `rank` and `parallel` are the numbers of all iteration dimensions and of the result's.
    """

    rank: int
    parallel: int
    dims: tuple[tuple[int, ...], ...]
    """The iteration dimensions that index each array."""
    local: tuple[bool, ...]
    """Whether the driver has the array."""
    in_parts: bool = False
    """Whether parts of the result are no more to combine than the arrays are to move."""

    @property
    def everything(self) -> tuple[int, ...]:
        """All iteration dimensions."""
        return tuple(range(self.rank))

    @property
    def by_result(self) -> tuple[int, ...] | None:
        """The key of the result's tiles, if each finds its inputs there.

        It does not where a full fold would bring everything to one place, or where no input's
        tiles enumerate a reduced dimension.
        """
        covered = {d for k, dims in enumerate(self.dims) if not self.goes_whole(k) for d in dims}
        reduced = self.everything[self.parallel :]
        is_there = self.parallel > 0 and covered.issuperset(reduced)
        return self.everything[: self.parallel] if is_there else None

    def goes_whole(self, number: int) -> bool:
        """Return whether every worker gets the whole of an array, however the others meet.

        A vector beside a matrix is broadcast, so that the matrix need not move.
        """
        distributed = [d for d, local in zip(self.dims, self.local, strict=True) if not local]
        largest = max(map(len, distributed), default=0)
        return self.local[number] or len(self.dims[number]) <= 1 < largest

    @property
    def moved(self) -> list[int]:
        """The numbers of the arrays whose tiles meet."""
        return [k for k in range(len(self.dims)) if not self.goes_whole(k)]


def make_plan(reads: Reads, join: str | None = None, stays: int | None = None) -> Plan:
    """Choose a plan, or make that of the named join, if there is one: `plans`.

    `stays` is the number of the array that a broadcast leaves where it is.
    """
    if join is not None and (plan := plans(reads, stays).get(join)) is not None:
        return plan
    moved = [reads.dims[k] for k in reads.moved]
    if not moved:
        # The workers have all of it: each tile of the result is folded where it is made.
        deliveries: tuple[Delivery, ...] = ("broadcast",) * len(reads.dims)
        return Plan(reads.everything, reads.parallel or reads.rank, deliveries)
    if _lie_alike(reads):
        return _at(reads, moved[0])
    if reads.in_parts and 0 < reads.parallel < reads.rank and len(moved) == 1:
        reduced = reads.everything[reads.parallel :]
        if set(moved[0]).issuperset(reduced) and _is_distinct(moved[0]):
            return _staying(reads, reads.moved[0])
    return _at(reads, reads.by_result or reads.everything)


def plans(reads: Reads, stays: int | None = None) -> dict[str, Plan]:
    """The ways in which arrays that lie differently can meet, by the names of the joins.

    * `broadcast`: one array stays, and workers get the whole of all others;
    * `replicate`: the tiles of all go to the tiles of the result (SUMMA), where they are folded;
    * `reduce`: they meet for each part of a tile of the result, and the parts are reduced by key.
    """
    if not reads.moved or _lie_alike(reads):
        return {}
    found: dict[str, Plan] = {}
    if stays is not None and stays in reads.moved and _is_distinct(reads.dims[stays]):
        found["broadcast"] = _staying(reads, stays)
    if reads.by_result is not None:
        found["replicate"] = _at(reads, reads.by_result)
    if reads.parallel < reads.rank:
        found["reduce"] = _at(reads, reads.everything)
    return found


def _lie_alike(reads: Reads) -> bool:
    """Return whether all arrays have tiles of the same coordinates, those of the work."""
    moved = {reads.dims[k] for k in reads.moved}
    return len(moved) == 1 and is_permutation(next(iter(moved)), reads.rank)


def _is_distinct(dims: Sequence[int]) -> bool:
    return len(set(dims)) == len(dims)


def _at(reads: Reads, key: Sequence[int]) -> Plan:
    """The plan that brings all tiles to those of a key."""
    rest = [d for d in reads.everything if d not in key]
    return Plan(
        (*key, *rest),
        len(key),
        tuple(
            "broadcast" if reads.goes_whole(k) else "tile" if dims == tuple(key) else "rekey"
            for k, dims in enumerate(reads.dims)
        ),
    )


def _staying(reads: Reads, stays: int) -> Plan:
    """The plan that leaves the tiles of one array where they are."""
    own = reads.dims[stays]
    order = (*own, *[d for d in reads.everything if d not in own])
    how: Delivery = "tile" if len(own) == reads.rank else "replicate"
    deliveries: list[Delivery] = ["broadcast"] * len(reads.dims)
    deliveries[stays] = how
    return Plan(order, reads.rank, tuple(deliveries))
