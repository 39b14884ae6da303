; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"find_in_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4", ptr noalias %".5", i64 %".6", ptr noalias %".7")
{
.9:
  %".43" = call i64 @"llvm.smin.i64"(i64 %".6", i64 8)
  %".44" = sub i64 8, %".43"
  %".45" = mul i64 %".44", 8
  br label %".10"
.10:
  %".29" = phi  i64 [0, %".9"], [%".55", %".11"]
  %".30" = phi  i64 [0, %".9"], [%".54", %".11"]
  %".47" = icmp slt i64 %".29", 8
  br i1 %".47", label %".11", label %".12"
.11:
  %".49" = add i64 0, %".29"
  %".50" = getelementptr inbounds i8, ptr %".5", i64 %".49"
  %".51" = load i8, ptr %".50"
  %".52" = zext i8 %".51" to i64
  %".53" = shl i64 %".30", 8
  %".54" = or i64 %".53", %".52"
  %".55" = add i64 %".29", 1
  br label %".10"
.12:
  %".57" = icmp ule i64 %".45", 63
  %".58" = lshr i64 %".30", %".45"
  %".59" = select  i1 %".57", i64 %".58", i64 0
  br label %".13"
.13:
  %".31" = phi  i64 [0, %".12"], [%".111", %".27"]
  %".61" = icmp slt i64 %".31", %".4"
  br i1 %".61", label %".14", label %".28"
.14:
  %".63" = getelementptr inbounds i64, ptr %".2", i64 %".31"
  %".64" = load i64, ptr %".63"
  %".65" = getelementptr inbounds i64, ptr %".3", i64 %".31"
  %".66" = load i64, ptr %".65"
  %".67" = sub i64 %".66", %".6"
  br label %".15"
.15:
  %".32" = phi  i64 [0, %".14"], [%".105", %".26"]
  %".33" = phi  i1 [0, %".14"], [%".42", %".26"]
  %".69" = icmp sle i64 %".32", %".67"
  %".70" = xor i1 %".33", -1
  %".71" = and i1 %".69", %".70"
  br i1 %".71", label %".16", label %".27"
.16:
  %".34" = phi  i64 [%".32", %".15"]
  %".35" = phi  i1 [%".33", %".15"]
  %".73" = add i64 %".64", %".34"
  br label %".17"
.17:
  %".36" = phi  i64 [0, %".16"], [%".83", %".18"]
  %".37" = phi  i64 [0, %".16"], [%".82", %".18"]
  %".75" = icmp slt i64 %".36", 8
  br i1 %".75", label %".18", label %".19"
.18:
  %".77" = add i64 %".73", %".36"
  %".78" = getelementptr inbounds i8, ptr %".1", i64 %".77"
  %".79" = load i8, ptr %".78"
  %".80" = zext i8 %".79" to i64
  %".81" = shl i64 %".37", 8
  %".82" = or i64 %".81", %".80"
  %".83" = add i64 %".36", 1
  br label %".17"
.19:
  %".85" = icmp ule i64 %".45", 63
  %".86" = lshr i64 %".37", %".45"
  %".87" = select  i1 %".85", i64 %".86", i64 0
  %".88" = icmp eq i64 %".87", %".59"
  br i1 %".88", label %".20", label %".24"
.20:
  br label %".21"
.21:
  %".38" = phi  i64 [8, %".20"], [%".100", %".22"]
  %".39" = phi  i1 [-1, %".20"], [%".99", %".22"]
  %".91" = icmp slt i64 %".38", %".6"
  %".92" = and i1 %".91", %".39"
  br i1 %".92", label %".22", label %".23"
.22:
  %".40" = phi  i64 [%".38", %".21"]
  %".41" = phi  i1 [%".39", %".21"]
  %".94" = add i64 %".73", %".40"
  %".95" = getelementptr inbounds i8, ptr %".1", i64 %".94"
  %".96" = load i8, ptr %".95"
  %".97" = getelementptr inbounds i8, ptr %".5", i64 %".40"
  %".98" = load i8, ptr %".97"
  %".99" = icmp eq i8 %".96", %".98"
  %".100" = add i64 %".40", 1
  br label %".21"
.23:
  br label %".25"
.24:
  br label %".25"
.25:
  %".42" = phi  i1 [%".39", %".23"], [0, %".24"]
  br label %".26"
.26:
  %".105" = add i64 %".34", 1
  br label %".15"
.27:
  %".107" = add i64 %".32", -1
  %".108" = select  i1 %".33", i64 %".107", i64 -1
  %".109" = getelementptr inbounds i64, ptr %".7", i64 %".31"
  store i64 %".108", ptr %".109"
  %".111" = add i64 %".31", 1
  br label %".13"
.28:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
