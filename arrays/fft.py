"""The standard's extension of Fourier transforms: SciPy computes them, as lazily as all else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from diablo.array.creation_functions import asarray
from diablo.array.data_types import check_device
from diablo.array.driver_operations import called
from diablo.array.expression_graph import Node
from diablo.array.lazy_array import Array, node_of
from diablo.array.manipulation_functions import axes_of, axis_of

_NORMS = ("backward", "ortho", "forward")

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]


def _transformed(x: Any, *, name: str, **options: Any) -> Any:
    import scipy.fft

    return getattr(scipy.fft, name)(x, **options)


def _type(node: Node, *, real: bool) -> Any:
    narrow = node.dtype in (np.float32, np.complex64)
    if real:
        return np.dtype(np.float32 if narrow else np.float64)
    return np.dtype(np.complex64 if narrow else np.complex128)


def _along(name: str, x: Any, n: int | None, axis: int, norm: Any, *, real: bool = False) -> Array:
    """Return a transform along one axis."""
    _check(norm)
    node = node_of(x)
    place = axis_of(axis, node.ndim)
    given = node.shape[place]
    if name in ("irfft", "hfft"):
        length = 2 * (given - 1) if n is None else n
    else:
        length = given if n is None else n
        if name in ("rfft", "ihfft"):
            length = length // 2 + 1
    shape = (*node.shape[:place], length, *node.shape[place + 1 :])
    options = {"name": name, "n": n, "axis": place, "norm": norm}
    return Array(called(_transformed, (node,), shape, _type(node, real=real), options))


def _over(name: str, x: Any, s: Any, axes: Any, norm: Any, *, real: bool = False) -> Array:
    """Return a transform along several axes."""
    _check(norm)
    node = node_of(x)
    if axes is None:
        places = tuple(range(node.ndim - (len(s) if s is not None else node.ndim), node.ndim))
    else:
        places = axes_of(tuple(axes), node.ndim)
    shape = list(node.shape)
    for number, place in enumerate(places):
        if s is not None:
            shape[place] = s[number]
    last = places[-1]
    if name == "rfftn":
        shape[last] = shape[last] // 2 + 1
    elif name == "irfftn" and s is None:
        shape[last] = 2 * (shape[last] - 1)
    options = {"name": name, "s": s, "axes": places, "norm": norm}
    return Array(called(_transformed, (node,), tuple(shape), _type(node, real=real), options))


def _check(norm: Any) -> None:
    if norm not in _NORMS:
        raise ValueError(f"there is no norm {norm!r}: it is one of {', '.join(_NORMS)}")


def fft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: Any = "backward") -> Array:
    """Return the transform along an axis."""
    return _along("fft", x, n, axis, norm)


def ifft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: Any = "backward") -> Array:
    """Return the inverse transform along an axis."""
    return _along("ifft", x, n, axis, norm)


def rfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: Any = "backward") -> Array:
    """Return the transform of real numbers along an axis."""
    return _along("rfft", x, n, axis, norm)


def irfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: Any = "backward") -> Array:
    """Return the inverse transform along an axis, of what has real numbers."""
    return _along("irfft", x, n, axis, norm, real=True)


def hfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: Any = "backward") -> Array:
    """Return the transform along an axis of what has a real spectrum."""
    return _along("hfft", x, n, axis, norm, real=True)


def ihfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: Any = "backward") -> Array:
    """Return the inverse transform of a real spectrum along an axis."""
    return _along("ihfft", x, n, axis, norm)


def fftn(
    x: Any, /, *, s: Sequence[int] | None = None, axes: Any = None, norm: Any = "backward"
) -> Array:
    """Return the transform along axes."""
    return _over("fftn", x, s, axes, norm)


def ifftn(
    x: Any, /, *, s: Sequence[int] | None = None, axes: Any = None, norm: Any = "backward"
) -> Array:
    """Return the inverse transform along axes."""
    return _over("ifftn", x, s, axes, norm)


def rfftn(
    x: Any, /, *, s: Sequence[int] | None = None, axes: Any = None, norm: Any = "backward"
) -> Array:
    """Return the transform of real numbers along axes."""
    return _over("rfftn", x, s, axes, norm)


def irfftn(
    x: Any, /, *, s: Sequence[int] | None = None, axes: Any = None, norm: Any = "backward"
) -> Array:
    """Return the inverse transform along axes, of what has real numbers."""
    return _over("irfftn", x, s, axes, norm, real=True)


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
    """Return the frequencies of a transform."""
    check_device(device)
    return asarray(np.fft.fftfreq(n, d).astype(np.float64 if dtype is None else dtype))


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Array:
    """Return the frequencies of a transform of real numbers."""
    check_device(device)
    return asarray(np.fft.rfftfreq(n, d).astype(np.float64 if dtype is None else dtype))


def _shifted(x: Any, *, axes: Any) -> Any:
    return np.fft.fftshift(x, axes)


def _unshifted(x: Any, *, axes: Any) -> Any:
    return np.fft.ifftshift(x, axes)


def fftshift(x: Any, /, *, axes: Any = None) -> Array:
    """Return a spectrum with frequency zero in the middle."""
    node = node_of(x)
    return Array(called(_shifted, (node,), node.shape, node.dtype, {"axes": axes}))


def ifftshift(x: Any, /, *, axes: Any = None) -> Array:
    """Return a spectrum with frequency zero at the beginning."""
    node = node_of(x)
    return Array(called(_unshifted, (node,), node.shape, node.dtype, {"axes": axes}))
