; Written by `python -m diablo.tools.loop_code` from row_sorting.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"place_in_lists"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", i64 %".5", i64 %".6")
{
.7:
  br label %".8"
.8:
  %".9" = phi  i64 [%".5", %".7"], [%".24", %".11"]
  %".10" = icmp slt i64 %".9", %".6"
  br i1 %".10", label %".11", label %".25"
.11:
  %".12" = getelementptr inbounds i64, ptr %".1", i64 %".9"
  %".13" = load i64, ptr %".12"
  %".14" = getelementptr inbounds i32, ptr %".3", i64 %".13"
  %".15" = load i32, ptr %".14"
  %".16" = add i32 %".15", 1
  %".17" = getelementptr inbounds i32, ptr %".3", i64 %".13"
  store i32 %".16", ptr %".17"
  %".18" = zext i32 %".15" to i64
  %".19" = getelementptr inbounds i64, ptr %".2", i64 %".9"
  %".20" = load i64, ptr %".19"
  %".21" = shl i64 %".20", 32
  %".22" = or i64 %".21", %".9"
  %".23" = getelementptr inbounds i64, ptr %".4", i64 %".18"
  store i64 %".22", ptr %".23"
  %".24" = add i64 %".9", 1
  br label %".8"
.25:
  ret void
}
