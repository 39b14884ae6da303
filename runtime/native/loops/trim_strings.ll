; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"trim_strings"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", i64 %"number", i64 %"number.1", ptr noalias %"array.4",
    ptr noalias %"array.5")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".44", %".40"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".45"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  %".9" = load i64, ptr %".8"
  %".10" = add i64 %".7", %".9"
  br label %".11"
.11:
  %".12" = phi  i64 [%".7", %".5"], [%".23", %".21"]
  %".13" = getelementptr inbounds i8, ptr %"array", i64 %".12"
  %".14" = load i8, ptr %".13"
  %".15" = zext i8 %".14" to i64
  %".16" = getelementptr inbounds i8, ptr %"array.3", i64 %".15"
  %".17" = load i8, ptr %".16"
  %".18" = icmp ne i8 %".17", 0
  %".19" = icmp slt i64 %".12", %".10"
  %".20" = and i1 %".18", %".19"
  br i1 %".20", label %".21", label %".24"
.21:
  %".22" = phi  i64 [%".12", %".11"]
  %".23" = add i64 %".22", 1
  br label %".11"
.24:
  br label %".25"
.25:
  %".26" = phi  i64 [%".10", %".24"], [%".39", %".37"]
  %".27" = sub i64 %".26", 1
  %".28" = call i64 @"llvm.smax.i64"(i64 %".27", i64 %".12")
  %".29" = getelementptr inbounds i8, ptr %"array", i64 %".28"
  %".30" = load i8, ptr %".29"
  %".31" = zext i8 %".30" to i64
  %".32" = getelementptr inbounds i8, ptr %"array.3", i64 %".31"
  %".33" = load i8, ptr %".32"
  %".34" = icmp ne i8 %".33", 0
  %".35" = icmp sgt i64 %".26", %".12"
  %".36" = and i1 %".34", %".35"
  br i1 %".36", label %".37", label %".40"
.37:
  %".38" = phi  i64 [%".26", %".25"]
  %".39" = sub i64 %".38", 1
  br label %".25"
.40:
  %".41" = sub i64 %".26", %".12"
  %".42" = getelementptr inbounds i64, ptr %"array.4", i64 %".3"
  store i64 %".12", ptr %".42"
  %".43" = getelementptr inbounds i64, ptr %"array.5", i64 %".3"
  store i64 %".41", ptr %".43"
  %".44" = add i64 %".3", 1
  br label %".2"
.45:
  ret void
}

declare i64 @"llvm.smax.i64"(i64 %"number", i64 %"number.1")
