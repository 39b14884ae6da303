; Written by `python -m diablo.tools.loop_code` from string_codes.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"fill_string_slots"(ptr noalias %".1", i64 %".2", ptr noalias %".3", i64 %".4")
{
.6:
  br label %".7"
.7:
  %".13" = phi  i64 [0, %".6"], [%".36", %".11"]
  %".17" = icmp slt i64 %".13", %".2"
  br i1 %".17", label %".8", label %".12"
.8:
  %".19" = getelementptr inbounds i64, ptr %".1", i64 %".13"
  %".20" = load i64, ptr %".19"
  %".21" = mul i64 %".20", -7046029254386353131
  %".22" = lshr i64 %".21", 32
  %".23" = and i64 %".20", %".4"
  br label %".9"
.9:
  %".14" = phi  i64 [%".23", %".8"], [%".30", %".10"]
  %".25" = getelementptr inbounds i64, ptr %".3", i64 %".14"
  %".26" = load i64, ptr %".25"
  %".27" = icmp ne i64 %".26", -1
  br i1 %".27", label %".10", label %".11"
.10:
  %".15" = phi  i64 [%".14", %".9"]
  %".29" = add i64 %".15", 1
  %".30" = and i64 %".29", %".4"
  br label %".9"
.11:
  %".32" = shl i64 %".22", 32
  %".33" = or i64 %".32", %".13"
  %".34" = getelementptr inbounds i64, ptr %".3", i64 %".14"
  store i64 %".33", ptr %".34"
  %".36" = add i64 %".13", 1
  br label %".7"
.12:
  ret void
}
