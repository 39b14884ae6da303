"""From the flat values that `main` returns to the values of the program's results.

shaped_results((1, 2.5, 7), [kind of (Int, Double), kind of Int])   ->   [(1, 2.5), 7]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.arrays.tiles import Tile
from diablo.runtime.device.device_arrays import DeviceArray
from diablo.runtime.results.python_values import python_scalar, record
from diablo.runtime.results.result_types import DistributedArray, Map, Rows
from diablo.runtime.value_kinds import ArrayKind, Kind, ListKind, MapKind, TupleKind, element_code


def shaped_results(result: Any, kinds: Sequence[Kind]) -> list[Any]:
    """One value per kind, from the leaves that `main` returns: one, or a tuple of several."""
    values = _leaves(result)
    return [_shaped(kind, values) for kind in kinds]


def named_results(result: Any, names: Sequence[str], kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """The value of each name, from the leaves that `main` returns: one where no kind is known."""
    values = _leaves(result)
    return {name: _shaped(kinds[name], values) if name in kinds else next(values) for name in names}


def _leaves(result: Any) -> Iterator[Any]:
    """What `main` returns, one after the other."""
    return iter(cast("tuple[Any, ...]", result) if isinstance(result, tuple) else (result,))


def _shaped(kind: Kind, values: Iterator[Any]) -> Any:
    """The value of a kind, from as many leaves as it has."""
    if isinstance(kind, TupleKind):
        parts = [_shaped(item, values) for item in kind.items]
        return tuple(parts) if kind.names is None else record(kind.names, parts)
    value = next(values)
    if isinstance(kind, ListKind) and isinstance(value, Rows):
        value.row = kind.row
    elif isinstance(kind, MapKind) and isinstance(value, Map):
        value.kind = kind
    elif isinstance(kind, ArrayKind):
        if isinstance(value, np.ndarray | SparseTile | DeviceArray):
            value = DistributedArray.of_tile(cast(Tile, value), element_code(kind.element))
        value.element = kind.element
        return value
    return python_scalar(kind, value)
