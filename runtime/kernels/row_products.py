"""Products of rows and a vector, short ones with rows of equal length side by side.

A processor guesses where a row ends, and guesses wrong where rows are short and of many lengths,
as those of graphs are: that takes longer than the products. Within windows of 256 rows the rows
are gone through by length; the entries stay where they are, and one byte for each row says which
is next. Cf. the sorting windows of SELL-C-sigma: M. Kreutzer et al., A unified sparse matrix data
format for efficient general sparse matrix-vector multiplication on modern processors with wide
SIMD units, SIAM J. Sci. Comput. 2014, which pads rows as well.
"""

from __future__ import annotations

import numpy as np

from diablo.runtime.kernels.row_walk import ROW_WALK_END, row_walk
from diablo.runtime.kernels.signature import Array

WINDOW = 256
"""How many rows are sorted together; what they read then still comes from nearby."""
LONG_ROW = 8
"""Rows with more entries than this on average are long, and gone through as they are."""

# The sum of the entries %start to %stop, stored as element %r of the result; then %next.
_SUM = (
    """entries:
  %e = phi i64 [ %start, %row ], [ %e_next, %entries ]
  %sum = phi double [ 0.0, %row ], [ %sum_next, %entries ]
  %index_place = getelementptr inbounds i32, ptr %indices, i64 %e
  %index_narrow = load i32, ptr %index_place
  %index = zext i32 %index_narrow to i64
  %x_place = getelementptr inbounds double, ptr %vector, i64 %index
  %x = load double, ptr %x_place
  %value_place = getelementptr inbounds double, ptr %values, i64 %e
  %value = load double, ptr %value_place
  %term = fmul double %value, %x
  %sum_next = fadd double %sum, %term
  %e_next = add nuw nsw i64 %e, 1
  %more = icmp ult i64 %e_next, %stop
  br i1 %more, label %entries, label %store
store:
  %total = phi double [ 0.0, %row ], [ %sum_next, %entries ]
  %place = getelementptr inbounds double, ptr %result, i64 %r
  store double %total, ptr %place
"""
    + ROW_WALK_END
)

# Rows %begin to %end; %starts says where each row begins among the entries.
ROWS = (
    """
define void @rows_times_vector(ptr noalias %starts, ptr noalias %indices, ptr noalias %values,
                               ptr noalias %vector, ptr noalias %result, i64 %begin, i64 %end) {
entry:
"""
    + row_walk("store")
    + """  %some = icmp ult i64 %start, %stop
  br i1 %some, label %entries, label %store
"""
    + _SUM
)

# Rows at %begin to %end of %order, which numbers those of each window. %begin is that of a window.
ORDERED_ROWS = (
    """
define void @ordered_rows_times_vector(ptr noalias %order, ptr noalias %starts,
                                       ptr noalias %indices, ptr noalias %values,
                                       ptr noalias %vector, ptr noalias %result,
                                       i64 %begin, i64 %end) {
entry:
  %any = icmp slt i64 %begin, %end
  br i1 %any, label %row, label %done
row:
  %k = phi i64 [ %begin, %entry ], [ %next, %store ]
  %next = add nuw nsw i64 %k, 1
  %window = and i64 %k, -256
  %order_place = getelementptr inbounds i8, ptr %order, i64 %k
  %within_narrow = load i8, ptr %order_place
  %within = zext i8 %within_narrow to i64
  %r = or i64 %window, %within
  %start_place = getelementptr inbounds i32, ptr %starts, i64 %r
  %start_narrow = load i32, ptr %start_place
  %start = zext i32 %start_narrow to i64
  %after = add nuw nsw i64 %r, 1
  %stop_place = getelementptr inbounds i32, ptr %starts, i64 %after
  %stop_narrow = load i32, ptr %stop_place
  %stop = zext i32 %stop_narrow to i64
  %some = icmp ult i64 %start, %stop
  br i1 %some, label %entries, label %store
"""
    + _SUM
)


def are_long(starts: Array) -> bool:
    """Whether rows that begin at `starts` are long on average."""
    return int(starts[-1]) > LONG_ROW * (len(starts) - 1)


def row_order(starts: Array) -> Array:
    """The uint8 number within its window of each row to take."""
    rows = len(starts) - 1
    places = np.arange(rows)
    window = places // WINDOW
    lengths = np.diff(starts)
    key = window * (int(lengths.max(initial=0)) + 1) + lengths
    order = np.argsort(key, kind="stable")
    return (order - window * WINDOW).astype(np.uint8)
