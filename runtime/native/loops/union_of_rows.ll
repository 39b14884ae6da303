; Written by `python -m diablo.tools.loop_code` from row_merging.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"union_of_rows"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", ptr noalias %".7", ptr noalias %".8", i64 %".9", i64 %".10", i64 %".11")
{
.13:
  %".40" = getelementptr inbounds i32, ptr %".1", i64 %".10"
  %".41" = load i32, ptr %".40"
  %".42" = zext i32 %".41" to i64
  %".43" = getelementptr inbounds i32, ptr %".3", i64 %".10"
  %".44" = load i32, ptr %".43"
  %".45" = zext i32 %".44" to i64
  br label %".14"
.14:
  %".26" = phi  i64 [%".10", %".13"], [%".117", %".24"]
  %".27" = phi  i64 [%".42", %".13"], [%".52", %".24"]
  %".28" = phi  i64 [%".45", %".13"], [%".55", %".24"]
  %".29" = phi  i64 [%".9", %".13"], [%".39", %".24"]
  %".47" = icmp slt i64 %".26", %".11"
  br i1 %".47", label %".15", label %".25"
.15:
  %".49" = add i64 %".26", 1
  %".50" = getelementptr inbounds i32, ptr %".1", i64 %".49"
  %".51" = load i32, ptr %".50"
  %".52" = zext i32 %".51" to i64
  %".53" = getelementptr inbounds i32, ptr %".3", i64 %".49"
  %".54" = load i32, ptr %".53"
  %".55" = zext i32 %".54" to i64
  br label %".16"
.16:
  %".30" = phi  i64 [%".27", %".15"], [%".80", %".17"]
  %".31" = phi  i64 [%".28", %".15"], [%".81", %".17"]
  %".32" = phi  i64 [%".29", %".15"], [%".82", %".17"]
  %".57" = icmp slt i64 %".30", %".52"
  %".58" = icmp slt i64 %".31", %".55"
  %".59" = and i1 %".57", %".58"
  br i1 %".59", label %".17", label %".18"
.17:
  %".33" = phi  i64 [%".30", %".16"]
  %".34" = phi  i64 [%".31", %".16"]
  %".35" = phi  i64 [%".32", %".16"]
  %".61" = getelementptr inbounds i32, ptr %".2", i64 %".33"
  %".62" = load i32, ptr %".61"
  %".63" = getelementptr inbounds i32, ptr %".4", i64 %".34"
  %".64" = load i32, ptr %".63"
  %".65" = icmp sle i32 %".62", %".64"
  %".66" = icmp sge i32 %".62", %".64"
  %".67" = call i32 @"llvm.smin.i32"(i32 %".62", i32 %".64")
  %".68" = getelementptr inbounds i32, ptr %".5", i64 %".35"
  store i32 %".67", ptr %".68"
  %".70" = trunc i64 %".33" to i32
  %".71" = select  i1 %".65", i32 %".70", i32 -1
  %".72" = getelementptr inbounds i32, ptr %".6", i64 %".35"
  store i32 %".71", ptr %".72"
  %".74" = trunc i64 %".34" to i32
  %".75" = select  i1 %".66", i32 %".74", i32 -1
  %".76" = getelementptr inbounds i32, ptr %".7", i64 %".35"
  store i32 %".75", ptr %".76"
  %".78" = zext i1 %".65" to i64
  %".79" = zext i1 %".66" to i64
  %".80" = add i64 %".33", %".78"
  %".81" = add i64 %".34", %".79"
  %".82" = add i64 %".35", 1
  br label %".16"
.18:
  br label %".19"
.19:
  %".36" = phi  i64 [%".30", %".18"], [%".97", %".20"]
  %".37" = phi  i64 [%".32", %".18"], [%".96", %".20"]
  %".85" = icmp slt i64 %".36", %".52"
  br i1 %".85", label %".20", label %".21"
.20:
  %".87" = getelementptr inbounds i32, ptr %".2", i64 %".36"
  %".88" = load i32, ptr %".87"
  %".89" = getelementptr inbounds i32, ptr %".5", i64 %".37"
  store i32 %".88", ptr %".89"
  %".91" = trunc i64 %".36" to i32
  %".92" = getelementptr inbounds i32, ptr %".6", i64 %".37"
  store i32 %".91", ptr %".92"
  %".94" = getelementptr inbounds i32, ptr %".7", i64 %".37"
  store i32 -1, ptr %".94"
  %".96" = add i64 %".37", 1
  %".97" = add i64 %".36", 1
  br label %".19"
.21:
  br label %".22"
.22:
  %".38" = phi  i64 [%".31", %".21"], [%".112", %".23"]
  %".39" = phi  i64 [%".37", %".21"], [%".111", %".23"]
  %".100" = icmp slt i64 %".38", %".55"
  br i1 %".100", label %".23", label %".24"
.23:
  %".102" = getelementptr inbounds i32, ptr %".4", i64 %".38"
  %".103" = load i32, ptr %".102"
  %".104" = getelementptr inbounds i32, ptr %".5", i64 %".39"
  store i32 %".103", ptr %".104"
  %".106" = getelementptr inbounds i32, ptr %".6", i64 %".39"
  store i32 -1, ptr %".106"
  %".108" = trunc i64 %".38" to i32
  %".109" = getelementptr inbounds i32, ptr %".7", i64 %".39"
  store i32 %".108", ptr %".109"
  %".111" = add i64 %".39", 1
  %".112" = add i64 %".38", 1
  br label %".22"
.24:
  %".114" = trunc i64 %".39" to i32
  %".115" = getelementptr inbounds i32, ptr %".8", i64 %".26"
  store i32 %".114", ptr %".115"
  %".117" = add i64 %".26", 1
  br label %".14"
.25:
  ret void
}

declare i32 @"llvm.smin.i32"(i32 %".1", i32 %".2")
