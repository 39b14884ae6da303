"""Imports arrays over regions as a whole: their first values, assignments, generators.

var A: matrix[Double] over Tri fill 7.0
->
%first = comprehension.build (%n, %n) { %i, %j, %in = comprehension.each %Tri; yield (%i, %j) 7.0 }
%A = diablo.var "A" = %first : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Sequence

from xdsl.dialects import tensor
from xdsl.ir import Block, Region, SSAValue

from diablo.dialects.comprehension import BuildOp, EachOp, GuardOp, YieldOp
from diablo.dialects.diablo import LoadOp, RefType
from diablo.dialects.encodings import array_type
from diablo.frontend.checking.index_sets import IndexSet
from diablo.frontend.checking.types import ArrayType, ListType
from diablo.frontend.emission.emit_regions import RegionEmitter
from diablo.frontend.emission.ir_types import element_type, unflatten
from diablo.frontend.emission.region_values import Over, RegionValue, dense_type, sparse_type
from diablo.frontend.parsing import syntax


class RegionArrayEmitter(RegionEmitter, ABC):
    """The part of the importer that knows arrays over regions."""

    # --- Values for the whole array --------------------------------------------------------

    def array_over(self, type: ArrayType, over: Over, init: syntax.Expr | None) -> SSAValue:
        """An array over a region with the values of `init`: an array, a list, or one for all."""
        region, element = over.region, element_type(type.element)
        rank = len(region.stored)
        given = None if init is None else self.type_of(init)
        rows: Callable[[], tuple[Sequence[SSAValue], SSAValue]]
        if init is not None and isinstance(given, ListType):
            collection = self.emit_collection(init)
            rows = lambda: self._listed_rows(collection, type, over)  # noqa: E731
        elif init is not None and isinstance(given, ArrayType):
            rows = self._array_rows(init, given, type, over)
        else:
            value = over.fill
            if init is not None:
                value = self.packed(self.emit_value(init, type.element), type.element)
            cell = value or self.implicit(element)
            rows = lambda: (self._all_positions(region), cell)  # noqa: E731
        block, keys = Block(), self.keys
        with self.comprehension(block):
            positions, cell = rows()
            self.add(YieldOp(positions, [cell]))
        self.keys = keys
        result = (dense_type if region.pattern is None else sparse_type)(element, rank)
        dims = [dim.extent for dim in region.stored]
        return self.add(BuildOp(dims, Region(block), result)).result

    def _all_positions(self, region: RegionValue) -> Sequence[SSAValue]:
        """Go through the positions of a region."""
        if region.pattern is None:
            return list(map(self.all_positions, region.stored))
        pattern = self.load(region.pattern)
        assert isinstance(pattern, SSAValue)
        return self.add(EachOp(pattern)).elements[:-1]

    def _listed_rows(
        self, rows: SSAValue, type: ArrayType, over: Over
    ) -> tuple[Sequence[SSAValue], SSAValue]:
        elements = self.add(EachOp(rows)).elements
        rank = len(over.region.stored)
        dims = zip(elements[:rank], over.region.stored, strict=True)
        positions = [self.position(self.as_index(e), dim) for e, dim in dims]
        if over.region.pattern is not None:
            self.add(GuardOp(self.chosen(over.region.pattern, positions, probe=False)))
        found = unflatten(elements[rank:], type.element)
        return positions, self.packed(found, type.element)

    def _array_rows(
        self, init: syntax.Expr, given: ArrayType, type: ArrayType, over: Over
    ) -> Callable[[], tuple[Sequence[SSAValue], SSAValue]]:
        source = self.over_of(init)
        if source is None:
            array = self.emit_collection(init)
            message = "the array has another shape than the region it is assigned to"
            self.require_shape(array, over.region.stored, message)
        else:
            array = self.stored(init)

        def rows() -> tuple[Sequence[SSAValue], SSAValue]:
            positions = self._all_positions(over.region)
            keys = list(positions)
            if source is not None:
                indices = self.indices_at(positions, over.region)
                dims = zip(indices, source.region.stored, strict=True)
                keys = [self.position(index, dim) for index, dim in dims]
            found = self.add(
                tensor.ExtractOp(array, keys, array_type(array).get_element_type())
            ).result
            if source is not None:
                found = self.filled(found, keys, source, inside=False)
            return positions, self.packed(self.unpacked(found, given.element), type.element)

        return rows

    def whole(self, array: SSAValue, over: Over) -> SSAValue:
        """An array over a region with its fill value where nothing is stored."""

        def emit() -> SSAValue:
            block = Block()
            element = array_type(array).get_element_type()
            with self.comprehension(block):
                positions = list(map(self.all_positions, over.region.stored))
                value = self.add(tensor.ExtractOp(array, positions, element)).result
                self.add(YieldOp(positions, [self.filled(value, positions, over, inside=False)]))
            result = dense_type(element, len(positions))
            dims = [dim.extent for dim in over.region.stored]
            return self.add(BuildOp(dims, Region(block), result)).result

        return self.once(emit)

    # --- Generators ------------------------------------------------------------------------

    def region_rows(self, source: syntax.Expr, over: Over, *, full: bool) -> list[SSAValue]:
        """Go through an array over a region in a comprehension: indices and elements.

        These are the indices of its region, or with `full` all of its box.
        """
        array, pattern = self.stored(source), over.region.pattern
        if pattern is None or full:
            *positions, value = self.add(EachOp(array, full=full)).elements
            value = self.filled(value, positions, over, inside=not full)
        else:
            positions = self._all_positions(over.region)
            element = array_type(array).get_element_type()
            value = self.add(tensor.ExtractOp(array, positions, element)).result
        return self._row(positions, value, over, full=full)

    def region_row(
        self, source: syntax.Expr, over: Over, elements: Sequence[SSAValue]
    ) -> list[SSAValue]:
        """The indices and the element of an iteration of a loop over an array over a region."""
        if over.region.pattern is None:
            return self._row(elements[:-1], elements[-1], over, full=False)
        positions = elements[:-1]
        ref = self.reference(source)
        if isinstance(ref, SSAValue) and isinstance(ref.type, RefType):
            value = self.add(LoadOp(ref, positions)).result
        else:
            array = self.stored(source)
            element = array_type(array).get_element_type()
            value = self.add(tensor.ExtractOp(array, positions, element)).result
        return self._row(positions, value, over, full=False)

    def _row(
        self, positions: Sequence[SSAValue], value: SSAValue, over: Over, *, full: bool
    ) -> list[SSAValue]:
        indices = self.indices_at(positions, over.region)
        if not full:
            self.note_inside(indices, over.index_set)
        return [*indices, value]

    # --- Sizes -----------------------------------------------------------------------------

    def region_size(self, expr: syntax.Field, region: IndexSet, value: RegionValue) -> SSAValue:
        """`R.length`, `R.rows`, `R.cols`, also of an array over a region."""
        symbol = self.checked.symbols[expr.base] if isinstance(expr.base, syntax.Name) else None
        if expr.name == "length" and symbol is not None and symbol.kind == "region":
            return self.region_length(region)
        dim = value.dims[1 if expr.name == "cols" else 0]
        if dim is None:
            self.unsupported(expr.span, "the size of a flood dimension is")
        return dim.extent
