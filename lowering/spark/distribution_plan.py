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


@dataclass(frozen=True)
class Plan:
    """Where the work is done: `order` lists all iteration dimensions, the key's `rank` first."""

    order: tuple[int, ...]
    rank: int
    deliveries: tuple[Delivery, ...]

    @property
    def remark(self) -> str:
        """What the plan costs, and why it was chosen."""
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


def make_plan(
    rank: int,
    parallel: int,
    inputs: Sequence[tuple[int, ...]],
    local: Sequence[bool],
    in_parts: bool = False,
) -> Plan:
    """Choose a plan for `inputs`, each given by the iteration dimensions that index it.

    `rank` and `parallel` are the numbers of all iteration dimensions and of the result's;
    `local[k]` says that input k lives on the driver, `in_parts` that parts of the result are
    no more to combine than the inputs are to move.
    """
    distributed = [dims for dims, is_local in zip(inputs, local, strict=True) if not is_local]
    largest = max(map(len, distributed), default=0)
    deliveries: list[Delivery] = [
        # A vector beside a matrix is broadcast, so that the matrix need not move.
        "broadcast" if is_local or len(dims) <= 1 < largest else "tile"
        for dims, is_local in zip(inputs, local, strict=True)
    ]
    moved = [dims for dims, how in zip(inputs, deliveries, strict=True) if how == "tile"]
    everything = tuple(range(rank))
    if not moved:
        # The workers have all of it: each tile of the result is folded where it is made.
        return Plan(everything, parallel or rank, tuple(deliveries))
    if len(set(moved)) == 1 and is_permutation(moved[0], rank):
        return Plan(moved[0], rank, tuple(deliveries))
    if in_parts and 0 < parallel < rank and len(moved) == 1:
        (stays,) = moved
        if set(stays).issuperset(everything[parallel:]) and len(set(stays)) == len(stays):
            order = (*stays, *[d for d in everything if d not in stays])
            replicated: list[Delivery] = [
                "replicate" if how == "tile" else how for how in deliveries
            ]
            return Plan(order, rank, tuple(replicated))
    covered = {d for dims in moved for d in dims}
    # Every tile of the result finds its inputs, unless a full fold would bring everything
    # to one place or no input's tiles enumerate a reduced dimension.
    by_result = parallel > 0 and covered.issuperset(everything[parallel:])
    key = everything[:parallel] if by_result else everything
    return Plan(
        everything,
        len(key),
        tuple(
            "rekey" if how == "tile" and dims != key else how
            for dims, how in zip(inputs, deliveries, strict=True)
        ),
    )
