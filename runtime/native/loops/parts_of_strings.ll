; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"parts_of_strings"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4", i8 %".5", ptr noalias %".6", ptr noalias %".7")
{
.9:
  br label %".10"
.10:
  %".16" = phi  i64 [0, %".9"], [%".52", %".14"]
  %".17" = phi  i64 [0, %".9"], [%".51", %".14"]
  %".22" = icmp slt i64 %".16", %".4"
  br i1 %".22", label %".11", label %".15"
.11:
  %".24" = getelementptr inbounds i64, ptr %".2", i64 %".16"
  %".25" = load i64, ptr %".24"
  %".26" = getelementptr inbounds i64, ptr %".3", i64 %".16"
  %".27" = load i64, ptr %".26"
  %".28" = add i64 %".25", %".27"
  %".29" = getelementptr inbounds i64, ptr %".6", i64 %".17"
  store i64 %".25", ptr %".29"
  br label %".12"
.12:
  %".18" = phi  i64 [%".25", %".11"], [%".46", %".13"]
  %".19" = phi  i64 [%".17", %".11"], [%".44", %".13"]
  %".20" = phi  i64 [%".25", %".11"], [%".45", %".13"]
  %".32" = icmp slt i64 %".18", %".28"
  br i1 %".32", label %".13", label %".14"
.13:
  %".34" = getelementptr inbounds i8, ptr %".1", i64 %".18"
  %".35" = load i8, ptr %".34"
  %".36" = icmp eq i8 %".35", %".5"
  %".37" = sub i64 %".18", %".20"
  %".38" = getelementptr inbounds i64, ptr %".7", i64 %".19"
  store i64 %".37", ptr %".38"
  %".40" = add i64 %".18", 1
  %".41" = add i64 %".19", 1
  %".42" = getelementptr inbounds i64, ptr %".6", i64 %".41"
  store i64 %".40", ptr %".42"
  %".44" = select  i1 %".36", i64 %".41", i64 %".19"
  %".45" = select  i1 %".36", i64 %".40", i64 %".20"
  %".46" = add i64 %".18", 1
  br label %".12"
.14:
  %".48" = sub i64 %".28", %".20"
  %".49" = getelementptr inbounds i64, ptr %".7", i64 %".19"
  store i64 %".48", ptr %".49"
  %".51" = add i64 %".19", 1
  %".52" = add i64 %".16", 1
  br label %".10"
.15:
  ret void
}
