"""Checks reads of parts: `t._1`, `r.name`, `A.rows`, `A[i,j]`, `A[1:3,j]`, `M[key]`, `L[i]`.

A[1:3,j]   with A: matrix[Double]   ->   vector[Double]
"""

from __future__ import annotations

from diablo.diagnostics import quantity, with_article
from diablo.frontend.checking.builtin_functions import CONVERSIONS, STRING_FUNCTIONS
from diablo.frontend.checking.check_operators import bag_hint, check_int
from diablo.frontend.checking.check_region_accesses import (
    check_base,
    check_region_index,
    check_region_size,
    region_behind,
)
from diablo.frontend.checking.check_region_expressions import refuse_flood
from diablo.frontend.checking.check_typemaps import read_mapped
from diablo.frontend.checking.checker import Checker
from diablo.frontend.checking.constants import constant_of
from diablo.frontend.checking.conversion_hints import conversion_hint
from diablo.frontend.checking.scope import did_you_mean, idiom_or_name
from diablo.frontend.checking.types import (
    CHAR,
    INT,
    STRING,
    UNKNOWN,
    ArrayType,
    ListType,
    MappedType,
    MapType,
    NothingType,
    RecordType,
    ScalarType,
    TupleType,
    Type,
    UnknownType,
    fits,
)
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.idioms import CONSTANTS


def check_field(checker: Checker, expr: syntax.Field) -> Type:
    """The type of `e.name` or `e#name`."""
    if isinstance(expr.base, syntax.Name) and checker.scope.find(expr.base.name) is None:
        hint = CONSTANTS.get(expr.base.name, {}).get(expr.name)
        if hint is not None:
            message = f"there is no constant `{expr.base.name}.{expr.name}`"
            return checker.error(expr.span, message, hint)
    type = check_base(checker, expr.base)
    region = region_behind(checker, expr.base)
    match type:
        case UnknownType():
            return type
        case _ if region is not None and expr.name in ("length", "rows", "cols"):
            return check_region_size(checker, expr, type, region)
        case TupleType():
            number = expr.name.removeprefix("_")
            if number.isdecimal() and 1 <= int(number) <= len(type.items):
                checker.checked.positions[expr] = int(number) - 1
                return type.items[int(number) - 1]
            hint = f"its parts are `_1` to `_{len(type.items)}`"
            return checker.error(expr.span, f"{type} has no part `{expr.name}`", hint)
        case RecordType():
            if expr.name in type.names:
                checker.checked.positions[expr] = type.names.index(expr.name)
                return type.items[type.names.index(expr.name)]
            hint = did_you_mean(expr.name, list(type.names))
            hint = hint or f"its fields are {', '.join(f'`{n}`' for n in type.names)}"
            return checker.error(expr.span, f"{type} has no field `{expr.name}`", hint)
        case ArrayType() if expr.name == "t" and type.rank == 2:
            return type
        case _ if expr.name in _sizes(type):
            return INT
        case ScalarType() if _converts(expr.name, type):
            # `s.trim` is short for `s.trim()`.
            call = syntax.Call(expr.span, expr.name, [expr.base], method=True)
            checker.checked.desugared[expr] = call
            return checker.check(call)
        case _:
            return _no_field(checker, expr, type)


def _no_field(checker: Checker, expr: syntax.Field, type: Type) -> Type:
    methods = [*STRING_FUNCTIONS, *CONVERSIONS] if type == STRING else []
    if expr.name in methods:
        hint = f"call it: .{expr.name}(…)"
        return checker.error(expr.span, f"`{expr.name}` needs arguments", hint)
    transpose = ["t"] if isinstance(type, ArrayType) and type.rank == 2 else []
    hint = idiom_or_name(expr.name, [*_sizes(type), *transpose, *methods])
    if hint is None and isinstance(type, ListType):
        hint = bag_hint(checker, expr.base)
    match type:
        case ArrayType(rank=2) if expr.name == "length":
            hint = "its dimensions are .rows and .cols"
        case ArrayType(rank=1) if expr.name == "t":
            hint = "a vector is neither a row nor a column: v @ w and A @ v take it as it is"
        case ListType(element=RecordType() as row) if hint is None:
            if expr.name in row.names:
                hint = f"its rows have this field: [ x.{expr.name} | x <- … ]"
            else:
                hint = f"its rows have the fields {', '.join(f'`{n}`' for n in row.names)}"
        case ArrayType(element=RecordType() as row) if expr.name in row.names:
            hint = f"its elements have this field: V[i].{expr.name}"
        case _:
            pass
    return checker.error(expr.span, f"{type} has no field `{expr.name}`", hint)


def check_index(checker: Checker, expr: syntax.Index) -> Type:
    """The type of an element of an array, a list, a map, a string; of a slice of an array."""
    base = check_base(checker, expr.base)
    if isinstance(base, MapType):
        return _check_key(checker, expr, base)
    region = region_behind(checker, expr.base)
    slices = [index for index in expr.indices if isinstance(index, syntax.Slice)]
    for index in expr.indices:
        if isinstance(index, syntax.Slice):
            _check_slice(checker, index)
        elif region is None or not isinstance(index, syntax.Wildcard):
            check_int(checker, index, "an index")
    if isinstance(base, UnknownType):
        return base
    if slices and not isinstance(base, ArrayType):
        hint = "write substring(s,i,j)" if base == STRING else None
        return checker.error(expr.span, f"only arrays have slices, and this is {base}", hint)
    if isinstance(base, MappedType):
        return read_mapped(checker, expr, base)
    if not isinstance(base, ArrayType | ListType) and base != STRING:
        hint = bag_hint(checker, expr.base)
        if isinstance(base, TupleType):
            hint = "the parts of a tuple are read t._1, t._2"
        message = f"only arrays, lists, maps and strings have indices, and this is {base}"
        return checker.error(expr.span, message, hint)
    rank = base.rank if isinstance(base, ArrayType) else 1
    if rank != len(expr.indices):
        needed = quantity(rank, "index", "indices")
        hint = "write the indices in one bracket: A[i,j]" if rank > 1 else None
        message = f"{with_article(base)} is read with {needed}, not {len(expr.indices)}"
        return checker.error(expr.span, message, hint)
    if isinstance(base, ListType):
        return UNKNOWN if isinstance(base.element, NothingType) else base.element
    if not isinstance(base, ArrayType):
        return CHAR
    if region is not None and isinstance(expr.base, syntax.Name):
        check_region_index(checker, expr, checker.checked.symbols[expr.base], region)
        if slices and region.has_flood:
            refuse_flood(checker, expr.span, region)
    return ArrayType(base.element, len(slices)) if slices else base.element


def _check_slice(checker: Checker, index: syntax.Slice) -> None:
    for bound in (index.start, index.stop):
        if bound is not None:
            check_int(checker, bound, "the bound of a slice")
            value = constant_of(bound)
            if value is not None and value < 0:
                hint = "count from the end with the dimension: A.length - 1"
                checker.error(bound.span, "the bound of a slice cannot be negative", hint)
    if index.step is not None:
        check_int(checker, index.step, "the step of a slice")
        value = constant_of(index.step)
        if value is not None and value <= 0:
            checker.error(index.step.span, "the step of a slice must be positive")


def _check_key(checker: Checker, expr: syntax.Index, base: MapType) -> Type:
    keys = [index for index in expr.indices if not isinstance(index, syntax.Slice)]
    if len(keys) != len(expr.indices):
        return checker.error(expr.span, f"only arrays have slices, and this is {base}")
    wanted: tuple[Type, ...] = (base.key,)
    if len(keys) > 1 and isinstance(base.key, TupleType | RecordType):
        wanted = base.key.items
    asked = wanted if len(keys) == len(wanted) else [None] * len(keys)
    types = [checker.check(key, type) for key, type in zip(keys, asked, strict=True)]
    if len(keys) != len(wanted):
        message = f"the key of this map is {base.key}, and this has {len(keys)} parts"
        key = ", ".join(str(part) for part in wanted)
        return checker.error(expr.span, message, f"the values are read as m[{key}]")
    for key, type, part in zip(keys, types, wanted, strict=True):
        if not fits(type, part):
            message = f"the key of this map is {part}, not {type}"
            return checker.error(key.span, message, conversion_hint(type, part))
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
    """Return whether `name` is a function of one argument on `type`."""
    if name in CONVERSIONS:
        return type in CONVERSIONS[name]
    function = STRING_FUNCTIONS.get(name)
    return function is not None and function.parameters == (type,)
