; Written by `python -m diablo.tools.loop_code` from string_codes.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"rank_codes"(ptr noalias %".1", i64 %".2", ptr noalias %".3", ptr noalias %".4")
{
.5:
  br label %".6"
.6:
  %".7" = phi  i64 [0, %".5"], [%".28", %".26"]
  %".8" = phi  i64 [0, %".5"], [%".25", %".26"]
  %".9" = icmp slt i64 %".7", %".2"
  br i1 %".9", label %".10", label %".29"
.10:
  %".11" = getelementptr inbounds i32, ptr %".1", i64 %".7"
  %".12" = load i32, ptr %".11"
  %".13" = sext i32 %".12" to i64
  %".14" = getelementptr inbounds i32, ptr %".3", i64 %".13"
  %".15" = load i32, ptr %".14"
  %".16" = icmp slt i32 %".15", 0
  br i1 %".16", label %".17", label %".22"
.17:
  %".18" = trunc i64 %".8" to i32
  %".19" = getelementptr inbounds i32, ptr %".3", i64 %".13"
  store i32 %".18", ptr %".19"
  %".20" = getelementptr inbounds i32, ptr %".4", i64 %".8"
  store i32 %".12", ptr %".20"
  %".21" = add i64 %".8", 1
  br label %".23"
.22:
  br label %".23"
.23:
  %".24" = phi  i32 [%".18", %".17"], [%".15", %".22"]
  %".25" = phi  i64 [%".21", %".17"], [%".8", %".22"]
  br label %".26"
.26:
  %".27" = getelementptr inbounds i32, ptr %".1", i64 %".7"
  store i32 %".24", ptr %".27"
  %".28" = add i64 %".7", 1
  br label %".6"
.29:
  ret void
}
