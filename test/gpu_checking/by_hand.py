"""What is measured as one writes it by hand with the library's arrays, to compare with.

Functions of NumPy's are the library's for its arrays. Where there are several ways, each is here,
and what is compared with is the fastest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import product
from typing import Any, cast

import numpy as np

from diablo.runtime.device.device import Device

Weights = tuple[float, float, float, float]
"""Those of a point of a cube, and of its neighbours at faces, edges and corners."""
Around = Callable[[Any, Weights], Any]


def scaled_sum(a: Any, b: Any) -> Any:
    """One operation after the other, as all that follow."""
    return 0.5 * a + b


def expression(a: Any, b: Any) -> Any:
    """The expression of ten operations."""
    return (a * b + 0.5) / (a * a + b * b + 1.0) - np.sqrt(np.abs(a - b))


def complex_expression(a: Any, b: Any) -> Any:
    """The expression of complex numbers."""
    return a * np.conj(b) / (np.abs(a) + np.abs(b) + 1.0) + 0.5 * a


def multiplied(a: Any, b: Any) -> Any:
    """By cuBLAS."""
    return a @ b


def cross_of_slices(a: Any) -> Any:
    """The mean of each point of a torus and its four neighbours, sum by sum."""
    p = np.pad(a, 1, mode="wrap")
    middle, sides = p[1:-1], p[:, 1:-1]
    return 0.2 * (a + sides[2:] + sides[:-2] + middle[:, 2:] + middle[:, :-2])


def cross_filtered(a: Any) -> Any:
    """The same as a filter."""
    return _filtered(a, 0.2 * np.array([[0.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 1.0, 0.0]]))


def _filtered(a: Any, weights: Any) -> Any:
    """The sum of weighted neighbours on a torus, in one kernel where the library has one."""
    if type(a).__module__.startswith("cupy"):
        filters = import_module("cupyx.scipy.ndimage")
        return filters.correlate(a, import_module("cupy").asarray(weights), mode="wrap")
    shifts = [tuple(1 - d for d in at) for at in np.ndindex(weights.shape)]
    axes = tuple(range(a.ndim))
    return _added([w * np.roll(a, at, axes) for w, at in zip(weights.flat, shifts, strict=True)])


def filtered_sum(keys: Any, values: Any) -> Any:
    """The sum of twice what is larger than a half."""
    return np.sum(np.where(values > 0.5, 2.0 * values, 0.0))


def group_sums(keys: Any, values: Any) -> Any:
    """The sum of all groups' sums; keys are counted from 0."""
    return np.sum(np.bincount(keys, values))


def matched_sum(keys: Any, values: Any, others: Any, factors: Any) -> Any:
    """The sum of products over all pairs of rows with equal keys; those of `others` differ."""
    order = np.argsort(others)
    places = cast(Any, np).searchsorted(others[order], keys)
    there = np.minimum(places, others.shape[0] - 1)
    found = order[there]
    return np.sum(np.where(others[found] == keys, values * factors[found], 0.0))


def bins(places: Any, values: Any) -> Any:
    """The sum of the values at each place."""
    return np.bincount(places, values)


def centres(points: Any, centres: Any, numbers: Any) -> Any:
    """The means of the points that are nearest to each centre."""
    distances = np.sum(centres * centres, axis=1) - 2.0 * (points @ centres.T)
    chosen = 1.0 * (np.argmin(distances, axis=1)[:, None] == numbers)
    return (chosen.T @ points) / np.sum(chosen, axis=0)[:, None]


def cg(device: Device, matrix: Any, problem: Any) -> float:
    """CG of the NAS suite."""
    starts, indices, values = map(device.copy_in, (matrix.indptr, matrix.indices, matrix.data))
    times = device.sparse_product(starts, indices, values, matrix.shape)

    def solve(x: Any) -> Any:
        z, r, p = 0.0 * x, x, x
        rho = r @ r
        for _ in range(25):
            q = times(p)
            before, alpha = rho, rho / (p @ q)
            z = z + alpha * p
            r = r - alpha * q
            rho = r @ r
            p = r + (rho / before) * p
        return z

    x = device.copy_in(np.ones(matrix.shape[0]))
    zeta = 0.0
    for _ in range(problem.niter):
        z = device.call_library(solve, [x])
        product = device.call_library(multiplied, [x, z])
        zeta = problem.shift + 1.0 / float(device.copy_out(product)[()])
        x = device.call_library(_normed, [z])
    return zeta


def _normed(a: Any) -> Any:
    return a / np.sqrt(a @ a)


def cube_of_slices(u: Any, weights: Weights) -> Any:
    """The sum of the weighted neighbours on a torus of three dimensions, sum by sum."""
    p = np.pad(u, 1, mode="wrap")
    lines, pairs = p[:, :, 1:-1], p[:, :, 2:] + p[:, :, :-2]
    low, middle, high = slice(None, -2), slice(1, -1), slice(2, None)
    beside = [(low, middle), (high, middle), (middle, low), (middle, high)]
    across = [(low, low), (low, high), (high, low), (high, high)]
    terms = (
        (weights[0], [u]),
        (weights[1], [pairs[middle, middle], *(lines[at] for at in beside)]),
        (weights[2], [*(pairs[at] for at in beside), *(lines[at] for at in across)]),
        (weights[3], [pairs[at] for at in across]),
    )
    parts = [weight * _added(arrays) for weight, arrays in terms if weight != 0.0]
    return _added(parts)


def _added(arrays: Sequence[Any]) -> Any:
    total = arrays[0]
    for array in arrays[1:]:
        total = total + array
    return total


def cube_filtered(u: Any, weights: Weights) -> Any:
    """The same as a filter."""
    distances = [sum(abs(d) for d in at) for at in product((-1, 0, 1), repeat=3)]
    return _filtered(u, np.array([weights[d] for d in distances]).reshape(3, 3, 3))


def _finer(z: Any) -> Any:
    """The next finer grid: points of the coarser one, and means between two of them."""
    for axis in range(3):
        between = 0.5 * (z + np.roll(z, 1, axis))
        shape = tuple(n * (2 if d == axis else 1) for d, n in enumerate(z.shape))
        z = np.stack([between, z], axis + 1).reshape(shape)
    return z


def mg(device: Device, charges: Any, problem: Any, a: Weights, around: Around) -> float:
    """MG of the NAS suite, by a way to add up neighbours; the norm of the residual.

    Raises
    ------
    ArithmeticError
        If the norm is another than the suite's.
    """

    def coarser(r: Any) -> Any:
        return around(r, (0.5, 0.25, 0.125, 0.0625))[1::2, 1::2, 1::2]

    def cycles(v: Any) -> Any:
        u, r = 0.0 * v, v
        for _ in range(problem.iterations):
            residuals = [r]
            for _ in range(problem.levels - 1):
                residuals.append(coarser(residuals[-1]))
            z = around(residuals.pop(), problem.c)
            while len(residuals) > 1:
                z = _finer(z)
                r = residuals.pop() - around(z, a)
                z = z + around(r, problem.c)
            u = u + _finer(z)
            r = v - around(u, a)
            u = u + around(r, problem.c)
            r = v - around(u, a)
        return np.sqrt(np.sum(r * r) / r.size)

    norm = device.call_library(cycles, [device.copy_in(charges)])
    found = float(device.copy_out(norm)[()])
    if abs(found - problem.norm) > 1e-8 * problem.norm:
        raise ArithmeticError(f"by hand the norm is {found}")
    return found
