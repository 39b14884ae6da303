; Written by `python -m diablo.tools.loop_code` from bucket_places.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"place_in_buckets"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", i64 %"number", i64 %"number.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".17", %".5"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".18"
.5:
  %".6" = getelementptr inbounds i32, ptr %"array", i64 %".3"
  %".7" = load i32, ptr %".6"
  %".8" = zext i32 %".7" to i64
  %".9" = getelementptr inbounds i32, ptr %"array.2", i64 %".3"
  %".10" = load i32, ptr %".9"
  %".11" = getelementptr inbounds i32, ptr %"array.1", i64 %".8"
  %".12" = load i32, ptr %".11"
  %".13" = add i32 %".12", 1
  %".14" = getelementptr inbounds i32, ptr %"array.1", i64 %".8"
  store i32 %".13", ptr %".14"
  %".15" = zext i32 %".12" to i64
  %".16" = getelementptr inbounds i32, ptr %"array.3", i64 %".15"
  store i32 %".10", ptr %".16"
  %".17" = add i64 %".3", 1
  br label %".2"
.18:
  ret void
}
