; Written by `python -m diablo.tools.loop_code` from string_contents.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"count_parts"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4", i8 %".5", ptr noalias %".6")
{
.8:
  br label %".9"
.9:
  %".15" = phi  i64 [0, %".8"], [%".38", %".13"]
  %".19" = icmp slt i64 %".15", %".4"
  br i1 %".19", label %".10", label %".14"
.10:
  %".21" = getelementptr inbounds i64, ptr %".2", i64 %".15"
  %".22" = load i64, ptr %".21"
  %".23" = getelementptr inbounds i64, ptr %".3", i64 %".15"
  %".24" = load i64, ptr %".23"
  br label %".11"
.11:
  %".16" = phi  i64 [0, %".10"], [%".34", %".12"]
  %".17" = phi  i64 [1, %".10"], [%".33", %".12"]
  %".26" = icmp slt i64 %".16", %".24"
  br i1 %".26", label %".12", label %".13"
.12:
  %".28" = add i64 %".22", %".16"
  %".29" = getelementptr inbounds i8, ptr %".1", i64 %".28"
  %".30" = load i8, ptr %".29"
  %".31" = icmp eq i8 %".30", %".5"
  %".32" = add i64 %".17", 1
  %".33" = select  i1 %".31", i64 %".32", i64 %".17"
  %".34" = add i64 %".16", 1
  br label %".11"
.13:
  %".36" = getelementptr inbounds i64, ptr %".6", i64 %".15"
  store i64 %".17", ptr %".36"
  %".38" = add i64 %".15", 1
  br label %".9"
.14:
  ret void
}
