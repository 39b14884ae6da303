"""Going through rows of compressed entries one after the other, as LLVM IR.

A function with the rows `%begin` to `%end` and with `%starts`, which says where each row begins
among the entries, puts what it does with row `%r`, whose entries are `%start` to `%stop`, between

    row_walk(latch)     up to that, in the block `row`
    ROW_WALK_END        the rest of the block `latch`, which goes on to `%next`
"""

from __future__ import annotations


def row_walk(latch: str) -> str:
    """The beginning of the walk, from within the block `entry`; `latch` is its last block."""
    return f"""  %any = icmp slt i64 %begin, %end
  br i1 %any, label %first, label %done
first:
  %first_place = getelementptr inbounds i32, ptr %starts, i64 %begin
  %first_start = load i32, ptr %first_place
  %start_wide = zext i32 %first_start to i64
  br label %row
row:
  %r = phi i64 [ %begin, %first ], [ %next, %{latch} ]
  %start = phi i64 [ %start_wide, %first ], [ %stop, %{latch} ]
  %next = add nuw nsw i64 %r, 1
  %stop_place = getelementptr inbounds i32, ptr %starts, i64 %next
  %stop_narrow = load i32, ptr %stop_place
  %stop = zext i32 %stop_narrow to i64
"""


ROW_WALK_END = """  %again = icmp slt i64 %next, %end
  br i1 %again, label %row, label %done
done:
  ret void
}
"""
