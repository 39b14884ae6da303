"""NumPy's functions on lazy arrays: `np.exp(a)`, `np.mean(a, axis=0)`, `a.sum()`.

A function of NumPy that has a lazy counterpart is that, other functions get the elements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, cast

import numpy as np

from diablo.array.elementwise_operations import elementwise, operation_of
from diablo.array.lazy_array import Array, node_of, operands
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
        return (
            inputs[0] @ inputs[1] if isinstance(inputs[0], Array) else _lazy(inputs[0]) @ inputs[1]
        )
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


def _lazy(value: Any) -> Array:
    return Array(node_of(value))


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
    counterpart = _counterparts().get(function)
    if counterpart is not None:
        try:
            return counterpart(*args, **kwargs)
        except TypeError:
            pass  # It has options that only NumPy knows.
    return function(*_eager(args), **_eager(kwargs))


def _transpose(x: Any, axes: Any = None) -> Array:
    lazy = _lazy(x)
    order = range(lazy.ndim)[::-1] if axes is None else axes
    return _namespace().permute_dims(lazy, tuple(order))


def _spread(name: str, x: Any, axis: Any = None, *, ddof: float = 0, keepdims: bool = False) -> Any:
    return getattr(_namespace(), name)(x, axis=axis, correction=ddof, keepdims=keepdims)


def _on_axis(name: str, x: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    return getattr(_namespace(), name)(x, axis=axis, keepdims=keepdims)


def _summed(
    name: str, x: Any, axis: Any = None, dtype: Any = None, *, keepdims: bool = False
) -> Any:
    return getattr(_namespace(), name)(x, axis=axis, dtype=dtype, keepdims=keepdims)


def _scanned(name: str, x: Any, axis: Any = None, dtype: Any = None) -> Any:
    lazy = _lazy(x)
    if axis is None:
        lazy, axis = _namespace().reshape(lazy, (-1,)), 0
    return getattr(_namespace(), name)(lazy, axis=axis, dtype=dtype)


def _sorted(name: str, x: Any, axis: Any = -1, *, descending: bool = False) -> Any:
    return getattr(_namespace(), name)(x, axis=axis, descending=descending)


def _joined(name: str, arrays: Any, axis: Any = 0) -> Any:
    return getattr(_namespace(), name)(arrays, axis=axis)


def _products(x: Any, y: Any) -> Any:
    if np.ndim(x) <= 2 and np.ndim(y) <= 2 and np.ndim(x) and np.ndim(y):
        return _namespace().matmul(x, y)
    raise TypeError("a product of other arrays than vectors and matrices is NumPy's")


def _where(*arguments: Any) -> Any:
    da = _namespace()
    return da.where(*arguments) if len(arguments) == 3 else da.nonzero(*arguments)


def _reshaped(x: Any, *shape: Any) -> Any:
    is_one = len(shape) == 1 and isinstance(shape[0], tuple | list)
    return _namespace().reshape(x, cast("Any", shape[0]) if is_one else shape)


def _ravelled(x: Any) -> Any:
    lazy = _lazy(x)
    return _namespace().reshape(lazy, (lazy.size,))


def _namespace() -> Any:
    import diablo.array as da

    return da


_ON_AXIS = ("max", "min", "all", "any", "mean", "argmax", "argmin", "count_nonzero")
_SAME = [
    "expand_dims",
    "squeeze",
    "flip",
    "moveaxis",
    "matrix_transpose",
    "broadcast_to",
    "broadcast_arrays",
    "tensordot",
    "einsum",
    "unstack",
    "permute_dims",
    "tril",
    "triu",
    "zeros_like",
    "ones_like",
    "empty_like",
    "full_like",
    "linspace",
    "vecdot",
    "meshgrid",
    "clip",
    "real",
    "imag",
    "nonzero",
    "diff",
    "concat",
    "isdtype",
    "result_type",
    "can_cast",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "searchsorted",
]


@lru_cache
def _counterparts() -> dict[Any, Callable[..., Any]]:
    """Return NumPy's functions and those that compute them lazily."""
    da = _namespace()
    found: dict[Any, Callable[..., Any]] = {getattr(np, name): getattr(da, name) for name in _SAME}
    found |= {getattr(np, name): partial(_on_axis, name) for name in _ON_AXIS}
    found |= {np.sum: partial(_summed, "sum"), np.prod: partial(_summed, "prod")}
    found |= {np.std: partial(_spread, "std"), np.var: partial(_spread, "var")}
    found |= {np.cumsum: partial(_scanned, "cumulative_sum")}
    found |= {np.cumprod: partial(_scanned, "cumulative_prod")}
    found |= {np.sort: partial(_sorted, "sort"), np.argsort: partial(_sorted, "argsort")}
    found |= {np.concatenate: partial(_joined, "concat"), np.stack: partial(_joined, "stack")}
    found |= {np.transpose: _transpose, np.dot: _products, np.where: _where}
    found |= {np.reshape: _reshaped, np.ravel: _ravelled, np.copy: _lazy}
    found |= {getattr(np.linalg, n): getattr(da.linalg, n) for n in ("inv", "det", "solve")}
    found |= {np.ndim: _rank, np.shape: _shape, np.size: _size}
    return found


def _rank(x: Any) -> int:
    return x.ndim


def _shape(x: Any) -> tuple[int, ...]:
    return x.shape


def _size(x: Any, axis: Any = None) -> int:
    return x.size if axis is None else x.shape[axis]


# ---- methods -------------------------------------------------------------------------


@lru_cache
def _methods() -> dict[str, Callable[..., Any]]:
    """Return the methods that lazy arrays have as NumPy's do."""
    da = _namespace()
    found: dict[str, Callable[..., Any]] = {name: partial(_on_axis, name) for name in _ON_AXIS}
    found |= {"sum": partial(_summed, "sum"), "prod": partial(_summed, "prod")}
    found |= {"std": partial(_spread, "std"), "var": partial(_spread, "var")}
    found |= {"cumsum": partial(_scanned, "cumulative_sum")}
    found |= {"cumprod": partial(_scanned, "cumulative_prod")}
    found |= {"reshape": _reshaped, "ravel": _ravelled, "flatten": _ravelled, "copy": _lazy}
    found |= {"astype": da.astype, "squeeze": da.squeeze, "clip": da.clip, "conj": da.conj}
    found |= {"dot": _products, "round": da.round, "transpose": _transposed, "take": da.take}
    return found


def _transposed(x: Any, *axes: Any) -> Any:
    if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], tuple | list)):
        return _transpose(x, axes[0])
    return _transpose(x, axes or None)


def method_of(array: Array, name: str) -> Any:
    """Return a method of an array, or a part of complex numbers."""
    if name in ("real", "imag"):
        return getattr(_namespace(), name)(array)
    if name.startswith("_") or name not in _methods():
        raise AttributeError(f"a lazy array has no attribute {name!r}")
    return partial(_methods()[name], array)
