"""Which of the names that a caller's rows carry are the fields of a record.

    fields_in(["b", "a"], fields_of(kind of <a: Int, b: Int>), …)   ->   [1, 0]

Rows carry names as dictionaries, named tuples and elements of structured arrays do, tables as
data frames do. Names that are numbers from 0, or f0, f1, … as NumPy has them, are none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from diablo.diagnostics import InputError
from diablo.runtime.value_kinds import Kind, TupleKind, field_paths

Names = tuple[str, ...]
"""What a field may be called, best first; nothing of what has no name."""


def carried_names(value: object) -> list[Any] | None:
    """The names of the parts of a row, if it carries any."""
    if isinstance(value, Mapping):
        return list(cast("Mapping[Any, Any]", value))
    if isinstance(value, np.void):
        return list(value.dtype.names or ()) or None
    if isinstance(value, tuple) and hasattr(cast(Any, value), "_fields"):
        return list(cast(Any, value)._fields)
    return None


def fields_of(row: Kind) -> list[Names]:
    """Return what each leaf of a row may be called: `outer.inner`, or `inner` alone."""
    if not isinstance(row, TupleKind):
        return [()]
    paths = [(path,) if "." in path else () for path in field_paths(row)]
    return [path + own for path, own in zip(paths, _own_names(row), strict=True)]


def _own_names(row: TupleKind) -> list[Names]:
    names: list[Names] = []
    for k, item in enumerate(row.items):
        inner: list[Names] = _own_names(item) if isinstance(item, TupleKind) else [()]
        own = (row.names[k],) if row.names is not None else ()
        names += [own] if len(inner) == 1 else inner
    return names


def fields_in(
    found: Sequence[Any],
    fields: Sequence[Names],
    whole: str,
    noun: str,
    wanted: object,
    numbered: bool = True,
) -> Sequence[int]:
    """Return where the fields of a row are among the names `found`, each of which is called `noun`.

    Names that are none, if they may be `numbered`, are taken in their order, and so are all where
    the fields have none.
    Between fields with names, those without, as the key of a map, are what is left.

    Raises
    ------
    InputError
        If `found` has not one of a field's names, or has it twice; it speaks of `whole`.
    """
    unnamed = [list(range(len(found))), [f"f{k}" for k in range(len(found))]]
    chosen = [next((name for name in names if name in found), None) for names in fields]
    asked = [name or names[-1] for name, names in zip(chosen, fields, strict=True) if names]
    are_names = set(asked) == set(found)
    if not asked or (numbered and list(found) in unnamed and not are_names):
        return range(len(found))
    if len(set(asked)) < len(asked):
        return range(len(found))
    for field in asked:
        if found.count(field) != 1:
            how = f"no {noun}" if field not in found else f"several {noun}s"
            raise InputError(
                f"{whole} has {how} {field!r}: it has {_listed(found)} where {wanted} is wanted"
            )
    left = iter([place for place, name in enumerate(found) if name not in asked])
    order = [next(left, -1) if name is None else found.index(name) for name in chosen]
    return order if -1 not in order else range(len(found))


def refuse_others(
    found: Sequence[Any], order: Sequence[int], whole: str, noun: str, wanted: object
) -> None:
    """Raise an `InputError` if there are names that are no field's."""
    if len(found) > len(order):
        other = next(name for place, name in enumerate(found) if place not in order)
        message = f"{whole} has an unknown {noun} {other!r}: it has {_listed(found)}"
        raise InputError(f"{message} where {wanted} is wanted")


def _listed(found: Sequence[Any]) -> str:
    return ", ".join(map(str, found[:8])) + (", …" if len(found) > 8 else "")
