"""Other inputs for a random program: longer ones, and copies to compare with.

longer_inputs({"n": 2, "x": [3.0, 4.0]}, 3, seed)    ->   {"n": 6, "x": [4.0, 3.0, 3.0, ...]}
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, cast

import numpy as np
import scipy.sparse as sparse

_SIZES = ("n", "m")
"""The inputs that extents of the others are equal to."""


def longer_inputs(inputs: Mapping[str, Any], times: int, seed: int) -> dict[str, Any]:
    """Inputs with so many times the extents, of elements that are drawn from those there are."""
    numbers = np.random.default_rng(seed)
    return {name: _longer(name, value, times, numbers) for name, value in inputs.items()}


def _longer(name: str, value: Any, times: int, numbers: np.random.Generator) -> Any:
    if name in _SIZES:
        return value * times
    if hasattr(value, "tocoo"):
        return sparse.csr_array(_longer(name, value.toarray(), times, numbers))
    if not isinstance(value, np.ndarray):
        return value
    array = cast("np.ndarray[Any, Any]", value)
    shape = tuple(times * extent for extent in array.shape)
    if array.size == 0:
        return np.zeros(shape, array.dtype)
    return numbers.choice(array.ravel(), shape)


def relates_others(inputs: Mapping[str, Any]) -> bool:
    """Whether a number that longer inputs leave alone is equal to an extent that they do not."""
    sizes = {inputs[name] for name in _SIZES if name in inputs}
    return any(isinstance(v, int) and v in sizes for n, v in inputs.items() if n not in _SIZES)


def copied_inputs(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs that nobody else writes to."""
    return {name: deepcopy(value) for name, value in inputs.items()}


def changed_input(before: Mapping[str, Any], inputs: Mapping[str, Any]) -> str | None:
    """The name of an input that is not what it was before."""
    for name, value in inputs.items():
        one, other = (v.toarray() if hasattr(v, "tocoo") else v for v in (before[name], value))
        if not np.array_equal(one, other, equal_nan=_may_be_nan(other)):
            return name
    return None


def _may_be_nan(value: Any) -> bool:
    return isinstance(value, np.ndarray) and cast("Any", value).dtype.kind in "fc"
