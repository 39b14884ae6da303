"""Reductions over the stored entries of sparse arrays, which their bodies test.

Reads the `comprehension` level, writes into the bodies of `reduce` ops:

    %i, %j, %a = each %S : !sparse        %r = tensor_block.reduce min … ins(%S[d0, d1]) {
    … reduce min %a               ==>       %stored = arith.cmpf une, %a, %zero
                                            %v = scf.if %stored { %a } else { inf } … }

Sparse arrays store no zeros, so an element is stored if it is not zero. Kernels see that the
body gives the identity elsewhere, and visit the stored entries alone. That pays where what is
visited are rows that exist: one array is gone through, and of each other one what lies at, or in
the row of, an index that is known by then.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from diablo.dialects.encodings import array_type, dense_rank, is_sparse
from diablo.dialects.locations import remark
from diablo.dialects.number_ops import unequal
from diablo.lowering.tensor_block.arrays.array_query import ArrayQuery
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter
from diablo.passes.analyses.refused import Refused


class StoredEntries:
    """The elements of one query that are bound for stored entries only."""

    def __init__(self, array: ArrayQuery):
        self.array = array
        self.elements: list[SSAValue] = [
            element for element in array.space.accesses if array.space.is_stored_only(element)
        ]
        self._said = False

    def __bool__(self) -> bool:
        return bool(self.elements)

    def take(self) -> None:
        """Plan a loop over the stored entries; raise `Refused` if it would be a search."""
        if not self.elements:
            return
        if is_sparse(self.array.root.results[0].type):
            raise Refused("a sparse result has entries only where rows are")
        self._check_visits()
        if not self._said:
            self._said = True
            collections = [self.array.space.generator_of[e].collection for e in self.elements]
            names = dict.fromkeys(value.name_hint or "an array" for value in collections)
            remark(self.array.root, f"runs over the stored entries of {' and '.join(names)}")

    def _check_visits(self) -> None:
        space = self.array.space
        orders: list[list[int]] = []
        for element in self.elements:
            places = [place.alone for place in space.accesses[element]]
            numbers: list[int] = [number for number in places if number is not None]
            shifted = any(space.dimensions[number].shift is not None for number in numbers)
            if len(set(numbers)) < len(places) or shifted:
                raise Refused("the stored entries of a sparse array are read beside the point")
            orders.append(numbers)
        listed = [
            dense_rank(array_type(space.generator_of[element].collection))
            for element in self.elements
        ]
        most = max(map(len, orders))
        if not any(
            _meets_all(orders, listed, set(first)) for first in orders if len(first) == most
        ):
            raise Refused("a sparse array is not stored in the order that joins it")

    def are_stored(self, emitter: BodyEmitter) -> SSAValue | None:
        """Whether all of them are stored at the point of a body; `None` if there are none."""
        return are_stored(emitter, self.elements)


def are_stored(emitter: BodyEmitter, elements: Sequence[SSAValue]) -> SSAValue | None:
    """Return whether all `elements` are stored at the point of a body; `None` if there are none."""
    total: SSAValue | None = None
    for element in elements:
        test = _is_stored(emitter, emitter.lookup(element))
        total = test if total is None else emitter.add(arith.AndIOp(total, test))
    return total


def _is_stored(emitter: BodyEmitter, element: SSAValue) -> SSAValue:
    if element.type == i1:
        return element
    zero = emitter.zero(element.type)
    return emitter.add(unequal(element, zero))


def _meets_all(orders: Sequence[Sequence[int]], listed: Sequence[int], visited: set[int]) -> bool:
    """Return whether the entries of all arrays are met, of one of them list by list.

    `orders` are the dimensions of each, `listed` how many of these lists have been made for;
    `visited` those that are known.
    """
    beyond = [k for k, order in enumerate(orders) if not set(order) <= visited]
    if not beyond:
        return True
    order, lists = orders[beyond[0]], listed[beyond[0]]
    known = sum(d in visited for d in order)
    in_order = set(order[:known]) <= visited and 0 < lists <= known
    return in_order and all(set(orders[k]) <= visited | set(order) for k in beyond)
