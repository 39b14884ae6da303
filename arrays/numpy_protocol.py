"""NumPy's functions on lazy arrays: `np.exp(a)`, `np.mean(a, axis=0)`, `a.sum()`.

A function of NumPy that has a lazy counterpart is that, other functions get the elements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from diablo.array.elementwise_operations import elementwise, operation_of
from diablo.array.lazy_array import Array, node_of, operands
from diablo.array.numpy_counterparts import counterparts, lazy_of
from diablo.monoid_table import MONOIDS

_FOLDS = {monoid.ufunc: monoid.fold for monoid in MONOIDS.values() if monoid.fold}


def apply_ufunc(
    ufunc: np.ufunc, method: str, inputs: Sequence[Any], options: Mapping[str, Any]
) -> Any:
    """Return a ufunc of arrays of which some are lazy: lazily, where it is one of ours."""
    operation = operation_of(ufunc)
    if method == "__call__" and not options and operation is not None:
        if len(inputs) == 2:
            return Array(elementwise(operation, *operands(*inputs)))
        return Array(elementwise(operation, *map(node_of, inputs)))
    if method == "__call__" and not options and ufunc is np.matmul:
        return lazy_of(inputs[0]) @ inputs[1]
    if method == "__call__" and not options and ufunc is np.divmod:
        return divmod(lazy_of(inputs[0]), inputs[1])
    if method == "reduce" and ufunc.__name__ in _FOLDS and {*options} <= {"axis", "keepdims"}:
        import diablo.array as da

        return getattr(da, _FOLDS[ufunc.__name__])(
            inputs[0], axis=options.get("axis", 0), keepdims=options.get("keepdims", False)
        )
    outputs: tuple[Any, ...] = options.get("out", ())
    if any(isinstance(out, Array) for out in outputs):
        rest = {name: value for name, value in options.items() if name != "out"}
        (output,) = outputs
        output[...] = getattr(ufunc, method)(*map(_eager, inputs), **rest)
        return output
    return getattr(ufunc, method)(*map(_eager, inputs), **options)


def _eager(value: Any) -> Any:
    """Return a value with NumPy's arrays for lazy ones."""
    if isinstance(value, Array):
        return value.to_numpy()
    if isinstance(value, list | tuple):
        items = cast("Sequence[Any]", value)
        made = [_eager(item) for item in items]
        return made if isinstance(value, list) else tuple(made)
    if isinstance(value, dict):
        return {k: _eager(v) for k, v in cast("dict[Any, Any]", value).items()}
    return value


def apply_function(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Return a function of NumPy's of arrays of which some are lazy."""
    counterpart = counterparts().get(function)
    if counterpart is not None:
        try:
            return counterpart(*args, **kwargs)
        except TypeError:
            pass  # It has options that only NumPy knows.
    return function(*_eager(args), **_eager(kwargs))
