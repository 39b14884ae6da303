; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"count_characters"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4",
    ptr noalias %".5")
{
.6:
  br label %".7"
.7:
  %".8" = phi  i64 [0, %".6"], [%".30", %".28"]
  %".9" = icmp slt i64 %".8", %".4"
  br i1 %".9", label %".10", label %".31"
.10:
  %".11" = getelementptr inbounds i64, ptr %".2", i64 %".8"
  %".12" = load i64, ptr %".11"
  %".13" = getelementptr inbounds i64, ptr %".3", i64 %".8"
  %".14" = load i64, ptr %".13"
  br label %".15"
.15:
  %".16" = phi  i64 [0, %".10"], [%".27", %".19"]
  %".17" = phi  i64 [0, %".10"], [%".26", %".19"]
  %".18" = icmp slt i64 %".16", %".14"
  br i1 %".18", label %".19", label %".28"
.19:
  %".20" = add i64 %".12", %".16"
  %".21" = getelementptr inbounds i8, ptr %".1", i64 %".20"
  %".22" = load i8, ptr %".21"
  %".23" = and i8 %".22", -64
  %".24" = icmp ne i8 %".23", -128
  %".25" = add i64 %".17", 1
  %".26" = select  i1 %".24", i64 %".25", i64 %".17"
  %".27" = add i64 %".16", 1
  br label %".15"
.28:
  %".29" = getelementptr inbounds i64, ptr %".5", i64 %".8"
  store i64 %".17", ptr %".29"
  %".30" = add i64 %".8", 1
  br label %".7"
.31:
  ret void
}
