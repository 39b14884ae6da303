"""Checks reads of parts: `t._1`, `r.name`, `A.rows`, `A[i,j]`, `A[1:3,j]`, `M[key]`, `s[i]`.

A[1:3,j]   with A: matrix[Double]   ->   vector[Double]
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from diablo.frontend.checking.builtin_functions import CONVERSIONS, STRING_FUNCTIONS
from diablo.frontend.checking.check_region_accesses import RegionAccessChecker
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.quantities import quantity
from diablo.frontend.checking.scope import did_you_mean, idiom_or_name
from diablo.frontend.checking.types import (
    CHAR,
    INT,
    STRING,
    ArrayType,
    ListType,
    MappedType,
    MapType,
    RecordType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    fits,
)
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.idioms import CONSTANTS


class PartChecker(RegionAccessChecker, ABC):
    """The part of the checker that knows fields and indices."""

    @abstractmethod
    def read_mapped(self, expr: syntax.Index, type: MappedType) -> Type:
        """The type of an element of an array that a typemap stores."""

    # --- Fields ----------------------------------------------------------------------------

    def check_field(self, expr: syntax.Field) -> Type:
        """The type of `e.name` or `e#name`."""
        if isinstance(expr.base, syntax.Name) and self.scope.find(expr.base.name) is None:
            hint = CONSTANTS.get(expr.base.name, {}).get(expr.name)
            if hint is not None:
                message = f"there is no constant `{expr.base.name}.{expr.name}`"
                return self.error(expr.span, message, hint)
        type = self.check_base(expr.base)
        region = self.region_behind(expr.base)
        match type:
            case UnknownType():
                return type
            case _ if region is not None and expr.name in ("length", "rows", "cols"):
                return self.check_region_size(expr, type, region)
            case TupleType():
                number = expr.name.removeprefix("_")
                if number.isdecimal() and 1 <= int(number) <= len(type.items):
                    self.checked.positions[expr] = int(number) - 1
                    return type.items[int(number) - 1]
                hint = f"its parts are `_1` to `_{len(type.items)}`"
                return self.error(expr.span, f"{type} has no part `{expr.name}`", hint)
            case RecordType():
                if expr.name in type.names:
                    self.checked.positions[expr] = type.names.index(expr.name)
                    return type.items[type.names.index(expr.name)]
                hint = did_you_mean(expr.name, list(type.names))
                hint = hint or f"its fields are {', '.join(f'`{n}`' for n in type.names)}"
                return self.error(expr.span, f"{type} has no field `{expr.name}`", hint)
            case ArrayType() if expr.name == "t" and type.rank == 2:
                return type
            case _ if expr.name in _sizes(type):
                return INT
            case ScalarType() if _converts(expr.name, type):
                # `s.trim` is short for `s.trim()`.
                call = syntax.Call(expr.span, expr.name, [expr.base], method=True)
                self.checked.desugared[expr] = call
                return self.check(call)
            case _:
                return self._no_field(expr, type)

    def _no_field(self, expr: syntax.Field, type: Type) -> Type:
        methods = [*STRING_FUNCTIONS, *CONVERSIONS] if type == STRING else []
        if expr.name in methods:
            hint = f"call it: .{expr.name}(…)"
            return self.error(expr.span, f"`{expr.name}` needs arguments", hint)
        transpose = ["t"] if isinstance(type, ArrayType) and type.rank == 2 else []
        hint = idiom_or_name(expr.name, [*_sizes(type), *transpose, *methods])
        if hint is None and isinstance(type, ListType):
            hint = self.bag_hint(expr.base)
        if isinstance(type, ArrayType) and type.rank == 2 and expr.name == "length":
            hint = "its dimensions are .rows and .cols"
        return self.error(expr.span, f"{type} has no field `{expr.name}`", hint)

    # --- Indices ---------------------------------------------------------------------------

    def check_index(self, expr: syntax.Index) -> Type:
        """The type of an element of an array, a map or a string, or of a slice of an array."""
        base = self.check_base(expr.base)
        if isinstance(base, MapType):
            return self._check_key(expr, base)
        region = self.region_behind(expr.base)
        slices = [index for index in expr.indices if isinstance(index, syntax.Slice)]
        for index in expr.indices:
            if isinstance(index, syntax.Slice):
                self._check_slice(index)
            elif region is None or not isinstance(index, syntax.Wildcard):
                self.check_int(index, "an index")
        if isinstance(base, UnknownType):
            return base
        if slices and not isinstance(base, ArrayType):
            hint = "write substring(s,i,j)" if base == STRING else None
            return self.error(expr.span, f"only arrays have slices, and this is {base}", hint)
        if isinstance(base, MappedType):
            return self.read_mapped(expr, base)
        if not isinstance(base, ArrayType) and base != STRING:
            hint = self.bag_hint(expr.base)
            if isinstance(base, ListType):
                hint = "the rows of a list have no order: go through them with a generator"
            elif isinstance(base, TupleType):
                hint = "the parts of a tuple are read t._1, t._2"
            message = f"only arrays, maps and strings have indices, and this is {base}"
            return self.error(expr.span, message, hint)
        rank = base.rank if isinstance(base, ArrayType) else 1
        if rank != len(expr.indices):
            needed = quantity(rank, "index", "indices")
            hint = "write the indices in one bracket: A[i,j]" if rank > 1 else None
            message = f"a {base} is read with {needed}, not {len(expr.indices)}"
            return self.error(expr.span, message, hint)
        if not isinstance(base, ArrayType):
            return CHAR
        if region is not None and isinstance(expr.base, syntax.Name):
            self.check_region_index(expr, self.checked.symbols[expr.base], region)
            if slices and region.has_flood:
                self.refuse_flood(expr.span, region)
        return ArrayType(base.element, len(slices)) if slices else base.element

    def _check_slice(self, index: syntax.Slice) -> None:
        for bound in (index.start, index.stop):
            if bound is not None:
                self.check_int(bound, "the bound of a slice")
                value = constant_of(bound)
                if value is not None and value < 0:
                    hint = "count from the end with the dimension: A.length - 1"
                    self.error(bound.span, "the bound of a slice cannot be negative", hint)
        if index.step is not None:
            self.check_int(index.step, "the step of a slice")
            value = constant_of(index.step)
            if value is not None and value <= 0:
                self.error(index.step.span, "the step of a slice must be positive")

    def _check_key(self, expr: syntax.Index, base: MapType) -> Type:
        keys = [index for index in expr.indices if not isinstance(index, syntax.Slice)]
        if len(keys) != len(expr.indices):
            return self.error(expr.span, f"only arrays have slices, and this is {base}")
        types = [self.check(key) for key in keys]
        wanted: tuple[Type, ...] = (base.key,)
        if len(keys) > 1 and isinstance(base.key, TupleType | RecordType):
            wanted = base.key.items
        if len(keys) != len(wanted):
            message = f"the key of this map is {base.key}, and this has {len(keys)} parts"
            return self.error(expr.span, message)
        for key, type, part in zip(keys, types, wanted, strict=True):
            if not fits(type, part):
                return self.error(key.span, f"the key of this map is {part}, not {type}")
        return base.value


def _sizes(type: Type) -> list[str]:
    """The fields that say how large a collection is."""
    match type:
        case ArrayType():
            return {1: ["length"], 2: ["rows", "cols"]}.get(type.rank, [])
        case ListType() | MapType():
            return ["length"]
        case _:
            return ["length"] if type == STRING else []


def _converts(name: str, type: ScalarType) -> bool:
    """Whether `name` is a function of one argument on `type`."""
    if name in CONVERSIONS:
        return type in CONVERSIONS[name]
    function = STRING_FUNCTIONS.get(name)
    return function is not None and function.parameters == (type,)
