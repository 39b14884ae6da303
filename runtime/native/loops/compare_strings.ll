; Written by `python -m diablo.tools.loop_code` from string_pairs.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"compare_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", i64 %".7", i64 %".8", ptr noalias %".9")
{
.11:
  br label %".12"
.12:
  %".24" = phi  i64 [0, %".11"], [%".99", %".22"]
  %".36" = icmp slt i64 %".24", %".8"
  br i1 %".36", label %".13", label %".23"
.13:
  %".38" = getelementptr inbounds i64, ptr %".2", i64 %".24"
  %".39" = load i64, ptr %".38"
  %".40" = getelementptr inbounds i64, ptr %".3", i64 %".24"
  %".41" = load i64, ptr %".40"
  %".42" = mul i64 %".24", %".7"
  %".43" = getelementptr inbounds i64, ptr %".5", i64 %".42"
  %".44" = load i64, ptr %".43"
  %".45" = getelementptr inbounds i64, ptr %".6", i64 %".42"
  %".46" = load i64, ptr %".45"
  %".47" = call i64 @"llvm.smin.i64"(i64 %".41", i64 %".46")
  br label %".14"
.14:
  %".25" = phi  i64 [0, %".13"], [%".87", %".21"]
  %".26" = phi  i64 [0, %".13"], [%".83", %".21"]
  %".27" = phi  i64 [0, %".13"], [%".86", %".21"]
  %".49" = icmp slt i64 %".25", %".47"
  %".50" = icmp eq i64 %".26", %".27"
  %".51" = and i1 %".49", %".50"
  br i1 %".51", label %".15", label %".22"
.15:
  %".28" = phi  i64 [%".25", %".14"]
  %".29" = phi  i64 [%".26", %".14"]
  %".30" = phi  i64 [%".27", %".14"]
  %".53" = add i64 %".39", %".28"
  %".54" = add i64 %".44", %".28"
  br label %".16"
.16:
  %".31" = phi  i64 [0, %".15"], [%".64", %".17"]
  %".32" = phi  i64 [0, %".15"], [%".63", %".17"]
  %".56" = icmp slt i64 %".31", 8
  br i1 %".56", label %".17", label %".18"
.17:
  %".58" = add i64 %".53", %".31"
  %".59" = getelementptr inbounds i8, ptr %".1", i64 %".58"
  %".60" = load i8, ptr %".59"
  %".61" = zext i8 %".60" to i64
  %".62" = shl i64 %".32", 8
  %".63" = or i64 %".62", %".61"
  %".64" = add i64 %".31", 1
  br label %".16"
.18:
  br label %".19"
.19:
  %".33" = phi  i64 [0, %".18"], [%".75", %".20"]
  %".34" = phi  i64 [0, %".18"], [%".74", %".20"]
  %".67" = icmp slt i64 %".33", 8
  br i1 %".67", label %".20", label %".21"
.20:
  %".69" = add i64 %".54", %".33"
  %".70" = getelementptr inbounds i8, ptr %".4", i64 %".69"
  %".71" = load i8, ptr %".70"
  %".72" = zext i8 %".71" to i64
  %".73" = shl i64 %".34", 8
  %".74" = or i64 %".73", %".72"
  %".75" = add i64 %".33", 1
  br label %".19"
.21:
  %".77" = sub i64 %".47", %".28"
  %".78" = call i64 @"llvm.smin.i64"(i64 %".77", i64 8)
  %".79" = sub i64 8, %".78"
  %".80" = mul i64 %".79", 8
  %".81" = icmp ule i64 %".80", 63
  %".82" = lshr i64 %".32", %".80"
  %".83" = select  i1 %".81", i64 %".82", i64 0
  %".84" = icmp ule i64 %".80", 63
  %".85" = lshr i64 %".34", %".80"
  %".86" = select  i1 %".84", i64 %".85", i64 0
  %".87" = add i64 %".28", 8
  br label %".14"
.22:
  %".89" = icmp ult i64 %".26", %".27"
  %".90" = icmp ugt i64 %".26", %".27"
  %".91" = icmp slt i64 %".41", %".46"
  %".92" = icmp sgt i64 %".41", %".46"
  %".93" = select  i1 %".92", i8 1, i8 0
  %".94" = select  i1 %".91", i8 -1, i8 %".93"
  %".95" = select  i1 %".90", i8 1, i8 %".94"
  %".96" = select  i1 %".89", i8 -1, i8 %".95"
  %".97" = getelementptr inbounds i8, ptr %".9", i64 %".24"
  store i8 %".96", ptr %".97"
  %".99" = add i64 %".24", 1
  br label %".12"
.23:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
