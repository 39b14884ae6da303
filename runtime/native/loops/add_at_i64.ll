; Written by `python -m diablo.tools.loop_code` from bucket_sums.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"add_at_i64"(ptr noalias %".1", i64 %".2", ptr noalias %".3", ptr noalias %".4", i64 %".5")
{
.7:
  br label %".8"
.8:
  %".13" = phi  i64 [0, %".7"], [%".29", %".11"]
  %".15" = icmp slt i64 %".13", %".5"
  br i1 %".15", label %".9", label %".12"
.9:
  %".17" = getelementptr inbounds i64, ptr %".3", i64 %".13"
  %".18" = load i64, ptr %".17"
  %".19" = icmp ult i64 %".18", %".2"
  br i1 %".19", label %".10", label %".11"
.10:
  %".21" = getelementptr inbounds i64, ptr %".4", i64 %".13"
  %".22" = load i64, ptr %".21"
  %".23" = getelementptr inbounds i64, ptr %".1", i64 %".18"
  %".24" = load i64, ptr %".23"
  %".25" = add i64 %".24", %".22"
  %".26" = getelementptr inbounds i64, ptr %".1", i64 %".18"
  store i64 %".25", ptr %".26"
  br label %".11"
.11:
  %".29" = add i64 %".13", 1
  br label %".8"
.12:
  ret void
}
