; Written by `python -m diablo.tools.loop_code` from sparse_times_sparse.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"sparse_times_sparse"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5",
    ptr noalias %"array.6", ptr noalias %"array.7", ptr noalias %"array.8", ptr noalias %"array.9",
    ptr noalias %"array.10", ptr noalias %"array.11", i64 %"number", i64 %"number.1",
    i64 %"number.2", i64 %"number.3")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number.2", %".1"], [%".116", %".113"]
  %".4" = phi  i64 [%"number.1", %".1"], [%".68", %".113"]
  %".5" = icmp slt i64 %".3", %"number.3"
  br i1 %".5", label %".6", label %".117"
.6:
  %".7" = add i64 %".3", 1
  %".8" = getelementptr inbounds i32, ptr %"array", i64 %".3"
  %".9" = load i32, ptr %".8"
  %".10" = zext i32 %".9" to i64
  %".11" = getelementptr inbounds i32, ptr %"array", i64 %".7"
  %".12" = load i32, ptr %".11"
  %".13" = zext i32 %".12" to i64
  br label %".14"
.14:
  %".15" = phi  i64 [%".10", %".6"], [%".64", %".63"]
  %".16" = icmp slt i64 %".15", %".13"
  br i1 %".16", label %".17", label %".65"
.17:
  %".18" = getelementptr inbounds i32, ptr %"array.1", i64 %".15"
  %".19" = load i32, ptr %".18"
  %".20" = zext i32 %".19" to i64
  %".21" = getelementptr inbounds i64, ptr %"array.2", i64 %".15"
  %".22" = load i64, ptr %".21"
  %".23" = add i64 %".20", 1
  %".24" = getelementptr inbounds i32, ptr %"array.3", i64 %".20"
  %".25" = load i32, ptr %".24"
  %".26" = zext i32 %".25" to i64
  %".27" = getelementptr inbounds i32, ptr %"array.3", i64 %".23"
  %".28" = load i32, ptr %".27"
  %".29" = zext i32 %".28" to i64
  br label %".30"
.30:
  %".31" = phi  i64 [%".26", %".17"], [%".62", %".33"]
  %".32" = icmp slt i64 %".31", %".29"
  br i1 %".32", label %".33", label %".63"
.33:
  %".34" = getelementptr inbounds i32, ptr %"array.4", i64 %".31"
  %".35" = load i32, ptr %".34"
  %".36" = zext i32 %".35" to i64
  %".37" = getelementptr inbounds i64, ptr %"array.5", i64 %".31"
  %".38" = load i64, ptr %".37"
  %".39" = mul i64 %".22", %".38"
  %".40" = getelementptr inbounds i64, ptr %"array.9", i64 %".36"
  %".41" = load i64, ptr %".40"
  %".42" = add i64 %".41", %".39"
  %".43" = getelementptr inbounds i64, ptr %"array.9", i64 %".36"
  store i64 %".42", ptr %".43"
  %".44" = lshr i64 %".36", 6
  %".45" = and i64 %".36", 63
  %".46" = icmp ule i64 %".45", 63
  %".47" = shl i64 1, %".45"
  %".48" = select  i1 %".46", i64 %".47", i64 0
  %".49" = getelementptr inbounds i64, ptr %"array.10", i64 %".44"
  %".50" = load i64, ptr %".49"
  %".51" = or i64 %".50", %".48"
  %".52" = getelementptr inbounds i64, ptr %"array.10", i64 %".44"
  store i64 %".51", ptr %".52"
  %".53" = lshr i64 %".44", 6
  %".54" = and i64 %".44", 63
  %".55" = icmp ule i64 %".54", 63
  %".56" = shl i64 1, %".54"
  %".57" = select  i1 %".55", i64 %".56", i64 0
  %".58" = getelementptr inbounds i64, ptr %"array.11", i64 %".53"
  %".59" = load i64, ptr %".58"
  %".60" = or i64 %".59", %".57"
  %".61" = getelementptr inbounds i64, ptr %"array.11", i64 %".53"
  store i64 %".60", ptr %".61"
  %".62" = add i64 %".31", 1
  br label %".30"
.63:
  %".64" = add i64 %".15", 1
  br label %".14"
.65:
  br label %".66"
.66:
  %".67" = phi  i64 [0, %".65"], [%".112", %".111"]
  %".68" = phi  i64 [%".4", %".65"], [%".77", %".111"]
  %".69" = icmp slt i64 %".67", %"number"
  br i1 %".69", label %".70", label %".113"
.70:
  %".71" = getelementptr inbounds i64, ptr %"array.11", i64 %".67"
  %".72" = load i64, ptr %".71"
  %".73" = getelementptr inbounds i64, ptr %"array.11", i64 %".67"
  store i64 0, ptr %".73"
  %".74" = shl i64 %".67", 6
  br label %".75"
.75:
  %".76" = phi  i64 [%".72", %".70"], [%".110", %".108"]
  %".77" = phi  i64 [%".68", %".70"], [%".90", %".108"]
  %".78" = icmp ne i64 %".76", 0
  br i1 %".78", label %".79", label %".111"
.79:
  %".80" = phi  i64 [%".76", %".75"]
  %".81" = phi  i64 [%".77", %".75"]
  %".82" = call i64 @"llvm.cttz.i64"(i64 %".80", i1 0)
  %".83" = or i64 %".74", %".82"
  %".84" = getelementptr inbounds i64, ptr %"array.10", i64 %".83"
  %".85" = load i64, ptr %".84"
  %".86" = getelementptr inbounds i64, ptr %"array.10", i64 %".83"
  store i64 0, ptr %".86"
  %".87" = shl i64 %".83", 6
  br label %".88"
.88:
  %".89" = phi  i64 [%".85", %".79"], [%".107", %".92"]
  %".90" = phi  i64 [%".81", %".79"], [%".105", %".92"]
  %".91" = icmp ne i64 %".89", 0
  br i1 %".91", label %".92", label %".108"
.92:
  %".93" = phi  i64 [%".89", %".88"]
  %".94" = phi  i64 [%".90", %".88"]
  %".95" = call i64 @"llvm.cttz.i64"(i64 %".93", i1 0)
  %".96" = or i64 %".87", %".95"
  %".97" = getelementptr inbounds i64, ptr %"array.9", i64 %".96"
  %".98" = load i64, ptr %".97"
  %".99" = getelementptr inbounds i64, ptr %"array.9", i64 %".96"
  store i64 0, ptr %".99"
  %".100" = trunc i64 %".96" to i32
  %".101" = getelementptr inbounds i32, ptr %"array.6", i64 %".94"
  store i32 %".100", ptr %".101"
  %".102" = getelementptr inbounds i64, ptr %"array.7", i64 %".94"
  store i64 %".98", ptr %".102"
  %".103" = icmp ne i64 %".98", 0
  %".104" = zext i1 %".103" to i64
  %".105" = add i64 %".94", %".104"
  %".106" = add i64 %".93", -1
  %".107" = and i64 %".93", %".106"
  br label %".88"
.108:
  %".109" = add i64 %".80", -1
  %".110" = and i64 %".80", %".109"
  br label %".75"
.111:
  %".112" = add i64 %".67", 1
  br label %".66"
.113:
  %".114" = trunc i64 %".68" to i32
  %".115" = getelementptr inbounds i32, ptr %"array.8", i64 %".3"
  store i32 %".114", ptr %".115"
  %".116" = add i64 %".3", 1
  br label %".2"
.117:
  ret void
}

declare i64 @"llvm.cttz.i64"(i64 %"number", i1 %"number.1")
