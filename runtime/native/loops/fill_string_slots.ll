; Written by `python -m diablo.tools.loop_code` from string_codes.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"fill_string_slots"(ptr noalias %"array", i64 %"number", ptr noalias %"array.1",
    i64 %"number.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [0, %".1"], [%".24", %".20"]
  %".4" = icmp slt i64 %".3", %"number"
  br i1 %".4", label %".5", label %".25"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = mul i64 %".7", -7046029254386353131
  %".9" = lshr i64 %".8", 32
  %".10" = and i64 %".7", %"number.1"
  br label %".11"
.11:
  %".12" = phi  i64 [%".10", %".5"], [%".19", %".16"]
  %".13" = getelementptr inbounds i64, ptr %"array.1", i64 %".12"
  %".14" = load i64, ptr %".13"
  %".15" = icmp ne i64 %".14", -1
  br i1 %".15", label %".16", label %".20"
.16:
  %".17" = phi  i64 [%".12", %".11"]
  %".18" = add i64 %".17", 1
  %".19" = and i64 %".18", %"number.1"
  br label %".11"
.20:
  %".21" = shl i64 %".9", 32
  %".22" = or i64 %".21", %".3"
  %".23" = getelementptr inbounds i64, ptr %"array.1", i64 %".12"
  store i64 %".22", ptr %".23"
  %".24" = add i64 %".3", 1
  br label %".2"
.25:
  ret void
}
