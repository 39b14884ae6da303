; Written by `python -m diablo.tools.loop_code` from list_copies.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"entries_of_lists"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", i64 %"number", i64 %"number.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".27", %".26"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".28"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array.1", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = call i64 @"llvm.smax.i64"(i64 %".7", i64 0)
  %".9" = getelementptr inbounds i32, ptr %"array", i64 %".8"
  %".10" = load i32, ptr %".9"
  %".11" = add i64 %".3", 1
  %".12" = getelementptr inbounds i64, ptr %"array.2", i64 %".3"
  %".13" = load i64, ptr %".12"
  %".14" = getelementptr inbounds i64, ptr %"array.2", i64 %".11"
  %".15" = load i64, ptr %".14"
  %".16" = trunc i64 %".13" to i32
  %".17" = sub i32 %".10", %".16"
  br label %".18"
.18:
  %".19" = phi  i64 [%".13", %".5"], [%".25", %".21"]
  %".20" = icmp slt i64 %".19", %".15"
  br i1 %".20", label %".21", label %".26"
.21:
  %".22" = trunc i64 %".19" to i32
  %".23" = add i32 %".22", %".17"
  %".24" = getelementptr inbounds i32, ptr %"array.3", i64 %".19"
  store i32 %".23", ptr %".24"
  %".25" = add i64 %".19", 1
  br label %".18"
.26:
  %".27" = add i64 %".3", 1
  br label %".2"
.28:
  ret void
}

declare i64 @"llvm.smax.i64"(i64 %"number", i64 %"number.1")
