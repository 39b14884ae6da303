"""Analysis: over which regions an op runs: those outside of which its body gives nothing.

    a * x[j]           runs over the region of a, as 0 * x is 0
    a + b              over the union of both regions
    a * b              over their intersection
    select(r, x, t) into t       over the region of r: elsewhere the result is t, or zero
    a + b, sparse      over the one region of both, if the caller promises that it is one; or over
                       their union, if the result may have a region of its own
    a[i,k] + b[k,j]    over that of a and, for each of its points, the row of b
    select(a != 0, a + x[j], inf), with min      over that of a: elsewhere it is neutral

What cannot be computed so is `Refused`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Attribute, Operation

from diablo.dialects.access_maps import linear_indices, picks_dimensions
from diablo.dialects.encodings import as_array, dense_rank, element_type, is_sparse
from diablo.dialects.monoids import is_user_defined
from diablo.dialects.tensor_block import MapOp, ReduceOp
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.sparsity.stored_points import stored_points, value_beside
from diablo.passes.analyses.sparsity.stored_updates import stored_update
from diablo.passes.analyses.values.monoid_identities import identity_constant, implicit_constant

StoredOp = MapOp | ReduceOp
"""The ops that may run over stored elements alone."""


@dataclass(frozen=True)
class Drive:
    """What an op runs over: inputs, jointly if there are several; and how all are read.

    `dimensions[k]` are those of the iteration space that the axes of input k run over. Of the
    input `joined`, if there is one, the lists at the first indices of each point are gone
    through: those of B in the row k, for A[i, k] and B[k, j].
    """

    kind: str
    inputs: Sequence[int]
    dimensions: Sequence[Sequence[int]]
    kept: int | None = None
    """Of an `update`: the input that the result is elsewhere; zero if there is none."""
    joined: int | None = None

    @property
    def visited(self) -> set[int]:
        """The dimensions of the iteration space along which only stored elements are met."""
        joined = () if self.joined is None else self.dimensions[self.joined]
        return {*self.axes, *joined}

    @property
    def axes(self) -> Sequence[int]:
        """The dimensions of the iteration space that the regions have, in their order."""
        return self.dimensions[self.inputs[0]]


def parallel_rank(op: StoredOp) -> int:
    """Return how many leading dimensions are the result's."""
    return op.iterator_types.count("parallel")


def merged_drive(op: StoredOp) -> Drive:
    """The regions that a sparse map runs over whose result has a region of its own.

    Raises `Refused` if there are no several of them, each read at the point itself.
    """
    if not isinstance(op, MapOp) or not is_sparse(op.result.type):
        raise Refused("its result has no region")
    space = list(range(len(op.extents)))
    dimensions = _dimensions(op)
    there = [
        number
        for number, value in enumerate(op.inputs)
        if is_sparse(value.type)
        and picks_dimensions(op.indexing_maps.data[number].data)
        and list(dimensions[number]) == space
    ]
    nothing = implicit_constant(element_type(op.result.type))
    alone = [number for number in there if value_beside(op, [number]) == nothing]
    together, kind = (alone, "intersect") if alone else (stored_points(op), "union")
    distinct = [
        n for n in together if op.inputs[n] not in [op.inputs[k] for k in together if k < n]
    ]
    if nothing is None or len(distinct) < 2 or not set(distinct) <= set(there):
        raise Refused("no inputs are merged")
    return Drive(kind, distinct, dimensions)


def _dimensions(op: StoredOp) -> Sequence[Sequence[int]]:
    """The dimensions of the iteration space that the axes of each input run over."""
    return [
        [d for index in linear_indices(m.data) for d in index.dimensions] for m in op.indexing_maps
    ]


def choose_drive(op: StoredOp, *, shared: bool = False) -> Drive:
    """The regions that `op` runs over; raises `Refused` if it does not run over any.

    With `shared` several inputs may be promised to have one region.
    """
    dimensions = _dimensions(op)
    update = stored_update(op) if isinstance(op, MapOp) else None
    if update is not None and len(update.covering) == 1:
        kept = update.kept
        if kept is not None and not picks_dimensions(op.indexing_maps.data[kept].data):
            raise Refused("what it changes is a part of an array")
        return Drive("update", update.covering, dimensions, kept)
    sparse = [number for number, value in enumerate(op.inputs) if is_sparse(value.type)]
    candidates = [
        number for number in sparse if picks_dimensions(op.indexing_maps.data[number].data)
    ]
    if not candidates:
        raise Refused("a sparse input is read beside the point" if sparse else "no input is sparse")
    monoid = None if isinstance(op, MapOp) else op.monoid.data
    if monoid is not None and is_user_defined(monoid):
        raise Refused("its monoid is the program's own")
    if monoid is None and not is_sparse(op.result.type):
        raise Refused("elements that are not stored give elements of the result")

    def same(number: int) -> list[int]:
        """The inputs that are this one, read at the same place."""
        return [
            n
            for n, value in enumerate(op.inputs)
            if value is op.inputs[number]
            and op.indexing_maps.data[n] == op.indexing_maps.data[number]
        ]

    candidates = [number for number in candidates if same(number)[0] == number]

    def is_enough(numbers: Sequence[int]) -> bool:
        """Return whether nothing is lost where none of these inputs stores an element."""
        numbers = [n for number in numbers for n in same(number)]
        element = element_type(op.result.type)
        nothing = (
            implicit_constant(element) if monoid is None else identity_constant(monoid, element, op)
        )
        return nothing is not None and value_beside(op, numbers) == nothing

    alone = [number for number in candidates if is_enough([number])]
    result = as_array(op.result.type)
    if result is not None and is_sparse(result):
        space = list(range(parallel_rank(op)))
        of_space = [n for n in candidates if list(dimensions[n]) == space]
        together = of_space if shared and len(of_space) > 1 and is_enough(of_space) else []
        return _with_sparse_result(op, monoid, alone, together, dimensions)
    if alone:
        drives = [_with_joined(op, number, alone, dimensions) for number in alone]
        # The one that meets most dimensions leaves the fewest loops over all indices.
        return max(drives, key=lambda drive: (len(drive.visited), len(drive.axes)))
    aligned = [n for n in candidates if dimensions[n] == dimensions[candidates[0]]]
    if len(aligned) > 1 and is_enough(aligned):
        return Drive("union", aligned, dimensions)
    raise Refused("elements that are not stored contribute")


def _with_joined(
    op: StoredOp, first: int, alone: Sequence[int], dimensions: Sequence[Sequence[int]]
) -> Drive:
    """A drive over the input `first` and all at the same place, and what is joined to it."""
    axes = dimensions[first]
    joint = [n for n in alone if dimensions[n] == axes]
    for number in alone:
        array = as_array(op.inputs[number].type)
        assert array is not None
        own, lists = dimensions[number], dense_rank(array)
        known = [d for d in own if d in axes]
        in_order = list(own[: len(known)]) == known and 0 < lists <= len(known) < len(own)
        if in_order and len(joint) == 1:
            return Drive("intersect", joint, dimensions, joined=number)
    return Drive("intersect", joint, dimensions)


def _with_sparse_result(
    op: StoredOp,
    monoid: str | None,
    alone: Sequence[int],
    together: Sequence[int],
    dimensions: Sequence[Sequence[int]],
) -> Drive:
    """The result is given the pattern of one input, or of several that have the same one."""
    result = list(range(parallel_rank(op)))
    element: Attribute = element_type(op.result.type)
    if monoid is not None and identity_constant(monoid, element, op) != implicit_constant(element):
        raise Refused(f"the identity of '{monoid}' would be stored everywhere")
    same = [number for number in alone if list(dimensions[number]) == result]
    if same:
        return Drive("intersect", same[:1], dimensions)
    if together and isinstance(op, MapOp):
        return Drive("shared", together, dimensions)
    raise Refused("no input has the pattern of the result")


def is_over_stored_points(op: Operation, drive: Drive) -> bool:
    """Return whether NumPy folds `op` over no other points than its sparse inputs store."""
    return (
        isinstance(op, ReduceOp)
        and not is_sparse(op.result.type)
        and sorted(drive.axes) == list(range(len(op.extents)))
    )
