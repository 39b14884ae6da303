; Written by `python -m diablo.tools.loop_code` from list_copies.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"entries_of_lists"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", i64 %".5", i64 %".6")
{
.7:
  br label %".8"
.8:
  %".9" = phi  i64 [%".5", %".7"], [%".33", %".32"]
  %".10" = icmp slt i64 %".9", %".6"
  br i1 %".10", label %".11", label %".34"
.11:
  %".12" = getelementptr inbounds i64, ptr %".2", i64 %".9"
  %".13" = load i64, ptr %".12"
  %".14" = call i64 @"llvm.smax.i64"(i64 %".13", i64 0)
  %".15" = getelementptr inbounds i32, ptr %".1", i64 %".14"
  %".16" = load i32, ptr %".15"
  %".17" = add i64 %".9", 1
  %".18" = getelementptr inbounds i64, ptr %".3", i64 %".9"
  %".19" = load i64, ptr %".18"
  %".20" = getelementptr inbounds i64, ptr %".3", i64 %".17"
  %".21" = load i64, ptr %".20"
  %".22" = trunc i64 %".19" to i32
  %".23" = sub i32 %".16", %".22"
  br label %".24"
.24:
  %".25" = phi  i64 [%".19", %".11"], [%".31", %".27"]
  %".26" = icmp slt i64 %".25", %".21"
  br i1 %".26", label %".27", label %".32"
.27:
  %".28" = trunc i64 %".25" to i32
  %".29" = add i32 %".28", %".23"
  %".30" = getelementptr inbounds i32, ptr %".4", i64 %".25"
  store i32 %".29", ptr %".30"
  %".31" = add i64 %".25", 1
  br label %".24"
.32:
  %".33" = add i64 %".9", 1
  br label %".8"
.34:
  ret void
}

declare i64 @"llvm.smax.i64"(i64 %".1", i64 %".2")
