; Written by `python -m diablo.tools.loop_code` from group_places.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"number_groups"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", i64 %".5", i64 %".6")
{
.7:
  br label %".8"
.8:
  %".9" = phi  i64 [%".5", %".7"], [%".22", %".11"]
  %".10" = icmp slt i64 %".9", %".6"
  br i1 %".10", label %".11", label %".23"
.11:
  %".12" = getelementptr inbounds i32, ptr %".2", i64 %".9"
  %".13" = load i32, ptr %".12"
  %".14" = zext i32 %".13" to i64
  %".15" = getelementptr inbounds i64, ptr %".1", i64 %".14"
  %".16" = load i64, ptr %".15"
  %".17" = getelementptr inbounds i64, ptr %".3", i64 %".16"
  %".18" = load i64, ptr %".17"
  %".19" = add i64 %".18", 1
  %".20" = getelementptr inbounds i64, ptr %".3", i64 %".16"
  store i64 %".19", ptr %".20"
  %".21" = getelementptr inbounds i64, ptr %".4", i64 %".14"
  store i64 %".18", ptr %".21"
  %".22" = add i64 %".9", 1
  br label %".8"
.23:
  ret void
}
