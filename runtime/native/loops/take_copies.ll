; Written by `python -m diablo.tools.loop_code` from list_parts.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"take_copies"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5", ptr noalias %"array.6",
    i64 %"number", i64 %"number.1")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number", %".1"], [%".65", %".64"]
  %".4" = icmp slt i64 %".3", %"number.1"
  br i1 %".4", label %".5", label %".66"
.5:
  %".6" = add i64 %".3", 1
  %".7" = getelementptr inbounds i32, ptr %"array", i64 %".3"
  %".8" = load i32, ptr %".7"
  %".9" = zext i32 %".8" to i64
  %".10" = getelementptr inbounds i32, ptr %"array", i64 %".6"
  %".11" = load i32, ptr %".10"
  %".12" = zext i32 %".11" to i64
  %".13" = getelementptr inbounds i32, ptr %"array.4", i64 %".3"
  %".14" = load i32, ptr %".13"
  %".15" = zext i32 %".14" to i64
  br label %".16"
.16:
  %".17" = phi  i64 [%".9", %".5"], [%".63", %".62"]
  %".18" = phi  i64 [%".15", %".5"], [%".34", %".62"]
  %".19" = icmp slt i64 %".17", %".12"
  br i1 %".19", label %".20", label %".64"
.20:
  %".21" = trunc i64 %".17" to i32
  %".22" = getelementptr inbounds i32, ptr %"array.1", i64 %".17"
  %".23" = load i32, ptr %".22"
  %".24" = zext i32 %".23" to i64
  %".25" = add i64 %".24", 1
  %".26" = getelementptr inbounds i32, ptr %"array.2", i64 %".24"
  %".27" = load i32, ptr %".26"
  %".28" = zext i32 %".27" to i64
  %".29" = getelementptr inbounds i32, ptr %"array.2", i64 %".25"
  %".30" = load i32, ptr %".29"
  %".31" = zext i32 %".30" to i64
  br label %".32"
.32:
  %".33" = phi  i64 [%".28", %".20"], [%".61", %".57"]
  %".34" = phi  i64 [%".18", %".20"], [%".60", %".57"]
  %".35" = icmp slt i64 %".33", %".31"
  br i1 %".35", label %".36", label %".62"
.36:
  %".37" = getelementptr inbounds i32, ptr %"array.3", i64 %".33"
  %".38" = load i32, ptr %".37"
  br label %".39"
.39:
  %".40" = phi  i64 [%".34", %".36"], [%".50", %".48"]
  %".41" = icmp sgt i64 %".40", %".15"
  %".42" = sub i64 %".40", 1
  %".43" = call i64 @"llvm.smax.i64"(i64 %".42", i64 %".15")
  %".44" = getelementptr inbounds i32, ptr %"array.5", i64 %".43"
  %".45" = load i32, ptr %".44"
  %".46" = icmp sgt i32 %".45", %".38"
  %".47" = and i1 %".41", %".46"
  br i1 %".47", label %".48", label %".57"
.48:
  %".49" = phi  i64 [%".40", %".39"]
  %".50" = sub i64 %".49", 1
  %".51" = getelementptr inbounds i32, ptr %"array.5", i64 %".50"
  %".52" = load i32, ptr %".51"
  %".53" = getelementptr inbounds i32, ptr %"array.5", i64 %".49"
  store i32 %".52", ptr %".53"
  %".54" = getelementptr inbounds i32, ptr %"array.6", i64 %".50"
  %".55" = load i32, ptr %".54"
  %".56" = getelementptr inbounds i32, ptr %"array.6", i64 %".49"
  store i32 %".55", ptr %".56"
  br label %".39"
.57:
  %".58" = getelementptr inbounds i32, ptr %"array.5", i64 %".40"
  store i32 %".38", ptr %".58"
  %".59" = getelementptr inbounds i32, ptr %"array.6", i64 %".40"
  store i32 %".21", ptr %".59"
  %".60" = add i64 %".34", 1
  %".61" = add i64 %".33", 1
  br label %".32"
.62:
  %".63" = add i64 %".17", 1
  br label %".16"
.64:
  %".65" = add i64 %".3", 1
  br label %".2"
.66:
  ret void
}

declare i64 @"llvm.smax.i64"(i64 %"number", i64 %"number.1")
