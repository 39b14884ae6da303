; Written by `python -m diablo.tools.loop_code` from string_places.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"match_between_ends"(ptr noalias %".1", ptr noalias %".2", i64 %".3",
    ptr noalias %".4", i64 %".5", i64 %".6", i64 %".7", i64 %".8", i64 %".9", ptr noalias %".10")
{
.11:
  %".12" = icmp ne i64 %".6", 0
  %".13" = icmp ne i64 %".5", 0
  %".14" = call i64 @"llvm.smin.i64"(i64 %".5", i64 8)
  %".15" = call i64 @"llvm.smax.i64"(i64 %".14", i64 1)
  %".16" = sub i64 8, %".15"
  %".17" = mul i64 %".16", 8
  %".18" = icmp ule i64 %".17", 63
  %".19" = lshr i64 -1, %".17"
  %".20" = select  i1 %".18", i64 %".19", i64 0
  %".21" = select  i1 %".13", i64 %".20", i64 0
  %".22" = getelementptr inbounds i8, ptr %".4", i64 0
  %".23" = load i64, ptr %".22", align 1
  %".24" = sub i64 %".5", 8
  %".25" = call i64 @"llvm.smax.i64"(i64 %".24", i64 0)
  %".26" = getelementptr inbounds i8, ptr %".4", i64 %".25"
  %".27" = load i64, ptr %".26", align 1
  br label %".28"
.28:
  %".29" = phi  i64 [%".8", %".11"], [%".78", %".74"]
  %".30" = icmp slt i64 %".29", %".9"
  br i1 %".30", label %".31", label %".79"
.31:
  %".32" = add i64 %".29", 1
  %".33" = getelementptr inbounds i64, ptr %".2", i64 %".29"
  %".34" = load i64, ptr %".33"
  %".35" = getelementptr inbounds i64, ptr %".2", i64 %".32"
  %".36" = load i64, ptr %".35"
  %".37" = sub i64 %".36", %".34"
  %".38" = sub i64 %".34", %".3"
  %".39" = sub i64 %".37", %".5"
  %".40" = icmp eq i64 %".39", 0
  %".41" = icmp sgt i64 %".39", 0
  %".42" = and i1 %".41", %".12"
  %".43" = or i1 %".40", %".42"
  %".44" = mul i64 %".39", %".7"
  %".45" = select  i1 %".43", i64 %".44", i64 0
  %".46" = add i64 %".38", %".45"
  %".47" = getelementptr inbounds i8, ptr %".1", i64 %".46"
  %".48" = load i64, ptr %".47", align 1
  %".49" = select  i1 %".43", i64 %".25", i64 0
  %".50" = add i64 %".46", %".49"
  %".51" = getelementptr inbounds i8, ptr %".1", i64 %".50"
  %".52" = load i64, ptr %".51", align 1
  %".53" = xor i64 %".48", %".23"
  %".54" = xor i64 %".52", %".27"
  %".55" = or i64 %".53", %".54"
  %".56" = and i64 %".55", %".21"
  %".57" = select  i1 %".43", i64 %".56", i64 -1
  br label %".58"
.58:
  %".59" = phi  i64 [8, %".31"], [%".73", %".64"]
  %".60" = phi  i64 [%".57", %".31"], [%".72", %".64"]
  %".61" = icmp slt i64 %".59", %".25"
  %".62" = icmp eq i64 %".60", 0
  %".63" = and i1 %".61", %".62"
  br i1 %".63", label %".64", label %".74"
.64:
  %".65" = phi  i64 [%".59", %".58"]
  %".66" = phi  i64 [%".60", %".58"]
  %".67" = add i64 %".46", %".65"
  %".68" = getelementptr inbounds i8, ptr %".1", i64 %".67"
  %".69" = load i64, ptr %".68", align 1
  %".70" = getelementptr inbounds i8, ptr %".4", i64 %".65"
  %".71" = load i64, ptr %".70", align 1
  %".72" = xor i64 %".69", %".71"
  %".73" = add i64 %".65", 8
  br label %".58"
.74:
  %".75" = icmp eq i64 %".60", 0
  %".76" = zext i1 %".75" to i8
  %".77" = getelementptr inbounds i8, ptr %".10", i64 %".29"
  store i8 %".76", ptr %".77"
  %".78" = add i64 %".29", 1
  br label %".28"
.79:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")

declare i64 @"llvm.smax.i64"(i64 %".1", i64 %".2")
