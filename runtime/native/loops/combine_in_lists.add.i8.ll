; Written by `python -m diablo.tools.loop_code` from list_by_list.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"combine_in_lists"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5",
    ptr noalias %"array.6", ptr noalias %"array.7", ptr noalias %"array.8", i64 %"number",
    i64 %"number.1", i64 %"number.2", i64 %"number.3")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number.2", %".1"], [%".100", %".96"]
  %".4" = phi  i64 [%"number.1", %".1"], [%".97", %".96"]
  %".5" = icmp slt i64 %".3", %"number.3"
  br i1 %".5", label %".6", label %".101"
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
  %".15" = phi  i64 [%".10", %".6"], [%".46", %".17"]
  %".16" = icmp slt i64 %".15", %".13"
  br i1 %".16", label %".17", label %".47"
.17:
  %".18" = getelementptr inbounds i64, ptr %"array.1", i64 %".15"
  %".19" = load i64, ptr %".18"
  %".20" = getelementptr inbounds i8, ptr %"array.2", i64 %".15"
  %".21" = load i8, ptr %".20"
  %".22" = lshr i64 %".19", 6
  %".23" = and i64 %".19", 63
  %".24" = icmp ule i64 %".23", 63
  %".25" = shl i64 1, %".23"
  %".26" = select  i1 %".24", i64 %".25", i64 0
  %".27" = getelementptr inbounds i64, ptr %"array.7", i64 %".22"
  %".28" = load i64, ptr %".27"
  %".29" = or i64 %".28", %".26"
  %".30" = getelementptr inbounds i64, ptr %"array.7", i64 %".22"
  store i64 %".29", ptr %".30"
  %".31" = icmp ne i64 %".28", %".29"
  %".32" = getelementptr inbounds i8, ptr %"array.6", i64 %".19"
  %".33" = load i8, ptr %".32"
  %".34" = add i8 %".33", %".21"
  %".35" = select  i1 %".31", i8 %".21", i8 %".34"
  %".36" = getelementptr inbounds i8, ptr %"array.6", i64 %".19"
  store i8 %".35", ptr %".36"
  %".37" = lshr i64 %".22", 6
  %".38" = and i64 %".22", 63
  %".39" = icmp ule i64 %".38", 63
  %".40" = shl i64 1, %".38"
  %".41" = select  i1 %".39", i64 %".40", i64 0
  %".42" = getelementptr inbounds i64, ptr %"array.8", i64 %".37"
  %".43" = load i64, ptr %".42"
  %".44" = or i64 %".43", %".41"
  %".45" = getelementptr inbounds i64, ptr %"array.8", i64 %".37"
  store i64 %".44", ptr %".45"
  %".46" = add i64 %".15", 1
  br label %".14"
.47:
  %".48" = icmp ult i64 %".10", %".13"
  br i1 %".48", label %".49", label %".95"
.49:
  br label %".50"
.50:
  %".51" = phi  i64 [0, %".49"], [%".93", %".92"]
  %".52" = phi  i64 [%".4", %".49"], [%".61", %".92"]
  %".53" = icmp slt i64 %".51", %"number"
  br i1 %".53", label %".54", label %".94"
.54:
  %".55" = getelementptr inbounds i64, ptr %"array.8", i64 %".51"
  %".56" = load i64, ptr %".55"
  %".57" = getelementptr inbounds i64, ptr %"array.8", i64 %".51"
  store i64 0, ptr %".57"
  %".58" = shl i64 %".51", 6
  br label %".59"
.59:
  %".60" = phi  i64 [%".56", %".54"], [%".91", %".89"]
  %".61" = phi  i64 [%".52", %".54"], [%".74", %".89"]
  %".62" = icmp ne i64 %".60", 0
  br i1 %".62", label %".63", label %".92"
.63:
  %".64" = phi  i64 [%".60", %".59"]
  %".65" = phi  i64 [%".61", %".59"]
  %".66" = call i64 @"llvm.cttz.i64"(i64 %".64", i1 0)
  %".67" = or i64 %".58", %".66"
  %".68" = getelementptr inbounds i64, ptr %"array.7", i64 %".67"
  %".69" = load i64, ptr %".68"
  %".70" = getelementptr inbounds i64, ptr %"array.7", i64 %".67"
  store i64 0, ptr %".70"
  %".71" = shl i64 %".67", 6
  br label %".72"
.72:
  %".73" = phi  i64 [%".69", %".63"], [%".88", %".76"]
  %".74" = phi  i64 [%".65", %".63"], [%".86", %".76"]
  %".75" = icmp ne i64 %".73", 0
  br i1 %".75", label %".76", label %".89"
.76:
  %".77" = phi  i64 [%".73", %".72"]
  %".78" = phi  i64 [%".74", %".72"]
  %".79" = call i64 @"llvm.cttz.i64"(i64 %".77", i1 0)
  %".80" = or i64 %".71", %".79"
  %".81" = getelementptr inbounds i8, ptr %"array.6", i64 %".80"
  %".82" = load i8, ptr %".81"
  %".83" = trunc i64 %".80" to i32
  %".84" = getelementptr inbounds i32, ptr %"array.3", i64 %".78"
  store i32 %".83", ptr %".84"
  %".85" = getelementptr inbounds i8, ptr %"array.4", i64 %".78"
  store i8 %".82", ptr %".85"
  %".86" = add i64 %".78", 1
  %".87" = add i64 %".77", -1
  %".88" = and i64 %".77", %".87"
  br label %".72"
.89:
  %".90" = add i64 %".64", -1
  %".91" = and i64 %".64", %".90"
  br label %".59"
.92:
  %".93" = add i64 %".51", 1
  br label %".50"
.94:
  br label %".96"
.95:
  br label %".96"
.96:
  %".97" = phi  i64 [%".52", %".94"], [%".4", %".95"]
  %".98" = trunc i64 %".97" to i32
  %".99" = getelementptr inbounds i32, ptr %"array.5", i64 %".3"
  store i32 %".98", ptr %".99"
  %".100" = add i64 %".3", 1
  br label %".2"
.101:
  ret void
}

declare i64 @"llvm.cttz.i64"(i64 %"number", i1 %"number.1")
