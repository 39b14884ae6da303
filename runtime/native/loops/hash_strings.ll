; Written by `python -m diablo.tools.loop_code` from string_codes.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"hash_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4",
    i64 %".5", i64 %".6", ptr noalias %".7", ptr noalias %".8")
{
.9:
  br label %".10"
.10:
  %".11" = phi  i64 [%".4", %".9"], [%".79", %".52"]
  %".12" = icmp slt i64 %".11", %".5"
  br i1 %".12", label %".13", label %".80"
.13:
  %".14" = getelementptr inbounds i64, ptr %".2", i64 %".11"
  %".15" = load i64, ptr %".14"
  %".16" = getelementptr inbounds i64, ptr %".3", i64 %".11"
  %".17" = load i64, ptr %".16"
  %".18" = call i64 @"llvm.smin.i64"(i64 %".17", i64 8)
  %".19" = sub i64 %".17", %".18"
  %".20" = add i64 %".15", %".19"
  br label %".21"
.21:
  %".22" = phi  i64 [0, %".13"], [%".35", %".25"]
  %".23" = phi  i64 [0, %".13"], [%".34", %".25"]
  %".24" = icmp slt i64 %".22", 8
  br i1 %".24", label %".25", label %".36"
.25:
  %".26" = add i64 %".15", %".22"
  %".27" = getelementptr inbounds i8, ptr %".1", i64 %".26"
  %".28" = load i8, ptr %".27"
  %".29" = zext i8 %".28" to i64
  %".30" = mul i64 %".22", 8
  %".31" = icmp ule i64 %".30", 63
  %".32" = shl i64 %".29", %".30"
  %".33" = select  i1 %".31", i64 %".32", i64 0
  %".34" = or i64 %".23", %".33"
  %".35" = add i64 %".22", 1
  br label %".21"
.36:
  br label %".37"
.37:
  %".38" = phi  i64 [0, %".36"], [%".51", %".41"]
  %".39" = phi  i64 [0, %".36"], [%".50", %".41"]
  %".40" = icmp slt i64 %".38", 8
  br i1 %".40", label %".41", label %".52"
.41:
  %".42" = add i64 %".20", %".38"
  %".43" = getelementptr inbounds i8, ptr %".1", i64 %".42"
  %".44" = load i8, ptr %".43"
  %".45" = zext i8 %".44" to i64
  %".46" = mul i64 %".38", 8
  %".47" = icmp ule i64 %".46", 63
  %".48" = shl i64 %".45", %".46"
  %".49" = select  i1 %".47", i64 %".48", i64 0
  %".50" = or i64 %".39", %".49"
  %".51" = add i64 %".38", 1
  br label %".37"
.52:
  %".53" = sub i64 8, %".18"
  %".54" = mul i64 %".53", 8
  %".55" = icmp ule i64 %".54", 63
  %".56" = shl i64 %".23", %".54"
  %".57" = select  i1 %".55", i64 %".56", i64 0
  %".58" = icmp ule i64 %".54", 63
  %".59" = shl i64 %".39", %".54"
  %".60" = select  i1 %".58", i64 %".59", i64 0
  %".61" = icmp ne i64 %".17", 0
  %".62" = select  i1 %".61", i64 %".57", i64 0
  %".63" = select  i1 %".61", i64 %".60", i64 0
  %".64" = xor i64 %".62", %".17"
  %".65" = mul i64 %".64", -7046029254386353131
  %".66" = lshr i64 %".65", 32
  %".67" = xor i64 %".65", %".66"
  %".68" = xor i64 %".67", %".63"
  %".69" = mul i64 %".68", -7046029254386353131
  %".70" = lshr i64 %".69", 32
  %".71" = mul i64 %".70", %".6"
  %".72" = lshr i64 %".71", 32
  %".73" = trunc i64 %".72" to i8
  %".74" = getelementptr inbounds i8, ptr %".7", i64 %".11"
  store i8 %".73", ptr %".74"
  %".75" = getelementptr inbounds i64, ptr %".8", i64 %".72"
  %".76" = load i64, ptr %".75"
  %".77" = add i64 %".76", 1
  %".78" = getelementptr inbounds i64, ptr %".8", i64 %".72"
  store i64 %".77", ptr %".78"
  %".79" = add i64 %".11", 1
  br label %".10"
.80:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
