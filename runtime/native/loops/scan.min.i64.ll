; Written by `python -m diablo.tools.loop_code` from scans.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"scan"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", i64 %".4", i64 %".5",
    i64 %".6", i64 %".7", i64 %".8", i64 %".9", i64 %".10", i64 %".11", i64 %".12")
{
.13:
  %".14" = add i64 %".11", 1
  %".15" = icmp eq i64 %".14", %".12"
  br label %".16"
.16:
  %".17" = phi  i64 [%".9", %".13"], [%".80", %".79"]
  %".18" = icmp slt i64 %".17", %".10"
  br i1 %".18", label %".19", label %".81"
.19:
  %".20" = mul i64 %".17", %".4"
  %".21" = add i64 %".20", %".5"
  %".22" = mul i64 %".17", %".8"
  br i1 %".15", label %".23", label %".41"
.23:
  %".24" = add i64 %".22", %".11"
  %".25" = getelementptr inbounds i64, ptr %".3", i64 %".24"
  %".26" = load i64, ptr %".25"
  %".27" = add i64 %".21", %".11"
  br label %".28"
.28:
  %".29" = phi  i64 [0, %".23"], [%".39", %".32"]
  %".30" = phi  i64 [%".26", %".23"], [%".37", %".32"]
  %".31" = icmp slt i64 %".29", %".7"
  br i1 %".31", label %".32", label %".40"
.32:
  %".33" = mul i64 %".29", %".6"
  %".34" = add i64 %".27", %".33"
  %".35" = getelementptr inbounds i64, ptr %".1", i64 %".34"
  %".36" = load i64, ptr %".35"
  %".37" = call i64 @"llvm.smin.i64"(i64 %".30", i64 %".36")
  %".38" = getelementptr inbounds i64, ptr %".2", i64 %".34"
  store i64 %".37", ptr %".38"
  %".39" = add i64 %".29", 1
  br label %".28"
.40:
  br label %".79"
.41:
  br label %".42"
.42:
  %".43" = phi  i64 [%".11", %".41"], [%".54", %".45"]
  %".44" = icmp slt i64 %".43", %".12"
  br i1 %".44", label %".45", label %".55"
.45:
  %".46" = add i64 %".22", %".43"
  %".47" = getelementptr inbounds i64, ptr %".3", i64 %".46"
  %".48" = load i64, ptr %".47"
  %".49" = add i64 %".21", %".43"
  %".50" = getelementptr inbounds i64, ptr %".1", i64 %".49"
  %".51" = load i64, ptr %".50"
  %".52" = call i64 @"llvm.smin.i64"(i64 %".48", i64 %".51")
  %".53" = getelementptr inbounds i64, ptr %".2", i64 %".49"
  store i64 %".52", ptr %".53"
  %".54" = add i64 %".43", 1
  br label %".42"
.55:
  br label %".56"
.56:
  %".57" = phi  i64 [1, %".55"], [%".77", %".76"]
  %".58" = icmp slt i64 %".57", %".7"
  br i1 %".58", label %".59", label %".78"
.59:
  %".60" = mul i64 %".57", %".6"
  %".61" = add i64 %".21", %".60"
  %".62" = sub i64 %".61", %".6"
  br label %".63"
.63:
  %".64" = phi  i64 [%".11", %".59"], [%".75", %".66"]
  %".65" = icmp slt i64 %".64", %".12"
  br i1 %".65", label %".66", label %".76"
.66:
  %".67" = add i64 %".61", %".64"
  %".68" = add i64 %".62", %".64"
  %".69" = getelementptr inbounds i64, ptr %".2", i64 %".68"
  %".70" = load i64, ptr %".69"
  %".71" = getelementptr inbounds i64, ptr %".1", i64 %".67"
  %".72" = load i64, ptr %".71"
  %".73" = call i64 @"llvm.smin.i64"(i64 %".70", i64 %".72")
  %".74" = getelementptr inbounds i64, ptr %".2", i64 %".67"
  store i64 %".73", ptr %".74"
  %".75" = add i64 %".64", 1
  br label %".63"
.76:
  %".77" = add i64 %".57", 1
  br label %".56"
.78:
  br label %".79"
.79:
  %".80" = add i64 %".17", 1
  br label %".16"
.81:
  ret void
}

declare i64 @"llvm.smin.i64"(i64 %".1", i64 %".2")
