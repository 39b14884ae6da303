"""Medians, quantiles and percentiles, which NumPy finds on the driver.

quantile(a, [0.1, 0.9], axis=0)    ->    a call of `numpy.quantile`, of shape (2, *a.shape[1:])
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from diablo.array.driver_operations import called
from diablo.array.lazy_array import Array, node_of
from diablo.array.manipulation_functions import axes_of


def _found(
    function: Callable[..., Any], x: Any, axis: Any, keepdims: bool, *, q: Any = None, **more: Any
) -> Array:
    node = node_of(x)
    axes = axes_of(axis, node.ndim)
    if any(not node.shape[k] for k in axes):
        raise ValueError("nothing has no quantile: an axis of extent 0 is looked at")
    options = {"axis": axes if node.ndim else None, "keepdims": keepdims, **more}
    if q is not None:
        options["q"] = np.asarray(q) if np.ndim(q) else q  # A number leaves the type as it is.
    # Of one element it is of the same type, and the same errors are raised at once.
    one = function(np.ones((1,) * node.ndim, node.dtype), **options)
    shape = [1 if k in axes else e for k, e in enumerate(node.shape) if keepdims or k not in axes]
    parts = () if q is None else np.shape(q)
    return Array(called(_computed, (node,), (*parts, *shape), one.dtype,
                        {"function": function, **options}))  # fmt: skip


def _computed(x: Any, *, function: Callable[..., Any], **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return function(x, **options)


def median(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the value in the middle along axes, or the mean of both; NaN if there is one."""
    return _found(np.median, x, axis, keepdims)


def quantile(
    x: Any, /, q: Any, *, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> Array:
    """Return the values below which parts `q`, from 0 to 1, of the elements along axes lie.

    Several parts are the first axes of the result. Methods are those of `numpy.quantile`.
    """
    return _found(np.quantile, x, axis, keepdims, q=q, method=method)


def percentile(
    x: Any, /, q: Any, *, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> Array:
    """Return the values below which `q` of 100 elements along axes lie, as `quantile`."""
    return _found(np.percentile, x, axis, keepdims, q=q, method=method)


def nanmedian(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:
    """Return the median along axes of what is not NaN; NaN if all is."""
    return _found(np.nanmedian, x, axis, keepdims)


def nanquantile(
    x: Any, /, q: Any, *, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> Array:
    """Return quantiles along axes of what is not NaN, as `quantile`."""
    return _found(np.nanquantile, x, axis, keepdims, q=q, method=method)


def nanpercentile(
    x: Any, /, q: Any, *, axis: Any = None, method: str = "linear", keepdims: bool = False
) -> Array:
    """Return percentiles along axes of what is not NaN, as `percentile`."""
    return _found(np.nanpercentile, x, axis, keepdims, q=q, method=method)
