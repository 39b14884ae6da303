"""Scalar functions that NumPy has not got, or has with another meaning.

Emitted kernels call them on whole arrays (or on scalars). Integers are 64-bit and wrap
around; division truncates toward zero. A division in a branch is given the mask of the
points that take the branch, so that only they can fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from diablo.diagnostics import RunError

Numbers = Any  # An array or a scalar; the result has the same kind.

CHUNK_ELEMENTS = 1 << 17
"""How many points of an iteration space are evaluated at a time: 1 MB of doubles."""


def chunks(extent: int, elements: int = 1) -> Iterator[tuple[int, int]]:
    """Cut `range(extent)` into ranges of about CHUNK_ELEMENTS / `elements` indices.

    >>> list(chunks(5, CHUNK_ELEMENTS // 2))
    [(0, 2), (2, 4), (4, 5)]
    """
    step = max(1, CHUNK_ELEMENTS // max(1, elements))
    for begin in range(0, extent, step):
        yield begin, min(begin + step, extent)


def complex_of(re: Numbers, im: Numbers, dtype: DTypeLike) -> Numbers:
    """The complex numbers with these parts, each of which is kept as it is."""
    result = np.empty(np.broadcast_shapes(np.shape(re), np.shape(im)), dtype)
    result.real = re
    result.imag = im
    return result if result.shape else result[()]


def bits_as(x: Numbers, given: DTypeLike, wanted: DTypeLike) -> Numbers:
    """The numbers of another type of the same size that have the same bits."""
    found = np.ascontiguousarray(np.asarray(x, given)).view(wanted)
    return found if np.ndim(x) else found.reshape(())[()]


def real(z: Numbers) -> Numbers:
    """The real parts, which share no memory with the complex numbers."""
    return np.ascontiguousarray(z.real) if np.ndim(z) else z.real


def imag(z: Numbers) -> Numbers:
    """The imaginary parts, which share no memory with the complex numbers."""
    return np.ascontiguousarray(z.imag) if np.ndim(z) else z.imag


def _divisor(dividend: Numbers, divisor: Numbers, where: Numbers, at: str) -> Numbers:
    """`divisor` with its zeros replaced, which are an error at the points where the mask is set."""
    zero = np.equal(divisor, 0)
    if not np.any(zero):
        return divisor
    # A single zero divides nothing if there are no dividends.
    points = np.ones(np.shape(dividend), bool)
    if np.any(np.logical_and(np.logical_and(zero, where), points)):
        raise RunError(f"{at}: integer division by zero" if at else "integer division by zero")
    return np.where(zero, 1, divisor)


def quotient(a: Numbers, b: Numbers, *, where: Numbers = True, at: str = "") -> Numbers:
    """`a / b` on integers, rounded toward zero as C and Scala do.

    Raises
    ------
    RunError
        If a point where the mask `where` is set divides by zero; `at` is its place.
    """
    if type(a) is int and type(b) is int and b:
        whole = abs(a) // abs(b)
        return (-whole if (a < 0) != (b < 0) else whole) if whole < 2**63 else -(2**63)
    b = _divisor(a, b, where, at)
    with np.errstate(over="ignore"):  # The least integer by -1 is itself.
        return np.floor_divide(np.subtract(a, np.fmod(a, b)), b)


def remainder(a: Numbers, b: Numbers, *, where: Numbers = True, at: str = "") -> Numbers:
    """`a % b` on integers, with the sign of `a`; raises as `quotient` does."""
    if type(a) is int and type(b) is int and b:
        return -(-a % abs(b)) if a < 0 else a % abs(b)
    return np.fmod(a, _divisor(a, b, where, at))


def floor_quotient(a: Numbers, b: Numbers, *, where: Numbers = True, at: str = "") -> Numbers:
    """`a / b` on integers, rounded down; raises as `quotient` does."""
    with np.errstate(over="ignore"):
        return np.floor_divide(a, _divisor(a, b, where, at))


def ceiling_quotient(a: Numbers, b: Numbers, *, where: Numbers = True, at: str = "") -> Numbers:
    """`a / b` on integers, rounded up; raises as `quotient` does."""
    b = _divisor(a, b, where, at)
    rest = np.fmod(a, b)
    up = np.logical_and(np.not_equal(rest, 0), np.equal(np.less(a, 0), np.less(b, 0)))
    with np.errstate(over="ignore"):
        return np.add(np.floor_divide(np.subtract(a, rest), b), np.where(up, 1, 0))


def unsigned(a: Numbers) -> Numbers:
    """The same bits read without a sign, of Python's integers the lowest 64."""
    if isinstance(a, int):
        return np.uint64(a % 2**64)
    a = np.asarray(a)
    bits = a if a.dtype.kind == "i" else a.astype(np.int64)
    return bits.view(f"u{bits.itemsize}")[()]


def signed(a: Numbers) -> Numbers:
    """The same bits read with a sign."""
    a = np.asarray(a)
    return a.view(f"i{a.itemsize}")[()]


def narrowed(a: Numbers, dtype: DTypeLike) -> Numbers:
    """The lowest bits of an integer, read with a sign: as many as those of the type.

    >>> int(narrowed(300, np.int8))
    44
    """
    return np.asarray(a).astype(dtype)[()]


def shift_right_unsigned(a: Numbers, bits: Numbers) -> Numbers:
    """`a >>> bits`: zeros come in from the left."""
    return signed(np.right_shift(unsigned(a), unsigned(bits)))


def truncate(a: Numbers, dtype: DTypeLike = np.int64) -> Numbers:
    """The integer part of a float; too large saturates, NaN gives 0, as Scala's `toLong`.

    >>> truncate(np.array([-1.5, 1e300, np.nan]))
    array([                 -1, 9223372036854775807,                   0])
    """
    a = np.asarray(a)
    integers: Any = np.dtype(dtype)
    limits = np.iinfo(integers)
    with np.errstate(invalid="ignore"):
        whole = a.astype(dtype)
    # As floats: a power of two, where those of 64 bits are rounded up.
    strange = ~((a > float(limits.min) - 1.0) & (a < float(limits.max) + 1.0))
    if np.any(strange):
        edge = np.where(a > 0, limits.max, limits.min)
        whole = np.where(strange, np.where(np.isnan(a), 0, edge).astype(dtype), whole)
    return whole[()]


def integer_power(base: Numbers, exponent: Numbers) -> Numbers:
    """`base ** exponent` on integers; a negative exponent gives the rounded-down inverse."""
    power = np.power(base, np.maximum(exponent, 0))
    odd = np.where(np.remainder(exponent, 2) == 1, -1, 1)
    inverse = np.where(np.equal(base, 1), 1, np.where(np.equal(base, -1), odd, 0))
    return np.where(np.less(exponent, 0), inverse, power)[()]


def round_away(a: Numbers) -> Numbers:
    """The nearest whole float, halves away from zero."""
    whole = np.trunc(a)
    away = np.greater_equal(np.abs(np.subtract(a, whole)), 0.5)
    return np.add(whole, np.multiply(np.copysign(1.0, a), away))


def _mix(state: Numbers) -> Numbers:
    """The finalizer of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
    generators, OOPSLA 2014), on unsigned 64-bit integers."""
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


def random(occurrence: int, seed: int, *indices: Numbers) -> Numbers:
    """The numbers in [0, 1) that `random()` stands for, at the given indices.

    They depend on the seed, on the occurrence in the program and on the indices (scalars or
    arrays that broadcast), and on nothing else; the pass `expand-random` computes the same.
    """
    bits = (1 << 64) - 1
    golden = 0x9E3779B97F4A7C15
    start = (seed * 0xD1342543DE82EF95 + occurrence * 0xAF251AF3B0F025B5 + golden) & bits
    with np.errstate(over="ignore"):
        state = _mix(np.uint64(start))
        for index in indices:
            state = _mix(state ^ (unsigned(index) * np.uint64(golden)))
        return (state >> np.uint64(11)).astype(np.float64) * 2.0**-53


def crop(array: np.ndarray[Any, Any], *extents: int) -> np.ndarray[Any, Any]:
    """The leading part of `array` with the given extents; `array` itself if it is no larger."""
    if array.shape == extents:
        return array
    return array[tuple(slice(extent) for extent in extents)]


def matrix(tile: Any, rows: Sequence[int], columns: Sequence[int], extents: Sequence[int]) -> Any:
    """A sparse tile as a SciPy matrix, `extents` of it.

    Parameters
    ----------
    tile : SparseTile
    rows, columns : which dimensions of the tile number the rows and the columns, in order
    extents : one per dimension of the tile; what lies beyond is left out

    Returns
    -------
    scipy.sparse.csr_array or csc_array
        Shares the tile's memory when no entry has to be moved.
    """
    import scipy.sparse as sp

    rank, dense = len(tile.shape), tile.dense_rank
    stored = (tuple(range(dense)), tuple(range(dense, rank)))
    whole = tuple(tile.shape) == tuple(extents)
    if whole and (matrix := tile.as_stored(tuple(rows), tuple(columns))) is not None:
        return matrix
    if whole and (tuple(rows), tuple(columns)) == stored:
        return tile.csr()
    if whole and (tuple(columns), tuple(rows)) == stored:
        return tile.csr().T
    coordinates = tile.coordinates()
    values = tile.values
    if not whole:
        inside = np.ones(len(values), bool)
        for index, extent in zip(coordinates, extents, strict=True):
            inside &= index < extent
        coordinates = tuple(index[inside] for index in coordinates)
        values = values[inside]

    def number(dimensions: Sequence[int]) -> tuple[np.ndarray[Any, Any], int]:
        position = np.zeros(len(values), np.int64)
        count = 1
        for d in dimensions:
            position = position * extents[d] + coordinates[d]
            count *= extents[d]
        return position, count

    (row, height), (column, width) = number(rows), number(columns)
    return sp.csr_array((values, (row, column)), shape=(height, width))
