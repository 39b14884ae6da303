; Written by `python -m diablo.tools.loop_code` from group_folds.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"scan_groups"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", i64 %".6", i64 %".7")
{
.8:
  br label %".9"
.9:
  %".10" = phi  i64 [%".6", %".8"], [%".25", %".12"]
  %".11" = icmp slt i64 %".10", %".7"
  br i1 %".11", label %".12", label %".26"
.12:
  %".13" = getelementptr inbounds i32, ptr %".2", i64 %".10"
  %".14" = load i32, ptr %".13"
  %".15" = zext i32 %".14" to i64
  %".16" = getelementptr inbounds i64, ptr %".1", i64 %".15"
  %".17" = load i64, ptr %".16"
  %".18" = getelementptr inbounds float, ptr %".3", i64 %".15"
  %".19" = load float, ptr %".18"
  %".20" = getelementptr inbounds float, ptr %".4", i64 %".17"
  %".21" = load float, ptr %".20"
  %".22" = fadd float %".21", %".19"
  %".23" = getelementptr inbounds float, ptr %".4", i64 %".17"
  store float %".22", ptr %".23"
  %".24" = getelementptr inbounds float, ptr %".5", i64 %".15"
  store float %".22", ptr %".24"
  %".25" = add i64 %".10", 1
  br label %".9"
.26:
  ret void
}
