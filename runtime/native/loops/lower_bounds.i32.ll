; Written by `python -m diablo.tools.loop_code` from searching.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"lower_bounds"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", ptr noalias %"array.4", i64 %"number")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [0, %".1"], [%".30", %".28"]
  %".4" = icmp slt i64 %".3", %"number"
  br i1 %".4", label %".5", label %".31"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  %".9" = load i64, ptr %".8"
  %".10" = getelementptr inbounds i64, ptr %"array.3", i64 %".3"
  %".11" = load i64, ptr %".10"
  br label %".12"
.12:
  %".13" = phi  i64 [%".7", %".5"], [%".26", %".16"]
  %".14" = phi  i64 [%".9", %".5"], [%".27", %".16"]
  %".15" = icmp slt i64 %".13", %".14"
  br i1 %".15", label %".16", label %".28"
.16:
  %".17" = phi  i64 [%".13", %".12"]
  %".18" = phi  i64 [%".14", %".12"]
  %".19" = add i64 %".17", %".18"
  %".20" = lshr i64 %".19", 1
  %".21" = getelementptr inbounds i32, ptr %"array", i64 %".20"
  %".22" = load i32, ptr %".21"
  %".23" = zext i32 %".22" to i64
  %".24" = icmp slt i64 %".23", %".11"
  %".25" = add i64 %".20", 1
  %".26" = select  i1 %".24", i64 %".25", i64 %".17"
  %".27" = select  i1 %".24", i64 %".18", i64 %".20"
  br label %".12"
.28:
  %".29" = getelementptr inbounds i64, ptr %"array.4", i64 %".3"
  store i64 %".13", ptr %".29"
  %".30" = add i64 %".3", 1
  br label %".2"
.31:
  ret void
}
