; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"find_in_strings"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    i64 %"number", ptr noalias %"array.3", i64 %"number.1", ptr noalias %"array.4")
{
.1:
  %".2" = call i64 @"llvm.smin.i64"(i64 %"number.1", i64 8)
  %".3" = sub i64 8, %".2"
  %".4" = mul i64 %".3", 8
  br label %".5"
.5:
  %".6" = phi  i64 [0, %".1"], [%".25", %".22"]
  %".7" = phi  i64 [0, %".1"], [%".24", %".22"]
  %".8" = icmp slt i64 %".6", 8
  br i1 %".8", label %".9", label %".26"
.9:
  br label %".10"
.10:
  %".11" = phi  i64 [0, %".9"], [%".21", %".14"]
  %".12" = phi  i64 [0, %".9"], [%".20", %".14"]
  %".13" = icmp slt i64 %".11", 4
  br i1 %".13", label %".14", label %".22"
.14:
  %".15" = add i64 %".6", %".11"
  %".16" = getelementptr inbounds i8, ptr %"array.3", i64 %".15"
  %".17" = load i8, ptr %".16"
  %".18" = zext i8 %".17" to i64
  %".19" = shl i64 %".12", 8
  %".20" = or i64 %".19", %".18"
  %".21" = add i64 %".11", 1
  br label %".10"
.22:
  %".23" = shl i64 %".7", 32
  %".24" = or i64 %".23", %".12"
  %".25" = add i64 %".6", 4
  br label %".5"
.26:
  %".27" = icmp ule i64 %".4", 63
  %".28" = lshr i64 %".7", %".4"
  %".29" = select  i1 %".27", i64 %".28", i64 0
  br label %".30"
.30:
  %".31" = phi  i64 [0, %".26"], [%".101", %".97"]
  %".32" = icmp slt i64 %".31", %"number"
  br i1 %".32", label %".33", label %".102"
.33:
  %".34" = getelementptr inbounds i64, ptr %"array.1", i64 %".31"
  %".35" = load i64, ptr %".34"
  %".36" = getelementptr inbounds i64, ptr %"array.2", i64 %".31"
  %".37" = load i64, ptr %".36"
  %".38" = sub i64 %".37", %"number.1"
  br label %".39"
.39:
  %".40" = phi  i64 [0, %".33"], [%".96", %".94"]
  %".41" = phi  i1 [0, %".33"], [%".95", %".94"]
  %".42" = icmp sle i64 %".40", %".38"
  %".43" = xor i1 %".41", -1
  %".44" = and i1 %".42", %".43"
  br i1 %".44", label %".45", label %".97"
.45:
  %".46" = phi  i64 [%".40", %".39"]
  %".47" = phi  i1 [%".41", %".39"]
  %".48" = add i64 %".35", %".46"
  br label %".49"
.49:
  %".50" = phi  i64 [0, %".45"], [%".70", %".67"]
  %".51" = phi  i64 [0, %".45"], [%".69", %".67"]
  %".52" = icmp slt i64 %".50", 8
  br i1 %".52", label %".53", label %".71"
.53:
  %".54" = add i64 %".48", %".50"
  br label %".55"
.55:
  %".56" = phi  i64 [0, %".53"], [%".66", %".59"]
  %".57" = phi  i64 [0, %".53"], [%".65", %".59"]
  %".58" = icmp slt i64 %".56", 4
  br i1 %".58", label %".59", label %".67"
.59:
  %".60" = add i64 %".54", %".56"
  %".61" = getelementptr inbounds i8, ptr %"array", i64 %".60"
  %".62" = load i8, ptr %".61"
  %".63" = zext i8 %".62" to i64
  %".64" = shl i64 %".57", 8
  %".65" = or i64 %".64", %".63"
  %".66" = add i64 %".56", 1
  br label %".55"
.67:
  %".68" = shl i64 %".51", 32
  %".69" = or i64 %".68", %".57"
  %".70" = add i64 %".50", 4
  br label %".49"
.71:
  %".72" = icmp ule i64 %".4", 63
  %".73" = lshr i64 %".51", %".4"
  %".74" = select  i1 %".72", i64 %".73", i64 0
  %".75" = icmp eq i64 %".74", %".29"
  br i1 %".75", label %".76", label %".93"
.76:
  br label %".77"
.77:
  %".78" = phi  i64 [8, %".76"], [%".91", %".82"]
  %".79" = phi  i1 [-1, %".76"], [%".90", %".82"]
  %".80" = icmp slt i64 %".78", %"number.1"
  %".81" = and i1 %".80", %".79"
  br i1 %".81", label %".82", label %".92"
.82:
  %".83" = phi  i64 [%".78", %".77"]
  %".84" = phi  i1 [%".79", %".77"]
  %".85" = add i64 %".48", %".83"
  %".86" = getelementptr inbounds i8, ptr %"array", i64 %".85"
  %".87" = load i8, ptr %".86"
  %".88" = getelementptr inbounds i8, ptr %"array.3", i64 %".83"
  %".89" = load i8, ptr %".88"
  %".90" = icmp eq i8 %".87", %".89"
  %".91" = add i64 %".83", 1
  br label %".77"
.92:
  br label %".94"
.93:
  br label %".94"
.94:
  %".95" = phi  i1 [%".79", %".92"], [0, %".93"]
  %".96" = add i64 %".46", 1
  br label %".39"
.97:
  %".98" = add i64 %".40", -1
  %".99" = select  i1 %".41", i64 %".98", i64 -1
  %".100" = getelementptr inbounds i64, ptr %"array.4", i64 %".31"
  store i64 %".99", ptr %".100"
  %".101" = add i64 %".31", 1
  br label %".30"
.102:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")
