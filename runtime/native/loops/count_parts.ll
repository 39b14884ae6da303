; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"count_parts"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4",
    i8 %".5", ptr noalias %".6")
{
.7:
  br label %".8"
.8:
  %".9" = phi  i64 [0, %".7"], [%".30", %".28"]
  %".10" = icmp slt i64 %".9", %".4"
  br i1 %".10", label %".11", label %".31"
.11:
  %".12" = getelementptr inbounds i64, ptr %".2", i64 %".9"
  %".13" = load i64, ptr %".12"
  %".14" = getelementptr inbounds i64, ptr %".3", i64 %".9"
  %".15" = load i64, ptr %".14"
  br label %".16"
.16:
  %".17" = phi  i64 [0, %".11"], [%".27", %".20"]
  %".18" = phi  i64 [1, %".11"], [%".26", %".20"]
  %".19" = icmp slt i64 %".17", %".15"
  br i1 %".19", label %".20", label %".28"
.20:
  %".21" = add i64 %".13", %".17"
  %".22" = getelementptr inbounds i8, ptr %".1", i64 %".21"
  %".23" = load i8, ptr %".22"
  %".24" = icmp eq i8 %".23", %".5"
  %".25" = add i64 %".18", 1
  %".26" = select  i1 %".24", i64 %".25", i64 %".18"
  %".27" = add i64 %".17", 1
  br label %".16"
.28:
  %".29" = getelementptr inbounds i64, ptr %".6", i64 %".9"
  store i64 %".18", ptr %".29"
  %".30" = add i64 %".9", 1
  br label %".8"
.31:
  ret void
}
