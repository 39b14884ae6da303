"""Programs on the disk: what was found out of one is kept for processes to come.

    keep(("text", text, file), CheckedProgram(…))          # compiling, in one process
    found(("text", text, file))                            # the same, in another

Values are written as JSON, dataclasses by the names of those that are listed here; what is found is
nothing but such values.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, cast

from diablo.diagnostics import Diagnostic, Span
from diablo.frontend.checking import types
from diablo.frontend.checking.program_interface import InputDeclaration, ProgramInterface
from diablo.kernel_signature import Cut
from diablo.runtime.disk_cache import store, stored


@dataclass(frozen=True)
class CheckedProgram:
    """What the checker finds out of a program, whatever its inputs are."""

    interface: ProgramInterface
    diagnostics: Sequence[Diagnostic]


@dataclass(frozen=True)
class StoredKernel:
    """A kernel without its code: what tells it from others, what it takes and gives."""

    identity: str
    signature: str | None
    """None of a kernel over rows, which the compiler does not look at before it is worth it."""
    specialises: bool
    """Whether there is other code for sparse tiles in other layouts."""


@dataclass(frozen=True)
class StoredText:
    """The Python text of a program, and what is not in it."""

    text: str
    kernels: Mapping[str, StoredKernel]
    inputs: Sequence[str]
    """The inputs that it takes, in order."""
    sparse_results: Mapping[str, Sequence[str | None]]
    """Of kernels: the names of the sparse arrays that they make."""


@dataclass(frozen=True)
class StoredPlan:
    """A program compiled for what is known of its inputs, as far as anybody asked for it."""

    diagnostics: Sequence[Diagnostic]
    work: Mapping[str, int] | None = None
    emitted: StoredText | None = None


@dataclass(frozen=True)
class StoredDeviceCode:
    """A kernel of a device without its text: what `DeviceCode` has, or why there is none."""

    refusal: str
    signature: str = ""
    launches: str = ""
    kernels: Sequence[tuple[str, Sequence[Any]]] = ()
    multiplies: bool = False
    turned: bool = False
    """Whether its sparse matrix has to be in compressed columns."""
    cut: Cut | None = None
    """How it is called for some of its rows."""


@dataclass(frozen=True)
class StoredDeviceKernel:
    """A kernel of a program, which a device may run: its place, and what tells it from others."""

    identity: str
    span: Span | None
    code: StoredDeviceCode


_CLASSES: dict[str, type] = {
    each.__name__: each
    for each in (
        CheckedProgram,
        Cut,
        Diagnostic,
        InputDeclaration,
        ProgramInterface,
        Span,
        StoredDeviceCode,
        StoredDeviceKernel,
        StoredKernel,
        StoredPlan,
        StoredText,
        types.ArrayType,
        types.FunctionType,
        types.ListType,
        types.MapType,
        types.MappedType,
        types.NothingType,
        types.RecordType,
        types.ScalarType,
        types.TupleType,
        types.UnknownType,
    )
}


def keep(key: Hashable, value: Any) -> None:
    """Keep a value, whatever was kept for the key before; `key` is told from others by its repr."""
    store("program", repr(key), json.dumps(_written(value), separators=(",", ":")).encode())


def found(key: Hashable) -> Any:
    """The value that a process has kept for a key, or None."""
    data = stored("program", repr(key))
    if data is None:
        return None
    try:
        return _read(json.loads(data))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _written(value: Any) -> Any:
    """A value as JSON has it: what is more than a number or a text is a list that says what."""
    if is_dataclass(value) and not isinstance(value, type):
        name = type(value).__name__
        assert _CLASSES[name] is type(value), f"{name} is not listed"
        return [name, *[_written(getattr(value, field.name)) for field in fields(value)]]
    match value:
        case complex():
            return ["complex", value.real, value.imag]
        case list() | tuple():
            items = cast("Sequence[Any]", value)
            return ["list" if isinstance(value, list) else "tuple", *map(_written, items)]
        case Mapping():
            pairs = cast("Mapping[Any, Any]", value).items()
            return ["dict", *[[_written(key), _written(item)] for key, item in pairs]]
        case _:
            assert value is None or isinstance(value, bool | int | float | str), value
            return value


def _read(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    name, *parts = cast("list[Any]", value)
    if name == "dict":
        return {_read(key): _read(item) for key, item in parts}
    items = list(map(_read, parts))
    if name in ("list", "tuple"):
        return items if name == "list" else tuple(items)
    return complex(*items) if name == "complex" else _CLASSES[name](*items)
