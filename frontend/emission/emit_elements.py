"""Imports reads of elements: of arrays, maps and strings.

V[i]   in a loop                 ->   %v = diablo.load %V[%i]
V[i]   in a comprehension        ->   %v = tensor.extract %V_loaded[%i]
V[i]   in a branch inside one    ->   %v, %inside = comprehension.probe %V_loaded[%i]
                                      comprehension.guard (the branch is not taken || %inside)
M[k]   in a comprehension        ->   %v, %found = comprehension.probe %M_loaded[%k]
                                      comprehension.guard %found
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.dialects import arith, tensor
from xdsl.ir import SSAValue

from diablo.dialects.comprehension import ProbeOp
from diablo.dialects.diablo import LoadOp
from diablo.dialects.encodings import array_type
from diablo.frontend.checking.index_sets import IndexSet
from diablo.frontend.checking.types import INT, STRING, ArrayType, MapType, Type
from diablo.frontend.emission.emit_region_elements import RegionElementEmitter
from diablo.frontend.emission.ir_types import Value, flatten
from diablo.frontend.emission.region_values import Over
from diablo.frontend.parsing import syntax


class ElementEmitter(RegionElementEmitter, ABC):
    """The part of the importer that knows reads of elements."""

    @abstractmethod
    def emit_slice(self, expr: syntax.Index) -> SSAValue:
        """`A[a:b, i]`."""

    @abstractmethod
    def emit_member(self, expr: syntax.Index, region: IndexSet) -> SSAValue:
        """`R[i,j]`: whether the index is in the region."""

    def emit_element(self, expr: syntax.Index) -> Value:
        """The element of an array, the value of a map, the character of a string."""
        type = self.type_of(expr.base)
        region = self.checked.regions.get(expr.base)
        if region is None and isinstance(expr.base, syntax.Name):
            symbol = self.checked.symbols[expr.base]
            region = symbol.region if symbol.kind == "region" else None
        if region is not None:
            return self.emit_member(expr, region)
        if any(isinstance(index, syntax.Slice) for index in expr.indices):
            return self.emit_slice(expr)
        if type == STRING:
            text = self.emit_single(expr.base)
            position = expr.indices[0]
            assert not isinstance(position, syntax.Slice)
            return self.string_call("char_at", text, self.emit_as(position, INT))
        assert isinstance(type, ArrayType | MapType)
        over = self.over_of(expr.base)
        if over is not None:
            return self._region_element(expr, over)
        keys = self.emit_keys(expr, type)
        element = type.element if isinstance(type, ArrayType) else type.value
        ref = self.reference(expr.base)
        with self.at(expr.span):
            if isinstance(ref, SSAValue) and self.rows_from is None and self.branches_from is None:
                return self.unpacked(self.add(LoadOp(ref, keys)).result, element)
        collection = self.emit_collection(expr.base)
        with self.at(expr.span):
            return self.unpacked(self._read(collection, keys, type), element)

    def _region_element(self, expr: syntax.Index, over: Over) -> Value:
        """The element of an array over a region: its fill value where nothing is stored."""
        type = self.type_of(expr.base)
        assert isinstance(type, ArrayType)
        positions = self.positions_of(expr, over.region)
        ref = self.reference(expr.base)
        with self.at(expr.span):
            if isinstance(ref, SSAValue) and self.rows_from is None and self.branches_from is None:
                value = self.add(LoadOp(ref, positions)).result
            else:
                value = self._read(self.stored(expr.base), positions, type)
            inside = self.known_inside(expr, over.index_set)
            value = self.filled(value, positions, over, inside=inside)
            return self.unpacked(value, type.element)

    def emit_keys(self, expr: syntax.Index, type: Type) -> list[SSAValue]:
        """The indices of an array's element, or the leaves of a map's key."""
        over = self.over_of(expr.base)
        if over is not None:
            return self.positions_of(expr, over.region)
        indices = [index for index in expr.indices if not isinstance(index, syntax.Slice)]
        if isinstance(type, ArrayType):
            return [self.emit_index(index) for index in indices]
        assert isinstance(type, MapType)
        if len(indices) == 1:
            return flatten(self.emit_value(indices[0], type.key))
        value = tuple(self.emit(index) for index in indices)
        return flatten(self.as_type(value, type.key))

    def _read(self, collection: SSAValue, keys: Sequence[SSAValue], type: Type) -> SSAValue:
        """Read an element; where there is none, the row is dropped or the program fails."""
        if self.branches_from is None and isinstance(type, ArrayType):
            element = array_type(collection).get_element_type()
            return self.add(tensor.ExtractOp(collection, keys, element)).result
        if self.branches_from is None:
            probe = self.add(ProbeOp(collection, keys))
            self.require(probe.found, "the map has no such key")
            return probe.values[0]
        path = self.path()
        collection, *keys = map(self.lift, (collection, *keys))
        with self.into(self.frames[self.branches_from]):
            probe = self.add(ProbeOp(collection, keys))
            found = self.add(arith.OrIOp(self.negated(path), probe.found)).result
        self.require(found, "there is no such element")
        return probe.values[0]
