; Written by `python -m diablo.tools.loop_code` from list_parts.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"take_copies"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", ptr noalias %".7", i64 %".8",
    i64 %".9")
{
.10:
  br label %".11"
.11:
  %".12" = phi  i64 [%".8", %".10"], [%".74", %".73"]
  %".13" = icmp slt i64 %".12", %".9"
  br i1 %".13", label %".14", label %".75"
.14:
  %".15" = add i64 %".12", 1
  %".16" = getelementptr inbounds i32, ptr %".1", i64 %".12"
  %".17" = load i32, ptr %".16"
  %".18" = zext i32 %".17" to i64
  %".19" = getelementptr inbounds i32, ptr %".1", i64 %".15"
  %".20" = load i32, ptr %".19"
  %".21" = zext i32 %".20" to i64
  %".22" = getelementptr inbounds i32, ptr %".5", i64 %".12"
  %".23" = load i32, ptr %".22"
  %".24" = zext i32 %".23" to i64
  br label %".25"
.25:
  %".26" = phi  i64 [%".18", %".14"], [%".72", %".71"]
  %".27" = phi  i64 [%".24", %".14"], [%".43", %".71"]
  %".28" = icmp slt i64 %".26", %".21"
  br i1 %".28", label %".29", label %".73"
.29:
  %".30" = trunc i64 %".26" to i32
  %".31" = getelementptr inbounds i32, ptr %".2", i64 %".26"
  %".32" = load i32, ptr %".31"
  %".33" = zext i32 %".32" to i64
  %".34" = add i64 %".33", 1
  %".35" = getelementptr inbounds i32, ptr %".3", i64 %".33"
  %".36" = load i32, ptr %".35"
  %".37" = zext i32 %".36" to i64
  %".38" = getelementptr inbounds i32, ptr %".3", i64 %".34"
  %".39" = load i32, ptr %".38"
  %".40" = zext i32 %".39" to i64
  br label %".41"
.41:
  %".42" = phi  i64 [%".37", %".29"], [%".70", %".66"]
  %".43" = phi  i64 [%".27", %".29"], [%".69", %".66"]
  %".44" = icmp slt i64 %".42", %".40"
  br i1 %".44", label %".45", label %".71"
.45:
  %".46" = getelementptr inbounds i32, ptr %".4", i64 %".42"
  %".47" = load i32, ptr %".46"
  br label %".48"
.48:
  %".49" = phi  i64 [%".43", %".45"], [%".59", %".57"]
  %".50" = icmp sgt i64 %".49", %".24"
  %".51" = sub i64 %".49", 1
  %".52" = call i64 @"llvm.smax.i64"(i64 %".51", i64 %".24")
  %".53" = getelementptr inbounds i32, ptr %".6", i64 %".52"
  %".54" = load i32, ptr %".53"
  %".55" = icmp sgt i32 %".54", %".47"
  %".56" = and i1 %".50", %".55"
  br i1 %".56", label %".57", label %".66"
.57:
  %".58" = phi  i64 [%".49", %".48"]
  %".59" = sub i64 %".58", 1
  %".60" = getelementptr inbounds i32, ptr %".6", i64 %".59"
  %".61" = load i32, ptr %".60"
  %".62" = getelementptr inbounds i32, ptr %".6", i64 %".58"
  store i32 %".61", ptr %".62"
  %".63" = getelementptr inbounds i32, ptr %".7", i64 %".59"
  %".64" = load i32, ptr %".63"
  %".65" = getelementptr inbounds i32, ptr %".7", i64 %".58"
  store i32 %".64", ptr %".65"
  br label %".48"
.66:
  %".67" = getelementptr inbounds i32, ptr %".6", i64 %".49"
  store i32 %".47", ptr %".67"
  %".68" = getelementptr inbounds i32, ptr %".7", i64 %".49"
  store i32 %".30", ptr %".68"
  %".69" = add i64 %".43", 1
  %".70" = add i64 %".42", 1
  br label %".41"
.71:
  %".72" = add i64 %".26", 1
  br label %".25"
.73:
  %".74" = add i64 %".12", 1
  br label %".11"
.75:
  ret void
}

declare i64 @"llvm.smax.i64"(i64 %".1", i64 %".2")
