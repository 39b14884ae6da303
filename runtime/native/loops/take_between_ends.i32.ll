; Written by `python -m diablo.tools.loop_code` from string_places.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"take_between_ends"(ptr noalias %".1", i64 %".2", ptr noalias %".3", i64 %".4",
    i64 %".5", ptr noalias %".6", ptr noalias %".7")
{
.8:
  br label %".9"
.9:
  %".10" = phi  i64 [%".4", %".8"], [%".27", %".12"]
  %".11" = icmp slt i64 %".10", %".5"
  br i1 %".11", label %".12", label %".28"
.12:
  %".13" = getelementptr inbounds i32, ptr %".3", i64 %".10"
  %".14" = load i32, ptr %".13"
  %".15" = zext i32 %".14" to i64
  %".16" = add i64 %".15", 1
  %".17" = getelementptr inbounds i32, ptr %".1", i64 %".15"
  %".18" = load i32, ptr %".17"
  %".19" = zext i32 %".18" to i64
  %".20" = getelementptr inbounds i32, ptr %".1", i64 %".16"
  %".21" = load i32, ptr %".20"
  %".22" = zext i32 %".21" to i64
  %".23" = sub i64 %".22", %".19"
  %".24" = sub i64 %".19", %".2"
  %".25" = getelementptr inbounds i64, ptr %".6", i64 %".10"
  store i64 %".24", ptr %".25"
  %".26" = getelementptr inbounds i64, ptr %".7", i64 %".10"
  store i64 %".23", ptr %".26"
  %".27" = add i64 %".10", 1
  br label %".9"
.28:
  ret void
}
