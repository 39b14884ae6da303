; Written by `python -m diablo.tools.loop_code` from row_sorting.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"place_in_order"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", i64 %".5", i64 %".6")
{
.7:
  br label %".8"
.8:
  %".9" = phi  i64 [%".5", %".7"], [%".23", %".11"]
  %".10" = icmp slt i64 %".9", %".6"
  br i1 %".10", label %".11", label %".24"
.11:
  %".12" = getelementptr inbounds i32, ptr %".2", i64 %".9"
  %".13" = load i32, ptr %".12"
  %".14" = zext i32 %".13" to i64
  %".15" = getelementptr inbounds i64, ptr %".1", i64 %".14"
  %".16" = load i64, ptr %".15"
  %".17" = getelementptr inbounds i32, ptr %".3", i64 %".16"
  %".18" = load i32, ptr %".17"
  %".19" = add i32 %".18", 1
  %".20" = getelementptr inbounds i32, ptr %".3", i64 %".16"
  store i32 %".19", ptr %".20"
  %".21" = zext i32 %".18" to i64
  %".22" = getelementptr inbounds i32, ptr %".4", i64 %".21"
  store i32 %".13", ptr %".22"
  %".23" = add i64 %".9", 1
  br label %".8"
.24:
  ret void
}
