// Strings of which characters are read are lists of these, and those that are measured are numbers.
// RUN: diablo-opt %s -p encode-columns --split-input-file --verify-diagnostics | filecheck %s
// RUN: diablo-opt %s -p encode-columns,convert-multiloop-to-loops,cse --split-input-file \
// RUN:     | filecheck %s --check-prefix=LOOPS

!string = !comprehension.string
!rows = !comprehension.bag<!string, i64>

// CHECK-LABEL: func.func @reads(%l: !comprehension.bag<!comprehension.bag<i32>, i64, i32> {multiloop.columns = ["text", "", "row"]})
// CHECK-SAME:    -> (!comprehension.bag<i32, i32> {multiloop.columns = ["row0.0", ""]}) {
// CHECK:         ^bb{{.*}}(%s: !comprehension.bag<i32>, %x: i64, %row: i32,
// CHECK-NEXT:      %n = comprehension.length %s : !comprehension.bag<i32>
// CHECK-NEXT:      %a = arith.constant 97 : i32
// CHECK-NEXT:      %c = comprehension.element %s[%x] : !comprehension.bag<i32>
// CHECK-NEXT:      %is_a = arith.cmpi eq, %c, %a : i32
// CHECK:             multiloop.emit %{{.+}}(%row, %c : i32, i32)

// Bytes or integers are read, as a call says.
// LOOPS-LABEL: func.func @reads(
// LOOPS-SAME:    %length: index, %starts: memref<?xindex>, %lengths: memref<?xindex>, %item: memref<?xi8>, %column: memref<?xi64>, %column_1: memref<?xi32>, %wide: memref<?xi32>, %wide_1: i1,
// LOOPS:         scf.if %wide_1
// LOOPS:           memref.load %wide[
// LOOPS:         } else {
// LOOPS:           [[BYTE:%.+]] = scf.if %inside{{.*}} -> (i8) {
// LOOPS:             memref.load %item[
// LOOPS:           %c{{.*}} = arith.extui [[BYTE]] : i8 to i32
func.func @reads(%l: !rows) -> !comprehension.bag<!string, i24> {
  %r = multiloop.loop rows(%l : !rows) -> !comprehension.bag<!string, i24> {
  ^bb0(%s: !string, %x: i64, %all: !multiloop.collect<!string, i24>):
    %n = comprehension.string_call "length" (%s) : (!string) -> i64
    %a = arith.constant 97 : i24
    %c = comprehension.string_call "char_at" (%s, %x) : (!string, i64) -> i24
    %is_a = arith.cmpi eq, %c, %a : i24
    %long = arith.cmpi sgt, %n, %x : i64
    %both = arith.andi %is_a, %long : i1
    scf.if %both {
      multiloop.emit %all(%s, %c : !string, i24)
    }
  }
  func.return %r : !comprehension.bag<!string, i24>
}

// -----

!string = !comprehension.string
!rows = !comprehension.bag<!string, i64>

// CHECK-LABEL: func.func @measures(%l: !comprehension.bag<i64, i64> {multiloop.columns = ["length", ""]})
// CHECK:         ^bb{{.*}}(%s: i64, %x: i64,
// CHECK-NEXT:      [[MORE:%.+]] = arith.addi %s, %x : i64
// CHECK-NEXT:      multiloop.emit %{{.+}}([[MORE]] : i64)
// LOOPS-LABEL: func.func @measures(
// LOOPS-SAME:    %length: index, %column: memref<?xi64>, %column_1: memref<?xi64>,
func.func @measures(%l: !rows) -> i64 {
  %r = multiloop.loop rows(%l : !rows) -> i64 {
  ^bb0(%s: !string, %x: i64, %sum: !multiloop.reduce<add : i64>):
    %n = comprehension.string_call "length" (%s) : (!string) -> i64
    %more = arith.addi %n, %x : i64
    multiloop.emit %sum(%more : i64)
  }
  func.return %r : i64
}

// -----

!string = !comprehension.string
!rows = !comprehension.bag<!string, i64>

// CHECK-LABEL: func.func @compares
// CHECK:         comprehension.string_call "char_at"
// expected-remark @+1 {{columns stay as they are: strings are compared, and their characters read or counted}}
func.func @compares(%l: !rows) -> !comprehension.bag<!string, i64> {
  %r = multiloop.loop rows(%l : !rows) -> !comprehension.bag<!string, i64> {
  ^bb0(%s: !string, %x: i64, %all: !multiloop.bucket_reduce<[!string], add : i64>):
    %c = comprehension.string_call "char_at" (%s, %x) : (!string, i64) -> i24
    %code = arith.extui %c : i24 to i64
    multiloop.emit %all[%s : !string](%code : i64)
  }
  func.return %r : !comprehension.bag<!string, i64>
}

// -----

!rows = !comprehension.bag<i64, i24>

// A number may be no character.
// CHECK-LABEL: func.func @makes
// expected-remark @+1 {{columns stay as they are: arith.trunci has no wider characters}}
func.func @makes(%l: !rows) -> !comprehension.bag<i24> {
  %r = multiloop.loop rows(%l : !rows) -> !comprehension.bag<i24> {
  ^bb0(%x: i64, %c: i24, %all: !multiloop.collect<i24>):
    %d = arith.trunci %x : i64 to i24
    multiloop.emit %all(%d : i24)
  }
  func.return %r : !comprehension.bag<i24>
}

// -----

// What a fold begins with may show.
// CHECK-LABEL: func.func @folds
// expected-remark @+1 {{columns stay as they are: !multiloop.reduce<max : i24> has no wider characters}}
func.func @folds(%l: !comprehension.bag<i24>) -> i24 {
  %r = multiloop.loop rows(%l : !comprehension.bag<i24>) -> i24 {
  ^bb0(%c: i24, %most: !multiloop.reduce<max : i24>):
    multiloop.emit %most(%c : i24)
  }
  func.return %r : i24
}
