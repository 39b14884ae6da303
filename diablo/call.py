"""The arguments of a call: checked against the declared inputs, and what they tell the compiler.

check_arguments(declarations, {"n": 4, "A": scipy_matrix})
    ->  values {"n": 4, "A": SparseTile}, bindings {"n": ScalarBinding(4),
        "A": ArrayBinding(2, 1, "f64")}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from diablo.diagnostics import InputError
from diablo.frontend.bindings import ArrayBinding, Binding, ElementName, RowsBinding, ScalarBinding
from diablo.frontend.checking.scope import did_you_mean
from diablo.frontend.checking.types import ArrayType, ListType, ScalarType, TupleType, Type
from diablo.frontend.importer import SEED, InputDeclaration
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.io.arguments import (
    Wanted,
    WantedArray,
    WantedRows,
    WantedScalar,
    check_argument,
)

_ELEMENTS: dict[str, ElementName] = {
    "Int": "i64",
    "Long": "i64",
    "Float": "f32",
    "Double": "f64",
    "Boolean": "i1",
}


@dataclass(frozen=True)
class Call:
    """The inputs of one call."""

    values: dict[str, Any]
    bindings: dict[str, Binding]


def check_arguments(declarations: Sequence[InputDeclaration], given: Mapping[str, Any]) -> Call:
    """Check every argument; the first that is wrong, missing or unknown is an `InputError`."""
    check_names(declarations, given)
    values: dict[str, Any] = {}
    bindings: dict[str, Binding] = {}
    for declaration in declarations:
        name, kind = declaration.name, wanted(declaration.type)
        if name in given:
            values[name] = check_argument(given[name], kind, name)
        else:
            values[name] = declaration.default
        if name != SEED:  # Another seed is no reason to compile again.
            bindings[name] = _binding(kind, values[name])
    return Call(values, bindings)


def check_names(declarations: Sequence[InputDeclaration], given: Iterable[str]) -> None:
    """An `InputError` for the first input that is unknown, or missing and without a default."""
    names = [d.name for d in declarations]
    given = set(given)
    for name in sorted(given - set(names)):
        raise unknown_input(name, names)
    for declaration in declarations:
        if declaration.name not in given and declaration.default is None:
            raise InputError(f"{declaration.name}: this input is missing ({declaration.type})")


def unknown_input(name: str, known: Sequence[str]) -> InputError:
    """The error for an input that the program does not have."""
    hint = did_you_mean(name, list(known))
    if hint is None:
        hint = f"it has {', '.join(known)}" if known else "it has none"
    return InputError(f"{name}: the program has no such input; {hint}")


def wanted(type: Type) -> Wanted:
    """What a caller must give for an input of this type."""
    match type:
        case ScalarType():
            return WantedScalar(_ELEMENTS[type.name])
        case ArrayType(element=ScalarType() as element):
            return WantedArray(type.rank, _ELEMENTS[element.name])
        case ListType():
            return WantedRows(tuple(_columns(type.element)))
        case _:
            raise InputError(f"an input of type {type} cannot be given yet")


def _columns(row: Type) -> list[ElementName]:
    """The element types of a row's columns, nested tuples flattened."""
    match row:
        case ScalarType():
            return [_ELEMENTS[row.name]]
        case TupleType():
            return [column for item in row.items for column in _columns(item)]
        case _:
            raise InputError(f"a list of {row} cannot be given yet")


def _binding(kind: Wanted, value: Any) -> Binding:
    match kind:
        case WantedScalar():
            return ScalarBinding(value)
        case WantedRows():
            return RowsBinding(cast("tuple[ElementName, ...]", kind.columns))
        case WantedArray():
            dense_rank = value.dense_rank if isinstance(value, SparseTile) else kind.rank
            shape = tuple(int(extent) for extent in value.shape)
            return ArrayBinding(kind.rank, dense_rank, cast(ElementName, kind.element), shape)
