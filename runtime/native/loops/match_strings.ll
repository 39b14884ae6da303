; Written by `python -m diablo.tools.loop_code` from string_pairs.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"match_strings"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5", i64 %"number",
    i64 %"number.1", i64 %"number.2", i64 %"number.3", i64 %"number.4", ptr noalias %"array.6")
{
.1:
  %".2" = icmp ne i64 %"number.1", 0
  br label %".3"
.3:
  %".4" = phi  i64 [%"number.3", %".1"], [%".53", %".48"]
  %".5" = icmp slt i64 %".4", %"number.4"
  br i1 %".5", label %".6", label %".54"
.6:
  %".7" = getelementptr inbounds i64, ptr %"array.1", i64 %".4"
  %".8" = load i64, ptr %".7"
  %".9" = getelementptr inbounds i64, ptr %"array.2", i64 %".4"
  %".10" = load i64, ptr %".9"
  %".11" = mul i64 %".4", %"number"
  %".12" = getelementptr inbounds i64, ptr %"array.4", i64 %".11"
  %".13" = load i64, ptr %".12"
  %".14" = getelementptr inbounds i64, ptr %"array.5", i64 %".11"
  %".15" = load i64, ptr %".14"
  %".16" = sub i64 %".10", %".15"
  %".17" = icmp eq i64 %".16", 0
  %".18" = icmp sgt i64 %".16", 0
  %".19" = and i1 %".18", %".2"
  %".20" = or i1 %".17", %".19"
  %".21" = mul i64 %".16", %"number.2"
  %".22" = add i64 %".8", %".21"
  %".23" = select  i1 %".20", i64 %".15", i64 0
  br label %".24"
.24:
  %".25" = phi  i64 [0, %".6"], [%".47", %".30"]
  %".26" = phi  i64 [0, %".6"], [%".46", %".30"]
  %".27" = icmp slt i64 %".25", %".23"
  %".28" = icmp eq i64 %".26", 0
  %".29" = and i1 %".27", %".28"
  br i1 %".29", label %".30", label %".48"
.30:
  %".31" = phi  i64 [%".25", %".24"]
  %".32" = phi  i64 [%".26", %".24"]
  %".33" = add i64 %".22", %".31"
  %".34" = add i64 %".13", %".31"
  %".35" = getelementptr inbounds i8, ptr %"array", i64 %".33"
  %".36" = load i64, ptr %".35", align 1
  %".37" = getelementptr inbounds i8, ptr %"array.3", i64 %".34"
  %".38" = load i64, ptr %".37", align 1
  %".39" = xor i64 %".36", %".38"
  %".40" = sub i64 %".23", %".31"
  %".41" = call i64 @"llvm.smin.i64"(i64 %".40", i64 8)
  %".42" = sub i64 8, %".41"
  %".43" = mul i64 %".42", 8
  %".44" = icmp ule i64 %".43", 63
  %".45" = shl i64 %".39", %".43"
  %".46" = select  i1 %".44", i64 %".45", i64 0
  %".47" = add i64 %".31", 8
  br label %".24"
.48:
  %".49" = icmp eq i64 %".26", 0
  %".50" = and i1 %".49", %".20"
  %".51" = zext i1 %".50" to i8
  %".52" = getelementptr inbounds i8, ptr %"array.6", i64 %".4"
  store i8 %".51", ptr %".52"
  %".53" = add i64 %".4", 1
  br label %".3"
.54:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %"number", i64 %"number.1")
