; Written by `python -m diablo.tools.loop_code` from row_sorting.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"sort_lists"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", ptr noalias %".7", i64 %".8",
    i64 %".9", i64 %".10", i64 %".11")
{
.12:
  br label %".13"
.13:
  %".14" = phi  i64 [%".10", %".12"], [%".82", %".79"]
  %".15" = phi  i64 [%".9", %".12"], [%".63", %".79"]
  %".16" = icmp slt i64 %".14", %".11"
  br i1 %".16", label %".17", label %".83"
.17:
  %".18" = add i64 %".14", 1
  %".19" = getelementptr inbounds i32, ptr %".1", i64 %".14"
  %".20" = load i32, ptr %".19"
  %".21" = zext i32 %".20" to i64
  %".22" = getelementptr inbounds i32, ptr %".1", i64 %".18"
  %".23" = load i32, ptr %".22"
  %".24" = zext i32 %".23" to i64
  %".25" = sub i64 %".24", %".21"
  %".26" = icmp sle i64 %".25", %".8"
  br i1 %".26", label %".27", label %".59"
.27:
  br label %".28"
.28:
  %".29" = phi  i64 [%".21", %".27"], [%".47", %".45"]
  %".30" = icmp slt i64 %".29", %".24"
  br i1 %".30", label %".31", label %".48"
.31:
  %".32" = getelementptr inbounds i64, ptr %".2", i64 %".29"
  %".33" = load i64, ptr %".32"
  br label %".34"
.34:
  %".35" = phi  i64 [%".21", %".31"], [%".44", %".38"]
  %".36" = phi  i64 [0, %".31"], [%".43", %".38"]
  %".37" = icmp slt i64 %".35", %".24"
  br i1 %".37", label %".38", label %".45"
.38:
  %".39" = getelementptr inbounds i64, ptr %".2", i64 %".35"
  %".40" = load i64, ptr %".39"
  %".41" = icmp slt i64 %".40", %".33"
  %".42" = zext i1 %".41" to i64
  %".43" = add i64 %".36", %".42"
  %".44" = add i64 %".35", 1
  br label %".34"
.45:
  %".46" = getelementptr inbounds i64, ptr %".7", i64 %".36"
  store i64 %".33", ptr %".46"
  %".47" = add i64 %".29", 1
  br label %".28"
.48:
  br label %".49"
.49:
  %".50" = phi  i64 [0, %".48"], [%".57", %".52"]
  %".51" = icmp slt i64 %".50", %".25"
  br i1 %".51", label %".52", label %".58"
.52:
  %".53" = getelementptr inbounds i64, ptr %".7", i64 %".50"
  %".54" = load i64, ptr %".53"
  %".55" = add i64 %".21", %".50"
  %".56" = getelementptr inbounds i64, ptr %".2", i64 %".55"
  store i64 %".54", ptr %".56"
  %".57" = add i64 %".50", 1
  br label %".49"
.58:
  br label %".59"
.59:
  br label %".60"
.60:
  %".61" = phi  i64 [%".21", %".59"], [%".78", %".65"]
  %".62" = phi  i32 [-1, %".59"], [%".71", %".65"]
  %".63" = phi  i64 [%".15", %".59"], [%".77", %".65"]
  %".64" = icmp slt i64 %".61", %".24"
  br i1 %".64", label %".65", label %".79"
.65:
  %".66" = getelementptr inbounds i64, ptr %".2", i64 %".61"
  %".67" = load i64, ptr %".66"
  %".68" = trunc i64 %".67" to i32
  %".69" = getelementptr inbounds i32, ptr %".3", i64 %".61"
  store i32 %".68", ptr %".69"
  %".70" = lshr i64 %".67", 32
  %".71" = trunc i64 %".70" to i32
  %".72" = icmp ne i32 %".71", %".62"
  %".73" = getelementptr inbounds i32, ptr %".4", i64 %".63"
  store i32 %".71", ptr %".73"
  %".74" = trunc i64 %".61" to i32
  %".75" = getelementptr inbounds i32, ptr %".5", i64 %".63"
  store i32 %".74", ptr %".75"
  %".76" = zext i1 %".72" to i64
  %".77" = add i64 %".63", %".76"
  %".78" = add i64 %".61", 1
  br label %".60"
.79:
  %".80" = trunc i64 %".63" to i32
  %".81" = getelementptr inbounds i32, ptr %".6", i64 %".14"
  store i32 %".80", ptr %".81"
  %".82" = add i64 %".14", 1
  br label %".13"
.83:
  ret void
}
