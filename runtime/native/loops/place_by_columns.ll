; Written by `python -m diablo.tools.loop_code` from transposition.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"place_by_columns"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4", ptr noalias %".5", i64 %".6", i64 %".7")
{
.9:
  %".19" = getelementptr inbounds i32, ptr %".1", i64 %".6"
  %".20" = load i32, ptr %".19"
  %".21" = zext i32 %".20" to i64
  br label %".10"
.10:
  %".16" = phi  i64 [%".6", %".9"], [%".49", %".14"]
  %".17" = phi  i64 [%".21", %".9"], [%".28", %".14"]
  %".23" = icmp slt i64 %".16", %".7"
  br i1 %".23", label %".11", label %".15"
.11:
  %".25" = add i64 %".16", 1
  %".26" = getelementptr inbounds i32, ptr %".1", i64 %".25"
  %".27" = load i32, ptr %".26"
  %".28" = zext i32 %".27" to i64
  %".29" = trunc i64 %".16" to i32
  br label %".12"
.12:
  %".18" = phi  i64 [%".17", %".11"], [%".47", %".13"]
  %".31" = icmp slt i64 %".18", %".28"
  br i1 %".31", label %".13", label %".14"
.13:
  %".33" = getelementptr inbounds i32, ptr %".2", i64 %".18"
  %".34" = load i32, ptr %".33"
  %".35" = zext i32 %".34" to i64
  %".36" = getelementptr inbounds i32, ptr %".3", i64 %".35"
  %".37" = load i32, ptr %".36"
  %".38" = add i32 %".37", 1
  %".39" = getelementptr inbounds i32, ptr %".3", i64 %".35"
  store i32 %".38", ptr %".39"
  %".41" = zext i32 %".37" to i64
  %".42" = getelementptr inbounds i32, ptr %".4", i64 %".41"
  store i32 %".29", ptr %".42"
  %".44" = trunc i64 %".18" to i32
  %".45" = getelementptr inbounds i32, ptr %".5", i64 %".41"
  store i32 %".44", ptr %".45"
  %".47" = add i64 %".18", 1
  br label %".12"
.14:
  %".49" = add i64 %".16", 1
  br label %".10"
.15:
  ret void
}
