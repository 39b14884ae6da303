; Written by `python -m diablo.tools.loop_code` from bucket_sums.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"combine_at"(ptr noalias %"array", i64 %"number", ptr noalias %"array.1",
    ptr noalias %"array.2", i64 %"number.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [0, %".1"], [%".17", %".16"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".18"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = icmp ult i64 %".7", %"number"
  br i1 %".8", label %".9", label %".16"
.9:
  %".10" = getelementptr inbounds double, ptr %"array.2", i64 %".3"
  %".11" = load double, ptr %".10"
  %".12" = getelementptr inbounds double, ptr %"array", i64 %".7"
  %".13" = load double, ptr %".12"
  %".14" = fadd double %".13", %".11"
  %".15" = getelementptr inbounds double, ptr %"array", i64 %".7"
  store double %".14", ptr %".15"
  br label %".16"
.16:
  %".17" = add i64 %".3", 1
  br label %".2"
.18:
  ret void
}
