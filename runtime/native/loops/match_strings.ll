; Written by `python -m diablo.tools.loop_code` from string_pairs.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"match_strings"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5", i64 %"number",
    i64 %"number.1", i64 %"number.2", i64 %"number.3", i64 %"number.4", ptr noalias %"array.6")
{
.1:
  %".2" = icmp ne i64 %"number.1", 0
  br label %".3"
.3:
  %".4" = phi  i64 [%"number.3", %".1"], [%".81", %".76"]
  %".5" = icmp slt i64 %".4", %"number.4"
  br i1 %".5", label %".6", label %".82"
.6:
  %".7" = getelementptr inbounds i64, ptr %"array.1", i64 %".4"
  %".8" = load i64, ptr %".7"
  %".9" = getelementptr inbounds i64, ptr %"array.2", i64 %".4"
  %".10" = load i64, ptr %".9"
  %".11" = mul i64 %".4", %"number"
  %".12" = getelementptr inbounds i64, ptr %"array.4", i64 %".11"
  %".13" = load i64, ptr %".12"
  %".14" = getelementptr inbounds i64, ptr %"array.5", i64 %".11"
  %".15" = load i64, ptr %".14"
  %".16" = sub i64 %".10", %".15"
  %".17" = icmp eq i64 %".16", 0
  %".18" = icmp sgt i64 %".16", 0
  %".19" = and i1 %".18", %".2"
  %".20" = or i1 %".17", %".19"
  %".21" = mul i64 %".16", %"number.2"
  %".22" = add i64 %".8", %".21"
  %".23" = select  i1 %".20", i64 %".15", i64 0
  br label %".24"
.24:
  %".25" = phi  i64 [0, %".6"], [%".75", %".66"]
  %".26" = phi  i64 [0, %".6"], [%".74", %".66"]
  %".27" = icmp slt i64 %".25", %".23"
  %".28" = icmp eq i64 %".26", 0
  %".29" = and i1 %".27", %".28"
  br i1 %".29", label %".30", label %".76"
.30:
  %".31" = phi  i64 [%".25", %".24"]
  %".32" = phi  i64 [%".26", %".24"]
  %".33" = add i64 %".22", %".31"
  %".34" = add i64 %".13", %".31"
  br label %".35"
.35:
  %".36" = phi  i64 [0, %".30"], [%".49", %".39"]
  %".37" = phi  i64 [0, %".30"], [%".48", %".39"]
  %".38" = icmp slt i64 %".36", 8
  br i1 %".38", label %".39", label %".50"
.39:
  %".40" = add i64 %".33", %".36"
  %".41" = getelementptr inbounds i8, ptr %"array", i64 %".40"
  %".42" = load i8, ptr %".41"
  %".43" = zext i8 %".42" to i64
  %".44" = mul i64 %".36", 8
  %".45" = icmp ule i64 %".44", 63
  %".46" = shl i64 %".43", %".44"
  %".47" = select  i1 %".45", i64 %".46", i64 0
  %".48" = or i64 %".37", %".47"
  %".49" = add i64 %".36", 1
  br label %".35"
.50:
  br label %".51"
.51:
  %".52" = phi  i64 [0, %".50"], [%".65", %".55"]
  %".53" = phi  i64 [0, %".50"], [%".64", %".55"]
  %".54" = icmp slt i64 %".52", 8
  br i1 %".54", label %".55", label %".66"
.55:
  %".56" = add i64 %".34", %".52"
  %".57" = getelementptr inbounds i8, ptr %"array.3", i64 %".56"
  %".58" = load i8, ptr %".57"
  %".59" = zext i8 %".58" to i64
  %".60" = mul i64 %".52", 8
  %".61" = icmp ule i64 %".60", 63
  %".62" = shl i64 %".59", %".60"
  %".63" = select  i1 %".61", i64 %".62", i64 0
  %".64" = or i64 %".53", %".63"
  %".65" = add i64 %".52", 1
  br label %".51"
.66:
  %".67" = xor i64 %".37", %".53"
  %".68" = sub i64 %".23", %".31"
  %".69" = call i64 @"llvm.smin.i64"(i64 %".68", i64 8)
  %".70" = sub i64 8, %".69"
  %".71" = mul i64 %".70", 8
  %".72" = icmp ule i64 %".71", 63
  %".73" = shl i64 %".67", %".71"
  %".74" = select  i1 %".72", i64 %".73", i64 0
  %".75" = add i64 %".31", 8
  br label %".24"
.76:
  %".77" = icmp eq i64 %".26", 0
  %".78" = and i1 %".77", %".20"
  %".79" = zext i1 %".78" to i8
  %".80" = getelementptr inbounds i8, ptr %"array.6", i64 %".4"
  store i8 %".79", ptr %".80"
  %".81" = add i64 %".4", 1
  br label %".3"
.82:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")
