; Written by `python -m diablo.tools.loop_code` from row_sorting.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"distinct_in_lists"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", i64 %".7", i64 %".8", i64 %".9")
{
.11:
  br label %".12"
.12:
  %".18" = phi  i64 [%".8", %".11"], [%".55", %".16"]
  %".19" = phi  i64 [%".7", %".11"], [%".22", %".16"]
  %".24" = icmp slt i64 %".18", %".9"
  br i1 %".24", label %".13", label %".17"
.13:
  %".26" = add i64 %".18", 1
  %".27" = getelementptr inbounds i32, ptr %".1", i64 %".18"
  %".28" = load i32, ptr %".27"
  %".29" = zext i32 %".28" to i64
  %".30" = getelementptr inbounds i32, ptr %".1", i64 %".26"
  %".31" = load i32, ptr %".30"
  %".32" = zext i32 %".31" to i64
  br label %".14"
.14:
  %".20" = phi  i64 [%".29", %".13"], [%".50", %".15"]
  %".21" = phi  i32 [-1, %".13"], [%".41", %".15"]
  %".22" = phi  i64 [%".19", %".13"], [%".49", %".15"]
  %".34" = icmp slt i64 %".20", %".32"
  br i1 %".34", label %".15", label %".16"
.15:
  %".36" = getelementptr inbounds i32, ptr %".3", i64 %".20"
  %".37" = load i32, ptr %".36"
  %".38" = zext i32 %".37" to i64
  %".39" = getelementptr inbounds i64, ptr %".2", i64 %".38"
  %".40" = load i64, ptr %".39"
  %".41" = trunc i64 %".40" to i32
  %".42" = icmp ne i32 %".41", %".21"
  %".43" = getelementptr inbounds i32, ptr %".4", i64 %".22"
  store i32 %".41", ptr %".43"
  %".45" = trunc i64 %".20" to i32
  %".46" = getelementptr inbounds i32, ptr %".5", i64 %".22"
  store i32 %".45", ptr %".46"
  %".48" = zext i1 %".42" to i64
  %".49" = add i64 %".22", %".48"
  %".50" = add i64 %".20", 1
  br label %".14"
.16:
  %".52" = trunc i64 %".22" to i32
  %".53" = getelementptr inbounds i32, ptr %".6", i64 %".18"
  store i32 %".52", ptr %".53"
  %".55" = add i64 %".18", 1
  br label %".12"
.17:
  ret void
}
