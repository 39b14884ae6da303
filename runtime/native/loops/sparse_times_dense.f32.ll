; Written by `python -m diablo.tools.loop_code` from sparse_times_dense.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"sparse_times_dense"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3", ptr noalias %".4", i64 %".5", ptr noalias %".6", i64 %".7", i64 %".8", i64 %".9")
{
.11:
  br label %".12"
.12:
  %".24" = phi  i64 [%".8", %".11"], [%".73", %".22"]
  %".29" = icmp slt i64 %".24", %".9"
  br i1 %".29", label %".13", label %".23"
.13:
  %".31" = add i64 %".24", 1
  %".32" = getelementptr inbounds i32, ptr %".1", i64 %".24"
  %".33" = load i32, ptr %".32"
  %".34" = zext i32 %".33" to i64
  %".35" = getelementptr inbounds i32, ptr %".1", i64 %".31"
  %".36" = load i32, ptr %".35"
  %".37" = zext i32 %".36" to i64
  %".38" = mul i64 %".24", %".7"
  br label %".14"
.14:
  %".25" = phi  i64 [0, %".13"], [%".45", %".15"]
  %".40" = icmp slt i64 %".25", %".7"
  br i1 %".40", label %".15", label %".16"
.15:
  %".42" = add i64 %".38", %".25"
  %".43" = getelementptr inbounds float, ptr %".6", i64 %".42"
  store float              0x0, ptr %".43"
  %".45" = add i64 %".25", 1
  br label %".14"
.16:
  br label %".17"
.17:
  %".26" = phi  i64 [%".34", %".16"], [%".71", %".21"]
  %".48" = icmp slt i64 %".26", %".37"
  br i1 %".48", label %".18", label %".22"
.18:
  %".50" = getelementptr inbounds i32, ptr %".2", i64 %".26"
  %".51" = load i32, ptr %".50"
  %".52" = zext i32 %".51" to i64
  %".53" = getelementptr inbounds float, ptr %".3", i64 %".26"
  %".54" = load float, ptr %".53"
  %".55" = mul i64 %".52", %".5"
  br label %".19"
.19:
  %".27" = phi  i64 [0, %".18"], [%".69", %".20"]
  %".57" = icmp slt i64 %".27", %".7"
  br i1 %".57", label %".20", label %".21"
.20:
  %".59" = add i64 %".55", %".27"
  %".60" = add i64 %".38", %".27"
  %".61" = getelementptr inbounds float, ptr %".4", i64 %".59"
  %".62" = load float, ptr %".61"
  %".63" = fmul float %".54", %".62"
  %".64" = getelementptr inbounds float, ptr %".6", i64 %".60"
  %".65" = load float, ptr %".64"
  %".66" = fadd float %".65", %".63"
  %".67" = getelementptr inbounds float, ptr %".6", i64 %".60"
  store float %".66", ptr %".67"
  %".69" = add i64 %".27", 1
  br label %".19"
.21:
  %".71" = add i64 %".26", 1
  br label %".17"
.22:
  %".73" = add i64 %".24", 1
  br label %".12"
.23:
  ret void
}
