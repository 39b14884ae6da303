; Written by `python -m diablo.tools.loop_code` from masked_sparse_times_sparse.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"masked_sparse_times_sparse"(ptr noalias %".1", ptr noalias %".2", ptr noalias %".3",
    ptr noalias %".4", ptr noalias %".5", ptr noalias %".6", ptr noalias %".7", ptr noalias %".8",
    ptr noalias %".9", ptr noalias %".10", ptr noalias %".11", ptr noalias %".12", i64 %".13",
    i64 %".14")
{
.15:
  %".16" = getelementptr inbounds i32, ptr %".7", i64 %".13"
  %".17" = load i32, ptr %".16"
  %".18" = zext i32 %".17" to i64
  br label %".19"
.19:
  %".20" = phi  i64 [%".13", %".15"], [%".116", %".113"]
  %".21" = phi  i64 [%".18", %".15"], [%".97", %".113"]
  %".22" = icmp slt i64 %".20", %".14"
  br i1 %".22", label %".23", label %".117"
.23:
  %".24" = add i64 %".20", 1
  %".25" = getelementptr inbounds i32, ptr %".7", i64 %".20"
  %".26" = load i32, ptr %".25"
  %".27" = zext i32 %".26" to i64
  %".28" = getelementptr inbounds i32, ptr %".7", i64 %".24"
  %".29" = load i32, ptr %".28"
  %".30" = zext i32 %".29" to i64
  br label %".31"
.31:
  %".32" = phi  i64 [%".27", %".23"], [%".43", %".35"]
  %".33" = phi  i64 [1, %".23"], [%".42", %".35"]
  %".34" = icmp slt i64 %".32", %".30"
  br i1 %".34", label %".35", label %".44"
.35:
  %".36" = getelementptr inbounds i32, ptr %".8", i64 %".32"
  %".37" = load i32, ptr %".36"
  %".38" = zext i32 %".37" to i64
  %".39" = trunc i64 %".33" to i32
  %".40" = getelementptr inbounds i32, ptr %".12", i64 %".38"
  store i32 %".39", ptr %".40"
  %".41" = getelementptr inbounds float, ptr %".10", i64 %".32"
  store float              0x0, ptr %".41"
  %".42" = add i64 %".33", 1
  %".43" = add i64 %".32", 1
  br label %".31"
.44:
  %".45" = getelementptr inbounds i32, ptr %".1", i64 %".20"
  %".46" = load i32, ptr %".45"
  %".47" = zext i32 %".46" to i64
  %".48" = getelementptr inbounds i32, ptr %".1", i64 %".24"
  %".49" = load i32, ptr %".48"
  %".50" = zext i32 %".49" to i64
  %".51" = icmp slt i64 %".27", %".30"
  %".52" = select  i1 %".51", i64 %".50", i64 %".47"
  %".53" = sub i64 %".27", 1
  br label %".54"
.54:
  %".55" = phi  i64 [%".47", %".44"], [%".93", %".92"]
  %".56" = icmp slt i64 %".55", %".52"
  br i1 %".56", label %".57", label %".94"
.57:
  %".58" = getelementptr inbounds i32, ptr %".2", i64 %".55"
  %".59" = load i32, ptr %".58"
  %".60" = zext i32 %".59" to i64
  %".61" = getelementptr inbounds float, ptr %".3", i64 %".55"
  %".62" = load float, ptr %".61"
  %".63" = add i64 %".60", 1
  %".64" = getelementptr inbounds i32, ptr %".4", i64 %".60"
  %".65" = load i32, ptr %".64"
  %".66" = zext i32 %".65" to i64
  %".67" = getelementptr inbounds i32, ptr %".4", i64 %".63"
  %".68" = load i32, ptr %".67"
  %".69" = zext i32 %".68" to i64
  br label %".70"
.70:
  %".71" = phi  i64 [%".66", %".57"], [%".91", %".90"]
  %".72" = icmp slt i64 %".71", %".69"
  br i1 %".72", label %".73", label %".92"
.73:
  %".74" = getelementptr inbounds i32, ptr %".5", i64 %".71"
  %".75" = load i32, ptr %".74"
  %".76" = zext i32 %".75" to i64
  %".77" = getelementptr inbounds i32, ptr %".12", i64 %".76"
  %".78" = load i32, ptr %".77"
  %".79" = zext i32 %".78" to i64
  %".80" = icmp ne i64 %".79", 0
  br i1 %".80", label %".81", label %".90"
.81:
  %".82" = getelementptr inbounds float, ptr %".6", i64 %".71"
  %".83" = load float, ptr %".82"
  %".84" = fmul float %".62", %".83"
  %".85" = add i64 %".53", %".79"
  %".86" = getelementptr inbounds float, ptr %".10", i64 %".85"
  %".87" = load float, ptr %".86"
  %".88" = fadd float %".87", %".84"
  %".89" = getelementptr inbounds float, ptr %".10", i64 %".85"
  store float %".88", ptr %".89"
  br label %".90"
.90:
  %".91" = add i64 %".71", 1
  br label %".70"
.92:
  %".93" = add i64 %".55", 1
  br label %".54"
.94:
  br label %".95"
.95:
  %".96" = phi  i64 [%".27", %".94"], [%".112", %".99"]
  %".97" = phi  i64 [%".21", %".94"], [%".111", %".99"]
  %".98" = icmp slt i64 %".96", %".30"
  br i1 %".98", label %".99", label %".113"
.99:
  %".100" = getelementptr inbounds i32, ptr %".8", i64 %".96"
  %".101" = load i32, ptr %".100"
  %".102" = zext i32 %".101" to i64
  %".103" = getelementptr inbounds i32, ptr %".12", i64 %".102"
  store i32 0, ptr %".103"
  %".104" = getelementptr inbounds float, ptr %".10", i64 %".96"
  %".105" = load float, ptr %".104"
  %".106" = trunc i64 %".96" to i32
  %".107" = getelementptr inbounds i32, ptr %".9", i64 %".97"
  store i32 %".106", ptr %".107"
  %".108" = getelementptr inbounds float, ptr %".10", i64 %".97"
  store float %".105", ptr %".108"
  %".109" = fcmp une float %".105",              0x0
  %".110" = zext i1 %".109" to i64
  %".111" = add i64 %".97", %".110"
  %".112" = add i64 %".96", 1
  br label %".95"
.113:
  %".114" = trunc i64 %".97" to i32
  %".115" = getelementptr inbounds i32, ptr %".11", i64 %".20"
  store i32 %".114", ptr %".115"
  %".116" = add i64 %".20", 1
  br label %".19"
.117:
  ret void
}
