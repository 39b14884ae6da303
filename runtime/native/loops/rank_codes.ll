; Written by `python -m diablo.tools.loop_code` from string_codes.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"rank_codes"(ptr noalias %".1", i64 %".2", ptr noalias %".3", ptr noalias %".4",
    ptr noalias %".5")
{
.6:
  br label %".7"
.7:
  %".8" = phi  i64 [0, %".6"], [%".29", %".27"]
  %".9" = phi  i64 [0, %".6"], [%".26", %".27"]
  %".10" = icmp slt i64 %".8", %".2"
  br i1 %".10", label %".11", label %".30"
.11:
  %".12" = getelementptr inbounds i32, ptr %".1", i64 %".8"
  %".13" = load i32, ptr %".12"
  %".14" = sext i32 %".13" to i64
  %".15" = getelementptr inbounds i32, ptr %".3", i64 %".14"
  %".16" = load i32, ptr %".15"
  %".17" = icmp slt i32 %".16", 0
  br i1 %".17", label %".18", label %".23"
.18:
  %".19" = trunc i64 %".9" to i32
  %".20" = getelementptr inbounds i32, ptr %".3", i64 %".14"
  store i32 %".19", ptr %".20"
  %".21" = getelementptr inbounds i32, ptr %".4", i64 %".9"
  store i32 %".13", ptr %".21"
  %".22" = add i64 %".9", 1
  br label %".24"
.23:
  br label %".24"
.24:
  %".25" = phi  i32 [%".19", %".18"], [%".16", %".23"]
  %".26" = phi  i64 [%".22", %".18"], [%".9", %".23"]
  br label %".27"
.27:
  %".28" = getelementptr inbounds i32, ptr %".1", i64 %".8"
  store i32 %".25", ptr %".28"
  %".29" = add i64 %".8", 1
  br label %".7"
.30:
  %".31" = getelementptr inbounds i64, ptr %".5", i64 0
  store i64 %".9", ptr %".31"
  ret void
}
