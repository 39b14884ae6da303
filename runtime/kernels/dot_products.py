"""Dot products of vectors that do not disturb the threads of other kernels.

    dot(np.array([1.0, 2.0]), np.array([3.0, 4.0]))   ->   11.0

BLAS starts threads of its own for vectors of ten thousand elements, which go on waiting for
work when they have done theirs, on processors that kernels want. Longer vectors are multiplied
in machine code here, the longest by the threads of all kernels.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from diablo.runtime.kernels.signature import Array
from diablo.runtime.native.compile_mode import pays
from diablo.runtime.native.machine_code import Entry, machine_code
from diablo.runtime.native.thread_team import cut, share

BLAS_LENGTH = 8192
"""The longest vectors that are left to BLAS, which multiplies these on one thread."""

# The sum of left[k] * right[k] for %begin <= k < %end.
_LLVM = """
define void @dot(ptr noalias %left, ptr noalias %right, ptr noalias %result,
                 i64 %begin, i64 %end) {
entry:
  %any = icmp slt i64 %begin, %end
  br i1 %any, label %element, label %done
element:
  %k = phi i64 [ %begin, %entry ], [ %next, %element ]
  %sum = phi double [ 0.0, %entry ], [ %sum_next, %element ]
  %left_place = getelementptr inbounds double, ptr %left, i64 %k
  %a = load double, ptr %left_place
  %right_place = getelementptr inbounds double, ptr %right, i64 %k
  %b = load double, ptr %right_place
  %term = fmul reassoc contract double %a, %b
  %sum_next = fadd reassoc contract double %sum, %term
  %next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %next, %end
  br i1 %more, label %element, label %done
done:
  %total = phi double [ 0.0, %entry ], [ %sum_next, %element ]
  store double %total, ptr %result
  ret void
}
"""


def dot(left: Array, right: Array) -> Any:
    """The sum of the products of the elements of two vectors of one length."""
    length = len(left)
    entry = None
    if length == len(right) and left.dtype == right.dtype == np.float64:
        entry = _machine_code() if pays(length, BLAS_LENGTH + 1) else None
    if entry is None:
        return np.dot(left, right)
    left, right = np.ascontiguousarray(left), np.ascontiguousarray(right)
    pieces = cut(length, length)
    parts = np.empty((len(pieces), 8))  # A cache line each.
    first, step = _address(parts), parts.strides[0]
    addresses = (_address(left), _address(right))
    share(entry, [(*addresses, first + k * step, *piece) for k, piece in enumerate(pieces)], length)
    return parts[:, 0].sum()


@cache
def _machine_code() -> Entry | None:
    return machine_code(__name__, _LLVM)


def _address(array: Array) -> int:
    return array.__array_interface__["data"][0]
