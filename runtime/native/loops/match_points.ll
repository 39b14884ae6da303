; Written by `python -m diablo.tools.loop_code` from string_points.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"match_points"(ptr noalias %".1", i64 %".2", ptr noalias %".3", i64 %".4", i64 %".5",
    i64 %".6", ptr noalias %".7")
{
.8:
  %".9" = urem i64 %".4", 4
  %".10" = sub i64 %".4", %".9"
  br label %".11"
.11:
  %".12" = phi  i64 [%".5", %".8"], [%".62", %".58"]
  %".13" = icmp slt i64 %".12", %".6"
  br i1 %".13", label %".14", label %".63"
.14:
  %".15" = mul i64 %".12", %".2"
  br label %".16"
.16:
  %".17" = phi  i64 [0, %".14"], [%".41", %".40"]
  %".18" = phi  i32 [0, %".14"], [%".28", %".40"]
  %".19" = icmp slt i64 %".17", %".10"
  %".20" = icmp eq i32 %".18", 0
  %".21" = and i1 %".19", %".20"
  br i1 %".21", label %".22", label %".42"
.22:
  %".23" = phi  i64 [%".17", %".16"]
  %".24" = phi  i32 [%".18", %".16"]
  %".25" = add i64 %".15", %".23"
  br label %".26"
.26:
  %".27" = phi  i64 [0, %".22"], [%".39", %".30"]
  %".28" = phi  i32 [0, %".22"], [%".38", %".30"]
  %".29" = icmp slt i64 %".27", 4
  br i1 %".29", label %".30", label %".40"
.30:
  %".31" = add i64 %".25", %".27"
  %".32" = add i64 %".23", %".27"
  %".33" = getelementptr inbounds i32, ptr %".1", i64 %".31"
  %".34" = load i32, ptr %".33"
  %".35" = getelementptr inbounds i32, ptr %".3", i64 %".32"
  %".36" = load i32, ptr %".35"
  %".37" = xor i32 %".34", %".36"
  %".38" = or i32 %".28", %".37"
  %".39" = add i64 %".27", 1
  br label %".26"
.40:
  %".41" = add i64 %".23", 4
  br label %".16"
.42:
  %".43" = icmp eq i32 %".18", 0
  %".44" = select  i1 %".43", i64 %".10", i64 %".4"
  br label %".45"
.45:
  %".46" = phi  i64 [%".44", %".42"], [%".57", %".49"]
  %".47" = phi  i32 [%".18", %".42"], [%".56", %".49"]
  %".48" = icmp slt i64 %".46", %".4"
  br i1 %".48", label %".49", label %".58"
.49:
  %".50" = add i64 %".15", %".46"
  %".51" = getelementptr inbounds i32, ptr %".1", i64 %".50"
  %".52" = load i32, ptr %".51"
  %".53" = getelementptr inbounds i32, ptr %".3", i64 %".46"
  %".54" = load i32, ptr %".53"
  %".55" = xor i32 %".52", %".54"
  %".56" = or i32 %".47", %".55"
  %".57" = add i64 %".46", 1
  br label %".45"
.58:
  %".59" = icmp eq i32 %".47", 0
  %".60" = zext i1 %".59" to i8
  %".61" = getelementptr inbounds i8, ptr %".7", i64 %".12"
  store i8 %".60", ptr %".61"
  %".62" = add i64 %".12", 1
  br label %".11"
.63:
  ret void
}
