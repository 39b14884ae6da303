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
  %".4" = phi  i64 [0, %".1"], [%".25", %".21"]
  %".5" = icmp slt i64 %".4", %"number"
  br i1 %".5", label %".6", label %".26"
.6:
  %".7" = getelementptr inbounds i64, ptr %"array", i64 %".4"
  %".8" = load i64, ptr %".7"
  %".9" = lshr i64 %".8", 32
  %".10" = mul i64 %".9", %".2"
  %".11" = lshr i64 %".10", 32
  br label %".12"
.12:
  %".13" = phi  i64 [%".11", %".6"], [%".20", %".17"]
  %".14" = getelementptr inbounds i64, ptr %"array.1", i64 %".13"
  %".15" = load i64, ptr %".14"
  %".16" = icmp ne i64 %".15", -1
  br i1 %".16", label %".17", label %".21"
.17:
  %".18" = phi  i64 [%".13", %".12"]
  %".19" = add i64 %".18", 1
  %".20" = and i64 %".19", %"number.1"
  br label %".12"
.21:
  %".22" = shl i64 %".9", 32
  %".23" = or i64 %".22", %".4"
  %".24" = getelementptr inbounds i64, ptr %"array.1", i64 %".13"
  store i64 %".23", ptr %".24"
  %".25" = add i64 %".4", 1
  br label %".3"
.26:
  ret void
}
