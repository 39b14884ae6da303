"""Products of a transposed matrix and a vector, over the rows of the matrix as they are stored.

    [[0, 7, 0], [5, 0, 6]].T @ [1, 2]:      y[1] += 7·1;  y[0] += 5·2;  y[2] += 6·2

What is read goes through memory in order, and the result, which is written here and there, stays
in the cache. To gather the values by columns instead, through a permutation of the entries, takes
five to seven times as long once they do not fit in the cache. Each thread takes some rows and
adds to a vector of its own.
"""

from __future__ import annotations

from diablo.runtime.kernels.row_walk import ROW_WALK_END, row_walk

# Rows %begin to %end; %result is that of one thread, %width elements.
COLUMNS = (
    """
define void @columns_times_vector(ptr noalias %starts, ptr noalias %indices, ptr noalias %values,
                                  ptr noalias %vector, ptr noalias %result, i64 %width,
                                  i64 %begin, i64 %end) {
entry:
  %bytes = shl i64 %width, 3
  call void @llvm.memset.p0.i64(ptr %result, i8 0, i64 %bytes, i1 false)
"""
    + row_walk("after")
    + """  %x_place = getelementptr inbounds double, ptr %vector, i64 %r
  %x = load double, ptr %x_place
  %some = icmp ult i64 %start, %stop
  br i1 %some, label %entries, label %after
entries:
  %e = phi i64 [ %start, %row ], [ %e_next, %entries ]
  %index_place = getelementptr inbounds i32, ptr %indices, i64 %e
  %index_narrow = load i32, ptr %index_place
  %index = zext i32 %index_narrow to i64
  %value_place = getelementptr inbounds double, ptr %values, i64 %e
  %value = load double, ptr %value_place
  %term = fmul double %value, %x
  %place = getelementptr inbounds double, ptr %result, i64 %index
  %before = load double, ptr %place
  %sum = fadd double %before, %term
  store double %sum, ptr %place
  %e_next = add nuw nsw i64 %e, 1
  %more = icmp ult i64 %e_next, %stop
  br i1 %more, label %entries, label %after
after:
"""
    + ROW_WALK_END
    + """
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""
)
