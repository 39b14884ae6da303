; Written by `python -m diablo.tools.loop_code` from group_selection.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"place_values"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", i64 %".5", i64 %".6")
{
.7:
  br label %".8"
.8:
  %".9" = phi  i64 [%".5", %".7"], [%".21", %".11"]
  %".10" = icmp slt i64 %".9", %".6"
  br i1 %".10", label %".11", label %".22"
.11:
  %".12" = getelementptr inbounds i64, ptr %".1", i64 %".9"
  %".13" = load i64, ptr %".12"
  %".14" = getelementptr inbounds double, ptr %".3", i64 %".9"
  %".15" = load double, ptr %".14"
  %".16" = getelementptr inbounds i64, ptr %".2", i64 %".13"
  %".17" = load i64, ptr %".16"
  %".18" = getelementptr inbounds double, ptr %".4", i64 %".17"
  store double %".15", ptr %".18"
  %".19" = add i64 %".17", 1
  %".20" = getelementptr inbounds i64, ptr %".2", i64 %".13"
  store i64 %".19", ptr %".20"
  %".21" = add i64 %".9", 1
  br label %".8"
.22:
  ret void
}
