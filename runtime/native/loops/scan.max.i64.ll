; Written by `python -m diablo.tools.loop_code` from scans.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"scan"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    i64 %"number", i64 %"number.1", i64 %"number.2", i64 %"number.3", i64 %"number.4",
    i64 %"number.5", i64 %"number.6", i64 %"number.7", i64 %"number.8")
{
.1:
  %".2" = add i64 %"number.7", 1
  %".3" = icmp eq i64 %".2", %"number.8"
  br label %".4"
.4:
  %".5" = phi  i64 [%"number.5", %".1"], [%".68", %".67"]
  %".6" = icmp slt i64 %".5", %"number.6"
  br i1 %".6", label %".7", label %".69"
.7:
  %".8" = mul i64 %".5", %"number"
  %".9" = add i64 %".8", %"number.1"
  %".10" = mul i64 %".5", %"number.4"
  br i1 %".3", label %".11", label %".29"
.11:
  %".12" = add i64 %".10", %"number.7"
  %".13" = getelementptr inbounds i64, ptr %"array.2", i64 %".12"
  %".14" = load i64, ptr %".13"
  %".15" = add i64 %".9", %"number.7"
  br label %".16"
.16:
  %".17" = phi  i64 [0, %".11"], [%".27", %".20"]
  %".18" = phi  i64 [%".14", %".11"], [%".25", %".20"]
  %".19" = icmp slt i64 %".17", %"number.3"
  br i1 %".19", label %".20", label %".28"
.20:
  %".21" = mul i64 %".17", %"number.2"
  %".22" = add i64 %".15", %".21"
  %".23" = getelementptr inbounds i64, ptr %"array", i64 %".22"
  %".24" = load i64, ptr %".23"
  %".25" = call i64 @"llvm.smax.i64"(i64 %".18", i64 %".24")
  %".26" = getelementptr inbounds i64, ptr %"array.1", i64 %".22"
  store i64 %".25", ptr %".26"
  %".27" = add i64 %".17", 1
  br label %".16"
.28:
  br label %".67"
.29:
  br label %".30"
.30:
  %".31" = phi  i64 [%"number.7", %".29"], [%".42", %".33"]
  %".32" = icmp slt i64 %".31", %"number.8"
  br i1 %".32", label %".33", label %".43"
.33:
  %".34" = add i64 %".10", %".31"
  %".35" = getelementptr inbounds i64, ptr %"array.2", i64 %".34"
  %".36" = load i64, ptr %".35"
  %".37" = add i64 %".9", %".31"
  %".38" = getelementptr inbounds i64, ptr %"array", i64 %".37"
  %".39" = load i64, ptr %".38"
  %".40" = call i64 @"llvm.smax.i64"(i64 %".36", i64 %".39")
  %".41" = getelementptr inbounds i64, ptr %"array.1", i64 %".37"
  store i64 %".40", ptr %".41"
  %".42" = add i64 %".31", 1
  br label %".30"
.43:
  br label %".44"
.44:
  %".45" = phi  i64 [1, %".43"], [%".65", %".64"]
  %".46" = icmp slt i64 %".45", %"number.3"
  br i1 %".46", label %".47", label %".66"
.47:
  %".48" = mul i64 %".45", %"number.2"
  %".49" = add i64 %".9", %".48"
  %".50" = sub i64 %".49", %"number.2"
  br label %".51"
.51:
  %".52" = phi  i64 [%"number.7", %".47"], [%".63", %".54"]
  %".53" = icmp slt i64 %".52", %"number.8"
  br i1 %".53", label %".54", label %".64"
.54:
  %".55" = add i64 %".49", %".52"
  %".56" = add i64 %".50", %".52"
  %".57" = getelementptr inbounds i64, ptr %"array.1", i64 %".56"
  %".58" = load i64, ptr %".57"
  %".59" = getelementptr inbounds i64, ptr %"array", i64 %".55"
  %".60" = load i64, ptr %".59"
  %".61" = call i64 @"llvm.smax.i64"(i64 %".58", i64 %".60")
  %".62" = getelementptr inbounds i64, ptr %"array.1", i64 %".55"
  store i64 %".61", ptr %".62"
  %".63" = add i64 %".52", 1
  br label %".51"
.64:
  %".65" = add i64 %".45", 1
  br label %".44"
.66:
  br label %".67"
.67:
  %".68" = add i64 %".5", 1
  br label %".4"
.69:
  ret void
}

declare i64 @"llvm.smax.i64"(i64 %"number", i64 %"number.1")
