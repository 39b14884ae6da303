; Written by `python -m diablo.tools.loop_code` from row_sorting.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"place_in_order"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4", i64 %".5", i64 %".6")
{
.8:
  br label %".9"
.9:
  %".12" = phi  i64 [%".5", %".8"], [%".29", %".10"]
  %".14" = icmp slt i64 %".12", %".6"
  br i1 %".14", label %".10", label %".11"
.10:
  %".16" = getelementptr inbounds i32, ptr %".2", i64 %".12"
  %".17" = load i32, ptr %".16"
  %".18" = zext i32 %".17" to i64
  %".19" = getelementptr inbounds i64, ptr %".1", i64 %".18"
  %".20" = load i64, ptr %".19"
  %".21" = getelementptr inbounds i32, ptr %".3", i64 %".20"
  %".22" = load i32, ptr %".21"
  %".23" = add i32 %".22", 1
  %".24" = getelementptr inbounds i32, ptr %".3", i64 %".20"
  store i32 %".23", ptr %".24"
  %".26" = zext i32 %".22" to i64
  %".27" = getelementptr inbounds i32, ptr %".4", i64 %".26"
  store i32 %".17", ptr %".27"
  %".29" = add i64 %".12", 1
  br label %".9"
.11:
  ret void
}
