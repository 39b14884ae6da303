"""The arguments of a call: checked against the declared inputs, and what they tell the compiler.

check_arguments(declarations, {"n": 4, "A": scipy_matrix})
    ->  values {"n": 4, "A": SparseTile}, bindings {"n": ScalarBinding(4),
        "A": ArrayBinding(2, 1, "f64")}

A number of which the source tells that it decides nothing (a step size, a tolerance) is bound to no
value, nor is the size of what the program does not read: what is compiled for one is that for all.
Of others `openings.py` finds it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

from diablo.diagnostics import InputError
from diablo.frontend.checking.program_interface import SEED, InputDeclaration
from diablo.frontend.checking.types import Type
from diablo.frontend.emission.bindings import (
    ArrayBinding,
    Binding,
    ColumnBinding,
    ElementName,
    MapBinding,
    RowsBinding,
    ScalarBinding,
)
from diablo.kinds import kind_of_type
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.io.arguments import (
    Wanted,
    WantedArray,
    WantedMap,
    WantedRows,
    WantedScalar,
    check_argument,
)
from diablo.runtime.io.inputs import load_pattern
from diablo.runtime.results.result_types import DistributedArray
from diablo.runtime.value_kinds import (
    ArrayKind,
    Kind,
    ListKind,
    MapKind,
    ScalarKind,
    TupleKind,
    codes_of,
    element_code,
    leaves,
    map_codes,
)


@dataclass(frozen=True)
class Call:
    """The inputs of one call."""

    values: dict[str, Any]
    bindings: dict[str, Binding]


def check_arguments(
    declarations: Sequence[InputDeclaration], given: Mapping[str, Any], on_spark: bool = False
) -> Call:
    """Check every argument; the first that is wrong, missing or unknown is an `InputError`."""
    check_names(declarations, given)
    values: dict[str, Any] = {}
    bindings: dict[str, Binding] = {}
    for declaration in declarations:
        name, kind = declaration.name, wanted(declaration.type)
        if declaration.path is not None and name not in given:
            values[name] = load_pattern(declaration.path, kind)
        else:
            value = given.get(name, declaration.default)
            values[name] = check_argument(value, kind, name, on_spark)
        if name == SEED:  # Another seed is no reason to compile again.
            continue
        binding = _binding(kind, values[name])
        if not declaration.is_read:
            if isinstance(binding, ScalarBinding):
                continue
            if isinstance(binding, ArrayBinding):
                binding = replace(binding, shape=(None,) * binding.rank)
        bindings[name] = binding
    if not any(isinstance(b, ArrayBinding) and b.dense_rank < b.rank for b in bindings.values()):
        undecided = {d.name for d in declarations if not d.decides}
        bindings = {name: b for name, b in bindings.items() if name not in undecided}
    return Call(values, bindings)


def check_names(declarations: Sequence[InputDeclaration], given: Iterable[str]) -> None:
    """An `InputError` for the first input that is unknown, or missing and without a default."""
    given = frozenset(given)
    names = {declaration.name: None for declaration in declarations}
    if names.keys() == given:
        return
    for name in sorted(given - names.keys()):
        raise unknown_input(name, list(names))
    for declaration in declarations:
        known = declaration.default is not None or declaration.path is not None
        if declaration.name not in given and not known:
            raise InputError(f"{declaration.name}: this input is missing ({declaration.type})")


def unknown_input(name: str, known: Sequence[str]) -> InputError:
    """The error for an input that the program does not have."""
    from diablo.frontend.checking.scope import did_you_mean

    hint = did_you_mean(name, list(known))
    if hint is None:
        hint = f"it has {', '.join(known)}" if known else "it has none"
    return InputError(f"{name}: the program has no such input; {hint}")


@lru_cache(maxsize=256)
def wanted(type: Type) -> Wanted:
    """Return what a caller must give for an input of this type."""
    kind = kind_of_type(type)
    match kind:
        case ScalarKind():
            return WantedScalar(kind.element)
        case ArrayKind():
            return WantedArray(kind.rank, element_code(kind.element), kind.element)
        case ListKind():
            return WantedRows(codes_of(kind.row), kind.row)
        case MapKind():
            return WantedMap(len(codes_of(kind.key)), map_codes(kind), kind)
        case TupleKind():
            raise InputError(f"an input of type {type} cannot be given")


def _binding(wanted: Wanted, value: Any) -> Binding:
    match wanted:
        case WantedScalar():
            return ScalarBinding(chr(value) if wanted.type.domain == "character" else value)
        case WantedRows():
            return RowsBinding(_column_bindings(wanted.kind.row))
        case WantedMap():
            keys = _column_bindings(wanted.kind.key)
            return MapBinding(
                cast("tuple[ElementName, ...]", keys), _column_bindings(wanted.kind.value)
            )
        case WantedArray():
            has_rank = isinstance(value, SparseTile | DistributedArray)
            dense_rank = value.dense_rank if has_rank else wanted.rank
            shape = tuple([int(extent) for extent in value.shape])
            kind = wanted.kind.element
            scalar = isinstance(kind, ScalarKind)
            element = _element(kind) if scalar else RowsBinding(_column_bindings(kind))
            return ArrayBinding(wanted.rank, dense_rank, element, shape)


def _column_bindings(row: Kind) -> tuple[ColumnBinding, ...]:
    """Return what is known of the columns of a row."""
    bindings: list[ColumnBinding] = []
    for leaf in leaves(row):
        match leaf:
            case ListKind():
                bindings.append(RowsBinding(_column_bindings(leaf.row)))
            case MapKind():
                columns = (*_column_bindings(leaf.key), *_column_bindings(leaf.value))
                bindings.append(RowsBinding(columns))
            case ArrayKind():
                bindings.append(ArrayBinding(leaf.rank, leaf.rank, _element(leaf.element)))
            case _:
                bindings.append(_element(leaf))
    return tuple(bindings)


def _element(kind: Kind) -> ElementName:
    if not isinstance(kind, ScalarKind):
        raise InputError(f"{kind} cannot be inside of an input")
    return kind.element
