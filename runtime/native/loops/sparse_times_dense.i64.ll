; Written by `python -m diablo.tools.loop_code` from sparse_times_dense.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"sparse_times_dense"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", i64 %"number", ptr noalias %"array.4",
    i64 %"number.1", i64 %"number.2", i64 %"number.3")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [%"number.2", %".1"], [%".49", %".48"]
  %".4" = icmp slt i64 %".3", %"number.3"
  br i1 %".4", label %".5", label %".50"
.5:
  %".6" = add i64 %".3", 1
  %".7" = getelementptr inbounds i32, ptr %"array", i64 %".3"
  %".8" = load i32, ptr %".7"
  %".9" = zext i32 %".8" to i64
  %".10" = getelementptr inbounds i32, ptr %"array", i64 %".6"
  %".11" = load i32, ptr %".10"
  %".12" = zext i32 %".11" to i64
  %".13" = mul i64 %".3", %"number.1"
  br label %".14"
.14:
  %".15" = phi  i64 [0, %".5"], [%".20", %".17"]
  %".16" = icmp slt i64 %".15", %"number.1"
  br i1 %".16", label %".17", label %".21"
.17:
  %".18" = add i64 %".13", %".15"
  %".19" = getelementptr inbounds i64, ptr %"array.4", i64 %".18"
  store i64 0, ptr %".19"
  %".20" = add i64 %".15", 1
  br label %".14"
.21:
  br label %".22"
.22:
  %".23" = phi  i64 [%".9", %".21"], [%".47", %".46"]
  %".24" = icmp slt i64 %".23", %".12"
  br i1 %".24", label %".25", label %".48"
.25:
  %".26" = getelementptr inbounds i32, ptr %"array.1", i64 %".23"
  %".27" = load i32, ptr %".26"
  %".28" = zext i32 %".27" to i64
  %".29" = getelementptr inbounds i64, ptr %"array.2", i64 %".23"
  %".30" = load i64, ptr %".29"
  %".31" = mul i64 %".28", %"number"
  br label %".32"
.32:
  %".33" = phi  i64 [0, %".25"], [%".45", %".35"]
  %".34" = icmp slt i64 %".33", %"number.1"
  br i1 %".34", label %".35", label %".46"
.35:
  %".36" = add i64 %".31", %".33"
  %".37" = add i64 %".13", %".33"
  %".38" = getelementptr inbounds i64, ptr %"array.3", i64 %".36"
  %".39" = load i64, ptr %".38"
  %".40" = mul i64 %".30", %".39"
  %".41" = getelementptr inbounds i64, ptr %"array.4", i64 %".37"
  %".42" = load i64, ptr %".41"
  %".43" = add i64 %".42", %".40"
  %".44" = getelementptr inbounds i64, ptr %"array.4", i64 %".37"
  store i64 %".43", ptr %".44"
  %".45" = add i64 %".33", 1
  br label %".32"
.46:
  %".47" = add i64 %".23", 1
  br label %".22"
.48:
  %".49" = add i64 %".3", 1
  br label %".2"
.50:
  ret void
}
