; Written by `python -m diablo.tools.loop_code` from string_pairs.mlir: change that.
; ModuleID = ""
target triple = ""
target datalayout = ""

define void @"copy_strings"(ptr noalias %"array", ptr noalias %"array.1", ptr noalias %"array.2",
    i64 %"number", ptr noalias %"array.3", ptr noalias %"array.4", ptr noalias %"array.5",
    i64 %"number.1", i64 %"number.2", ptr noalias %"array.6", ptr noalias %"array.7")
{
.1:
  br label %".2"
.2:
  %".3" = phi  i64 [0, %".1"], [%".57", %".56"]
  %".4" = icmp slt i64 %".3", %"number.2"
  br i1 %".4", label %".5", label %".58"
.5:
  %".6" = getelementptr inbounds i64, ptr %"array.7", i64 %".3"
  %".7" = load i64, ptr %".6"
  %".8" = mul i64 %".3", %"number"
  %".9" = getelementptr inbounds i64, ptr %"array.1", i64 %".8"
  %".10" = load i64, ptr %".9"
  %".11" = getelementptr inbounds i64, ptr %"array.2", i64 %".8"
  %".12" = load i64, ptr %".11"
  br label %".13"
.13:
  %".14" = phi  i64 [0, %".5"], [%".30", %".29"]
  %".15" = icmp slt i64 %".14", %".12"
  br i1 %".15", label %".16", label %".31"
.16:
  %".17" = add i64 %".10", %".14"
  %".18" = add i64 %".7", %".14"
  br label %".19"
.19:
  %".20" = phi  i64 [0, %".16"], [%".28", %".22"]
  %".21" = icmp slt i64 %".20", 8
  br i1 %".21", label %".22", label %".29"
.22:
  %".23" = add i64 %".17", %".20"
  %".24" = add i64 %".18", %".20"
  %".25" = getelementptr inbounds i8, ptr %"array", i64 %".23"
  %".26" = load i8, ptr %".25"
  %".27" = getelementptr inbounds i8, ptr %"array.6", i64 %".24"
  store i8 %".26", ptr %".27"
  %".28" = add i64 %".20", 1
  br label %".19"
.29:
  %".30" = add i64 %".14", 8
  br label %".13"
.31:
  %".32" = add i64 %".7", %".12"
  %".33" = mul i64 %".3", %"number.1"
  %".34" = getelementptr inbounds i64, ptr %"array.4", i64 %".33"
  %".35" = load i64, ptr %".34"
  %".36" = getelementptr inbounds i64, ptr %"array.5", i64 %".33"
  %".37" = load i64, ptr %".36"
  br label %".38"
.38:
  %".39" = phi  i64 [0, %".31"], [%".55", %".54"]
  %".40" = icmp slt i64 %".39", %".37"
  br i1 %".40", label %".41", label %".56"
.41:
  %".42" = add i64 %".35", %".39"
  %".43" = add i64 %".32", %".39"
  br label %".44"
.44:
  %".45" = phi  i64 [0, %".41"], [%".53", %".47"]
  %".46" = icmp slt i64 %".45", 8
  br i1 %".46", label %".47", label %".54"
.47:
  %".48" = add i64 %".42", %".45"
  %".49" = add i64 %".43", %".45"
  %".50" = getelementptr inbounds i8, ptr %"array.3", i64 %".48"
  %".51" = load i8, ptr %".50"
  %".52" = getelementptr inbounds i8, ptr %"array.6", i64 %".49"
  store i8 %".51", ptr %".52"
  %".53" = add i64 %".45", 1
  br label %".44"
.54:
  %".55" = add i64 %".39", 8
  br label %".38"
.56:
  %".57" = add i64 %".3", 1
  br label %".2"
.58:
  ret void
}
