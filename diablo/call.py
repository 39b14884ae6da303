"""The arguments of a call: checked against the declared inputs, and what they tell the compiler.

Inputs(declarations).check({"n": 4, "A": scipy_matrix})
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

import numpy as np

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
from diablo.runtime.io.nested_values import is_as_wanted
from diablo.runtime.io.wanted import wanted_of
from diablo.runtime.results.result_types import DistributedArray
from diablo.runtime.value_kinds import (
    ArrayKind,
    Kind,
    ListKind,
    MapKind,
    ScalarKind,
    TupleKind,
    leaves,
)


@dataclass(frozen=True)
class Call:
    """The inputs of one call."""

    values: dict[str, Any]
    bindings: dict[str, Binding]


@dataclass(frozen=True)
class Inspected:
    """The inputs of a call that were passed on as they are, and what they told the compiler.

    Most calls of a program are given arrays of the same form again, and the same integers.
    """

    arrays: list[tuple[str, Any, tuple[int, ...]]]
    scalars: list[tuple[str, Any]]
    floats: list[str]
    """Those whose values tell the compiler nothing."""
    bindings: dict[str, Binding]

    @classmethod
    def of(
        cls, given: Mapping[str, Any], call: Call, tensors: Mapping[str, WantedArray]
    ) -> Inspected | None:
        """Return the inputs of a call, unless one of them has to be looked at each time.

        Rows are, and what is no plain array for one of the `tensors`: of characters, say.
        """
        arrays: list[tuple[str, Any, tuple[int, ...]]] = []
        scalars: list[tuple[str, Any]] = []
        floats: list[str] = []
        for name, value in call.values.items():
            if name not in given or given[name] is not value:
                return None
            if name in tensors and is_as_wanted(value, tensors[name]):
                arrays.append((name, value.dtype, value.shape))
            elif type(value) is float and name not in call.bindings:
                floats.append(name)
            elif type(value) in (bool, int, str):  # Zeros that are floats differ in their sign.
                scalars.append((name, value))
            else:
                return None
        return cls(arrays, scalars, floats, call.bindings)

    def is_like(self, given: Mapping[str, Any]) -> bool:
        """Return whether inputs may be passed on as those were, and tell the compiler the same."""
        for name, value in self.scalars:
            other = given.get(name)
            if type(other) is not type(value) or other != value:
                return False
        for name in self.floats:
            if type(given.get(name)) is not float:
                return False
        for name, dtype, shape in self.arrays:
            array = given.get(name)
            if (
                type(array) is not np.ndarray
                or array.dtype is not dtype
                or array.shape != shape
                or not array.flags.c_contiguous
                or not array.flags.aligned
            ):
                return False
        return len(given) == len(self.arrays) + len(self.scalars) + len(self.floats)


class Inputs:
    """The declared inputs of a program, and what is known of them before any call."""

    def __init__(self, declarations: Sequence[InputDeclaration]):
        self._declarations = declarations
        self._wanted = [(declaration, wanted(declaration.type)) for declaration in declarations]
        self._names = {declaration.name for declaration in declarations}
        self._undecided = [d.name for d in declarations if not d.decides]
        self._tensors = {d.name: kind for d, kind in self._wanted if isinstance(kind, WantedArray)}
        self.inspected: Inspected | None = None
        """What the latest call in this process was given, if calls may be given the like."""

    def check(self, given: Mapping[str, Any], on_spark: bool = False) -> Call:
        """Check every argument; the first that is wrong, missing or unknown is an `InputError`.

        Calls whose inputs are like those of the one before get the same object as their bindings.
        """
        inspected = None if on_spark else self.inspected
        if inspected is not None and inspected.is_like(given):
            return Call({**given}, inspected.bindings)
        call = self._checked(given, on_spark)
        self.inspected = None if on_spark else Inspected.of(given, call, self._tensors)
        return call

    def _checked(self, given: Mapping[str, Any], on_spark: bool) -> Call:
        if len(given) != len(self._names) or not self._names.issuperset(given):
            check_names(self._declarations, given)
        values: dict[str, Any] = {}
        bindings: dict[str, Binding] = {}
        is_sparse = False
        for declaration, kind in self._wanted:
            name = declaration.name
            if declaration.path is not None and name not in given:
                value = load_pattern(declaration.path, kind)
            else:
                value = given.get(name, declaration.default)
                value = check_argument(value, kind, name, on_spark)
            values[name] = value
            if name == SEED:  # Another seed is no reason to compile again.
                continue
            binding = _binding(kind, value)
            if isinstance(binding, ArrayBinding):
                is_sparse = is_sparse or binding.dense_rank < binding.rank
                if not declaration.is_read:
                    binding = replace(binding, shape=(None,) * binding.rank)
            elif not declaration.is_read and isinstance(binding, ScalarBinding):
                continue
            bindings[name] = binding
        if not is_sparse:
            for name in self._undecided:
                bindings.pop(name, None)
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
    if isinstance(kind, TupleKind):
        raise InputError(f"an input of type {type} cannot be given")
    return wanted_of(kind)


@lru_cache(maxsize=256)
def _binding_of_rows(wanted: WantedRows | WantedMap) -> RowsBinding | MapBinding:
    """Return what an input tells the compiler, whatever its rows are."""
    if isinstance(wanted, WantedRows):
        return RowsBinding(_column_bindings(wanted.kind.row))
    keys = _column_bindings(wanted.kind.key)
    return MapBinding(cast("tuple[ElementName, ...]", keys), _column_bindings(wanted.kind.value))


def _binding(wanted: Wanted, value: Any) -> Binding:
    match wanted:
        case WantedScalar():
            return ScalarBinding(chr(value) if wanted.type.domain == "character" else value)
        case WantedRows() | WantedMap():
            return _binding_of_rows(wanted)
        case WantedArray():
            has_rank = isinstance(value, SparseTile | DistributedArray)
            dense_rank = value.dense_rank if has_rank else wanted.rank
            shape = tuple([int(extent) for extent in value.shape])
            kind = wanted.kind.element
            scalar = isinstance(kind, ScalarKind)
            element = kind.element if scalar else RowsBinding(_column_bindings(kind))
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
