"""Imports variables, parts of tuples and records, lengths and dimensions.

V + 1.0   outside of a comprehension   ->   %v = diablo.load %V
t._1      of a tuple variable          ->   %a = diablo.load %t_1, the variable of that leaf
"""

from __future__ import annotations

from abc import ABC

from xdsl.ir import SSAValue

from diablo.dialects.comprehension import LengthOp, UnpackOp
from diablo.dialects.diablo import LoadOp, RefType
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.scope import Symbol
from diablo.frontend.checking.types import STRING, ArrayType, ListType, MapType, Type
from diablo.frontend.emission.emit_conditions import ConditionEmitter
from diablo.frontend.emission.ir_types import Value, flatten, set_name, unflatten, width
from diablo.frontend.parsing import syntax


class ValueEmitter(ConditionEmitter, ABC):
    """The part of the importer that knows variables and their parts."""

    def __init__(self, checked: Checked):
        super().__init__(checked)
        self.values: dict[Symbol, Value] = {}

    # --- Variables -------------------------------------------------------------------------

    def bind(self, pattern: syntax.Pattern, value: Value) -> None:
        """Let the variables of `pattern` stand for the parts of `value`."""
        if isinstance(pattern, syntax.TuplePattern):
            assert isinstance(value, tuple)
            for item, part in zip(pattern.items, value, strict=True):
                self.bind(item, part)
            return
        self.values[self.checked.symbols[pattern]] = value
        if isinstance(value, SSAValue) and value.name_hint is None:
            set_name(value, pattern.name)

    def emit_name(self, expr: syntax.Name) -> Value:
        """The value of a variable."""
        symbol = self.checked.symbols[expr]
        return self.load(self.values[symbol])

    def load(self, value: Value) -> Value:
        """A value, of which the variables are read."""
        if isinstance(value, tuple):
            return tuple(map(self.load, value))
        if not isinstance(value.type, RefType):
            return value
        if self.rows_from is None:
            return self._load(value)
        # A comprehension changes no variable, so one read before it is enough.
        if value not in self.loads:
            with self.into(self.frames[self.rows_from]):
                self.loads[value] = self._load(value)
        return self.loads[value]

    def _load(self, ref: SSAValue) -> SSAValue:
        loaded = self.add(LoadOp(ref)).result
        loaded.name_hint = ref.name_hint
        return loaded

    def reference(self, expr: syntax.Expr) -> Value | None:
        """The variables that hold the value of `expr`; none if it is computed."""
        expr = self.resolved(expr)
        if isinstance(expr, syntax.Name):
            value = self.values.get(self.checked.symbols[expr], ())
            if value == ():
                return None
            variables = all(isinstance(leaf.type, RefType) for leaf in flatten(value))
            return value if variables else None
        if isinstance(expr, syntax.Field) and expr in self.checked.positions:
            base = self.reference(expr.base)
            return base[self.checked.positions[expr]] if isinstance(base, tuple) else None
        return None

    def emit_single(self, expr: syntax.Expr) -> SSAValue:
        """The value of an expression that has one leaf."""
        value = self.emit(expr)
        assert isinstance(value, SSAValue)
        return value

    def emit_collection(self, expr: syntax.Expr) -> SSAValue:
        """An array, list or map; computed once if it is the same for every row."""
        expr = self.resolved(expr)
        if self.reference(expr) is not None or isinstance(expr, syntax.Name):
            return self.emit_single(expr)
        return self.once(lambda: self.emit_single(expr))

    # --- Packed values ---------------------------------------------------------------------

    def packed(self, value: Value, type: Type) -> SSAValue:
        """A value as one element of an array, of a map, or of a monoid."""
        return self.pack(map(self.as_column, flatten(self.as_type(value, type))))

    def unpacked(self, value: SSAValue, type: Type) -> Value:
        """The value of `type` that an element holds."""
        if width(type) == 1:
            return unflatten([value], type)
        return unflatten(self.add(UnpackOp(value)).parts, type)

    # --- Parts -----------------------------------------------------------------------------

    def emit_field(self, expr: syntax.Field) -> Value:
        """A part of a tuple or record, a length, a dimension."""
        if expr in self.checked.positions:
            reference = self.reference(expr)
            if reference is not None:
                return self.load(reference)
            parts = self.emit(expr.base)
            assert isinstance(parts, tuple)
            return parts[self.checked.positions[expr]]
        type = self.type_of(expr.base)
        if type == STRING:
            return self.string_call("length", self.emit_single(expr.base))
        if isinstance(type, ListType | MapType):
            bag = self.lift(self.emit_collection(expr.base))
            return self.once(lambda: self.add(LengthOp(bag)).result)
        assert isinstance(type, ArrayType)
        array = self.emit_collection(expr.base)
        with self.beside(array):
            return self.dimension(array, 1 if expr.name == "cols" else 0)
