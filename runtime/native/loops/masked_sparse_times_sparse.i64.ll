; Written by `python -m diablo.tools.loop_code` from masked_sparse_times_sparse.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"masked_sparse_times_sparse"(ptr noalias %"array", ptr noalias %"array.1",
    ptr noalias %"array.2", ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5",
    ptr noalias %"array.6", ptr noalias %"array.7", ptr noalias %"array.8", ptr noalias %"array.9",
    ptr noalias %"array.10", ptr noalias %"array.11", i64 %"number", i64 %"number.1")
{
.1:
  %".2" = getelementptr inbounds i32, ptr %"array.6", i64 %"number"
  %".3" = load i32, ptr %".2"
  %".4" = zext i32 %".3" to i64
  br label %".5"
.5:
  %".6" = phi  i64 [%"number", %".1"], [%".102", %".99"]
  %".7" = phi  i64 [%".4", %".1"], [%".83", %".99"]
  %".8" = icmp slt i64 %".6", %"number.1"
  br i1 %".8", label %".9", label %".103"
.9:
  %".10" = add i64 %".6", 1
  %".11" = getelementptr inbounds i32, ptr %"array.6", i64 %".6"
  %".12" = load i32, ptr %".11"
  %".13" = zext i32 %".12" to i64
  %".14" = getelementptr inbounds i32, ptr %"array.6", i64 %".10"
  %".15" = load i32, ptr %".14"
  %".16" = zext i32 %".15" to i64
  br label %".17"
.17:
  %".18" = phi  i64 [%".13", %".9"], [%".29", %".21"]
  %".19" = phi  i64 [1, %".9"], [%".28", %".21"]
  %".20" = icmp slt i64 %".18", %".16"
  br i1 %".20", label %".21", label %".30"
.21:
  %".22" = getelementptr inbounds i32, ptr %"array.7", i64 %".18"
  %".23" = load i32, ptr %".22"
  %".24" = zext i32 %".23" to i64
  %".25" = trunc i64 %".19" to i32
  %".26" = getelementptr inbounds i32, ptr %"array.11", i64 %".24"
  store i32 %".25", ptr %".26"
  %".27" = getelementptr inbounds i64, ptr %"array.9", i64 %".18"
  store i64 0, ptr %".27"
  %".28" = add i64 %".19", 1
  %".29" = add i64 %".18", 1
  br label %".17"
.30:
  %".31" = getelementptr inbounds i32, ptr %"array", i64 %".6"
  %".32" = load i32, ptr %".31"
  %".33" = zext i32 %".32" to i64
  %".34" = getelementptr inbounds i32, ptr %"array", i64 %".10"
  %".35" = load i32, ptr %".34"
  %".36" = zext i32 %".35" to i64
  %".37" = icmp slt i64 %".13", %".16"
  %".38" = select  i1 %".37", i64 %".36", i64 %".33"
  %".39" = sub i64 %".13", 1
  br label %".40"
.40:
  %".41" = phi  i64 [%".33", %".30"], [%".79", %".78"]
  %".42" = icmp slt i64 %".41", %".38"
  br i1 %".42", label %".43", label %".80"
.43:
  %".44" = getelementptr inbounds i32, ptr %"array.1", i64 %".41"
  %".45" = load i32, ptr %".44"
  %".46" = zext i32 %".45" to i64
  %".47" = getelementptr inbounds i64, ptr %"array.2", i64 %".41"
  %".48" = load i64, ptr %".47"
  %".49" = add i64 %".46", 1
  %".50" = getelementptr inbounds i32, ptr %"array.3", i64 %".46"
  %".51" = load i32, ptr %".50"
  %".52" = zext i32 %".51" to i64
  %".53" = getelementptr inbounds i32, ptr %"array.3", i64 %".49"
  %".54" = load i32, ptr %".53"
  %".55" = zext i32 %".54" to i64
  br label %".56"
.56:
  %".57" = phi  i64 [%".52", %".43"], [%".77", %".76"]
  %".58" = icmp slt i64 %".57", %".55"
  br i1 %".58", label %".59", label %".78"
.59:
  %".60" = getelementptr inbounds i32, ptr %"array.4", i64 %".57"
  %".61" = load i32, ptr %".60"
  %".62" = zext i32 %".61" to i64
  %".63" = getelementptr inbounds i32, ptr %"array.11", i64 %".62"
  %".64" = load i32, ptr %".63"
  %".65" = zext i32 %".64" to i64
  %".66" = icmp ne i64 %".65", 0
  br i1 %".66", label %".67", label %".76"
.67:
  %".68" = getelementptr inbounds i64, ptr %"array.5", i64 %".57"
  %".69" = load i64, ptr %".68"
  %".70" = mul i64 %".48", %".69"
  %".71" = add i64 %".39", %".65"
  %".72" = getelementptr inbounds i64, ptr %"array.9", i64 %".71"
  %".73" = load i64, ptr %".72"
  %".74" = add i64 %".73", %".70"
  %".75" = getelementptr inbounds i64, ptr %"array.9", i64 %".71"
  store i64 %".74", ptr %".75"
  br label %".76"
.76:
  %".77" = add i64 %".57", 1
  br label %".56"
.78:
  %".79" = add i64 %".41", 1
  br label %".40"
.80:
  br label %".81"
.81:
  %".82" = phi  i64 [%".13", %".80"], [%".98", %".85"]
  %".83" = phi  i64 [%".7", %".80"], [%".97", %".85"]
  %".84" = icmp slt i64 %".82", %".16"
  br i1 %".84", label %".85", label %".99"
.85:
  %".86" = getelementptr inbounds i32, ptr %"array.7", i64 %".82"
  %".87" = load i32, ptr %".86"
  %".88" = zext i32 %".87" to i64
  %".89" = getelementptr inbounds i32, ptr %"array.11", i64 %".88"
  store i32 0, ptr %".89"
  %".90" = getelementptr inbounds i64, ptr %"array.9", i64 %".82"
  %".91" = load i64, ptr %".90"
  %".92" = trunc i64 %".82" to i32
  %".93" = getelementptr inbounds i32, ptr %"array.8", i64 %".83"
  store i32 %".92", ptr %".93"
  %".94" = getelementptr inbounds i64, ptr %"array.9", i64 %".83"
  store i64 %".91", ptr %".94"
  %".95" = icmp ne i64 %".91", 0
  %".96" = zext i1 %".95" to i64
  %".97" = add i64 %".83", %".96"
  %".98" = add i64 %".82", 1
  br label %".81"
.99:
  %".100" = trunc i64 %".83" to i32
  %".101" = getelementptr inbounds i32, ptr %"array.10", i64 %".6"
  store i32 %".100", ptr %".101"
  %".102" = add i64 %".6", 1
  br label %".5"
.103:
  ret void
}
