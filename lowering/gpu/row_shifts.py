"""Which elements the points of neighbouring rows have in common, by the indices of their loads.

    load %A[%i - 1, %j]   load %A[%i, %j]   load %A[%i + 1, %j]   load %A[%i, %j + 1]
  =>
    {-1, 0, 1} in one column of %A, {0} in another

An index that wraps around is where it would be inside: elsewhere few points are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from xdsl.dialects import arith, memref
from xdsl.ir import SSAValue

from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form


def row_shifts(loads: Sequence[memref.LoadOp], row: SSAValue) -> list[Collection[int]]:
    """Return of the loads that differ by the row alone how far each is from `row`.

    A load whose place depends on the row in another way has nothing in common with other rows.
    """
    found: defaultdict[object, set[int]] = defaultdict(set)
    for load in loads:
        places = [_place(index) for index in load.indices]
        along = [axis for axis, place in enumerate(places) if row in place.variables]
        if len(along) == 1 and (places[along[0]] - places[along[0]].constant).alone is row:
            others = tuple(place for axis, place in enumerate(places) if axis != along[0])
            found[load.memref, along[0], others].add(places[along[0]].constant)
        else:
            found[load].add(0)
    return list(found.values())


def _place(index: SSAValue) -> LinearForm:
    """Return an index as it is inside, where it wraps around."""
    while isinstance(index.owner, arith.SelectOp):
        index = index.owner.rhs
    return linear_form(index)
