; Written by `python -m diablo.tools.loop_code` from bucket_sums.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"combine_at"(ptr noalias %".1", i64 %".2", ptr noalias %".3", ptr noalias %".4",
    i64 %".5")
{
.6:
  br label %".7"
.7:
  %".8" = phi  i64 [0, %".6"], [%".22", %".21"]
  %".9" = icmp slt i64 %".8", %".5"
  br i1 %".9", label %".10", label %".23"
.10:
  %".11" = getelementptr inbounds i64, ptr %".3", i64 %".8"
  %".12" = load i64, ptr %".11"
  %".13" = icmp ult i64 %".12", %".2"
  br i1 %".13", label %".14", label %".21"
.14:
  %".15" = getelementptr inbounds i64, ptr %".4", i64 %".8"
  %".16" = load i64, ptr %".15"
  %".17" = getelementptr inbounds i64, ptr %".1", i64 %".12"
  %".18" = load i64, ptr %".17"
  %".19" = add i64 %".18", %".16"
  %".20" = getelementptr inbounds i64, ptr %".1", i64 %".12"
  store i64 %".19", ptr %".20"
  br label %".21"
.21:
  %".22" = add i64 %".8", 1
  br label %".7"
.23:
  ret void
}
