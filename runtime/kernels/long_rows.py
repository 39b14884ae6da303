"""Products of long rows and a vector: what bounds them is that an addition waits for the last.

    long_rows_times_vector(starts, indices, values, vector, result, begin, end)

The sum of a row has four parts, which are added to side by side, and then come the entries that
are left over. Numbers of the vector are loaded one by one: the gathering instructions of
processors are as slow as that, or much slower.
"""

from __future__ import annotations

from diablo.runtime.kernels.row_walk import ROW_WALK_END, row_walk

_LANES = 4

_HEAD = (
    """
declare double @llvm.vector.reduce.fadd.v4f64(double, <4 x double>)

define void @long_rows_times_vector(ptr noalias %starts, ptr noalias %indices,
                                    ptr noalias %values, ptr noalias %vector, ptr noalias %result,
                                    i64 %begin, i64 %end) {
entry:
"""
    + row_walk("store")
    + """  %length = sub nuw nsw i64 %stop, %start
  %lone = and i64 %length, 3
  %whole = sub nuw nsw i64 %stop, %lone
  %some = icmp ult i64 %start, %whole
  br i1 %some, label %group, label %rest
group:
  %g = phi i64 [ %start, %row ], [ %g_next, %group ]
  %parts = phi <4 x double> [ zeroinitializer, %row ], [ %parts_next, %group ]
  %group_place = getelementptr inbounds double, ptr %values, i64 %g
  %group_values = load <4 x double>, ptr %group_place, align 8
"""
)
_LANE = """
  %e{k} = add nuw nsw i64 %g, {k}
  %place{k} = getelementptr inbounds i32, ptr %indices, i64 %e{k}
  %narrow{k} = load i32, ptr %place{k}
  %index{k} = zext i32 %narrow{k} to i64
  %x_place{k} = getelementptr inbounds double, ptr %vector, i64 %index{k}
  %x{k} = load double, ptr %x_place{k}
  %lanes{k} = insertelement <4 x double> {before}, double %x{k}, i64 {k}
"""
_TAIL = (
    """
  %terms = fmul contract <4 x double> %group_values, %lanes3
  %parts_next = fadd contract <4 x double> %parts, %terms
  %g_next = add nuw nsw i64 %g, 4
  %g_more = icmp ult i64 %g_next, %whole
  br i1 %g_more, label %group, label %sum
sum:
  %all = call reassoc double @llvm.vector.reduce.fadd.v4f64(double -0.0, <4 x double> %parts_next)
  br label %rest
rest:
  %groups = phi double [ 0.0, %row ], [ %all, %sum ]
  %any_left = icmp ne i64 %lone, 0
  br i1 %any_left, label %entries, label %store
entries:
  %e = phi i64 [ %whole, %rest ], [ %e_next, %entries ]
  %so_far = phi double [ %groups, %rest ], [ %sum_next, %entries ]
  %index_place = getelementptr inbounds i32, ptr %indices, i64 %e
  %index_narrow = load i32, ptr %index_place
  %index = zext i32 %index_narrow to i64
  %x_place = getelementptr inbounds double, ptr %vector, i64 %index
  %x = load double, ptr %x_place
  %value_place = getelementptr inbounds double, ptr %values, i64 %e
  %value = load double, ptr %value_place
  %term = fmul contract double %value, %x
  %sum_next = fadd contract double %so_far, %term
  %e_next = add nuw nsw i64 %e, 1
  %more = icmp ult i64 %e_next, %stop
  br i1 %more, label %entries, label %store
store:
  %total = phi double [ %groups, %rest ], [ %sum_next, %entries ]
  %place = getelementptr inbounds double, ptr %result, i64 %r
  store double %total, ptr %place
"""
    + ROW_WALK_END
)


def _code() -> str:
    before = ["poison", *[f"%lanes{k}" for k in range(_LANES - 1)]]
    lanes = [_LANE.format(k=k, before=before[k]) for k in range(_LANES)]
    return "".join([_HEAD, *lanes, _TAIL])


LONG_ROWS = _code()
"""Rows %begin to %end; %starts says where each row begins among the entries."""
