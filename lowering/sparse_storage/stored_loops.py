"""The loops over the stored elements of the inputs that an op runs over.

    stored(e, {0: i}, body, [fold])         all of those in row i

calls `body` with the indices of a point, the elements that are known of it, and the generators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from diablo.dialects.multiloop import GeneratorType
from diablo.dialects.sparse_storage import iteration_order, region_type
from diablo.lowering.kernel_types import element_type
from diablo.lowering.sparse_storage.emitter import Emitter, Values
from diablo.lowering.sparse_storage.region_loops import (
    Generators,
    over_several,
    over_stored,
    slice_region,
)
from diablo.lowering.sparse_storage.stored_operands import Operands
from diablo.passes.analyses.sparsity.driving_regions import Drive, StoredOp

Indices = Mapping[int, SSAValue]
Elements = Mapping[int, SSAValue]
PointBody = Callable[[Emitter, Indices, Elements, Generators], None]
"""Is given the indices, the elements of the inputs that drive the loop, and its generators."""


@dataclass(frozen=True)
class StoredLoops:
    """Loops over what `drive` says of `op`, whose extents are `extents`.

    Unless the regions have `exact`ly these extents, what lies beyond them is left out.
    """

    op: StoredOp
    drive: Drive
    operands: Operands
    extents: Sequence[SSAValue]
    exact: bool

    @property
    def order(self) -> Sequence[int]:
        """The order in which the axes of the first input are gone through."""
        region, _ = self.operands.sparse(self.op.inputs[self.drive.inputs[0]])
        return iteration_order(region_type(region))

    def hint(self, d: int) -> str | None:
        """The name of the index in a dimension."""
        return self.op.body.block.args[d].name_hint

    def _part(
        self, e: Emitter, region: SSAValue, indices: Indices, axes: Sequence[int]
    ) -> tuple[SSAValue, Sequence[int]]:
        """The part of a region with the indices so far, and what its axes run over."""
        fixed = {k: indices[d] for k, d in enumerate(axes) if d in indices}
        return slice_region(e, region, fixed), [d for d in axes if d not in indices]

    def _named(self, indices: Indices, axes: Sequence[int], found: Values) -> Indices:
        for d, index in zip(axes, found, strict=True):
            index.name_hint = self.hint(d)
        return {**indices, **dict(zip(axes, found, strict=True))}

    def stored(
        self,
        e: Emitter,
        indices: Indices,
        body: PointBody,
        generators: Sequence[GeneratorType] = (),
    ) -> Values:
        """Run `body` for the stored elements with the indices so far."""
        numbers = self.drive.inputs
        if len(numbers) == 1:

            def joined(e: Emitter, whole: Indices, elements: Elements, own: Generators) -> None:
                if self.drive.joined is None:
                    body(e, whole, elements, own)
                    return

                def both(e: Emitter, whole: Indices, elements: Elements, _: Generators) -> None:
                    body(e, whole, elements, own)

                self._entries(e, self.drive.joined, whole, elements, both)

            return self._entries(e, numbers[0], indices, {}, joined, generators)
        sparse = [self.operands.sparse(self.op.inputs[number]) for number in numbers]
        parts = [self._part(e, region, indices, self.drive.axes) for region, _ in sparse]
        axes = parts[0][1]

        def jointly(
            e: Emitter,
            found: list[SSAValue],
            positions: list[SSAValue],
            present: list[SSAValue],
            own: Generators,
        ) -> None:
            whole = self._named(indices, axes, found)
            elements: dict[int, SSAValue] = {}
            for number, (_, values), p, there in zip(
                numbers, sparse, positions, present, strict=True
            ):
                known = there if self.drive.kind == "union" else None
                element = element_type(self.op.inputs[number].type)
                elements[number] = self.operands.element_if(e, values, p, known, element)
            self._inside(e, axes, whole, elements, own, body)

        kind = "union" if self.drive.kind == "union" else "intersect"
        return over_several(e, kind, [part for part, _ in parts], jointly, generators)

    def _entries(
        self,
        e: Emitter,
        number: int,
        indices: Indices,
        elements: Elements,
        body: PointBody,
        generators: Sequence[GeneratorType] = (),
    ) -> Values:
        """Run `body` for the entries of one input with the indices so far."""
        region, values = self.operands.sparse(self.op.inputs[number])
        own = self.drive.dimensions[number]
        part, axes = self._part(e, region, indices, own)
        unknown = [d for d in axes if not self._is_extent_of(d, number)]

        def at(e: Emitter, found: list[SSAValue], p: SSAValue, own: Generators) -> None:
            element = self.operands.element_at(e, values, p)
            whole = self._named(indices, axes, found)
            self._inside(e, unknown, whole, {**elements, number: element}, own, body)

        return over_stored(e, part, at, generators)

    def _inside(
        self,
        e: Emitter,
        axes: Sequence[int],
        whole: Indices,
        elements: Elements,
        own: Generators,
        body: PointBody,
    ) -> None:
        """Run `body` if the indices along `axes` are within the extents."""
        tests = [] if self.exact else [e.compare("slt", whole[d], self.extents[d]) for d in axes]
        e.guarded(tests, lambda e: body(e, whole, elements, own))

    def _is_extent_of(self, d: int, number: int) -> bool:
        """Return whether the extent of a dimension is that of an input."""
        axis = list(self.drive.dimensions[number]).index(d)
        return self.operands.is_extent(self.op.extents[d], self.op.inputs[number], axis)

    def positions(
        self,
        e: Emitter,
        indices: Indices,
        body: Callable[[Emitter, Indices, Mapping[int, SSAValue], SSAValue], None],
    ) -> None:
        """Each entry of the one region that has these indices."""
        number = self.drive.inputs[0]
        region, values = self.operands.sparse(self.op.inputs[number])
        part, axes = self._part(e, region, indices, self.drive.axes)

        def at(e: Emitter, found: list[SSAValue], position: SSAValue, _: Generators) -> None:
            whole = self._named(indices, axes, found)
            element = self.operands.element_at(e, values, position)
            body(e, whole, {number: element}, position)

        over_stored(e, part, at)
