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
  %".29" = phi  i64 [%".8", %".11"], [%".80", %".76"]
  %".30" = icmp slt i64 %".29", %".9"
  br i1 %".30", label %".31", label %".81"
.31:
  %".32" = add i64 %".29", 1
  %".33" = getelementptr inbounds i32, ptr %".2", i64 %".29"
  %".34" = load i32, ptr %".33"
  %".35" = zext i32 %".34" to i64
  %".36" = getelementptr inbounds i32, ptr %".2", i64 %".32"
  %".37" = load i32, ptr %".36"
  %".38" = zext i32 %".37" to i64
  %".39" = sub i64 %".38", %".35"
  %".40" = sub i64 %".35", %".3"
  %".41" = sub i64 %".39", %".5"
  %".42" = icmp eq i64 %".41", 0
  %".43" = icmp sgt i64 %".41", 0
  %".44" = and i1 %".43", %".12"
  %".45" = or i1 %".42", %".44"
  %".46" = mul i64 %".41", %".7"
  %".47" = select  i1 %".45", i64 %".46", i64 0
  %".48" = add i64 %".40", %".47"
  %".49" = getelementptr inbounds i8, ptr %".1", i64 %".48"
  %".50" = load i64, ptr %".49", align 1
  %".51" = select  i1 %".45", i64 %".25", i64 0
  %".52" = add i64 %".48", %".51"
  %".53" = getelementptr inbounds i8, ptr %".1", i64 %".52"
  %".54" = load i64, ptr %".53", align 1
  %".55" = xor i64 %".50", %".23"
  %".56" = xor i64 %".54", %".27"
  %".57" = or i64 %".55", %".56"
  %".58" = and i64 %".57", %".21"
  %".59" = select  i1 %".45", i64 %".58", i64 -1
  br label %".60"
.60:
  %".61" = phi  i64 [8, %".31"], [%".75", %".66"]
  %".62" = phi  i64 [%".59", %".31"], [%".74", %".66"]
  %".63" = icmp slt i64 %".61", %".25"
  %".64" = icmp eq i64 %".62", 0
  %".65" = and i1 %".63", %".64"
  br i1 %".65", label %".66", label %".76"
.66:
  %".67" = phi  i64 [%".61", %".60"]
  %".68" = phi  i64 [%".62", %".60"]
  %".69" = add i64 %".48", %".67"
  %".70" = getelementptr inbounds i8, ptr %".1", i64 %".69"
  %".71" = load i64, ptr %".70", align 1
  %".72" = getelementptr inbounds i8, ptr %".4", i64 %".67"
  %".73" = load i64, ptr %".72", align 1
  %".74" = xor i64 %".71", %".73"
  %".75" = add i64 %".67", 8
  br label %".60"
.76:
  %".77" = icmp eq i64 %".62", 0
  %".78" = zext i1 %".77" to i8
  %".79" = getelementptr inbounds i8, ptr %".10", i64 %".29"
  store i8 %".78", ptr %".79"
  %".80" = add i64 %".29", 1
  br label %".28"
.81:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")

declare i64 @"llvm.smax.i64"(i64 %".1", i64 %".2")
