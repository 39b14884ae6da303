"""The standard's functions of which results are as large as the data say."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from diablo.array.driver_operations import called, part
from diablo.array.expression_graph import Node
from diablo.array.lazy_array import Array, node_of

_PLACE = np.dtype(np.int64)


class UniqueAllResult(NamedTuple):
    """The values, where each is first, where it is of each element, and how often."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


class UniqueCountsResult(NamedTuple):
    """The values, and how often each is there."""

    values: Any
    counts: Any


class UniqueInverseResult(NamedTuple):
    """The values, and which of them each element is."""

    values: Any
    inverse_indices: Any


def _unique(x: Any) -> Any:
    return tuple(np.unique_all(x))


def _parts(x: Any) -> tuple[Array, Array, Array, Array]:
    node = node_of(x)
    found = called(_unique, (node,), None, None)
    return (
        Array(part(found, 0, None, node.dtype)),
        Array(part(found, 1, None, _PLACE)),
        Array(part(found, 2, node.shape, _PLACE)),
        Array(part(found, 3, None, _PLACE)),
    )


def unique_all(x: Any, /) -> UniqueAllResult:
    """Return the different values, and where and how often they are."""
    return UniqueAllResult(*_parts(x))


def unique_counts(x: Any, /) -> UniqueCountsResult:
    """Return the different values, and how often each is there."""
    values, _, _, counts = _parts(x)
    return UniqueCountsResult(values, counts)


def unique_inverse(x: Any, /) -> UniqueInverseResult:
    """Return the different values, and which of them each element is."""
    values, _, inverse, _ = _parts(x)
    return UniqueInverseResult(values, inverse)


def _values(x: Any) -> Any:
    # The order of `np.unique_values` is any, and scikit-learn wants that of the values.
    return np.unique(x, equal_nan=False)


def unique_values(x: Any, /) -> Array:
    """Return the different values, in their order."""
    node = node_of(x)
    return Array(called(_values, (node,), None, node.dtype))


def _nonzero(x: Any) -> Any:
    return tuple([np.asarray(each) for each in np.nonzero(x)])


def nonzero(x: Any, /) -> tuple[Array, ...]:
    """Return where the elements are that are not zero, an array for each axis."""
    node: Node = node_of(x)
    if not node.ndim:
        raise ValueError("an array without dimensions has no places")
    found = called(_nonzero, (node,), None, None)
    return tuple([Array(part(found, axis, None, _PLACE)) for axis in range(node.ndim)])
