; Written by `python -m diablo.tools.loop_code` from list_parts.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"take_left"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4",
    ptr noalias %".5", ptr noalias %".6", i64 %".7", i64 %".8", i64 %".9")
{
.10:
  %".11" = icmp sgt i64 %".7", 0
  br label %".12"
.12:
  %".13" = phi  i64 [%".8", %".10"], [%".53", %".52"]
  %".14" = icmp slt i64 %".13", %".9"
  br i1 %".14", label %".15", label %".54"
.15:
  %".16" = add i64 %".13", 1
  %".17" = getelementptr inbounds i32, ptr %".1", i64 %".13"
  %".18" = load i32, ptr %".17"
  %".19" = zext i32 %".18" to i64
  %".20" = getelementptr inbounds i32, ptr %".1", i64 %".16"
  %".21" = load i32, ptr %".20"
  %".22" = zext i32 %".21" to i64
  %".23" = sub i64 %".22", 1
  %".24" = select  i1 %".11", i64 %".19", i64 %".23"
  %".25" = sub i64 %".22", %".19"
  %".26" = getelementptr inbounds i32, ptr %".4", i64 %".13"
  %".27" = load i32, ptr %".26"
  %".28" = zext i32 %".27" to i64
  br label %".29"
.29:
  %".30" = phi  i64 [0, %".15"], [%".51", %".50"]
  %".31" = phi  i64 [%".28", %".15"], [%".49", %".50"]
  %".32" = icmp slt i64 %".30", %".25"
  br i1 %".32", label %".33", label %".52"
.33:
  %".34" = mul i64 %".30", %".7"
  %".35" = add i64 %".24", %".34"
  %".36" = getelementptr inbounds i32, ptr %".2", i64 %".35"
  %".37" = load i32, ptr %".36"
  %".38" = zext i32 %".37" to i64
  %".39" = getelementptr inbounds i32, ptr %".3", i64 %".38"
  %".40" = load i32, ptr %".39"
  %".41" = icmp sge i32 %".40", 0
  br i1 %".41", label %".42", label %".47"
.42:
  %".43" = getelementptr inbounds i32, ptr %".5", i64 %".31"
  store i32 %".40", ptr %".43"
  %".44" = trunc i64 %".35" to i32
  %".45" = getelementptr inbounds i32, ptr %".6", i64 %".31"
  store i32 %".44", ptr %".45"
  %".46" = add i64 %".31", 1
  br label %".48"
.47:
  br label %".48"
.48:
  %".49" = phi  i64 [%".46", %".42"], [%".31", %".47"]
  br label %".50"
.50:
  %".51" = add i64 %".30", 1
  br label %".29"
.52:
  %".53" = add i64 %".13", 1
  br label %".12"
.54:
  ret void
}
