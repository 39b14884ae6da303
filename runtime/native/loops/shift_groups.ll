; Written by `python -m diablo.tools.loop_code` from group_places.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"shift_groups"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", i64 %".5", ptr noalias %".6", ptr noalias %".7", i64 %".8", i64 %".9",
    i64 %".10")
{
.11:
  %".12" = trunc i64 %".5" to i32
  br label %".13"
.13:
  %".14" = phi  i64 [0, %".11"], [%".44", %".16"]
  %".15" = icmp slt i64 %".14", %".10"
  br i1 %".15", label %".16", label %".45"
.16:
  %".17" = mul i64 %".14", %".9"
  %".18" = add i64 %".8", %".17"
  %".19" = getelementptr inbounds i32, ptr %".2", i64 %".18"
  %".20" = load i32, ptr %".19"
  %".21" = zext i32 %".20" to i64
  %".22" = trunc i64 %".21" to i32
  %".23" = getelementptr inbounds i64, ptr %".1", i64 %".21"
  %".24" = load i64, ptr %".23"
  %".25" = mul i64 %".24", %".5"
  %".26" = getelementptr inbounds i32, ptr %".4", i64 %".24"
  %".27" = load i32, ptr %".26"
  %".28" = zext i32 %".27" to i64
  %".29" = add i64 %".25", %".28"
  %".30" = getelementptr inbounds i32, ptr %".3", i64 %".29"
  %".31" = load i32, ptr %".30"
  %".32" = getelementptr inbounds i32, ptr %".3", i64 %".29"
  store i32 %".22", ptr %".32"
  %".33" = getelementptr inbounds i32, ptr %".3", i64 %".25"
  %".34" = load i32, ptr %".33"
  %".35" = icmp sge i32 %".31", 0
  %".36" = select  i1 %".35", i32 %".31", i32 %".34"
  %".37" = getelementptr inbounds i32, ptr %".6", i64 %".21"
  store i32 %".36", ptr %".37"
  %".38" = zext i1 %".35" to i8
  %".39" = getelementptr inbounds i8, ptr %".7", i64 %".21"
  store i8 %".38", ptr %".39"
  %".40" = add i32 %".27", 1
  %".41" = icmp eq i32 %".40", %".12"
  %".42" = select  i1 %".41", i32 0, i32 %".40"
  %".43" = getelementptr inbounds i32, ptr %".4", i64 %".24"
  store i32 %".42", ptr %".43"
  %".44" = add i64 %".14", 1
  br label %".13"
.45:
  ret void
}
