; Written by `python -m diablo.tools.loop_code` from string_codes.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"spread_codes"(ptr noalias %".1", ptr noalias %".2", i64 %".3", i64 %".4", i32 %".5",
    ptr noalias %".6")
{
.7:
  br label %".8"
.8:
  %".9" = phi  i64 [%".3", %".7"], [%".21", %".11"]
  %".10" = icmp slt i64 %".9", %".4"
  br i1 %".10", label %".11", label %".22"
.11:
  %".12" = getelementptr inbounds i32, ptr %".1", i64 %".9"
  %".13" = load i32, ptr %".12"
  %".14" = getelementptr inbounds i32, ptr %".2", i64 %".9"
  %".15" = load i32, ptr %".14"
  %".16" = sext i32 %".15" to i64
  %".17" = add i32 %".13", %".5"
  %".18" = icmp slt i32 %".13", 0
  %".19" = select  i1 %".18", i32 %".13", i32 %".17"
  %".20" = getelementptr inbounds i32, ptr %".6", i64 %".16"
  store i32 %".19", ptr %".20"
  %".21" = add i64 %".9", 1
  br label %".8"
.22:
  ret void
}
