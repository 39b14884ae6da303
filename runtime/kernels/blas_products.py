"""Dense products by NumPy's BLAS, on the threads that run all other kernels.

    product(a, b)                 a @ b of two matrices, or of a matrix and a vector
    added(a, b, c, alpha, beta)   alpha * a @ b + beta * c, of matrices: c may be larger

OpenBLAS has threads of its own, and these look for work for tens of milliseconds after each
product. On all processors of a machine, kernels that follow a product would share theirs with them,
so that a loop of both takes as long as on one thread. So each of the kernels' threads has BLAS
compute a part of the product, and BLAS takes that thread alone for it. A program that does nothing
else than one product leaves it to BLAS (`by_library`): there its threads are in nobody's way, and
awake where the caller has used NumPy's BLAS just before.

Where NumPy has another BLAS, or the matrices are not as BLAS takes them, the product is NumPy's.

What a thread runs calls BLAS by its address, which is written as the team itself is: in LLVM IR,
for the reason that `team_code` has.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from diablo.runtime.arrays import memory
from diablo.runtime.forking import fork_safe_lock
from diablo.runtime.kernels.signature import Array
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.compile_mode import pays
from diablo.runtime.native.machine_code import Entry, machine_code
from diablo.runtime.native.thread_team import cut, share, thread_count
from diablo.runtime.native.work_seen import pays_from

_WORTH_CALLING = 1 << 13
"""From how many products of elements on BLAS may use threads of its own."""
WORTH_COMPILING = 1 << 26
"""From how many on, over all calls in a process, what calls BLAS is compiled."""
_STRIP = 1 << 22
"""How many bytes of a sum BLAS adds a product to at a time, which are then still at hand."""
_LEAST_ROWS = 256
"""How many rows it takes at least: for each strip it puts the right matrix in another order."""
ROW_MAJOR, AS_IT_IS, TRANSPOSED, _UPPER = 101, 111, 112, 121
"""Numbers of C's interface to BLAS."""
FACTOR_WORDS = 23, 24
"""Which arguments of `sum_calls` further factors of the product and of the array are."""
_TILE = 64
"""How many rows and columns of a product are made apart at a time, on the stack."""
_MIRRORED = 16
"""How many rows of a symmetric product are mirrored at a time, so that lines stay at hand."""
FLOATS = {np.dtype(np.float64): ("d", "double"), np.dtype(np.float32): ("s", "float")}
NUMBERS = FLOATS | {
    np.dtype(np.complex128): ("z", "double"),
    np.dtype(np.complex64): ("c", "float"),
}
"""Of the types that BLAS multiplies its letter, and what a part of an element is in LLVM IR."""


def product(left: Array, right: Array) -> Array:
    """Return `left @ right`, one of rank two, the other of rank two or one."""
    if left.ndim == 1:
        made = _product_with_vector(right.T, left)
    elif right.ndim == 1:
        made = _product_with_vector(left, right)
    else:
        made = _product_of_matrices(left, right)
        if made is None:
            made = by_library(left, right)
    return left @ right if made is None else made


def added(left: Array, right: Array, other: Array, alpha: float, beta: float) -> Array:
    """Return `alpha * left @ right + beta * other`, in the memory of `other` if that is offered.

    Threads copy strips of `other` to where BLAS then adds strips of the product, while these are at
    hand.
    """
    shape = left.shape[0], right.shape[1]
    if other.shape != shape:
        other = other[: shape[0], : shape[1]]
    made = _added(left, right, other, float(alpha), float(beta))
    if made is not None:
        return made
    made = product(left, right)
    if alpha != 1.0:
        np.multiply(made, alpha, out=made)
    return np.add(made, other if beta == 1.0 else other * made.dtype.type(beta), out=made)


def _added(left: Array, right: Array, other: Array, alpha: float, beta: float) -> Array | None:
    """Return the sum, if BLAS computes it."""
    (rows, inner), columns = left.shape, right.shape[1]
    points = rows * inner * columns
    if other.shape != (rows, columns) or other.dtype != left.dtype or not alpha or not beta:
        return None  # What is multiplied by zero may be no number, of which BLAS does not ask.
    blas, lies = blas_for(left, right, points), rows_of(other)
    if blas is None or lies is None or lies.is_transposed:
        return None
    first, second = rows_of(left), rows_of(right)
    entry = _entry("added", left.dtype, points)
    if first is None or second is None or entry is None:
        return None
    is_there = memory.is_offered(other)
    made = memory.copied(other) if is_there else memory.apart(other.shape, other.dtype)
    arrays = left, right, made, None if is_there else other
    calls = sum_calls(blas, arrays, (first, second, lies), (alpha, beta))
    with blas.alone:
        share(entry, calls, points)
    return made


def sum_calls(
    blas: Blas,
    arrays: tuple[Array, Array, Array, Array | None],
    lie: tuple[Rows, Rows, Rows],
    factors: tuple[float, float],
) -> list[list[int]]:
    """The arguments with which threads add a product to an array.

    `arrays` are the two that are multiplied, what is made, and what it is added to, unless that is
    where the sum is made; `lie` says how all but what is made lie in memory. `factors` are what the
    product and that are multiplied by, times numbers in `FACTOR_WORDS`, which are one here.
    """
    left, right, made, other = arrays
    (rows, inner), columns, size = left.shape, right.shape[1], left.itemsize
    first, second, third = lie
    strip = rows if other is None else max(_LEAST_ROWS, _STRIP // (columns * size))
    bits = [_word_of(factor, left.dtype) for factor in (*factors, 1.0, 1.0)]
    calls: list[list[int]] = []
    for begin, end in cut(rows, rows * inner * columns):
        matrices = (
            *(address_of(left), begin * left.strides[0], first.apart),
            *(address_of(right), 0, second.apart),
            *(address_of(made), begin * columns * size, columns),
        )
        step = third.apart * size
        source = (0, 0) if other is None else (address_of(other), begin * step)
        steps = strip, left.strides[0], *source, step
        shape = first.form, second.form, end - begin, columns, inner
        last = right.strides[1], *bits[2:]
        calls.append([blas.gemm, *shape, *matrices, *bits[:2], *steps, *last])
    return calls


def _word_of(number: float, dtype: np.dtype[Any]) -> int:
    """The word that has a number of a type in its lowest bits."""
    return int(np.asarray(number, dtype).view(f"i{dtype.itemsize}"))


def by_library(left: Array, right: Array) -> Array:
    """Return `left @ right` of two matrices, on the threads of NumPy's BLAS."""
    # Written where arrays have died: fresh memory may take as long as the product.
    made = memory.apart((left.shape[0], right.shape[1]), np.result_type(left.dtype, right.dtype))
    return np.matmul(left, right, out=made)


class Rows(NamedTuple):
    """A matrix as BLAS takes it: rows of neighbours, so many elements apart."""

    is_transposed: bool
    apart: int

    @property
    def form(self) -> int:
        """The number that BLAS has for it."""
        return TRANSPOSED if self.is_transposed else AS_IT_IS


def rows_of(matrix: Array) -> Rows | None:
    """Return how a matrix lies in memory, if rows or columns of it are neighbours."""
    size = matrix.itemsize
    (height, width), (down, along) = matrix.shape, matrix.strides
    if along == size and down >= size * width and down % size == 0:
        return Rows(False, down // size)
    if down == size and along >= size * height and along % size == 0:
        return Rows(True, along // size)
    return None


def _product_of_matrices(left: Array, right: Array) -> Array | None:
    """Return the product, if the threads of kernels share it."""
    (rows, inner), columns = left.shape, right.shape[1]
    points = rows * inner * columns
    blas = blas_for(left, right, points)
    if blas is None or are_transposed(left, right) or thread_count() == 1:
        return None
    first, second = rows_of(left), rows_of(right)
    if first is None or second is None:
        return None
    entry = _entry("gemm", left.dtype, points)
    if entry is None:
        return None
    made = memory.apart((rows, columns), left.dtype)
    calls = matrix_calls(blas, (left, right, made), (first, second))
    with blas.alone:
        share(entry, calls, points)
    return made


def matrix_calls(
    blas: Blas, arrays: tuple[Array, Array, Array], lie: tuple[Rows, Rows]
) -> list[list[int]]:
    """The arguments with which threads multiply two matrices, and write a third one."""
    left, right, made = arrays
    (rows, inner), columns, size = left.shape, right.shape[1], left.itemsize
    by_rows = rows >= columns
    calls: list[list[int]] = []
    for begin, end in cut(rows if by_rows else columns, rows * inner * columns):
        height, width = (end - begin, columns) if by_rows else (rows, end - begin)
        a_at = begin * left.strides[0] if by_rows else 0
        b_at = 0 if by_rows else begin * right.strides[1]
        c_at = begin * (columns if by_rows else 1) * size
        first = address_of(left), a_at, lie[0].apart
        second = address_of(right), b_at, lie[1].apart
        shape = lie[0].form, lie[1].form, height, width, inner
        calls.append([blas.gemm, *shape, *first, *second, address_of(made), c_at, columns])
    return calls


def symmetric_calls(blas: Blas, left: Array, made: Array, lies: Rows) -> list[list[int]]:
    """The arguments with which threads multiply a matrix by itself transposed.

    BLAS makes one half of the product, which is symmetric, as for NumPy. Each thread has some of
    the rows, from the diagonal on, and mirrors them.
    """
    rows, inner = left.shape
    size, step = left.itemsize, left.strides[0]
    count = len(cut(rows, rows * rows * inner // 2))
    # The rows before have so much of the half: the first ones are the longest.
    bounds = [round(rows * (1.0 - sqrt(1.0 - k / count))) for k in range(count + 1)]
    turned = AS_IT_IS if lies.is_transposed else TRANSPOSED
    calls: list[list[int]] = []
    for begin, end in pairwise(bounds):
        shape = lies.form, turned, end - begin, rows - end, inner
        factors = address_of(left), begin * step, end * step, lies.apart
        target = address_of(made), begin * (rows + 1) * size, rows
        calls.append([blas.syrk, blas.gemm, *shape, *factors, *target])
    return calls


def are_transposed(left: Array, right: Array) -> bool:
    """Return whether one is the other transposed: NumPy has BLAS compute half of that product."""
    lie_so = left.shape == right.shape[::-1] and left.strides == right.strides[::-1]
    return lie_so and address_of(left) == address_of(right)


def _product_with_vector(matrix: Array, vector: Array) -> Array | None:
    """Return the product with a vector, if the threads of kernels share it."""
    rows, columns = matrix.shape
    points = rows * columns
    blas = blas_for(matrix, vector, points)
    lies = None if blas is None or not vector.flags.c_contiguous else rows_of(matrix)
    if blas is None or lies is None:
        return None
    entry = _entry("gemv", matrix.dtype, points)
    if entry is None:
        return None
    # Rows that are neighbours in memory are folded with the vector each, or summed up.
    over = columns if lies.is_transposed else rows
    ranges = cut(over, points)
    parts = len(ranges) if lies.is_transposed else 1
    made = memory.apart((parts, rows) if parts > 1 else (rows,), matrix.dtype)
    size = matrix.itemsize
    a, x, y = map(address_of, (matrix, vector, made))
    calls: list[list[int]] = []
    for k, (begin, end) in enumerate(ranges):
        x_at, y_at, width = 0, begin * size, columns
        if lies.is_transposed:
            x_at, y_at, width = begin * size, k * rows * size, rows
        place = a, begin * lies.apart * size, lies.apart
        calls.append([blas.gemv, lies.form, end - begin, width, *place, x, x_at, y, y_at])
    with blas.alone:
        share(entry, calls, points)
    return made if parts == 1 else np.add.reduce(made)


class _Alone:
    """A context manager: BLAS computes on the threads that call it.

    That is so for all of the process, and as it was before when nobody is inside any more.
    """

    def __init__(self, library: Any):
        self._count: Callable[[], int] = library.scipy_openblas_get_num_threads64_
        self._set: Callable[[int], None] = library.scipy_openblas_set_num_threads64_
        self._lock = fork_safe_lock()
        self._inside = 0
        self._before = 1
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._leave)

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._before = self._count()
                if self._before != 1:
                    self._set(1)
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            if self._inside == 1:
                self._leave()
            else:
                self._inside -= 1

    def _leave(self) -> None:
        """Let BLAS have its threads again; a child process has none of who was inside."""
        if self._inside and self._before != 1:
            self._set(self._before)
        self._inside = 0


class Blas(NamedTuple):
    """Where the functions of BLAS for a type are."""

    gemm: int
    gemv: int
    syrk: int
    alone: _Alone


def blas_for(left: Array, right: Array, points: int) -> Blas | None:
    """Return the functions for two arrays, if they are as BLAS takes them."""
    if not points or not pays(points, _WORTH_CALLING) or left.dtype != right.dtype:
        return None
    names = FLOATS.get(left.dtype)
    if names is None or not (left.flags.aligned and right.flags.aligned):
        return None
    return blas_functions(names[0])


@cache
def blas_functions(letter: str) -> Blas | None:
    """Return the functions of NumPy's OpenBLAS for a type, if it has that, as its wheels do."""
    found = _library()
    if found is None:
        return None
    library, alone = found
    found = [
        ctypes.cast(getattr(library, f"scipy_cblas_{letter}{name}64_"), ctypes.c_void_p).value
        for name in ("gemm", "gemv", "syrk")
    ]
    gemm, gemv, syrk = [address for address in found if address is not None]
    return Blas(gemm, gemv, syrk, alone)


@cache
def _library() -> tuple[Any, _Alone] | None:
    folder = Path(np.__file__).parents[1] / "numpy.libs"
    for path in folder.glob("libscipy_openblas64_*"):
        try:
            library = ctypes.CDLL(str(path))  # Which NumPy has loaded.
            return library, _Alone(library)
        except (OSError, AttributeError):
            continue
    return None


def _entry(name: str, dtype: np.dtype[Any], points: int) -> Entry | None:
    """Return machine code that calls a function of BLAS, which threads can run, once it pays."""
    return blas_code(name, dtype) if pays_from((name, dtype), points, WORTH_COMPILING) else None


@cache
def blas_code(name: str, dtype: np.dtype[Any]) -> Entry | None:
    """Return machine code that calls a function of BLAS, which threads can run."""
    part = NUMBERS[dtype][1]
    text = _TEXTS[name].replace("SIZE", str(dtype.itemsize))
    word = (
        r"%\1 = bitcast i64 %\2 to double"
        if part == "double"
        else r"%\1_lower = trunc i64 %\2 to i32\n  %\1 = bitcast i32 %\1_lower to float"
    )
    text = re.sub(r"NUMBER (\w+) (\w+)", word, text)
    if dtype in FLOATS:
        element = part
    else:
        element = f"{{ {part}, {part} }}"
        for number in ("1.0", "0.0"):  # BLAS is given the addresses of complex ones.
            place = f"@number_{number[0]}"
            text = text.replace(f"FLOAT {number}", f"ptr {place}")
            text += f"{place} = private constant {element} {{ {part} {number}, {part} 0.0 }}\n"
    return machine_code(f"{__name__} {name} {dtype}", text.replace("FLOAT", element))


_TEXTS = {
    "gemm": f"""
define void @gemm(ptr %function, i64 %form_a, i64 %form_b, i64 %m, i64 %n, i64 %k,
                  ptr %a, i64 %a_at, i64 %lda, ptr %b, i64 %b_at, i64 %ldb,
                  ptr %c, i64 %c_at, i64 %ldc) {{
  %first = trunc i64 %form_a to i32
  %second = trunc i64 %form_b to i32
  %own_a = getelementptr i8, ptr %a, i64 %a_at
  %own_b = getelementptr i8, ptr %b, i64 %b_at
  %own_c = getelementptr i8, ptr %c, i64 %c_at
  call void %function(i32 {ROW_MAJOR}, i32 %first, i32 %second, i64 %m, i64 %n, i64 %k,
                      FLOAT 1.0, ptr %own_a, i64 %lda, ptr %own_b, i64 %ldb,
                      FLOAT 0.0, ptr %own_c, i64 %ldc)
  ret void
}}
""",
    "symmetric": f"""
define void @symmetric(ptr %syrk, ptr %gemm, i64 %form_a, i64 %form_b, i64 %m, i64 %rest, i64 %k,
                       ptr %a, i64 %a_at, i64 %b_at, i64 %lda, ptr %c, i64 %c_at, i64 %ldc) {{
entry:
  %first = trunc i64 %form_a to i32
  %second = trunc i64 %form_b to i32
  %own_a = getelementptr i8, ptr %a, i64 %a_at
  %own_c = getelementptr i8, ptr %c, i64 %c_at
  call void %syrk(i32 {ROW_MAJOR}, i32 {_UPPER}, i32 %first, i64 %m, i64 %k,
                  FLOAT 1.0, ptr %own_a, i64 %lda, FLOAT 0.0, ptr %own_c, i64 %ldc)
  %alone = icmp eq i64 %rest, 0
  br i1 %alone, label %ready, label %beside
beside:
  %own_b = getelementptr i8, ptr %a, i64 %b_at
  %c_beside = getelementptr FLOAT, ptr %own_c, i64 %m
  call void %gemm(i32 {ROW_MAJOR}, i32 %first, i32 %second, i64 %m, i64 %rest, i64 %k,
                  FLOAT 1.0, ptr %own_a, i64 %lda, ptr %own_b, i64 %lda,
                  FLOAT 0.0, ptr %c_beside, i64 %ldc)
  br label %ready
ready:
  %width = add i64 %m, %rest
  br label %strips
strips:
  %from = phi i64 [ 0, %ready ], [ %to, %lines ]
  %more = icmp slt i64 %from, %m
  br i1 %more, label %strip, label %out
strip:
  %next = add i64 %from, {_MIRRORED}
  %to = call i64 @llvm.smin.i64(i64 %next, i64 %m)
  br label %lines
lines:
  %j = phi i64 [ %from, %strip ], [ %j_next, %line_end ]
  %more_lines = icmp slt i64 %j, %width
  br i1 %more_lines, label %line, label %strips
line:
  %own_row = mul i64 %j, %ldc
  %until = call i64 @llvm.smin.i64(i64 %j, i64 %to)
  br label %elements
elements:
  %i = phi i64 [ %from, %line ], [ %i_next, %element ]
  %more_elements = icmp slt i64 %i, %until
  br i1 %more_elements, label %element, label %line_end
element:
  %its_row = mul i64 %i, %ldc
  %source_place = add i64 %its_row, %j
  %target_place = add i64 %own_row, %i
  %source = getelementptr FLOAT, ptr %own_c, i64 %source_place
  %target = getelementptr FLOAT, ptr %own_c, i64 %target_place
  %x = load FLOAT, ptr %source
  store FLOAT %x, ptr %target
  %i_next = add i64 %i, 1
  br label %elements
line_end:
  %j_next = add i64 %j, 1
  br label %lines
out:
  ret void
}}

declare i64 @llvm.smin.i64(i64, i64)
""",
    "added": f"""
define void @added(ptr %function, i64 %form_a, i64 %form_b, i64 %m, i64 %n, i64 %k,
                   ptr %a, i64 %a_at, i64 %lda, ptr %b, i64 %b_at, i64 %ldb,
                   ptr %c, i64 %c_at, i64 %ldc, i64 %alpha_bits, i64 %beta_bits,
                   i64 %strip, i64 %step_a, ptr %r, i64 %r_at, i64 %step_r,
                   i64 %step_b, i64 %alpha_factor_bits, i64 %beta_factor_bits) {{
entry:
  %tile = alloca FLOAT, i64 {_TILE * _TILE}
  %its_b = getelementptr i8, ptr %b, i64 %b_at
  %first = trunc i64 %form_a to i32
  %second = trunc i64 %form_b to i32
  NUMBER alpha_number alpha_bits
  NUMBER beta_number beta_bits
  NUMBER alpha_factor alpha_factor_bits
  NUMBER beta_factor beta_factor_bits
  %alpha = fmul FLOAT %alpha_number, %alpha_factor
  %beta = fmul FLOAT %beta_number, %beta_factor
  %drops_product = fcmp oeq FLOAT %alpha, 0.0
  %drops_other = fcmp oeq FLOAT %beta, 0.0
  %bytes = mul i64 %ldc, SIZE
  %is_there = icmp eq ptr %r, null
  br label %strips
strips:
  %row = phi i64 [ 0, %entry ], [ %end, %add ], [ %end, %tile_rows ]
  %more = icmp slt i64 %row, %m
  br i1 %more, label %begin, label %out
begin:
  %next = add i64 %row, %strip
  %end = call i64 @llvm.smin.i64(i64 %next, i64 %m)
  br i1 %is_there, label %there, label %copy
copy:
  %i = phi i64 [ %row, %begin ], [ %i_next, %copy ]
  %to_row = mul i64 %i, %bytes
  %from_row = mul i64 %i, %step_r
  %to = add i64 %to_row, %c_at
  %from = add i64 %from_row, %r_at
  %target = getelementptr i8, ptr %c, i64 %to
  %source = getelementptr i8, ptr %r, i64 %from
  call void @llvm.memcpy.p0.p0.i64(ptr %target, ptr %source, i64 %bytes, i1 false)
  %i_next = add i64 %i, 1
  %copied = icmp eq i64 %i_next, %end
  br i1 %copied, label %there, label %copy
there:
  %rows = sub i64 %end, %row
  %row_a = mul i64 %row, %step_a
  %row_c = mul i64 %row, %bytes
  %offset_a = add i64 %row_a, %a_at
  %offset_c = add i64 %row_c, %c_at
  %own_a = getelementptr i8, ptr %a, i64 %offset_a
  %own_c = getelementptr i8, ptr %c, i64 %offset_c
  br i1 %drops_product, label %tile_rows, label %keep
keep:
  %count = mul i64 %rows, %ldc
  br i1 %drops_other, label %scale, label %add
scale:
  %e = phi i64 [ 0, %keep ], [ %e_next, %scale ]
  %scaled_place = getelementptr FLOAT, ptr %own_c, i64 %e
  %unscaled = load FLOAT, ptr %scaled_place
  %scaled = fmul FLOAT %beta, %unscaled
  store FLOAT %scaled, ptr %scaled_place
  %e_next = add i64 %e, 1
  %all_scaled = icmp eq i64 %e_next, %count
  br i1 %all_scaled, label %add, label %scale
add:
  %its_beta = phi FLOAT [ %beta, %keep ], [ 1.0, %scale ]
  call void %function(i32 {ROW_MAJOR}, i32 %first, i32 %second, i64 %rows, i64 %n, i64 %k,
                      FLOAT %alpha, ptr %own_a, i64 %lda, ptr %its_b, i64 %ldb,
                      FLOAT %its_beta, ptr %own_c, i64 %ldc)
  br label %strips
tile_rows:
  %tile_row = phi i64 [ 0, %there ], [ %tile_row_end, %tile_columns ]
  %more_rows = icmp slt i64 %tile_row, %rows
  br i1 %more_rows, label %tile_line, label %strips
tile_line:
  %next_tile_row = add i64 %tile_row, {_TILE}
  %tile_row_end = call i64 @llvm.smin.i64(i64 %next_tile_row, i64 %rows)
  %height = sub i64 %tile_row_end, %tile_row
  %tile_a_at = mul i64 %tile_row, %step_a
  %tile_a = getelementptr i8, ptr %own_a, i64 %tile_a_at
  br label %tile_columns
tile_columns:
  %tile_column = phi i64 [ 0, %tile_line ], [ %tile_column_end, %sums ]
  %more_columns = icmp slt i64 %tile_column, %n
  br i1 %more_columns, label %tile_product, label %tile_rows
tile_product:
  %next_tile_column = add i64 %tile_column, {_TILE}
  %tile_column_end = call i64 @llvm.smin.i64(i64 %next_tile_column, i64 %n)
  %breadth = sub i64 %tile_column_end, %tile_column
  %tile_b_at = mul i64 %tile_column, %step_b
  %tile_b = getelementptr i8, ptr %its_b, i64 %tile_b_at
  call void %function(i32 {ROW_MAJOR}, i32 %first, i32 %second, i64 %height, i64 %breadth, i64 %k,
                      FLOAT 1.0, ptr %tile_a, i64 %lda, ptr %tile_b, i64 %ldb,
                      FLOAT 0.0, ptr %tile, i64 {_TILE})
  br label %sums
sums:
  %y = phi i64 [ 0, %tile_product ], [ %y_next, %sum_end ]
  %more_sums = icmp slt i64 %y, %height
  br i1 %more_sums, label %sum_line, label %tile_columns
sum_line:
  %c_row = add i64 %tile_row, %y
  %c_line = mul i64 %c_row, %ldc
  %c_first = add i64 %c_line, %tile_column
  %tile_first = mul i64 %y, {_TILE}
  br label %sum
sum:
  %x = phi i64 [ 0, %sum_line ], [ %x_next, %sum ]
  %c_place = add i64 %c_first, %x
  %tile_place = add i64 %tile_first, %x
  %c_element = getelementptr FLOAT, ptr %own_c, i64 %c_place
  %tile_element = getelementptr FLOAT, ptr %tile, i64 %tile_place
  %before = load FLOAT, ptr %c_element
  %product = load FLOAT, ptr %tile_element
  %one_term = fmul FLOAT %alpha, %product
  %other_term = fmul FLOAT %beta, %before
  %total = fadd FLOAT %one_term, %other_term
  store FLOAT %total, ptr %c_element
  %x_next = add i64 %x, 1
  %all_columns = icmp eq i64 %x_next, %breadth
  br i1 %all_columns, label %sum_end, label %sum
sum_end:
  %y_next = add i64 %y, 1
  br label %sums
out:
  ret void
}}

declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
""",
    "gemv": f"""
define void @gemv(ptr %function, i64 %form, i64 %m, i64 %n, ptr %a, i64 %a_at, i64 %lda,
                  ptr %x, i64 %x_at, ptr %y, i64 %y_at) {{
  %trans = trunc i64 %form to i32
  %own_a = getelementptr i8, ptr %a, i64 %a_at
  %own_x = getelementptr i8, ptr %x, i64 %x_at
  %own_y = getelementptr i8, ptr %y, i64 %y_at
  call void %function(i32 {ROW_MAJOR}, i32 %trans, i64 %m, i64 %n, FLOAT 1.0, ptr %own_a, i64 %lda,
                      ptr %own_x, i64 1, FLOAT 0.0, ptr %own_y, i64 1)
  ret void
}}
""",
}
"""The arguments of C's interface to BLAS, whose integers here have 64 bits.

Arrays are given as their addresses, and for each call how many bytes behind them its part begins.

They are text, since they call a function by its address, which our own dialects have no op for.
"""
