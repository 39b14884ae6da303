; Written by `python -m diablo.tools.loop_code` from string_codes.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"fill_string_slots"(ptr noalias %"array", i64 %"number", ptr noalias %"array.1",
    i64 %"number.1")
{
.1:
  %".2" = add i64 %"number.1", 1
  br label %".3"
.3:
  %".4" = phi  i64 [0, %".1"], [%".8", %".6"]
  %".5" = icmp slt i64 %".4", %".2"
  br i1 %".5", label %".6", label %".9"
.6:
  %".7" = getelementptr inbounds i64, ptr %"array.1", i64 %".4"
  store i64 -1, ptr %".7"
  %".8" = add i64 %".4", 1
  br label %".3"
.9:
  br label %".10"
.10:
  %".11" = phi  i64 [0, %".9"], [%".32", %".28"]
  %".12" = icmp slt i64 %".11", %"number"
  br i1 %".12", label %".13", label %".33"
.13:
  %".14" = getelementptr inbounds i64, ptr %"array", i64 %".11"
  %".15" = load i64, ptr %".14"
  %".16" = lshr i64 %".15", 32
  %".17" = mul i64 %".16", %".2"
  %".18" = lshr i64 %".17", 32
  br label %".19"
.19:
  %".20" = phi  i64 [%".18", %".13"], [%".27", %".24"]
  %".21" = getelementptr inbounds i64, ptr %"array.1", i64 %".20"
  %".22" = load i64, ptr %".21"
  %".23" = icmp ne i64 %".22", -1
  br i1 %".23", label %".24", label %".28"
.24:
  %".25" = phi  i64 [%".20", %".19"]
  %".26" = add i64 %".25", 1
  %".27" = and i64 %".26", %"number.1"
  br label %".19"
.28:
  %".29" = shl i64 %".16", 32
  %".30" = or i64 %".29", %".11"
  %".31" = getelementptr inbounds i64, ptr %"array.1", i64 %".20"
  store i64 %".30", ptr %".31"
  %".32" = add i64 %".11", 1
  br label %".10"
.33:
  ret void
}
