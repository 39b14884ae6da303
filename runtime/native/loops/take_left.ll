; Written by `python -m diablo.tools.loop_code` from list_parts.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"take_left"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5", i64 %"number",
    i64 %"number.1", i64 %"number.2")
{
.1:
  %".2" = icmp sgt i64 %"number", 0
  br label %".3"
.3:
  %".4" = phi  i64 [%"number.1", %".1"], [%".43", %".42"]
  %".5" = icmp slt i64 %".4", %"number.2"
  br i1 %".5", label %".6", label %".44"
.6:
  %".7" = add i64 %".4", 1
  %".8" = getelementptr inbounds i32, ptr %"array", i64 %".4"
  %".9" = load i32, ptr %".8"
  %".10" = zext i32 %".9" to i64
  %".11" = getelementptr inbounds i32, ptr %"array", i64 %".7"
  %".12" = load i32, ptr %".11"
  %".13" = zext i32 %".12" to i64
  %".14" = sub i64 %".13", 1
  %".15" = select  i1 %".2", i64 %".10", i64 %".14"
  %".16" = sub i64 %".13", %".10"
  %".17" = getelementptr inbounds i32, ptr %"array.3", i64 %".4"
  %".18" = load i32, ptr %".17"
  %".19" = zext i32 %".18" to i64
  br label %".20"
.20:
  %".21" = phi  i64 [0, %".6"], [%".41", %".39"]
  %".22" = phi  i64 [%".19", %".6"], [%".40", %".39"]
  %".23" = icmp slt i64 %".21", %".16"
  br i1 %".23", label %".24", label %".42"
.24:
  %".25" = mul i64 %".21", %"number"
  %".26" = add i64 %".15", %".25"
  %".27" = getelementptr inbounds i32, ptr %"array.1", i64 %".26"
  %".28" = load i32, ptr %".27"
  %".29" = zext i32 %".28" to i64
  %".30" = getelementptr inbounds i32, ptr %"array.2", i64 %".29"
  %".31" = load i32, ptr %".30"
  %".32" = icmp sge i32 %".31", 0
  br i1 %".32", label %".33", label %".38"
.33:
  %".34" = getelementptr inbounds i32, ptr %"array.4", i64 %".22"
  store i32 %".31", ptr %".34"
  %".35" = trunc i64 %".26" to i32
  %".36" = getelementptr inbounds i32, ptr %"array.5", i64 %".22"
  store i32 %".35", ptr %".36"
  %".37" = add i64 %".22", 1
  br label %".39"
.38:
  br label %".39"
.39:
  %".40" = phi  i64 [%".37", %".33"], [%".22", %".38"]
  %".41" = add i64 %".21", 1
  br label %".20"
.42:
  %".43" = add i64 %".4", 1
  br label %".3"
.44:
  ret void
}
