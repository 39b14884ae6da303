; Written by `python -m diablo.tools.loop_code` from row_sorting.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"place_by_keys"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4", i64 %".5")
{
.7:
  br label %".8"
.8:
  %".11" = phi  i64 [%".4", %".7"], [%".26", %".9"]
  %".13" = icmp slt i64 %".11", %".5"
  br i1 %".13", label %".9", label %".10"
.9:
  %".15" = getelementptr inbounds i64, ptr %".1", i64 %".11"
  %".16" = load i64, ptr %".15"
  %".17" = getelementptr inbounds i32, ptr %".2", i64 %".16"
  %".18" = load i32, ptr %".17"
  %".19" = add i32 %".18", 1
  %".20" = getelementptr inbounds i32, ptr %".2", i64 %".16"
  store i32 %".19", ptr %".20"
  %".22" = zext i32 %".18" to i64
  %".23" = trunc i64 %".11" to i32
  %".24" = getelementptr inbounds i32, ptr %".3", i64 %".22"
  store i32 %".23", ptr %".24"
  %".26" = add i64 %".11", 1
  br label %".8"
.10:
  ret void
}
