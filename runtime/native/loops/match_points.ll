; Written by `python -m diablo.tools.loop_code` from string_points.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"match_points"(ptr noalias %"array", i64 %"number", ptr noalias %"array.1",
    i64 %"number.1", i64 %"number.2", i64 %"number.3", ptr noalias %"array.2")
{
.1:
  %".2" = urem i64 %"number.1", 4
  %".3" = sub i64 %"number.1", %".2"
  br label %".4"
.4:
  %".5" = phi  i64 [%"number.2", %".1"], [%".55", %".51"]
  %".6" = icmp slt i64 %".5", %"number.3"
  br i1 %".6", label %".7", label %".56"
.7:
  %".8" = mul i64 %".5", %"number"
  br label %".9"
.9:
  %".10" = phi  i64 [0, %".7"], [%".34", %".33"]
  %".11" = phi  i32 [0, %".7"], [%".21", %".33"]
  %".12" = icmp slt i64 %".10", %".3"
  %".13" = icmp eq i32 %".11", 0
  %".14" = and i1 %".12", %".13"
  br i1 %".14", label %".15", label %".35"
.15:
  %".16" = phi  i64 [%".10", %".9"]
  %".17" = phi  i32 [%".11", %".9"]
  %".18" = add i64 %".8", %".16"
  br label %".19"
.19:
  %".20" = phi  i64 [0, %".15"], [%".32", %".23"]
  %".21" = phi  i32 [0, %".15"], [%".31", %".23"]
  %".22" = icmp slt i64 %".20", 4
  br i1 %".22", label %".23", label %".33"
.23:
  %".24" = add i64 %".18", %".20"
  %".25" = add i64 %".16", %".20"
  %".26" = getelementptr inbounds i32, ptr %"array", i64 %".24"
  %".27" = load i32, ptr %".26"
  %".28" = getelementptr inbounds i32, ptr %"array.1", i64 %".25"
  %".29" = load i32, ptr %".28"
  %".30" = xor i32 %".27", %".29"
  %".31" = or i32 %".21", %".30"
  %".32" = add i64 %".20", 1
  br label %".19"
.33:
  %".34" = add i64 %".16", 4
  br label %".9"
.35:
  %".36" = icmp eq i32 %".11", 0
  %".37" = select  i1 %".36", i64 %".3", i64 %"number.1"
  br label %".38"
.38:
  %".39" = phi  i64 [%".37", %".35"], [%".50", %".42"]
  %".40" = phi  i32 [%".11", %".35"], [%".49", %".42"]
  %".41" = icmp slt i64 %".39", %"number.1"
  br i1 %".41", label %".42", label %".51"
.42:
  %".43" = add i64 %".8", %".39"
  %".44" = getelementptr inbounds i32, ptr %"array", i64 %".43"
  %".45" = load i32, ptr %".44"
  %".46" = getelementptr inbounds i32, ptr %"array.1", i64 %".39"
  %".47" = load i32, ptr %".46"
  %".48" = xor i32 %".45", %".47"
  %".49" = or i32 %".40", %".48"
  %".50" = add i64 %".39", 1
  br label %".38"
.51:
  %".52" = icmp eq i32 %".40", 0
  %".53" = zext i1 %".52" to i8
  %".54" = getelementptr inbounds i8, ptr %"array.2", i64 %".5"
  store i8 %".53", ptr %".54"
  %".55" = add i64 %".5", 1
  br label %".4"
.56:
  ret void
}
