; Written by `python -m diablo.tools.loop_code` from string_codes.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"fill_string_slots"(ptr noalias %".1", i64 %".2", ptr noalias %".3", i64 %".4")
{
.5:
  br label %".6"
.6:
  %".7" = phi  i64 [0, %".5"], [%".28", %".24"]
  %".8" = icmp slt i64 %".7", %".2"
  br i1 %".8", label %".9", label %".29"
.9:
  %".10" = getelementptr inbounds i64, ptr %".1", i64 %".7"
  %".11" = load i64, ptr %".10"
  %".12" = mul i64 %".11", -7046029254386353131
  %".13" = lshr i64 %".12", 32
  %".14" = and i64 %".11", %".4"
  br label %".15"
.15:
  %".16" = phi  i64 [%".14", %".9"], [%".23", %".20"]
  %".17" = getelementptr inbounds i64, ptr %".3", i64 %".16"
  %".18" = load i64, ptr %".17"
  %".19" = icmp ne i64 %".18", -1
  br i1 %".19", label %".20", label %".24"
.20:
  %".21" = phi  i64 [%".16", %".15"]
  %".22" = add i64 %".21", 1
  %".23" = and i64 %".22", %".4"
  br label %".15"
.24:
  %".25" = shl i64 %".13", 32
  %".26" = or i64 %".25", %".7"
  %".27" = getelementptr inbounds i64, ptr %".3", i64 %".16"
  store i64 %".26", ptr %".27"
  %".28" = add i64 %".7", 1
  br label %".6"
.29:
  ret void
}
