; Written by `python -m diablo.tools.loop_code` from string_pairs.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"compare_strings"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5", i64 %"number",
    i64 %"number.1", ptr noalias %"array.6")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [0, %".1"], [%".96", %".86"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".97"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  %".9" = load i64, ptr %".8"
  %".10" = mul i64 %".3", %"number"
  %".11" = getelementptr inbounds i64, ptr %"array.4", i64 %".10"
  %".12" = load i64, ptr %".11"
  %".13" = getelementptr inbounds i64, ptr %"array.5", i64 %".10"
  %".14" = load i64, ptr %".13"
  %".15" = call i64 @"llvm.smin.i64"(i64 %".9", i64 %".14")
  br label %".16"
.16:
  %".17" = phi  i64 [0, %".5"], [%".85", %".74"]
  %".18" = phi  i64 [0, %".5"], [%".81", %".74"]
  %".19" = phi  i64 [0, %".5"], [%".84", %".74"]
  %".20" = icmp slt i64 %".17", %".15"
  %".21" = icmp eq i64 %".18", %".19"
  %".22" = and i1 %".20", %".21"
  br i1 %".22", label %".23", label %".86"
.23:
  %".24" = phi  i64 [%".17", %".16"]
  %".25" = phi  i64 [%".18", %".16"]
  %".26" = phi  i64 [%".19", %".16"]
  %".27" = add i64 %".7", %".24"
  %".28" = add i64 %".12", %".24"
  br label %".29"
.29:
  %".30" = phi  i64 [0, %".23"], [%".50", %".47"]
  %".31" = phi  i64 [0, %".23"], [%".49", %".47"]
  %".32" = icmp slt i64 %".30", 8
  br i1 %".32", label %".33", label %".51"
.33:
  %".34" = add i64 %".27", %".30"
  br label %".35"
.35:
  %".36" = phi  i64 [0, %".33"], [%".46", %".39"]
  %".37" = phi  i64 [0, %".33"], [%".45", %".39"]
  %".38" = icmp slt i64 %".36", 4
  br i1 %".38", label %".39", label %".47"
.39:
  %".40" = add i64 %".34", %".36"
  %".41" = getelementptr inbounds i8, ptr %"array", i64 %".40"
  %".42" = load i8, ptr %".41"
  %".43" = zext i8 %".42" to i64
  %".44" = shl i64 %".37", 8
  %".45" = or i64 %".44", %".43"
  %".46" = add i64 %".36", 1
  br label %".35"
.47:
  %".48" = shl i64 %".31", 32
  %".49" = or i64 %".48", %".37"
  %".50" = add i64 %".30", 4
  br label %".29"
.51:
  br label %".52"
.52:
  %".53" = phi  i64 [0, %".51"], [%".73", %".70"]
  %".54" = phi  i64 [0, %".51"], [%".72", %".70"]
  %".55" = icmp slt i64 %".53", 8
  br i1 %".55", label %".56", label %".74"
.56:
  %".57" = add i64 %".28", %".53"
  br label %".58"
.58:
  %".59" = phi  i64 [0, %".56"], [%".69", %".62"]
  %".60" = phi  i64 [0, %".56"], [%".68", %".62"]
  %".61" = icmp slt i64 %".59", 4
  br i1 %".61", label %".62", label %".70"
.62:
  %".63" = add i64 %".57", %".59"
  %".64" = getelementptr inbounds i8, ptr %"array.3", i64 %".63"
  %".65" = load i8, ptr %".64"
  %".66" = zext i8 %".65" to i64
  %".67" = shl i64 %".60", 8
  %".68" = or i64 %".67", %".66"
  %".69" = add i64 %".59", 1
  br label %".58"
.70:
  %".71" = shl i64 %".54", 32
  %".72" = or i64 %".71", %".60"
  %".73" = add i64 %".53", 4
  br label %".52"
.74:
  %".75" = sub i64 %".15", %".24"
  %".76" = call i64 @"llvm.smin.i64"(i64 %".75", i64 8)
  %".77" = sub i64 8, %".76"
  %".78" = mul i64 %".77", 8
  %".79" = icmp ule i64 %".78", 63
  %".80" = lshr i64 %".31", %".78"
  %".81" = select  i1 %".79", i64 %".80", i64 0
  %".82" = icmp ule i64 %".78", 63
  %".83" = lshr i64 %".54", %".78"
  %".84" = select  i1 %".82", i64 %".83", i64 0
  %".85" = add i64 %".24", 8
  br label %".16"
.86:
  %".87" = icmp ult i64 %".18", %".19"
  %".88" = icmp ugt i64 %".18", %".19"
  %".89" = icmp slt i64 %".9", %".14"
  %".90" = icmp sgt i64 %".9", %".14"
  %".91" = select  i1 %".90", i8 1, i8 0
  %".92" = select  i1 %".89", i8 -1, i8 %".91"
  %".93" = select  i1 %".88", i8 1, i8 %".92"
  %".94" = select  i1 %".87", i8 -1, i8 %".93"
  %".95" = getelementptr inbounds i8, ptr %"array.6", i64 %".3"
  store i8 %".94", ptr %".95"
  %".96" = add i64 %".3", 1
  br label %".2"
.97:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")
