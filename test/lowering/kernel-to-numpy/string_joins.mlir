// RUN: diablo-opt %s -t numpy | filecheck %s

!string = !comprehension.string
!words = !comprehension.bag<i64, !string>
!parts = !comprehension.bag<!string, f64>
!pairs = !comprehension.bag<i64, !string, !string, f64>

// Pairs that a test of strings leaves are tested some at a time.
func.func private @prefixes(%W: !words, %P: !parts, %k: i64) -> !pairs {
  %all = tensor_block.join %W[], %P[] : !words, !parts -> !pairs
  %some = tensor_block.filter %all : !pairs {
  ^body(%n: i64, %w: !string, %p: !string, %x: f64):
    %begins = comprehension.string_call "starts_with"(%w, %p) : (!string, !string) -> i1
    %differs = arith.cmpi ne, %n, %k : i64
    %both = arith.andi %begins, %differs : i1
    tensor_block.yield %both : i1
  }
  func.return %some : !pairs
}
// CHECK-LABEL: def prefixes(W, P, k):
// CHECK:         found = rows.ChosenPairs(W, P, at=
// CHECK-NOT:     rows.join
// CHECK:         for first, last, begin, end in rows.blocks(rows.length(W), rows.length(P)):
// CHECK:             = rows.strings.of_all_pairs("starts_with", {{.*}}, rows_first=True)
// CHECK:             kept = np.flatnonzero(
// CHECK:             found.add(first + row_1, begin + step_1)
// CHECK-NEXT:    some = found.batch()
// CHECK-NEXT:    return some

// All pairs are read elsewhere as well.
func.func private @kept(%W: !words, %P: !parts) -> (!pairs, !pairs) {
  %all = tensor_block.join %W[], %P[] : !words, !parts -> !pairs
  %some = tensor_block.filter %all : !pairs {
  ^body(%n: i64, %w: !string, %p: !string, %x: f64):
    %begins = comprehension.string_call "starts_with"(%w, %p) : (!string, !string) -> i1
    tensor_block.yield %begins : i1
  }
  func.return %all, %some : !pairs, !pairs
}
// CHECK-LABEL: def kept(W, P):
// CHECK:         rows.join(W, P, (), (), at=
// CHECK:         rows.filter(

// Numbers are compared in machine code.
func.func private @numbers(%W: !words, %P: !parts, %k: i64) -> !pairs {
  %all = tensor_block.join %W[], %P[] : !words, !parts -> !pairs
  %some = tensor_block.filter %all : !pairs {
  ^body(%n: i64, %w: !string, %p: !string, %x: f64):
    %m = arith.sitofp %n : i64 to f64
    %less = arith.cmpf olt, %m, %x : f64
    tensor_block.yield %less : i1
  }
  func.return %some : !pairs
}
// CHECK-LABEL: def numbers(W, P, k):
// CHECK:         rows.join(W, P, (), (), at=
