"""What the map of a query tests of its generators over stored elements, and where.

    %i, %j, %r = each %R                              map ins(%R[d0, d1], %A[d0, d1]) -> !sparse
    %a = … element of %A at (%i, %j)                  ^bb0(%i, %j, %r, %a):
    yield (%i, %j) %v                     ==>           scf.if %r { … yield %v } else { yield 0 }

A row is there only where `%R` stores an element, which is where the element is not zero. Such a
map is computed at the stored elements of `%R` alone (`passes/analyses/sparsity/stored_points.py`),
and its result shares the indices of `%R`. What a merge leaves elsewhere is zero if the array that
it updates lies within `%R`; then that array is not read beside them.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import SSAValue

from diablo.dialects import comprehension
from diablo.dialects.encodings import is_sparse
from diablo.dialects.scalar_types import is_inexact
from diablo.lowering.tensor_block.arrays.array_operands import element_type
from diablo.lowering.tensor_block.arrays.array_query import ArrayQuery
from diablo.lowering.tensor_block.arrays.stored_entries import are_stored
from diablo.lowering.tensor_block.query.body_emitter import BodyEmitter, Finish
from diablo.passes.analyses.sparsity.implicit_values import superfluous_when_implicit
from diablo.passes.analyses.sparsity.patterns import is_stored_only, lies_within

HOLDS_DEST = "diablo.holds_dest"
"""On a generator of a merge: the updated array stores nothing where the generator has no row."""


def note_what_holds_dest(module: ModuleOp) -> None:
    """Mark the generators over regions within which lie the arrays that their merges update.

    It shows only as long as the whole program is at the comprehension level.
    """
    for each in module.walk():
        if not isinstance(each, comprehension.EachOp) or not is_stored_only(each):
            continue
        merge = each.parent_op()
        if isinstance(merge, comprehension.MergeOp) and lies_within(merge.dest, each.collection):
            each.attributes[HOLDS_DEST] = UnitAttr()


class StoredTests:
    """The tests of the elements of a query that are bound for stored entries only."""

    def __init__(self, array: ArrayQuery, elements: Sequence[SSAValue] = ()):
        self.array = array
        self.elements = elements
        self.outer: list[SSAValue] = []
        """Those without which the result is zero."""
        self.inner: list[SSAValue] = []
        """Those without which it is what it was. What is in neither list changes nothing then."""
        sparse = is_sparse(array.root.results[0].type) if elements else False
        superfluous = [e for e in elements if sparse and self._is_superfluous(e)]
        if len([element for element in superfluous if is_inexact(element.type)]) > 1:
            superfluous = []  # What one stores may be infinite where another stores nothing.
        for element in elements:
            if element in superfluous:
                continue
            (self.outer if sparse and self._is_zero_beside(element) else self.inner).append(element)

    def _is_superfluous(self, element: SSAValue) -> bool:
        """Return whether the result is zero as it is computed where an element is not stored."""
        return superfluous_when_implicit([self.array.space.generator_of[element]]) is not None

    def _is_zero_beside(self, element: SSAValue) -> bool:
        """Return whether the result is zero where an element is not stored."""
        if isinstance(self.array.root, comprehension.BuildOp):
            return True
        space = self.array.space
        at = [where.alone for where in space.accesses[element]]
        return at == list(space.key_dimensions) and (
            HOLDS_DEST in space.generator_of[element].attributes
        )

    def outside(self, emitter: BodyEmitter, then: Finish) -> Sequence[SSAValue]:
        """`then` where the outer ones are stored, and zero elsewhere."""
        type = element_type(self.array.root.results[0])
        test = are_stored(emitter, self.outer)
        if test is None:
            return then(emitter)
        return emitter.when(test, then, lambda branch: [branch.zero(type)], [type])

    def inside(self, emitter: BodyEmitter, then: Finish, otherwise: Finish) -> Sequence[SSAValue]:
        """`then` where the inner ones are stored."""
        type = element_type(self.array.root.results[0])
        test = are_stored(emitter, self.inner)
        return then(emitter) if test is None else emitter.when(test, then, otherwise, [type])
