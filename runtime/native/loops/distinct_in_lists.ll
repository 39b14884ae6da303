; Written by `python -m diablo.tools.loop_code` from row_sorting.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"distinct_in_lists"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", i64 %".7", i64 %".8", i64 %".9")
{
.10:
  br label %".11"
.11:
  %".12" = phi  i64 [%".8", %".10"], [%".45", %".42"]
  %".13" = phi  i64 [%".7", %".10"], [%".26", %".42"]
  %".14" = icmp slt i64 %".12", %".9"
  br i1 %".14", label %".15", label %".46"
.15:
  %".16" = add i64 %".12", 1
  %".17" = getelementptr inbounds i32, ptr %".1", i64 %".12"
  %".18" = load i32, ptr %".17"
  %".19" = zext i32 %".18" to i64
  %".20" = getelementptr inbounds i32, ptr %".1", i64 %".16"
  %".21" = load i32, ptr %".20"
  %".22" = zext i32 %".21" to i64
  br label %".23"
.23:
  %".24" = phi  i64 [%".19", %".15"], [%".41", %".28"]
  %".25" = phi  i32 [-1, %".15"], [%".34", %".28"]
  %".26" = phi  i64 [%".13", %".15"], [%".40", %".28"]
  %".27" = icmp slt i64 %".24", %".22"
  br i1 %".27", label %".28", label %".42"
.28:
  %".29" = getelementptr inbounds i32, ptr %".3", i64 %".24"
  %".30" = load i32, ptr %".29"
  %".31" = zext i32 %".30" to i64
  %".32" = getelementptr inbounds i64, ptr %".2", i64 %".31"
  %".33" = load i64, ptr %".32"
  %".34" = trunc i64 %".33" to i32
  %".35" = icmp ne i32 %".34", %".25"
  %".36" = getelementptr inbounds i32, ptr %".4", i64 %".26"
  store i32 %".34", ptr %".36"
  %".37" = trunc i64 %".24" to i32
  %".38" = getelementptr inbounds i32, ptr %".5", i64 %".26"
  store i32 %".37", ptr %".38"
  %".39" = zext i1 %".35" to i64
  %".40" = add i64 %".26", %".39"
  %".41" = add i64 %".24", 1
  br label %".23"
.42:
  %".43" = trunc i64 %".26" to i32
  %".44" = getelementptr inbounds i32, ptr %".6", i64 %".12"
  store i32 %".43", ptr %".44"
  %".45" = add i64 %".12", 1
  br label %".11"
.46:
  ret void
}
