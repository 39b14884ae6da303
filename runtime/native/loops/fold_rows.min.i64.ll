; Written by `python -m diablo.tools.loop_code` from row_folds.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"fold_rows"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4",
    i64 %".5", i64 %".6")
{
.7:
  br label %".8"
.8:
  %".9" = phi  i64 [%".5", %".7"], [%".39", %".37"]
  %".10" = icmp slt i64 %".9", %".6"
  br i1 %".10", label %".11", label %".40"
.11:
  %".12" = add i64 %".9", 1
  %".13" = getelementptr inbounds i32, ptr %".3", i64 %".9"
  %".14" = load i32, ptr %".13"
  %".15" = zext i32 %".14" to i64
  %".16" = getelementptr inbounds i32, ptr %".3", i64 %".12"
  %".17" = load i32, ptr %".16"
  %".18" = zext i32 %".17" to i64
  %".19" = getelementptr inbounds i32, ptr %".2", i64 %".15"
  %".20" = load i32, ptr %".19"
  %".21" = zext i32 %".20" to i64
  %".22" = getelementptr inbounds i64, ptr %".1", i64 %".21"
  %".23" = load i64, ptr %".22"
  %".24" = add i64 %".15", 1
  br label %".25"
.25:
  %".26" = phi  i64 [%".24", %".11"], [%".36", %".29"]
  %".27" = phi  i64 [%".23", %".11"], [%".35", %".29"]
  %".28" = icmp slt i64 %".26", %".18"
  br i1 %".28", label %".29", label %".37"
.29:
  %".30" = getelementptr inbounds i32, ptr %".2", i64 %".26"
  %".31" = load i32, ptr %".30"
  %".32" = zext i32 %".31" to i64
  %".33" = getelementptr inbounds i64, ptr %".1", i64 %".32"
  %".34" = load i64, ptr %".33"
  %".35" = call i64 @"llvm.smin.i64"(i64 %".27", i64 %".34")
  %".36" = add i64 %".26", 1
  br label %".25"
.37:
  %".38" = getelementptr inbounds i64, ptr %".4", i64 %".9"
  store i64 %".27", ptr %".38"
  %".39" = add i64 %".9", 1
  br label %".8"
.40:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
