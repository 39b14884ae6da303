"""Products of dense arrays by BLAS as jobs of a loop that machine code runs.

    planned(left, right, empty)                        left @ right, of two matrices, or of one and
                                                       a vector, on either side
    planned_symmetric(left, empty)                     left @ left.T
    planned_sum(left, right, other, factors, made)     alpha * left @ right + beta * other

Nothing is computed yet: the words of the calls say where the arrays lie, which the loop exchanges
for those of others with the same extents. While such a loop runs, BLAS has the threads of kernels
alone (`blas_alone`).
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

from diablo.runtime.kernels.blas_products import (
    FLOATS,
    NUMBERS,
    Blas,
    blas_code,
    blas_functions,
    matrix_calls,
    rows_of,
    sum_calls,
    symmetric_calls,
)
from diablo.runtime.kernels.planned_calls import Allocate, PlannedCall
from diablo.runtime.kernels.signature import Array
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.thread_team import cut


def blas_alone() -> AbstractContextManager[None]:
    """Within it BLAS computes on the threads that call it."""
    blas = blas_functions("d")
    return nullcontext() if blas is None else blas.alone


def planned(left: Array, right: Array, empty: Allocate) -> PlannedCall | None:
    """Plan a product, whose words are those of `left`, `right` and what is made.

    None where BLAS does not take the arrays as they lie, or cannot be called.
    """
    blas = _blas_for(left, right)
    if blas is None:
        return None
    if left.ndim == 1:
        return _planned_with_vector(blas, right.T, left, empty, is_first=False)
    if right.ndim == 1:
        return _planned_with_vector(blas, left, right, empty, is_first=True)
    first, second = rows_of(left), rows_of(right)
    entry = blas_code("gemm", left.dtype)
    if first is None or second is None or entry is None:
        return None
    made = empty((left.shape[0], right.shape[1]), left.dtype)
    return PlannedCall(
        entry,
        matrix_calls(blas, (left, right, made), (first, second)),
        left.size * right.shape[1],
        outputs=[[made]],
        argument_words=[6, 9],
        output_words=[12],
    )


def planned_symmetric(left: Array, empty: Allocate) -> PlannedCall | None:
    """Plan the product of a matrix and itself transposed, of which BLAS makes one half.

    The words are those of `left` and what is made.
    """
    blas, lies = _blas_for(left, left), rows_of(left)
    entry = None if blas is None else blas_code("symmetric", left.dtype)
    if blas is None or lies is None or entry is None:
        return None
    made = empty((left.shape[0], left.shape[0]), left.dtype)
    return PlannedCall(
        entry,
        symmetric_calls(blas, left, made, lies),
        left.size * left.shape[0] // 2,
        outputs=[[made]],
        argument_words=[7],
        output_words=[11],
    )


def planned_sum(
    left: Array, right: Array, other: Array, factors: tuple[float, float], made: Array
) -> PlannedCall | None:
    """Plan a sum with a product, made where `other` is if `made` is that.

    The words are those of `left`, `right` and `other`, which has none if it is `made`. Factors of
    both that are others in each call are `FACTOR_WORDS`, with their bits: if one is zero, what it
    multiplies counts where it is no finite number, as for NumPy.
    """
    if other.dtype != left.dtype or other.dtype not in FLOATS:
        return None
    blas = _blas_for(left, right)
    entry = None if blas is None else blas_code("added", left.dtype)
    lie = rows_of(left), rows_of(right), rows_of(other)
    first, second, third = lie
    if blas is None or entry is None or first is None or second is None:
        return None
    if third is None or third.is_transposed:
        return None
    is_there = address_of(made) == address_of(other)
    arrays = left, right, made, None if is_there else other
    return PlannedCall(
        entry,
        sum_calls(blas, arrays, (first, second, third), factors),
        left.size * right.shape[1],
        outputs=[[made]],
        argument_words=[6, 9] if is_there else [6, 9, 19],
        output_words=[12],
    )


def _blas_for(left: Array, right: Array) -> Blas | None:
    """The functions of BLAS for two arrays, if there are some."""
    names = NUMBERS.get(left.dtype)
    if names is None or left.dtype != right.dtype or not left.size or not right.size:
        return None
    if not (left.flags.aligned and right.flags.aligned):
        return None
    return blas_functions(names[0])


def _planned_with_vector(
    blas: Blas, matrix: Array, vector: Array, empty: Allocate, *, is_first: bool
) -> PlannedCall | None:
    """Plan the product of a matrix and a vector; `is_first` says whose words come first."""
    lies, entry = rows_of(matrix), blas_code("gemv", matrix.dtype)
    if lies is None or entry is None or not vector.flags.c_contiguous:
        return None
    rows, columns = matrix.shape
    made, size = empty((rows,), matrix.dtype), matrix.itemsize
    places = address_of(matrix), address_of(vector), address_of(made)
    calls: list[list[int]] = []
    for begin, end in cut(rows, rows * columns):
        # Where columns are neighbours in memory a part of each is read.
        shape = (columns, end - begin) if lies.is_transposed else (end - begin, columns)
        a_at = begin * size * (1 if lies.is_transposed else lies.apart)
        first = places[0], a_at, lies.apart
        others = places[1], 0, places[2], begin * size
        calls.append([blas.gemv, lies.form, *shape, *first, *others])
    return PlannedCall(
        entry,
        calls,
        rows * columns,
        outputs=[[made]],
        argument_words=[4, 7] if is_first else [7, 4],
        output_words=[9],
    )
