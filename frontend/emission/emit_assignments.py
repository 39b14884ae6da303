"""Imports assignments and accumulations.

V[i] = x;       ->   diablo.store %x, %V[%i]
M[k] += 1;      ->   diablo.accumulate add %one, %M[%k]
t._2 += 1;      ->   diablo.accumulate add %one, %t_2, the variable of that part
V[i]._2 += 1;   ->   diablo.accumulate add %one, %V[%i] part 1
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from diablo.dialects.diablo import AccumulateOp, AccumulatePartsOp, RefType, StoreOp
from diablo.frontend.checking.types import ArrayType, MapType, Type
from diablo.frontend.emission.emit_expressions import ExpressionEmitter
from diablo.frontend.emission.ir_types import Value, flatten, parts_of, width
from diablo.frontend.parsing import statements, syntax


@dataclass(frozen=True)
class Destination:
    """What an assignment writes: variables, or a part of the element at `keys` of one.

    `part` is the number of the first leaf of the part, and how many it has.
    """

    refs: Value
    keys: Sequence[SSAValue] = ()
    part: tuple[int, int] | None = None


class AssignmentEmitter(ExpressionEmitter, ABC):
    """The part of the importer that knows assignments."""

    @abstractmethod
    def emit_region_assignment(self, statement: statements.Assign) -> bool:
        """An assignment to all of a region or of an array over one; false if it is none."""

    def emit_assign(self, statement: statements.Assign) -> None:
        """`d = e` or `d op= e`."""
        if self.emit_region_assignment(statement):
            return
        type = self.type_of(statement.target)
        adds_scalar = isinstance(type, ArrayType) and not isinstance(
            self.type_of(statement.value), ArrayType
        )
        if statement in self.checked.rebuilt:
            self._emit_rows(statement)
            return
        if statement.monoid is None:
            value = self.emit_value(statement.value, type)
            self._store(value, self.destination(statement.target), type)
            return
        monoid = self.monoid(statement)
        value_type = type.element if adds_scalar and isinstance(type, ArrayType) else type
        value = self.emit_value(statement.value, value_type)
        destination = self.destination(statement.target)
        if isinstance(type, ArrayType):
            self._accumulate_array(monoid, value, value_type, destination)
        else:
            self._accumulate(monoid, value, destination, type)

    def _emit_rows(self, statement: statements.Assign) -> None:
        """`M = [ ((i,j),e) | … ]`: an array as large and stored as the one that M holds."""
        type = self.type_of(statement.target)
        ref = self.destination(statement.target).refs
        assert isinstance(type, ArrayType)
        assert isinstance(ref, SSAValue)
        old = self.load(ref)
        assert isinstance(old, SSAValue)
        value = self.emit_rows_as(statement.value, type, old)
        self.add(StoreOp(self._as_stored(value, ref), ref))

    def destination(self, target: syntax.Expr) -> Destination:
        """Where an assignment writes."""
        target = self.resolved(target)
        refs = self.reference(target)
        if refs is not None:
            return Destination(refs)
        if isinstance(target, syntax.Index):
            type = self.type_of(target.base)
            assert isinstance(type, ArrayType | MapType)
            base = self.destination(target.base)
            if base.keys:
                self.unsupported(
                    target.span,
                    "assigning an element of an array inside another one is",
                    "compute the inner array and assign it whole: A[i] = tensor(n)[ … ]",
                )
            keys = self.emit_keys(target, type)
            in_loop = self.in_rows or self.stepwise or self.whiles
            if isinstance(type, ArrayType) and not in_loop:
                assert isinstance(base.refs, SSAValue)
                with self.at(target.span):
                    self._require_inside(base.refs, keys)
            return Destination(base.refs, keys)
        assert isinstance(target, syntax.Field)
        base = self.destination(target.base)
        parts = parts_of(self.type_of(target.base))
        assert parts is not None
        position = self.checked.positions[target]
        first = sum(map(width, parts[:position]))
        if base.part is not None:
            first += base.part[0]
        whole = base.part is None and sum(map(width, parts)) == 1
        part = None if whole else (first, width(parts[position]))
        return Destination(base.refs, base.keys, part)

    def _require_inside(self, ref: SSAValue, keys: Sequence[SSAValue]) -> None:
        """A statement by itself fails where it writes outside of the array; a loop writes less."""
        array = self.load(ref)
        assert isinstance(array, SSAValue)
        tests = [
            self.add(arith.CmpiOp(key, self.dimension(array, axis), "ult")).result
            for axis, key in enumerate(keys)
        ]
        inside = tests[0]
        for test in tests[1:]:
            inside = self.add(arith.AndIOp(inside, test)).result
        self.require(inside, "this element is outside the array")

    def _store(self, value: Value, destination: Destination, type: Type) -> None:
        if destination.keys:
            ref = destination.refs
            assert isinstance(ref, SSAValue)
            packed = self.packed(value, type)
            self.add(StoreOp(packed, ref, destination.keys, destination.part))
            return
        for leaf, ref in zip(flatten(value), flatten(destination.refs), strict=True):
            self.add(StoreOp(self._as_stored(leaf, ref), ref))

    def _as_stored(self, value: SSAValue, ref: SSAValue) -> SSAValue:
        """A value, stored as the variable `ref` stores its arrays."""
        assert isinstance(ref.type, RefType)
        return self.conform(value, ref.type.value)

    def _accumulate(self, monoid: str, value: Value, to: Destination, type: Type) -> None:
        if to.keys:
            assert isinstance(to.refs, SSAValue)
            packed = self.packed(value, type)
            self.add(AccumulateOp(monoid, packed, to.refs, to.keys, to.part))
        elif width(type) == 1:
            (ref,) = flatten(to.refs)
            self.add(AccumulateOp(monoid, flatten(value)[0], ref))
        else:
            self.add(AccumulatePartsOp(monoid, self.packed(value, type), flatten(to.refs)))

    def _accumulate_array(
        self, monoid: str, value: Value, type: Type, destination: Destination
    ) -> None:
        """`A += B` or `A += 1.0`: every cell is combined."""
        ref = destination.refs
        assert isinstance(ref, SSAValue)
        if destination.keys:
            raise AssertionError("the checker refuses accumulation into an inner array")
        old = self.load(ref)
        assert isinstance(old, SSAValue)
        new = value if isinstance(type, ArrayType) else self.packed(value, type)
        assert isinstance(new, SSAValue)
        self.add(StoreOp(self._as_stored(self.accumulate_array(monoid, old, new), ref), ref))
