; Written by `python -m diablo.tools.loop_code` from tables.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"combine_tables"(ptr noalias %"array", ptr noalias %"array.1", i64 %"number",
    i64 %"number.1", i64 %"number.2", i64 %"number.3")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number.2", %".1"], [%".9", %".5"]
  %".4" = icmp slt i64 %".3", %"number.3"
  br i1 %".4", label %".5", label %".10"
.5:
  %".6" = getelementptr inbounds i8, ptr %"array", i64 %".3"
  %".7" = load i8, ptr %".6"
  %".8" = getelementptr inbounds i8, ptr %"array.1", i64 %".3"
  store i8 %".7", ptr %".8"
  %".9" = add i64 %".3", 1
  br label %".2"
.10:
  br label %".11"
.11:
  %".12" = phi  i64 [1, %".10"], [%".29", %".28"]
  %".13" = icmp slt i64 %".12", %"number"
  br i1 %".13", label %".14", label %".30"
.14:
  %".15" = mul i64 %".12", %"number.1"
  br label %".16"
.16:
  %".17" = phi  i64 [%"number.2", %".14"], [%".27", %".19"]
  %".18" = icmp slt i64 %".17", %"number.3"
  br i1 %".18", label %".19", label %".28"
.19:
  %".20" = add i64 %".15", %".17"
  %".21" = getelementptr inbounds i8, ptr %"array", i64 %".20"
  %".22" = load i8, ptr %".21"
  %".23" = getelementptr inbounds i8, ptr %"array.1", i64 %".17"
  %".24" = load i8, ptr %".23"
  %".25" = call i8 @"llvm.smax.i8"(i8 %".24", i8 %".22")
  %".26" = getelementptr inbounds i8, ptr %"array.1", i64 %".17"
  store i8 %".25", ptr %".26"
  %".27" = add i64 %".17", 1
  br label %".16"
.28:
  %".29" = add i64 %".12", 1
  br label %".11"
.30:
  ret void
}

declare i8 @"llvm.smax.i8"(i8 %"number", i8 %"number.1")
